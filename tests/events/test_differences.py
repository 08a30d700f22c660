"""Differences between two plans of an evening, and the cards that are no longer right."""

from dataclasses import replace

import pytest

from bridgebuddy.events.models import Entry, Section, SectionMovement
from bridgebuddy.events.queries.plan.differences import (
    OutdatedSheets,
    PlanDifferences,
    outdated_since,
)
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from movements.engine import catalogue
from movements.engine.drawing.draws import Draw
from movements.engine.drawing.open_rounds import apply_draw
from movements.engine.model import Field, Movement, Seating
from movements.services import store_movement
from tests.players.test_changes import change as edit_rows
from tests.players.test_changes import exchange, in_round_five
from tests.printing.conftest import section_playing

pytestmark = pytest.mark.django_db


def change(section: Section, movement: Movement, from_round: int) -> None:
    """Let a section play another movement from a round on; all contestants keep their labels."""
    labels = section.movement.without_seatings
    entries = {entry: labels.label(entry.contestant) for entry in section.entries.all()}
    section.movement = store_movement(movement, boards_per_round=section.boards_per_round)
    section.save()
    SectionMovement.objects.create(
        section=section,
        movement=section.movement,
        version=section.movements.count() + 1,
        from_round=from_round,
    )
    for entry, label in sorted(entries.items(), key=lambda item: -item[0].contestant):
        entry.contestant = movement.contestant(label)
        entry.save()
    taken = {entry.contestant for entry in entries}
    for number in set(movement.contestants) - taken:  # somebody who came late
        Entry.objects.create(section=section, position=99, contestant=number)


def outdated(section: Section, version: int) -> OutdatedSheets:
    return outdated_since(SectionPlan.of(section), version)


def labels(section: Section, changes: OutdatedSheets) -> list[str]:
    return [
        section.movement.without_seatings.label(number) for number in sorted(changes.contestants)
    ]


def with_turned(movement: Movement, round: int, *tables: int) -> Movement:
    """Return a movement in which some tables are arrow-switched in one round."""
    turned = {movement.at(round, table) for table in tables}
    return replace(
        movement, seatings=tuple(s.turned() if s in turned else s for s in movement.seatings)
    )


def with_late_pair(movement: Movement) -> Movement:
    """Return a movement with a pair NS 9 that comes too late, and takes the place of NS 2 in round 5."""
    ns, ew = movement.fields
    moved = tuple(
        Seating(
            s.round,
            s.table,
            9 if (s.round, s.table) == (5, 2) else s.ns,
            s.ew + 1,
            s.sets,
        )
        for s in movement.seatings
    )
    return replace(movement, fields=(Field("ns", (*ns.labels, "9")), ew), seatings=moved)


def test_nothing_has_changed_since_the_present_version(skip_section):
    assert outdated(skip_section, 1) == OutdatedSheets()


def test_a_version_there_never_was_is_refused(skip_section):
    with pytest.raises(LookupError):
        outdated(skip_section, 2)


def test_two_turned_tables_change_four_cards_and_where_people_come_from(skip_section):
    movement = skip_section.movement.movement
    change(skip_section, with_turned(movement, 7, 1, 2), 7)

    changes = outdated(skip_section, 1)

    # East-West of table 1 come from table 8, whose card says that they sit the other way round
    assert labels(skip_section, changes) == ["NS 1", "NS 2", "EW 2", "EW 3"]
    assert changes.tables == {1, 2, 8}
    assert changes.boards == {*range(19, 25)}


def test_a_late_pair_changes_no_card_but_those_it_meets(skip_section):
    change(skip_section, with_late_pair(skip_section.movement.movement), 5)

    changes = outdated(skip_section, 1)

    against = skip_section.movement.movement.at(5, 2).ew
    assert labels(skip_section, changes) == [
        "NS 2",
        "NS 9",
        skip_section.movement.without_seatings.label(against),
    ]
    assert changes.tables == {2}


