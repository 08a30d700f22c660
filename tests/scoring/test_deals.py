"""Files of deals: read in three formats, checked, stored, and hidden from players who will still play them."""

import json
import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.template import Context, Template
from django.urls import reverse
from django.utils import translation

from bridgebuddy.deals.rules.reading import BoardProblem, DealsFile, NoDeals, read_deals
from bridgebuddy.scoring.checks.result_checks import SectionDoubts
from bridgebuddy.scoring.files.exports import FORMATS, exported_session
from bridgebuddy.scoring.models import Deal
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheets import Traveller
from bridgebuddy.scoring.services.cards.deals import store_deals
from bridgebuddy.scoring.services.publishing import publish_results
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.words import card_text
from tests.events.test_sections import divided
from tests.factories import begun, director_of
from tests.scoring.test_tonight import enter_by_chance, scored_section

FACTS = Path(__file__).parent.parent / "data" / "scoring" / "deals_double_dummy.json"
NORTH = "AK83.QT4.AJ.9872"
EAST, SOUTH, WEST = "QT5.A2.T9876.KQ3", "J94.K9873.Q52.A4", "762.J65.K43.JT65"
ONE = f"N:{NORTH} {EAST} {SOUTH} {WEST}"


def pbn(board, deal, dealer):
    return f'[Event "x"]\n[Board "{board}"]\n[Dealer "{dealer}"]\n[Deal "{deal}"]\n\n'


def lin_hand(hand):
    return "".join(suit + ranks for suit, ranks in zip("SHDC", hand.split("."), strict=True))


def numbered(hand):
    return "".join(
        f"{13 * 'SHDC'.index(suit) + 'AKQJT98765432'.index(rank) + 1:02}"
        for suit, ranks in zip("SHDC", hand.split("."), strict=True)
        for rank in ranks
    )


def dup(*hands, lowest="1"):
    cards = "".join(map(numbered, hands))
    return (cards + "." * 68 + f"YN{lowest:<3}1 32 ").encode()


@pytest.mark.parametrize("number", ["0", "1000", "9" * 5000, "-1", "x", ""])
def test_a_number_that_no_board_has_is_left_out_and_the_other_boards_are_read(number):
    text = pbn(number, ONE, "N") + pbn("0004", ONE, "W")
    assert list(read_deals(text.encode()).deals) == [4]


@pytest.mark.parametrize(("number", "boards"), [(1, [1, 5]), (999, [999, 5]), (0, [5])])
def test_a_board_of_lin_has_a_number_from_1_to_999(number, boards):
    text = "".join(f"qx|o{board}|md|3{LIN},|pg||" for board in (number, 5))

    assert list(read_deals(text.encode(), as_file_says=True).deals) == boards


def test_the_three_formats_say_the_same_deal():
    rotated = f"S:{SOUTH} {WEST} {NORTH} {EAST}"
    lin = ",".join(map(lin_hand, (SOUTH, WEST, NORTH)))
    assert read_deals(pbn(1, ONE, "N").encode()).deals == {1: ONE}
    assert read_deals(pbn(5, rotated, "N").encode()).deals == {5: ONE}
    assert read_deals(f"qx|o7|md|1{lin},|rh||ah|Board 7|sv|b|pg||".encode()).deals == {7: ONE}
    assert read_deals(f"md|3{lin}|ah|Board 1|pg||\nmd|4{lin}|ah|Board 2|pg||".encode()).deals == {
        1: ONE,
        2: ONE,
    }
    assert read_deals(dup(NORTH, EAST, SOUTH) * 2).deals == {1: ONE, 2: ONE}
    assert read_deals(dup(NORTH, EAST, SOUTH, lowest="17")).deals == {17: ONE}


@pytest.mark.parametrize("fact", json.loads(FACTS.read_text())["boards"])
def test_known_deals_are_read(fact):
    text = f'[Board "1"][Deal "{fact["deal"]}"]'
    (found,) = read_deals(text.encode()).deals.values()
    assert sorted(found[2:].split()) == sorted(fact["deal"][2:].split())


