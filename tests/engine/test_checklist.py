"""The club's documents row by row, as far as the engine goes (`tests/data/checklist.toml`)."""

import tomllib
from pathlib import Path

import pytest

from movements.engine import catalogue, laws
from movements.engine.adviser import WAYS, Wishes, advise_on
from movements.engine.errors import MovementError

ROWS = tomllib.loads(
    (Path(__file__).parent.parent / "data" / "checklist.toml").read_text(encoding="utf-8")
)
MOVEMENTS, ADVICE, OTHERS = ROWS["movements"], ROWS["advice"], ROWS["others"]


def named(rows):
    return [pytest.param(row, id=str(row["number"])) for row in rows]


def build(row):
    family = catalogue.family(row["family"])
    known = {option.name: option for option in family.options}
    options = {name: known[name].read(text) for name, text in row.get("options", {}).items()}
    return catalogue.build(
        family.name, row["tables"], row.get("rounds"), row.get("missing"), options
    )


def test_no_row_of_the_documents_is_left_out():
    numbers = [*(row["number"] for row in (*MOVEMENTS, *ADVICE)), *OTHERS]

    assert sorted(numbers) == list(range(1, 246))


@pytest.mark.parametrize("row", named(row for row in MOVEMENTS if not row.get("refused")))
def test_what_the_documents_name_is_built_lawfully(row):
    movement = build(row)

    assert laws.errors(movement) == ()
    assert movement.rounds == row["played"]


@pytest.mark.parametrize("row", named(row for row in MOVEMENTS if row.get("refused")))
def test_what_the_documents_rule_out_is_refused_with_a_sentence(row):
    with pytest.raises(MovementError) as refused:
        build(row)

    assert catalogue.explain(refused.value).endswith(".")


@pytest.mark.parametrize("row", named(ADVICE))
def test_what_the_documents_choose_is_offered_with_as_many_boards(row):
    wishes = Wishes(row["pairs"], row["boards"], row["boards"])

    for name in row["families"]:
        family = catalogue.family(name)
        ways = ({}, *WAYS.get(name, ()))
        offered = [advice.offer for way in ways if (advice := advise_on(family, way, wishes))]
        assert any(offer.is_as_wanted for offer in offered), name
