"""Import of past sessions from files of another program, with preview and undo.

Nothing is scored again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from functools import cached_property

from django.db import transaction
from django.db.models import ForeignObjectRel, ProtectedError, Q, QuerySet, RestrictedError
from django.utils import timezone

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import Club, DistinctPeople, Person, User, searchable
from bridgebuddy.events.errors import SectionChanged
from bridgebuddy.events.models import Event, Import, PastLine, PastPlayer, PastSession, Session
from bridgebuddy.events.queries.sessions.club_sessions import real_sessions
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.rules.past import model as past
from bridgebuddy.scoring.rules.past.opening import OpenedFile, open_files
from bridgebuddy.seasons.models import Championship

from ..models import PlayerSession
from .drafts import files_from_json, files_to_json
from .name_matching import NameMatching
from .roster_matching import RosterMatcher
from .same_sessions import (
    alike_sessions,
    have_same_pairs,
    identifiers_by_day,
    pairs_by_day,
    pairs_of_session,
)

#: the first year in which computers scored club sessions, with a margin
FIRST_YEAR = 1950
#: files have days without times
AT = time(0)
#: rows in one insert
AT_ONCE = 500


@dataclass(frozen=True)
class SessionInFile:
    """A past session in an uploaded file, and whether the club has it already."""

    number: int
    file: OpenedFile
    session: past.PastSession
    #: "file": the same file was imported; "identifier": the club has a session with this identifier on that day;
    #: "day", "pairs": the club has such a session on that day;
    #: "twice": exactly so in an earlier file; "alike", "later": nearly so in a later or an earlier file
    there: str = ""
    is_to_come: bool = False

    @property
    def asks_for_a_day(self) -> bool:
        """Return whether the user must give the date: the file has none, or one in the future."""
        return self.session.date is None or self.is_to_come

    @property
    def is_plain(self) -> bool:
        """Return whether the session can be imported without asking the user anything."""
        return self.is_taken and not self.asks_for_a_day and bool(self.session.name)

    @property
    def is_taken(self) -> bool:
        """Return whether the session is proposed for import: the club does not have it yet."""
        return not self.there and not self.doubts

    @property
    def doubts(self) -> tuple[str, ...]:
        """Return what is doubtful about the session, apart from a missing date."""
        return tuple(doubt for doubt in self.session.doubts if doubt != past.ImportDoubt.NO_DATE)


class ImportDraft:
    """Uploaded files of past results before their import, compared with the club's roster and sessions."""

    def __init__(self, brought: Import) -> None:
        self.brought, self.club = brought, brought.club

    @cached_property
    def files(self) -> list[OpenedFile]:
        """Return the uploaded files as they were read."""
        return files_from_json(self.brought.read)

    @cached_property
    def unusable_files(self) -> list[OpenedFile]:
        """Return the files from which nothing can be imported."""
        return [file for file in self.files if not file.sessions]

    @cached_property
    def sessions(self) -> list[SessionInFile]:
        """Return every session in the files, by date.

        Makes five queries.
        """
        identifiers = identifiers_by_day(self.club)
        digests = set(
            PastSession.objects.filter(session__event__club=self.club).values_list(
                "digest", flat=True
            )
        )
        club_days = real_sessions(self.club).values_list("date", "event__name")
        days = {(day, searchable(name)) for day, name in club_days}
        sessions = [(file, session) for file in self.files for session in file.sessions]
        pairs = [pairs_of_session(session) for _, session in sessions]
        alike = alike_sessions([session for _, session in sessions], pairs)
        club_pairs = pairs_by_day(
            self.club, {session.date for _, session in sessions if session.date}
        )
        seen: set[tuple[object, ...]] = set()
        listed = []
        for number, (file, imported) in enumerate(sessions):
            there = "file" if file.digest in digests else ""
            if not there and (imported.date, imported.identifier) in identifiers:
                there = "identifier"
            if not there and (imported.date, searchable(imported.name)) in days:
                there = "day"
            if not there and have_same_pairs(pairs[number], *club_pairs.get(imported.date, ())):
                there = "pairs"
            key = imported.date, searchable(imported.name), imported.rankings
            there = there or ("twice" if key in seen else alike.get(number, ""))
            seen.add(key)
            to_come = imported.date is not None and not is_past(imported.date, self.club)
            listed.append(SessionInFile(number, file, imported, there, to_come))
        return sorted(listed, key=lambda item: (item.session.date or date.min, item.number))

    @cached_property
    def names(self) -> NameMatching:
        """Return the players' names in the files, matched with the roster."""
        return NameMatching(self.club, (session_rows(item.session) for item in self.sessions))


