"""Names in, tables out: every table and column of a store, named once with its type and meaning.

Code, notebooks, captions and SQL use these names. Tables of scope `main` describe one corpus, cut
one way; tables of scope `run` stand once for each run, in an SQL schema that has the run's name.
"""

from __future__ import annotations

from dataclasses import dataclass

SCHEMA_VERSION = 1
FILE_ALIAS = "wb"  # a file called heuristic.duckdb would make heuristic.entities ambiguous
# `memory` and `system` are catalogs of every DuckDB connection: memory.entities would be ambiguous
RESERVED_RUN_NAMES = frozenset(
    {"main", "temp", "memory", "system", "information_schema", "pg_catalog", "wb"}
)
RUN_NAME_PATTERN = r"[a-z][a-z0-9_]{0,40}"
VECTOR = "FLOAT[dim]"

ENTITY_TYPES = (
    "technology",
    "code",
    "person",
    "organization",
    "place",
    "event",
    "concept",
    "document",
    "website",
)
PREDICATES = (
    "uses",
    "depends_on",
    "implements",
    "extends",
    "configures",
    "replaces",
    "part_of",
    "located_in",
    "member_of",
    "works_for",
    "created",
    "owns",
    "leads",
    "knows",
    "family_of",
    "opposes",
    "causes",
    "participates_in",
    "related_to",
)


@dataclass(frozen=True)
class Column:
    """One column: its SQL type, its meaning (with the unit), and whether the clock changes it."""

    name: str
    type: str
    meaning: str
    volatile: bool = False


@dataclass(frozen=True)
class Table:
    """One table: its columns in order, the columns that identify a row, and what a row is."""

    name: str
    scope: str
    meaning: str
    columns: tuple[Column, ...]
    key: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The column names in order."""
        return [column.name for column in self.columns]

    @property
    def plain_names(self) -> list[str]:
        """The column names without the vectors, which are read apart."""
        return [column.name for column in self.columns if column.type != VECTOR]

    def ddl(self, schema: str, dimension: int) -> str:
        """Give the CREATE TABLE statement; `dimension` is the embedder's vector length."""
        columns = ", ".join(
            f"{column.name} {column.type.replace('dim', str(dimension))}" for column in self.columns
        )
        return f'CREATE TABLE IF NOT EXISTS {FILE_ALIAS}."{schema}".{self.name} ({columns})'


def _columns(*rows: tuple[str, str, str]) -> tuple[Column, ...]:
    return tuple(Column(*row) for row in rows)


