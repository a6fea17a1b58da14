"""What the heuristic mode found in, what a model is to judge out: one request a document.

A document's candidates are the names that stand in it, spellings of one thing together, ranked by
their mentions there times their confidence; names that the heuristic mode dropped fill the places
that are left. A text that does not fit into one prompt is walked in windows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.extraction.candidates import Candidate
from workbench.extraction.grounding import Grounds, folded
from workbench.extraction.heuristic import Found
from workbench.extraction.keys import tidy
from workbench.extraction.mentions import Mention
from workbench.extraction.readings import Occurrence
from workbench.extraction.select import best_surface, confidence
from workbench.extraction.setting import Setting, hash_of, listed, part_hash, readable
from workbench.models.calls import Request
from workbench.models.schemas import HybridReply

# Rules of the heuristic mode after which nothing is left to judge.
_HOPELESS = frozenset(
    ("number", "too_short", "too_long", "stop_word")
    + ("calendar", "page_word", "title_alone", "shouting")
)


@dataclass(frozen=True)
class Proposal:
    """A candidate in a document: its name, the heuristic type, and the places of each key."""

    name: str
    type: str
    confidence: float
    places: dict[str, tuple[Occurrence, ...]]  # by key: `docker-compose` and its acronym differ
    spellings: frozenset[str]  # as `folded` has them
    kept: bool = True  # by the heuristic mode


@dataclass(frozen=True)
class Task:
    """What is asked about a document or one window of it, and the proposals it shows."""

    unit: int
    span: tuple[int, int]
    request: Request
    proposals: tuple[Proposal, ...]


@dataclass(frozen=True)
class Plan:
    """All tasks, each document's proposals (the best ones first), and its text to look things up.

    The first `LanguageParams.candidates` proposals of a document are judged, the others are not.
    """

    tasks: list[Task]
    proposals: list[list[Proposal]]
    grounds: list[Grounds]

    @property
    def requests(self) -> list[Request]:
        """The requests, in the order of the tasks: what a run asks, exactly."""
        return [task.request for task in self.tasks]


def plan(found: Found, setting: Setting) -> Plan:
    """Choose the candidates of each document and write what is asked; no model is called."""
    limit = setting.params.candidates
    grounds = [Grounds(readable(unit)) for unit in found.units]
    kept = _kept(found)
    dropped = _dropped(found)
    proposals: list[list[Proposal]] = []
    tasks: list[Task] = []
    for unit in range(len(found.units)):
        here = kept[unit]
        if len(here) < limit:
            here += _more(dropped[unit], here, grounds[unit], limit - len(here))
        proposals.append(here)
        tasks += _tasks(found, unit, here[:limit], grounds[unit], setting)
    return Plan(tasks, proposals, grounds)


def _kept(found: Found) -> list[list[Proposal]]:
    """Give each unit's kept names, best first: mentions there times confidence, then by name."""
    by_unit: list[dict[int, list[Mention]]] = [{} for _ in found.units]
    document = found.documents
    for mention in found.mentions:
        root = found.resolution.survivor(document[mention.unit], mention.candidate)
        by_unit[mention.unit].setdefault(root, []).append(mention)
    return [
        [
            proposal
            for _, _, proposal in sorted(
                (_proposal(found, root, group) for root, group in here.items()),
                key=lambda ranked: ranked[:2],
            )
        ]
        for here in by_unit
    ]


def _proposal(found: Found, root: int, group: Sequence[Mention]) -> tuple[float, str, Proposal]:
    text = found.units[group[0].unit].text
    places: dict[str, list[Occurrence]] = {}
    spelled: dict[str, int] = {}
    for mention in group:
        key = found.candidates[mention.candidate].key
        places.setdefault(key, []).append(Occurrence(mention.start, mention.end, mention.signals))
        surface = " ".join(text[mention.start : mention.end].split())
        spelled[surface] = spelled.get(surface, 0) + 1
    name = tidy(best_surface(found.candidates[root]))
    if folded(name) not in {folded(surface) for surface in spelled}:  # named otherwise here
        name = min(spelled, key=lambda surface: (-spelled[surface], surface))
    sure = max(confidence(found.candidates[mention.candidate]) for mention in group)
    return (
        -len(group) * sure,
        name,
        Proposal(
            name,
            found.types[root],
            sure,
            {key: tuple(found_here) for key, found_here in places.items()},
            frozenset(folded(surface) for surface in (*spelled, name)),
        ),
    )


def _dropped(found: Found) -> list[list[Candidate]]:
    """Give each unit's names that the heuristic mode dropped but a model may want, best first."""
    here: list[list[Candidate]] = [[] for _ in found.units]
    for candidate, why in found.rejected:
        if why.rule not in _HOPELESS:
            for unit in candidate.documents:
                here[unit].append(candidate)
    for candidates in here:
        candidates.sort(key=lambda candidate: (-confidence(candidate), candidate.key))
    return here


def _more(
    dropped: Sequence[Candidate], kept: Sequence[Proposal], grounds: Grounds, number: int
) -> list[Proposal]:
    known = {spelling for proposal in kept for spelling in proposal.spellings}
    more: list[Proposal] = []
    for candidate in dropped:
        if len(more) == number:
            break
        name = tidy(best_surface(candidate))
        if folded(name) in known:
            continue
        places = tuple(Occurrence(*span, ("model",)) for span in grounds.places(name))
        if places:
            known.add(folded(name))
            spellings = frozenset((folded(name),))
            sure = confidence(candidate)
            more.append(Proposal(name, "", sure, {candidate.key: places}, spellings, kept=False))
    return more


def _tasks(
    found: Found, unit: int, proposals: Sequence[Proposal], grounds: Grounds, setting: Setting
) -> list[Task]:
    """Ask about the text from the first chunk to the last, in windows where it must be."""
    chunks = found.units[unit].chunks
    first, last = min(start for start, _, _ in chunks), max(end for _, end, _ in chunks)
    text = grounds.text[first:last]
    names = listed([proposal.name for proposal in proposals])
    whole = hash_of(found.units[unit].text)
    tasks = []
    most = setting.items(text, len(proposals))
    for span in setting.windows("hybrid", text, most, names=names):
        shown = (first + span[0], first + span[1])
        here = tuple(p for p in proposals if _stands_in(p, shown))
        request = setting.request(
            "hybrid",
            HybridReply,
            part_hash(whole, span, len(text)),
            setting.items(text[slice(*span)], len(here)),
            names=listed([proposal.name for proposal in here]),
            text=text[slice(*span)],
        )
        tasks.append(Task(unit, shown, request, here))
    return tasks


def _stands_in(proposal: Proposal, span: tuple[int, int]) -> bool:
    return any(
        span[0] <= place.start < span[1] for places in proposal.places.values() for place in places
    )
