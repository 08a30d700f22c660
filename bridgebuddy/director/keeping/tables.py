"""Everything that is kept of a club, or of one person, as tables: see docs/admin/data.md."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, Q

from bridgebuddy.audit.models import Record
from bridgebuddy.clubs.models import Club, Membership, Person, SecurityEvent, TwoPeople
from bridgebuddy.coming.models import ClubChart
from bridgebuddy.events.models import (
    ClubMovement,
    Entry,
    EntryPerson,
    Event,
    Import,
    PastLine,
    PastPlayer,
    PastSession,
    Play,
    Section,
    SectionMovement,
    Session,
)
from bridgebuddy.publication.models import BridgeWebs, ClubPage, Letter, MailAddress, Upload
from bridgebuddy.scoring.models import (
    Deal,
    Dealing,
    Draw,
    FouledBoard,
    MatchRuling,
    Penalty,
    Readout,
    Reminder,
    Result,
    Scoring,
    Settled,
)
from bridgebuddy.scoring.queries.archived import counted_of
from bridgebuddy.seasons.models import (
    Championship,
    ClubRating,
    FinalList,
    HandicapByHand,
    HandicapRule,
    LedgerEntry,
    PointsReport,
)
from bridgebuddy.tables.models import (
    Call,
    Carried,
    Claim,
    Correction,
    Phones,
    PlayingDirector,
    Swapped,
)
from movements.models import StoredMovement

Row = dict[str, Any]
Tables = dict[str, list[Row]]

OF_SECTION = "section__session__event__club"
#: each table of a club: its rows, and how they lead to the club
TABLES: dict[str, tuple[type[Model], str]] = {
    "people": (Person, "club"),
    "two_people": (TwoPeople, "one__club"),
    "events": (Event, "club"),
    "sessions": (Session, "event__club"),
    "sections": (Section, "session__event__club"),
    "section_movements": (SectionMovement, OF_SECTION),
    "entries": (Entry, OF_SECTION),
    "places": (EntryPerson, OF_SECTION),
    "plays": (Play, OF_SECTION),
    "readouts": (Readout, "session__event__club"),
    "results": (Result, f"play__{OF_SECTION}"),
    "penalties": (Penalty, f"entry__{OF_SECTION}"),
    "fouled_boards": (FouledBoard, OF_SECTION),
    "match_rulings": (MatchRuling, OF_SECTION),
    "settled": (Settled, OF_SECTION),
    "draws": (Draw, OF_SECTION),
    "deals": (Deal, "session__event__club"),
    "dealings": (Dealing, "session__event__club"),
    "reminders": (Reminder, OF_SECTION),
    "scorings": (Scoring, "session__event__club"),
    "phones": (Phones, "session__event__club"),
    "claims": (Claim, f"play__{OF_SECTION}"),
    "corrections": (Correction, f"play__{OF_SECTION}"),
    "calls": (Call, OF_SECTION),
    "carried": (Carried, OF_SECTION),
    "playing_directors": (PlayingDirector, OF_SECTION),
    "swapped": (Swapped, f"entry__{OF_SECTION}"),
    "own_movements": (ClubMovement, "club"),
    "chart": (ClubChart, "club"),
    "page": (ClubPage, "club"),
    "bridgewebs": (BridgeWebs, "club"),
    "mail_addresses": (MailAddress, "person__club"),
    "letters": (Letter, "session__event__club"),
    "uploads": (Upload, "session__event__club"),
    "championships": (Championship, "club"),
    "handicap_rules": (HandicapRule, "club"),
    "handicaps_by_hand": (HandicapByHand, "person__club"),
    "ratings_wanted": (ClubRating, "club"),
    "points_reports": (PointsReport, "club"),
    "ledger": (LedgerEntry, "report__club"),
    "imports": (Import, "club"),
    "past_sessions": (PastSession, "session__event__club"),
    "past_lines": (PastLine, "past__session__event__club"),
    "past_places": (PastPlayer, "line__past__session__event__club"),
    "final_lists": (FinalList, "session__event__club"),
    "security_events": (SecurityEvent, "club"),
}
#: what opens pages, and what is there for the program alone
LEFT_OUT = {"code", "once", "token", "search", "sealed"}


def tables_of_club(club: Club) -> Tables:
    """Return all rows of a club, by table."""
    tables = {
        name: [_row(one) for one in model._default_manager.filter(**{path: club}).order_by("pk")]
        for name, (model, path) in TABLES.items()
    }
    tables["movements"] = [_row(one) for one in _movements_of(tables)]
    tables["members"] = [
        {
            "id": one.user_id,
            "email": one.user.email,
            "name": one.user.get_full_name(),
            "role": one.role,
        }
        for one in Membership.objects.filter(club=club).select_related("user").order_by("pk")
    ]
    tables |= counted_of(club)
    tables["records"] = [_row(one) for one in _records_of(club, tables)]
    return {"club": [_row(club)], **tables}


def tables_of_person(person: Person) -> Tables:
    """Return what is kept of somebody: who they are, when and with whom they played, and what came of it."""
    return {
        "person": [_row(person)],
        "mail_address": [_row(one) for one in MailAddress.objects.filter(person=person)],
        "sessions": [_session_of(link) for link in _places_of(person)],
        "sessions_scored_elsewhere": [_past_of(one) for one in _past_places_of(person)],
        "plays": [_play_of(play, person) for play in _plays_of(person)],
    }


def _row(one: Model) -> Row:
    fields = one._meta.concrete_fields
    return {
        field.attname: getattr(one, field.attname) for field in fields if field.name not in LEFT_OUT
    }


def _movements_of(tables: Tables) -> Iterable[Model]:
    used = {
        row[column]
        for row in [*tables["sections"], *tables["section_movements"]]
        for column in ("movement_id", "unswitched_id")
    }
    return StoredMovement.objects.filter(pk__in=used - {None}).order_by("pk")


def _records_of(club: Club, tables: Tables) -> Iterable[Record]:
    def keys(table: str) -> list[int]:
        return [row["id"] for row in tables[table]]

    of_club = Q(subject="club", subject_id=club.pk)
    of_sections = Q(subject="section", subject_id__in=keys("sections"))
    of_sessions = Q(subject="session", subject_id__in=keys("sessions"))
    return Record.objects.filter(of_club | of_sections | of_sessions).order_by("pk")


def _places_of(person: Person) -> Iterable[EntryPerson]:
    links = EntryPerson.objects.filter(Q(person=person) | Q(plays_for=person))
    whole = links.select_related("section__session__event", "person", "plays_for")
    return whole.prefetch_related("entry__entry_people__person").order_by(
        "section__session__date", "pk"
    )


def _session_of(link: EntryPerson) -> Row:
    session, others = link.section.session, link.entry.entry_people.all()
    names = [one.person.name for one in others if one.position != link.position]
    return {
        "date": session.date,
        "event": session.event.name,
        "section": link.section.name,
        "number": link.entry.contestant,
        "with": " & ".join(dict.fromkeys(names)),
        "from_round": link.from_round,
        "until_round": link.until_round,
        "played": link.person.name,
        "for": link.owner.name,
    }


def _past_places_of(person: Person) -> Iterable[PastPlayer]:
    places = PastPlayer.objects.filter(person=person).select_related("line__past__session__event")
    whole = places.prefetch_related("line__past_players__person")
    return whole.order_by("line__past__session__date", "pk")


def _past_of(place: PastPlayer) -> Row:
    line, session = place.line, place.line.past.session
    names = [one.person.name for one in line.past_players.all() if one.pk != place.pk]
    return {
        "date": session.date,
        "event": session.event.name,
        "file": line.past.file,
        "with": " & ".join(names),
        **{key: getattr(line, key) for key in ("place", "total", "percent", "masterpoints")},
    }


def _plays_of(person: Person) -> Iterable[Play]:
    there = Q(north=person) | Q(south=person) | Q(east=person) | Q(west=person)
    plays = Play.objects.filter(there, taken_back_at=None).select_related("section__session__event")
    whole = plays.prefetch_related("results")
    return whole.order_by("section__session__date", "section", "round", "table", "part", "board")


def _play_of(play: Play, person: Person) -> Row:
    results: Iterable[Result] = play.results.all()
    stands = [one.outcome for one in results if one.stands]
    return {
        "date": play.section.session.date,
        "event": play.section.session.event.name,
        "section": play.section.name,
        "round": play.round,
        "table": play.table,
        "board": play.board,
        "seat": next(
            c for c in ("north", "south", "east", "west") if getattr(play, f"{c}_id") == person.pk
        ),
        "outcome": stands[0] if stands else None,
    }


def as_json(what: str, tables: Tables) -> bytes:
    """Return tables as one JSON document."""
    document = {"format": f"bridgebuddy-{what}", "version": 1, "tables": tables}
    return json.dumps(document, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1).encode()


def as_csv(tables: Tables) -> bytes:
    """Return tables as a ZIP file with a CSV file each, for a spreadsheet."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, rows in tables.items():
            text = io.StringIO()
            writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else [])
            writer.writeheader()
            writer.writerows(
                {column: _cell(value) for column, value in row.items()} for row in rows
            )
            archive.writestr(f"{name}.csv", "\ufeff" + text.getvalue())
    return whole.getvalue()


def _cell(value: object) -> object:
    """A spreadsheet would compute what begins like a formula."""
    if isinstance(value, dict | list):
        return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{value}"
    return value
