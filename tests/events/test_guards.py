"""Every service that changes a section: its allowed states, its counters, its records, and the rows that it leaves
alone.

One table names them all, each in every state a section can be in, beside another section of the session whose list is
final and published: a changed plan counts in the one section and revises no list. Services get a section with nothing
but its key, so they decide on the rows that they have locked.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events import errors, services
from bridgebuddy.events.models import ClubMovement, Entry, EntryPerson, Section
from bridgebuddy.events.services import codes, roster
from bridgebuddy.events.services.lifecycle import (
    copies_of_sessions,
    deletions,
    forgetting,
    sessions,
    trials,
)
from bridgebuddy.events.services.play import changes, line_up, people, rounds
from bridgebuddy.events.services.play.changes import change_options
from bridgebuddy.events.services.setup import entries, movement, own_movements, sections, switches
from bridgebuddy.scoring.models import ScoringSettings
from movements.engine import catalogue
from movements.engine.changes import PairLeaves, PlayedTheOtherWay
from tests.events.states import (
    BEFORE,
    HELD,
    RUNNING,
    World,
    a_switch,
    bystanders,
    different,
    of,
    section_in,
    world,
)
from tests.factories import section_with
from tests.lists import difference, paths

pytestmark = pytest.mark.django_db

# ── what a service does to the counters, if it is not refused ──

PLAN = {"plan": 1, "shown": 1, "results": 0}  # decisions depend on it, and it is shown
SHOWN = {"plan": 0, "shown": 1, "results": 0}
NOTHING = "nothing is changed, and nobody is told off"
NO_WAY = "there is nothing to choose from"

# ── the table ──


@dataclass(frozen=True)
class Row:
    """A service, its arguments (by the section), and its outcome in each state.

    `amends` names the columns of plays of rounds that have begun which it may put right; `besides` are counters that
    grow too; `everywhere` marks changes that the other section of the session shows
    and records, too.
    """

    service: Callable
    action: str
    asked: Callable[[Section], dict | None]
    entered: object
    seated: object
    running: object
    finished: object
    amends: tuple[str, ...] = ()
    otherwise: dict[str, object] = field(default_factory=dict)
    besides: dict[str, int] = field(default_factory=dict)
    everywhere: Literal["", "shown", "recorded"] = ""

    def __str__(self) -> str:
        return f"{self.service.__name__} {self.action}"

    @property
    def takes_an_entry(self) -> bool:
        return next(iter(inspect.signature(self.service).parameters)) == "entry"

    def outcome(self, state: str) -> object:
        """Return the outcome in a state: counters that grow, or the refusal."""
        usual = {"switched": self.seated, **dict.fromkeys(RUNNING, self.running)}
        usual |= {"entered": self.entered, "seated": self.seated, "finished": self.finished}
        return (usual | self.otherwise)[state]


def proposal_for(change):
    """Ask to take the first way there is; None where there is none."""

    def asked(section):
        if section.movement is None or section.is_finished:
            return None
        options = change_options(section, change(section))
        return {"way": options[0], "change": change(section), **plan(section)} if options else None

    return asked


def plan(section):
    return {"plan": section.plan}


def names(*told, stays=False):
    return lambda section: {"names": told, "must_stay_seated": stays}


def nothing(section):
    return {}


def with_a_substitute(section, by):
    """Let a substitute play for one of the third pair."""
    if section.movement:
        third = section.entries.get(position=3)
        people.add_substitute(third, 2, "Ida Stein", from_round=section.shown_round, by=by)


def beside(section, by):
    """Another section of the session, which is about to begin, and a list that is final and published."""
    other = Section.objects.create(session=section.session, name="B")
    entries.add_pairs(other, [(f"Mia Ost{n}", f"Leo Ost{n}") for n in range(6)], by=by)
    other = movement.choose_movement(other, "mitchell", boards_per_round=3, by=by)
    now = timezone.now()
    ScoringSettings.objects.create(
        session=section.session, final_at=now, published_at=now, revision=1
    )
    return other


def link_of(section):
    """The key of the substitute's link."""
    links = EntryPerson.objects.filter(section=section).exclude(plays_for=None)
    return getattr(links.first(), "pk", 0)


