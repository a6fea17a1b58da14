from __future__ import annotations

from tests.extraction.answering import TaskModel, caller_of, corpus, refused
from workbench.extraction.modes import extract
from workbench.params import LanguageParams

FIRST = "Alma Reed robbed the bank of Boston in 1843, people say. "
SECOND = "Boston never slept."


def claim(subject="Alma Reed", source="robbed the bank of Boston", **more):
    given = {"subject": subject, "object": "Boston", "type": "bank robbery", "status": "suspected"}
    dates = {"start_date": "1843-05-06T00:00:00", "end_date": "NONE"}
    return {**given, **dates, "description": "She did.", "source_text": source, **more}


def run(claims):
    model = TaskModel(
        {
            "entities": {
                "entities": [
                    {"name": "Alma Reed", "type": "person"},
                    {"name": "Boston", "type": "place"},
                ]
            },
            "relationships": {"relationships": []},
            "claims": claims,
        }
    )
    frames = corpus([FIRST, SECOND])
    language = LanguageParams(claims=True)
    return extract("llm", *frames, None, caller=caller_of(model), language=language), model


def test_a_claim_is_about_entities_and_quotes_its_chunk():
    made, model = run(lambda p: {"claims": [claim()] if "robbed" in p else []})
    assert model.tasks.count("claims") == 2  # a chunk that names an entity is asked once
    ids = made.entities.set_index("name")["id"]
    row = made.claims.iloc[0].to_dict()
    assert len(made.claims) == 1
    assert (row["subject_id"], row["object_id"]) == (ids["Alma Reed"], ids["Boston"])
    assert (row["type"], row["status"]) == ("BANK_ROBBERY", "SUSPECTED")
    assert row["start_date"] == "1843-05-06" and made.claims["end_date"].isna().all()
    assert (row["source_text"], row["chunk_id"]) == ("robbed the bank of Boston", "c00")
    assert "claims" in made.tables()


def test_claims_without_ground_are_refused():
    made, _ = run(
        lambda p: {
            "claims": [
                claim("Carl"),
                claim(source="stole the moon itself"),
                claim(status="MAYBE"),
                claim(object="Nobody"),
            ]
            if "robbed" in p
            else []
        }
    )
    assert len(made.claims) == 1 and made.claims["object_id"].isna().all()
    rules = made.rejected.loc[made.rejected["stage"] == "claims", "rule"]
    assert sorted(rules) == ["no_evidence", "unknown_status", "unknown_subject"]


def test_a_failed_chunk_is_told_and_an_empty_reply_makes_no_row():
    made, _ = run(lambda p: "prose" if "robbed" in p else {"claims": []})
    assert len(made.claims) == 0
    assert refused(made, "claims") == {"claims about 2 entities": "failed"}
