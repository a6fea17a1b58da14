from __future__ import annotations

import time

from tests.extraction.reading import names, read


def test_a_name_of_thousands_of_characters_is_dropped_with_its_length():
    start = time.process_time()
    found = read(
        "Here is " + "Foo_Bar" * 3_000 + " beside **Docker Compose** and `docker-compose`."
    )
    assert "Docker Compose" in names(found)
    assert max(map(len, names(found))) < 200
    dropped = found.rejected[found.rejected["rule"] == "too_long"]
    assert list(dropped["value"]) == [21_000.0]
    assert time.process_time() - start < 5  # initials of all its parts: the square of them
