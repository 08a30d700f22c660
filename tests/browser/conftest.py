"""A real browser against a live server."""

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.servers.basehttp import ThreadedWSGIServer
from django.core.signals import request_finished, request_started
from django.http import HttpResponse
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Error, Page, Route, expect, sync_playwright

from bridgebuddy.clubs.models import User
from bridgebuddy.operations.call_stack import call_with_large_stack
from tests.factories import director_of, section_with

from .wire import PLAIN, Wire, wire_to

#: without windows it is the same browser, and opens pages in half the time
CHROMIUM = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium"))), "")
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    f"--host-resolver-rules=MAP {PLAIN} 127.0.0.1",
]
#: what looks for faults in pages, and where they find it beside their own scripts
AXE, AXE_AT = Path(__file__).parent / "vendor" / "axe-4.10.3.min.js", "/static/axe.js"
PHONE = (375, 667)
DESKTOP = (1280, 800)
TABLET = (820, 1180)
PASSWORD = "right horse battery"
#: a page asks what is new ten times as often, and what takes no tap at first (tables.css, tables.js) soon does: no test
#: waits for either. A clock that a test sets itself goes as it says.
HURRY = """(() => {
    const { setTimeout } = window;
    const sooner = new Map([[5000, 500], [10000, 1000], [700, 0]]);
    window.setTimeout = (does, ms, ...more) => setTimeout(does, sooner.get(ms) ?? ms, ...more);
    addEventListener("animationstart", ({ animationName, target }) => {
        if (animationName === "breath") for (const one of target.getAnimations()) one.finish();
    });
})();"""
#: with it every script of a page comes so many seconds late
SLOW_SCRIPTS = float(os.environ.get("SLOW_SCRIPTS") or 0)

#: milliseconds: enough for a few polls and a busy machine. A test that passes never waits for its end
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)


def sign_in(page: Page, user: User) -> None:
    """Sign a user in for a browser's next page; `test_change_sheet` signs in by hand."""
    client = Client()
    client.force_login(user)
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies(
        [{"name": "sessionid", "value": cookie, "domain": "localhost", "path": "/"}]
    )


def wait_for_fonts(page: Page) -> None:
    """Let the page have the fonts it asks for: in others its words are of other widths."""
    page.wait_for_load_state()
    page.evaluate(
        "() => { document.body.offsetWidth; return document.fonts.ready.then(() => {}); }"
    )


