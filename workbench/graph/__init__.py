"""Entities and relationships in, degrees and hierarchical communities out."""
