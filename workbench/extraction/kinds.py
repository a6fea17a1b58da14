"""What a model calls a type or a predicate in, one of the run's list out, or nothing."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from workbench.schema import ENTITY_TYPES

_TYPES = (
    "technology framework library language programming_language tool database service software "
    "product platform protocol system application app package module api standard format hardware "
    "device model algorithm company_product",
    "code command function class variable file method parameter path environment_variable",
    "person people human character individual man woman name author user",
    "organization organisation company institution agency team group corporation government "
    "university org business brand party band",
    "place location geo city country region building room area address river mountain landmark",
    "event incident meeting war battle conference festival accident ceremony date time period",
    "concept idea topic term technique method theory field principle process other misc thing "
    "object noun_phrase feature pattern",
    "document book article work report paper letter post blog creative_work file film song",
    "website site url link domain repository web_page",
)
_PREDICATES = (
    "uses use used using utilizes utilises employs runs_on built_with written_in relies_on",
    "depends_on requires needs depends relies_on",
    "implements provides supports realizes",
    "extends inherits_from builds_on based_on derived_from",
    "configures sets controls manages",
    "part_of belongs_to contained_in component_of included_in in subset_of is_part_of",
    "located_in lives_in in based_in located_at lies_in born_in at is_in",
    "member_of works_for works_at employed_by serves_in affiliated_with belongs_to",
    "works_for works_at employed_by employee_of serves member_of",
    "created made built wrote founded designed developed invented authored produces",
    "owns has possesses holds",
    "leads heads commands manages runs directs captain_of",
    "knows met meets friend_of friends_with acquainted_with talks_to speaks_to loves",
    "family_of married_to sibling_of brother_of sister_of parent_of child_of son_of daughter_of "
    "mother_of father_of wife_of husband_of related_by_blood",
    "opposes fights enemy_of attacks competes_with against",
    "causes leads_to results_in triggers produces",
    "participates_in attends takes_part_in involved_in",
    "replaces supersedes succeeds",
    "related_to associated_with connected_to linked_to relates_to about mentions other references",
)
# The same statement from the other end: the ends change places.
_INVERSE = {
    "used_by": "uses",
    "required_by": "depends_on",
    "implemented_by": "implements",
    "extended_by": "extends",
    "configured_by": "configures",
    "contains": "part_of",
    "includes": "part_of",
    "has_part": "part_of",
    "consists_of": "part_of",
    "created_by": "created",
    "made_by": "created",
    "written_by": "created",
    "founded_by": "created",
    "developed_by": "created",
    "built_by": "created",
    "owned_by": "owns",
    "led_by": "leads",
    "caused_by": "causes",
    "employs": "works_for",
    "replaced_by": "replaces",
}
_CATCH_ALL = "related_to"


class Mapped(NamedTuple):
    """A name of the list, and whether a relationship's ends change places."""

    name: str
    swapped: bool = False


def slug(name: str) -> str:
    """Give a type or predicate in small letters with `_` for blanks.

    >>> slug("Depends on"), slug("part-of "), slug("createdBy")
    ('depends_on', 'part_of', 'created_by')
    """
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return "_".join(re.findall(r"[^\W_]+", spaced.lower()))


class Kinds:
    """A run's list of types or predicates; others are mapped to one of it, or to nothing.

    >>> Kinds(("organization", "person", "geo")).of("City").name
    'geo'
    """

    def __init__(self, names: Sequence[str], groups: Iterable[str] = _TYPES) -> None:
        self.names = tuple(names)
        self._own = {slug(name): name for name in reversed(names)}
        self._groups = [group.split() for group in groups]
        self._known: dict[str, Mapped | None] = {}

    def of(self, said: str) -> Mapped | None:
        """Give the name of the list that is meant; None when the list has nothing like it."""
        if said not in self._known:
            self._known[said] = self._map(slug(said))
        return self._known[said]

    def _map(self, name: str) -> Mapped | None:
        for form in dict.fromkeys((name, name.removeprefix("is_"), name.removesuffix("s"))):
            if form in self._own:
                return Mapped(self._own[form])
        for group in self._groups:
            if name in group or name.removesuffix("s") in group:
                near = next((self._own[other] for other in group if other in self._own), None)
                if near is not None:
                    return Mapped(near)
        return None


def usual_type(type_: str) -> str:
    """Give the schema's name of a type, so that a run's own `character` is a person."""
    mapped = _usual().of(type_)
    return mapped.name if mapped else slug(type_)


@functools.lru_cache(maxsize=1)
def _usual() -> Kinds:
    return Kinds(ENTITY_TYPES)


class Predicates(Kinds):
    """A run's list of predicates; what is like none of them is `related_to`, if the list has it."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names, _PREDICATES)

    def _map(self, name: str) -> Mapped | None:
        name = name or _CATCH_ALL
        bare = name.removeprefix("is_").removeprefix("was_")
        inverse = self._own.get(_INVERSE.get(bare, ""))
        if name not in self._own and inverse is not None:
            return Mapped(inverse, swapped=True)
        found = super()._map(name) or super()._map(bare)
        return found or (Mapped(self._own[_CATCH_ALL]) if _CATCH_ALL in self._own else None)