def test_several_versions_are_compared_from_the_first_change_on(skip_section):
    change(skip_section, with_late_pair(skip_section.movement.movement), 5)
    change(skip_section, with_turned(skip_section.movement.movement, 7, 1, 2), 7)

    assert outdated(skip_section, 2).tables == {1, 2, 8}
    assert labels(skip_section, outdated(skip_section, 2)) == ["NS 1", "NS 2", "EW 2", "EW 3"]
    assert "NS 9" in labels(skip_section, outdated(skip_section, 1))


def test_a_change_taken_back_leaves_nothing_to_print(skip_section):
    movement = skip_section.movement.movement
    change(skip_section, with_turned(movement, 7, 1, 2), 7)
    change(skip_section, movement, 7)

    assert outdated(skip_section, 1) == OutdatedSheets()


def test_a_draw_changes_the_cards_of_all_teams_and_of_their_tables(club):
    movement = catalogue.build_movement("swiss", 7)
    section = section_playing(club, movement, 4)
    matches = ((1, 5), (2, 6))
    change(section, apply_draw(movement, Draw(matches, triangles=((3, 4, 7),))), 2)

    found = outdated(section, 1)

    everybody = frozenset(range(1, 8))
    assert (found.tables, found.contestants) == (everybody, everybody)


def test_a_table_that_now_shares_its_boards_is_different(skip_section):
    def share(row):
        row.shares_with = {1: "2", 2: "1"}.get(row.table, "")

    edit_rows(skip_section, in_round_five(share))

    plan = SectionPlan.of(skip_section)
    different = PlanDifferences(plan.plan_in_version(plan.versions[0]), plan).tables
    assert [(table.round, table.table) for table in different] == [(5, 1), (5, 2)]
    assert [table.before[0].shared_with for table in different] == [(), ()]
    assert [table.after[0].shared_with for table in different] == [(2,), (1,)]


def test_pairs_that_exchange_places_have_another_round_and_so_have_their_opponents(skip_section):
    meets = {row.ns: row.ew for row in skip_section.movement.rows.filter(round=5)}
    edit_rows(skip_section, in_round_five(exchange(3, 6)))

    plan = SectionPlan.of(skip_section)
    difference = PlanDifferences(plan.plan_in_version(plan.versions[0]), plan)

    everybody = plan.evening.contestants
    rounds = {
        number: difference.round_differences(item.entry) for number, item in everybody.items()
    }
    concerned = {number: found for number, found in rounds.items() if found}
    assert concerned.keys() == {3, 6, meets[3], meets[6]}
    (round,) = concerned[3]
    assert round.round == 5
    assert [game.seat for game in round.before] == [(3, "ns")]
    assert [game.seat for game in round.after] == [(6, "ns")]
    assert difference.rounds == 0


def test_a_card_says_that_somebody_sits_out_and_not_where_they_are_back(skip_section):
    def send_out(row):
        row.ew = None if row.round == 5 and row.ew == 9 else row.ew

    def exchange_next(row):
        row.ew = {9: 11, 11: 9}.get(row.ew, row.ew) if row.round == 6 else row.ew

    edit_rows(skip_section, send_out)
    edit_rows(skip_section, exchange_next)

    rows = skip_section.movement.rows
    now = set(rows.filter(round=6, ew__in=(9, 11)).values_list("table", flat=True))
    before = rows.get(round=5, ew=11).table
    left = rows.get(round=4, ew=9).table
    assert outdated(skip_section, 2).tables == {*now, before}
    assert left not in {*now, before}


def test_a_plan_of_a_version_leaves_the_present_one_alone(skip_section):
    change(skip_section, with_late_pair(skip_section.movement.movement), 5)
    plan = SectionPlan.of(skip_section)

    older = plan.plan_in_version(plan.versions[0])

    late = next(
        contestant for contestant in plan.evening.contestants.values() if contestant.label == "NS 9"
    )
    ew = next(
        contestant for contestant in plan.evening.contestants.values() if contestant.label == "EW 1"
    )
    assert older.contestant_of_entry(late.entry) is None
    assert (older.contestant_of_entry(ew.entry).number, ew.number) == (9, 10)
    assert older.evening.games[5][1].ns[0].contestant.label == "NS 2"
    assert plan.evening.games[5][1].ns[0].contestant.label == "NS 9"
    assert plan.section.movement_id == skip_section.movement_id
