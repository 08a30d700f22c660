"""Build the documentation site in `site/`: python docs/build.py, or `make docs`.

Pages are collected in `var/docs` as they lie in the repository, so their links stay as they are. A link to a file that is
no page of the site becomes plain text. The page of every family of movements and the picture of the layers are made
from the engine and from the import contract. Nothing is loaded from another server, and any web server can host it.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "var" / "docs"
#: pages of the repository, and the folders of the site's tabs
PAGES = (
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md"),
    *("docs/**/*.md", "bridgebuddy/*/README.md", "movements/*/README.md"),
)
FILES = ("static/images/en/*.png", "docs/vendor/*.js", "docs/admin/*.html")
STYLES = ("tokens.css", "tints.css", "ring.css")
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
#: sizes of a family whose rounds and fairness its page lists
MOST_TABLES = 16
PICTURED_TABLES = (8, 7, 6, 5, 9, 4, 10, 3, 2, 12)


def collected(root: Path = ROOT) -> list[Path]:
    """Return the pages and pictures of the repository that the site shows, relative to the root."""
    found = {path.relative_to(root) for pattern in (*PAGES, *FILES) for path in root.glob(pattern)}
    return sorted(found)


def with_links(text: str, page: Path, pages: Iterable[Path]) -> str:
    """Return a page's text with links to the site's pages alone; others keep their words."""
    known = set(pages)

    def link(match: re.Match[str]) -> str:
        image, words, target = match.groups()
        path = target.partition("#")[0]
        if not path or target.startswith(("http://", "https://", "mailto:")):
            return match[0]
        found = Path(os.path.normpath(page.parent / path))
        if found in known or image:
            return match[0]
        return words

    return LINK.sub(link, text)


def search_weight(page: Path) -> str:
    """Return the head of a page: those for developers and old versions come last among search results."""
    is_for_users = page.parts[:2] in {
        ("docs", name) for name in ("director", "players", "club", "help", "admin")
    }
    return "" if is_for_users or page.name == "index.md" else "---\nsearch:\n  boost: 0.2\n---\n"


def title_of(text: str) -> str:
    """Return the first heading of a page."""
    found = TITLE.search(text)
    return found[1].replace("`", "") if found else ""


def catalogue_pages() -> Iterator[tuple[str, str, str]]:
    """Yield name, title and text of a page for every family of movements, from the engine."""
    from movements.engine import catalogue
    from movements.words.sentences import family_title

    for family in catalogue.FAMILIES:
        title = family_title(family.name)
        yield family.name, title, "\n\n".join(_family_parts(family, title)) + "\n"


def _family_parts(family: Any, title: str) -> Iterator[str]:
    from movements.words.sentences import catalogue_words

    yield f"# {title}"
    winners = "one winner" if family.winners == 1 else "two winners"
    also = f" Also called {', '.join(family.also_called)}." if family.also_called else ""
    needs = f" Needs {catalogue_words(family.needs)}." if family.needs else ""
    yield f"For {family.contest.value}, {winners}.{needs}{also}"
    sizes = _built_sizes(family)
    pictured = next((size for size in PICTURED_TABLES if size in sizes), None)
    if pictured is not None:
        yield from _pictured(sizes[pictured], pictured)
    if family.options:
        yield "## Options"
        yield "\n".join(
            f"- `{option.name}`: {catalogue_words(option.help)}" for option in family.options
        )
    yield "## Sizes and fairness"
    yield (
        "Fairness compares how evenly all contestants are compared with each other: 100 is as even as possible. "
        f"Listed are sizes up to {MOST_TABLES} tables in their usual number of rounds."
    )
    rows = [
        "| tables | contestants | rounds | sets of boards | copies | fairness |",
        "|---|---|---|---|---|---|",
    ]
    rows += [_size_row(size, movement) for size, movement in sorted(sizes.items())]
    yield "\n".join(rows)
    yield f"On the command line: `manage.py movement {family.name} --tables {pictured or family.smallest}`"
    if family.source:
        yield f"Source: {family.source}."


def _built_sizes(family: Any) -> dict[int, Any]:
    from movements.engine import catalogue
    from movements.engine.errors import MovementError

    found = {}
    for size in family.sizes:
        if size > MOST_TABLES:
            break
        try:
            rounds = family.default_rounds(size, {}) or family.possible_rounds(size)[-1]
            found[size] = catalogue.build_movement(family.name, size, rounds, None, {})
        except (MovementError, IndexError):
            continue
    return found


def _pictured(movement: Any, size: int) -> Iterator[str]:
    from movements.library.library import MovementPage
    from movements.library.ring import draw_ring

    page = MovementPage(movement)
    if movement.sets and (drawn := str(draw_ring(movement))):
        yield f"## {size} tables"
        yield f'<div class="ring-of-movement">{_one_line(drawn)}</div>'
    rules = [
        f"- After round{'s' if len(rule.rounds) > 1 else ''} {_spans(rule.rounds)}: "
        f"{' '.join([rule.sentence, *rule.details])}"
        if len(page.rules) > 1
        else f"- After every round: {' '.join([rule.sentence, *rule.details])}"
        for rule in page.rules
    ]
    if rules:
        yield "## Rules"
        yield html.escape("\n".join(rules), quote=False)


def _one_line(markup: str) -> str:
    """Markdown ends a block of HTML at an empty line."""
    return " ".join(markup.split())


def _spans(rounds: Iterable[int]) -> str:
    return ", ".join(str(round) for round in rounds)


def _size_row(size: int, movement: Any) -> str:
    from movements.library.library import MovementPage

    balance = MovementPage(movement).balance
    cells = [size, len(movement.contestants), movement.rounds, len(movement.sets), movement.copies]
    return "| " + " | ".join(map(str, [*cells, balance.score if balance else "–"])) + " |"


def layers_picture() -> str:
    """Return the picture of the layers as SVG, from the import contract."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    (layers,) = (
        contract["layers"]
        for contract in contracts["importlinter"]["contracts"]
        if contract["type"] == "layers"
    )
    width, height, gap = 720, 44, 10
    parts = []
    for row, layer in enumerate(layers):
        names = [name.strip().removeprefix("bridgebuddy.") for name in layer.split("|")]
        box = (width - gap * (len(names) - 1)) / len(names)
        for column, name in enumerate(names):
            x, y = column * (box + gap), row * (height + gap)
            parts.append(
                f'<rect x="{x:.0f}" y="{y}" width="{box:.0f}" height="{height}" rx="6"/>'
                f'<text x="{x + box / 2:.0f}" y="{y + 28}">{name}</text>'
            )
    total = len(layers) * (height + gap)
    return (
        f'<svg class="layers" viewBox="0 0 {width} {total}" role="img" '
        f'aria-label="Each layer imports only from layers below it">{"".join(parts)}</svg>'
    )


