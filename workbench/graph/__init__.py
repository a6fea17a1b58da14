"""Entities and relationships in, degrees and hierarchical communities out."""

from workbench.graph.communities import Communities, cluster
from workbench.graph.degrees import undirected_edges, with_degrees
from workbench.graph.inspect import bridge_entities, bridges, levels, members, membership_wide
from workbench.graph.shape import components, degree_distribution
from workbench.graph.stability import compare_engines, engine_agreement, stability

__all__ = [
    "Communities",
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
    "stability",
    "undirected_edges",
    "with_degrees",
]
