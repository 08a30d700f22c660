"""A trained scorer types five or six keys a board."""

from itertools import product

import pytest

from bridgebuddy.scoring.rules.contract_notation import (
    ENGLISH,
    GERMAN,
    LETTERS,
    InvalidResultText,
    format_result_text,
    parse_result_text,
)


def played(contract: str, declarer: str, tricks: int, **more: str) -> dict:
    return {"contract": contract, "declarer": declarer, "tricks": tricks, **more}


@pytest.mark.parametrize(
    ("typed", "outcome"),
    [
        ("4hs=", played("4H", "S", 10)),
        ("4HS=", played("4H", "S", 10)),
        ("3nn+1", played("3NT", "N", 10)),
        ("3ntw-2", played("3NT", "W", 7)),
        ("3 NT W − 2", played("3NT", "W", 7)),
        ("1nn=", played("1NT", "N", 7)),
        ("4ss=", played("4S", "S", 10)),
        ("4sxn-3", played("4Sx", "N", 7)),
        ("4snx-3", played("4Sx", "N", 7)),
        ("2dxxe=", played("2Dxx", "E", 8)),
        ("7nw-13", played("7NT", "W", 0)),
        ("4hs= sk", played("4H", "S", 10, lead="SK")),
        ("4hs= d10", played("4H", "S", 10, lead="DT")),
        ("p", {"passed": True}),
        ("0", {"passed": True}),
        ("420", {"score": 420}),
        ("+420", {"score": 420}),
        ("-50", {"score": -50}),
        ("60/40", {"artificial": {"ns": "AVE+", "ew": "AVE-"}}),
        ("60 40", {"artificial": {"ns": "AVE+", "ew": "AVE-"}}),
        ("-", {"not_played": "skipped"}),
        ("5c*e-2", played("5Cx", "E", 9)),
        ("5c**e-2", played("5Cxx", "E", 9)),
        ("55/45", {"artificial": {"ns": 55, "ew": 45}}),
    ],
)
def test_a_line_is_a_result(typed, outcome):
    assert parse_result_text(typed, ENGLISH) == outcome


@pytest.mark.parametrize(
    ("typed", "outcome"),
    [
        ("4ps=", played("4S", "S", 10)),
        ("4po=", played("4S", "E", 10)),
        ("3co-1", played("3H", "E", 8)),
        ("5kw+1", played("5D", "W", 12)),
        ("2tn=", played("2C", "N", 8)),
        ("3sas=", played("3NT", "S", 9)),
        ("4hs=", played("4H", "S", 10)),
        ("4ss= pb", played("4S", "S", 10, lead="SJ")),
        ("3san+1 pd", played("3NT", "N", 10, lead="SQ")),
        ("3nn+1 pq", played("3NT", "N", 10, lead="SQ")),
        ("4CW= TJ", played("4H", "W", 10, lead="CJ")),
        ("p", {"passed": True}),
    ],
)
def test_german_letters_are_understood_and_english_ones_too(typed, outcome):
    assert parse_result_text(typed, GERMAN) == outcome


@pytest.mark.parametrize(
    ("typed", "why", "about"),
    [
        ("", "empty", ""),
        ("  ", "empty", ""),
        ("8hs=", "level", "8"),
        ("x", "level", "x"),
        ("4", "strain", ""),
        ("4zs=", "strain", "z"),
        ("4h", "declarer", ""),
        ("4h=", "declarer", "="),
        ("3nt?", "declarer", "?"),
        ("3nt", "declarer", ""),
        ("3sa=", "declarer", "="),
        ("3 sa xx q", "declarer", "q"),
        ("4hq=", "declarer", "q"),
        ("4hs", "tricks", ""),
        ("4hs?", "tricks", "?"),
        ("4hsx?", "tricks", "?"),
        ("4hs+4", "many-tricks", "+4"),
        ("4hs-11", "many-tricks", "-11"),
        ("4hs= xk", "lead", "xk"),
        ("4hs= nk", "lead", "nk"),
        ("120/40", "score", "120"),
    ],
)
def test_what_is_no_result_says_why_and_what_about(typed, why, about):
    with pytest.raises(InvalidResultText) as refused:
        parse_result_text(typed, ENGLISH)
    assert (refused.value.why, refused.value.typed) == (why, about)
    assert str(refused.value) == f"{why}: {about}"


def test_german_results_are_written_with_german_letters():
    lead = [{"lead": card} for card in ("SQ", "DJ", "CT", "HK")]
    lines = [format_result_text(played("3NT", "E", 10, **card), GERMAN) for card in lead]
    assert lines == ["3sao+1 pd", "3sao+1 kb", "3sao+1 t10", "3sao+1 ck"]
    assert (GERMAN.strains_text, GERMAN.seats_text) == ("T K C P SA", "N O S W")
    assert (GERMAN.cards_text, ENGLISH.cards_text) == ("A K D B", "A K Q J")


@pytest.mark.parametrize("letters", LETTERS.values(), ids=LETTERS)
def test_what_is_written_is_read_as_the_same(letters):
    for level, strain, doubled, declarer, tricks in product(
        range(1, 8), ("C", "D", "H", "S", "NT"), ("", "x", "xx"), "NESW", range(14)
    ):
        outcome = played(f"{level}{strain}{doubled}", declarer, tricks)
        assert parse_result_text(format_result_text(outcome, letters), letters) == outcome
    for suit, rank in product("SHDC", "23456789TJQKA"):
        outcome = played("4S", "S", 10, lead=suit + rank)
        assert parse_result_text(format_result_text(outcome, letters), letters) == outcome


@pytest.mark.parametrize(
    "outcome",
    [
        None,
        {"pending": True},
        {"score": 0},
        {"not_played": "time"},
        {"assigned": {"ns": [[100, 420]]}},
        {"artificial": {"ns": None, "ew": "AVE"}},
        {"artificial": {"ns": "AVE", "ew": "AVE"}, "outside": True},
        {"score": 420, "beside": {"contract": "4S"}},
    ],
)
def test_what_no_line_can_say_is_not_written(outcome):
    assert format_result_text(outcome) == ""
