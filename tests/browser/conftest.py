"""A real browser: Debian's Chromium under Playwright; without it the tests skip, and say so."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

LOCAL = ("file:", "data:", "blob:", "about:", "http://127.0.0.1:", "ws://127.0.0.1:")


@dataclass
class Watched:
    """A page, and all that went wrong on it."""

    page: Page
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)  # that would have left the machine

    def colours(self, selector: str) -> int:
        """Count the colours of the first element of that kind."""
        return self.colours_of(self.page.locator(selector).first)

    @staticmethod
    def colours_of(element: Locator) -> int:
        """Count the colours of an element as it is drawn: an empty canvas has very few."""
        from io import BytesIO

        from PIL import Image

        image = Image.open(BytesIO(element.screenshot()))
        return len(image.convert("RGB").getcolors(1 << 24))


@pytest.fixture(scope="module")  # while Playwright runs, no other test can start an event loop
def browser() -> Iterator[Browser]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chrome")
    if chromium is None:
        pytest.skip("there is no Chromium: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    page = browser.new_page(viewport={"width": 1100, "height": 700})
    found = Watched(page)
    page.on("pageerror", lambda error: found.errors.append(str(error)))
    page.on("dialog", lambda dialog: (found.errors.append("a dialog opened"), dialog.dismiss()))
    page.on(
        "console",
        lambda said: found.errors.append(said.text) if said.type == "error" else None,
    )

    def look(route) -> None:
        if route.request.url.startswith(LOCAL):
            route.continue_()
        else:
            found.requests.append(route.request.url)
            route.abort()

    page.context.route("**/*", look)
    yield found
    page.close()
