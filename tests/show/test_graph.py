from __future__ import annotations

import base64
import gzip
import html
import io
import json
import re

import pandas as pd
import pytest
from PIL import Image

from tests.show.hostile import HOSTILE
from tests.show.test_tables import Tags
from workbench.show.drawing import radius
from workbench.show.graph import GraphView, graph_view
from workbench.show.theme import TYPE_COLOURS

URL = re.compile(r"""(?:src|href)\s*=\s*["']?(?!data:)[^"'\s>]+|url\((?!data:)|https?://""")


def entities(names: list[str]) -> pd.DataFrame:
    degrees = [len(names) - index for index in range(len(names))]
    ids = [f"e{index}" for index in range(len(names))]
    return pd.DataFrame({"id": ids, "name": names, "type": "concept", "degree": degrees})


def ring(count: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "source_id": [f"e{index}" for index in range(count)],
            "target_id": [f"e{(index + 1) % count}" for index in range(count)],
            "weight": [float(index + 1) for index in range(count)],
        }
    )


def places(count: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "id": [f"e{index}" for index in range(count)],
            "x": [float(index % 7) for index in range(count)],
            "y": [float(index // 7) for index in range(count)],
        }
    )


def view(names: list[str], **options: object) -> GraphView:
    count = len(names)
    return graph_view(entities(names), ring(count), places(count), **options)


def inner(shown: GraphView) -> str:
    """Give the live page inside the frame, as a browser reads the attribute."""
    block = shown._repr_mimebundle_()["text/html"]
    return html.unescape(re.search(r"srcdoc='([^']*)'", block).group(1))


def data(page: str) -> dict:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(found.group(1))


def test_the_block_holds_the_picture_and_over_it_a_sandboxed_frame() -> None:
    block = view(["a", "b", "c"])._repr_mimebundle_()["text/html"]
    assert block.startswith("<div>")
    assert block.index("<img ") < block.index("<iframe ")
    assert block.count("grid-area:1/1") == 2
    assert 'sandbox="allow-scripts"' in block
    assert Tags(block).tags == {"div", "img", "iframe", "b"}
    png = re.search(r'src="data:image/png;base64,([^"]+)"', block).group(1)
    assert base64.b64decode(png).startswith(b"\x89PNG")


def test_nothing_is_asked_of_another_host(tmp_path) -> None:
    shown = view(["a", "b", "c"])
    page = shown.save(tmp_path / "deep" / "graph.html").read_text(encoding="utf-8")
    for text in (page, inner(shown)):
        assert not URL.search(text)
    packed = re.search(r'id="vis">([^<]+)<', page).group(1)
    library = gzip.decompress(base64.b64decode(packed)).decode("utf-8")
    assert "vis-network" in library[:200]
    assert not re.search(r"""(?:importScripts|fetch|XMLHttpRequest)\(""", library)


def test_the_picture_is_saved_too(tmp_path) -> None:
    assert view(["a", "b"]).save_png(tmp_path / "g.png").read_bytes().startswith(b"\x89PNG")


def test_the_same_input_gives_the_same_bytes() -> None:
    assert view(["a", "b", "c"])._repr_mimebundle_() == view(["a", "b", "c"])._repr_mimebundle_()


def test_positions_are_fixed_whole_numbers_and_physics_is_off() -> None:
    drawn = data(inner(view(["a", "b", "c"])))
    assert drawn["options"]["physics"] == {"enabled": False}
    assert [(node["x"], node["y"]) for node in drawn["nodes"]] == [(-750, 0), (0, 0), (750, 0)]
    assert [node["value"] for node in drawn["nodes"]] == [radius(3), radius(2), radius(1)]


def test_parallel_and_reversed_relationships_are_one_line_with_summed_weight() -> None:
    relationships = pd.DataFrame(
        [("e0", "e1", 2.0), ("e1", "e0", 3.0), ("e0", "e0", 9.0), ("e0", "gone", 1.0)],
        columns=["source_id", "target_id", "weight"],
    )
    drawn = data(inner(graph_view(entities(["a", "b"]), relationships, places(2))))
    assert [(edge["from"], edge["to"], edge["title"]) for edge in drawn["edges"]] == [
        ("e0", "e1", "weight 5")
    ]


def test_at_most_300_are_drawn_and_the_caption_says_which() -> None:
    shown = view([f"n{index:03}" for index in range(320)], max_nodes=5000, title="All")
    drawn = data(inner(shown))
    assert len(drawn["nodes"]) == 300
    assert drawn["nodes"][0]["label"] == "n000"
    caption = "The 300 of 320 entities with the highest degree, and all 299 lines between them."
    assert caption in shown._repr_mimebundle_()["text/html"]
    assert shown.alt.startswith(f"Graph. All. {caption} Highest degrees: n000 (320), n001 (319)")
    assert "All 2 entities, and 1 line between them." in view(["a", "b"]).alt


def test_lines_are_capped_by_weight() -> None:
    count = 60
    pairs = [(a, b) for a in range(count) for b in range(a)]
    dense = pd.DataFrame(
        [(f"e{a}", f"e{b}", float(a * b)) for a, b in pairs],
        columns=["source_id", "target_id", "weight"],
    )
    shown = graph_view(entities([f"n{index}" for index in range(count)]), dense, places(count))
    assert len(data(inner(shown))["edges"]) == 1000
    assert "the 1,000 heaviest of 1,770 lines" in shown.alt


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_text_everywhere(name: str, tmp_path) -> None:
    shown = view([name, "b"], title=name)
    shown.drawing.nodes["group"] = name
    block = shown._repr_mimebundle_()["text/html"]
    assert Tags(block).tags == {"div", "img", "iframe", "b"}
    assert not {a for a in Tags(block).attributes if a.startswith("on")}
    for page in (inner(shown), shown.save(tmp_path / "g.html").read_text(encoding="utf-8")):
        assert page.count("<script") == page.count("</script>") == 3
        assert "<!--" not in page and "<img" not in page and "<svg" not in page
        assert "\u202e" not in page
        assert data(page)["nodes"][0]["title"].endswith("concept, degree 2")


def test_colour_by_another_column_names_its_groups_in_the_legend() -> None:
    frame = entities(["a", "b", "c"]).assign(community=["0", "0", None])
    page = inner(graph_view(frame, ring(3), places(3), colour_by="community"))
    legend = re.search(r'<div class="legend">(.*?)</div>', page).group(1)
    assert Tags(legend).text == "0none"
    assert len({node["color"] for node in data(page)["nodes"]}) == 2


def test_an_empty_graph_is_a_graph() -> None:
    shown = graph_view(entities([]), ring(0), places(0))
    assert shown.alt == "Graph. All 0 entities, and 0 lines between them. Highest degrees: none."
    assert data(inner(shown))["nodes"] == []


def test_a_block_stays_small() -> None:
    shown = view([f"name {index}" for index in range(300)])
    assert len(shown._repr_mimebundle_()["text/html"]) < 450_000


def test_the_picture_keeps_the_colour_of_each_type() -> None:
    frame = entities([f"n{index}" for index in range(9)]).assign(type=list(TYPE_COLOURS))
    picture = Image.open(io.BytesIO(graph_view(frame, ring(9), places(9)).png)).convert("RGB")
    seen = {colour for _, colour in picture.getcolors(1 << 20)}
    for colour in TYPE_COLOURS.values():
        wanted = tuple(int(colour[index : index + 2], 16) for index in (1, 3, 5))
        assert min(max(abs(a - b) for a, b in zip(wanted, c, strict=True)) for c in seen) <= 2
