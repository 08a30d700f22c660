"""Calls for the director: the situation at the table, and the change that records a mistake."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import TableGame
from bridgebuddy.events.queries.plan_cache import kept_plan
from bridgebuddy.table_phones.models import DirectorCall

#: the change that records the mistake of each kind of call
RECORDED = {DirectorCall.Why.BOARD: "wrong-boards", DirectorCall.Why.PEOPLE: "places"}
#: the time in which a taken call still leads to the record
FRESH = timedelta(minutes=15)


@dataclass(frozen=True)
class CallingTable:
    """A table that calls the director; `due` names the board and pairs that should be there: "board 7, NS 3 …"."""

    call: DirectorCall
    due: str = ""
    is_recordable: bool = False

    @property
    def is_taken(self) -> bool:
        """Return whether a director has taken the call."""
        return self.call.taken_at is not None


def calling_tables(section: Section) -> list[CallingTable]:
    """Return the tables of a session whose call is open, or was taken recently and is not yet recorded."""
    recent = Q(why__in=RECORDED, taken_at__gt=timezone.now() - FRESH)
    together = {"section__session": section.session_id, "section__finished_at": None}
    calls = DirectorCall.objects.filter(Q(taken_at=None) | recent, **together)
    waiting_first = F("taken_at").asc(nulls_first=True)  # PostgreSQL would put it last
    calls_read = calls.select_related("section").order_by(waiting_first, "pk")
    return [
        _calling_table(call) for call in calls_read if call.taken_at is None or _is_to_record(call)
    ]


def _calling_table(call: DirectorCall) -> CallingTable:
    """Return the calling table with the boards and contestants that it should have now."""
    if call.why not in RECORDED:
        return CallingTable(call)
    return CallingTable(call, _due_text(call), is_recordable=_can_be_recorded(call))


def _can_be_recorded(call: DirectorCall) -> bool:
    """Return whether a mistake can be recorded as a change of the movement; in matches it needs a ruling."""
    return not call.section.contest.has_halves


def _is_to_record(call: DirectorCall) -> bool:
    """Return whether the mistake reported in a call is of the current round and seems not to be recorded yet."""
    section = call.section
    is_of_now = call.round == section.round and _can_be_recorded(call)
    return is_of_now and not section.movements.filter(at__gt=call.at).exists()


def _game_of_call(call: DirectorCall) -> TableGame | None:
    """Return who should play what at the calling table now, by the movement."""
    games = kept_plan(call.section).evening.games.get(call.round, ())
    there = [game for game in games if game.table == call.table and game.is_played]
    return next(
        (game for game in there if call.board in game.boards),
        there[0] if there else None,
    )


def _due_text(call: DirectorCall) -> str:
    """Return the board and contestants that the calling table should have now, as text."""
    game = _game_of_call(call)
    if game is None:
        return ""
    single, several = {"board": call.board}, {"boards": game.board_text}
    parts = [_("board %(board)s") % single if call.board else _("boards %(boards)s") % several]
    for line in (game.ns, game.ew):
        parts += [f"{contestant.contestant.label} {contestant.surnames}" for contestant in line]
    return ", ".join(parts)


@dataclass(frozen=True)
class MistakeRecord:
    """The change of the movement that records wrong seats or boards reported by calls, as far as known."""

    calls: tuple[DirectorCall, ...]
    wish: str
    known: dict[str, Any]


def mistake_to_record(call: DirectorCall) -> MistakeRecord | None:
    """Return the change of the movement that records the mistake behind a call; None if there is none.

    Two calls about one mistake complete each other.
    """
    if call.why not in RECORDED or not _can_be_recorded(call):
        return None
    base = {"round": call.round}
    same = DirectorCall.objects.filter(
        Q(taken_at=None) | Q(taken_at__gt=timezone.now() - FRESH),
        section=call.section_id,
        round=call.round,
        why=call.why,
    )
    newest = {call.table: call for call in same.select_related("section") if _is_to_record(call)}
    newest[call.table] = call
    both = sorted(newest.values(), key=lambda row: row.table)
    told = [_number_for_change(table_call) for table_call in both]
    names = {
        DirectorCall.Why.BOARD: ("table", "other_table"),
        DirectorCall.Why.PEOPLE: ("one", "other"),
    }
    if len(both) == 2 and all(told):
        values = base | dict(zip(names[DirectorCall.Why(call.why)], told, strict=True))
        return MistakeRecord(tuple(both), RECORDED[DirectorCall.Why(call.why)], values)
    values = dict(base)
    if call.why == DirectorCall.Why.BOARD:
        values["table"] = call.table
    elif missing := _number_for_change(call):
        values["other"] = missing
    return MistakeRecord((call,), RECORDED[DirectorCall.Why(call.why)], values)


def _number_for_change(call: DirectorCall) -> int:
    """Return the number that the change needs of a call: of the table, or of the missing contestant."""
    if call.why == DirectorCall.Why.BOARD:
        return call.table
    game, caller = _game_of_call(call), call.who_id
    if game is None or caller is None:
        return 0
    for line, across in ((game.ns, game.ew), (game.ew, game.ns)):
        if any(contestant.contestant.entry == caller for contestant in line):
            return across[0].contestant.number
    return 0
