"""Entities and relationships in, degrees, hierarchical communities and their reports out."""

from workbench.graph.communities import Communities, cluster
from workbench.graph.degrees import undirected_edges, with_degrees
from workbench.graph.inspect import bridge_entities, bridges, levels, members, membership_wide
from workbench.graph.report_context import ReportContexts, report_contexts
from workbench.graph.reports import write_reports
from workbench.graph.shape import components, degree_distribution
from workbench.graph.stability import compare_engines, engine_agreement, stability

__all__ = [
    "Communities",
    "ReportContexts",
    "bridge_entities",
    "bridges",
    "cluster",
    "compare_engines",
    "components",
    "degree_distribution",
    "engine_agreement",
    "levels",
    "members",
    "membership_wide",
    "report_contexts",
    "stability",
    "undirected_edges",
    "with_degrees",
    "write_reports",
]
