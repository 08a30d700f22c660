"""The visible figures of a final list, used to decide whether a correction is visible."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from ..snapshot.counted import RankedContestant
from .scored import ScoredSession

#: the place and the value of a contestant, as stored
Line = list[str | float | None]


@dataclass(frozen=True)
class FirstLine:
    """A contestant's place and score in the ranking as it was when first declared final."""

    place: str
    value: float | None


def result_digests(scored: ScoredSession) -> dict[str, str]:
    """Return a digest of the rankings (`ranking`) and one of the scores of all plays (`boards`), to see changes.

    Names, contracts and leads are not included, because they are no figures.
    """
    rows = [
        [
            *(standing.contestant.entry, standing.place, standing.row.boards),
            *(standing.row.percent, standing.row.total, standing.row.average, standing.row.overall),
        ]
        for ranking in scored.main_lists
        for standing in ranking.standings
    ]
    plays = [
        [line.play, play.score, play.ns.value, play.ew.value]
        for line in scored.tonight.lines
        if scored.has_results
        for play in (scored.results.plays[line.index],)
    ]
    return {"ranking": _digest_of_rows(rows), "boards": _digest_of_rows(plays)}


def place_and_score_by_entry(scored: ScoredSession) -> dict[str, Line]:
    """Return the place and the score of each contestant in the main rankings, by the entry's key."""
    return {
        str(standing.contestant.entry): _place_and_value(scored, standing)
        for ranking in scored.main_lists
        for standing in ranking.standings
    }


def _place_and_value(scored: ScoredSession, ranked_contestant: RankedContestant) -> Line:
    """Return the place and the score of a ranked contestant."""
    value = ranked_contestant.row.total if scored.is_in_points else ranked_contestant.row.percent
    return [str(ranked_contestant.place or ""), None if value is None else round(float(value), 2)]


def first_line(scored: ScoredSession, ranked_contestant: RankedContestant) -> FirstLine | None:
    """Return a contestant's place and score as first declared final, if a revised ranking differs from them.

    None for a list that is not revised, and for lists made final before these lines were stored.
    """
    scoring = scored.tonight.scoring
    if not scoring.is_final or scoring.revision <= 1:
        return None
    first = scoring.first_figures.get("lines", {}).get(str(ranked_contestant.contestant.entry))
    if first is None or first == _place_and_value(scored, ranked_contestant):
        return None
    return FirstLine(first[0], first[1])


def _digest_of_rows(rows: Sequence[Sequence[object]]) -> str:
    """Return a digest of rows of numbers, to compare them with other rows."""
    text = json.dumps(rows, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def has_new_ranking(scored: ScoredSession) -> bool:
    """Return whether a revised ranking differs from the one that was first declared final."""
    return _differs_from_first_list(scored, ("ranking",))


def has_new_figures(scored: ScoredSession) -> bool:
    """Return whether a revised ranking or a board's score differs from what was first declared final."""
    return _differs_from_first_list(scored, ("ranking", "boards"))


def _differs_from_first_list(scored: ScoredSession, parts: tuple[str, ...]) -> bool:
    """Return whether `parts` (digests) differ from the ranking first declared final, or it is unknown."""
    scoring = scored.tonight.scoring
    if not scoring.is_final or scoring.revision <= 1:
        return False
    first, now = scoring.first_figures, result_digests(scored)
    return any(first.get(part) != now[part] for part in parts)
