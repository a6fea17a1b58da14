"""A model's name in, what its tokens cost out: a table that people edit."""

from __future__ import annotations

import os
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml

from workbench.errors import InputError

_SHIPPED = Path(__file__).with_name("prices.yaml")


@dataclass(frozen=True)
class Price:
    """Money per million tokens of prompts and of replies."""

    prompt: float
    completion: float
    currency: str = "USD"

    def cost(self, prompt_tokens: float, completion_tokens: float) -> float:
        """Give what tokens cost.

        >>> Price(2.5, 10.0).cost(1_000_000, 200_000)
        4.5
        """
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1e6


def prices_file(file: str | Path | None = None) -> Path:
    """Give the table in use: the one given, else that of WORKBENCH_PRICES, else the shipped one."""
    return Path(file or os.environ.get("WORKBENCH_PRICES") or _SHIPPED).expanduser()


def load_prices(file: str | Path | None = None) -> dict[str, Price]:
    """Read a price table: prices by name or pattern. Raises InputError with what is wrong in it."""
    path = prices_file(file)
    try:
        table = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"The price table {path} cannot be read ({error}): check it.") from error
    models = table.get("models") if isinstance(table, dict) else None
    if not isinstance(models, dict):
        raise InputError(f"The price table {path} has no `models`: see {_SHIPPED} for its form.")
    currency = str(table.get("currency") or "USD")
    return {str(name): _price(name, row, currency, path) for name, row in models.items()}


def price_of(model: str, prices: dict[str, Price] | None = None) -> Price | None:
    """Give a model's price: by its name, else by the longest pattern that fits; None: unknown.

    >>> price_of("ollama/llama3.2:3b").cost(10**9, 10**9)
    0.0
    """
    prices = load_prices() if prices is None else prices
    if model in prices:
        return prices[model]
    fitting = [name for name in prices if fnmatchcase(model, name)]
    return prices[max(fitting, key=lambda name: (len(name), name))] if fitting else None


def _price(name: str, row: Any, currency: str, path: Path) -> Price:
    try:
        price = Price(float(row["prompt"]), float(row["completion"]), currency)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"The price of {name!r} in {path} is {row!r}: give numbers for prompt and completion, "
            "per million tokens."
        ) from error
    if not (0 <= price.prompt < float("inf") and 0 <= price.completion < float("inf")):
        raise InputError(f"The price of {name!r} in {path} is {row!r}: it cannot be below 0.")
    return price
