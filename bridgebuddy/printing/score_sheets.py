"""Everybody's own results, two contestants to a sheet that is cut in the middle."""

from __future__ import annotations

from dataclasses import dataclass

from bridgebuddy.events.queries.games import Contestant
from bridgebuddy.scoring.queries.scored import Scored
from bridgebuddy.scoring.queries.sheets import Entry, ScoreSheet
from bridgebuddy.scoring.queries.team_sheets import sheet_of
from bridgebuddy.scoring.words import lead_of

from .context import Job
from .layout import as_few_as_fit
from .own_codes import OwnCode, own_codes
from .selection import Selection

#: lines that fit beneath a name, whatever its length; a line of a round that begins is a little taller
LINES = {"a4": 38, "letter": 35}
#: as high as so many lines are the codes of own pages
CODES = 7


@dataclass(frozen=True)
class SheetLine:
    """A board; the first of a round says against whom, and of single players with whom."""

    entry: Entry
    opponents: tuple[Contestant, ...] = ()
    partner: Contestant | None = None
    is_first: bool = False


@dataclass(frozen=True)
class HalfSheet:
    """One contestant's, or a part of it where they played more boards than fit."""

    sheet: ScoreSheet
    lines: tuple[SheetLine, ...]
    is_last: bool
    codes: tuple[OwnCode, ...] = ()

    @property
    def contestant(self) -> Contestant:
        return self.sheet.contestant

    @property
    def scored(self) -> Scored:
        return self.sheet.scored

    @property
    def leads(self) -> bool:
        """Whether a lead is known on any of its boards."""
        return any(lead_of(line.entry.outcome) for line in self.lines)


@dataclass(frozen=True)
class TwoSheets:
    """A page: its halves, left and right."""

    halves: tuple[HalfSheet, ...]


def score_sheets(job: Job, selection: Selection) -> list[TwoSheets]:
    """Return the pages with everybody's score sheet; none before the first result."""
    scored = job.scored
    if scored is None:
        return []
    section = scored.tonight.section
    everybody = [
        scored.tonight.find(section, contestant.slug) for contestant in selection.contestants(job)
    ]
    there = [who for who in everybody if who is not None]
    codes, most = own_codes(job, [who.entry for who in there]), LINES[job.paper]
    halves: list[HalfSheet] = []
    for who in there:
        own = tuple(codes.get(who.entry, ()))
        halves += _halves(sheet_of(scored, section, who), most - CODES * bool(own), own)
    return [TwoSheets(tuple(halves[start : start + 2])) for start in range(0, len(halves), 2)]


def _halves(sheet: ScoreSheet, most: int, codes: tuple[OwnCode, ...]) -> list[HalfSheet]:
    lines = [
        SheetLine(
            entry,
            stage.opponents if place == 0 else (),
            stage.partner if place == 0 else None,
            place == 0,
        )
        for stage in sheet.stages
        for place, entry in enumerate(stage.entries)
    ]
    chunks = as_few_as_fit([_height(line.entry) for line in lines], most, 1)
    return [
        HalfSheet(
            sheet,
            tuple(lines[chunk.start : chunk.stop]),
            is_last := chunk is chunks[-1],
            codes if is_last else (),
        )
        for chunk in chunks
    ]


def _height(entry: Entry) -> float:
    """How many lines what came of a board takes: a weighted score one for each two of its parts."""
    parts = ((entry.outcome or {}).get("assigned") or {}).get("ns", ())
    return max(1, len(parts))
