"""Random deals: each has a number, and its secret makes the same cards again."""

import io
import json
import random
import re
import stat
from pathlib import Path

import pytest
from django.core.management import call_command
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bridgebuddy.deals import double_dummy, verification_script
from bridgebuddy.deals.double_dummy import NotSolved, SolverProcess
from bridgebuddy.deals.models import DoubleDummy
from bridgebuddy.deals.rules import making
from bridgebuddy.deals.rules.hands import CARDS, SEATS, format_pbn, hands_of_deal, sorted_hand
from bridgebuddy.deals.rules.making import (
    commitment,
    deal_number,
    deals_from_secret,
    hands_from_secret,
)
from bridgebuddy.deals.rules.numbering import DEALS, deal_of_number, number_of_deal
from bridgebuddy.deals.rules.reading import deal_from_north, read_deals
from bridgebuddy.deals.rules.typed import read_typed_hands
from bridgebuddy.deals.rules.writing import deals_as_dup, deals_as_lin, deals_as_pbn
from bridgebuddy.deals.verification_script import dealt
from bridgebuddy.scoring.services.cards import dealing

BY_HAND = str(Path(verification_script.__file__))
NO_BOARDS = "--boards: {!r} are no boards like 1-8,17-24, each once and at most 300."
DOUBLE_DUMMY = Path(__file__).parent.parent / "data" / "scoring" / "deals_double_dummy.json"


def test_there_are_as_many_deals_as_the_books_say():
    assert DEALS == 53_644_737_765_488_792_839_237_440_000


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.integers(0, DEALS - 1))
@example(0)
@example(DEALS - 1)
def test_every_number_is_one_deal_and_every_deal_one_number(number):
    deal = deal_of_number(number)

    assert hands_of_deal(format_pbn(deal)) == deal
    assert number_of_deal(deal) == number


def test_10_000_numbers_and_both_ends_are_as_many_deals():
    dice = random.Random(11)  # of the test: what deals are made of asks `secrets`
    numbers = {0, 1, DEALS - 2, DEALS - 1, *(dice.randrange(DEALS) for _ in range(9_996))}

    found = {number: deal_of_number(number) for number in numbers}

    assert len(numbers) == 10_000
    assert all(number_of_deal(item) == number for number, item in found.items())
    assert all(set().union(*item.values()) == set(CARDS) for item in found.values())
    assert {len(hand) for item in found.values() for hand in item.values()} == {13}


def test_nothing_that_makes_deals_asks_for_numbers_by_chance_that_can_be_foreseen():
    sources = [*Path(verification_script.__file__).parent.rglob("*.py"), Path(dealing.__file__)]
    asked = re.compile(
        r"^\s*(import|from) (random|numpy|uuid|time)\b|randrange|shuffle", re.MULTILINE
    )

    found = [source.name for source in sources if asked.search(source.read_text("utf-8"))]

    assert len(sources) > 8
    assert found == []
    assert "secrets.token" in Path(making.__file__).read_text("utf-8")


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.permutations(CARDS))
def test_whatever_is_dealt_by_hand_has_a_number(cards):
    found = {seat: frozenset(cards[13 * n : 13 * n + 13]) for n, seat in enumerate(SEATS)}

    assert deal_of_number(number_of_deal(found)) == found


@pytest.mark.parametrize("number", [-1, DEALS])
def test_no_deal_has_another_number(number):
    with pytest.raises(ValueError, match="no deal has the number"):
        deal_of_number(number)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.text(min_size=1), st.integers(1, 999), st.lists(st.text(), max_size=3), st.text())
def test_the_printed_steps_find_the_same_deals_without_us(secret, board, words, name):
    secret = secret.encode("utf-8", "replace").decode()

    deal = hands_from_secret(secret, board, words, name)

    assert dealt(secret, board, words, name) == [
        [card for card in CARDS if card in deal[seat]] for seat in SEATS
    ]


def test_another_board_set_word_or_secret_is_another_deal():
    numbers = [
        deal_number("secret", 1),
        deal_number("secret", 2),
        deal_number("secret", 1, ["Anna"]),
        deal_number("secret", 1, ["Anna", "Ben"]),
        deal_number("secret", 1, ["Ben", "Anna"]),
        deal_number("secret", 1, ["AnnaBen"]),
        deal_number("secret", 1, set_name="B"),
        deal_number("secrets", 1),
    ]

    assert len(set(numbers)) == len(numbers)
    assert commitment("secret") != commitment("secrets")


