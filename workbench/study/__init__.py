"""Runs and gold in, measures out: scores, retrieval evaluation, notebook batches."""
