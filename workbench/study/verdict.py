"""The tables of a comparison in, a verdict in words out, each answer with the rule it follows."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

CLOSE = 0.02  # differences of a score below this are called none
AGREE = 0.5  # Jaccard index, or adjusted Rand index, from which two runs are said to agree


def verdict(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Give one row an answer: question, answer, rule. Only what the tables tell is answered."""
    rows = [
        _same_graph(tables["overlap"]),
        _same_communities(tables["communities"]),
        _best(tables["gold"], "entities"),
        _best(tables["gold"], "pairs"),
        _best_retrieval(tables["evidence"]),
        _worth(tables),
    ]
    found = [row for row in rows if row is not None]
    return pd.DataFrame(found, columns=["question", "answer", "rule"])


def _same_graph(overlap: pd.DataFrame) -> tuple[str, str, str]:
    counts = overlap[overlap["of"] == "entities"]
    total, most = int(counts["count"].sum()), counts.iloc[0]
    share = most["count"] / total if total else 0.0
    word = "largely" if share >= AGREE else "only partly"
    answer = f"{word}: {most['count']:,} of {total:,} entities are in all runs ({share:.0%})"
    return "Do they see the same entities?", answer, f"in all / in any, largely from {AGREE:.0%}"


def _same_communities(agreement: pd.DataFrame) -> tuple[str, str, str] | None:
    known = agreement.dropna(subset=["adjusted_rand"])
    if known.empty:
        return None
    parts = [
        f"{row.first} and {row.second} {'do' if row.adjusted_rand >= AGREE else 'do not'} "
        f"({row.adjusted_rand:.2f} on {row.shared:,} shared)"
        for row in known.itertuples(index=False)
    ]
    rule = f"adjusted Rand index of level 0, agreement from {AGREE}"
    return "Do they find the same communities?", "; ".join(parts), rule


def _best(gold: pd.DataFrame, kind: str) -> tuple[str, str, str] | None:
    if gold.empty:
        return None
    scores = gold[gold["of"] == kind].set_index("run")["f1"]
    what = {"entities": "entities", "pairs": "related pairs"}[kind]
    return f"Which finds the right {what}?", _leader(scores, "F1"), _rule("F1 against the labels")


def _best_retrieval(evidence: pd.DataFrame) -> tuple[str, str, str] | None:
    if evidence.empty:
        return None
    recall = next(name for name in evidence.columns if name.startswith("recall@"))
    scores = evidence.assign(label=evidence["run"] + " by " + evidence["method"])
    answer = _leader(scores.set_index("label")[recall], recall)
    return "Which finds the documents?", answer, _rule(f"mean {recall} of the gold documents")


def _worth(tables: Mapping[str, pd.DataFrame]) -> tuple[str, str, str] | None:
    """Say what the calls bought: the score each run gains over the one that asked least."""
    costs, gold = tables["costs"], tables["gold"]
    if costs["calls"].max() == 0:
        return None
    base = costs.sort_values(["calls", "run"]).iloc[0]
    scores = None
    if not gold.empty:
        scores = gold[gold["of"] == "entities"].set_index("run")["f1"]
    parts = []
    for row in costs[costs["calls"] > base["calls"]].itertuples(index=False):
        tokens = row.prompt_tokens + row.reply_tokens
        told = f"{row.run} took {row.calls:,} calls ({tokens:,} tokens)"
        if scores is not None:
            gain = scores[row.run] - scores[base["run"]]
            worth = "worth it" if gain > CLOSE else "not worth it here"
            told += f" for {gain:+.3f} F1 of entities: {worth}"
        parts.append(told)
    rule = f"against {base['run']} ({base['calls']:,} calls), reports left out; from +{CLOSE} F1"
    return "Is a model worth its calls?", "; ".join(parts) or "all took as many calls", rule


def _leader(scores: pd.Series, name: str) -> str:
    ordered = scores.sort_index().sort_values(ascending=False, kind="stable")
    best, rest = ordered.index[0], ordered.iloc[1:]
    told = ", ".join(f"{label} {value:.3f}" for label, value in ordered.items())
    close = [label for label, value in rest.items() if ordered.iloc[0] - value < CLOSE]
    lead = f"{best} leads" if not close else f"none: {', '.join([best, *close])} are level"
    return f"{lead} ({name}: {told})"


def _rule(what: str) -> str:
    return f"{what}; level within {CLOSE}"
