"""Entries and their seats before the start."""

import pytest

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import Person
from bridgebuddy.director.entries.staying import forced_moves
from bridgebuddy.events.errors import (
    AlreadyStarted,
    NotEntered,
    NotSeated,
    PersonTwice,
    TooManyEntries,
)
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.services.play import people, rounds
from bridgebuddy.events.services.setup import entries, movement
from tests.factories import pair_names, section_with

pytestmark = pytest.mark.django_db


def seats(section):
    """Return the seats by label: {"NS 1": "Anna North1 & Bob South1"}."""
    section = Section.objects.get(pk=section.pk)
    return {
        section.movement.without_seatings.label(entry.contestant): entry.names
        for entry in section.entries.all()
    }


def again(section):
    return Section.objects.get(pk=section.pk)


@pytest.fixture
def section(club, alice):
    """16 pairs in a Skip Mitchell that has not begun."""
    return section_with(16, "skip-mitchell", club=club, by=alice)


def stay(section, *positions):
    """Let pairs ask for a stationary seat without anybody being seated anew."""
    section.entries.filter(position__in=positions).update(must_stay_seated=True)


# -- the list ------------------------------------------------------------------------------------


def test_all_pairs_of_a_list_are_entered_or_none(club, alice):
    section = section_with(2, club=club, by=alice)
    before = section.shown

    with pytest.raises(PersonTwice) as refused:
        entries.add_pairs(section, [("Eve Adams", "Max Late"), ("Ida Z", "anna NORTH1")], by=alice)

    assert refused.value.fields == {"name": "anna NORTH1", "pair": 1}
    assert section.entries.count() == 2
    assert not Person.objects.filter(name="Eve Adams").exists()
    assert again(section).shown == before


def test_a_name_twice_in_one_list_is_refused(club, alice):
    section = section_with(0, club=club, by=alice)

    with pytest.raises(PersonTwice) as refused:
        entries.add_pairs(section, [("Eve A", "Max B"), ("Ida C", "eve a")], by=alice)

    assert refused.value.fields == {"name": "eve a", "pair": 1}


def test_the_121st_pair_is_one_too_many(club, alice):
    section = section_with(119, club=club, by=alice)

    with pytest.raises(TooManyEntries) as refused:
        entries.add_pairs(section, [("Eve A", "Max B"), ("Ida C", "Tom D")], by=alice)

    assert refused.value.fields == {"most": 120}
    assert section.entries.count() == 119


def test_a_change_of_the_list_is_recorded_and_counts_a_version(club, alice):
    section = section_with(0, club=club, by=alice)

    entries.add_pairs(section, [("Eve Adams", "Max Late")], by=alice)

    last = AuditRecord.objects.first()
    assert (last.action, last.by) == ("section.enter", alice)
    assert last.facts == {"pairs": [["Eve Adams", "Max Late"]], "plan": section.plan + 1}
    assert again(section).shown == section.shown + 1


def test_of_two_directors_who_withdraw_a_pair_the_second_is_told(club, alice):
    section = section_with(5, club=club, by=alice)
    third = section.entries.get(position=3)
    seen_by_another = Entry.objects.get(pk=third.pk)
    entries.withdraw_pair(third, by=alice)

    with pytest.raises(NotEntered):
        entries.withdraw_pair(seen_by_another, by=alice)

    assert [entry.position for entry in section.entries.all()] == [1, 2, 3, 4]


def test_a_pair_that_is_gone_cannot_be_corrected(club, alice):
    section = section_with(5, club=club, by=alice)
    third = section.entries.get(position=3)
    seen_by_another = Entry.objects.get(pk=third.pk)
    entries.withdraw_pair(third, by=alice)

    with pytest.raises(NotEntered):
        people.correct_names(seen_by_another, ("A B", "C D"), must_stay_seated=False, by=alice)


def test_after_the_start_nobody_joins_leaves_or_changes_seats(skip_section, alice):
    one = skip_section.entries.first()

    with pytest.raises(AlreadyStarted):
        entries.add_pairs(skip_section, [("Eve Adams", "Max Late")], by=alice)
    with pytest.raises(AlreadyStarted):
        entries.withdraw_pair(one, by=alice)
    with pytest.raises(AlreadyStarted):
        movement.swap_seats(skip_section, 1, 2, by=alice)
    with pytest.raises(AlreadyStarted):
        movement.seat_by_method(skip_section, "order", by=alice)


def test_a_substitute_after_the_start_changes_nobodys_seat(skip_section, alice):
    before = seats(skip_section)
    ninth = skip_section.entries.get(contestant=9)

    people.correct_names(ninth, ("Eve Adams", "Max Late"), must_stay_seated=True, by=alice)

    label = skip_section.movement.without_seatings.label(9)
    assert seats(skip_section) == before | {label: "Eve Adams & Max Late"}


