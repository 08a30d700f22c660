"""Supported browsers: pages and documents name those with which scripts and style sheets are checked."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = json.loads((ROOT / ".ci/package.json").read_text())
NAMES = {
    "chrome": "Chrome",
    "edge": "Edge",
    "firefox": "Firefox",
    "ios_saf": "iOS",
    "safari": "Safari",
    "samsung": "Samsung Internet",
}
ON_PHONES = {"chrome", "firefox", "ios_saf", "samsung"}
STYLE_SHEET = re.compile(r"css/([\w-]+)\.css|@import \"([\w-]+)\.css\"")


def oldest(whose: str, among: set[str]) -> set[str]:
    """Return the names of the oldest versions, as documents write them."""
    queries = (query.split(" >= ") for query in PACKAGE["browserslist"][whose])
    return {f"{NAMES[browser]} {version}" for browser, version in queries if browser in among}


@pytest.mark.parametrize(
    ("document", "names"),
    [
        ("docs/players/entering.md", oldest("players", set(NAMES))),
        ("docs/help/en/table.md", oldest("players", ON_PHONES)),
        ("docs/help/de/table.md", oldest("players", ON_PHONES)),
        ("docs/admin/hosting.md", oldest("players", set(NAMES)) | oldest("directors", set(NAMES))),
    ],
)
def test_a_document_names_the_oldest_browsers_that_the_linters_know(document, names):
    text = (ROOT / document).read_text()
    any_version = rf"\b((?:{'|'.join(NAMES.values())}) [\d.]*\d)"

    assert set(re.findall(any_version, text)) == names


def sheets_in(files) -> set[str]:
    return {a or b for file in files for a, b in STYLE_SHEET.findall(file.read_text())}


def test_every_style_sheet_of_players_pages_is_checked_for_their_browsers():
    templates = ROOT / "templates"
    pages = [*templates.glob("players/**/*.html"), *templates.glob("tables/**/*.html")]
    named = sheets_in([*pages, templates / "500.html", templates / "503.html"])
    imported = sheets_in(ROOT / f"static/css/{name}.css" for name in named)

    assert set(PACKAGE["playersSheets"]) == named | imported