CHAIRS = ("north_id", "south_id", "east_id", "west_id")
SEATS = ("ns_id", "ew_id", *CHAIRS, "turned")

TABLE = [
    Row(
        entries.add_pairs,
        "section.enter",
        lambda section: {"pairs": [("Eve Adams", "Max Late")]},
        entered=PLAN,
        seated=PLAN,
        running=errors.AlreadyStarted,
        finished=errors.AlreadyStarted,
    ),
    Row(
        entries.withdraw_pair,
        "section.withdraw",
        nothing,
        entered=PLAN,
        seated=PLAN,
        running=errors.AlreadyStarted,
        finished=errors.AlreadyStarted,
        otherwise={"waiting": PLAN},  # the last on the list, who has no seat
    ),
    Row(
        entries.set_strengths,
        "section.strengths",
        lambda section: {"strengths": {section.entries.first().players[0].pk: 5}},
        entered=SHOWN,
        seated=SHOWN,
        running=SHOWN,
        finished=SHOWN,
    ),
    Row(
        entries.set_strengths,
        "section.strengths",
        lambda section: {"strengths": {section.entries.first().players[0].pk: None}},
        entered=NOTHING,
        seated=NOTHING,
        running=NOTHING,
        finished=NOTHING,
    ),
    Row(
        people.correct_names,
        "section.rename",
        names("Anna Nordt", "Zoë Neu"),
        entered=SHOWN,
        seated=SHOWN,
        running=SHOWN,
        finished=SHOWN,
        amends=CHAIRS,
        besides={"results": 1},  # they are somebody else's
    ),
    Row(
        people.correct_names,
        "section.rename",
        names("Anna Nordt", "Zoë Neu", stays=True),
        entered=PLAN,
        seated=PLAN,
        running=PLAN,
        finished=PLAN,
        amends=CHAIRS,
        besides={"results": 1},  # they are somebody else's
    ),
    Row(
        people.add_substitute,
        "section.substitute",
        lambda section: {"place": 2, "name": "Zoë Neu", "from_round": section.shown_round},
        entered=errors.NotSeated,
        seated=PLAN,
        running=PLAN,
        finished=PLAN,
        amends=CHAIRS,
    ),
    Row(
        people.correct_substitute,
        "section.substitute_corrected",
        lambda section: {"link": link_of(section), "name": "Zoë Neu", "from_round": 2},
        entered=errors.SectionChanged,
        seated=PLAN,
        running=PLAN,
        finished=PLAN,
        amends=CHAIRS,
    ),
    Row(
        people.take_back_substitute,
        "section.substitute_back",
        lambda section: {"link": link_of(section)},
        entered=errors.SectionChanged,
        seated=PLAN,
        running=PLAN,
        finished=PLAN,
        amends=CHAIRS,
    ),
    Row(
        movement.choose_movement,
        "section.movement",
        lambda section: {"family": "howell", "boards_per_round": 2},
        entered=PLAN,
        seated=PLAN,
        running=errors.AlreadyStarted,
        finished=errors.AlreadyStarted,
    ),
    Row(
        movement.choose_own_movement,
        "section.movement",
        lambda section: {"own": section.club.own_movements.get(), "boards_per_round": 2},
        entered=PLAN,
        seated=PLAN,
        running=errors.AlreadyStarted,
        finished=errors.AlreadyStarted,
    ),
    Row(
        movement.seat_by_method,
        "section.seat",
        lambda section: {"method": "random", "seed": 7},
        entered=errors.NotSeated,
        seated=PLAN,
        running=errors.AlreadyStarted,
        finished=errors.AlreadyStarted,
    ),
    Row(
        movement.swap_seats,
        "section.swap",
        lambda section: {"first": 1, "second": 2},
        entered=errors.NotSeated,
        seated=PLAN,
        running=errors.AlreadyStarted,
        finished=errors.AlreadyStarted,
    ),
    Row(
        movement.take_free_seat,
        "section.free_seat",
        lambda section: {"number": 1, "table": 1, "line": "ew"},  # where no seat is free
        entered=errors.NotSeated,
        seated=errors.NotSeated,
        running=errors.AlreadyStarted,
        finished=errors.AlreadyStarted,
    ),
    Row(
        movement.swap_seats,
        "section.swap",
        lambda section: {"first": 1, "second": 1},
        entered=errors.NotSeated,
        seated=NOTHING,
        running=errors.AlreadyStarted,
        finished=errors.AlreadyStarted,
    ),
    Row(
        line_up.cross_pairs,
        "section.cross",
        lambda section: {"round": section.shown_round, "crossed": True},
        entered=errors.NotSeated,
        seated=errors.NotEntered,  # these are pairs
        running=errors.NotEntered,
        finished=errors.NotEntered,
    ),
    Row(
        line_up.seat_team,
        "section.line_up",
        lambda section: {"names": ["A B", "C D", "E F", "G H"], "from_round": 1},
        entered=errors.NotEntered,  # these are pairs
        seated=errors.NotEntered,
        running=errors.NotEntered,
        finished=errors.NotEntered,
    ),
    Row(
        line_up.undo_line_up,
        "section.line_up_back",
        lambda section: {"old_document": {}, "shown_version": ""},
        entered=errors.NotEntered,  # these are pairs
        seated=errors.NotEntered,
        running=errors.NotEntered,
        finished=errors.NotEntered,
    ),
    Row(
        line_up.name_team,
        "section.name_team",
        lambda section: {"name": "Market"},
        entered=errors.NotEntered,
        seated=errors.NotEntered,
        running=errors.NotEntered,
        finished=errors.NotEntered,
    ),
    Row(
        movement.number_matches,
        "section.match_boards",
        lambda section: {"wished": movement.BoardsWished()},
        entered=errors.NotSeated,
        seated=errors.NotSeated,
        running=errors.AlreadyStarted,
        finished=errors.AlreadyStarted,
    ),
    Row(
        switches.switch_arrows,
        "section.switch",
        lambda section: {"choice": section.movement and a_switch(section), **of(section)},
        entered=errors.NotSeated,
        seated=PLAN,
        running=errors.AlreadyStarted,
        finished=errors.AlreadyStarted,
    ),
    Row(
        switches.switch_arrows,
        "section.switch",
        lambda section: {"choice": None, **of(section)},
        entered=errors.NotSeated,
        seated=PLAN,
        running=errors.AlreadyStarted,
        finished=errors.AlreadyStarted,
    ),
    Row(
        sessions.change_session,
        "section.change",
        lambda section: HELD,
        entered=SHOWN,
        seated=SHOWN,
        running=SHOWN,
        finished=SHOWN,
        everywhere="shown",
    ),
    Row(
        codes.renew_code,
        "section.renew_code",
        nothing,
        entered=SHOWN,
        seated=SHOWN,
        running=SHOWN,
        finished=SHOWN,
    ),
    Row(
        deletions.delete_session,
        "section.delete",
        nothing,
        entered=SHOWN,
        seated=SHOWN,
        running=errors.NameRequired,
        finished=errors.NameRequired,
        everywhere="shown",
    ),
    Row(
        deletions.delete_session,
        "section.delete",
        lambda section: {"name": section.session.event.name.lower()},
        entered=SHOWN,
        seated=SHOWN,
        running=SHOWN,
        finished=SHOWN,
        everywhere="shown",
    ),
    Row(
        deletions.restore_session,
        "section.bring_back",
        nothing,
        entered=NOTHING,
        seated=NOTHING,
        running=NOTHING,
        finished=NOTHING,
    ),
    Row(
        rounds.start_next_round,
        "section.next_round",
        lambda section: {"after": section.round},
        entered=errors.NotSeated,
        seated=PLAN,
        running=PLAN,
        finished=errors.RoundMovedOn,
        otherwise={"last": errors.NotRunning},
    ),
    Row(
        rounds.start_rounds,
        "section.next_round",
        lambda section: {"rounds": {section.name: section.round}},
        entered=errors.NotSeated,
        seated=PLAN,
        running=PLAN,
        finished=errors.RoundMovedOn,
        otherwise={"last": errors.NotRunning},
    ),
    Row(
        rounds.set_clocks,
        "section.clocks",
        lambda section: {"common": True},
        entered=SHOWN,
        seated=SHOWN,
        running=SHOWN,
        finished=SHOWN,
        everywhere="recorded",
    ),
    Row(
        rounds.take_back_round,
        "section.back",
        lambda section: {"round": section.round},
        entered=errors.CannotGoBack,
        seated=errors.CannotGoBack,
        running=PLAN,
        finished=PLAN,
    ),
    Row(
        rounds.finish_session,
        "section.finish",
        lambda section: {"round": section.round},
        entered=errors.NotRunning,
        seated=errors.NotRunning,
        running=PLAN,
        finished=errors.NotRunning,
    ),
    Row(
        rounds.pause_clock,
        "section.pause",
        nothing,
        entered=errors.NotRunning,
        seated=errors.NotRunning,
        running=SHOWN,
        finished=errors.NotRunning,
        otherwise={"paused": NOTHING},
    ),
    Row(
        rounds.resume_clock,
        "section.resume",
        nothing,
        entered=errors.NotRunning,
        seated=errors.NotRunning,
        running=NOTHING,
        finished=errors.NotRunning,
        otherwise={"paused": SHOWN},
    ),
    Row(
        rounds.add_minute,
        "section.minute",
        nothing,
        entered=errors.NotRunning,
        seated=errors.NotRunning,
        running=SHOWN,
        finished=errors.NotRunning,
    ),
    Row(
        rounds.set_break,
        "section.break",
        lambda section: {"after_round": section.shown_round, "minutes": 10},
        entered=errors.NotSeated,
        seated=SHOWN,
        running=SHOWN,
        finished=errors.NotRunning,
    ),
    Row(
        changes.take_proposal,
        "section.live_change",
        proposal_for(lambda section: PairLeaves(1)),
        entered=NO_WAY,
        seated=PLAN,
        running=PLAN,
        finished=NO_WAY,
        otherwise={"last": NO_WAY},
    ),
    Row(
        changes.take_proposal,
        "section.live_change",
        proposal_for(lambda section: PlayedTheOtherWay(section.shown_round, 1)),
        entered=NO_WAY,
        seated=NO_WAY,
        running=PLAN,
        finished=NO_WAY,
        amends=SEATS,
    ),
    Row(  # where rounds are open, tests/scoring/test_drawing.py says what comes of it
        changes.adopt_draw,
        "section.draw",
        lambda section: (
            {"movement": section.movement.movement, "round": 2, "way": "x", **plan(section)}
            if section.movement
            else None
        ),
        entered=NO_WAY,
        seated=errors.NoSuchProposal,
        running=errors.NoSuchProposal,
        finished=errors.NotRunning,
    ),
    Row(
        changes.undo_change,
        "section.live_change",
        plan,
        entered=errors.CannotGoBack,
        seated=errors.CannotGoBack,
        running=errors.CannotGoBack,
        finished=errors.CannotGoBack,
        otherwise={"changed": PLAN},
    ),
    Row(
        changes.redo_change,
        "section.live_change",
        plan,
        entered=errors.CannotGoBack,
        seated=errors.CannotGoBack,
        running=errors.CannotGoBack,
        finished=errors.CannotGoBack,
        otherwise={"waiting": PLAN},
    ),
]

