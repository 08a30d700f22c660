"""Boards dealt here: a fingerprint first, words of anybody, then deals; and afterwards the secret, for who checks it."""

import subprocess
import sys
from collections import Counter

import pytest
from django.urls import reverse

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.deals.rules.hands import CARDS, SEATS, hands_of_deal
from bridgebuddy.deals.rules.making import commitment
from bridgebuddy.deals.rules.reading import read_deals
from bridgebuddy.deals.verification_script import dealt
from bridgebuddy.events.errors import AlreadyStarted
from bridgebuddy.events.services.play import rounds
from bridgebuddy.printing.slips.deal_slips import slips_of_board
from bridgebuddy.scoring.errors import AlreadyDealt, NoWord, WordsAreClosed
from bridgebuddy.scoring.models import Deal, DealGeneration
from bridgebuddy.scoring.results.dealing import deal_origin_of
from bridgebuddy.scoring.services.cards.dealing import (
    MOST_WORDS,
    add_word,
    begin_dealing,
    deal_boards,
    deal_without_witnesses,
)
from bridgebuddy.scoring.services.cards.deals import remove_deals, store_deals
from bridgebuddy.scoring.services.publishing import publish_results
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.director.reading import text
from tests.factories import director_of, section_with
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(db):
    return section_with(8, "howell")


def dealt_section(words=("tulip",)):
    section = section_with(8, "howell")
    begin_dealing(section, range(1, 8), by=None)
    for word in words:
        add_word(section, word, by=None)
    return section, deal_boards(section, by=None)


def test_the_fingerprint_is_kept_before_there_is_a_deal(section):
    begin_dealing(section, [1, 2, 3], by=None)

    dealing = DealGeneration.objects.get()
    record = AuditRecord.objects.filter(action="results.dealing").get()
    assert Deal.objects.count() == 0
    assert record.facts["fingerprint"] == dealing.fingerprint == commitment(dealing.secret)


def test_a_word_makes_every_deal_another(section):
    begin_dealing(section, [1, 2, 3], by=None)
    before = DealGeneration.objects.get().deals

    after = add_word(section, "  yellow   tulip ", by=None).deals

    assert DealGeneration.objects.get().words == ["yellow tulip"]
    assert all(before[board] != after[board] for board in before)


def test_once_dealt_no_word_is_added_and_nothing_is_dealt_again(section):
    begin_dealing(section, [1, 2], by=None)
    dealing = deal_boards(section, by=None)

    for refused in (
        lambda: add_word(section, "late", by=None),
        lambda: deal_boards(section, by=None),
    ):
        with pytest.raises(WordsAreClosed):
            refused()
    with pytest.raises(AlreadyDealt):
        begin_dealing(section, [1, 2], by=None)
    assert dict(Deal.objects.values_list("board", "pbn")) == dealing.deals


@pytest.mark.parametrize("word", ["", "   ", "x" * 41, "a\x00b"])
def test_what_is_no_word_is_refused(section, word):
    begin_dealing(section, [1], by=None)

    with pytest.raises(NoWord):
        add_word(section, word, by=None)


def test_there_is_an_end_to_words(section):
    begin_dealing(section, [1], by=None)
    for number in range(MOST_WORDS):
        add_word(section, f"word {number}", by=None)

    with pytest.raises(WordsAreClosed):
        add_word(section, "one more", by=None)


def test_taken_away_they_can_be_dealt_anew_from_another_secret():
    section, dealing = dealt_section()

    remove_deals(section, by=None)
    again = begin_dealing(section, [1], by=None)

    assert again.secret != dealing.secret
    assert Deal.objects.count() == 0


def test_another_implementation_finds_the_same_deals():
    _, dealing = dealt_section(["tulip", "Größe"])

    for board, pbn in dealing.deals.items():
        found = dict(
            zip(SEATS, map(frozenset, dealt(dealing.secret, board, dealing.words)), strict=True)
        )
        assert found == hands_of_deal(pbn)


# ── when the secret is told ──


def played():
    section = scored_section(rounds=7)
    begin_dealing(section, range(1, 4), by=None)
    deal_boards(section, by=None)
    return section


def test_the_secret_is_told_when_all_boards_have_been_played():
    section = played()
    last = section.plays.order_by("-round").first()
    result = last.results.get(stands=True)
    outcome = result.outcome
    for still in (None, {"pending": True}):
        result.outcome = still
        result.save()
        assert deal_origin_of(SessionSnapshot(section), section).may_publish_secret is False

    result.outcome = outcome
    result.save()

    assert deal_origin_of(SessionSnapshot(section), section).may_publish_secret is True