def test_what_is_wrong_with_a_board_is_told_and_the_others_are_kept():
    wrong = ONE.replace("AK83", "AA83")
    turned = f"N:{EAST} {SOUTH} {WEST} {NORTH}"
    text = pbn(1, ONE, "N") + pbn(2, wrong, "E") + pbn(3, ONE, "N") + pbn(1, turned, "N")
    deals = read_deals(text.encode())
    assert deals.deals == {1: ONE}
    assert deals.problems == (
        BoardProblem(2, "cards"),
        BoardProblem(3, "dealer", "N"),
        BoardProblem(1, "twice"),
    )


def tagged(board, *tags):
    """A game of PBN with these tags before and after its deal, in this order."""
    found = [f'[{name} "{value}"]' for name, value in tags]
    return "\n".join(['[Event ""]', f'[Board "{board}"]', *found, ""])


LIN = ",".join(map(lin_hand, (SOUTH, WEST, NORTH)))
DEAL = ("Deal", ONE)
#: a board with the dealer and vulnerability of another number: the text, that number, the tag and its value
OTHER_CONDITIONS = [
    (tagged(23, ("Dealer", "S"), ("Vulnerable", "None"), DEAL), 11, "vulnerable", "None"),
    (tagged(23, DEAL, ("Vulnerable", "EW")), 3, "vulnerable", "EW"),  # the tags stand in any order
    (tagged(23, ("Dealer", "N"), ("Vulnerable", "All"), DEAL), 13, "dealer", "N"),
    (tagged(1, ("Dealer", "west"), ("Vulnerable", "Both"), DEAL), 4, "dealer", "west"),
    (f'[Event ""][Vulnerable "NS"][Board "1"][Deal "{ONE}"]', 5, "vulnerable", "NS"),
    (f"qx|o7|md|1{LIN},|sv|o|pg||", 11, "vulnerable", "o"),
    (f"qx|o7|md|3{LIN},|sv|b|pg||", 13, "dealer", "N"),
]


@pytest.mark.parametrize(("text", "number", "tag", "said"), OTHER_CONDITIONS)
def test_a_session_refuses_other_conditions_and_an_analysis_takes_them(text, number, tag, said):
    [board] = {int(item) for item in re.findall(r'(?:Board "|qx.o)(\d+)', text)}

    assert read_deals(text.encode()) == DealsFile({}, (BoardProblem(board, tag, said),))
    deals = read_deals(text.encode(), as_file_says=True)
    assert (deals.deals, deals.conditions, deals.problems) == ({board: ONE}, {board: number}, ())
    assert deals.board_with_same_conditions(board) == number


@pytest.mark.parametrize(
    ("tags", "problem"),
    [
        ([("Dealer", "?"), ("Vulnerable", ""), DEAL], None),
        ([("Dealer", "s"), ("Vulnerable", "all"), DEAL], None),
        ([("Dealer", "South"), ("Vulnerable", "Both"), DEAL], None),
        ([("Dealer", "X"), DEAL], BoardProblem(23, "dealer", "X")),
        ([("Vulnerable", "Nobody"), DEAL], BoardProblem(23, "vulnerable", "Nobody")),
    ],
)
@pytest.mark.parametrize("as_file_says", [True, False])
def test_tags_that_say_nothing_are_passed_over_and_unknown_ones_refused(
    tags, problem, as_file_says
):
    deals = read_deals(tagged(23, *tags).encode(), as_file_says=as_file_says)

    assert deals.problems == ((problem,) if problem else ())
    assert (deals.deals, deals.conditions) == ({} if problem else {23: ONE}, {})


@pytest.mark.parametrize(
    ("board", "words"),
    [
        (1, ("None", "Love", "-", "o", "0")),
        (2, ("NS", "N-S", "n")),
        (3, ("EW", "E-W", "e")),
        (4, ("All", "Both", "b")),
    ],
)
def test_each_programs_words_for_the_vulnerability_are_read(board, words):
    for word in words:
        deals = read_deals(tagged(board, ("Vulnerable", word), DEAL).encode())

        assert (deals.deals, deals.problems) == ({board: ONE}, ()), word


