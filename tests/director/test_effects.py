"""Effects of a proposal, as the page describes them."""

from fractions import Fraction
from types import SimpleNamespace

import pytest
from django.utils import translation

from bridgebuddy.director.changes.effects import effects_of_proposal
from movements.engine import catalogue
from movements.engine.changes import PairLeaves, proposals

HALF = Fraction(1, 2)


def effects_of(family, tables, sit_outs, rounds=None, **told):
    """The effects of a proposal after which so many rounds are sat out, by contestant."""
    consequences = SimpleNamespace(
        sit_outs=[
            (contestant, number, min(times - number, 1))
            for contestant, times in sit_outs.items()
            for number in range(int(times) + (times % 1 > 0))
        ],
        **{
            "moved": (),
            "shares": (),
            "copies": 1,
            "copies_before": 1,
            "repeats": (),
            "contestants_never_playing": (),
            **told,
        },
    )
    movement = catalogue.build_movement(family, tables, rounds)
    return effects_of_proposal(
        SimpleNamespace(consequences=consequences, movement=movement, kind="ready"), ()
    )


@pytest.mark.parametrize(
    ("family", "tables", "sit_outs", "english", "german"),
    [
        (
            "howell",
            7,
            {12: 3, 11: 3},
            ("Sit out", "pairs 11, 12 (3 rounds each)"),
            ("Setzen aus", "Paare 11, 12 (je 3 Runden)"),
        ),
        (
            "howell",
            7,
            {12: 3},
            ("Sits out", "pair 12 (3 rounds)"),
            ("Setzt aus", "Paar 12 (3 Runden)"),
        ),
        (
            "howell",
            7,
            {3: 1, 12: 2, 5: 1},
            ("Sit out", "pair 12 (2 rounds); pairs 3, 5 (1 round each)"),
            ("Setzen aus", "Paar 12 (2 Runden); Paare 3, 5 (je 1 Runde)"),
        ),
        (
            "mitchell",
            7,
            {3: 1, 9: 3 * HALF},
            ("Sit out", "EW 2 (1.5 rounds); NS 3 (1 round)"),
            ("Setzen aus", "OW 2 (1,5 Runden); NS 3 (1 Runde)"),
        ),
        (
            "team-round-robin",
            8,
            {3: 2},
            ("Sits out", "team 3 (2 rounds)"),
            ("Setzt aus", "Team 3 (2 Runden)"),
        ),
        (
            "individual",
            4,
            {3: 1, 4: 1},
            ("Sit out", "players 3, 4 (1 round each)"),
            ("Setzen aus", "Spieler 3, 4 (je 1 Runde)"),
        ),
        (
            "howell",
            7,
            dict.fromkeys(range(1, 11), 1),
            ("Sit out", "10 pairs (1 round each)"),
            ("Setzen aus", "10 Paare (je 1 Runde)"),
        ),
        ("howell", 7, {}, ("Sits out", "nobody"), ("Setzt aus", "niemand")),
        (
            "howell",
            7,
            {3: HALF},
            ("Sits out", "at most half a round each"),
            ("Setzt aus", "jeweils höchstens eine halbe Runde"),
        ),
    ],
)
def test_who_sits_out_is_named_with_the_number_of_rounds(family, tables, sit_outs, english, german):
    with translation.override("en"):
        assert effects_of(family, tables, sit_outs)[0] == english
    with translation.override("de"):
        assert effects_of(family, tables, sit_outs)[0] == german


def test_who_moves_or_meets_again_is_named_in_the_same_way():
    told = {"moved": (3, 5), "repeats": ((3,), (3, 5))}

    found = dict(effects_of("howell", 7, {}, **told))

    assert found["New places"] == "pairs 3, 5"
    assert found["Again"] == "pair 3 has had a board before; pair 3 and pair 5 meet again"


def test_a_real_proposal_says_who_sits_out():
    howell = catalogue.build_movement("howell", 4)
    sizes = dict.fromkeys(howell.sets, 3)
    half = next(p for p in proposals(howell, 2, PairLeaves(3), sizes) if p.kind == "half-table")

    term, text = effects_of_proposal(half, ())[0]

    assert (term, text.count("1 round each")) == ("Sit out", 1)


@pytest.mark.parametrize(
    ("without", "sentence"),
    [
        ((7,), "EW 3 plays no board this session"),
        ((2, 7), "NS 2, EW 3 play no board this session"),
    ],
)
def test_it_says_who_plays_no_board_any_more(without, sentence):
    lines = effects_of("mitchell", 4, {}, contestants_never_playing=without, rounds=2)

    assert lines[-1] == ("No boards at all", sentence)