# -- seats ---------------------------------------------------------------------------------------


def test_seats_fill_up_table_by_table_in_order_of_entry(section):
    names = [f"{first} & {second}" for first, second in pair_names(16)]

    assert seats(section) == {
        f"{line} {table}": names[2 * (table - 1) + (line == "EW")]
        for table in range(1, 9)
        for line in ("NS", "EW")
    }


def test_pairs_that_must_stay_get_the_stationary_seats_first(section, alice):
    stay(section, 2, 15, 16)

    movement.seat_by_method(section, "order", by=alice)

    now = seats(section)
    assert (now["NS 1"], now["NS 2"], now["NS 3"]) == (
        "Anna North2 & Bob South2",
        "Anna North15 & Bob South15",
        "Anna North16 & Bob South16",
    )
    assert now["EW 1"] == "Anna North1 & Bob South1"


def test_more_wishes_than_stationary_seats_still_seat_everybody(section, alice):
    stay(section, *range(1, 13))

    movement.seat_by_method(section, "random", seed=4711, by=alice)

    assert len(set(seats(section).values())) == 16
    waiting = section.entries.filter(must_stay_seated=True)
    assert sum(entry.contestant <= 8 for entry in waiting) == 8


def test_a_pair_that_asks_later_moves_nobody_and_is_offered_an_exchange_at_its_table(
    section, alice, signed_in
):
    second = section.entries.get(position=2)
    before = seats(section)
    assert before["EW 1"] == "Anna North2 & Bob South2"

    people.correct_names(second, ("Anna North2", "Bob South2"), must_stay_seated=True, by=alice)

    assert seats(section) == before
    (offered,) = forced_moves(SectionPlan.of(again(section)))
    assert (offered.contestant.label, offered.exchange.label) == ("EW 1", "NS 1")
    page = signed_in(alice).get(f"/s/{section.code}/entries/").content.decode()
    assert "Exchange seats with NS 1" in " ".join(page.split())

    movement.swap_seats(section, offered.contestant.number, offered.exchange.number, by=alice)

    assert seats(section) == before | {"NS 1": before["EW 1"], "EW 1": before["NS 1"]}
    assert forced_moves(SectionPlan.of(again(section))) == []


def test_no_exchange_is_offered_with_a_pair_that_must_stay_too(section):
    stay(section, *range(1, 17))

    offered = forced_moves(SectionPlan.of(again(section)))

    assert {found.contestant.label for found in offered} == {f"EW {pair}" for pair in range(1, 9)}
    assert {found.exchange for found in offered} == {None}


def test_the_log_names_a_wish_to_stay_seated(section, alice):
    second = section.entries.get(position=2)

    people.correct_names(second, ("Anna North2", "Bob South2"), must_stay_seated=True, by=alice)

    last = AuditRecord.objects.latest("pk")
    assert (last.action, last.facts["stays"]) == ("section.stay", True)


def test_a_seed_repeats_a_draw_and_another_draws_anew(section, alice):
    drawn = movement.seat_by_method(section, "random", by=alice)
    first = seats(section)
    assert 1 <= drawn.seed < 10_000

    movement.seat_by_method(section, "order", by=alice)
    in_order = seats(section)
    movement.seat_by_method(section, "random", seed=drawn.seed, by=alice)

    assert seats(section) == first != in_order
    movement.seat_by_method(section, "random", seed=drawn.seed + 1, by=alice)
    assert seats(section) != first


def test_two_pairs_change_seats_and_nobody_else_moves(section, alice):
    before = seats(section)
    labels = again(section).movement.without_seatings

    changed = movement.swap_seats(section, 1, 12, by=alice)

    one, other = labels.label(1), labels.label(12)
    assert seats(section) == before | {one: before[other], other: before[one]}
    assert (changed.seating, changed.seed) == ("hand", None)


def test_nobody_changes_seats_with_a_seat_that_is_not_there(section, alice):
    before = seats(section)

    with pytest.raises(NotSeated):
        movement.swap_seats(section, 1, 17, by=alice)

    assert seats(section) == before


def test_seats_given_by_hand_stay_when_a_pair_is_withdrawn(section, alice):
    movement.swap_seats(section, 1, 12, by=alice)
    movement.swap_seats(section, 3, 8, by=alice)
    before = seats(section)
    last = next(e for e in section.entries.all() if e.names == before["EW 8"])

    entries.withdraw_pair(last, by=alice)

    del before["EW 8"]
    assert seats(section) == before


