from __future__ import annotations

from tests.extraction.reading import read, types

TECH = """# Notes

We use PostgreSQL and `pg_dump`, then ASP.NET Core on Raspberry Pi, see example.com there.
We met Priya Raman; Priya asked for `docker-compose.yml` and a *readiness probe* here.

```bash
docker ps
```
"""
PROSE = """
In Boston he met Alma Reed, who said that the University of Maine and the Battle of Hastings
were dull. She asked for Dr. Hanno Birk. The NATO summit was near Lake Placid. Near Boston it
rained; in Boston it snowed.
"""


def test_types_of_a_technical_text():
    found = types(read(TECH))
    assert found["PostgreSQL"] == "technology"
    assert found["ASP.NET Core"] == "technology"
    assert found["pg_dump"] == "code"
    assert found["docker-compose.yml"] == "code"
    assert found["Priya Raman"] == "person"
    assert found["readiness probe"] == "concept"


def test_types_of_a_narrative():
    found = types(read(PROSE, format_="plain"))
    assert found["Boston"] == "place"
    assert found["Alma Reed"] == "person"
    assert found["Hanno Birk"] == "person"
    assert found["University of Maine"] == "organization"
    assert found["Battle of Hastings"] == "event"
    assert found["Lake Placid"] == "place"
    assert found["NATO"] == "organization"
