"""A real browser against a live server."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.factories import director_of, section_with

CHROMIUM = next(
    (path for path in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(path).exists()), ""
)
PHONE = (375, 667)
DESKTOP = (1280, 800)
TABLET = (820, 1180)
PASSWORD = "right horse battery"
SOON = 12_000  # polls come every five seconds


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Chromium, started once; the test fails where it is not installed."""
    if not CHROMIUM:
        pytest.fail("Chromium is missing: apt-get install chromium")
    with sync_playwright() as playwright:
        # Playwright's loop runs in this thread, in which the tests ask the database themselves
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield browser
        browser.close()
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def contexts(chromium: Browser, live_server) -> Iterator[Callable[..., BrowserContext]]:
    """Make browsers of their own: cookies, service worker and network apart from all others."""
    opened: list[BrowserContext] = []

    def context(viewport: tuple[int, int] = DESKTOP, **options) -> BrowserContext:
        width, height = viewport
        options.setdefault("locale", "en-GB")
        opened.append(
            chromium.new_context(
                base_url=live_server.url, viewport={"width": width, "height": height}, **options
            )
        )
        return opened[-1]

    yield context
    for one in opened:
        one.close()


@pytest.fixture
def page(contexts) -> Iterator[Callable[..., Page]]:
    """Open pages of a size; a test in which a script fails or the policy refuses something fails."""
    problems: list[str] = []

    def new_page(viewport: tuple[int, int] = DESKTOP, **options) -> Page:
        opened = contexts(viewport, **options).new_page()
        opened.on("pageerror", lambda error: problems.append(str(error)))
        opened.on(
            "console",
            lambda message: (
                problems.append(message.text) if "Content Security Policy" in message.text else None
            ),
        )
        return opened

    yield new_page
    assert problems == []


@pytest.fixture
def desk_of(page):
    """Open the desk of a section as somebody; with `size` and what else the browser should be."""

    def open_desk(section, user, size=DESKTOP, **options) -> Page:
        desk = page(size, **options)
        desk.goto("/accounts/login/")
        desk.get_by_label("Email").fill(user.email)
        desk.get_by_label("Password").fill(PASSWORD)
        desk.get_by_role("button", name="Sign in").click()
        desk.goto(f"/s/{section.code}/desk/")
        return desk

    return open_desk


@pytest.fixture
def section(transactional_db):
    """16 pairs, Skip Mitchell, round 1 being played."""
    return section_with(16, "skip-mitchell", round=1)


@pytest.fixture
def director(section):
    """Who directs its club."""
    return director_of(section.club, email="anna@example.org")
