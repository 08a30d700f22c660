"""The documentation site in a browser: from a disk, on a phone, as axe reads it, and its search."""

import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import expect

from .conftest import AXE

ROOT = Path(__file__).parents[2]
PAGES = (
    "index.html",
    "docs/director/evening.html",
    "docs/help/de/desk.html",
    "docs/admin/hosting.html",
    "docs/dev/structure.html",
    "movements-of-bridge/howell.html",
    "CHANGELOG.html",
)
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
    "resultTypes": ["violations"],
}


def faults_of(page, width):
    """Return axe's findings on the page shown, and whether it is wider than the screen."""
    page.add_script_tag(path=AXE)
    found = page.evaluate("rules => axe.run(document, rules)", RULES)["violations"]
    faults = [(violation["id"], violation["nodes"][0]["target"]) for violation in found]
    if page.evaluate("document.documentElement.scrollWidth") > width:
        faults.append(("wider than the screen", []))
    return faults


def test_pages_are_accessible_load_nothing_from_elsewhere_and_search_finds_a_late_pair(chromium):
    subprocess.run([sys.executable, "docs/build.py"], cwd=ROOT, check=True, capture_output=True)
    site, faults, asked = (ROOT / "site").as_uri(), [], set()

    for width, scheme in ((1280, "light"), (375, "dark")):
        page = chromium.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        page.on("request", lambda request: asked.add(request.url))
        for name in PAGES:
            page.goto(f"{site}/{name}")
            faults += [(width, name, fault) for fault in faults_of(page, width)]
        if width == 1280:
            page.get_by_role("textbox", name="Search").fill("late pair")
            first = page.locator(".md-search-result__link").first
            expect(first).to_have_attribute("href", re.compile("docs/(director|help)/"))
        page.close()

    assert faults == []
    assert len(asked) > len(PAGES)
    assert [url for url in asked if not url.startswith("file:")] == []
