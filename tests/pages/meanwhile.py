"""Concurrent changes while a page is read: they shrink or grow its content."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.contrib.sessions.models import Session as SignedIn
from django.core.cache import caches
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.test import Client

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import ClubLogo, Person, User
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import (
    Entry,
    EntryPerson,
    Event,
    Play,
    Section,
    SectionMovement,
    Session,
)
from bridgebuddy.events.queries.snapshot import ONE_STATE
from bridgebuddy.events.services.play import changes, people, rounds
from bridgebuddy.events.services.setup import entries, movement
from bridgebuddy.scoring.models import (
    Deal,
    DismissedCheck,
    Draw,
    FouledBoard,
    MatchRuling,
    Penalty,
    Result,
    ScoringSettings,
    TableReminder,
)
from bridgebuddy.table_phones.models import (
    CorrectionRequest,
    DirectorCall,
    PhoneSettings,
    PhoneSubmission,
    ResultClaim,
    SwappedSeats,
    TableLastSeen,
)
from movements.engine.changes import PairArrives
from movements.models import SeatingRow, StoredMovement
from tests.emptied import unchecked
from tests.factories import ClubFactory, SectionFactory, director_of, section_with

from .addresses import PageRequest

#: what is different each time, whatever is shown
SECRETS = re.compile(
    r'(?<=name="csrfmiddlewaretoken" value=")\w+|(?<="X-CSRFToken": ")\w+|(?<=name="key" value=")[^"]+'
)
#: where a session that was opened by the form is: its code is another one each time
NEW_SESSION = re.compile(r"/s/[A-Z2-9]{6}/")
WRITTEN = re.compile(r'(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM) "(\w+)"')
#: everything that a change or a form may touch
ROWS: tuple[type[models.Model], ...] = (
    *(Event, Session, StoredMovement, SeatingRow, Section, SectionMovement),
    *(Person, Entry, EntryPerson, Play, AuditRecord, SignedIn),
    *(
        PhoneSettings,
        ResultClaim,
        PhoneSubmission,
        CorrectionRequest,
        DirectorCall,
        TableLastSeen,
        SwappedSeats,
    ),
    *(
        ScoringSettings,
        Result,
        Penalty,
        FouledBoard,
        DismissedCheck,
        Draw,
        Deal,
        TableReminder,
        MatchRuling,
    ),
)
#: what a page shows, but not who has signed in
OF_THE_EVENING = {model._meta.db_table for model in ROWS if model is not SignedIn}
QUOTED = re.compile(r'(?:FROM|JOIN|INTO|UPDATE) "(\w+)"')


@dataclass(frozen=True)
class Change:
    """A change of an evening of 10 pairs after a number of rounds."""

    round: int
    make: Callable[[Section, User], object]
    happened_before: Callable[[Section, User], object] | None = None

    def evening(self) -> tuple[Section, User]:
        """Return a section as it is before, and who directs it."""
        club = ClubFactory()
        by = director_of(club)
        ClubLogo.objects.create(club=club, image=b"logo", type="image/png")
        section = section_with(10, "mitchell", round=self.round, club=club, by=by)
        SectionFactory(session=section.session, name="B")
        people = Person.objects.filter(club=club).order_by("pk")
        for strength, person in enumerate(people):
            person.strength = strength
        Person.objects.bulk_update(people, ["strength"])
        PhoneSettings.objects.create(session=section.session, mode="any")
        if self.happened_before:
            self.happened_before(section, by)
        return Section.objects.get(pk=section.pk), by


def seat_late_pair(section: Section, by: User) -> None:
    """Seat a pair in such a way that others get other numbers."""
    section, late = Section.objects.get(pk=section.pk), PairArrives(joins_running=True)
    way = next(
        way
        for way in changes.change_options(section, late)
        if any(old != new for old, new in way.proposal.numbers.items())
    )
    newcomer = changes.ArrivingEntry(names=("Eve Late", "Max Late"))
    changes.take_proposal(section, way, late, plan=section.plan, by=by, newcomer=newcomer)


def _withdraw(section: Section, by: User) -> None:
    entries.withdraw_pair(section.entries.get(contestant=2), by=by)


def _undo(section: Section, by: User) -> None:
    changes.undo_change(section, plan=Section.objects.get(pk=section.pk).plan, by=by)


CHANGES: Mapping[str, Change] = {
    "a pair withdraws": Change(0, _withdraw),
    "another movement is chosen": Change(
        0,
        lambda section, by: movement.choose_movement(section, "howell", boards_per_round=3, by=by),
    ),
    "the session begins": Change(
        0, lambda section, by: rounds.start_next_round(section, after=0, by=by)
    ),
    "a late pair is seated": Change(2, seat_late_pair),
    "a live change is undone": Change(2, _undo, happened_before=seat_late_pair),
    "a round is taken back": Change(
        2, lambda section, by: rounds.take_back_round(section, round=2, by=by)
    ),
    "a substitute is put in": Change(
        2,
        lambda section, by: people.add_substitute(
            section.entries.first(), 1, "Zoë Neu", from_round=2, until_round=3, by=by
        ),
    ),
    "the session ends": Change(
        2, lambda section, by: rounds.finish_session(section, round=2, by=by)
    ),
}


class SectionReads(list[str]):
    """A page's reads of its section, and their isolation."""

    snapshots = 0
    #: rows of the evening were read outside of any
    is_apart = False

    @property
    def is_of_one_snapshot(self) -> bool:
        """Return whether the database itself makes all reads of one moment."""
        return self.snapshots == 1 and not self.is_apart