#: change what is no section's, or make one: each has tests of its own below
CLUBS = {own_movements.store_own_movement, sessions.open_session}
CLUBS |= {
    roster.change_person,
    roster.mark_as_different,
    roster.set_public_name,
    roster.merge_people,
}
CLUBS |= {roster.store_people_numbers}
#: see test_forgetting.py
CLUBS |= {forgetting.anonymise_person}
#: make a session from another one, or press one through: see test_copies_of_sessions.py
CLUBS |= {
    copies_of_sessions.copy_session,
    copies_of_sessions.make_rehearsal,
    copies_of_sessions.advance_rehearsal,
}
#: makes a session with invented people: see tests/director/test_trial.py
CLUBS |= {trials.open_trial}
#: change several sections of a session: see test_sections.py
SESSIONS = {
    sections.divide_entries,
    sections.copy_section_movement,
    sections.copy_movement_to_all_sections,
    rounds.finish_sections,
}

#: are no changes by themselves: called by those above under their lock, or only read
NO_CHANGES = {
    "breaks": {"copy_break", "plan_break_for", "share_break"},
    "change_facts": {"describe_wrong_boards", "change_facts"},
    "change_seats": {
        "store_return",
        "store_departures",
        "leaving_contestants",
        "renumber_entries",
        "returning_contestant",
        "seat_newcomer",
    },
    "changes": {
        "add_version",
        "current_version",
        "is_repeated",
        "redoable_version",
        "undoable_version",
        "change_options",
    },
    "copies_of_sessions": {
        "entries_with_people",
        "has_two_lines",
        "has_two_rows",
        "returning_people",
    },
    "deletions": {"purge_expired_sessions", "has_expired_data", "movements_of_sections"},
    "codes": {"end_codes_as_wanted"},
    "entries": {
        "reread_entry",
        "add_entries",
        "people_of_other_sections",
        "people_named",
        "delete_entry",
    },
    "deals": {"section_board_numbers", "last_deal", "renumber_boards", "renumber_later"},
    "forgetting": {
        *("delete_club", "anonymise_inactive_people", "months_before"),
        "create_anonymous_person",
    },
    "line_up": {"has_half_time"},
    "locking": {
        "lock_section",
        "lock_with_cached_session",
        "lock_following_sections",
        "lock_movement",
        "lock_session",
    },
    "movement": {
        *("fit_movement", "give_seats", "seat_pairs", "reseat_entries"),
        *("take_movement_of", "movement_without_half_table", "place_second_round"),
    },
    "names_on_record": {"replace_name_words", "replace_names_on_record", "recorded_spellings"},
    "recording": {"record_plan_change", "record_visible_change"},
    "own_movements": {"own_movements_for"},
    "people": {
        *(
            "checked_rounds",
            "rounds_for_record",
            "last_round",
            "line_up_key",
            "line_up_document",
            "overlaid_stints",
        ),
        *("refuse_other_section", "make_stint", "stints_of_place"),
    },
    "plays": {
        "amend_people",
        "guard_history",
        "planned_plays",
        "rewrite_plays",
        "take_back_plays",
        "write_plays",
    },
    "prepared_starts": {"free_seats", "apply_prepared_start"},
    "roster": {"shared_past_session_day", "new_numbers", "section_with_both"},
    "rounds": {"begin_without_the_late"},
    "seats": {
        *(
            "seats_by_strength",
            "keep_and_assign_seats",
            "seats_in_room_order",
            "stationary_seats",
            "seats_by_past_shares",
        ),
        *("usual_seating", "seats_by_method", "takes_turns"),
    },
    "sessions": {"session_of_button_press", "unique_value_of_press", "open_session_once"},
    "searches": {"found_by_search"},
    "display_refresh": {
        "connect_signals",
        "refresh_borrowers",
        "refresh_sections",
        "sections_with_people",
    },
    "stored_movements": {"set_first_movement", "delete_unused_movements"},
    "switches": {"unswitched_movement", "unswitched_movement_after"},
    "trials": {"begin_next_round", "forget_trials", "invent_club", "invent_user", "recent_trial"},
}