def is_past(day: date, club: Club) -> bool:
    """Return whether a session may have been played on `day`, because it is not in the club's future."""
    return day.year >= FIRST_YEAR and day <= club.today


def session_rows(session: past.PastSession) -> Iterator[past.ImportedLine]:
    """Return every row of an imported session's rankings."""
    for ranking in session.rankings:
        yield from ranking.lines


@transaction.atomic
def read_import(club: Club, files: Iterable[tuple[str, bytes]]) -> Import:
    """Read uploaded files of past results, and store their contents until the user confirms the import.

    Raises `NotRead` for too many files.
    """
    read = open_files(files)
    Import.objects.filter(club=club, taken_at=None).delete()
    return Import.objects.create(club=club, read=files_to_json(read))


@dataclass(frozen=True)
class AcceptedSession:
    """A session that the user imports, with the confirmed date and name."""

    number: int
    date: date
    name: str


@transaction.atomic
def import_sessions(
    brought: Import,
    choices: Iterable[AcceptedSession],
    people: Mapping[tuple[str, str], Person | None],
    *,
    whole: Collection[tuple[str, str]] = (),
    by: User | None,
) -> Import:
    """Import the accepted sessions as past sessions of the club, with their rankings as in the files.

    `people` maps doubtful names to people; None stands for a new person. The names in `whole` keep
    the words that were removed from them. Raises `SectionChanged`
    if the import was made or removed meanwhile.
    """
    open_ones = Import.objects.select_for_update(of=("self",)).filter(taken_at=None)
    stored = open_ones.select_related("club").filter(pk=brought.pk).first()
    if stored is None:
        raise SectionChanged()
    draft = ImportDraft(stored)
    sessions = {session.number: session for session in draft.sessions}
    chosen = [
        (sessions[accepted.number], accepted) for accepted in choices if accepted.number in sessions
    ]
    matching = NameMatching(stored.club, (session_rows(session.session) for session, _ in chosen))
    roster = RosterMatcher(stored, matching, people, by)
    roster.whole = frozenset(whole)
    _store_sessions(stored, chosen, matching, roster)
    stored.taken_at, stored.read, stored.brought_people = timezone.now(), [], roster.brought
    stored.save()
    add_record("club.moved_in", stored.club, by=by, count=len(chosen), people=len(roster.brought))
    return stored


def _store_sessions(
    brought: Import,
    accepted: Sequence[tuple[SessionInFile, AcceptedSession]],
    matching: NameMatching,
    roster: RosterMatcher,
) -> None:
    """Store the imported sessions with bulk inserts, because single ones would block result entry for too long."""
    events = _events_by_name(brought.club, [told.name for _, told in accepted])
    sessions = Session.objects.bulk_create(
        Session(event=events[told.name], date=told.date, starts_at=AT) for _, told in accepted
    )
    now = timezone.now()
    ScoringSettings.objects.bulk_create(
        ScoringSettings(session=session, final_at=now, revision=1, correction_minutes=None)
        for session in sessions
    )
    past_sessions = PastSession.objects.bulk_create(
        PastSession(
            session=session,
            brought=brought,
            file=day_chosen.file.name,
            digest=day_chosen.file.digest,
            format=day_chosen.session.format,
            program=day_chosen.session.program[:80],
            identifier=day_chosen.session.identifier[:80],
            contest=day_chosen.session.contest,
            unit=day_chosen.session.unit,
        )
        for session, (day_chosen, _) in zip(sessions, accepted, strict=True)
    )
    lines = [
        (row, line)
        for past_session, (session, _) in zip(past_sessions, accepted, strict=True)
        for row, line in _past_lines_to_create(past_session, session.session)
    ]
    PastLine.objects.bulk_create([row for row, _ in lines], batch_size=AT_ONCE)
    PastPlayer.objects.bulk_create(
        (
            PastPlayer(line=row, person=person, position=position)
            for row, line in lines
            for position, person in enumerate(_people(line, matching, roster), start=1)
        ),
        batch_size=AT_ONCE,
    )


