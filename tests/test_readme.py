"""README's numbers, commands and labels are those of the product."""

import json
import re
import shlex
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command, load_command_class
from django.core.management import get_commands as commands_of_apps

import bridgebuddy
from bridgebuddy.demo import people, season
from movements.engine.catalogue import FAMILIES
from tests.test_labels import normal, texts_of_product

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINES = re.findall(r"^\.venv/bin/python manage\.py (.+)$", README, re.MULTILINE)
SESSION = ROOT / "tests/data/scoring/sessions/mp-mitchell-8-web.session.json"
BOLD = re.compile(r"\*\*([A-Z][^*\n]+)\*\*")
#: the steps of the first session whose bold words are no labels of the product
OTHER_BOLD = {"Enter the pairs", "Choose the movement"}


def numbers(pattern):
    """Return all numbers of README that stand at this pattern; there must be one."""
    found = {int(number) for number in re.findall(pattern, " ".join(README.split()))}
    assert found, f"README says nothing of {pattern}"
    return found


def test_families_are_counted():
    assert numbers(r"(\d+) families") == {len(FAMILIES)}


def test_the_demo_club_is_counted():
    for words in (people.ENGLISH, people.GERMAN):
        assert numbers(r"(\d+) members") == {2 * len(words.pairs)}
    assert numbers(r"session at round (\d+)") == {season.ROUND}
    assert numbers(r"desk in round (\d+)") == {season.ROUND}
    assert numbers(r"season of (\d+) evenings") == {len(season.SEASON_EVENINGS)}


def test_browsers_are_those_that_the_linters_check():
    browsers = json.loads((ROOT / ".ci/package.json").read_text())["browserslist"]["players"]
    oldest = {name: int(version) for name, _, version in map(str.split, browsers)}

    assert numbers(r"Chrome (\d+)") == {oldest["chrome"]}
    assert numbers(r"iOS (\d+)") == {oldest["ios_saf"]}


def test_the_version_is_the_one_that_runs():
    assert re.findall(r"Version (\S+) is", README) == [bridgebuddy.__version__]


def test_python_is_the_oldest_that_is_supported():
    needed = re.search(r'requires-python = ">=(\S+)"', (ROOT / "pyproject.toml").read_text())

    assert re.findall(r"Python (\d\S+) or newer", README) == [needed.group(1)]


def test_bold_labels_exist():
    steps = README.partition("## Your first session")[2].partition("\n## ")[0]
    labels = set(BOLD.findall(steps)) - OTHER_BOLD
    product = texts_of_product()

    assert labels >= {"New session"}
    assert [label for label in labels if normal(re.sub(r" \d+$", "", label)) not in product] == []


@pytest.mark.parametrize("line", LINES)
def test_commands_run(line, tmp_path, monkeypatch):
    """Commands of movements and results run as they stand; those that play evenings are only parsed."""
    name, *words = shlex.split(line)
    if name == "simulate":
        load_command_class(commands_of_apps()[name], name).create_parser("", name).parse_args(words)
        return
    monkeypatch.chdir(tmp_path)
    movement = StringIO()
    call_command("movement", "howell", "--tables", "4", "--format", "json", stdout=movement)
    Path("my-movement.json").write_text(movement.getvalue())
    Path("session.json").write_bytes(SESSION.read_bytes())
    out = StringIO()

    call_command(name, *words, stdout=out)

    assert out.getvalue().strip()


def test_every_kind_of_command_is_there():
    assert {line.split()[0] for line in LINES} == {"movement", "checkmovement", "score", "simulate"}
