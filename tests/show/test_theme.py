from __future__ import annotations

import itertools

import numpy as np
import pytest

from workbench.schema import ENTITY_TYPES
from workbench.show.theme import GREY, PALETTE, TYPE_COLOURS, group_colours, style

# Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB.
CVD = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
}


def linear(colour: str) -> np.ndarray:
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    xyz = (np.array(matrix) @ np.clip(rgb, 0, 1)) / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("kind", CVD)
def test_type_colours_stay_apart_for_the_colour_blind(kind: str) -> None:
    seen = {name: lab(np.array(CVD[kind]) @ linear(c)) for name, c in TYPE_COLOURS.items()}
    nearest = min(np.linalg.norm(seen[a] - seen[b]) for a, b in itertools.combinations(seen, 2))
    assert nearest > 8  # about 2 is the smallest difference that can be seen side by side


def test_every_type_has_a_colour_of_its_own() -> None:
    assert len(set(TYPE_COLOURS.values())) == len(ENTITY_TYPES) == 9


def test_types_keep_their_colour_whatever_else_is_there() -> None:
    assert group_colours(["place", "code"]) == {
        "code": TYPE_COLOURS["code"],
        "place": TYPE_COLOURS["place"],
    }


def test_groups_are_coloured_by_size_and_the_ninth_is_grey() -> None:
    groups = [name for index, name in enumerate("abcdefghij") for _ in range(20 - index)]
    colours = group_colours(groups)
    assert list(colours) == list("abcdefghij")
    assert list(colours.values()) == [*PALETTE, GREY, GREY]


def test_style_leaves_matplotlib_as_it_was() -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    with style():
        assert matplotlib.rcParams["text.parse_math"] is False
    assert dict(matplotlib.rcParams) == before