def public_functions() -> Iterator[tuple[str, Callable]]:
    """Every public function of every module of services, with the module's name."""
    for found in pkgutil.walk_packages(services.__path__, f"{services.__name__}."):
        module = importlib.import_module(found.name)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and not name.startswith("_"):
                yield found.name.rpartition(".")[2], function


def is_change(function) -> bool:
    """Return whether a function is a service: a named change in a transaction of its own."""
    return hasattr(function, "__wrapped__") and "by" in inspect.signature(function).parameters


@pytest.mark.guard
def test_every_service_is_in_the_table():
    found = list(public_functions())

    listed = paths([*(row.service for row in TABLE), *CLUBS, *SESSIONS])
    changes = paths(function for _, function in found if is_change(function))
    assert difference(changes, listed, "TABLE in tests/events/test_guards.py") == []
    others: dict[str, set[str]] = {}
    for module, item in found:
        if not is_change(item):
            others.setdefault(module, set()).add(item.__name__)
    assert others == NO_CHANGES


# ── what is looked at ──


def touches_others(section, model: str, was: dict | None, now: dict | None) -> bool:
    """Return whether a changed row does not belong to the section."""
    row = now or was
    match model:
        case "Section":
            return row["id"] != section.pk
        case "Entry" | "EntryPerson" | "SectionMovement" | "Play":
            return row["section_id"] != section.pk
        case "Person":
            return row["club_id"] != section.club.pk or now is None
        case "Event":
            return row["club_id"] != section.club.pk or was is not None
        case "Session":
            return row["id"] != section.session_id
        case "StoredMovement" | "SeatingRow" | "AuditRecord" | "SecurityEvent":
            return was is not None and now is not None
    return True


