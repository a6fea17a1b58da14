"""An extraction in, a run in the store out: degrees, communities, then one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from workbench import __version__
from workbench.extraction.result import Extraction
from workbench.graph.communities import cluster as find_communities
from workbench.graph.degrees import with_degrees
from workbench.params import ClusterParams, ExtractParams
from workbench.run import Run
from workbench.stages import Stages
from workbench.storage import settings
from workbench.store import Store


def run_params(
    store: Store, extract: ExtractParams | None, cluster: ClusterParams | None, **more: Any
) -> dict[str, Any]:
    """Give what a run is made with, as it stands in `runs.params`; `more` is of single modes."""
    meta = store.meta()
    return {
        "chunk": settings.chunk_params(meta).model_dump(mode="json"),
        "embed": settings.embed_params(meta).model_dump(mode="json"),
        "extract": (extract or ExtractParams()).model_dump(mode="json"),
        "cluster": (cluster or ClusterParams()).model_dump(mode="json"),
        "workbench": __version__,
        **more,
    }


def finish(
    store: Store,
    name: str,
    found: Extraction,
    *,
    mode: str,
    params: Mapping[str, Any],
    cluster: ClusterParams | None,
    stages: Stages,
    started: datetime,
    llm: str | None = None,
) -> Run:
    """Cluster an extraction and write all its tables, in place of a former run of that name."""
    with stages("cluster"):
        cluster = cluster or ClusterParams()
        entities, relationships = with_degrees(found.entities, found.relationships, cluster.variant)
        communities = find_communities(entities, relationships, cluster)
    frames = {
        **found.tables(),
        "entities": entities,
        "relationships": relationships,
        "communities": communities.communities,
        "community_members": communities.community_members,
    }
    with stages("write"):
        return store.write_run(
            name,
            mode=mode,
            params=params,
            tables=frames,
            vectors=found.vectors,
            llm=llm,
            started_at=started,
        )
