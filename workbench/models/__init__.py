"""Texts in, vectors or replies out: embedders, and later language models."""
