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
