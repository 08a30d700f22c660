"""The adviser's reasons in words: true beside the figures on the card, and good English and German."""

import pytest
from django.utils import translation

from movements.engine import catalogue
from movements.engine.adviser import AdviceReason, Wishes, advise_movements, advise_on
from movements.words.advice import WORDS, reason_sentence


def sentence_of(kind, language="en", **fields):
    with translation.override(language):
        return reason_sentence(AdviceReason(kind, False, tuple(fields.items())))


def reasons(pairs):
    return [
        (advice, reason) for advice in advise_movements(Wishes(pairs)) for reason in advice.reasons
    ]


def test_the_sentence_about_fairness_agrees_with_the_word_beside_it():
    words = {
        "very even": {"fair", None},
        "even": {"even", None},
        "fair": {"fairly_even", None},
        "uneven": {"uneven"},
    }
    for pairs in (9, 13, 16, 26):
        for advice in advise_movements(Wishes(pairs)):
            kinds = {reason.kind for reason in advice.reasons} & {
                "fair",
                "even",
                "fairly_even",
                "uneven",
            }
            assert (kinds or {None}) <= words[advice.facts.word], (pairs, advice.offer.family.name)
            assert str(WORDS[advice.facts.word])


@pytest.mark.parametrize(
    ("language", "one", "some"),
    [
        ("en", "1 pair stays seated all evening.", "3 pairs stay seated all evening."),
        (
            "de",
            "1 Paar bleibt den ganzen Abend sitzen.",
            "3 Paare bleiben den ganzen Abend sitzen.",
        ),
    ],
)
def test_one_pair_stays_and_several_stay(language, one, some):
    assert sentence_of("stationary", language, count=1) == one
    assert sentence_of("stationary", language, count=3) == some


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "No pair can stay seated."), ("de", "Kein Paar kann sitzen bleiben.")],
)
def test_nobody_is_not_said_as_a_number(language, sentence):
    assert sentence_of("not_stationary", language, count=0) == sentence


def test_tables_are_listed_as_they_are_said():
    assert (
        sentence_of("shares", tables=(1, 8)) == "Tables 1 and 8 share boards and play more slowly."
    )
    assert sentence_of("stands", tables=(4,)) == "Boards wait on a stand after table 4."
    assert sentence_of("stands", "de", tables=(2, 5)) == (
        "Boards warten auf Ablagen hinter den Tischen 2 und 5."
    )


def test_somebody_always_sits_out_only_where_that_is_so():
    """A two-way rover of 9 pairs begins without a sit-out for a whole round."""
    kinds = {
        advice.offer.family.name: reason.kind
        for advice, reason in reasons(9)
        if reason.kind.startswith("sits_out")
    }

    assert kinds["mitchell"] == kinds["ew-rover"] == "sits_out"
    assert kinds["two-way-rover"] == "sits_out_at_times"
    assert sentence_of(kinds["ew-rover"]) == "There is a sit-out in every round."


@pytest.mark.parametrize(
    ("family", "pairs", "boards", "options", "is_said"),
    [
        ("mitchell", 17, 21, {}, True),  # nine tables, seven rounds
        ("mitchell", 17, 27, {}, False),  # all nine rounds
        ("mitchell", 18, 21, {}, False),  # full tables
        ("skip-mitchell", 15, 28, {}, True),
        ("skip-mitchell", 16, 28, {}, False),
    ],
)
def test_a_half_table_speaks_against_curtailing_and_against_a_skip(
    family, pairs, boards, options, is_said
):
    advice = advise_on(catalogue.find_family(family), options, Wishes(pairs, boards, boards))

    kinds = [reason.kind for reason in advice.cons]
    assert ("half_table_curtailed" in kinds) == is_said
    assert not {"half_table_curtailed", "unequal_plays"} <= {*kinds}


@pytest.mark.parametrize(("switched", "is_said"), [((0,), True), ((7,), False)])
def test_one_ranking_of_an_unswitched_mitchell_is_advised_against(switched, is_said):
    advice = advise_on(
        catalogue.find_family("scrambled-mitchell"), {"switched": switched}, Wishes(14, 28, 28)
    )

    assert ("unswitched" in [reason.kind for reason in advice.cons]) == is_said
    assert "two winners" in sentence_of("unswitched")
    assert "zwei Sieger" in sentence_of("unswitched", "de")
