"""QR codes: they open the right page on a phone in the room."""

import re

import pytest
import segno
from django.test import RequestFactory

from bridgebuddy.operations import local_network
from bridgebuddy.operations.local_network import phone_base
from bridgebuddy.web.qr_codes import qr_svg
from tests.factories import section_with


def modules_drawn(svg: str) -> set[tuple[int, int]]:
    """Return the dark modules that an SVG path of segno draws, as (column, row)."""
    path = re.search(r' d="([^"]+)"', svg)[1]
    dark, x, y = set(), 0.0, 0.0
    for command, arguments in re.findall(r"([Mmh])([^Mmh]*)", path):
        values = [float(value) for value in arguments.split()]
        if command == "M":
            x, y = values
        elif command == "m":
            x, y = x + values[0], y + values[1]
        else:
            dark |= {(int(x) + step, int(y)) for step in range(int(values[0]))}
            x += values[0]
    return dark


def modules_of(address: str, border: int = 2) -> set[tuple[int, int]]:
    """Return the dark modules of the code that opens an address."""
    code = segno.make(address, error="m", micro=False, boost_error=False)
    return {
        (column + border, row + border)
        for row, line in enumerate(code.matrix)
        for column, module in enumerate(line)
        if module
    }


def codes(html: str) -> list[set[tuple[int, int]]]:
    """Return the content of every QR code of a page."""
    return [modules_drawn(svg) for svg in re.findall(r"<svg[^>]*class=\"qr\".*?</svg>", html, re.S)]


def test_a_code_draws_exactly_the_modules_of_its_address():
    address = "http://192.168.1.20:8000/p/ABC234/NS12/"

    assert modules_drawn(qr_svg(address)) == modules_of(address)


def test_a_code_has_a_name_for_screen_readers():
    assert "<title>where &lt;is&gt; it</title>" in qr_svg("http://a.example/", "where <is> it")


@pytest.mark.django_db
def test_cards_of_tables_and_the_directors_sheet_open_the_list_of_pairs(
    signed_in, alice, skip_section
):
    browser = signed_in(alice)
    lookup = modules_of(f"http://testserver/p/{skip_section.code}/")

    for sheet, count in (("table-cards", 8), ("tent-cards", 16), ("master", 1)):
        html = browser.get(f"/s/{skip_section.code}/print/{sheet}.html").content.decode()
        assert codes(html) == [lookup] * count


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sheet", "each"), [("guide-cards", 1), ("score-cards", 1), ("name-cards", 2)]
)
def test_every_card_of_a_pair_opens_that_pairs_evening(signed_in, alice, skip_section, sheet, each):
    html = signed_in(alice).get(f"/s/{skip_section.code}/print/{sheet}.html").content.decode()

    labels = [
        f"{line}{number}"
        for line in ("NS", "EW")
        for number in range(1, 9)
        for _card in range(each)
    ]
    base = f"http://testserver/p/{skip_section.code}"
    assert codes(html) == [modules_of(f"{base}/{label}/") for label in labels]


@pytest.mark.django_db
def test_the_address_of_a_guide_card_is_that_pairs_page(client, skip_section):
    response = client.get(f"/p/{skip_section.code}/EW3/")

    assert response.status_code == 200
    assert "North6" in response.content.decode()


@pytest.mark.parametrize(
    ("host", "secure", "base"),
    [
        ("bridge.example.org", True, "https://bridge.example.org"),
        ("192.168.1.7:8000", False, "http://192.168.1.7:8000"),
        ("localhost:8000", False, "http://192.168.1.20:8000"),
        ("127.0.0.1:8123", False, "http://192.168.1.20:8123"),
        ("[::1]:8000", False, "http://192.168.1.20:8000"),
        ("[::1]", False, "http://192.168.1.20"),
        ("localhost", False, "http://192.168.1.20"),
    ],
)
def test_a_director_at_localhost_prints_the_machines_address(
    monkeypatch, settings, host, secure, base
):
    settings.ALLOWED_HOSTS = ["*"]
    monkeypatch.setattr(local_network, "lan_address", lambda: "192.168.1.20")

    assert phone_base(RequestFactory().get("/", headers={"host": host}, secure=secure)) == base


def test_without_a_network_localhost_stays_localhost(monkeypatch, settings):
    settings.ALLOWED_HOSTS = ["*"]
    monkeypatch.setattr(local_network, "lan_address", lambda: None)

    request = RequestFactory().get("/", headers={"host": "localhost:8000"})

    assert phone_base(request) == "http://localhost:8000"


@pytest.mark.django_db
def test_the_address_in_the_settings_wins(settings, signed_in, alice, club):
    settings.PUBLIC_URL = "https://bridge.example.org/"
    section = section_with(6, "mitchell", club=club, by=alice)

    html = signed_in(alice).get(f"/s/{section.code}/print/master.html").content.decode()

    assert codes(html) == [modules_of(f"https://bridge.example.org/p/{section.code}/")]
