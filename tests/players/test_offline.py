"""Phones: their storage, the size of their pages, and their error notices."""

import gzip
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings as project
from django.contrib.staticfiles import finders
from django.template.loader import get_template
from django.test import RequestFactory
from django.views.defaults import server_error

from bridgebuddy.players.phones import offline
from bridgebuddy.web.static_files import inline_imports, minify

from .reading import player, words

CSS = Path(project.BASE_DIR) / "static" / "css"


def test_the_worker_is_told_its_version_and_files(client):
    answer = client.get("/sw.js")

    told = answer.content.decode()
    assert answer.headers["Content-Type"] == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert told.startswith(f'const VERSION = "{offline.static_files_version()}";\nconst FILES = [')
    files = json.loads(re.search(r"const FILES = (\[.*?\]);", told).group(1))
    assert len(files) == len(offline.FILES) + len(offline.FONTS)
    for file in files:
        path, _, version = file.partition("?v=")
        assert finders.find(path.removeprefix("/static/")), file
        assert version in ("", offline.static_files_version())


def test_the_version_is_another_when_a_file_changes(monkeypatch):
    names = (*offline.FILES, *offline.OF_TABLES, *offline.FONTS, offline.WORKER)
    contents = dict.fromkeys(names, b"old")
    monkeypatch.setattr(offline, "_file_content", lambda name: contents[name])
    versions = set()
    for name in contents:
        contents[name] = b"new"
        offline.static_files_version.cache_clear()
        versions.add(offline.static_files_version())
    monkeypatch.undo()
    offline.static_files_version.cache_clear()

    assert len(versions) == len(contents)


def test_a_file_that_is_missing_is_noticed():
    with pytest.raises(FileNotFoundError):
        offline._file_content("css/nothing.css")


def test_the_app_on_the_home_screen_starts_with_the_code(client):
    app = client.get("/app.webmanifest").json()

    assert (app["start_url"], app["scope"], app["name"]) == ("/p/", "/p/", "BridgeBuddy")


@pytest.mark.django_db
def test_every_file_a_players_page_names_is_kept(client, skip_section):
    kept = {offline.versioned_address(name) for name in offline.FILES}
    for label in ("NS1", "room"):
        page = player(client, skip_section, label).content.decode()
        named = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page))
        assert named <= kept


@pytest.mark.django_db
def test_a_first_visit_weighs_under_thirty_kilobytes_beside_the_font(client, skip_section):
    page = player(client, skip_section, "NS1").content
    names = ("css/phone.css", "js/phone.js", "vendor/htmx-2.0.11.min.js", "brand.svg")

    weight = sum(len(gzip.compress(part)) for part in (page, *map(offline._file_content, names)))

    assert weight < 30_000


@pytest.mark.django_db
def test_pages_and_files_travel_compressed(client, skip_section):
    for path in (f"/p/{skip_section.code}/NS1/", f"/static/{offline.FILES[0]}"):
        answer = client.get(path, headers={"Accept-Encoding": "gzip"})

        assert answer.headers["Content-Encoding"] == "gzip"


#: what pages load together: beside phone.css, and of the directors' all the others
TOGETHER = {
    "room": "phone room room-code room-halves room-ranking ring",
    "table": "phone suits tables cards ring",
    "results": "phone suits results cards matches own club-page",
    "director": " ".join(sorted(path.stem for path in CSS.glob("*.css"))),
}


def tokens(name: str) -> list[str]:
    """The design tokens of a style sheet as it travels: light, then dark."""
    css = minify(f"{name}.css", inline_imports(str(CSS / f"{name}.css"))).decode()
    roots = re.findall(r":root(?:[^{}]*){([^{}]*)}", css)
    return [text for part in roots for text in re.findall(r"(--bb-[\w-]+):", part)]


def test_every_token_stands_in_one_sheet_once_in_the_light_and_at_most_once_in_the_dark():
    css = [path.read_text() for path in CSS.glob("*.css")]
    said = Counter(re.findall(r"(--bb-[\w-]+):", "".join(css)))

    assert len(said) > 40
    assert {name: times for name, times in said.items() if times > 2} == {}
    assert sum("--bb-ink:" in item for item in css) == 1


@pytest.mark.parametrize("pages", TOGETHER)
def test_every_token_that_pages_use_is_there(pages):
    names = TOGETHER[pages].split()
    css = "".join((CSS / f"{name}.css").read_text() for name in names)
    known = {token for name in names for token in tokens(name)}

    assert set(re.findall(r"var\((--bb-[\w-]+)\)", css)) <= known


@pytest.mark.parametrize("status", [403, 404, 429])
def test_errors_are_told_in_plain_words_with_a_way_out(status, rf):
    page = get_template(f"{status}.html").render({}, rf.get("/"))

    assert '<a class="btn' in page
    assert 'href="/p/"' in page
    assert f">{status}<" not in page


@pytest.mark.django_db
def test_an_address_that_does_not_exist_says_so(client):
    page = client.get("/nowhere/")

    assert page.status_code == 404
    assert "This page does not exist" in words(page)


def test_a_failing_server_needs_nothing_to_say_so():
    page = server_error(RequestFactory().get("/"))

    assert page.status_code == 500
    assert "Saved data is still there." in words(page)
    assert 'href="/p/"' in page.content.decode()


@pytest.mark.django_db
def test_a_form_that_was_open_too_long_is_explained(alice):
    from django.test import Client

    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)

    page = browser.post("/sessions/new/", {})

    assert page.status_code == 403
    assert "Perhaps the page was open for too long" in words(page)
