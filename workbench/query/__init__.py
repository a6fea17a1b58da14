"""A question in, ranked chunks with every component of their scores out."""
