"""The results of each contestant, two contestants on a sheet that is cut in the middle."""

from __future__ import annotations

from dataclasses import dataclass

from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheet_stages import SheetEntry
from bridgebuddy.scoring.results.sheets import ScoreSheet
from bridgebuddy.scoring.results.team_sheets import score_sheet_of
from bridgebuddy.scoring.words import opening_lead

from ..context import PrintJob
from ..layout import fewest_chunks
from ..selection import SheetSelection
from .own_codes import OwnCode, own_codes

#: lines that fit below a name of any length; the first line of a round is a little taller
LINES = {"a4": 38, "letter": 35}
#: the height of the codes of own pages, in lines
CODES = 7


@dataclass(frozen=True)
class SheetLine:
    """A row of a contestant's score sheet: a board; the first one of a round names opponents and partner."""

    entry: SheetEntry
    opponents: tuple[Contestant, ...] = ()
    partner: Contestant | None = None
    is_first: bool = False


@dataclass(frozen=True)
class HalfSheet:
    """Half a page with a contestant's score sheet, or with a part of it."""

    sheet: ScoreSheet
    lines: tuple[SheetLine, ...]
    is_last: bool
    codes: tuple[OwnCode, ...] = ()

    @property
    def contestant(self) -> Contestant:
        """Return the contestant whose score sheet it is."""
        return self.sheet.contestant

    @property
    def scored(self) -> ScoredSession:
        """Return the session's computed results, which the template needs."""
        return self.sheet.scored

    @property
    def column_count(self) -> int:
        """Return the number of columns between the board number and the score."""
        return 3 + self.has_leads + self.sheet.section.contest.plays_alone

    @property
    def has_leads(self) -> bool:
        """Return whether a board of this half page has a known opening lead."""
        return any(opening_lead(line.entry.outcome) for line in self.lines)


@dataclass(frozen=True)
class ScoreSheetsPage:
    """A printed page with two half pages of score sheets."""

    halves: tuple[HalfSheet, ...]


def score_sheets(job: PrintJob, selection: SheetSelection) -> list[ScoreSheetsPage]:
    """Return the pages with all score sheets; empty before the first result."""
    scored = job.scored
    if scored is None:
        return []
    section = scored.tonight.section
    everybody = [
        scored.tonight.find(section, contestant.slug) for contestant in selection.contestants(job)
    ]
    there = [listed for listed in everybody if listed is not None]
    codes, most = own_codes(job, [listed.entry for listed in there]), LINES[job.paper]
    halves: list[HalfSheet] = []
    for listed in there:
        own = tuple(codes.get(listed.entry, ()))
        halves += _half_sheets(
            score_sheet_of(scored, section, listed), most - CODES * bool(own), own
        )
    return [ScoreSheetsPage(tuple(halves[start : start + 2])) for start in range(0, len(halves), 2)]


def _half_sheets(sheet: ScoreSheet, maximum: int, codes: tuple[OwnCode, ...]) -> list[HalfSheet]:
    """Return a contestant's score sheet divided into half pages of at most `maximum` rows."""
    lines = [
        SheetLine(
            entry,
            stage.opponents if place == 0 and not stage.is_lost else (),
            stage.partner if place == 0 else None,
            place == 0,
        )
        for stage in sheet.begun_stages
        for place, entry in enumerate(stage.entries)
    ]
    heights = [_lines_of_result(line.entry) for line in lines]
    if heights:
        heights[-1] += len(sheet.sat_out) + len(sheet.void_boards)
    chunks = fewest_chunks(heights, maximum, 1)
    return [
        HalfSheet(
            sheet,
            tuple(lines[chunk.start : chunk.stop]),
            is_last := chunk is chunks[-1],
            codes if is_last else (),
        )
        for chunk in chunks
    ]


def _lines_of_result(entry: SheetEntry) -> float:
    """Return how many printed lines a board's result takes; a weighted score needs one for every two parts."""
    parts = ((entry.outcome or {}).get("assigned") or {}).get("ns", ())
    return max(1, len(parts))
