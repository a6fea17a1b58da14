"""Settings in, frozen parameters out: what every step can be told, validated and JSON-able."""

from __future__ import annotations

from typing import Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from workbench.errors import InputError
from workbench.schema import ENTITY_TYPES, PREDICATES

Variant = Literal["documented", "as_shipped"]
P = TypeVar("P", bound="Params")


class Params(BaseModel):
    """The base of all parameters: frozen, unknown names refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)


class ChunkParams(Params):
    """How a document is cut. Sizes are in tokens of `encoding`."""

    chunker: Literal["markdown", "tokens"] = "markdown"
    size: int = Field(512, ge=8, le=100_000)
    overlap: int = Field(50, ge=0)
    encoding: Literal["o200k_base", "cl100k_base"] = "o200k_base"

    @model_validator(mode="after")
    def _overlap_below_size(self) -> Self:
        if self.overlap * 2 > self.size:
            raise ValueError(f"overlap {self.overlap} must be at most half of size {self.size}")
        return self


class EmbedParams(Params):
    """Which embedder, and how it computes."""

    model: str = "minilm"
    dtype: Literal["float32", "bfloat16"] = "float32"


class ExtractParams(Params):
    """How names are found without a language model; the same values serve every kind of text."""

    min_phrase_count: int = Field(3, ge=2)  # how often a phrase written small must occur
    min_phrase_npmi: float = Field(0.3, ge=-1, le=1)  # how well its words hold together
    min_capital_share: float = Field(0.5, ge=0, le=1)  # of a word inside sentences, to be a name
    min_residual_idf: float = 0.4  # bits: how much a common noun must cluster to be a subject
    merge_similarity: float = Field(0.85, ge=0, le=1)  # cosine of two names, after a lexical check
    min_pair_npmi: float = Field(0.1, ge=-1, le=1)  # of a pair that shares two or more chunks


class LanguageParams(Params):
    """What a language model is asked for, and how. Sizes are in tokens of `o200k_base`."""

    entity_types: tuple[str, ...] = Field(ENTITY_TYPES, min_length=1)  # others map to one of these
    predicates: tuple[str, ...] = Field(PREDICATES, min_length=1)  # … or are refused
    templates: str | None = None  # a folder of prompts that replace shipped ones
    candidates: int = Field(30, ge=1, le=500)  # hybrid: how many of a document are judged
    gleanings: int = Field(0, ge=0, le=10)  # llm: how often a chunk is asked for what was missed
    classify: bool = False  # heuristic: ask for the types of the names found
    claims: bool = False  # ask each chunk for claims about its entities
    claim_description: str = "any statement of fact about them that could turn out to be untrue"
    summary_tokens: int = Field(4_000, ge=1)  # llm: descriptions a summary is asked from at once
    summary_words: int = Field(100, ge=1)  # llm: how long the summary may be
    max_items: int = Field(60, ge=1)  # a reply's lists may be so long: fewer end a weak model's
    temperature: float = Field(0.0, ge=0)
    seed: int = 7
    # How calls are made changes no reply, so a run is the same with other values here.
    workers: int | None = Field(None, ge=1)  # calls at once; None: as the model says
    retries: int = Field(2, ge=0)
    deadline: float | None = Field(900.0, gt=0)  # seconds for one request with all its tries

    def recorded(self) -> dict[str, object]:
        """Give what a run is made with: all but how calls are made and where templates lie."""
        return self.model_dump(mode="json", exclude={"workers", "retries", "deadline", "templates"})


class ClusterParams(Params):
    """How the graph is cut into communities (hierarchical Leiden)."""

    engine: Literal["leidenalg", "igraph", "graspologic"] = "leidenalg"
    max_cluster_size: int = Field(10, ge=2)  # communities of this size or more are split again
    resolution: float = Field(1.0, gt=0)
    seed: int = Field(0xDEADBEEF, ge=0)
    max_levels: int = Field(10, ge=1)
    variant: Variant = "documented"


class ReportParams(Params):
    """How a community's report is written. Sizes are in tokens of `encoding`."""

    max_input_tokens: int = Field(8_000, ge=1)  # of the context; the prompt's own words come on top
    encoding: Literal["cl100k_base", "o200k_base"] = "cl100k_base"
    max_findings: int = Field(10, ge=1, le=50)
    variant: Variant = "documented"


class FusionParams(Params):
    """How keyword and vector search are made one (see `query/fusion.py`)."""

    kind: Literal["score", "rrf", "weighted_rrf"] = "score"
    dense_weight: float = Field(0.8, ge=0, le=1)  # share of the vectors; plain rrf has no weights
    rrf_k: int = Field(60, ge=1)


