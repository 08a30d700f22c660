"""The director's announcements, boards to turn included."""

import pytest

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.calls import SectionAnnouncements
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.services.setup.switches import switch_arrows
from movements.engine.fairness.switching import RoundSwitch
from movements.switches.choices import switch_choices
from movements.switches.turning import turns_between
from tests.factories import section_with

pytestmark = pytest.mark.django_db

MOVES = "East-West move up one table. Boards move down one."


@pytest.fixture(autouse=True)
def quick_search(monkeypatch):
    monkeypatch.setattr("movements.switches.choices.TRIALS", 20_000)


@pytest.fixture
def section(club, alice):
    """An evening of 14 pairs, Mitchell, 7 rounds of 4 boards, not begun."""
    return section_with(14, "mitchell", boards_per_round=4, club=club, by=alice)


def switched(section, level, by):
    choice = next(choice for choice in switch_choices(section.movement) if choice.level == level)
    switch_arrows(section, choice, of=section.movement_id, by=by)
    return Section.objects.get(pk=section.pk), choice


def test_people_move_as_ever_and_turn_the_last_round(section, alice):
    section, _ = switched(section, "rounds", alice)

    calls = SectionAnnouncements(section, SessionEvening(section))

    assert [str(calls.announcement_after(round).sentence) for round in range(1, 7)] == [MOVES] * 6
    assert [calls.announcement_after(round).exceptions for round in (5, 6)] == [
        (),
        ("Round 7: arrow-switch: turn the boards, North-South play as East-West.",),
    ]


def test_boards_turned_by_the_whole_room_are_announced_before_their_round(section, alice):
    section, choice = switched(section, "room", alice)

    calls = SectionAnnouncements(section, SessionEvening(section))

    said = [
        sentence for round in range(1, 8) for sentence in calls.switched_boards_sentences(round)
    ]
    assert said == choice.sentences
    assert {str(calls.announcement_after(round).sentence) for round in range(1, 7)} == {MOVES}


@pytest.mark.parametrize("number", [1, 2])
def test_what_is_turned_is_read_off_the_movement(section, alice, number):
    plain, choice = section.movement, switch_choices(section.movement)[number]

    turns = turns_between(plain.movement, plain.numbers, choice.movement, choice.numbers)

    assert turns == choice.turns


def test_many_tables_that_turn_are_left_to_cards_and_phones(section):
    calls = SectionAnnouncements(section, SessionEvening(section))
    calls.turns = tuple(RoundSwitch(2, (table,), (table,)) for table in (1, 2, 3))

    assert calls.switched_boards_sentences(2) == (
        "In round 2 some tables turn boards: cards and phones say which.",
    )


def test_a_movement_changed_in_more_than_directions_is_announced_as_it_is(section, alice, club):
    other = section_with(14, "mitchell", rounds=6, boards_per_round=4, club=club, by=alice)
    section.unswitched = other.movement

    calls = SectionAnnouncements(section, SessionEvening(section))

    assert calls.is_switched is False
    assert calls.movement == section.movement.movement
