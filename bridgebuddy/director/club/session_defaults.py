"""The defaults of a new session: the club's settings, else the last session, else common values."""

from __future__ import annotations

from datetime import date, time, timedelta
from typing import Any

from bridgebuddy.clubs.models import Club, ResultEntryMethod
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.sessions.club_sessions import sessions_scored_here
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.classes import choose_usual_scale
from bridgebuddy.table_phones.models import EntryMode, PhoneSettings
from bridgebuddy.table_phones.queries.phones import phone_settings_of
from bridgebuddy.table_phones.services import phone_settings

USUAL_START = time(19, 0)
USUAL_BOARDS, USUAL_MINUTES = 24, 7
#: for every six boards of a set, one more than the least number fits in
SETS = 6


def default_settings(club: Club) -> dict[str, Any]:
    """Return a club's default for each setting of a session, also for those it never chose."""
    last = sessions_scored_here(club).order_by("-pk").first()
    phones = _last_phone_settings(club)
    return {
        "results_come": club.results_come or result_entry_method(phones),
        "table_sees": club.table_sees or phones.feedback,
        "usual_boards": club.usual_boards or (last.fewest_boards if last else USUAL_BOARDS),
        "usual_minutes": club.usual_minutes or (last.minutes_per_board if last else USUAL_MINUTES),
        "usual_start": club.usual_start or (last.starts_at if last else USUAL_START),
    }


def initial_answers(club: Club) -> dict[str, Any]:
    """Return the initial values of the form for a new session of a club."""
    usual = default_settings(club)
    last = sessions_scored_here(club).select_related("event").order_by("-pk").first()
    fewest = usual["usual_boards"]
    as_last = last is not None and club.usual_boards in (None, last.fewest_boards)
    return {
        "name": last.event.name if last else "",
        "date": club.today if last else _next_playing_day(club),
        "starts_at": usual["usual_start"],
        "fewest_boards": fewest,
        "most_boards": last.most_boards if last and as_last else fewest + fewest // SETS,
        "minutes_per_board": usual["usual_minutes"],
        "results_come": usual["results_come"],
    }


def apply_default_settings(section: Section, results_come: str, *, by: Any) -> None:
    """Set how a new session's results are entered as chosen, and its other settings by the club's defaults."""
    club, before = section.club, phone_settings_of(section)
    mode = before.mode if before.may_enter else EntryMode.SECRET
    phone_settings.store_phone_settings(
        section,
        mode=EntryMode.NONE if results_come == ResultEntryMethod.SLIPS else mode,
        agreement=before.agreement,
        feedback=club.table_sees or before.feedback,
        asks_lead=before.asks_lead,
        slips_too=results_come == ResultEntryMethod.BOTH,
        is_new=True,
        by=by,
    )
    if club.scoring_rules and section.contest.fills_a_side:
        publishing.set_scoring_profile(section, {"preset": club.scoring_rules}, by=by)
    choose_usual_scale(section)


def store_default_settings(section: Section, phones: PhoneSettings) -> None:
    """Store one session's phone settings as the club's defaults, unless it is a rehearsal."""
    club = section.club
    if not section.session.is_rehearsal:
        club.results_come, club.table_sees = result_entry_method(phones), phones.feedback
        club.save()


def result_entry_method(phones: PhoneSettings) -> str:
    """Return how results are entered (by phones or the director), given the phone settings."""
    if not phones.may_enter:
        return ResultEntryMethod.SLIPS.value
    return (ResultEntryMethod.BOTH if phones.slips_too else ResultEntryMethod.PHONES).value


def _last_phone_settings(club: Club) -> PhoneSettings:
    """Return the phone settings of the club's latest session, or the defaults."""
    latest = PhoneSettings.objects.filter(session__event__club=club).order_by("-session_id").first()
    return latest or PhoneSettings()


def _next_playing_day(club: Club) -> date:
    """Return the club's next playing day, which may be today."""
    today = club.today
    if club.usual_day is None:
        return today
    return today + timedelta(days=(club.usual_day - today.weekday()) % 7)