class LocalParams(Params):
    """How the context of local search is chosen. Sizes are in tokens of `encoding`."""

    max_context_tokens: int = Field(12_000, ge=0)
    text_unit_prop: float = Field(0.5, ge=0, le=1)  # share of the chunks
    community_prop: float = Field(0.15, ge=0, le=1)  # share of the reports; the graph has the rest
    top_k_entities: int = Field(10, ge=1)
    top_k_relationships: int = Field(10, ge=0)  # leading out of the selection, for each entity
    relationship_ranking: Literal["rank", "weight"] = "rank"  # rank: combined degree
    conversation_history_max_turns: int = Field(5, ge=0)
    level: int | None = Field(None, ge=0)  # communities of this level and above it; None: all
    include: tuple[str, ...] = ()  # names of entities that are selected in any case
    exclude: tuple[str, ...] = ()  # … and in no case
    min_similarity: float = Field(0.35, ge=-1, le=1)  # cosine from which a vector matches
    vector: tuple[float, ...] | None = None  # asks in place of the question's own vector
    encoding: Literal["cl100k_base", "o200k_base"] = "cl100k_base"
    variant: Variant = "documented"

    @model_validator(mode="after")
    def _shares_make_one(self) -> Self:
        if self.text_unit_prop + self.community_prop > 1:
            raise ValueError(
                f"text_unit_prop {self.text_unit_prop} and community_prop {self.community_prop} "
                "are more than 1 together"
            )
        return self


class BasicParams(Params):
    """How the context of basic search is chosen. Sizes are in tokens of `encoding`."""

    k: int = Field(10, ge=1)  # chunks
    entities: int = Field(20, ge=0)  # of those chunks, the specific ones first
    relationships: int = Field(20, ge=0)
    max_context_tokens: int = Field(12_000, ge=0)  # the chunks have all of it, the graph the rest
    index: Literal["exact", "hnsw"] = "exact"  # how near vectors are found
    encoding: Literal["cl100k_base", "o200k_base"] = "cl100k_base"
    variant: Variant = "documented"


class WalkParams(Params):
    """How the walk over chunks and entities goes, and its context. See `query/walk.py`."""

    damping: float = Field(0.85, gt=0, lt=1)  # how much of the score walks on at each step
    small_weight: float = Field(0.2, ge=0)  # of a name that the question writes small
    near_entities: int = Field(20, ge=0)  # seeds by vector
    near_weight: float = Field(0.15, ge=0)  # of all of those together; the named ones weigh 1
    text_chunks: int = Field(10, ge=0)  # seeds by BM25 and vector, fused
    text_weight: float = Field(0.05, ge=0)  # of all of those together
    text_share: float = Field(1.5, ge=0)  # score = ln(walk) + this * text
    k: int = Field(10, ge=1)  # chunks
    entities: int = Field(20, ge=0)
    relationships: int = Field(20, ge=0)
    max_context_tokens: int = Field(12_000, ge=0)  # the chunks have all of it, the graph the rest
    encoding: Literal["cl100k_base", "o200k_base"] = "cl100k_base"


class GlobalParams(Params):
    """How reports are read in global search. Sizes are in tokens of `encoding`."""

    max_context_tokens: int = Field(12_000, ge=0)  # of reports in one call
    data_max_tokens: int = Field(12_000, ge=0)  # of points in the last call
    level: int | None = Field(2, ge=0)  # communities of this level and above it; None: all
    min_community_rank: float = 0
    use_summary: bool = False  # in place of the whole reports
    normalise_weight: bool = True  # the largest is 1
    shuffle: bool = True  # before reports are dealt out to calls
    seed: int = 86
    map_words: int = Field(1_000, ge=1)  # how long the points of a call may be together
    reduce_words: int = Field(2_000, ge=1)  # … and the answer
    dynamic: bool = False  # a model rates reports, and walks down where they are relevant
    dynamic_threshold: float = Field(1, ge=0, le=5)
    dynamic_keep_parent: bool = False
    conversation_history_max_turns: int = Field(5, ge=0)
    encoding: Literal["cl100k_base", "o200k_base"] = "cl100k_base"
    variant: Variant = "documented"


class DriftParams(LocalParams):
    """How DRIFT search asks on; what it has of LocalParams is said to its local searches."""

    paths_prop: float = Field(0.2, ge=0, le=1)  # share of the paths in the last context
    max_hops: int = Field(3, ge=1, le=3)  # of a path
    k_paths: int = Field(5, ge=1)  # between each two of the things named
    drift_k_followups: int = Field(20, ge=1)  # reports of the primer, and queries a round
    primer_folds: int = Field(5, ge=1)
    n_depth: int = Field(3, ge=0)  # rounds of follow-up queries
    max_calls: int = Field(12, ge=3)  # requests to a model; each may be tried again
    seed: int = 7

    @model_validator(mode="before")
    @classmethod
    def _shipped_shares(cls, values: dict[str, object]) -> dict[str, object]:
        if values.get("variant") == "as_shipped":  # these leave nothing to the graph
            return {"text_unit_prop": 0.9, "community_prop": 0.1} | values
        return values


def validated(kind: type[P], **values: object) -> P:
    """Build parameters; a wrong value raises InputError with one sentence for the first fault."""
    try:
        return kind(**values)
    except ValidationError as error:
        first = error.errors()[0]
        fault = first["msg"].removeprefix("Value error, ")
        if not first["loc"]:  # two parameters that do not go together
            raise InputError(f"{kind.__name__} cannot be as given: {fault}.") from error
        name = ".".join(str(part) for part in first["loc"])
        known = ", ".join(kind.model_fields)
        raise InputError(
            f"Parameter {name!r} of {kind.__name__} is {first.get('input')!r}: {fault} "
            f"(parameters: {known})."
        ) from error
