"""The documents tell the truth about files, commands and make targets."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")], key=lambda path: path.relative_to(ROOT)
)
LINK = re.compile(r"\]\(([^)\s]+)\)")
COMMAND = re.compile(r"manage\.py ([a-z_]+)")
#: in code, or alone on a line of a block of commands
MAKE = re.compile(r"`(?:[A-Z]+=\S+ )?make ([a-z-]+)|^make ([a-z-]+)$", re.MULTILINE)


def ids(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", DOCUMENTS, ids=ids)
def test_links_lead_to_files_that_exist(path):
    links = [link.partition("#")[0] for link in LINK.findall(path.read_text(encoding="utf-8"))]

    gone = [
        link
        for link in links
        if link
        and not link.startswith(("http://", "https://", "mailto:", "/"))
        and not (path.parent / link).exists()
    ]

    assert gone == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=ids)
def test_commands_and_make_targets_exist(path):
    text = path.read_text(encoding="utf-8")
    targets = set(
        re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )

    unknown = {f"manage.py {name}" for name in COMMAND.findall(text) if name not in get_commands()}
    unknown |= {f"make {name}" for name in map("".join, MAKE.findall(text)) if name not in targets}

    assert unknown == set()


def test_readme_is_short_enough_to_read_in_five_minutes():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()

    assert len(lines) <= 150
