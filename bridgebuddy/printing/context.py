"""The common context of all sheets: session, movement, version and paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from bridgebuddy.clubs.models import ClubLogo, PaperSize
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.queries.plan.games import Contestant, TableSide, board_text
from bridgebuddy.events.queries.plan.home_tables import room_table_count
from bridgebuddy.events.queries.plan.rovers import RoverSeats
from bridgebuddy.events.queries.sessions.sections import sections_of_session
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot, has_results
from bridgebuddy.scoring.winners import list_state_sentence
from bridgebuddy.table_phones.models import PhoneSettings
from bridgebuddy.table_phones.queries.phones import phone_settings_of
from bridgebuddy.table_phones.secrets import digits_of, secret_of
from bridgebuddy.web.qr_codes import qr_svg
from movements.engine.contest import Contest
from movements.engine.model import Movement
from movements.models import StoredMovement
from movements.words.sentences import STANDS, family_title

from .addresses import lookup_address, player_address, table_address

#: width and height in mm
PAPERS = {PaperSize.A4: (210.0, 297.0), PaperSize.LETTER: (215.9, 279.4)}

LONG_TITLE = 45  # characters

#: a picture that is drawn only when the sheet is rendered, not when pages are counted
Drawn = Callable[[], SafeString]


@dataclass(frozen=True)
class PrintJob:
    """The data that all printed sheets of a section share: its plan, the paper size, and the address for phones."""

    plan: SectionPlan
    paper: str
    phones: str  # "http://192.168.1.20:8000"

    @property
    def section(self) -> Section:
        """Return the section that is printed."""
        return self.plan.section

    @cached_property
    def job_as_seated(self) -> PrintJob:
        """Return the print job with contestants where they really sit, so that arrow-switches move nobody."""
        return (
            self
            if self.plan.plan_of_moves is self.plan
            else replace(self, plan=self.plan.plan_of_moves)
        )

    @property
    def evening(self) -> SessionEvening:
        """Return the section's session, with team matches as games at their real tables."""
        return self.plan.evening

    @property
    def movement(self) -> Movement:
        """Return the engine's movement."""
        return self.plan.movement

    @property
    def stored(self) -> StoredMovement:
        """Return the stored movement, for data other than seatings."""
        return self.section.stored

    @property
    def tables(self) -> int:
        """Return the number of tables in the room."""
        return self.plan.tables

    @property
    def contest(self) -> Contest:
        """Return the kind of contest: pairs, teams or individual."""
        return self.stored.contest

    @property
    def boards_by_set(self) -> dict[str, range]:
        """Return the board numbers of each set."""
        return self.stored.numbers

    @cached_property
    def rovers(self) -> RoverSeats:
        """Return the seats that rovers take over."""
        return RoverSeats(self.plan)

    @property
    def size(self) -> tuple[float, float]:
        """Return the sheet's width and height in mm."""
        return PAPERS[PaperSize(self.paper)]

    # ── the heading ──

    @property
    def letter(self) -> str:
        """Return the section's letter, if the session has several sections."""
        return self.section.letter

    @property
    def title(self) -> str:
        """Return the session's name, with the section if there are several."""
        if not self.letter:
            return self.session_title
        words = {"session": self.session_title, "letter": self.letter}
        return _("%(session)s, section %(letter)s") % words

    @property
    def session_title(self) -> str:
        """Return the session's name, for sheets of all sections."""
        session = self.section.session
        name: str = session.event.name
        return _("Rehearsal: %(name)s") % {"name": name} if session.is_rehearsal else name

    def label_with_section(self, contestant: Contestant) -> str:
        """Return a contestant's number, with the section if there are several: "A NS 1"."""
        return f"{self.letter} {contestant.label}" if self.letter else contestant.label

    @cached_property
    def code(self) -> str:
        """Return the section code for phones; of several sections the first one's, which works for all."""
        if not self.letter:
            return self.section.spaced_code
        return sections_of_session(self.section)[0].spaced_code

    @property
    def club(self) -> str:
        """Return the name of the club."""
        return self.section.club.name

    @cached_property
    def logo_rule(self) -> SafeString:
        """Return the CSS rule with the club's logo for all logos on the sheet."""
        logo = ClubLogo.objects.filter(club=self.section.club).first()
        return logo_rule(logo) if logo else SafeString("")

    @property
    def is_long(self) -> bool:
        """Return whether the sheet's heading is too long for the usual type size."""
        return len(self.title) > LONG_TITLE or len(self.club) > LONG_TITLE

    @cached_property
    def date(self) -> str:
        """Return the session's date as it is printed."""
        # translators: how a date stands on a printed sheet, see Django's date filter
        return date_format(self.section.session.date, pgettext("printed date", "l j F Y"))

    @cached_property
    def movement_line(self) -> str:
        """Return the movement in one line: "Skip Mitchell, 8 tables, 7 rounds of 3 boards"."""
        return movement_line(self.section)

    @cached_property
    def version(self) -> str:
        """Return the version number and time of the movement if it has been changed; otherwise an empty text."""
        versions = self.plan.versions
        last = versions[-1] if versions else None
        if last is None or last.version == 1:
            return ""
        time = time_format(timezone.localtime(last.at), "H:i")
        return _("version %(number)s, %(time)s") % {"number": last.version, "time": time}

    @property
    def stand(self) -> str:
        """Return the club's word for a board stand: "stand", "relay" …."""
        return str(STANDS[self.section.club.stand_word])

    # ── results ──

    @cached_property
    def scored(self) -> ScoredSession | None:
        """Return the session with its computed results, read once for all sheets; None before the first result."""
        if not self.section.is_started or not has_results(self.section):
            return None
        return ScoredSession(SessionSnapshot(self.section))

    @property
    def state(self) -> str:
        """Return the state of the results as text: provisional, complete, final or revised."""
        return list_state_sentence(self.scored) if self.scored else ""

    @property
    def results_address(self) -> str:
        """Return the address of the published results; empty if they are not published."""
        scoring = self.scored.tonight.scoring if self.scored else None
        if scoring is None or not scoring.is_published:
            return ""
        return self.phones + reverse("public-results", args=[scoring.token])

    @cached_property
    def results_qr(self) -> SafeString:
        """Return the QR code for the address of the published results; empty if they are not published."""
        address = self.results_address
        return qr_svg(address, _("QR code: the results")) if address else SafeString("")

    # ── times ──

    def starts_at(self, round: int) -> str:
        """Return the planned start of a round, "19:45"; rounds + 1 gives the end."""
        return time_format(timezone.localtime(self.plan.clock.planned_beginning(round)), "H:i")

    @property
    def break_sentence(self) -> str:
        """Return a sentence that says after which round there is a break; empty without one."""
        section = self.section
        after = section.break_after or 0
        if not 0 < after < section.rounds:
            return ""
        return _("After round %(round)s: a break, until about %(time)s.") % {
            "round": after,
            "time": self.starts_at(after + 1),
        }

    # ── phones ──

    @cached_property
    def lookup_qr(self) -> SafeString:
        """Return the QR code for the page where players find their pair."""
        return qr_svg(
            lookup_address(self.phones, self.section.code), _("QR code: where do I play?")
        )

    @cached_property
    def phone_entry_settings(self) -> PhoneSettings | None:
        """Return the settings for entering results by phone if table cards carry an access code; else None."""
        chosen = phone_settings_of(self.section)
        return chosen if chosen.need_secret else None

    def table_qr(self, table: int) -> SafeString:
        """Return the QR code on a table's card: for result entry at this table, otherwise for the lookup page."""
        if self.phone_entry_settings is None:
            return self.lookup_qr
        secret = secret_of(self.section, table, self.phone_entry_settings)
        address = table_address(self.phones, self.section.code, table, secret)
        return qr_svg(address, _("QR code: enter the results of this table"))

    def table_digits(self, table: int) -> str:
        """Return the four digits of a table for phones that cannot scan; empty if cards open no table."""
        chosen = self.phone_entry_settings
        return digits_of(self.section, table, chosen) if chosen else ""

    def player_qr(self, contestant: Contestant) -> SafeString:
        """Return the QR code for a contestant's page."""
        address = player_address(self.phones, self.section.code, contestant.slug)
        return qr_svg(address, _("QR code: this session on the phone"))


