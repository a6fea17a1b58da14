"""A folder or table file in, documents and chunks out."""
