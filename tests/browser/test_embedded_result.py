"""The example page of the documentation shows a club's latest result on another website."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from bridgebuddy.publication.models import ClubPage
from bridgebuddy.scoring.services import publishing
from tests.browser.conftest import DESKTOP
from tests.factories import ClubFactory, director_of
from tests.players.test_own_page import evening

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EXAMPLE = Path(__file__).parents[2] / "docs" / "admin" / "embed.html"


@pytest.fixture
def other_website(live_server) -> Iterator[str]:
    """The address of a club's website at another origin, with the example page."""
    text = EXAMPLE.read_text().replace("https://bridge.example.org", live_server.url)

    class Website(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *arguments: object) -> None:
            """Write no log."""

    server = ThreadingHTTPServer(("localhost", 0), Website)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_the_latest_result_stands_on_another_website(page, other_website):
    club = ClubFactory()
    by = director_of(club)
    section = evening(club, by)
    ClubPage.objects.create(club=club, address="lindenhof", is_on=True)
    browser = page(DESKTOP)

    browser.goto(other_website)

    box = browser.locator("#latest")
    expect(box.get_by_role("heading", level=2)).to_have_text("Tuesday Pairs, 2026-11-24")
    expect(box.get_by_role("row")).to_have_count(6)
    expect(box.get_by_role("row").first).to_contain_text("Anna")
    publishing.unpublish_results(section, by=by)
    browser.reload()
    expect(box).to_have_text("No results yet.")


def test_the_example_is_short_enough_to_copy():
    assert len(EXAMPLE.read_text().splitlines()) <= 60
