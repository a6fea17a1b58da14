"""A mode and its ground in, the work of each task out, planned by the code that a run asks with.

Classification, hybrid and entities: the very requests of a run. What hangs on replies lies between
nothing and what the longest lists that a reply may have can lead to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from workbench.corpus.tokens import count_tokens
from workbench.extraction.cast import cast_of
from workbench.extraction.claims import claim_requests, entities_by_chunk
from workbench.extraction.classify import classify_requests, named_roots
from workbench.extraction.hybrid_plan import plan
from workbench.extraction.llm_chunks import Piece, pieces_of
from workbench.extraction.setting import Setting, listed
from workbench.extraction.units import units_of
from workbench.graph.report_budget import Context
from workbench.graph.report_context import ContextBuilder
from workbench.graph.reports import context_limit
from workbench.models.prompts import fill, reply_tokens
from workbench.models.requests import Request
from workbench.models.schemas import EntitiesReply, RelationshipsReply
from workbench.params import ReportParams
from workbench.study.ground import Ground
from workbench.study.workload import LEAST_REPLY, Ledgered, Load, Work, known_work, usual

_DESCRIPTION = 30  # tokens of one of the descriptions that a summary is made of
_ROOMY = 2_000  # tokens for descriptions from which each summary takes in four or more


@dataclass
class Planner:
    """Plans the tasks of a mode; `replies` holds measured mean tokens of a reply by task."""

    ground: Ground
    setting: Setting
    ledgered: Ledgered
    replies: Mapping[str, float]
    report: ReportParams | None

    def requests(self, mode: str) -> dict[str, list[Request]]:
        """Give the requests of a run that are known before any reply, by task."""
        ground, setting = self.ground, self.setting
        if mode == "hybrid":
            return {"hybrid": plan(ground.found, setting).requests}
        if mode == "llm":
            return {"entities": [piece.request for piece in self._pieces()]}
        if not setting.params.classify:
            return {}
        cast = cast_of(ground.found)
        return {"classify": classify_requests(cast, named_roots(cast), setting)}

    def works(self, mode: str) -> list[Work]:
        """Give the work of each task of a mode, in the order in which a run asks."""
        known = self.requests(mode)
        works = [
            known_work(task, asked, self.ledgered, self.replies) for task, asked in known.items()
        ]
        items = sum(request.items for asked in known.values() for request in asked)
        if mode == "llm":
            works += self._second_calls(items)
        if self.setting.params.claims:
            works.append(self._claims(mode))
        if self.report is not None:
            works.append(self._reports(mode, items, sum(work.high.completion for work in works)))
        return works

    def _pieces(self) -> list[Piece]:
        return pieces_of(units_of(self.ground.documents, self.ground.chunks), self.setting)

    def _second_calls(self, items: int) -> list[Work]:
        """Give what follows the entities of each chunk: gleanings, relationships, descriptions."""
        by_request = {id(piece.request): piece for piece in self._pieces()}
        unique = self.ledgered.unique([piece.request for piece in by_request.values()])
        pieces = [by_request[id(request)] for request in unique.values()]
        rounds, entities = self.setting.params.gleanings, [piece.request for piece in pieces]
        said = float(sum(request.max_tokens for request in entities))
        works = []
        if rounds:
            asked = [self._about(piece, "gleaning", EntitiesReply) for piece in pieces]
            works.append(self._maybe("gleaning", asked, rounds, said * rounds * (rounds + 1) / 2))
        asked = [self._about(piece, "relationships", RelationshipsReply) for piece in pieces]
        works.append(self._maybe("relationships", asked, 1, said * (1 + rounds)))
        records = items * (1 + rounds) + sum(request.items for request in asked)
        told = said * (1 + rounds) + sum(request.max_tokens for request in asked)
        return [*works, self._descriptions(records, told)]

    def _about(self, piece: Piece, task: str, schema: Any) -> Request:
        """Give a request as the llm mode makes it, still without names."""
        text = piece.scope.grounds.text
        return self.setting.request(task, schema, "", piece.request.items, names="", text=text)

    def _maybe(self, task: str, asked: list[Request], rounds: int, names: float) -> Work:
        """Give work that each piece may need; `names`: tokens of all names in all prompts."""
        calls = len(asked) * rounds
        prompt = sum(count_tokens(request.prompt) for request in asked) * rounds
        allowed = sum(request.max_tokens for request in asked) * rounds
        likely = prompt + calls * self._names_a_chunk()
        reply = usual(task, calls, allowed, self.replies)
        high = Load(calls, prompt + names, allowed)
        return Work(task, Load(), Load(calls, likely, reply), high, note="if names are found")

    def _names_a_chunk(self) -> float:
        """Give the mean tokens of a list of the names that the heuristic mode finds in a chunk."""
        made, chunks = self.ground.made, self.ground.chunks
        names = made.entity_mentions["entity_id"].map(made.entities.set_index("id")["name"])
        return count_tokens(listed(names.tolist())) / max(len(chunks), 1)

    def _descriptions(self, records: int, told: float) -> Work:
        """Give the summaries of what is told of one thing; `records` tell `told` tokens at most.

        A summary needs two descriptions; those that do not fit one prompt make a further call.
        """
        params = self.setting.params
        empty = fill(self.setting.templates["description"], name="", descriptions="", words="")
        length = self.setting.reply_tokens("description")
        calls = records // 2 if params.summary_tokens >= _ROOMY else max(records - 1, 0)
        each = count_tokens(empty)
        high = Load(calls, calls * (each + length) + told, calls * length)
        chunks = self.ground.made.entities["chunk_count"]
        several = chunks[chunks > 1]
        likely = min(len(several), calls)
        prompt = likely * each + float(several.sum()) * _DESCRIPTION
        reply = usual("description", likely, likely * length, self.replies)
        note = "names in two chunks or more, as the heuristic mode has them"
        return Work("description", Load(), Load(likely, prompt, reply), high, note=note)

    def _claims(self, mode: str) -> Work:
        """Give the claims of the chunks that name an entity: known in a heuristic run."""
        made, chunks = self.ground.made, self.ground.chunks
        texts, ids = chunks["text"].tolist(), chunks["id"].tolist()
        names = dict(zip(made.entities["id"], made.entities["name"], strict=True))
        here = entities_by_chunk(made, ids)
        asked = claim_requests(texts, here, self.setting, names)
        if mode == "heuristic" and not self.setting.params.classify:
            return known_work("claims", asked, self.ledgered, self.replies)
        every = claim_requests(texts, {n: [] for n in range(len(texts))}, self.setting, names)
        likely = known_work("claims", asked, self.ledgered, self.replies).likely
        named = sum(2 * count_tokens(text) for text in texts)
        prompt = sum(count_tokens(request.prompt) for request in every) + named
        high = Load(len(every), prompt, sum(request.max_tokens for request in every))
        return Work("claims", Load(), likely, high, note="chunks that name an entity")

    def _reports(self, mode: str, items: int, told: float) -> Work:
        """Give the reports: of the heuristic graph, or of any graph that replies may lead to.

        A graph of n entities has at most 2n - 1 communities, since each one that is split has two
        parts or more; what stands in the contexts of a level was `told` by replies, or is there.
        """
        params, window = self.report or ReportParams(), self.setting.context_window
        contexts, limit = self._contexts(params)
        empty = count_tokens(fill(self.setting.templates["report"], context=""))
        length = min(reply_tokens("report", params.max_findings), window // 2)
        sizes, calls = [count_tokens(one.text) for one in contexts], len(contexts)
        reply = usual("report", calls, calls * length, self.replies)
        likely = Load(calls, calls * empty + sum(sizes), reply)
        note, chosen = "communities of the heuristic graph", self.setting.params
        if mode == "heuristic" and not chosen.classify:
            sure = [
                size
                for size, one in zip(sizes, contexts, strict=True)
                if not (one.exceeds or chosen.claims)
            ]
            least = calls * empty + sum(sure)
            low = Load(calls, least, LEAST_REPLY * calls)
            high = Load(calls, least + (calls - len(sure)) * limit, calls * length)
            return Work("report", low, likely, high, note=note)
        most = max(2 * (items + len(self.ground.made.entities)) - 1, calls)
        context = min(most * limit, self.ground.cluster.max_levels * (told + sum(sizes)))
        high = Load(most, most * empty + context, most * length)
        return Work("report", Load(), likely, high, note=f"likely: {note}")

    def _contexts(self, params: ReportParams) -> tuple[list[Context], int]:
        """Give the contexts of the heuristic graph's communities, and their limit in tokens."""
        made, found = self.ground.made, self.ground.communities
        builder = ContextBuilder(
            made.entities,
            made.relationships,
            None,
            found.communities,
            found.community_members,
            params,
        )
        model = SimpleNamespace(context_window=self.setting.context_window)
        asker: Any = SimpleNamespace(model=model)
        limit = context_limit(asker, self.setting.templates["report"], params, builder.count)
        return [builder.context(name, {}, limit) for name in builder.communities["id"]], limit