ARCHITECTURE = """# Architecture

A package imports only from the layers below it; packages beside each other do not import each other. The picture is made
from the contract in `pyproject.toml` that the linter checks. More: [structure](structure.md).

{picture}
"""

CATALOGUE = """# Movements

Every family of movements that BridgeBuddy knows: what it needs, how it moves, its sizes and how fair it is. All of it is
computed by the engine, and each movement is checked by the laws of movements.

| family | for | winners | smallest | largest |
|---|---|---|---|---|
{rows}
"""

CSS = """
:root > * { --md-primary-fg-color: #00695c; --md-typeset-a-color: #00695c; --md-accent-fg-color: #004d40; }
[data-md-color-scheme="slate"] { --md-typeset-a-color: #5fc9bb; --md-accent-fg-color: #80e0d4; }
.md-typeset a:not(.headerlink, .md-button) { text-decoration: underline; text-underline-offset: .15em; }
.md-tabs__link { opacity: 1; }
.md-tabs__item--active .md-tabs__link { text-decoration: underline; text-underline-offset: .3em; }
.ring-of-movement { max-width: 34rem; margin: 1rem 0; }
.layers { max-width: 46rem; width: 100%; height: auto; }
.layers rect { fill: var(--md-primary-fg-color); }
.layers text { fill: var(--md-primary-bg-color); text-anchor: middle; font: 600 18px sans-serif; }
[data-md-color-scheme="slate"] .ring-of-movement { background: #fff; border-radius: 6px; padding: .5rem; }
"""
#: wide tables scroll on a phone; the keyboard scrolls only elements that take the focus
SCRIPT = """addEventListener("load", () => {
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap")) box.tabIndex = 0;
});
"""


