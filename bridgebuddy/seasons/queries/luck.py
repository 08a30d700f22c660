"""What an evening's draw did with its results, and which boards were wild."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import pstdev
from typing import Any

from bridgebuddy.events.queries.kept import Memory
from bridgebuddy.scoring.queries.counted import RankingList, Standing
from bridgebuddy.scoring.queries.lines import Dealt, Line
from bridgebuddy.scoring.queries.scored import Scored

from ..rules.luck import Compared, Luck, Lucks, firm

#: what stands for a result that nobody compares
GIVEN = ("artificial", "not_played", "pending")
MOST_BOARDS = 3

memory = Memory(10)


@dataclass(frozen=True)
class Row:
    """A line of the list beside what a fair draw would have given, in the list's unit."""

    standing: Standing
    listed: float
    luck: Luck

    @property
    def fair(self) -> float:
        return self.listed - self.luck.whole


@dataclass(frozen=True)
class Looked:
    """A list, its lines, and after how many lines no draw would have moved anybody across."""

    ranking: RankingList
    rows: list[Row]
    firm: list[int]


def luck_of(scored: Scored) -> list[Looked]:
    """Return what the draw did, for each list; nothing where it follows results, and with too few results."""
    tonight = scored.tonight
    if not scored.results or scored.is_in_victory_points or tonight.contest.has_halves:
        return []
    if any(one.stored.is_drawn_as_played for one in tonight.sections):
        return []
    lists = [[_who(*one.who) for one in found.standings] for found in scored.main_lists]
    plays = list(compared(scored))
    state = repr((sorted(map(repr, plays)), lists))

    def work_out() -> Lucks | None:
        try:
            return Lucks(plays, lists)
        except ValueError:
            return None

    lucks = memory.value((tonight.section.session_id,), state, "luck", work_out)
    return [_looked(scored, one, lucks) for one in scored.main_lists] if lucks else []


def compared(scored: Scored) -> Iterator[Compared]:
    """Yield what was played and compared, each board by what makes it the same for those who are."""
    for line in scored.tonight.lines:
        outcome = line.outcome
        if outcome is None or any(one in outcome for one in GIVEN) or not line.ns or not line.ew:
            continue
        field = scored.field_of(line)
        sides = [_value(scored, line, side) for side in ("ns", "ew")]
        if field is None or sides[0] is None or sides[1] is None:
            continue
        ns, ew = (
            tuple(_who(line.section.name, one.slug) for one in side) for side in (line.ns, line.ew)
        )
        board = f"{field['section']} {field['deals']} {line.board} {line.group}"
        yield Compared(board, ns, ew, (sides[0] - sides[1]) / 2)


def _value(scored: Scored, line: Line, side: str) -> float | None:
    found: dict[str, Any] = scored.results["plays"][line.index][side]
    value = found["percent"] if scored.is_per_cent else found["value"]
    return None if value is None else float(value)


def _who(section: str, slug: str) -> str:
    return f"{section} {slug}"


def _looked(scored: Scored, found: RankingList, lucks: Lucks) -> Looked:
    rows = []
    for one in found.standings:
        listed = one.row["percent"] if scored.is_per_cent else one.row["average"]
        who = _who(*one.who)
        if listed is not None and who in lucks.people:
            rows.append(Row(one, float(listed), lucks.of(who)))
    rows.sort(key=lambda row: -row.listed)
    return Looked(found, rows, firm(lucks, [(_who(*row.standing.who), row.listed) for row in rows]))


def boards_of(scored: Scored) -> tuple[list[int], list[int]]:
    """Return the boards whose scores differed most, the widest first, and those on which all had the same.

    A number may be other cards in another section, or in another match: only what had the same cards is one board.
    """
    scores: dict[Dealt, list[int]] = {}
    for line in scored.tonight.lines:
        score = scored.score(line)
        if score is not None:
            scores.setdefault(scored.tonight.cards_of(line), []).append(score)
    told = {cards: found for cards, found in scores.items() if len(found) > 2}
    flat = [cards for cards, found in told.items() if len(set(found)) == 1]
    wide = sorted(told, key=lambda cards: (-pstdev(told[cards]), cards[1]))
    wild = dict.fromkeys(board for _deals, board in (one for one in wide if one not in flat))
    return list(wild)[:MOST_BOARDS], sorted({board for _deals, board in flat})
