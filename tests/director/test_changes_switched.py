"""Live changes with turned boards: a sentence still gives the next table and the boards to turn."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.calls import SectionAnnouncements
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.services.play import changes, rounds
from bridgebuddy.events.services.setup import switches
from movements.switches.choices import switch_choices
from tests.director.reading import LATE, decide
from tests.factories import section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def switched(club, alice, monkeypatch):
    """An evening of 14 pairs, Mitchell, 7 rounds of 3; single boards are turned; round 3 begun."""
    monkeypatch.setattr("movements.switches.choices.TRIALS", 2_000)
    section = section_with(14, "mitchell", boards_per_round=3, club=club, by=alice)
    room = next(choice for choice in switch_choices(section.movement) if choice.level == "room")
    section = switches.switch_arrows(section, room, of=section.movement.pk, by=alice)
    for after in range(3):
        section = rounds.start_next_round(section, after=after, by=alice)
    return section


def again(section):
    return Section.objects.get(pk=section.pk)


def call(section):
    """Return the call at the end of a round: moves, exceptions, turned boards."""
    said = SectionAnnouncements(section, SessionEvening(section)).announcement_after(section.round)
    return said.sentence, [re.sub(r"\d+", "9", exception) for exception in said.exceptions]


def turned(section):
    """Return the turned boards of every round."""
    calls = SectionAnnouncements(section)
    return [
        calls.switched_boards_sentences(round) for round in range(1, section.movement.rounds + 1)
    ]


def test_after_a_rover_has_come_everybody_hears_where_to_go_and_what_to_turn(
    browser, switched, alice
):
    before = turned(switched)
    decide(browser, switched, "late", **LATE)

    section = rounds.start_next_round(again(switched), after=3, by=alice)

    sentence, exceptions = call(section)
    assert sentence == "East-West move up one table. Boards move down one."
    assert exceptions[:3] == [
        "9 goes to table 9 North-South.",
        "9 is back at table 9, North-South.",
        "9 sits out.",
    ]
    assert turned(section) == before


@pytest.mark.parametrize(
    ("wish", "answers"),
    [
        ("leaves", {"contestant": 3}),
        ("stays", {"contestant": 12}),
        ("length", {"rounds": 6}),
        ("places", {"round": 3, "one": 1, "other": 2}),
    ],
)
def test_other_changes_leave_the_turned_boards_as_they_are(browser, switched, wish, answers):
    before = turned(switched)

    assert decide(browser, switched, wish, **answers).status_code == 302

    now = turned(again(switched))
    assert now == before[: len(now)]


def test_taking_a_change_back_and_doing_it_again_keeps_what_is_turned(browser, switched, alice):
    before = turned(switched)
    decide(browser, switched, "late", **LATE)
    after = again(switched).unswitched_id

    section = changes.undo_change(again(switched), plan=again(switched).plan, by=alice)
    assert (section.unswitched_id, turned(section)) == (switched.unswitched_id, before)
    section = changes.redo_change(section, plan=section.plan, by=alice)
    assert (section.unswitched_id, turned(section)) == (after, before)


def test_the_last_board_of_every_table_can_be_left_out(browser, switched):
    assert decide(browser, switched, "boards", boards=2).status_code == 302

    evening = SessionEvening(again(switched))
    counts = {
        (round, table): sum(len(g.boards) for g in evening.games[round] if g.table == table)
        for round in range(1, 8)
        for table in range(1, 8)
    }
    assert [{counts[round, table] for table in range(1, 8)} for round in range(1, 8)] == [
        *[{3}] * 3,
        *[{2}] * 4,
    ]


def test_the_desk_shows_one_game_a_table_with_what_is_turned(browser, switched):
    decide(browser, switched, "late", **LATE)

    page = browser.get(reverse("desk", args=[switched.code]))

    assert [len(tile.games) for tile in page.context["desk"].tiles] == [1] * 7
