"""Arrow-switching the section's movement before the start."""

import pytest
from django.urls import reverse

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries
from bridgebuddy.events.services.setup.movement import choose_movement, swap_seats
from movements.engine.fairness.balance import balance
from movements.switches.choices import switch_choices
from tests.factories import section_with
from tests.markup import words

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def quick_search(monkeypatch):
    """Shorten the search: its result is as good for a page."""
    monkeypatch.setattr("movements.switches.choices.TRIALS", 20_000)


@pytest.fixture
def mitchell(club, alice):
    """An evening of 10 pairs, Mitchell, 5 rounds of 4 boards, not begun."""
    return section_with(10, "mitchell", boards_per_round=4, club=club, by=alice)


@pytest.fixture
def page(alice, signed_in):
    browser = signed_in(alice)

    def ask(section, **answers):
        address = reverse("arrow-switches", args=[section.code])
        return browser.post(address, answers) if answers else browser.get(address)

    return ask


def again(section):
    return Section.objects.get(pk=section.pk)


def number_of(section, level):
    """The number by which the page knows the first choice of a level."""
    levels = [choice.level for choice in switch_choices(section.movement)]
    return levels.index(level)


def boards_by_player(section):
    """The boards of every pair's evening, by the names of its players."""
    evening = SessionEvening(section)
    return {
        contestant.names: sorted(
            board
            for turn in evening.schedule(contestant.number)
            for game in turn.games
            for board in game.boards
        )
        for contestant in evening.contestants.values()
    }


def seats(section):
    return list(section.entries.order_by("position").values_list("contestant", flat=True))


def test_the_page_shows_what_each_switch_gains_and_how_it_is_announced(page, mitchell):
    choices = switch_choices(mitchell.movement)

    text = words(page(mitchell))

    assert [choice.level for choice in choices] == ["none", "rounds", "room", "tables"]
    assert [choice.score for choice in choices] == [66, 78, 94, 95]
    assert "Round 5: arrow-switch: turn the boards, North-South play as East-West." in text
    assert "66 → 94 of 100" in text
    assert "Two winners, nothing turned chosen" in text


def test_a_board_turned_by_the_whole_room_is_announced_by_its_place_in_the_set(page, mitchell):
    room = switch_choices(mitchell.movement)[number_of(mitchell, "room")]

    turned = [(turn.round, turn.boards) for turn in room.turns]

    assert all(not turn.tables for turn in room.turns)
    assert room.sentences == [
        f"In round {round} everybody turns board {board} of the set." for round, (board,) in turned
    ]


@pytest.mark.parametrize("level", ["rounds", "room", "tables"])
def test_a_chosen_switch_becomes_the_movement_and_every_board_keeps_its_number(
    page, mitchell, level
):
    number, before = number_of(mitchell, level), boards_by_player(mitchell)
    choice = switch_choices(mitchell.movement)[number]

    answer = page(mitchell, choice=number, of=mitchell.movement_id)

    assert answer.headers["Location"] == reverse("entries", args=[mitchell.code])
    section = again(mitchell)
    assert section.movement.winners == 1
    assert balance(section.movement.movement).score == choice.score
    assert boards_by_player(section) == before
    assert seats(section) == seats(mitchell)
    assert section.unswitched_id == mitchell.movement_id


def test_turning_nothing_brings_the_two_winners_back(page, mitchell):
    page(mitchell, choice=number_of(mitchell, "room"), of=mitchell.movement_id)

    page(mitchell, choice="none", of=mitchell.movement_id)

    section = again(mitchell)
    assert section.movement_id == mitchell.movement_id
    assert (section.unswitched, section.movement.winners) == (None, 2)
    assert [movement.version for movement in section.movements.all()] == [1]
    told = AuditRecord.objects.filter(action="section.switch").order_by("pk")
    assert [record.facts["level"] for record in told] == ["room", "none"]


def test_another_switch_starts_from_the_movement_without_any(page, mitchell):
    page(mitchell, choice=number_of(mitchell, "room"), of=mitchell.movement_id)
    page(mitchell, choice=1, of=mitchell.movement_id)

    section = again(mitchell)

    assert section.movement.document == switch_choices(mitchell.movement)[1].document
    assert section.unswitched_id == mitchell.movement_id


def test_a_shorter_last_set_keeps_its_boards(club, alice, page):
    section = section_with(
        10, "mitchell", boards_per_round=None, total_boards=18, by=alice, club=club
    )
    before = boards_by_player(section)

    for number in range(1, len(switch_choices(section.movement))):
        page(section, choice=number, of=section.movement_id)
        assert boards_by_player(again(section)) == before


