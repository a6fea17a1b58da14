"""A task in, the shape of its reply out: pydantic classes, and the JSON schemas sent to models.

The JSON schemas are strict (all keys required, no others, bounded lists and texts), so that a
grammar made from one ends. Reading is lenient: a number is read as text, a missing description
as an empty one, more items than asked for are kept. What a record claims is checked against the
text later, and a record that fails is kept in `rejected` with its reason.
"""

from __future__ import annotations

import functools
import re
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from workbench.models.language import Reply

Choices = tuple[tuple[str, tuple[str, ...]], ...]
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def _text(value: Any) -> str:
    return "" if value is None else value.strip() if isinstance(value, str) else str(value)


def _number(value: Any) -> float | None:
    """Read 8, "8" and "8/10" as 8; what holds no number as None."""
    found = _NUMBER.search(str(value))
    return float(found.group()) if found else None


def _items(key: str) -> BeforeValidator:
    """Read `"Docker"` in a list of records as `{key: "Docker"}`, and drop nulls."""

    def read(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return [{key: one} if isinstance(one, str) else one for one in value if one is not None]

    return BeforeValidator(read)


Name = Annotated[str, BeforeValidator(_text), Field(json_schema_extra={"maxLength": 80})]
Short = Annotated[str, BeforeValidator(_text), Field(json_schema_extra={"maxLength": 80})]
Text = Annotated[str, BeforeValidator(_text), Field(json_schema_extra={"maxLength": 240})]
Long = Annotated[str, BeforeValidator(_text), Field(json_schema_extra={"maxLength": 1200})]
Number = Annotated[float | None, BeforeValidator(_number)]


class Shape(BaseModel):
    """The base of all replies and records: unknown keys are passed over."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class _Records(Shape):
    """A reply with lists of records: wrong keys in all of them make it unusable."""

    @model_validator(mode="after")
    def _some_are_named(self) -> Self:
        for name in type(self).model_fields:
            records = getattr(self, name)
            if records and not any(record.key() for record in records):
                keys = ", ".join(type(records[0]).model_fields)
                raise ValueError(f"no record of {name} has its keys ({keys})")
        return self


class TypedName(Shape):
    """A name and its type."""

    name: Name = ""
    type: Short = ""

    def key(self) -> str:
        """What the record is about; empty when its keys are wrong."""
        return self.name


class EntityRecord(TypedName):
    """An entity as the model read it."""

    description: Text = ""


class JudgedEntity(TypedName):
    """A candidate kept or rejected, or an entity added (verdict: keep, reject or add)."""

    verdict: Annotated[
        str,
        BeforeValidator(lambda value: _text(value).lower() or "keep"),
        Field(json_schema_extra={"enum": ["keep", "reject", "add"]}),
    ] = "keep"
    description: Text = ""


class RelationshipRecord(Shape):
    """A typed relationship between two names, with its evidence; strength is 1 to 10."""

    source: Name = ""
    predicate: Short = ""
    target: Name = ""
    description: Text = ""
    evidence: Text = ""
    strength: Number = None

    def key(self) -> str:
        """What the record is about; empty when its keys are wrong."""
        return self.source and self.target


class ClaimRecord(Shape):
    """A claim about a subject; status is TRUE, FALSE or SUSPECTED, dates are ISO 8601 or empty."""

    subject: Name = ""
    object: Name = ""
    type: Short = ""
    status: Annotated[
        str,
        BeforeValidator(lambda value: _text(value).upper()),
        Field(json_schema_extra={"enum": ["TRUE", "FALSE", "SUSPECTED"]}),
    ] = ""
    start_date: Short = ""
    end_date: Short = ""
    description: Text = ""
    source_text: Text = ""

    def key(self) -> str:
        """What the record is about; empty when its keys are wrong."""
        return self.subject


class Finding(Shape):
    """One finding of a report."""

    summary: Text = ""
    explanation: Long = ""


def _list(bound: int) -> Any:
    return Field(json_schema_extra={"maxItems": bound})


class ClassifyReply(_Records):
    """Types of names: reply to task `classify`."""

    entities: Annotated[list[TypedName], _items("name"), _list(60)]


class EntitiesReply(_Records):
    """Entities of a chunk: reply to tasks `entities` and `gleaning`."""

    entities: Annotated[list[EntityRecord], _items("name"), _list(40)]


class RelationshipsReply(_Records):
    """Relationships among known entities: reply to task `relationships`."""

    relationships: Annotated[list[RelationshipRecord], _list(40)]


class HybridReply(_Records):
    """Judged candidates and typed relationships of a document: reply to task `hybrid`."""

    entities: Annotated[list[JudgedEntity], _items("name"), _list(60)]
    relationships: Annotated[list[RelationshipRecord], _list(60)] = []


class DescriptionReply(Shape):
    """One description out of several: reply to task `description`."""

    description: Long


class ClaimsReply(_Records):
    """Claims of a chunk: reply to task `claims`."""

    claims: Annotated[list[ClaimRecord], _list(30)]


class ReportReply(Shape):
    """A community's report: reply to task `report`. `rank` is 0 to 10."""

    title: Text
    summary: Long
    rank: Number = None
    rating_explanation: Text = ""
    findings: Annotated[list[Finding], _items("summary"), _list(10)]


class MapPoint(Shape):
    """What reports say to a question; score is 0 to 100."""

    description: Long = ""
    score: Number = None


class MapReply(Shape):
    """Points of a batch of reports: reply to task `map`."""

    points: Annotated[list[MapPoint], _items("description"), _list(20)] = []


class RateReply(Shape):
    """How much a report helps to answer a question, 0 to 5: reply to task `rate`."""

    reason: Text = ""
    rating: Number = None


@functools.lru_cache(maxsize=256)
def json_schema(shape: type[BaseModel], choices: Choices = (), items: int = 0) -> dict[str, Any]:
    """Give the strict JSON schema of a reply, without references.

    `choices` restricts text properties by their name, as in `(("type", ("person", "place")),)`;
    `items` bounds all lists in place of their own bounds. The result is shared: do not change it.
    """
    schema = shape.model_json_schema()
    return _strict(schema, schema.get("$defs", {}), dict(choices), items)


def _strict(
    schema: dict[str, Any], defs: dict[str, Any], choices: dict[str, Any], items: int
) -> Any:
    if "$ref" in schema:
        return _strict(defs[schema["$ref"].rsplit("/", 1)[1]], defs, choices, items)
    if "anyOf" in schema:  # a number or null: the model is asked for the number
        return _strict(schema["anyOf"][0], defs, choices, items)
    kept = {key: schema[key] for key in ("type", "enum", "maxLength", "maxItems") if key in schema}
    if schema["type"] == "array":
        kept["items"] = _strict(schema["items"], defs, choices, items)
        kept["maxItems"] = items or kept["maxItems"]
    if schema["type"] == "object":
        kept["properties"] = {
            name: {"type": "string", "enum": list(choices[name])}
            if name in choices and part.get("type") == "string"
            else _strict(part, defs, choices, items)
            for name, part in schema["properties"].items()
        }
        kept["required"] = list(kept["properties"])
        kept["additionalProperties"] = False
    return kept


def validate_reply(reply: Reply, shape: type[BaseModel] | None) -> tuple[BaseModel | None, str]:
    """Read a reply as its shape: the object and "", or None and what is wrong, in one sentence.

    Without a shape any text but an empty one is good.
    """
    if not reply.text:
        return None, "the reply is empty"
    if shape is None:
        return None, ""
    if reply.parsed is None:
        return None, "the reply holds no JSON object"
    try:
        return shape.model_validate(reply.parsed), ""
    except ValidationError as error:
        return None, "; ".join(_fault(one) for one in error.errors()[:3])


def _fault(error: Any) -> str:
    place = ".".join(str(part) for part in error["loc"])
    return f"{place}: {error['msg']}" if place else str(error["msg"])


def _queries(value: Any) -> Any:
    """Read a list of questions: `{"query": "…"}` as its text; null and empty ones are dropped."""
    if not isinstance(value, list):
        return value
    texts = [next(iter(one.values()), "") if isinstance(one, dict) else one for one in value]
    return [text for text in map(_text, texts) if text]


Queries = Annotated[list[Text], BeforeValidator(_queries), _list(5)]


class PrimerReply(Shape):
    """What reports say to a question: reply to task `primer`. `score` is 0 to 100."""

    intermediate_answer: Long
    score: Number = None
    follow_up_queries: Queries = []


class FollowUpReply(Shape):
    """What a local search says to a follow-up query: reply to task `follow_up`."""

    response: Long
    score: Number = None
    follow_up_queries: Queries = []
