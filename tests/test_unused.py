"""Libraries loaded in templates and rules of style sheets are used: unused ones only mislead."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template import engines
from django.template.base import Lexer, TokenType

ROOT = Path(settings.BASE_DIR)
TEMPLATES = sorted((ROOT / "templates").rglob("*.*"))
#: classes whose ends follow from what is shown: of heights, of places on a sheet, of copies and of pictures
MADE = re.compile(r"h\d+|[pnqtw]\d+|of\d|rg-\w+|on-\w+|c-\w+")


def used_in(text: str) -> tuple[set[str], set[str], set[str]]:
    """The tags, filters and libraries of a template."""
    tags, filters, loads = set(), set(), set()
    for token in Lexer(text).tokenize():
        if token.token_type not in (TokenType.BLOCK, TokenType.VAR):
            continue
        filters |= set(re.findall(r"\|(\w+)", token.contents))
        if token.token_type == TokenType.BLOCK:
            name, *rest = token.split_contents()
            tags.add(name)
            loads |= set(rest) if name == "load" else set()
    return tags, filters, loads


def test_a_template_loads_what_it_uses_alone():
    libraries = engines["django"].engine.template_libraries
    idle = [
        (template.name, name)
        for template in TEMPLATES
        for tags, filters, loads in [used_in(template.read_text(encoding="utf-8"))]
        for name in loads
        if not (tags & set(libraries[name].tags) or filters & set(libraries[name].filters))
    ]

    assert idle == []


@pytest.mark.parametrize("kind", ["tags", "filters"])
def test_some_template_uses_every_tag_and_filter_of_ours(kind):
    used = set().union(
        *(
            used_in(template.read_text(encoding="utf-8"))[kind == "filters"]
            for template in TEMPLATES
        )
    )
    ours = {
        name
        for library in engines["django"].engine.template_libraries.values()
        for name, made in getattr(library, kind).items()
        if getattr(made, "__module__", "").startswith(("bridgebuddy.", "movements."))
    }

    assert ours - used == set()


def test_no_style_is_of_a_class_that_nothing_has():
    words = re.compile(r"[\w-]+")
    said = [template.read_text(encoding="utf-8") for template in TEMPLATES]
    said += [path.read_text(encoding="utf-8") for path in (ROOT / "static" / "js").glob("*.js")]
    for folder in ("bridgebuddy", "movements"):
        for file in (ROOT / folder).rglob("*.py"):
            said += re.findall(r'"([^"\n]*)"', file.read_text(encoding="utf-8"))
    known = {word for text in said for word in words.findall(text)}

    styled = set()
    for file in (ROOT / "static" / "css").glob("*.css"):
        text = re.sub(r"/\*.*?\*/|url\([^)]*\)|@import[^;]*;", "", file.read_text(), flags=re.S)
        for selector in re.findall(r"([^{};]+)\{", text):
            styled |= set(re.findall(r"[.#]([A-Za-z_][\w-]*)", selector))
    assert {word for word in styled - known if not MADE.fullmatch(word)} == set()