def write_source() -> list[Path]:
    """Collect all pages in `var/docs` and return their paths there."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    pages = collected()
    for page in pages:
        (SOURCE / page).parent.mkdir(parents=True, exist_ok=True)
        if page.suffix != ".md":
            shutil.copy(ROOT / page, SOURCE / page)
            continue
        text = with_links((ROOT / page).read_text(encoding="utf-8"), page, pages)
        (SOURCE / page).write_text(search_weight(page) + text, encoding="utf-8")
    catalogue = SOURCE / "movements-of-bridge"
    catalogue.mkdir()
    from movements.engine.catalogue import FAMILIES

    rows, made = [], []
    families = {family.name: family for family in FAMILIES}
    for name, title, text in catalogue_pages():
        (catalogue / f"{name}.md").write_text(text, encoding="utf-8")
        family = families[name]
        rows.append(
            f"| [{title}]({name}.md) | {family.contest.value} | {family.winners} | {family.smallest} | {family.largest} |"
        )
        made.append(Path("movements-of-bridge") / f"{name}.md")
    (catalogue / "index.md").write_text(CATALOGUE.format(rows="\n".join(rows)), encoding="utf-8")
    architecture = Path("docs/dev/architecture.md")
    (SOURCE / architecture).write_text(
        ARCHITECTURE.format(picture=layers_picture()), encoding="utf-8"
    )
    styles = [(ROOT / "static" / "css" / name).read_text(encoding="utf-8") for name in STYLES]
    light = re.sub(
        r"@import [^;]+;|@media \(prefers-color-scheme: dark\) \{.*?\n\}",
        "",
        "\n".join(styles),
        flags=re.DOTALL,
    )
    (SOURCE / "site.css").write_text(light + CSS, encoding="utf-8")
    (SOURCE / "site.js").write_text(SCRIPT, encoding="utf-8")
    return [*pages, architecture, Path("movements-of-bridge/index.md"), *made]


def navigation(pages: Iterable[Path]) -> list[dict[str, Any]]:
    """Return the tabs of the site: each reader's pages, under their headings."""
    markdown = [page for page in pages if page.suffix == ".md"]

    def under(*folders: str) -> list[dict[str, str]]:
        found = [page for page in markdown if str(page.parent) in folders]
        return [
            {title_of((SOURCE / page).read_text(encoding="utf-8")): str(page)} for page in found
        ]

    def named(*names: str) -> list[dict[str, str]]:
        return [
            {title_of((SOURCE / name).read_text(encoding="utf-8")): name}
            for name in names
            if (SOURCE / name).exists()
        ]

    apps = [page for page in markdown if page.parts[0] in ("bridgebuddy", "movements")]
    return [
        {"Home": "README.md"},
        {"Directors": [*under("docs/director"), {"Help of every page": under("docs/help/en")}]},
        {"Players": under("docs/players")},
        {"Movements": under("movements-of-bridge")},
        {"Committees": [*under("docs/club"), *named("CHANGELOG.md", "docs/history.md")]},
        {"Administrators": [*under("docs/admin"), *named("SECURITY.md")]},
        {
            "Developers": [
                *named("CONTRIBUTING.md", "CODE_OF_CONDUCT.md"),
                *under("docs/dev"),
                {"Decisions": under("docs/dev/decisions")},
                {"Parts": [{str(page.parent): str(page)} for page in apps]},
            ]
        },
        {"Deutsch": [*under("docs/help/de")]},
    ]


def main() -> int:
    """Collect, generate and build; warnings are errors."""
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bridgebuddy.settings")
    import django

    django.setup()
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    pages = write_source()
    config = load_config(str(ROOT / "mkdocs.yml"), strict=True, nav=navigation(pages))
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    count = len(list(Path(config.site_dir).rglob("*.html")))
    sys.stdout.write(f"The site is in {config.site_dir}: {count} pages.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
