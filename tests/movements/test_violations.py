"""Broken laws of a movement, in the reader's language."""

import pytest
from django.utils import translation

from movements.engine import laws
from movements.engine.families.mitchells.mitchell import mitchell
from movements.engine.laws import Violation
from movements.words.violations import LAWS, violation_sentence
from tests.engine.broken import BROKEN


@pytest.fixture
def in_german():
    with translation.override("de"):
        yield


def test_every_law_has_a_sentence():
    assert set(LAWS) == set(laws.LAWS)


@pytest.mark.parametrize("law", laws.LAWS)
def test_every_law_is_told_in_german_too(law):
    movement = BROKEN[law]
    broken = {violation.law: violation for violation in laws.find_violations(movement)}[law]

    english = violation_sentence(movement, broken)
    with translation.override("de"):
        german = violation_sentence(movement, broken)
        assert str(LAWS[law]) in german

    assert str(LAWS[law]) in english
    assert str(LAWS[law]) not in german


@pytest.mark.parametrize(
    ("violation", "sentence"),
    [
        (
            Violation("meet-once", 3, 2, (1, 6), rounds=(1, 3)),
            "Runde 3, Tisch 2: dieselben zwei treffen sich noch einmal (NS 1, OW 1; Runden 1, 3).",
        ),
        (
            Violation("present", 3, 2, (1,)),
            "Runde 3, Tisch 2: jemand sitzt am Tisch, obwohl er nicht da ist (NS 1).",
        ),
        (
            Violation("structure", 2),
            "Runde 2: Tische, Runden oder Boards fehlen, oder es sind zu viele.",
        ),
        (
            Violation("field", contestants=(99,)),
            "Im ganzen Movement: jemand hat keinen Platz im Movement"
            " oder steht nicht auf seiner Liste (unbekannt: 99).",
        ),
    ],
)
def test_broken_laws_are_told_in_german(in_german, violation, sentence):
    assert violation_sentence(mitchell(5), violation) == sentence


@pytest.mark.parametrize(
    ("violation", "sentence"),
    [
        (
            Violation("copies", 2, sets=("A", "B"), tables=(1, 3)),
            "Round 2: the same boards are wanted at too many tables (boards A, B; tables 1, 3).",
        ),
        (
            Violation("structure", table=7),
            "Table 7: tables, rounds or boards are missing, or some are too many.",
        ),
        (
            Violation("draw"),
            "In the whole movement: the draw leaves a team out, or lets two meet again.",
        ),
    ],
)
def test_a_sentence_says_where_and_what(violation, sentence):
    assert violation_sentence(mitchell(5), violation) == sentence


@pytest.mark.parametrize(
    ("missing", "said"), [((1,), "table 1 is missing"), ((1, 3), "tables 1, 3 are missing")]
)
def test_tables_that_are_missing_are_named(missing, said):
    sentence = violation_sentence(mitchell(5), Violation("structure", 2, missing=missing))

    assert sentence == (
        f"Round 2: tables, rounds or boards are missing, or some are too many ({said})."
    )