def is_shown_beside(row: Row, section, model: str, was: dict | None, now: dict | None) -> bool:
    """Return whether a change only refreshes the other section of the session, where it has to.

    The end of its code follows from the date of the session.
    """
    if not row.everywhere or model != "Section" or not (was and now):
        return False
    shown = {"shown": was["shown"] + 1, "code_ends_at": now["code_ends_at"]}
    return now["session_id"] == section.session_id and now == was | shown


def begun_plays(world: World, section, rounds: int) -> dict[int, dict]:
    """The plays of a section that stand, in its first rounds."""
    return {
        key: play
        for key, play in world["Play"].items()
        if play["section_id"] == section.pk
        and play["round"] <= rounds
        and play["taken_back_at"] is None
    }


def faults(
    row: Row, section, other, by, before: World, after: World, counters: dict
) -> Iterator[str]:
    """Return a service's extra changes and missing changes."""
    was, now = before["Section"][section.pk], after["Section"][section.pk]
    grown = {name: now[name] - was[name] for name in counters}
    if grown != counters:
        yield f"counts {grown}"
    new = sorted(after["AuditRecord"].keys() - before["AuditRecord"].keys())
    records = [after["AuditRecord"][key] for key in new]
    told = [
        (record["action"], record["subject"], record["subject_id"], record["by_id"])
        for record in records
    ]
    where = [section.pk, other.pk] if row.everywhere == "recorded" else [section.pk]
    if told != [(row.action, "section", key, by.pk) for key in where]:
        yield f"records {told}"
    elif facts_of(records[0]).get("plan") != (now["plan"] if counters["plan"] else None):
        yield f"records {records[0]['facts']}"
    elif records[0]["reason"] != reason_for(row).get("reason", ""):
        yield f"records the reason {records[0]['reason']!r}"
    for change in different(before, after):
        if touches_others(section, *change) and not is_shown_beside(row, section, *change):
            yield f"touches {change}"
    rounds = min(was["round"], now["round"])
    old, new = begun_plays(before, section, rounds), begun_plays(after, section, rounds)
    if old.keys() != new.keys():
        yield "has other plays in rounds that have begun"
    rewritten = {
        column
        for key in old.keys() & new.keys()
        for column in old[key]
        if old[key][column] != new[key][column]
    }
    if not rewritten <= set(row.amends):
        yield f"rewrites {sorted(rewritten)} of what was played"
    had = was["movement_id"], before["SectionMovement"]
    has = now["movement_id"], after["SectionMovement"]
    if rounds and has != had and row.action != "section.live_change":
        yield "has another movement though it is no live change"


