"""Two sections that share at opposite places use each other's stand."""

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.queries.plan_cache import kept_plan
from bridgebuddy.events.queries.sessions.lent_boards import (
    extra_copy_sentence,
    lending_to,
    lent_boards_sentence,
)
from bridgebuddy.events.queries.sessions.sections import section_by_code
from bridgebuddy.events.services.play.rounds import finish_session, start_next_round
from bridgebuddy.events.services.setup.movement import choose_movement
from bridgebuddy.events.services.setup.sections import divide_entries
from bridgebuddy.printing.cards.guide_cards import guide_sheets
from bridgebuddy.printing.cards.stand_cards import stand_cards
from bridgebuddy.printing.cards.table_cards import table_cards
from bridgebuddy.printing.context import PrintJob
from bridgebuddy.printing.lists.master_words import master_sheet_notes
from tests.director.reading import text
from tests.factories import section_with

pytestmark = pytest.mark.django_db

OF_A = (
    "Sections A and B need not share boards if they play in step. Table 6 of A takes its boards "
    "from the stand of B after table 6. It brings them back after the round."
)
OF_B = (
    "Sections B and A need not share boards if they play in step. Table 4 of B takes its boards "
    "from the stand of A after table 3. It brings them back after the round."
)


def divided(club, alice, *, same_deals=True, options=({}, {"opposite": True})):
    """Divide 24 pairs into two sections of 6 tables, each with a Share-and-Relay."""
    section = section_with(24, club=club, by=alice)
    keys = [*section.entries.order_by("position").values_list("pk", flat=True)]
    halves = divide_entries(section, [keys[:12], keys[12:]], same_deals=same_deals, by=alice)
    for half, chosen in zip(halves, options, strict=True):
        choose_movement(half, "share-and-relay", boards_per_round=4, options=chosen, by=alice)
    return [section_by_code(half.code) for half in halves]


def sentence(section):
    return lent_boards_sentence(section, lending_to(section))


def test_each_section_is_told_which_table_takes_boards_from_the_other_ones_stand(club, alice):
    first, second = divided(club, alice)

    assert (sentence(first), sentence(second)) == (OF_A, OF_B)
    assert (lending_to(first).letter, lending_to(second).letter) == ("B", "A")


@pytest.mark.parametrize(
    "other",
    [
        {"options": ({}, {})},
        {"options": ({}, {"opposite": True, "begins": 3})},
        {"options": ({}, {"two_copies": True})},
        {"same_deals": False},
    ],
)
def test_sections_that_cannot_are_told_nothing(club, alice, other):
    for section in divided(club, alice, **other):
        assert sentence(section) == ""


def test_a_section_alone_has_no_other_stand(club, alice):
    assert sentence(section_with(12, "share-and-relay", club=club, by=alice)) == ""


def test_the_choice_and_the_directors_sheet_say_it(club, alice, signed_in):
    first, second = divided(club, alice, options=({}, {}))
    chosen = {"family": "share-and-relay", "size": "6x4", "option-opposite": "yes"}

    address = reverse("choose-movement", args=[second.code])
    said = text(signed_in(alice).post(address, chosen, follow=True))

    assert OF_B in said
    sheets = [
        [
            *master_sheet_notes(
                PrintJob(SectionPlan.of(section_by_code(item.code)), "a4", "http://x")
            )
        ]
        for item in (first, second)
    ]
    assert [OF_A in sheets[0], OF_B in sheets[1]] == [True, True]
    assert Section.objects.get(pk=second.pk).movement_options == {"opposite": True}


def test_the_call_says_which_boards_come_from_the_other_stand_and_how_the_own_ones_pass_that_table(
    club, alice
):
    first, _second = divided(club, alice)
    calls = SectionPlan.of(first).announcements

    assert calls.announcement_after(1).spoken_now == (
        "East-West move up one table. Boards move down one. "
        "Table 4 puts its boards on the stand, table 3 takes from there. "
        "Table 1’s boards go to table 5. "
        "Table 6 exchanges its boards for 5–8 from section B’s stand."
    )
    assert max(len(calls.announcement_after(round).text.split()) for round in range(1, 6)) <= 40


def test_no_tables_share_and_the_desk_names_the_section_that_lends(club, alice, signed_in):
    first, _second = divided(club, alice)
    plan = SectionPlan.of(first)

    [borrowing] = [game for game in plan.evening.games[1] if game.table == 6]
    own = [game for game in plan.evening.games[1] if game.table == 1]
    assert [plan.boards.tables_sharing_with(game) for game in (borrowing, *own)] == [(), ()]
    assert plan.boards_after(own[0])[0].tables == (5,)
    page = text(signed_in(alice).get(reverse("desk", args=[first.code])))
    assert page.count("boards from the stand of section B") == 1
    assert "shares with" not in page