def _events_by_name(club: Club, names: Iterable[str]) -> dict[str, Event]:
    """Return the club's events by name; missing ones are created."""
    by_name = {event.name: event for event in Event.objects.filter(club=club)}
    for name in names:
        if name not in by_name:
            by_name[name] = Event.objects.get_or_create(club=club, name=name)[0]
    return by_name


def _past_lines_to_create(
    kept: PastSession, read: past.PastSession
) -> Iterator[tuple[PastLine, past.ImportedLine]]:
    """Yield database rows (not saved yet) of an imported session's rankings, each with its row in the file."""
    lines = [(ranking, line) for ranking in read.rankings for line in ranking.lines]
    for number, (ranking, line) in enumerate(lines, start=1):
        yield (
            PastLine(
                past=kept,
                number=number,
                field=ranking.field,
                section=ranking.section,
                place=line.place,
                label=line.label,
                team=line.team,
                total=line.total,
                percent=line.percent,
                masterpoints=line.masterpoints,
                boards=line.boards,
            ),
            line,
        )


def _people(line: past.ImportedLine, names: NameMatching, roster: RosterMatcher) -> list[Person]:
    """Return the people of the roster in a row of a ranking, each once."""
    people = [roster.person((player.name, player.national)) for player in names.players(line)]
    return list(
        {
            past_session.pk: past_session for past_session in people if past_session is not None
        }.values()
    )


def delete_upload(brought: Import) -> bool:
    """Delete uploaded files that were not imported; return whether there were any."""
    count, _rows = Import.objects.filter(pk=brought.pk, taken_at=None).delete()
    return count > 0


@transaction.atomic
def revert_import(brought: Import, *, by: User | None) -> int:
    """Undo an import of past results: delete its sessions, and the people it created if they have no other data.

    Returns the number of deleted sessions, 0 for a second press.
    """
    stored = Import.objects.select_for_update().filter(pk=brought.pk).first()
    if stored is None:
        return 0
    sessions = Session.objects.filter(past__brought=stored)
    events = set(sessions.values_list("event", flat=True))
    count = sessions.count()
    sessions.delete()
    used = Championship.objects.exclude(event=None).values("event")
    Event.objects.filter(pk__in=events, sessions=None).exclude(pk__in=used).delete()
    delete_unused_people(Person.objects.filter(pk__in=stored.brought_people, club=stored.club_id))
    add_record("club.moved_out", stored.club, by=by, count=count)
    stored.delete()
    return count


def delete_unused_people(people: QuerySet[Person]) -> None:
    """Delete people from the roster, except those to whom other tables refer."""
    keys = set(people.values_list("pk", flat=True))
    for field in Person._meta.get_fields(include_hidden=True):
        if isinstance(field, ForeignObjectRel) and field.related_model not in (
            PlayerSession,
            DistinctPeople,
        ):
            name = field.field.name
            theirs = field.related_model._base_manager.filter(**{f"{name}__in": people})
            keys.difference_update(theirs.order_by().values_list(name, flat=True))
    try:
        with transaction.atomic():
            Person.objects.filter(pk__in=keys).delete()
    except (ProtectedError, RestrictedError):  # entered in another session at this moment
        return


@transaction.atomic
def publish_import(brought: Import, is_public: bool, *, by: User | None) -> None:
    """Publish the sessions of an import on the club's public page, or withdraw them."""
    sessions = ScoringSettings.objects.filter(session__past__brought=brought)
    others = (
        sessions.filter(published_at=None) if is_public else sessions.exclude(published_at=None)
    )
    now = timezone.now()
    changes = (
        {"published_at": now, "withdrawn_at": None}
        if is_public
        else {"published_at": None, "withdrawn_at": now}
    )
    if others.update(**changes):
        action = "club.moved_in_read" if is_public else "club.moved_in_unread"
        add_record(action, brought.club, by=by, count=sessions.count())


def club_imports(club: Club) -> list[Import]:
    """Return a club's imports of past results, newest first."""
    taken = Import.objects.filter(club=club).exclude(Q(taken_at=None))
    return list(taken.prefetch_related("past_sessions"))
