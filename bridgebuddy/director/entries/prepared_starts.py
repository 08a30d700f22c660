"""The sessions that can start now: with the pairs present, and with late pairs."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.queries.plan.planned_evening import preview_plan
from bridgebuddy.planning.prepared_starts import (
    PreparationInput,
    PreparedStart,
    PreparedStarts,
    can_prepare,
    entry_of_pair,
    input_digest,
)
from bridgebuddy.planning.rules.chart import build_movement
from bridgebuddy.registration.attendance import AttendingPair
from bridgebuddy.registration.late_arrivals import late_pairs
from bridgebuddy.registration.registrations import Registrations, registered_pair_count
from movements.engine.boards import movement_boards
from movements.words.sentences import contestant_count_text, family_title

from ..wording import registered_pairs_text

#: the most late pairs that are named; the others are counted
MOST_NAMED = 3


@dataclass(frozen=True)
class StartRow:
    """A start whose movement and seats were computed in advance, as a row of the registrations page."""

    section: Section
    prepared: PreparedStart
    key: str
    #: the printed plan, and the plan of this session, if both exist
    plans: tuple[SectionPlan, SectionPlan] | None = None
    who_is_late: str = ""

    @property
    def is_possible(self) -> bool:
        """Return whether the session can be started this way."""
        return self.prepared.is_possible

    @property
    def pair_count_text(self) -> str:
        """Return the number of pairs with its noun."""
        return contestant_count_text(self.section.contest, self.prepared.pair_count)

    @property
    def participants_text(self) -> str:
        """Return with whom the session starts as text: the pairs present, or also late pairs."""
        late = self.prepared.late
        if not late:
            return _("With those present now")
        if self.who_is_late:
            return _("If %(names)s come") % {"names": self.who_is_late}
        if timezone.now() < self.section.session.planned_start:  # nobody is late yet
            return ngettext(
                "If the %(count)s missing pair comes",
                "If the %(count)s missing pairs come",
                late,
            ) % {"count": late}
        return ngettext(
            "If the %(count)s late pair comes", "If the %(count)s late pairs come", late
        ) % {"count": late}

    @property
    def movement_text(self) -> str:
        """Return the movement and its size as text: "Share-and-Relay, 8 × 3"."""
        return _("%(movement)s, %(rounds)s × %(boards)s") % {
            "movement": family_title(self._movement_size[0]),
            "rounds": self._movement_size[1],
            "boards": self._movement_size[2],
        }

    @property
    def ends_at(self) -> datetime:
        """Return when the session would end without a break."""
        (_family, rounds, boards), session = self._movement_size, self.section.session
        minutes = timedelta(minutes=rounds * boards * session.minutes_per_board)
        return datetime.combine(session.date, session.starts_at) + minutes

    @property
    def _movement_size(self) -> tuple[str, int, int]:
        """Return the family, rounds and boards a round of the movement."""
        if choice := self.prepared.choice:
            return choice.family, choice.rounds, choice.boards
        stored = self.section.stored
        return stored.family, stored.rounds, self.section.boards_per_round or 0


@dataclass(frozen=True)
class StartsView:
    """The starts computed in advance for the registrations page; no rows while they are still being computed."""

    wanted: PreparationInput
    rows: tuple[StartRow, ...] = ()
    is_ready: bool = False

    @property
    def recommended_start(self) -> StartRow | None:
        """Return the row for the pairs present, which the main button starts; None if impossible."""
        return next((row for row in self.rows if row.is_possible and not row.prepared.late), None)

    @property
    def unpaired_names(self) -> str:
        """Return the names of players who are present without a partner."""
        return str(get_text_list([person.name for person in self.wanted.there.alone], _("and")))


def starts_view(
    section: Section,
    registrations: Registrations,
    prepared_starts: PreparedStarts | None,
    *,
    has_paper: bool,
) -> StartsView | None:
    """Return the starts computed in advance for the registrations page; None if that is not possible."""
    if not can_prepare(section):
        return None
    wanted = PreparationInput(section, registrations)
    there = wanted.there
    if not there.here and not there.late:
        return None
    if prepared_starts is None or prepared_starts.inputs_digest != wanted.inputs_digest:
        return StartsView(wanted)
    printed = SectionPlan.of(section) if has_paper and section.movement else None
    rows = [
        StartRow(
            section,
            evening,
            prepared_starts.key(evening),
            _printed_and_prepared_plans(section, evening, wanted.present_pairs(evening), printed),
            _name_if_single([two for two in there.late if two.key in evening.pair_keys]),
        )
        for evening in prepared_starts.evenings
    ]
    return StartsView(wanted, tuple(rows), is_ready=True)


def poll_version(section: Section, registrations: Registrations, view: StartsView | None) -> str:
    """Return a digest that changes with the registrations page's contents, by which polls see a change, or ""."""
    if not can_prepare(section):
        return ""
    state = (view.wanted.inputs_digest, view.is_ready) if view else ()
    alone = [seeker.person_id for seeker in registrations.seekers if seeker.here_at]
    return input_digest(
        (state, [typed_entry.pk for typed_entry in registrations.unconfirmed_names], alone)
    )


def arrivals_context_before_start(section: Section, evening: SessionEvening) -> dict[str, Any]:
    """Return the desk's template context before the start: late pairs and the number of registered pairs."""
    late = [] if section.is_started else late_pairs(section)
    return {
        "late": late,
        "at_door": bool(late) and can_prepare(section),
        "registered": _registered_text(section, evening),
    }


def _name_if_single(late: Sequence[AttendingPair]) -> str:
    """Return the names of the late pair if there is only one, else an empty text."""
    return late[0].names if len(late) == 1 else ""


def _printed_and_prepared_plans(
    section: Section,
    evening: PreparedStart,
    pairs: Sequence[AttendingPair],
    printed: SectionPlan | None,
) -> tuple[SectionPlan, SectionPlan] | None:
    """Return the printed plan and the plan of the prepared start; None if nothing is printed."""
    choice = evening.choice
    if printed is None or choice is None or not evening.is_possible:
        return None
    movement = build_movement(evening.pair_count, choice)
    numbers = movement_boards(movement, per_round=choice.boards)
    entries = []
    for place, (pair, number) in enumerate(zip(pairs, evening.seats, strict=True), start=1):
        entry: Entry = copy(pair.entry) if pair.entry else entry_of_pair(section, pair, -place)
        if pair.entry:
            entry.links_read = [*pair.entry.entry_people.all()]
        entry.take_seat(number)
        entries.append(entry)
    return printed, preview_plan(section, movement, numbers, entries)


def _registered_text(section: Section, evening: SessionEvening) -> str:
    """Return the number of registered pairs as text; empty once the session has entries or has begun."""
    if evening.entries or section.is_started:
        return ""
    if Entry.objects.filter(section__session=section.session_id).exists():
        return ""
    return registered_pairs_text(registered_pair_count(section.session))
