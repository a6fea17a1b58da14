"""Reply shapes: strict towards the model, lenient in reading, and never with half a record."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from workbench.models import schemas
from workbench.models.json_text import read_object, without_thinking
from workbench.models.language import Reply
from workbench.models.schemas import (
    ClaimsReply,
    DescriptionReply,
    EntitiesReply,
    HybridReply,
    RelationshipsReply,
    ReportReply,
    json_schema,
    validate_reply,
)


def read(text: str, shape: type[BaseModel]) -> tuple[Any, str]:
    parsed, repaired = read_object(text)
    return validate_reply(Reply(text, parsed, repaired=repaired), shape)


def test_json_schema_is_strict_and_takes_the_runs_choices() -> None:
    choices = (("type", ("person", "place")), ("predicate", ("uses", "knows")))
    schema = json_schema(HybridReply, choices)
    entity = schema["properties"]["entities"]["items"]
    relation = schema["properties"]["relationships"]["items"]
    assert entity["properties"]["type"] == {"type": "string", "enum": ["person", "place"]}
    assert relation["properties"]["predicate"] == {"type": "string", "enum": ["uses", "knows"]}
    assert relation["properties"]["strength"] == {"type": "number"}
    assert entity["required"] == ["name", "type", "verdict", "description"]
    assert entity["additionalProperties"] is False
    assert json_schema(HybridReply, items=7)["properties"]["entities"]["maxItems"] == 7
    assert schema["properties"]["entities"]["maxItems"] == 60
    assert schema["required"] == ["entities", "relationships"]
    assert (
        "enum"
        not in json_schema(HybridReply)["properties"]["entities"]["items"]["properties"]["type"]
    )


@pytest.mark.parametrize(
    "shape", [one for one in vars(schemas).values() if str(one).endswith("Reply'>")]
)
def test_all_schemas_are_plain_json_schema(shape: Any) -> None:
    if not issubclass(shape, BaseModel):
        return
    text = str(json_schema(shape))
    assert not any(word in text for word in ("$ref", "anyOf", "default"))


def test_reading_is_lenient_where_meaning_is_clear() -> None:
    reply, _ = read(
        '{"entities": ["Docker", {"name": " X ", "type": null, "more": 1}]}', EntitiesReply
    )
    assert [(one.name, one.type) for one in reply.entities] == [("Docker", ""), ("X", "")]
    text = (
        '{"relationships": [{"source": "A", "target": "B", "predicate": "uses", "strength": %s}]}'
    )
    for given_, strength in (("8", 8), ('"8/10"', 8), ('"high"', None), ("-3", -3), ("null", None)):
        reply, _ = read(text % given_, RelationshipsReply)
        assert reply.relationships[0].strength == strength
    reply, _ = read('{"claims": [{"subject": "A", "status": "true"}]}', ClaimsReply)
    assert reply.claims[0].status == "TRUE"
    reply, _ = read('{"entities": []}', HybridReply)
    assert reply.relationships == []
    reply, _ = read('{"title": "T", "summary": "S", "rank": "7.5", "findings": ["F"]}', ReportReply)
    assert (reply.rank, reply.findings[0].summary) == (7.5, "F")


@pytest.mark.parametrize(
    ("text", "shape", "fault"),
    [
        ('{"entitys": []}', EntitiesReply, "entities: Field required"),
        ('{"entities": {"name": "x"}}', EntitiesReply, "entities: Input should be a valid list"),
        ('{"entities": [{"entity": "x"}]}', EntitiesReply, "no record of entities has its keys"),
        ('{"relationships": [{"source": "a"}]}', RelationshipsReply, "no record of relationships"),
        ("[1]", EntitiesReply, "the reply holds no JSON object"),
        ("", EntitiesReply, "the reply is empty"),
        ('{"title": "T"}', ReportReply, "summary: Field required"),
        ("{}", DescriptionReply, "description: Field required"),
    ],
)
def test_wrong_shapes_say_what_is_wrong(text: str, shape: Any, fault: str) -> None:
    parsed, message = read(text, shape)
    assert parsed is None
    assert fault in message


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('Sure!\n```json\n{"a": [1]}\n```\nbye {x}', {"a": [1]}),
        ('{"a": [1, 2,]}', {"a": [1, 2]}),
        ("{'a': 'b'}", {"a": "b"}),
        ('{"a": [{"n": "Docker"}, {"n": "Kub', {"a": [{"n": "Docker"}]}),
        ('{"a": [{"n": "Docker"}, {"n": "x}y', {"a": [{"n": "Docker"}]}),
        ('{"a": "whole", "b": "ha', {"a": "whole"}),
        ('{"a": ["Docker", "Kub', {"a": ["Docker"]}),
        ('{"a": [{"n": "A", "t": "x"}, {"n": "B", "t": "y', {"a": [{"n": "A", "t": "x"}]}),
    ],
)
def test_malformed_json_is_mended_without_half_records(text: str, value: Any) -> None:
    assert read_object(text) == (value, True)


@pytest.mark.parametrize("text", ["prose", "", "[1, 2]", "null", '"{}"', "12"])
def test_no_object_is_no_object(text: str) -> None:
    assert read_object(text) == (None, False)


@given(st.text(alphabet='{}[]":,ab\\`<>/ \n', max_size=60))
def test_reading_never_fails(text: str) -> None:
    value, _ = read_object(without_thinking(text))
    assert value is None or isinstance(value, dict)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>a {} b</think>{1}", "{1}"),
        ("thoughts</think>\n{1}", "{1}"),  # the template opened the tag
        ("<thinking>x</thinking> {1} <think>y</think>", "{1}"),
        ("<think>never ends {1}", ""),
        (" I think so ", "I think so"),
    ],
)
def test_thinking_is_removed(text: str, left: str) -> None:
    assert without_thinking(text) == left