def test_a_board_twice_with_other_conditions_is_told():
    text = tagged(1, DEAL) + tagged(1, ("Vulnerable", "All"), DEAL)

    deals = read_deals(text.encode(), as_file_says=True)

    assert (deals.deals, deals.problems) == ({1: ONE}, (BoardProblem(1, "twice"),))


def test_a_tag_before_the_number_belongs_to_its_own_game():
    text = tagged(1, DEAL) + f'[Event ""][Dealer "E"][Board "2"][Deal "{ONE}"]'

    assert read_deals(text.encode()) == DealsFile({1: ONE, 2: ONE})


def test_dup_has_the_conditions_of_its_numbers():
    deals = read_deals(dup(NORTH, EAST, SOUTH, lowest="23"), as_file_says=True)

    assert (deals.deals, deals.conditions) == ({23: ONE}, {})


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "unknown"),
        (b"\x00\xff" * 200, "unknown"),
        (b"x" * 1_000_000, "unknown"),
        (b"x" * 1_000_001, "large"),
        (pbn(1, ONE, "N").encode() * 100_000, "large"),  # 10 MB of deals
        (pbn(1, ONE, "N").encode() * 301, "many"),
        (b"[Board " * 20_000, "unknown"),
        (b"md|1,|\n" * 20_000, "many"),
    ],
)
def test_what_is_no_file_of_deals_is_refused(data, why):
    with pytest.raises(NoDeals) as refused:
        read_deals(data)
    assert refused.value.why == why


FULL = "".join(pbn(board, ONE, "NESW"[(board - 1) % 4]) for board in range(1, 21))
TWENTY = set(range(1, 21))


def test_what_looks_like_lin_in_a_comment_of_pbn_is_a_comment():
    lin = ",".join(map(lin_hand, (SOUTH, WEST, NORTH)))
    text = FULL.replace("\n\n", "\n{md|1" + lin + ",|}\n; md|1" + lin + ",|\n%md|1x|\n\n", 1)

    assert set(read_deals(text.encode()).deals) == TWENTY
    assert (
        set(read_deals(f'{{ [Board "30"] }}{text} {{ nothing closes this'.encode()).deals) == TWENTY
    )


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", "\ufeff"),
        ("utf-16-le", "\ufeff"),
        ("utf-16-be", "\ufeff"),
        ("utf-16-le", ""),
        ("utf-16-be", ""),
        ("latin-1", ""),
    ],
)
def test_a_file_is_read_however_its_letters_are_written(encoding, mark):
    text = f"{mark}% Jürgens Verteilungen\r\n{FULL}".replace("\n", "\r\n")

    assert read_deals(text.encode(encoding)).deals == dict.fromkeys(range(1, 21), ONE)


def test_signs_that_are_none_between_deals_are_passed_over():
    text = FULL.encode().replace(b"\n\n", b"\n\0\n")

    assert read_deals(text).deals == dict.fromkeys(range(1, 21), ONE)


def test_a_second_room_has_the_deal_of_the_first():
    games = [
        f'[Event "x"]\n[Board "{board}"]\n[Deal "{ONE}"]\n[Event "#"]\n[Board "#"]\n[Deal "#"]\n'
        for board in (1, 2)
    ]

    assert read_deals("".join(games).encode()) == DealsFile({1: ONE, 2: ONE})


@pytest.mark.parametrize(
    "three",
    [
        f"N:{NORTH} {EAST} {SOUTH} -",
        f"N:{NORTH} - {SOUTH} {WEST}",
        f"N:{NORTH} {EAST} {SOUTH}",
        f"S:{SOUTH} {WEST} {NORTH}",
    ],
)
def test_of_three_hands_the_fourth_follows(three):
    assert read_deals(pbn(1, three, "N").encode()).deals == {1: ONE}


@pytest.mark.parametrize(
    "wrong",
    [
        ONE.replace("AK83", "AAK83"),  # 53 cards: one twice in a hand
        ONE.replace("A2", "A32"),  # 53: one in two hands
        f"N:{NORTH} {EAST} - -",
        f"N:{NORTH} {EAST} {SOUTH.replace('J94', 'J943')} -",
        f"N:{NORTH} {EAST} {SOUTH} 762.J65.K43",
    ],
)
def test_what_is_not_52_cards_is_told(wrong):
    assert read_deals((pbn(1, wrong, "N") + pbn(2, ONE, "E")).encode()) == DealsFile(
        {2: ONE}, (BoardProblem(1, "cards"),)
    )
    lin = f"md|3{lin_hand(SOUTH)},{lin_hand(WEST)},{lin_hand(NORTH).replace('A', 'AA', 1)},|ah|Board 1|"
    assert read_deals(lin.encode()).problems == (BoardProblem(1, "cards"),)