def facts_of(record: dict) -> dict:
    return json.loads(record["facts"])


def reason_for(row: Row) -> dict[str, str]:
    """A reason, where the service takes one."""
    return {"reason": "as agreed"} if "reason" in inspect.signature(row.service).parameters else {}


def knowing_nothing(row: Row, section):
    """A section, or its last entry, as a page would have it that was shown long ago."""
    old = Section(pk=section.pk)
    if row.takes_an_entry:
        return Entry(pk=section.entries.last().pk, section=old)
    return old


@pytest.fixture
def marked(monkeypatch):
    """Let every query that locks say so, since SQLite has no words for it."""
    locking = QuerySet.select_for_update
    monkeypatch.setattr(
        QuerySet,
        "select_for_update",
        lambda self, **how: locking(self, **how).extra(where=["'locked' = 'locked'"]),
    )


def first_query(call: Callable[[], object]) -> tuple[object, str]:
    """Make a call; return the refusal or nothing, and the first thing it asked the database."""
    asked: list[str] = []

    def note(execute, sql, params, many, context):
        asked.append(sql)
        return execute(sql, params, many, context)

    refused = None
    with connection.execute_wrapper(note):
        try:
            call()
        except errors.ChangeRefused as error:
            refused = type(error)
    return refused, next((sql for sql in asked if not sql.startswith("SAVEPOINT")), "")


