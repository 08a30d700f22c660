"""The results of a terminal file compared with the session: new ones, and doubtful ones.

No line is accepted because it looks right. It counts only if section, round, table, board and both pairs are those of
a play that has begun.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import Contestant

from ..rules.errors import ScoringError
from ..rules.files.terminals import ReceivedFile, ReceivedLine
from ..rules.outcomes import read_outcome
from ..snapshot.lines import PlayLine
from ..snapshot.session_snapshot import SessionSnapshot

_DIGITS = re.compile(r"\d+")
HUNDREDS = {"ns": 100, "ew": 200}


@dataclass(frozen=True)
class TerminalLine:
    """A result in a file of scoring terminals, with the play of the session that it belongs to.

    `why` is empty for a new result, "same" or "differs" if there is one already. Otherwise it is doubtful: no such
    play ("section", "round", "table", "board"), other contestants there ("pairs", "turned"), a repeated line
    ("twice"), or a problem of its own.
    """

    said: ReceivedLine
    line: PlayLine | None
    why: str = ""


class TerminalFile:
    """The results in a scoring terminals' file, compared with a session's; `by_place` ignores pair numbers."""

    def __init__(
        self, tonight: SessionSnapshot, file: ReceivedFile, *, by_place: bool = False
    ) -> None:
        self.tonight, self.file, self.by_place = tonight, file, by_place

    @cached_property
    def lines(self) -> list[TerminalLine]:
        """Return all results of the file with their plays, in the order of play."""
        terminal_lines = [self._find_play_of_line(line) for line in self.file.lines]
        outcomes: defaultdict[int, list[Any]] = defaultdict(list)
        for terminal_line in terminal_lines:
            if (
                terminal_line.line
                and terminal_line.said.outcome not in outcomes[terminal_line.line.play]
            ):
                outcomes[terminal_line.line.play].append(terminal_line.said.outcome)
        once: dict[tuple[Any, ...], TerminalLine] = {}
        for terminal_line in terminal_lines:
            if terminal_line.line and len(outcomes[terminal_line.line.play]) > 1:
                terminal_line = TerminalLine(terminal_line.said, terminal_line.line, "twice")
            once.setdefault((_place_of(terminal_line.said), terminal_line.said.said), terminal_line)
        return sorted(once.values(), key=lambda item: _place_of(item.said))

    @cached_property
    def new(self) -> list[TerminalLine]:
        """Return the file's results that the session does not have yet."""
        return [line for line in self.lines if not line.why]

    @cached_property
    def same(self) -> list[TerminalLine]:
        """Return the file's results that equal those of the session."""
        return [line for line in self.lines if line.why == "same"]

    @cached_property
    def differing(self) -> list[TerminalLine]:
        """Return the file's results that differ from those of the session."""
        return [line for line in self.lines if line.why == "differs"]

    @cached_property
    def doubtful(self) -> list[TerminalLine]:
        """Return the file's results that belong to no play of the session."""
        return [line for line in self.lines if line.why and line.why not in ("same", "differs")]

    @property
    def other_numbers(self) -> bool:
        """Return whether most results fit a play but name other pairs, so that the pair numbers differ."""
        wrong = sum(line.why in ("pairs", "turned") for line in self.lines)
        return not self.by_place and 2 * wrong > len([line for line in self.lines if line.line])

    @property
    def is_of_another_day(self) -> bool:
        """Return whether results have dates, but none is the session's day or the day after."""
        date = self.tonight.session.date
        days = {str(date), str(date + timedelta(days=1))}
        return bool(self.file.days) and not days & set(self.file.days)

    @property
    def key(self) -> str:
        """Return a digest that identifies this comparison of file and session, to be sent with the form."""
        state = [
            (
                terminal_line.why,
                terminal_line.line and (terminal_line.line.play, terminal_line.line.number),
                terminal_line.said.outcome,
            )
            for terminal_line in self.lines
        ]
        plans = [(section.pk, section.plan) for section in self.tonight.sections]
        text = json.dumps([plans, self.by_place, state], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def lines_to_store(self, instead: Collection[str]) -> list[TerminalLine]:
        """Return the results to store: the new ones, and those that replace the plays with keys in `instead`."""
        return self.new + [
            line for line in self.differing if line.line and str(line.line.play) in instead
        ]

    # ── one line ──

    def _find_play_of_line(self, received: ReceivedLine) -> TerminalLine:
        """Return a result of the file with the play it belongs to, or the reason why it belongs to none."""
        section = self._section(received.section)
        if section is None:
            return TerminalLine(received, None, "section")
        line = self._lines.get((section.pk, received.round, received.table, received.board))
        if line is None:
            return TerminalLine(received, None, self._reason_without_play(section, received))
        return TerminalLine(
            received,
            line,
            self._wrong_pairs_reason(line, received)
            or received.problem
            or _state_of_line(line, received),
        )

    def _section(self, name: str) -> Section | None:
        """Return the section that the file's letter means; a single section needs no equal letter."""
        if len(self.tonight.sections) == 1 and len({line.section for line in self.file.lines}) == 1:
            return self.tonight.sections[0]
        return next((section for section in self.tonight.sections if section.name == name), None)

    def _reason_without_play(self, section: Section, received: ReceivedLine) -> str:
        """Return what is wrong in a result without a play: "round", "board" or "table"."""
        if not 1 <= received.round <= section.round:
            return "round"
        at_table = (section.pk, received.round, received.table)
        return "board" if any(key[:3] == at_table for key in self._lines) else "table"

    def _wrong_pairs_reason(self, line: PlayLine, received: ReceivedLine) -> str:
        """Return "turned" if the pairs sat in each other's direction, "pairs" if others played; else empty."""
        if self.by_place:
            sides = {"ns": (received.ns, line.ns), "ew": (received.ew, line.ew)}
            usual = self._usual_entries
            fits = all(
                usual[line.section.pk, side, number] == contestants[0].entry
                for side, (number, contestants) in sides.items()
            )
            return "" if fits else "pairs"
        ns, ew = possible_numbers(line.ns[0]), possible_numbers(line.ew[0])
        if received.ns in ns and received.ew in ew:
            return ""
        return "turned" if received.ns in ew and received.ew in ns else "pairs"

    @cached_property
    def _usual_entries(self) -> Mapping[tuple[int, str, int], int]:
        """Return, for each pair number in the file, the entry that most often sat where the file has that number."""
        counts: defaultdict[tuple[int, str, int], Counter[int]] = defaultdict(Counter)
        for read in self.file.lines:
            section = self._section(read.section)
            place = (section.pk if section else 0, read.round, read.table, read.board)
            if line := self._lines.get(place):
                counts[place[0], "ns", read.ns][line.ns[0].entry] += 1
                counts[place[0], "ew", read.ew][line.ew[0].entry] += 1
        return {key: counted.most_common(1)[0][0] for key, counted in counts.items()}

    @cached_property
    def _lines(self) -> Mapping[tuple[int, int, int, int], PlayLine]:
        """Return the session's plays that have begun, by section, round, table and board."""
        return {
            (line.section.pk, line.round, line.table, line.board): line
            for line in self.tonight.lines
            if line.has_begun
        }


def possible_numbers(contestant: Contestant) -> set[int]:
    """Return the numbers that terminals may use for a contestant: EW 3 of five tables is 3, 8 or 203."""
    own = {int(digits) for digits in _DIGITS.findall(contestant.slug)}
    return (
        own | {contestant.number} | {HUNDREDS.get(contestant.field, 0) + number for number in own}
    )


def _state_of_line(line: PlayLine, received: ReceivedLine) -> str:
    """Return how a file's result compares with the play: "" if new, "same", "differs" or "impossible"."""
    try:
        read_outcome(received.outcome, line.board)
    except ScoringError:
        return "impossible"
    if line.outcome is None or "pending" in line.outcome:
        return ""
    return "same" if _remove_lead(line.outcome) == _remove_lead(received.outcome) else "differs"


def _remove_lead(outcome: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return an outcome without its opening lead."""
    return {key: value for key, value in (outcome or {}).items() if key != "lead"}


def _place_of(received: ReceivedLine) -> tuple[str, int, int, int]:
    """Return where a result in the file was played: section, round, table and board."""
    return received.section, received.round, received.table, received.board
