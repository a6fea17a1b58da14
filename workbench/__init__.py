"""The map: the public functions of the workbench, listed in the order in which data flows.

`import workbench as wb` costs milliseconds: a room is imported when one of its names is used.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_MAP: dict[str, tuple[str, ...]] = {
    "workbench.errors": ("WorkbenchError", "InputError", "StoreError", "ModelError"),
    "workbench.params": (
        "ChunkParams",
        "EmbedParams",
        "ClusterParams",
        "ReportParams",
        "LocalParams",
        "validated",
    ),
    "workbench.paths": ("root", "shipped", "resolve_corpus"),
    "workbench.store": ("Store",),
    "workbench.opening": ("open_run", "open_union", "open_reports"),
    "workbench.interop.graphrag_import": ("import_graphrag",),
    "workbench.interop.faults": ("fault_counts",),
    "workbench.storage.imported": ("imported_vectors",),
    "workbench.interop.own_tables": ("run_from_frames", "run_from_networkx"),
    "workbench.corpus.read": ("read_corpus",),
    "workbench.corpus.chunk": ("chunk_documents",),
    "workbench.corpus.inspect": (
        "chunk_table",
        "document_path",
        "of_document",
        "coverage",
        "sweep",
        "sweep_table",
    ),
    "workbench.extraction.modes": ("extract",),
    "workbench.extraction.inspect": (
        "entity_table",
        "mention_table",
        "idf_table",
        "rejected_by_rule",
        "alias_table",
        "extract_text",
    ),
    "workbench.graph.degrees": ("undirected_edges", "with_degrees"),
    "workbench.graph.communities": ("cluster",),
    "workbench.graph.layout": ("layout",),
    "workbench.graph.shape": ("components", "degree_distribution"),
    "workbench.graph.inspect": (
        "levels",
        "members",
        "membership_wide",
        "bridges",
        "bridge_entities",
    ),
    "workbench.graph.stability": ("stability", "compare_engines", "engine_agreement"),
    "workbench.graph.tables": (
        "relationship_table",
        "by_relationship_type",
        "children",
        "with_community",
    ),
    "workbench.models.json_text": ("read_object",),
    "workbench.graph.report_context": ("report_contexts",),
    "workbench.graph.citations": ("check", "audit"),
    "workbench.interop.graphrag_export": ("export_graphrag",),
    "workbench.query.search": ("search",),
    "workbench.query.auto": ("classify",),
    "workbench.query.walk_why": ("why",),
    "workbench.query.hnsw": ("hnsw_recall", "hnsw_plan", "hnsw_traps"),
    "workbench.query.ask": ("ask",),
    "workbench.query.paths": ("connection_paths",),
    "workbench.query.drift": ("drift_cost",),
    "workbench.query.saved": ("load_trace", "traces"),
    "workbench.query.diff": ("diff",),
    "workbench.query.global_plan": ("global_cost",),
    "workbench.query.local_study": ("ego_graph", "sweep_budget"),
    "workbench.study.questions": ("questions", "evidence_spans"),
    "workbench.study.evaluate": ("evaluate", "per_question"),
    "workbench.study.evidence": ("evidence_recall",),
    "workbench.study.choices": ("score_choices", "decider"),
    "workbench.study.gold": ("read_gold",),
    "workbench.study.score": ("score_entities", "worst_errors"),
    "workbench.study.overlap": ("seen_by", "overlap_matrix", "only_in", "intersections"),
    "workbench.study.side_by_side": (
        "part_of",
        "gold_within",
        "by_chunk",
        "names_in",
        "growth",
        "score_table",
        "cost_table",
        "reply_files",
    ),
    "workbench.study.answers": ("answer_scores", "score_answers", "paired", "judge"),
    "workbench.study.compare": ("compare",),
    "workbench.study.page": (
        "skipped_table",
        "report_list",
        "gold_scores",
        "retrieval_scores",
        "verdict_beside_others",
    ),
    "workbench.study.sweep_run": ("sweep_notebooks",),
    "workbench.study.report_variants": ("compare_variants", "report_again", "report_text"),
    "workbench.study.inventory": ("inventory", "versions"),
    "workbench.study.doctor": ("doctor",),
    "workbench.study.notebook_parameters": ("parameter_table",),
    "workbench.study.notebooks": ("notebook_paths", "run_notebooks"),
    "workbench.show.tables": ("table", "side_by_side"),
    "workbench.show.errors": ("show_error",),
    "workbench.show.pipeline": ("pipeline",),
    "workbench.show.plots": (
        "token_histogram",
        "overlap_strip",
        "rank_plot",
        "idf_scatter",
        "type_bars",
        "score_bars",
    ),
    "workbench.show.plots_graph": (
        "degree_histogram",
        "weight_histogram",
        "size_boxes",
        "stability_map",
    ),
    "workbench.show.plots_modes": ("intersection_bars", "growth_lines", "mode_graphs"),
    "workbench.show.plots_reports": ("token_bars", "cut_line"),
    "workbench.show.plots_local": ("share_bars",),
    "workbench.show.plots_global": (
        "weight_bars",
        "shuffle_lines",
        "batch_bars",
        "score_dots",
        "reduce_steps",
        "cost_bars",
    ),
    "workbench.show.graph": ("graph_view",),
    "workbench.show.explorers": (
        "corpus_explorer",
        "entity_explorer",
        "community_explorer",
        "extraction_explorer",
        "query_explorer",
    ),
    "workbench.show.graph_views": ("ego_view", "community_map", "compare_view", "trace_graph"),
    "workbench.show.drift_view": ("drift_tree", "paths_view"),
}
_HOME = {name: module for module, names in _MAP.items() for name in names}
__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    """Import the room that holds `name` when the name is first used (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module 'workbench' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