def test_cards_say_it_at_the_table_that_borrows_and_at_no_other(club, alice):
    first, _second = divided(club, alice)
    job = PrintJob(SectionPlan.of(first), "a4", "http://x")
    cards = {card.table: card for card in table_cards(job)}
    note = (
        "Every round: take your boards from the stand of section B, after its table 6, "
        "and bring them back after the round."
    )

    assert [table for table, card in cards.items() if note in card.notes] == [6]
    otherwise = "If section B is in another round, share the boards of table 1."
    assert [table for table, card in cards.items() if otherwise in card.notes] == [6]
    shares = [note for card in cards.values() for note in card.notes if "share" in note]
    assert shares == [otherwise]
    words = [line for column in cards[6].columns for block in column.blocks for line in block.rows]
    assert words.count("from section B") == words.count("Boards back to section B") == 6
    [stand] = stand_cards(job)
    assert stand.where == "After table 3; table 4 of section B plays what waits here"
    notes = {
        card.contestant.number: card.notes for sheet in guide_sheets(job) for card in sheet.cards
    }
    # East-West 1 come to table 6 in round 6
    assert "In round 6 your boards are on the stand of section B." in notes[7]


def test_a_phone_is_sent_to_the_other_stand(club, alice, client):
    first, _second = divided(club, alice)
    start_next_round(first, after=0, by=alice)

    def phone(label):
        return text(client.get(reverse("player", args=[first.code, label])))

    take = "Take boards 1–4 from the stand of section B, after table 6, and bring them back"
    assert [take in phone(label) for label in ("NS6", "EW6", "NS1", "NS5")] == [
        *(True, True),
        *(False, False),
    ]
    assert "share the boards" not in phone("NS1")


def test_while_the_other_section_is_in_another_round_call_desk_and_phones_say_who_shares(
    club, alice, client, signed_in, django_capture_on_commit_callbacks
):
    first, second = divided(club, alice)
    for section in (first, second, first):
        start_next_round(section, after=section_by_code(section.code).round, by=alice)

    def pages_of_break():
        """The call after round 2, the desk, and the phones of tables 6 and 1 in round 2."""
        plan = kept_plan(section_by_code(first.code))
        desk = text(signed_in(alice).get(reverse("desk", args=[first.code])))
        phones = [
            text(client.get(reverse("player", args=[first.code, pair]))) for pair in ("NS6", "NS1")
        ]
        return plan.announcements.announcement_after(2).spoken_now, desk, phones

    call, desk, phones = pages_of_break()
    assert call.endswith("Table 6 shares boards with table 1.")
    assert "boards from the stand of section B" not in desk
    assert [
        "from the stand of section B, after table 6" in phone.split("Round 3")[0]
        for phone in phones
    ] == [
        False,
        False,
    ]
    assert "share the boards" in phones[0].lower()

    with django_capture_on_commit_callbacks(execute=True):
        start_next_round(second, after=1, by=alice)

    call, desk, phones = pages_of_break()
    assert call.endswith("Table 6 exchanges its boards for 9–12 from section B’s stand.")
    assert "boards from the stand of section B" in desk
    assert "Take boards 5–8 from the stand of section B" in phones[0]


@pytest.mark.parametrize("sheet", ["table-cards", "guide-cards", "master"])
def test_paper_says_the_same_in_whatever_round_the_other_section_is(club, alice, signed_in, sheet):
    first, second = divided(club, alice)
    address = reverse("print-preview", args=[first.code, sheet])
    browser = signed_in(alice)

    def printed():
        return text(browser.get(address, {"time": "all"})).split("Version")[0]

    planned = printed()
    start_next_round(first, after=0, by=alice)
    one_ahead = printed()
    for after in (0, 1, 2):
        start_next_round(second, after=after, by=alice)

    assert "section B" in planned or "stand of B" in planned
    assert not kept_plan(section_by_code(first.code)).lending.is_in_step(2)
    assert (one_ahead, printed()) == (planned, planned)


