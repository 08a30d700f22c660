"""A session's results as files for other programs."""

from __future__ import annotations

from collections import defaultdict
from contextlib import nullcontext

from django.utils.formats import get_format
from django.utils.text import slugify
from django.utils.translation import gettext as _

from bridgebuddy import __version__
from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.people.public_names import reads_for_public, use_public_names
from bridgebuddy.events.models import EntryPerson, Section, Session
from bridgebuddy.web.template_tags import long_date

from ..results.scored import ScoredSession
from ..rules.files.catalogue import FORMATS, NotInThisFormat
from ..rules.files.exported import ExportedSession, FederationFields, Numbers, TextFormat
from ..snapshot.cards import BoardCards
from ..snapshot.kinds import SWISS
from ..snapshot.lines import Dealt
from ..snapshot.session_snapshot import SessionSnapshot
from ..templatetags.results import overall_unit

__all__ = [
    "FORMATS",
    "NotInThisFormat",
    "exported_file",
    "exported_session",
    "file_name",
    "people_of_session",
    "players_without_number",
    "supported_formats",
]


def exported_file(section: Section, name: str) -> bytes:
    """Return a session's results as a file in the format `name`. Raises `NotInThisFormat`."""
    form = FORMATS[name]
    with use_public_names(section.club) if form.is_public else nullcontext():
        return form.file(exported_session(ScoredSession(SessionSnapshot(section))))


def exported_session(together: ScoredSession) -> ExportedSession:
    """Return a session's results in the form from which all file formats are written.

    The overall result with earlier sessions is separate.
    """
    tonight = together.tonight
    has_overall = any(ranking.has_overall for ranking in together.main_lists)
    scored = ScoredSession(tonight, tonight.session_only_document) if has_overall else together
    keys = {(ranking.section, ranking.field) for ranking in scored.main_lists}
    played, cards = tonight.session, _cards_by_deal(tonight)
    return ExportedSession(
        session=scored.document.session,
        profile=scored.profile,
        results=scored.results,
        lists=tuple(
            ranking
            for ranking in scored.results.rankings
            if (ranking.section, ranking.field) in keys and ranking.is_plain
        ),
        more=tuple(
            ranking
            for ranking in scored.results.rankings
            if (ranking.section, ranking.field) in keys
            and not ranking.is_plain
            and ranking.rows
            and not (ranking.handicap and scored.is_in_points)  # a handicap is in per cent
        ),
        club=tonight.section.club.name,
        event=_("%(event)s (provisional)") % {"event": played.event.name}
        if is_provisional(scored)
        else played.event.name,
        date=played.date,
        written=TextFormat(
            date=long_date(played.date),
            directions={"NS": _("North-South"), "EW": _("East-West")},
            separator=get_format("DECIMAL_SEPARATOR"),
            section=_("Section"),
            overall_unit=overall_unit(together),
        ),
        version=__version__,
        titles={
            key: contestant.surnames
            for key, contestant in tonight.contestants.items()
            if contestant.halves
        },
        rounds=max((section.rounds for section in tonight.sections), default=0),
        dealt=tuple(tonight.cards_of(line) for line in (*tonight.lines, *tonight.unplayable_lines)),
        cards={dealt: deal.pbn for dealt, deal in cards.items()},
        optimum={
            dealt: (deal.tricks, deal.par.score)
            for dealt, deal in cards.items()
            if deal.tricks is not None and deal.par is not None
        },
        is_swiss=any(section.stored.family == SWISS for section in tonight.sections),
        is_provisional=is_provisional(scored),
        numbers=_numbers_by_name(tonight),
        asked=_federation_fields(tonight),
        overall={
            (standing.section, standing.contestant.slug): standing.row
            for ranking_list in together.main_lists
            for standing in ranking_list.standings
            if has_overall
        },
    )


def _federation_fields(tonight: SessionSnapshot) -> FederationFields:
    """Return the session's data that a federation asks for in its files."""
    scoring = tonight.scoring
    number = tonight.section.club.federation_number
    return FederationFields(
        number, scoring.charge_code, scoring.point_scale, scoring.points_awarded
    )


def _numbers_by_name(tonight: SessionSnapshot) -> dict[str, Numbers]:
    """Return the federation and club numbers of the players, by name.

    In a public file there are none unless the club allows it, and never for a player with a hidden name.
    """
    if reads_for_public() and not tonight.section.club.shows_numbers:
        return {}
    return {
        player.name: (player.national_number, player.member_number)
        for player in people_of_session(tonight.session)
        if (player.national_number or player.member_number) and player.whole_name is None
    }


def _cards_by_deal(tonight: SessionSnapshot) -> dict[Dealt, BoardCards]:
    """Return the known hands by deal; none where a board number means another deal in every round."""
    deals: defaultdict[tuple[int, int], set[Dealt]] = defaultdict(set)
    for dealt, lines in tonight.lines_by_cards.items():
        for line in lines:
            deals[line.section.pk, line.board].add(dealt)
    return {
        dealt: cards
        for dealt, (line, *_others) in tonight.lines_by_cards.items()
        if (
            tonight.is_one_deal(line.section, line.board)
            or len(deals[line.section.pk, line.board]) == 1
        )
        and (cards := tonight.cards(line.section, line.board)) is not None
    }


def people_of_session(session: Session) -> list[Person]:
    """Return all people with a place in a session, or as substitutes, by name. One query."""
    places = EntryPerson.objects.filter(section__session=session).values("person")
    return list(Person.objects.filter(pk__in=places, anonymous_since=None))


def players_without_number(session: Session) -> list[Person]:
    """Return the players without a national number, by surname, whom the federation cannot tell from namesakes."""
    missing = [player for player in people_of_session(session) if not player.national_number]
    return sorted(missing, key=lambda player: player.listed_order)


def is_provisional(scored: ScoredSession) -> bool:
    """Return whether the ranking is not final."""
    return not scored.tonight.scoring.is_final


def supported_formats(scored: ScoredSession) -> list[str]:
    """Return the file formats in which this session's kind of contest can be written."""
    names = list(FORMATS)
    return names if scored.tonight.contest == "pairs" else [n for n in names if n != "bridgewebs"]


def file_name(scored: ScoredSession, name: str) -> str:
    """Return the file name of an export: "2026-11-24-tuesday-pairs-ranking-provisional.csv"."""
    session = scored.tonight.session
    state = "provisional" if is_provisional(scored) else ""
    parts = (f"{session.date:%Y-%m-%d}", slugify(session.event.name), name, state)
    return "-".join(part for part in parts if part) + f".{FORMATS[name].suffix}"
