"""The club's documents row by row, as far as the engine goes (`tests/data/checklist.toml`)."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from movements.engine import catalogue, laws
from movements.engine.adviser import WAYS, Wishes, advise_on
from movements.engine.errors import MovementError
from tests.checklist import ADVICE, MOVEMENTS, RESULTS, SHOWN, build, named, parts

HERE = Path(__file__).parents[2]
TABLE = HERE / "docs" / "dev" / "checklist.md"


def test_no_row_of_the_documents_is_left_out():
    assert set().union(*parts().values(), RESULTS) == set(range(1, 261))


def test_the_table_in_the_docs_counts_the_rows_as_they_are():
    told = dict(re.findall(r"^\| ([a-z ]+?) \|.*\| (\d+) \|$", TABLE.read_text("utf-8"), re.M))
    seen = set().union(*(parts()[part] for part in ("browser", "live change", "a test of its own")))

    assert told == {
        **{part: str(len(rows)) for part, rows in parts().items()},
        "all rows": "260",
        "shown": str(len(seen - RESULTS)),
        "wait for results": str(len(RESULTS)),
    }
    assert len(seen | RESULTS) == 260


@cache
def names_in(file):
    return {
        node.name
        for node in ast.walk(ast.parse((HERE / file).read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    }


@pytest.mark.parametrize("row", named(SHOWN))
def test_the_test_that_shows_a_row_is_there(row):
    file, name = row["test"].split("::")

    assert name in names_in(file)


@pytest.mark.parametrize("row", named(row for row in MOVEMENTS if not row.get("refused")))
def test_what_the_documents_name_is_built_lawfully(row):
    movement = build(row)

    assert laws.find_errors(movement) == ()
    assert movement.rounds == row["played"]


@pytest.mark.parametrize("row", named(row for row in MOVEMENTS if row.get("refused")))
def test_what_the_documents_rule_out_is_refused_with_a_sentence(row):
    with pytest.raises(MovementError) as refused:
        build(row)

    assert catalogue.explain_refusal(refused.value).endswith(".")


@pytest.mark.parametrize("row", named(ADVICE))
def test_what_the_documents_choose_is_offered_with_as_many_boards(row):
    wishes = Wishes(row["pairs"], row["boards"], row["boards"])

    for name in row["families"]:
        family = catalogue.find_family(name)
        ways = ({}, *WAYS.get(name, ()))
        offered = [advice.offer for way in ways if (advice := advise_on(family, way, wishes))]
        assert any(offer.is_as_wanted for offer in offered), name