def test_boards_of_a_file_without_cards_are_told():
    named = "".join(f'[Board "{board}"]\n[Deal ""]\n' for board in range(2, 21))
    lin = "md|3" + ",".join(map(lin_hand, (SOUTH, WEST, NORTH)))

    deals = read_deals((pbn(1, ONE, "N") + named).encode())

    assert deals.deals == {1: ONE}
    assert deals.problems == tuple(BoardProblem(board, "none") for board in range(2, 21))
    lin_file = f"qx|o1|{lin},|pg||qx|o2|rh||pg||qx|c1|md|3,,,|pg||"
    assert read_deals(lin_file.encode()) == DealsFile({1: ONE}, (BoardProblem(2, "none"),))


def test_a_hand_of_twelve_cards_is_no_deal():
    assert read_deals(dup(NORTH, EAST, NORTH)).problems == (BoardProblem(1, "cards"),)


@pytest.fixture
def section(db):
    return scored_section(8, "howell", rounds=3)


def deal_form(text, how="", name="deals.pbn"):
    return {"file": SimpleUploadedFile(name, text.encode()), "how": how}


def dealt(first, last):
    return "".join(pbn(board, ONE, "NESW"[(board - 1) % 4]) for board in range(first, last + 1))


def boards_known():
    return list(Deal.objects.order_by("board").values_list("board", flat=True))


def test_a_second_file_takes_the_place_of_the_first_or_comes_to_it_as_asked(client, section):
    client.force_login(director_of(section.club))
    address = reverse("deals", args=[section.code])
    assert "Cards already saved" not in client.get(address).content.decode()
    client.post(address, deal_form(dealt(1, 30)))
    assert "Cards already saved" in client.get(address).content.decode()

    added = client.post(address, deal_form(dealt(20, 36), "add"), follow=True).content.decode()
    assert "The cards of 17 boards are saved. Those of board 1–19 stay as they were." in added
    assert boards_known() == list(range(1, 37))

    replaced = client.post(
        address, deal_form(dealt(1, 24), "replace"), follow=True
    ).content.decode()
    assert "24 boards are saved. Those of board 25–36 were taken away." in replaced
    assert boards_known() == list(range(1, 25))

    client.post(address, deal_form(dealt(25, 26)))  # from a page that asked nothing
    assert boards_known() == list(range(1, 27))


@pytest.mark.parametrize("same_deals", [True, False])
def test_a_file_of_two_sections_is_of_both_or_of_the_one_it_was_given_to(club, alice, same_deals):
    one, _other = divided(12, by=alice, club=club, family="howell", same_deals=same_deals)
    boards = range(1, 60)  # those of both, where the second goes on after the first

    store_deals(one, dict.fromkeys(boards, ONE), by=None)

    tonight = SessionSnapshot(one)
    known = {
        section.name: any(tonight.cards(section, board) for board in boards)
        for section in tonight.sections
    }
    assert known == {"A": True, "B": same_deals}
    assert set(Deal.objects.values_list("section", flat=True)) == {None if same_deals else one.pk}


def test_boards_of_a_file_that_nobody_plays_and_boards_without_cards_are_told(client, section):
    client.force_login(director_of(section.club))
    address = reverse("deals", args=[section.code])

    page = client.post(
        address, deal_form(dealt(1, 20) + '[Board "21"]' + dealt(22, 36)), follow=True
    ).content.decode()

    assert "The cards of 35 boards are saved." in page
    assert "The file has no cards of board 21." in page
    assert "Not in the present plan, but saved: board 22–36 of this file" in page
    assert "The cards of 20 of 21 boards are known" in page
    assert "Without cards: board 21." in page