def logo_rule(logo: ClubLogo) -> SafeString:
    """Return the CSS rule with a club's logo as base64, which needs no escaping."""
    return mark_safe(f'.logo {{ background-image: url("{logo.data_uri}"); }}')


def movement_line(section: Section) -> str:
    """Return the movement in one line: "Skip Mitchell, 8 tables, 7 rounds of 3 boards"."""
    stored = section.stored
    a_round, total = section.boards_per_round or 0, section.total_boards or 0
    if section.rounds * a_round < total:  # a live change has shortened the session
        total = 0
    words = {
        "movement": family_title(stored.family),
        "tables": ngettext("%(count)s table", "%(count)s tables", room_table_count(stored))
        % {"count": room_table_count(stored)},
        "rounds": ngettext("%(count)s round", "%(count)s rounds", section.rounds)
        % {"count": section.rounds},
        "boards": board_count(total or a_round),
    }
    if total:
        return _("%(movement)s, %(tables)s, %(rounds)s, %(boards)s") % words
    return _("%(movement)s, %(tables)s, %(rounds)s of %(boards)s") % words


def undrawn_rounds_sentence(job: PrintJob) -> str:
    """Return a sentence on the rounds that are drawn later, of which there must be at least one."""
    rounds = sorted(job.evening.open_rounds)
    return ngettext(
        "Round %(rounds)s is drawn when the results are in.",
        "Rounds %(rounds)s are drawn when the results are in.",
        len(rounds),
    ) % {"rounds": board_text(rounds)}


def board_count(count: int) -> str:
    """Return "1 board", "3 boards"."""
    return ngettext("%(count)s board", "%(count)s boards", count) % {"count": count}


def side_numbers(side: tuple[TableSide, ...]) -> str:
    """Return the number of the contestant in a direction, or of the two players: "3", "3 & 7"."""
    return " & ".join(sitting.chip for sitting in side)


def short_numbers(side: tuple[TableSide, ...]) -> str:
    """Return the numbers of the contestants in a direction for a narrow column: "3", "3 & 7", "N1 S12"."""
    chips = [sitting.chip.replace(" ", "") for sitting in side]
    return (" & " if all(chip.isdigit() for chip in chips) else " ").join(chips)


def side_surnames(side: tuple[TableSide, ...]) -> str:
    """Return the surnames in a direction, "Lehmann & Richter"; of a team its name."""
    return " & ".join(sitting.contestant.surnames for sitting in side)
