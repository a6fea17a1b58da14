from __future__ import annotations

import io
import subprocess
import sys

import pandas as pd
import pytest
from PIL import Image

from tests.show.hostile import HOSTILE
from workbench.show import plots, plots_graph
from workbench.show.picture import Picture


def size(picture: Picture) -> tuple[int, int]:
    image = Image.open(io.BytesIO(picture.png))
    assert len(image.convert("RGB").getcolors(1 << 20) or ()) > 3  # something is drawn
    assert len(picture.png) < 40_000
    return image.size


def test_token_histogram_says_the_medians() -> None:
    chunks = pd.DataFrame({"size": [64, 64, 128], "token_count": [60, 40, 120]})
    picture = plots.token_histogram(chunks, "size")
    assert picture.alt == "Histogram of tokens per chunk by size; median 64: 50, 128: 120."
    assert size(picture)[0] > 500


def test_overlap_strip_counts_what_two_chunks_share() -> None:
    chunks = pd.DataFrame({"chunk_index": [1, 0], "start_char": [80, 0], "end_char": [200, 100]})
    picture = plots.overlap_strip(chunks, "Docker", 200)
    assert picture.alt == "Docker is cut into 2 chunks; 20 characters lie in two of them."
    assert size(picture)


def test_rank_plot_names_the_leading_and_counts_the_rare() -> None:
    entities = pd.DataFrame({"name": ["b", "a", "c"], "mention_count": [1, 9, 1]})
    picture = plots.rank_plot(entities)
    assert "the first are a 9, b 1, c 1; 2 occur once." in picture.alt
    assert size(picture)


def test_idf_scatter_counts_kept_and_dropped() -> None:
    terms = pd.DataFrame(
        {"name": list("abc"), "mention_count": [1, 5, 9], "idf": [3.0, 1, 0], "kept": [1, 1, 0]}
    )
    assert "2 kept, 1 dropped" in plots.idf_scatter(terms).alt


def test_type_bars_and_score_bars_say_their_numbers() -> None:
    assert plots.type_bars(pd.DataFrame({"type": ["code", "place", "code"]})).alt == (
        "Entities by type: code 2, place 1."
    )
    scores = pd.DataFrame(
        {"measure": ["r@5"] * 2, "method": ["dense", "bm25"], "recall": [0.5, 0.25]}
    )
    picture = plots.score_bars(scores, "measure", "method", "recall")
    assert picture.alt == "recall by measure: r@5: dense 0.50, bm25 0.25."


def test_degree_histogram_counts_the_isolated_apart() -> None:
    picture = plots_graph.degree_histogram(pd.DataFrame({"degree": [0, 1, 1, 3]}))
    assert picture.alt == (
        "Degrees of 3 linked entities: 50 % at most 1, 90 % at most 2.6, 99 % at most 2.96; "
        "largest 3; 1 without an edge."
    )
    assert size(picture)


def test_weights_sizes_and_stability() -> None:
    weights = plots_graph.weight_histogram(pd.DataFrame({"weight": [1.0, 1.0, 4.0, 2.0]}))
    assert "4 relationships: 50% are 1 or less, median 1.5, largest 4" in weights.alt
    sizes = plots_graph.size_boxes(pd.DataFrame({"level": [0, 0, 1], "size": [4, 8, 3]}))
    assert "level 0: 2 communities, median size 6, largest 8" in sizes.alt
    matrix = pd.DataFrame([[1.0, 0.5], [0.5, 1.0]])
    assert "from 0.50 to 0.50" in plots_graph.stability_map(matrix).alt
    assert size(weights) and size(sizes) and size(plots_graph.stability_map(matrix))


@pytest.mark.parametrize(
    "paint",
    [
        lambda: plots_graph.degree_histogram(pd.DataFrame({"degree": []})),
        lambda: plots_graph.size_boxes(pd.DataFrame({"level": [], "size": []})),
        lambda: plots_graph.degree_histogram(pd.DataFrame({"degree": [0, 0]})),
        lambda: plots_graph.weight_histogram(pd.DataFrame({"weight": []})),
        lambda: plots.rank_plot(pd.DataFrame({"name": [], "mention_count": []})),
        lambda: plots.token_histogram(pd.DataFrame({"token_count": []})),
    ],
)
def test_empty_tables_give_a_picture(paint) -> None:
    assert paint().png.startswith(b"\x89PNG")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", [*HOSTILE, "深度学习", "قاعدة بيانات"])
def test_hostile_names_are_drawn_as_text(name: str) -> None:
    entities = pd.DataFrame({"name": [name, "b"], "mention_count": [9, 1]})
    picture = plots.rank_plot(entities)
    assert "\u202e" not in picture.alt
    data, metadata = picture._repr_mimebundle_()
    assert data["text/plain"] == metadata["image/png"]["alt"] == picture.alt


def test_the_same_input_gives_the_same_bytes() -> None:
    entities = pd.DataFrame({"degree": [0, 1, 1, 3]})
    assert plots_graph.degree_histogram(entities) == plots_graph.degree_histogram(entities)


def test_matplotlib_is_not_imported_with_the_module() -> None:
    code = "import sys, workbench.show.plots; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