def test_where_every_match_shuffles_its_cards_a_file_says_nothing_of_them(client, db):
    section = scored_section(8, "swiss", contest="teams")
    client.force_login(director_of(section.club))
    address = reverse("deals", args=[section.code])
    client.post(address, deal_form(dealt(1, 28)))

    page = " ".join(client.get(address).content.decode().split())

    assert "The saved cards belong to no board of this session" in page
    assert "Remove the deals" in page


def test_a_file_is_stored_and_shows_where_everybody_has_played(client, section):
    client.force_login(director_of(section.club))
    address = reverse("deals", args=[section.code])
    text = "".join(pbn(board, ONE, "NESW"[(board - 1) % 4]) for board in range(1, 22))

    answer = client.post(address, deal_form(text + pbn(30, ONE, "N")), follow=True)

    page = answer.content.decode()
    assert "The cards of all 21 boards are known" in page
    assert "board 30" in page  # its dealer is East
    assert Deal.objects.filter(session=section.session, section=None).count() == 21
    board = section.plays.first().board
    tonight = SessionSnapshot(section)
    assert tonight.cards(section, board).pbn == ONE
    assert Traveller(ScoredSession(tonight), section, board).cards is None
    hidden = client.get(reverse("board-results", args=[section.code, board])).content.decode()
    assert 'class="cards"' not in hidden
    token = publish_results(section, by=None).token
    public = reverse("public-board", args=[token, "A", board])
    assert 'class="cards"' not in client.get(public).content.decode()

    section = begun(section, 7)
    enter_by_chance(section, seed=4)

    assert 'class="cards"' in client.get(public).content.decode()
    shown = client.get(reverse("board-results", args=[section.code, board])).content.decode()
    assert 'class="hand n"' in shown
    for name, written in (("pbn", f'[Deal "{ONE}"]'), ("usebio", "<SPADES>AK83</SPADES>")):
        assert (
            written
            in FORMATS[name]
            .file(exported_session(ScoredSession(SessionSnapshot(section))))
            .decode()
        )

    client.post(reverse("deals-away", args=[section.code]))
    assert not Deal.objects.exists()


def test_a_file_without_deals_says_so_and_stores_nothing(client, section):
    client.force_login(director_of(section.club))
    address = reverse("deals", args=[section.code])
    for data in (deal_form("nothing"), {}, deal_form(pbn(2, ONE, "N"))):
        answer = client.post(address, data)
        assert answer.status_code == 422
    assert (
        "The dealer in the file does not match the board number, which counts for scoring: board 2."
        in answer.content.decode()
    )
    lesson = deal_form(tagged(1, ("Dealer", "N"), ("Vulnerable", "All"), DEAL))
    assert (
        "The vulnerability in the file does not match the board number, which counts for scoring: board 1."
        in client.post(address, lesson).content.decode()
    )
    assert not Deal.objects.exists()


def test_a_lead_from_another_hand_is_found_and_keeps_its_result(client, section):
    play = section.plays.exclude(ns=None).exclude(ew=None).first()
    outcome = {"contract": "3NT", "declarer": "S", "tricks": 9, "lead": "SA"}
    enter_result(section, play.pk, outcome, by=None)
    store_deals(section, {play.board: ONE}, by=None)

    tonight = SessionSnapshot(section)
    found = [row for row in SectionDoubts(tonight).open_doubts if row.kind == "lead"]

    assert [(row.line.play, row.is_sure) for row in found] == [(play.pk, True)]
    assert found[0].facts == {"lead": "SA", "leader": "W", "holder": "N"}
    assert ScoredSession(tonight).score(tonight.line_of(play.pk)) is not None
    client.force_login(director_of(section.club))
    page = client.get(reverse("look-at", args=[section.code])).content.decode()
    assert "A of spades is North’s card, and West was to lead." in page


@pytest.mark.parametrize(
    ("language", "held", "led"),
    [("en", "A Q 10 4", "Q of spades"), ("de", "A D 10 4", "Pik D")],
)
def test_court_cards_are_named_in_the_readers_language(language, held, led):
    with translation.override(language):
        page = Template("{% load results %}{{ held|ranks }}").render(Context({"held": "AQT4"}))
        assert (page, card_text("SQ")) == (held, led)