def test_seats_given_by_hand_stay(page, mitchell, alice):
    swap_seats(mitchell, 1, 7, by=alice)
    given = seats(mitchell)

    page(mitchell, choice=1, of=mitchell.movement_id)

    assert seats(mitchell) == given


@pytest.mark.parametrize("answers", [{}, {"choice": "9"}, {"choice": "<b>"}, {"choice": "0"}])
def test_what_is_not_offered_is_answered_with_a_sentence(page, mitchell, answers):
    answer = page(mitchell, of=mitchell.movement_id, **answers)

    assert answer.status_code == 422
    assert "Choose one of these." in words(answer)
    assert again(mitchell).movement_id == mitchell.movement_id


def test_a_choice_made_for_another_movement_is_refused(page, mitchell, alice):
    old = mitchell.movement_id
    choose_movement(mitchell, "mitchell", boards_per_round=3, by=alice)

    answer = page(mitchell, choice=1, of=old)

    assert answer.status_code == 422
    assert "The movement has been changed meanwhile." in words(answer)
    assert again(mitchell).unswitched is None


def test_another_pair_takes_the_switches_away_with_the_movement(page, mitchell, alice):
    page(mitchell, choice=1, of=mitchell.movement_id)

    entries.add_pairs(mitchell, [("Eve Adams", "Max Late")], by=alice)

    assert again(mitchell).unswitched is None


def test_after_the_start_nothing_is_turned(club, alice, page):
    section = section_with(10, "mitchell", round=1, club=club, by=alice)

    answer = page(section, choice=1, of=section.movement_id)

    assert answer.status_code == 422
    assert "was settled before the start" in words(page(section))
    assert again(section).movement_id == section.movement_id


def test_a_web_in_one_field_has_a_proved_limit_and_two_winners_are_advised(club, alice, page):
    section = section_with(24, "web", rounds=9, club=club, by=alice)

    text = words(page(section))

    assert "One field cannot be balanced here: think of two winners." in text
    assert "one field reaches at most 88 of 100" in text


def test_a_perfect_howell_has_nothing_to_gain(club, alice, page):
    section = section_with(8, "howell", club=club, by=alice)

    assert "Nothing to gain" in words(page(section))


def test_a_contest_that_is_drawn_is_neither_offered_arrow_switches_nor_takes_them(
    club, alice, page, signed_in
):
    section = section_with(8, "swiss", club=club, by=alice)
    offered = [
        reverse("arrow-switches", args=[section.code])
        in signed_in(alice).get(reverse(name, args=[section.code])).content.decode()
        for name in ("entries", "choose-movement", "desk")
    ]
    answer = page(section, choice="none", of=section.movement_id)

    assert offered == [False, False, False]
    assert "drawn round by round" in words(page(section))
    assert answer.status_code == 422
    assert again(section).movement_id == section.movement_id
    assert not AuditRecord.objects.filter(action="section.switch").exists()


def test_without_a_movement_the_page_says_what_to_do(club, alice, page):
    assert "Choose the movement first" in words(page(section_with(8, club=club, by=alice)))


def test_strangers_find_nothing_and_players_may_not_turn_boards(bob, carol, mitchell, signed_in):
    address = reverse("arrow-switches", args=[mitchell.code])
    answers = {"choice": 1, "of": mitchell.movement_id}

    asked = [signed_in(user).post(address, answers).status_code for user in (bob, carol)]

    assert asked == [404, 404]
    assert again(mitchell).unswitched is None


def test_what_was_found_once_is_not_searched_again(mitchell, monkeypatch):
    first = switch_choices(mitchell.movement)
    monkeypatch.setattr("movements.switches.choices.switchings", None)

    assert switch_choices(mitchell.movement) == first


def test_desk_and_projector_say_what_is_turned_and_move_people_as_ever(
    page, mitchell, alice, signed_in
):
    page(mitchell, choice=number_of(mitchell, "rounds"), of=mitchell.movement_id)
    for after in range(4):
        rounds.start_next_round(mitchell, after=after, by=alice)
    browser = signed_in(alice)

    desk = words(browser.get(reverse("desk", args=[mitchell.code])))
    room = words(browser.get(reverse("room-display", args=[mitchell.code])))

    assert "East-West move up one table. Boards move down one." in desk
    assert "Round 5: arrow-switch: turn the boards, North-South play as East-West." in desk
    assert "Round 5: arrow-switch: turn the boards, North-South play as East-West." in room
    assert "All others North-South stay" in room