@pytest.mark.usefixtures("marked")
@pytest.mark.parametrize("state", [*BEFORE, *RUNNING, "finished"])
def test_what_a_service_may_do_in_a_state_and_nothing_else(club, alice, state):
    bystanders(club, alice)
    section = section_in(state, club, alice)
    with_a_substitute(section, alice)
    other = beside(section, alice)
    before = world()
    outcomes, found = [], []

    for row in TABLE:
        truth = Section.objects.get(pk=section.pk)
        asked = row.asked(truth)
        if asked is None:
            outcomes.append((str(row), NO_WAY))
            continue
        old = knowing_nothing(row, section)
        with transaction.atomic():
            refused, query = first_query(
                lambda row=row, old=old, asked=asked: row.service(
                    old, **asked, **reason_for(row), by=alice
                )
            )
            after = world()
            transaction.set_rollback(True)
        if "'locked'" not in query:
            found.append(f"{row} looks before it locks: {query}")
        if refused or before == after:
            outcomes.append((str(row), refused or NOTHING))
            found += [f"{row} is refused and changes {item}" for item in different(before, after)]
        else:
            counters = row.outcome(state) if row.outcome(state) in (PLAN, SHOWN) else PLAN
            outcomes.append((str(row), counters))
            told = faults(row, section, other, alice, before, after, counters | row.besides)
            found += [f"{row} {fault}" for fault in told]
            if row.everywhere and before["Section"][other.pk] == after["Section"][other.pk]:
                found.append(f"{row} is not shown in the other section")

    assert outcomes == [(str(row), row.outcome(state)) for row in TABLE]
    assert found == [], "\n".join(found)


# ── services that are no section's ──


def test_a_session_that_is_opened_is_recorded_and_its_pairs_are(club, alice):
    bystanders(club, alice)
    before = world()

    section = sessions.open_session(club, **HELD, pairs=[("Eve A", "Max A")], by=alice)

    kinds = sorted(
        model
        for model, was, now in different(before, world())
        if was is None or pytest.fail(f"{model} was there before")
    )
    assert kinds == sorted(
        ["Event", "Session", "Section", "Entry", *2 * ["EntryPerson", "Person", "AuditRecord"]]
    )
    told = AuditRecord.objects.filter(subject="section", subject_id=section.pk).order_by("pk")
    assert [(record.action, record.by, record.facts) for record in told] == [
        ("section.open", alice, {"name": "Spring Cup"}),
        ("section.enter", alice, {"pairs": [["Eve A", "Max A"]], "plan": 2}),
    ]


def test_an_own_movement_is_recorded_and_takes_the_place_of_its_namesake_in_one_club(
    club, alice, carol
):
    bystanders(club, alice)
    own_movements.store_own_movement(
        carol.clubs.get(), catalogue.build_movement("howell", 3), name="Ours", by=carol
    )
    before = world()

    kept = own_movements.store_own_movement(
        club, catalogue.build_movement("howell", 4), name="Ours", by=alice
    )

    found = [(model, was and was["id"]) for model, was, _ in different(before, world())]
    assert found == [("AuditRecord", None), ("ClubMovement", kept.pk)]
    assert len(ClubMovement.objects.get(pk=kept.pk).movement.contestants) == 8
    told = AuditRecord.objects.first()
    assert (told.action, told.subject, told.subject_id, told.by, told.facts) == (
        "club.movement",
        "clubmovement",
        kept.pk,
        alice,
        {"name": "Ours"},
    )


def test_what_is_said_of_a_session_is_shown_in_all_its_sections(club, alice):
    section = section_with(6, "mitchell", club=club, by=alice)
    beside = Section.objects.create(session=section.session, name="B")
    elsewhere = section_with(0, club=club, by=alice)

    sessions.change_session(section, **HELD, by=alice)

    now = Section.objects.in_bulk([beside.pk, elsewhere.pk])
    assert [(item.plan, item.shown) for item in (now[beside.pk], now[elsewhere.pk])] == [
        (beside.plan, beside.shown + 1),
        (elsewhere.plan, elsewhere.shown),
    ]
