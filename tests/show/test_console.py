from __future__ import annotations

import io

import pandas as pd
from rich.console import Console

from workbench.show.console import print_tables


def test_titles_are_data_as_cells_are():
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    title = "basic: \udcff \x1b[31m [bold]"
    frame = pd.DataFrame({"a" * 40: [1]})
    print_tables(Console(file=out, width=80), (title, frame), (title, frame[:0]))
    out.flush()
    shown = out.buffer.getvalue().decode()
    assert shown.count(r"basic: \udcff \x1b[31m [bold]") == 2


def printed(frame: pd.DataFrame, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, record=True)
    print_tables(console, ("t", frame))
    return console.export_text().splitlines()


def test_a_frame_wider_than_the_terminal_is_printed_row_by_row():
    names = [f"column_{i}" for i in range(9)]  # 9 names of 8, each with 3 for the line: 99 + 1
    frame = pd.DataFrame([[i, "word", None, *"abcdef"] for i in range(2)], columns=names)
    wide, narrow = printed(frame, 100), printed(frame, 80)
    assert all(name in wide[2] for name in names)
    assert [line.split("│")[1:3] for line in narrow if "column_1 " in line] == [
        [" column_1 ", " word  "],
        [" column_1 ", " word  "],
    ]
    assert not any("column_2" in line for line in narrow), "an empty cell is left out"
    assert max(map(len, narrow)) <= 80


def test_a_list_of_files_is_folded_and_not_cut():
    path = "/folder/" + "x" * 90 + ".ipynb"
    lines = printed(pd.DataFrame({"file": [path]}), 80)
    assert "".join(line.strip("│ ") for line in lines if line.startswith("│")) == path
