"""Stored movements go when nothing points to them any more, and not before."""

import io

import pytest
from django.core.management import call_command

from bridgebuddy.events.models import Section
from bridgebuddy.events.services import stored_movements
from bridgebuddy.events.services.play import changes, rounds
from bridgebuddy.events.services.setup import entries, movement, switches
from movements.engine.changes import PairArrives, PairLeaves
from movements.engine.contest import Contest
from movements.engine.families.mitchells import mitchell
from movements.models import SeatingRow, StoredMovement
from movements.services import store_movement
from movements.switches.choices import switch_choices
from tests.factories import SectionFactory, section_with

pytestmark = pytest.mark.django_db

LATE = changes.ArrivingEntry(names=("Eve Late", "Max Late"))


@pytest.fixture(autouse=True)
def quick_search(monkeypatch):
    monkeypatch.setattr("movements.switches.choices.TRIALS", 2_000)


@pytest.fixture
def section(club, alice):
    """An evening of 14 pairs, Mitchell, 7 rounds of 3 boards, not begun."""
    return section_with(14, "mitchell", boards_per_round=3, club=club, by=alice)


def stored_keys():
    return set(StoredMovement.objects.values_list("pk", flat=True))


def switched(section, by, level="rounds"):
    plain = switches.unswitched_movement(section)
    choice = next(choice for choice in switch_choices(plain) if choice.level == level)
    return switches.switch_arrows(section, choice, of=plain.pk, by=by)


def tidied():
    out = io.StringIO()
    call_command("tidy", stdout=out)
    return next(line for line in out.getvalue().splitlines() if line.startswith("Stored"))


def test_another_movement_takes_the_place_of_the_one_chosen_before(section, alice):
    for family in ("howell", "mitchell", "howell"):
        section = movement.choose_movement(section, family, boards_per_round=2, by=alice)

    assert stored_keys() == {section.movement_id}
    assert set(SeatingRow.objects.values_list("movement", flat=True)) == {section.movement_id}


def test_a_movement_follows_the_pairs_and_the_old_one_goes(section, alice):
    entries.add_pairs(section, [(f"A N{n}", f"B S{n}") for n in range(4)], by=alice)

    section = Section.objects.get(pk=section.pk)
    assert section.movement.tables == 9
    assert stored_keys() == {section.movement_id}


def test_no_movement_is_left_where_none_fits_the_pairs(club, alice):
    section = section_with(6, "mitchell", club=club, by=alice)

    for entry in list(section.entries.all())[:3]:
        entries.withdraw_pair(entry, by=alice)

    assert Section.objects.get(pk=section.pk).movement is None
    assert stored_keys() == set()


def test_switched_arrows_keep_the_movement_before_them_and_nothing_else(section, alice):
    plain = section.movement_id
    section = switched(section, alice)
    section = switched(section, alice, "room")
    assert stored_keys() == {plain, section.movement_id}

    section = switches.switch_arrows(section, None, of=plain, by=alice)

    assert section.movement_id == plain
    assert stored_keys() == {plain}


def test_changes_that_belong_to_the_plan_after_a_start_taken_back_leave_one_movement(
    section, alice
):
    section = rounds.start_next_round(section, after=0, by=alice)
    way = changes.change_options(section, PairArrives())[0]
    section = changes.take_proposal(
        section, way, PairArrives(), plan=section.plan, by=alice, newcomer=LATE
    )
    section = rounds.take_back_round(section, round=1, by=alice)
    assert len(stored_keys()) == 2

    movement.swap_seats(section, 1, 2, by=alice)

    assert stored_keys() == {section.movement_id}


def test_other_sections_keep_theirs(section, club, alice):
    other = section_with(14, "howell", club=club, by=alice)

    section = movement.choose_movement(section, "howell", boards_per_round=2, by=alice)

    assert stored_keys() == {section.movement_id, other.movement_id}


def test_tidying_deletes_what_nobody_needs(section):
    for _ in range(3):
        store_movement(mitchell.mitchell(5), boards_per_round=2)

    assert tidied() == "Stored movements deleted: 3"
    assert stored_keys() == {section.movement_id}
    assert tidied() == "Stored movements deleted: 0"


def test_many_are_deleted_some_at_a_time(section, monkeypatch):
    monkeypatch.setattr(stored_movements, "AT_A_TIME", 2)
    for _ in range(5):
        store_movement(mitchell.mitchell(5), boards_per_round=2)

    assert tidied() == "Stored movements deleted: 5"
    assert stored_keys() == {section.movement_id}


def test_tidying_leaves_every_version_that_can_come_back(section, alice):
    section = switched(section, alice, "room")
    section = rounds.start_next_round(section, after=0, by=alice)
    before = (section.movement_id, section.unswitched_id)
    for change, newcomer in ((PairArrives(), LATE), (PairLeaves(3), None)):
        way = changes.change_options(section, change)[0]
        section = changes.take_proposal(
            section, way, change, plan=section.plan, by=alice, newcomer=newcomer
        )
    everything = stored_keys()

    assert tidied() == "Stored movements deleted: 0"

    assert stored_keys() == everything
    for _ in range(2):
        section = changes.undo_change(section, plan=section.plan, by=alice)
    assert (section.movement_id, section.unswitched_id) == before


def test_a_contest_is_the_value_when_given_by_name_and_when_read_again():
    section = SectionFactory(contest="teams")

    assert section.contest is Contest.TEAMS
    assert Section.objects.get(pk=section.pk).contest is Contest.TEAMS
    assert Section.objects.only("name").get(pk=section.pk).contest is Contest.TEAMS