META = Table(
    "meta",
    "main",
    "what the file was made with; one row a setting",
    _columns(
        ("key", "VARCHAR", "name of the setting"),
        ("value", "VARCHAR", "its value as text"),
    ),
    ("key",),
)
DOCUMENTS = Table(
    "documents",
    "main",
    "one row a document that was read",
    _columns(
        ("id", "VARCHAR", "hash of the path, or a table row's own id"),
        ("path", "VARCHAR", "path relative to the corpus, with / between its parts"),
        ("title", "VARCHAR", "front matter's title, else the first heading, else the file stem"),
        ("text", "VARCHAR", "decoded text without byte order mark, with LF line ends"),
        ("content_hash", "VARCHAR", "SHA-256 of the text"),
        ("metadata", "VARCHAR", "JSON: front matter, encoding, further columns of a table row"),
    ),
    ("id",),
)
SKIPPED = Table(
    "skipped",
    "main",
    "one row a file or table row that was not read",
    _columns(
        ("path", "VARCHAR", "path relative to the corpus"),
        ("reason", "VARCHAR", "binary, unreadable, empty, unsupported, hidden, duplicate, …"),
        ("detail", "VARCHAR", "what was seen, in words"),
    ),
    ("path", "reason"),
)
CHUNKS = Table(
    "chunks",
    "main",
    "one row a chunk (Microsoft: text unit), an exact slice of its document",
    _columns(
        ("id", "VARCHAR", "hash of document and span"),
        ("short_id", "INTEGER", "number shown in contexts and citations, from 0"),
        ("document_id", "VARCHAR", "the document it is a slice of"),
        ("chunk_index", "INTEGER", "place in its document, from 0"),
        ("text", "VARCHAR", "documents.text[start_char:end_char]"),
        ("heading_path", "VARCHAR", "headings above its first character, joined by ' > '"),
        ("start_char", "INTEGER", "first character in documents.text"),
        ("end_char", "INTEGER", "character after the last one in documents.text"),
        ("token_count", "INTEGER", "tokens of its text in the file's encoding"),
        ("embedding", VECTOR, "unit vector of its text"),
    ),
    ("id",),
)
POSTINGS = Table(
    "postings",
    "main",
    "one row a term of a chunk, sorted by term; BM25 and IDF are SQL over it",
    _columns(
        ("term", "VARCHAR", "lower-cased term; names of code stay whole"),
        ("chunk_id", "VARCHAR", "the chunk that holds it"),
        ("tf", "INTEGER", "how often the chunk holds it"),
    ),
    ("term", "chunk_id"),
)
RUNS = Table(
    "runs",
    "main",
    "one row a run, that is one extraction over the chunks",
    (
        Column("name", "VARCHAR", "name of the run and of its SQL schema"),
        Column("mode", "VARCHAR", "mode of extraction, or imported"),
        Column("params", "VARCHAR", "JSON: parameters of every step"),
        Column("llm", "VARCHAR", "language model, or none"),
        Column("status", "VARCHAR", "complete, or stale when the chunks have changed since"),
        Column("started_at", "TIMESTAMP", "when it began, UTC", volatile=True),
        Column("finished_at", "TIMESTAMP", "when its tables were written, UTC", volatile=True),
        Column("usage", "VARCHAR", "JSON by task: calls made, served, mended", volatile=True),
    ),
    ("name",),
)
LLM_CALLS = Table(
    "llm_calls",
    "main",
    "one row an attempt at a language model call",
    (
        Column("key", "VARCHAR", "hash of model, prompt, schema and options"),
        Column("run", "VARCHAR", "the run that asked"),
        Column("attempt", "INTEGER", "1 for the first try"),
        Column("task", "VARCHAR", "what was asked for"),
        Column("model", "VARCHAR", "model as chosen, without host or key"),
        Column("prompt", "VARCHAR", "the whole prompt"),
        Column("reply", "VARCHAR", "the whole reply"),
        Column("prompt_tokens", "INTEGER", "tokens sent, as the model counted"),
        Column("completion_tokens", "INTEGER", "tokens received, as the model counted"),
        Column("seconds", "DOUBLE", "time until the reply was whole", volatile=True),
        Column("finish_reason", "VARCHAR", "stop, length, …"),
        Column("status", "VARCHAR", "ok, invalid, failed"),
    ),
    ("key", "attempt"),
)
TRACES = Table(
    "traces",
    "main",
    "one row a saved query",
    _columns(
        ("id", "VARCHAR", "hash of run, method, question and parameters"),
        ("run", "VARCHAR", "the run that was asked"),
        ("method", "VARCHAR", "query method"),
        ("question", "VARCHAR", "the question"),
        ("payload", "VARCHAR", "JSON: the whole trace"),
    ),
    ("id",),
)
IMPORTED_VECTORS = Table(
    "imported_vectors",
    "main",
    "one row a vector that came with a Microsoft index",
    _columns(
        ("kind", "VARCHAR", "entity_description, community_full_content or text_unit_text"),
        ("id", "VARCHAR", "id of the row it belongs to"),
        ("vector", "FLOAT[]", "as imported; its length is the foreign model's"),
    ),
    ("kind", "id"),
)
ENTITIES = Table(
    "entities",
    "run",
    "one row an entity after its aliases were merged",
    _columns(
        ("id", "VARCHAR", "hash of normalized name and type"),
        ("short_id", "INTEGER", "number shown in contexts and citations, from 0"),
        ("name", "VARCHAR", "the spelling shown"),
        ("normalized_name", "VARCHAR", "the key by which runs are compared"),
        ("type", "VARCHAR", "one of the run's entity types"),
        ("description", "VARCHAR", "what the text says of it"),
        ("mention_count", "INTEGER", "occurrences in the documents"),
        ("chunk_count", "INTEGER", "chunks that mention it (Microsoft: frequency)"),
        ("degree", "INTEGER", "entities it shares an undirected edge with"),
        ("confidence", "DOUBLE", "0 to 1, from the evidence"),
        ("embedding", VECTOR, "unit vector of `name: description`"),
    ),
    ("id",),
)
ENTITY_ALIASES = Table(
    "entity_aliases",
    "run",
    "one row a spelling that was merged into an entity",
    _columns(
        ("entity_id", "VARCHAR", "the survivor"),
        ("alias", "VARCHAR", "the other spelling, as written"),
        ("rule", "VARCHAR", "the rule that merged it"),
        ("score", "DOUBLE", "0 to 1; 1 for a rule without doubt"),
    ),
    ("entity_id", "alias"),
)
ENTITY_MENTIONS = Table(
    "entity_mentions",
    "run",
    "one row an entity in a chunk",
    _columns(
        ("entity_id", "VARCHAR", "the entity"),
        ("chunk_id", "VARCHAR", "the chunk"),
        ("mention_count", "INTEGER", "occurrences in the chunk"),
        ("start_char", "INTEGER", "first character of the first one in documents.text"),
        ("end_char", "INTEGER", "character after its last one"),
        ("signals", "VARCHAR", "what gave it away, sorted, joined by ','"),
    ),
    ("entity_id", "chunk_id"),
)
RELATIONSHIPS = Table(
    "relationships",
    "run",
    "one row a typed relationship between two entities",
    _columns(
        ("id", "VARCHAR", "hash of source, target and type; undirected types with sorted ends"),
        ("short_id", "INTEGER", "number shown in contexts and citations, from 0"),
        ("source_id", "VARCHAR", "entity it starts at"),
        ("target_id", "VARCHAR", "entity it ends at"),
        ("type", "VARCHAR", "predicate"),
        ("description", "VARCHAR", "what the text says of it"),
        ("weight", "DOUBLE", "shared chunks, or summed strengths"),
        ("npmi", "DOUBLE", "normalised pointwise mutual information, -1 to 1"),
        ("evidence", "VARCHAR", "the sentence or link that shows it first"),
        ("combined_degree", "INTEGER", "degree of source plus degree of target"),
    ),
    ("id",),
)
RELATIONSHIP_MENTIONS = Table(
    "relationship_mentions",
    "run",
    "one row a relationship in a chunk",
    _columns(
        ("relationship_id", "VARCHAR", "the relationship"),
        ("chunk_id", "VARCHAR", "the chunk"),
        ("mention_count", "INTEGER", "occurrences in the chunk"),
        ("evidence_start", "INTEGER", "first character of the evidence in documents.text"),
        ("evidence_end", "INTEGER", "character after its last one"),
    ),
    ("relationship_id", "chunk_id"),
)
COMMUNITIES = Table(
    "communities",
    "run",
    "one row a community on one level of the hierarchy",
    _columns(
        ("id", "VARCHAR", "hash of level and members"),
        ("short_id", "INTEGER", "number shown, from 0, unique over all levels"),
        ("level", "INTEGER", "0 is the coarsest"),
        ("parent_id", "VARCHAR", "the community it was split from; null on level 0"),
        ("title", "VARCHAR", "its leading entities"),
        ("size", "INTEGER", "members"),
    ),
    ("id",),
)
COMMUNITY_MEMBERS = Table(
    "community_members",
    "run",
    "one row an entity in a community",
    _columns(
        ("community_id", "VARCHAR", "the community"),
        ("entity_id", "VARCHAR", "the entity"),
    ),
    ("community_id", "entity_id"),
)
COMMUNITY_REPORTS = Table(
    "community_reports",
    "run",
    "one row a community's report, also when it failed",
    _columns(
        ("community_id", "VARCHAR", "the community"),
        ("title", "VARCHAR", "title of the report"),
        ("summary", "VARCHAR", "summary of the report"),
        ("rank", "DOUBLE", "importance, 0 to 10"),
        ("rating_explanation", "VARCHAR", "why that rank"),
        ("findings", "VARCHAR", "JSON: list of {summary, explanation}"),
        ("full_content", "VARCHAR", "the report as Markdown"),
        ("context", "VARCHAR", "what the report was written from"),
        ("untrimmed_tokens", "INTEGER", "tokens of the context before any cut"),
        ("context_tokens", "INTEGER", "tokens of the context as used"),
        ("context_exceed_limit", "BOOLEAN", "whether the untrimmed context was too long"),
        ("context_action", "VARCHAR", "fits, substituted or trimmed"),
        ("source", "VARCHAR", "model, replay or extractive"),
        ("status", "VARCHAR", "ok or failed"),
        ("error", "VARCHAR", "why it failed"),
        ("embedding", VECTOR, "unit vector of full_content"),
    ),
    ("community_id",),
)
CLAIMS = Table(
    "claims",
    "run",
    "one row a claim (Microsoft: covariate)",
    _columns(
        ("id", "VARCHAR", "hash of the claim's content"),
        ("short_id", "INTEGER", "number shown in contexts and citations, from 0"),
        ("subject_id", "VARCHAR", "entity the claim is about"),
        ("object_id", "VARCHAR", "entity it concerns, or null"),
        ("type", "VARCHAR", "kind of claim"),
        ("status", "VARCHAR", "TRUE, FALSE or SUSPECTED"),
        ("start_date", "VARCHAR", "ISO 8601, or null"),
        ("end_date", "VARCHAR", "ISO 8601, or null"),
        ("description", "VARCHAR", "the claim in words"),
        ("source_text", "VARCHAR", "the quote it rests on"),
        ("chunk_id", "VARCHAR", "the chunk of the quote"),
    ),
    ("id",),
)
REJECTED = Table(
    "rejected",
    "run",
    "one row a candidate, pair or record that was dropped",
    _columns(
        ("stage", "VARCHAR", "the step that dropped it"),
        ("item", "VARCHAR", "what was dropped"),
        ("rule", "VARCHAR", "the rule that dropped it"),
        ("value", "DOUBLE", "the value the rule looked at"),
        ("reason", "VARCHAR", "in words"),
        ("chunk_id", "VARCHAR", "where it was seen first, or null"),
        ("raw", "VARCHAR", "the raw record, or null"),
    ),
)

TABLES: tuple[Table, ...] = (
    META,
    DOCUMENTS,
    SKIPPED,
    CHUNKS,
    POSTINGS,
    RUNS,
    LLM_CALLS,
    TRACES,
    IMPORTED_VECTORS,
    ENTITIES,
    ENTITY_ALIASES,
    ENTITY_MENTIONS,
    RELATIONSHIPS,
    RELATIONSHIP_MENTIONS,
    COMMUNITIES,
    COMMUNITY_MEMBERS,
    COMMUNITY_REPORTS,
    CLAIMS,
    REJECTED,
)
BY_NAME: dict[str, Table] = {table.name: table for table in TABLES}
MAIN_TABLES = tuple(table for table in TABLES if table.scope == "main")
RUN_TABLES = tuple(table for table in TABLES if table.scope == "run")