@pytest.mark.parametrize("rounds_ahead", [1, 2])
def test_boards_go_back_when_the_other_section_has_begun_a_later_round(club, alice, rounds_ahead):
    first, second = divided(club, alice)
    for section in (first, second):
        start_next_round(section, after=0, by=alice)
    plan = SectionPlan.of(section_by_code(first.code))
    assert "Table 6 exchanges its boards" in plan.announcements.announcement_after(1).text

    for round in range(1, 1 + rounds_ahead):
        start_next_round(second, after=round, by=alice)

    plan = SectionPlan.of(section_by_code(first.code))
    [now] = [game for game in plan.evening.games[1] if game.table == 6]
    assert plan.boards.borrowed_set(now) is not None  # it is played until the round ends
    call = plan.announcements.announcement_after(1)
    assert len(call.text.split()) <= 40
    if rounds_ahead == 1:  # the other section is in the round that follows here
        assert "Table 6 exchanges its boards" in call.text
        return
    assert call.spoken_now.endswith("Table 6 brings its boards back and shares with table 1.")
    [table] = [game for game in plan.evening.games[2] if game.table == 6]
    assert (plan.boards.borrowed_set(table), plan.boards.tables_sharing_with(table)) == (None, (1,))
    assert [plan.lending.is_in_step(round) for round in range(1, 7)] == [
        *(True, False),
        *(True, True, True, True),
    ]


def test_a_table_that_shared_at_the_start_of_a_round_takes_nothing_back(club, alice):
    first, second = divided(club, alice)
    for section, after in ((first, 0), (second, 0), (second, 1), (second, 2), (first, 1)):
        start_next_round(section, after=after, by=alice)

    plan = SectionPlan.of(section_by_code(first.code))

    assert (plan.lending.is_in_step(2), plan.lending.is_in_step(3)) == (False, True)
    assert "Table 6 takes" in plan.announcements.announcement_after(2).text
    assert "back" not in plan.announcements.announcement_after(2).text


def test_the_last_round_keeps_its_boards_when_the_other_section_ends_first(club, alice):
    first, second = divided(club, alice)
    last = first.movement.movement.rounds
    for after in range(last):
        for section in (first, second):
            start_next_round(section, after=after, by=alice)

    finish_session(second, round=last, by=alice)

    plan = SectionPlan.of(section_by_code(first.code))
    [table] = [game for game in plan.evening.games[last] if game.table == 6]
    lent = plan.boards.borrowed_set(table)
    assert (lent is not None, plan.boards.tables_sharing_with(table)) == (True, ())


def test_pages_follow_when_the_other_section_no_longer_lends(
    club, alice, django_capture_on_commit_callbacks
):
    first, second = divided(club, alice)
    assert kept_plan(section_by_code(first.code)).lending

    with django_capture_on_commit_callbacks(execute=True):
        choose_movement(second, "skip-mitchell", boards_per_round=4, by=alice)

    again = section_by_code(first.code)
    assert again.shown > first.shown
    assert kept_plan(again).lending is None


EXTRA = "Sections A and B can use one extra copy of the boards in turn: 3 sets are enough."
SAME = (
    "Sections A and B want the same boards of an extra copy in one round. To need one extra copy "
    "only, let them begin with different sets."
)


@pytest.mark.parametrize(
    ("second", "same_deals", "said"),
    [
        ({"extra": True, "begins": 3}, True, EXTRA),
        ({"extra": True}, True, SAME),
        ({"extra": True, "begins": 3}, False, ""),
        ({"two_copies": True}, True, ""),
    ],
)
def test_sections_count_an_extra_copy_that_they_use_in_turn_once(
    club, alice, second, same_deals, said
):
    halves = divided(club, alice, same_deals=same_deals, options=({"extra": True}, second))

    assert extra_copy_sentence(halves[0]) == said


def test_the_choice_and_the_sheet_count_the_extra_copy(club, alice, signed_in):
    _first, second = divided(club, alice, options=({"extra": True}, {}))
    chosen = {
        "family": "share-and-relay",
        "size": "6x4",
        "option-extra": "yes",
        "option-begins": "2",
    }

    address = reverse("choose-movement", args=[second.code])
    said = text(signed_in(alice).post(address, chosen, follow=True))

    assert EXTRA in said
    plan = SectionPlan.of(section_by_code(second.code))
    assert EXTRA in [*master_sheet_notes(PrintJob(plan, "a4", "http://x"))]


def test_a_movement_that_lends_nothing_counts_in_no_other_section(club, alice):
    first, second = divided(club, alice)
    choose_movement(second, "skip-mitchell", boards_per_round=4, by=alice)
    shown = Section.objects.get(pk=first.pk).shown

    choose_movement(second, "skip-mitchell", boards_per_round=3, by=alice)

    assert Section.objects.get(pk=first.pk).shown == shown