def scrolls_sideways(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth > window.innerWidth")


def too_wide_at(page: Page, *sizes: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the sizes at which the page shown scrolls sideways; it is the first size again afterwards."""
    wait_for_fonts(page)
    found = []
    for width, height in (*sizes, sizes[0]):
        page.set_viewport_size({"width": width, "height": height})
        if scrolls_sideways(page):
            found.append((width, height))
    return found


@contextmanager
def held_back(page: Page, address: str) -> Iterator[None]:
    """Send requests off only when everything has been done that is to be done meanwhile."""
    held: list[Route] = []
    is_over = False

    def hold(route: Route) -> None:
        route.continue_() if is_over else held.append(route)

    page.route(address, hold)
    yield
    is_over = True
    for route in held:
        route.continue_()


def until(page: Page, script: str, arg: object = None) -> None:
    """Wait until a script of a page says yes, also one that waits itself: `wait_for_function` takes its promise for
    yes.
    """
    ends = time.monotonic() + PATIENCE / 1000
    while True:
        with suppress(Error):  # another page has come meanwhile
            if page.evaluate(script, arg):
                return
        assert time.monotonic() < ends, script
        page.wait_for_timeout(50)


class Requests:
    """Counter of the requests that the server is answering."""

    def __init__(self) -> None:
        self._running = 0
        self._changed = threading.Condition()
        request_started.connect(self._begin)
        request_finished.connect(self._end)

    def _begin(self, **signal) -> None:
        with self._changed:
            self._running += 1

    def _end(self, **signal) -> None:
        with self._changed:
            self._running -= 1
            self._changed.notify_all()

    def wait_until_answered(self) -> None:
        with self._changed:
            answered = self._changed.wait_for(lambda: self._running <= 0, timeout=60)
        request_started.disconnect(self._begin)
        request_finished.disconnect(self._end)
        assert answered


@pytest.fixture(scope="session", autouse=True)
def static_files_read_once() -> Iterator[None]:
    """Every browser of a test's own asks for all of them: they are read once, and asked for once a browser."""
    serve = StaticFilesHandler.serve
    read = {AXE_AT: (AXE.read_bytes(), {"Content-Type": "text/javascript"})}

    def serve_read(handler, request):
        if "If-Modified-Since" in request.headers:
            return serve(handler, request)
        if request.path not in read:
            answer = serve(handler, request)
            read[request.path] = answer.getvalue(), dict(answer.headers)
        content, headers = read[request.path]
        answer = HttpResponse(content, headers=headers)
        # not over a wire that may be cut, where a worker keeps what comes again
        if request.headers["Host"].endswith(f":{request.get_port()}"):
            answer["Cache-Control"] = "max-age=3600"
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFilesHandler, "serve", serve_read)
        yield


@pytest.fixture(scope="session", autouse=True)
def slow_scripts(static_files_read_once) -> Iterator[None]:
    """Let scripts come late, each time anew, where that is asked for."""
    serve = StaticFilesHandler.serve

    def serve_late(handler, request):
        answer = serve(handler, request)
        if request.path.endswith(".js"):
            time.sleep(SLOW_SCRIPTS)
            answer["Cache-Control"] = "no-store"
        return answer

    with pytest.MonkeyPatch.context() as patch:
        if SLOW_SCRIPTS:
            patch.setattr(StaticFilesHandler, "serve", serve_late)
        yield


@pytest.fixture(scope="session", autouse=True)
def room_for_pages() -> Iterator[None]:
    """Answer every request with room for its calls, as tests have it."""
    answer = ThreadedWSGIServer.process_request_thread

    def answer_with_room(server, *asked):
        call_with_large_stack(lambda: answer(server, *asked))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ThreadedWSGIServer, "process_request_thread", answer_with_room)
        yield


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
            args=SWITCHES,
        )
        yield browser
        browser.close()
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def contexts(chromium: Browser, live_server) -> Iterator[Callable[..., BrowserContext]]:
    """Make browsers of their own: cookies, service worker and network apart from all others."""
    opened: list[BrowserContext] = []
    requests = Requests()

    def context(viewport: tuple[int, int] = DESKTOP, **options) -> BrowserContext:
        width, height = viewport
        usual = {"locale": "en-GB", "base_url": live_server.url}
        size = {"width": width, "height": height}
        opened.append(chromium.new_context(**{**usual, **options}, viewport=size))
        opened[-1].set_default_timeout(PATIENCE)
        opened[-1].add_init_script(HURRY)
        return opened[-1]

    yield context
    for item in opened:
        item.close()
    requests.wait_until_answered()  # the rows go next


@pytest.fixture
def wire(contexts, live_server, settings) -> Iterator[Wire]:
    """The wire to the server, for those who open its addresses instead of the server's own."""
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "localhost", PLAIN]
    with wire_to(live_server.url) as found:
        yield found


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
    """Open the desk of a section as a user; `size` and other options configure the browser."""

    def open_desk(section, user, size=DESKTOP, **options) -> Page:
        desk = page(size, **options)
        sign_in(desk, user)
        desk.goto(f"/s/{section.code}/desk/")
        return desk

    return open_desk


@pytest.fixture
def section(transactional_db):
    """16 pairs, Skip Mitchell, round 1 being played."""
    return section_with(16, "skip-mitchell", round=1)


@pytest.fixture
def director(section):
    """Return a director of the section's club."""
    return director_of(section.club, email="anna@example.org")
