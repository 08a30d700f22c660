"""All stored data of a club, as tables: see docs/admin/data.md."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Model, Q

from bridgebuddy.audit.models import Record
from bridgebuddy.clubs.models import Club, Membership, Person, SecurityEvent, TwoPeople
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
from bridgebuddy.planning.models import ClubChart, Owned, Planned
from bridgebuddy.publication.models import (
    BridgeWebs,
    ClubPage,
    Letter,
    MailAddress,
    OwnPage,
    Upload,
)
from bridgebuddy.publication.own.personal_data import Tables, row_of
from bridgebuddy.registration.models import Answer, Beforehand, NotAsked, TypedName
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
    RatingBefore,
)
from bridgebuddy.table_phones.models import (
    Call,
    Carried,
    Claim,
    Correction,
    Phones,
    PlayingDirector,
    Swapped,
)
from movements.models import StoredMovement

OF_SECTION = "section__session__event__club"
#: each table of a club: its model, and the path to the club
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
    "owned": (Owned, "club"),
    "planned": (Planned, "session__event__club"),
    "beforehand": (Beforehand, "session__event__club"),
    "answers": (Answer, "session__event__club"),
    "typed_names": (TypedName, "session__event__club"),
    "not_asked": (NotAsked, "person__club"),
    "page": (ClubPage, "club"),
    "bridgewebs": (BridgeWebs, "club"),
    "mail_addresses": (MailAddress, "person__club"),
    "own_pages": (OwnPage, "person__club"),
    "letters": (Letter, "session__event__club"),
    "uploads": (Upload, "session__event__club"),
    "championships": (Championship, "club"),
    "handicap_rules": (HandicapRule, "club"),
    "handicaps_by_hand": (HandicapByHand, "person__club"),
    "ratings_wanted": (ClubRating, "club"),
    "ratings_before": (RatingBefore, "session__event__club"),
    "points_reports": (PointsReport, "club"),
    "ledger": (LedgerEntry, "report__club"),
    "imports": (Import, "club"),
    "past_sessions": (PastSession, "session__event__club"),
    "past_lines": (PastLine, "past__session__event__club"),
    "past_places": (PastPlayer, "line__past__session__event__club"),
    "final_lists": (FinalList, "session__event__club"),
    "security_events": (SecurityEvent, "club"),
}


def tables_of_club(club: Club) -> Tables:
    """Return all rows of a club, by table."""
    tables = {
        name: [row_of(row) for row in model._default_manager.filter(**{path: club}).order_by("pk")]
        for name, (model, path) in TABLES.items()
    }
    tables["movements"] = [row_of(movement) for movement in _movements_of(tables)]
    tables["members"] = [
        {
            "id": membership.user_id,
            "email": membership.user.email,
            "name": membership.user.get_full_name(),
            "role": membership.role,
        }
        for membership in Membership.objects.filter(club=club).select_related("user").order_by("pk")
    ]
    tables |= counted_of(club)
    tables["records"] = [row_of(record) for record in _records_of(club, tables)]
    return {"club": [row_of(club)], **tables}


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
