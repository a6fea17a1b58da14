from __future__ import annotations

from workbench.extraction.people import partial_names, titled, without_title

SURFACES = {0: "Jordan Hayes", 1: "Jordan", 2: "Hayes", 3: "Dr. Hayes", 4: "Sam Hayes", 5: "Alex"}


def found(present: list[int], people: set[int], sure: set[int]) -> set[tuple[int, int, str]]:
    made = partial_names(7, present, SURFACES, frozenset(people), frozenset(sure))
    assert all(partial.document == 7 for partial in made)
    return {(partial.part, partial.whole, partial.rule) for partial in made}


def test_first_last_and_titled_names_meet_their_full_name():
    assert found([0, 1, 2, 3, 5], {0, 3}, {0}) == {
        (1, 0, "first_name"),
        (2, 0, "last_name"),
        (3, 0, "title"),
    }


def test_a_part_of_two_people_stays_alone():
    assert found([0, 2, 4], {0, 4}, {0, 4}) == set()


def test_a_first_name_needs_a_person_for_sure():
    assert found([0, 1, 2], {0}, set()) == {(2, 0, "last_name")}


def test_titles():
    assert titled("Dr. Hayes") and not titled("Hayes")
    assert without_title("President William McKinley") == "William McKinley"
    assert without_title("Agent Hayes") == "Agent Hayes"  # one word alone is no name
