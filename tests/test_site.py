"""The documentation site: the pages that `make docs` collects, and no loading from other servers."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def build():
    spec = importlib.util.spec_from_file_location("build_docs", ROOT / "docs" / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_nothing_is_loaded_from_another_server():
    said = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    script = re.search(r"polyfills: \[(\S*iframe-worker\S*)\]", said)

    assert "font: false" in said
    assert (ROOT / script[1]).exists()  # without one the offline plugin names another server's
    assert "http" not in said


def test_a_link_to_a_file_that_is_no_page_keeps_its_words(build):
    pages = [Path("docs/admin/hosting.md"), Path("README.md")]
    text = "[up](../../README.md#try-it) [file](../../deploy/Caddyfile) [web](https://example.org) [here](#there)"

    assert build.with_links(text, Path("docs/admin/hosting.md"), pages) == (
        "[up](../../README.md#try-it) file [web](https://example.org) [here](#there)"
    )


def test_all_pages_of_the_readers_are_collected(build):
    pages = {str(page) for page in build.collected()}

    assert {"README.md", "SECURITY.md", "docs/director/evening.md", "docs/help/de/desk.md"} <= pages
    assert not {page for page in pages if page.startswith("tests/")}


def test_the_picture_of_the_layers_has_every_layer(build):
    names = re.findall(r"<text[^>]*>(\w+)</text>", build.layers_picture())

    assert names[0] == "demo"
    assert names[-3:] == ["jobs", "rulings", "movements"]
    assert len(names) == len(set(names)) > 12


def test_the_page_of_a_family_has_its_picture_rules_sizes_and_fairness(build):
    name, title, text = next(build.catalogue_pages())

    assert (name, title) == ("mitchell", "Mitchell")
    assert "<svg" in text
    assert "## Rules" in text
    assert "| 7 | 14 | 7 | 7 | 1 | 100 |" in text
