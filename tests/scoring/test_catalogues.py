"""Catalogues of one file or one line per item: a new item must have the right name."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from bridgebuddy.scoring.rules import methods
from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.scoring.rules.methods.catalogue import METHODS as COMPARING
from bridgebuddy.scoring.rules.profile import METHODS
from bridgebuddy.scoring.rules.scales.victory_points import read_scale

ROOT = Path(settings.BASE_DIR)
SCALE = 'name = "Ours"\nsource = "us"\ntotal = 4\ndraw = 2\nleast = {"1-" = [1, 2]}\nwords = {de = "Unsere"}'


def test_every_module_of_methods_is_in_the_catalogue_and_every_name_in_it_is_a_method():
    modules = {path.stem for path in Path(methods.__path__[0]).glob("[a-z]*.py")}

    assert set(COMPARING) <= set(METHODS)
    assert {item.__module__.rpartition(".")[2] for item in COMPARING.values()} == (
        modules - {"catalogue", "comparison"}
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('"1-" = [1, 2]', '"1-" = ["a", 2]'),
        ('"1-"', '"all"'),
        ("total = 4", 'total = "4"'),
        ("total = 4", "total = [4]"),
        ('{de = "Unsere"}', '"Unsere"'),
        ("draw = 2", "draw = "),
        ('least = {"1-" = [1, 2]}', "least = 3"),
    ],
)
def test_a_scale_that_is_written_wrongly_is_refused_in_a_sentence_that_names_its_file(line, said):
    assert line in SCALE
    assert read_scale(SCALE, "ours.toml").total == 4

    with pytest.raises(ScoringError, match=r"ours\.toml"):
        read_scale(SCALE.replace(line, said), "ours.toml")


def test_decisions_that_are_named_exist_and_are_headed_by_their_number():
    decisions = {path.name[:4]: path for path in (ROOT / "docs/dev/decisions").glob("*.md")}
    named = {
        number
        for folder in ("bridgebuddy", "movements", "static/js", "docs", "tests", "deploy")
        for file in (ROOT / folder).rglob("*.*")
        if file.suffix in (".py", ".js", ".md", ".html")
        for number in re.findall(r"[Dd]ecision (\d{4})", file.read_text(encoding="utf-8"))
    }

    assert len(named) > 10
    assert named <= set(decisions)
    assert [n for n, file in decisions.items() if not file.read_text().startswith(f"# {n} ")] == []