@pytest.mark.parametrize("write", [deals_as_pbn, deals_as_dup, deals_as_lin])
def test_what_is_written_is_read_again(write):
    made = deals_from_secret("secret", range(17, 41))

    read = read_deals(write(made))

    assert read.deals == {board: format_pbn(found) for board, found in made.items()}
    assert read.problems == ()


def test_a_dealing_machine_finds_every_card_twice_and_how_the_set_is_numbered():
    made = deals_from_secret("secret", [3])

    record = deals_as_dup(made)

    assert len(record) == 156
    numbers = [int(record[place : place + 2]) - 1 for place in range(0, 78, 2)]
    pictures = record[78:146].decode("ascii")
    drawn, suit = [], ""
    for letter in pictures:
        suit = {"\x06": "S", "\x03": "H", "\x04": "D", "\x05": "C"}.get(letter, suit)
        drawn += [suit + letter] * (letter in "AKQJT98765432")
    for index, seat in enumerate(SEATS):
        assert set(drawn[13 * index : 13 * index + 13]) == made[3][seat]
        if seat != "W":
            assert {CARDS[n] for n in numbers[13 * index : 13 * index + 13]} == made[3][seat]
    assert record[146:] == b"YN3    3  "


def test_boards_for_a_dealing_machine_follow_each_other():
    with pytest.raises(ValueError, match="follow each other"):
        deals_as_dup(deals_from_secret("secret", [1, 3]))


# ── the command ──