def test_by_hand_only_who_lost_the_seat_gets_the_free_one(section, alice):
    movement.swap_seats(section, 1, 12, by=alice)
    before = seats(section)
    third = next(e for e in section.entries.all() if e.names == before["EW 3"])

    entries.withdraw_pair(third, by=alice)

    # 15 pairs: East-West has no 8 any more, so the pair that was 8 takes the seat that is free
    evicted = before.pop("EW 8")
    assert seats(section) == before | {"EW 3": evicted}


def test_by_hand_a_new_pair_takes_the_free_seat_and_nobody_moves(club, alice):
    section = section_with(15, "skip-mitchell", club=club, by=alice)
    movement.swap_seats(section, 2, 9, by=alice)
    before = seats(section)

    entries.add_pairs(section, [("Eve Adams", "Max Late")], by=alice)

    assert seats(section) == before | {"EW 8": "Eve Adams & Max Late"}


def test_seats_given_by_hand_outlive_another_movement_with_the_same_seats(section, alice):
    movement.swap_seats(section, 1, 12, by=alice)
    before = seats(section)

    movement.choose_movement(section, "share-and-relay", boards_per_round=3, by=alice)

    assert seats(section) == before


def boards(section):
    """Return the number of boards, and the section's own figures."""
    section = again(section)
    in_play = max(last for _, last in section.movement.boards.values())
    return in_play, section.total_boards, section.boards_per_round


def test_a_shorter_last_set_stays_shorter_when_a_pair_comes(club, alice):
    section = section_with(17, club=club, by=alice)
    movement.choose_movement(section, "mitchell", total_boards=26, by=alice)
    assert boards(section) == (26, 26, 3)

    entries.add_pairs(section, [("Eve Adams", "Max Late")], by=alice)

    assert boards(section) == (26, 26, 3)


def test_where_the_total_leaves_a_set_empty_the_boards_of_a_round_stay(club, alice):
    section = section_with(18, club=club, by=alice)
    movement.choose_movement(section, "mitchell", total_boards=26, by=alice)

    new = [(f"Eve Late{n}", f"Max Late{n}") for n in range(4)]
    entries.add_pairs(section, new, by=alice)

    # 26 boards would fill 9 sets of 3, and 11 tables want 11 sets
    assert boards(section) == (33, None, 3)


def test_a_pair_can_be_withdrawn_when_the_start_was_taken_back(club, alice):
    section = section_with(6, "mitchell", round=1, club=club, by=alice)
    section = rounds.take_back_round(section, round=1, by=alice)

    entries.withdraw_pair(section.entries.get(position=3), by=alice)

    assert again(section).entries.count() == 5


def test_the_list_closes_up_behind_who_withdraws_and_the_movement_follows(club, alice):
    section = section_with(8, "skip-mitchell", club=club, by=alice, rounds=3)

    entries.withdraw_pair(section.entries.get(position=3), by=alice)

    section = Section.objects.get(pk=section.pk)
    assert list(section.entries.values_list("position", flat=True)) == list(range(1, 8))
    assert (section.movement.family, section.movement.rounds) == ("skip-mitchell", 3)
    assert len(section.movement.without_seatings.contestants) == 7
    assert sorted(section.entries.values_list("contestant", flat=True)) == list(range(1, 8))

    entries.add_pairs(section, [("Eve Adams", "Max Late")], by=alice)
    assert len(Section.objects.get(pk=section.pk).movement.without_seatings.contestants) == 8


def test_strengths_that_give_everybody_other_seats_are_a_decision(club, alice):
    section = section_with(6, "mitchell", club=club, by=alice)
    players = [entry.players[0].pk for entry in section.entries.all()]
    entries.set_strengths(section, dict.fromkeys(players[:3], 10), by=alice)
    section = movement.seat_by_method(section, "even", by=alice)
    seats, plan, shown = section.seats(), section.plan, section.shown

    section = entries.set_strengths(section, dict.fromkeys(players[3:], 99), by=alice)

    assert section.seats() != seats
    assert (section.plan, section.shown) == (plan + 1, shown + 1)


def test_only_the_strengths_of_people_on_the_list_are_noted(club, alice):
    section = section_with(6, "mitchell", club=club, by=alice)
    entries.add_pairs(section_with(0, club=club, by=alice), [("Eve Beside", "Max A")], by=alice)
    somebody = Person.objects.get(name="Eve Beside")

    after = entries.set_strengths(section, {somebody.pk: 5}, by=alice)

    somebody.refresh_from_db()
    assert (somebody.strength, after.shown) == (None, section.shown)


def test_single_players_have_the_number_of_their_place_on_the_list(club, alice):
    section = section_with(12, "individual", contest="individual", club=club, by=alice)

    assert {entry.position: entry.contestant for entry in section.entries.all()} == {
        place: place for place in range(1, 13)
    }
