"""A choice of model in, what `index` needs to ask it out: its caller, and what is recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workbench.extraction.modes import tasks
from workbench.models.calls import Caller
from workbench.models.language import LanguageModel, load_model
from workbench.models.prompts import load_templates, recorded_templates
from workbench.params import LanguageParams
from workbench.store import Store


@dataclass(frozen=True)
class Asked:
    """The caller, if there is a model, its parameters, and the templates that its tasks fill."""

    store: Store
    mode: str
    language: LanguageParams
    caller: Caller | None = None

    @property
    def llm(self) -> str | None:
        """The model's name, as it stands in `runs.llm`."""
        return None if self.caller is None else self.caller.model.name

    def recorded(self) -> dict[str, Any]:
        """Give what `runs.params` holds of it: parameters and templates, the latter with text."""
        if self.caller is None:
            return {}
        templates = load_templates(self.language.templates)
        used = {name: templates[name] for name in (*tasks(self.mode, self.language), "again")}
        # Of a file of replies: after an edit the run is made anew.
        replies = getattr(self.caller.model, "fingerprint", None)
        return {
            "language": self.language.recorded(),
            "templates": recorded_templates(used),
            **({"replies": replies} if replies else {}),
        }

    def check_if_new(self) -> None:
        """Raise ModelUnavailable before a long job that this model was never asked in.

        With replies of it in the store a run may need no call at all, and so no server.
        """
        if self.caller is None:
            return
        if self.store.exists():
            known = self.store.sql(
                "SELECT 1 FROM llm_calls WHERE model = ? AND status = 'ok' LIMIT 1", [self.llm]
            )
            if len(known):
                return
        self.caller.model.check()


def caller_for(
    llm: str | LanguageModel | Caller | None,
    store: Store,
    run: str,
    mode: str,
    language: LanguageParams | None,
) -> Asked:
    """Make the caller of a run from a model or its name; a Caller is taken as it is."""
    language = language or LanguageParams()
    if isinstance(llm, Caller):
        return Asked(store, mode, language, llm)
    model = load_model(llm) if isinstance(llm, str) else llm
    if model is None:
        return Asked(store, mode, language)
    caller = Caller(
        model,
        store,
        run,
        language.workers,
        language.retries,
        language.deadline,
        load_templates(language.templates),
    )
    return Asked(store, mode, language, caller)
