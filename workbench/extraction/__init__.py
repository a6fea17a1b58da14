"""Chunks in, entities, mentions, relationships and what was rejected out."""
