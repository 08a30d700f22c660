"""All stored data of a club, as tables: see docs/admin/data.md."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Model, Q

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import Club, DistinctPeople, Membership, Person, SecurityEvent
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
from bridgebuddy.money.models import (
    CashCount,
    MoneyAccount,
    MoneyEntry,
    MoneySettings,
    SeriesPrices,
    SessionMoney,
)
from bridgebuddy.planning.models import ClubChart, Equipment, Series, SeriesHost, SessionPlan
from bridgebuddy.publication.models import (
    BridgeWebs,
    BridgeWebsUpload,
    ClubPage,
    MemberMail,
    MemberMailDelivery,
    PlayerPage,
    ResultsMail,
    ResultsSubscription,
)
from bridgebuddy.publication.own.personal_data import Tables, exported_row
from bridgebuddy.registration.models import (
    BlockedRequest,
    Registration,
    RegistrationSettings,
    UnconfirmedName,
)
from bridgebuddy.scoring.models import (
    Deal,
    DealGeneration,
    DismissedCheck,
    Draw,
    FouledBoard,
    MatchRuling,
    Penalty,
    Result,
    ScoringSettings,
    TableReminder,
    TerminalImport,
)
from bridgebuddy.scoring.results.archived import session_tables
from bridgebuddy.seasons.models import (
    Championship,
    FinalList,
    HandicapRule,
    ManualHandicap,
    MasterpointEntry,
    MasterpointReport,
    RatingBefore,
    RatingSettings,
)
from bridgebuddy.table_phones.models import (
    CorrectionRequest,
    DirectorCall,
    PhoneHolder,
    PhoneSettings,
    PlayingDirector,
    ResultClaim,
    SwappedSeats,
)
from movements.models import StoredMovement

OF_SECTION = "section__session__event__club"
#: each table of a club: its model, and the path to the club
TABLES: dict[str, tuple[type[Model], str]] = {
    "people": (Person, "club"),
    "two_people": (DistinctPeople, "one__club"),
    "events": (Event, "club"),
    "sessions": (Session, "event__club"),
    "sections": (Section, "session__event__club"),
    "section_movements": (SectionMovement, OF_SECTION),
    "entries": (Entry, OF_SECTION),
    "places": (EntryPerson, OF_SECTION),
    "plays": (Play, OF_SECTION),
    "readouts": (TerminalImport, "session__event__club"),
    "results": (Result, f"play__{OF_SECTION}"),
    "penalties": (Penalty, f"entry__{OF_SECTION}"),
    "fouled_boards": (FouledBoard, OF_SECTION),
    "match_rulings": (MatchRuling, OF_SECTION),
    "settled": (DismissedCheck, OF_SECTION),
    "draws": (Draw, OF_SECTION),
    "deals": (Deal, "session__event__club"),
    "dealings": (DealGeneration, "session__event__club"),
    "reminders": (TableReminder, OF_SECTION),
    "scorings": (ScoringSettings, "session__event__club"),
    "phones": (PhoneSettings, "session__event__club"),
    "claims": (ResultClaim, f"play__{OF_SECTION}"),
    "corrections": (CorrectionRequest, f"play__{OF_SECTION}"),
    "calls": (DirectorCall, OF_SECTION),
    "carried": (PhoneHolder, OF_SECTION),
    "playing_directors": (PlayingDirector, OF_SECTION),
    "swapped": (SwappedSeats, f"entry__{OF_SECTION}"),
    "own_movements": (ClubMovement, "club"),
    "chart": (ClubChart, "club"),
    "owned": (Equipment, "club"),
    "series": (Series, "event__club"),
    "series_hosts": (SeriesHost, "series__event__club"),
    "planned": (SessionPlan, "session__event__club"),
    "beforehand": (RegistrationSettings, "session__event__club"),
    "answers": (Registration, "session__event__club"),
    "typed_names": (UnconfirmedName, "session__event__club"),
    "not_asked": (BlockedRequest, "person__club"),
    "page": (ClubPage, "club"),
    "bridgewebs": (BridgeWebs, "club"),
    "mail_addresses": (ResultsSubscription, "person__club"),
    "own_pages": (PlayerPage, "person__club"),
    "letters": (ResultsMail, "session__event__club"),
    "member_mails": (MemberMail, "club"),
    "member_mail_deliveries": (MemberMailDelivery, "mail__club"),
    "uploads": (BridgeWebsUpload, "session__event__club"),
    "championships": (Championship, "club"),
    "handicap_rules": (HandicapRule, "club"),
    "handicaps_by_hand": (ManualHandicap, "person__club"),
    "ratings_wanted": (RatingSettings, "club"),
    "ratings_before": (RatingBefore, "session__event__club"),
    "points_reports": (MasterpointReport, "club"),
    "ledger": (MasterpointEntry, "report__club"),
    "imports": (Import, "club"),
    "past_sessions": (PastSession, "session__event__club"),
    "past_lines": (PastLine, "past__session__event__club"),
    "past_places": (PastPlayer, "line__past__session__event__club"),
    "final_lists": (FinalList, "session__event__club"),
    "security_events": (SecurityEvent, "club"),
    "price_list": (MoneySettings, "club"),
    "series_prices": (SeriesPrices, "event__club"),
    "session_prices": (SessionMoney, "club"),
    "money_accounts": (MoneyAccount, "club"),
    "money_entries": (MoneyEntry, "club"),
    "cash_counts": (CashCount, "session_money__club"),
}


def tables_of_club(club: Club) -> Tables:
    """Return all rows that the database holds of a club, by database table, for the export of its data."""
    tables = {
        name: [
            exported_row(row)
            for row in model._default_manager.filter(**{path: club}).order_by("pk")
        ]
        for name, (model, path) in TABLES.items()
    }
    tables["movements"] = [exported_row(movement) for movement in _movements_of(tables)]
    tables["members"] = [
        {
            "id": membership.user_id,
            "email": membership.user.email,
            "name": membership.user.get_full_name(),
            "roles": ",".join(membership.roles),
            "person_id": membership.person_id,
        }
        for membership in Membership.objects.filter(club=club).select_related("user").order_by("pk")
    ]
    tables |= session_tables(club)
    tables["records"] = [exported_row(record) for record in _records_of(club, tables)]
    return {"club": [exported_row(club)], **tables}


def _movements_of(tables: Tables) -> Iterable[Model]:
    """Return the stored movements that the exported sections refer to."""
    used = {
        row[column]
        for row in [*tables["sections"], *tables["section_movements"]]
        for column in ("movement_id", "unswitched_id")
    }
    return StoredMovement.objects.filter(pk__in=used - {None}).order_by("pk")


def _records_of(club: Club, tables: Tables) -> Iterable[AuditRecord]:
    """Return the audit records about a club, its sections and its sessions."""

    def keys_of_table(table: str) -> list[int]:
        """Return the primary keys of an exported table's rows."""
        return [row["id"] for row in tables[table]]

    of_club = Q(subject="club", subject_id=club.pk)
    of_sections = Q(subject="section", subject_id__in=keys_of_table("sections"))
    of_sessions = Q(subject="session", subject_id__in=keys_of_table("sessions"))
    return AuditRecord.objects.filter(of_club | of_sections | of_sessions).order_by("pk")
