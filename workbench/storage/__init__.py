"""A path and frames in, a DuckDB file out: what stands behind `workbench.store.Store`."""