class PageAnswer(NamedTuple):
    """An answer: its status, its redirection, and its words."""

    status: int
    leads_to: str
    text: str


class ChangingEvening:
    """A section before a change, which can be brought back to that."""

    def __init__(self, change: Change) -> None:
        for kept in (caches["default"], caches["sheets"]):
            kept.clear()
        self.change = change
        self.section, self.by = change.evening()
        self.browser = Client(raise_request_exception=False)
        self.browser.force_login(self.by)
        self.signed_in = {name: row.value for name, row in self.browser.cookies.items()}
        with connection.cursor() as cursor:  # all that is there, as the database has it
            for model in ROWS:
                cursor.execute(f"DROP TABLE IF EXISTS {_kept(model)}")
                cursor.execute(
                    f"CREATE TEMPORARY TABLE {_kept(model)} AS SELECT * FROM {_of(model)}"
                )
        self.written: set[str] = set()
        #: who makes the change, from one page to the next by the same connection: making one takes as long as a page
        self.others: ThreadPoolExecutor

    @contextmanager
    def noting_what_is_written(self) -> Iterator[None]:
        """Note the tables that any thread writes to."""

        def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            self.written.update(WRITTEN.findall(sql))
            return execute(sql, params, many, context)

        def meet(connection: BaseDatabaseWrapper, **_: object) -> None:
            connection.execute_wrappers.append(note)

        connection_created.connect(meet)
        try:
            with connection.execute_wrapper(note), ThreadPoolExecutor(max_workers=1) as others:
                self.others = others
                yield
                others.submit(lambda: connection.close()).result()  # its own
        finally:
            connection_created.disconnect(meet)

    def begin_again(self) -> None:
        """Restore the state before any event; new rows get the same keys again."""
        touched = [model for model in ROWS if model._meta.db_table in self.written]
        with unchecked(), connection.cursor() as cursor:
            for model in touched:
                cursor.execute(f"DELETE FROM {_of(model)}")
            for model in touched:
                cursor.execute(f"INSERT INTO {_of(model)} SELECT * FROM {_kept(model)}")
            for sql in _counting_anew(touched):
                cursor.execute(sql)
        self.written.clear()

    def shown(self, asked: PageRequest) -> PageAnswer:
        """Return the answer to a director who has just signed in."""
        self.browser.cookies.clear()  # of messages that nobody has read yet
        self.browser.cookies.load(self.signed_in)
        answer = asked.of(self.section, self.browser)
        leads_to = answer.headers.get("Location") or answer.headers.get("HX-Redirect", "")
        if self.section.code not in leads_to:
            leads_to = NEW_SESSION.sub("/s/new/", leads_to)
        return PageAnswer(answer.status_code, leads_to, SECRETS.sub("", answer.content.decode()))

    def happen(self) -> None:
        """Make the change, unless it is not possible any more."""
        with suppress(ChangeRefused):
            self.change.make(Section.objects.get(pk=self.section.pk), self.by)

    @contextmanager
    def happening_after(self, read: int) -> Iterator[SectionReads]:
        """Make the change after this number of reads of the section, at 0 never.

        Yields the reads of the section, and fails if a snapshot writes.
        """
        seen = SectionReads()
        is_snapshot = False

        def ends() -> None:
            """Mark the end of a snapshot of PostgreSQL, whose transactions begin unseen."""

        def hook(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            nonlocal is_snapshot
            begins = sql in ("BEGIN DEFERRED", ONE_STATE)
            seen.snapshots += begins
            if sql == ONE_STATE:
                transaction.on_commit(ends)  # which is gone whichever way it ends
            if not connection.in_atomic_block:
                is_snapshot = begins
            elif connection.vendor == "postgresql":
                is_snapshot = any(call is ends for _, call, _ in connection.run_on_commit)
            if is_snapshot and not begins:  # PostgreSQL itself refuses to write in it
                assert sql.startswith("SELECT"), f"written in a snapshot: {sql}"
                assert "cache" not in sql, f"what may have to be deleted is read: {sql}"
            seen.is_apart |= not is_snapshot and not OF_THE_EVENING.isdisjoint(QUOTED.findall(sql))
            result = execute(sql, params, many, context)
            if is_read_of_section(sql):
                seen.append(sql)
                if len(seen) == read:
                    self.others.submit(self.happen).result()
            return result

        with connection.execute_wrapper(hook):
            yield seen


def _of(model: type[models.Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _kept(model: type[models.Model]) -> str:
    return connection.ops.quote_name(f"kept_{model._meta.db_table}")


def _counting_anew(touched: list[type[models.Model]]) -> list[str]:
    """Let keys go on after the last there is."""
    if connection.vendor == "sqlite":
        tables = [{"table": model._meta.db_table, "column": None} for model in touched]
        return connection.ops.sequence_reset_by_name_sql(no_style(), tables)
    return connection.ops.sequence_reset_sql(no_style(), touched)


def is_read_of_section(sql: str) -> bool:
    """Return whether a query reads the page's section by its code, or all sections of the club at home."""
    asked = ('"events_section"."code" = ', "pair_count", "sections__plan__sum")
    return sql.startswith("SELECT") and any(text in sql for text in asked)