def run(capsys, *arguments):
    """Return exit code, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    try:
        call_command("deals", *arguments, stdout=out, stderr=err)
    except SystemExit as left:
        code = left.code
    return code, out.getvalue(), err.getvalue() + capsys.readouterr().err


@pytest.mark.parametrize("form", ["pbn", "dup", "lin"])
def test_a_file_follows_from_the_secret_it_was_made_with_and_from_no_other(tmp_path, capsys, form):
    secret, file = tmp_path / "secret", tmp_path / "deals"
    made = (
        "make",
        "--boards",
        "1-8",
        "--secret-file",
        str(secret),
        "--word",
        "Anna",
        "--format",
        form,
    )
    code, written, said = run(capsys, *made)
    assert code == 0
    assert secret.read_text().strip() not in written + said
    assert commitment(secret.read_text().strip()) in said
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert run(capsys, *made)[1] == written  # the file with the secret is there now
    file.write_bytes(written.encode("ascii"))
    told = ("verify", str(file), "--secret", secret.read_text().strip(), "--word", "Anna")

    assert run(capsys, *told)[:2] == (0, "All 8 boards follow from this secret.\n")
    code, said, _ = run(capsys, *told[:-2])
    assert (code, said.count("does not follow")) == (1, 8)


def test_one_board_that_was_exchanged_is_found(tmp_path, capsys):
    made = deals_from_secret("secret", range(1, 5))
    made[3] = made[4]
    file = tmp_path / "deals.lin"
    file.write_bytes(deals_as_dup(made))

    assert run(capsys, "verify", str(file), "--secret", "secret")[:2] == (
        1,
        "Board 3 does not follow from this secret.\n",
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["make", "--boards", "0-4"], NO_BOARDS.format("0-4")),
        (["make", "--boards", "4-1"], NO_BOARDS.format("4-1")),
        (["make", "--boards", "1-8,8"], NO_BOARDS.format("1-8,8")),
        (["make", "--boards", "1-301"], NO_BOARDS.format("1-301")),
        (
            ["make", "--boards", "1,3", "--format", "dup"],
            "Boards in a file for a dealing machine follow each other.",
        ),
        (["verify", "-"], "Give the secret: --secret or --secret-file."),
        (["verify", "-", "--secret", " "], "The secret is empty."),
        (["analyse", "nowhere.pbn"], "nowhere.pbn: No such file or directory."),
        (["analyse", BY_HAND], f"{BY_HAND}: no deals in a form known here (PBN, LIN, DUP)."),
    ],
)
def test_what_cannot_be_done_is_one_sentence(capsys, arguments, said):
    code, written, err = run(capsys, *arguments)

    assert (code, written) == (2, "")
    assert err.strip().splitlines()[-1] == said


def test_tricks_and_par_of_deals_that_others_have_solved(tmp_path, capsys):
    facts = json.loads(DOUBLE_DUMMY.read_text())["boards"][:3]
    text = "".join(f'[Board "{board["board"]}"]\n[Deal "{board["deal"]}"]\n\n' for board in facts)
    file = tmp_path / "solved.pbn"
    file.write_text(text + '[Board "9"]\n[Deal "N:A... ... ... ..."]\n')

    code, written, _ = run(capsys, "analyse", str(file), "--format", "json")

    data = json.loads(written)
    assert code == 0
    assert [board["tricks"] for board in data["boards"]] == [board["tricks"] for board in facts]
    assert data["boards"][0] | {"tricks": None} == {
        "board": 1,
        "dealer": "N",
        "vulnerable": "None",
        "tricks": None,
        "par": {"score": 420, "contracts": ["4H-N"]},
    }
    assert data["unread"] == [{"board": 9, "why": "these are not 52 cards"}]


def solved_by_others(tmp_path, *tags):
    """Write a file whose boards have these tags and deals solved by other programs."""
    facts = json.loads(DOUBLE_DUMMY.read_text())["boards"]
    file = tmp_path / "tags.pbn"
    file.write_text(
        "".join(
            f'[Board "{number}"]\n{lines}\n[Deal "{fact["deal"]}"]\n\n'
            for number, (lines, fact) in enumerate(zip(tags, facts, strict=False), 1)
        )
    )
    return str(file)


def test_par_is_that_of_the_dealer_and_vulnerability_of_the_file(tmp_path, capsys):
    conditions = ['[Dealer "W"][Vulnerable "All"]', '[Vulnerable "None"]', '[Dealer "Q"]']
    file = solved_by_others(tmp_path, *conditions)

    code, written, _ = run(capsys, "analyse", file, "--format", "json")

    data = json.loads(written)
    assert code == 0
    assert [(board["dealer"], board["vulnerable"]) for board in data["boards"]] == [
        ("W", "All"),
        ("E", "None"),
    ]
    assert data["boards"][0]["par"] == {"score": 620, "contracts": ["4H-N"]}
    assert data["unread"] == [{"board": 3, "why": "Dealer is not N, E, S or W but Q"}]
    text = run(capsys, "analyse", file)[1]
    assert "Board 1: W deals, vulnerable All" in text
    assert "Board 3: Dealer is not N, E, S or W but Q." in text


def test_a_deal_without_an_answer_loses_no_other(tmp_path, capsys, monkeypatch):
    file = solved_by_others(tmp_path, "", "", "")
    hard = json.loads(DOUBLE_DUMMY.read_text())["boards"][1]["deal"]
    solve = SolverProcess.solve

    def give_up(solver, deal):
        if deal_from_north(deal) == deal_from_north(hard):
            raise NotSolved(deal)
        return solve(solver, deal)

    monkeypatch.setattr(SolverProcess, "solve", give_up)
    code, written, err = run(capsys, "analyse", file, "--format", "json")

    data = json.loads(written)
    assert (code, err) == (0, "")
    assert [board["board"] for board in data["boards"]] == [1, 3]
    assert data["unread"] == [{"board": 2, "why": "the solver gave no answer for these cards"}]


def test_without_what_solves_the_sentence_says_what_to_install(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(double_dummy, "is_installed", lambda: False)
    file = tmp_path / "deals.pbn"
    file.write_bytes(deals_as_pbn(deals_from_secret("secret", [1])))

    assert run(capsys, "analyse", str(file)) == (
        2,
        "",
        "Deals cannot be solved, because endplay is missing: pip install endplay\n",
    )


def test_boards_are_written_up_to_the_highest_and_so_many_at_most():
    assert making.parse_board_ranges("298 - 300, 1", 300, 4) == [298, 299, 300, 1]
    assert making.parse_board_ranges("298-300,1", 300, 3) is None
    assert making.parse_board_ranges("298-301", 300, 9) is None
    assert making.parse_board_ranges("0-1", 300, 9) is None
    assert making.parse_board_ranges("1,1", 300, 9) is None


def test_what_was_worked_out_of_a_deal_says_so():
    assert str(DoubleDummy(deal="N:…", tricks="12")) == "N:…: 12"
    assert str(DoubleDummy(deal="N:…")) == "N:…: not known"


def test_a_hand_is_told_spades_first_and_the_highest_of_each_suit():
    assert sorted_hand({"C2", "ST", "SA", "H3", "HK"}) == ["SA", "ST", "HK", "H3", "C2"]


def test_a_file_of_deals_says_that_it_is_one_to_be_read_by_others():
    lines = deals_as_pbn({7: deal_of_number(0)}).decode().split("\r\n")

    assert lines[:5] == ["% PBN 2.1", "% EXPORT", '[Event ""]', '[Board "7"]', '[Dealer "S"]']


def test_of_hands_that_are_typed_three_are_needed():
    found, wrong = read_typed_hands({"N": {"S": "A 10 3 3"}}, {})

    assert found == {"N": frozenset({"SA", "ST", "S3"})}
    assert [item.why for item in wrong] == ["twice", "count", "few"]