def test_published_while_somebody_plays_the_secret_and_the_cards_stay_shut(client):
    section = scored_section(rounds=2)
    begin_dealing(section, sorted({line.board for line in SessionSnapshot(section).lines}), by=None)
    dealing = deal_boards(section, by=None)
    token = publish_results(section, by=None).token

    page = client.get(reverse("public-deals", args=[token])).content.decode()

    assert dealing.fingerprint in page
    assert dealing.secret not in page
    for format in ("pbn", "lin"):
        answer = client.get(reverse("public-deals-file", args=[token, section.name, format]))
        assert answer.status_code == 302


def test_the_page_prints_a_program_that_finds_the_same(client):
    section = played()
    token = publish_results(section, by=None).token
    dealing = DealGeneration.objects.get()

    page = client.get(reverse("public-deals", args=[token])).content.decode()

    assert dealing.secret in page
    program = deal_origin_of(SessionSnapshot(section), section).program
    done = subprocess.run(
        [sys.executable, "-I", "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    fingerprint, *boards = done.stdout.splitlines()
    assert fingerprint == dealing.fingerprint
    first = hands_of_deal(dealing.deals[1])
    assert boards[0] == f"1 {[sorted(first[seat], key=CARDS.index) for seat in SEATS]}"
    assert len(deal_origin_of(SessionSnapshot(section), section).program.splitlines()) < 60


def test_boards_that_got_other_cards_since_are_named():
    section = played()
    store_deals(section, {2: DealGeneration.objects.get().deals[1]}, by=None)

    assert deal_origin_of(SessionSnapshot(section), section).otherwise_known_boards == "2"


def test_published_cards_come_as_files_that_can_be_read_again(client):
    section = played()
    token = publish_results(section, by=None).token

    for format in ("pbn", "lin"):
        answer = client.get(reverse("public-deals-file", args=[token, section.name, format]))
        assert answer["Content-Disposition"].endswith(f'.{format}"')
        assert read_deals(answer.content).deals == DealGeneration.objects.get().deals
    boards = client.get(reverse("public-boards", args=[token])).content.decode()
    assert reverse("public-deals", args=[token]) in boards


# ── pages ──


def test_a_director_deals_the_boards(client, section):
    client.force_login(director_of(section.club))
    address = reverse("deals", args=[section.code])

    wanted = {"boards": "1-3, 7", "witnesses": "on"}
    client.post(reverse("deals-make", args=[section.code]), wanted)
    page = client.get(address).content.decode()
    dealing = DealGeneration.objects.get()
    assert dealing.fingerprint in page
    assert dealing.secret not in page
    early = client.get(reverse("deals-file", args=[section.code, "pbn"]))
    assert early.status_code == 302

    client.post(reverse("deals-word", args=[section.code]), {"word": "tulip"})
    client.post(reverse("deals-close", args=[section.code]))

    dealing.refresh_from_db()
    for format, status in (("pbn", 200), ("lin", 200), ("dup", 302)):  # a gap in the boards
        answer = client.get(reverse("deals-file", args=[section.code, format]))
        assert answer.status_code == status
    again = client.get(reverse("deals-file", args=[section.code, "pbn"]))
    assert read_deals(again.content).deals == DealGeneration.objects.get().deals
    assert dealing.secret not in client.get(address).content.decode()


def test_one_press_deals_and_the_history_shows_no_fingerprint(client, section):
    client.force_login(director_of(section.club))

    answer = client.post(reverse("deals-make", args=[section.code]), {"boards": "1-7"}, follow=True)

    dealing = DealGeneration.objects.get()
    page = answer.content.decode()
    assert "The boards are dealt. No one has seen any cards." in page
    assert dealing.closed_at is not None
    assert dict(Deal.objects.values_list("board", "pbn")) == dealing.deals
    assert dealing.fingerprint in page.partition("<summary>Fingerprint, and how to check")[2]
    assert "It was made together with the deals" in page
    assert "before there was a deal" not in page
    desk = client.get(reverse("desk", args=[section.code])).content.decode()
    assert "7 boards are dealt here." in desk
    assert dealing.fingerprint not in desk


def test_boards_dealt_before_there_is_a_movement_are_known_and_hidden(client, club, alice):
    section = section_with(8, None, club=club, by=alice)
    client.force_login(alice)
    client.post(reverse("deals-make", args=[section.code]), {"boards": "1-24"})

    page = text(client.get(reverse("deals", args=[section.code])))

    assert "Boards 1–24 are dealt, and hidden until they are played" in page
    assert "The cards of no board are known" not in page
    assert "belong to no board" not in page
    assert "match" not in page


def test_cards_of_other_boards_are_explained_by_matches_only_where_matches_are_played(
    client, section
):
    client.force_login(director_of(section.club))
    deal_without_witnesses(section, [30], by=None)

    page = text(client.get(reverse("deals", args=[section.code])))

    assert "Board 30 is dealt, and hidden until it is played" in page
    assert "The saved cards belong to no board of this session’s movement." in page
    assert "Each match shuffles its own boards" not in page


def test_a_fingerprint_without_deals_is_discarded_by_its_name(client, section):
    client.force_login(director_of(section.club))
    address = reverse("deals", args=[section.code])
    client.post(reverse("deals-make", args=[section.code]), {"boards": "1-7", "witnesses": "on"})

    page = client.get(address).content.decode()
    assert "Discard the fingerprint" in page
    assert "Remove the deals" not in page
    client.post(reverse("deals-away", args=[section.code]))

    assert not DealGeneration.objects.exists()


def test_deals_in_one_step_are_refused_under_the_lock_once_round_1_has_begun(section):
    rounds.start_next_round(section, after=0, by=director_of(section.club))

    with pytest.raises(AlreadyStarted):
        deal_without_witnesses(section, [1, 2], by=None)  # with a section read before

    assert not DealGeneration.objects.exists()


@pytest.mark.parametrize("is_drawn", [True, False])
def test_boards_in_play_are_not_dealt(client, is_drawn):
    section = section_with(8, "howell")
    by = director_of(section.club)
    client.force_login(by)
    if is_drawn:
        begin_dealing(section, [1, 2], by=by)
    rounds.start_next_round(section, after=0, by=by)

    page = client.get(reverse("deals", args=[section.code])).content.decode()
    step = "deals-close" if is_drawn else "deals-make"
    client.post(reverse(step, args=[section.code]), {"boards": "1-7"})

    assert "Round 1 has begun: the boards in play already have their cards." in page
    assert reverse(step, args=[section.code]) not in page
    assert not Deal.objects.exists()


@pytest.mark.parametrize("boards", ["", "0-4", "1-301", "4-1", "x"])
def test_what_are_no_boards_is_said(client, section, boards):
    client.force_login(director_of(section.club))

    client.post(reverse("deals-make", args=[section.code]), {"boards": boards})

    assert DealGeneration.objects.count() == 0


def test_somebody_adds_a_word_on_a_phone(client, section):
    begin_dealing(section, [1], by=None)
    address = reverse("player-deals", args=[section.code])
    assert DealGeneration.objects.get().fingerprint in client.get(address).content.decode()

    client.post(reverse("player-deals-word", args=[section.code]), {"word": "tulip"})
    deal_boards(section, by=None)
    client.post(reverse("player-deals-word", args=[section.code]), {"word": "late"})

    page = client.get(address).content.decode()
    assert DealGeneration.objects.get().words == ["tulip"]
    assert "tulip" in page
    assert DealGeneration.objects.get().secret not in page


# ── slips ──


def test_both_slips_of_a_board_together_are_its_deal():
    _, dealing = dealt_section()

    for board, pbn in dealing.deals.items():
        cards, seats = (
            [item for row in slip.rows for item in row] for slip in slips_of_board(dealing, board)
        )
        found = {seat: set() for seat in SEATS}
        for card, seat in zip(reversed(cards), seats, strict=True):
            found[seat].add(card)

        assert {seat: frozenset(hand) for seat, hand in found.items()} == hands_of_deal(pbn)
        assert sorted(cards) == sorted(CARDS)
        assert Counter(seats) == dict.fromkeys(SEATS, 13)


def test_deals_are_reached_made_and_exported_before_round_1(client):
    section = section_with(8, "howell")
    client.force_login(director_of(section.club))
    address = reverse("deals", args=[section.code])
    for name in ("entries", "choose-movement", "print", "desk"):
        page = client.get(reverse(name, args=[section.code])).content.decode()
        assert f'href="{address}"' in page, name

    client.post(reverse("deals-make", args=[section.code]), {"boards": "1-7"})
    page = client.get(address).content.decode()

    assert reverse("print-preview", args=[section.code, "deal-slips"]) in page
    assert f'href="{reverse("results", args=[section.code])}"' not in page
    for kind in ("pbn", "dup", "lin"):
        assert client.get(reverse("deals-file", args=[section.code, kind])).status_code == 200
    assert sorted(Deal.objects.values_list("board", flat=True)) == list(range(1, 8))


def test_the_page_says_which_draw_it_is_and_names_those_discarded(client):
    section, first = dealt_section()
    client.force_login(director_of(section.club))
    address = reverse("deals", args=[section.code])
    phone = reverse("player-deals", args=[section.code])
    assert "This is the first draw of this session." in client.get(address).content.decode()

    remove_deals(section, by=None)
    AuditRecord.objects.filter(action="results.deals_back").update(reason="A board was seen")
    second = begin_dealing(section, range(1, 8), by=None)
    remove_deals(section, by=None)
    begin_dealing(section, range(1, 8), by=None)
    director, players = (client.get(page).content.decode() for page in (address, phone))

    for page in (director, players):
        assert "This is draw 3 of this session." in page
        assert page.index(first.fingerprint) < page.index(second.fingerprint)
    assert "A board was seen" in director
    assert "A board was seen" not in players
