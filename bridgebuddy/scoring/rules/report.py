"""The results document: numbers rounded once, exact ones as fractions, lists in a fixed order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from .comparing import Field
from .matches import MatchResult, drawn
from .methods.comparison import Comparison
from .model import LINES, Line
from .points import single_score
from .profile import Profile
from .ranking import Ranking, Row
from .rounding import away, halves_up_in_size, units
from .standings import RoundStandings
from .valuing import Value, Valued

#: by play: what the pairs of two teams have of it
PairValues = Mapping[int, tuple[Fraction | None, Fraction | None]]
#: places of a board's value, and of everything else
VALUE_PLACES, PLACES = 4, 2


def number(
    value: Fraction | int | None, places: int = PLACES, middle: Fraction | int = 0
) -> int | float | None:
    """Return a number for JSON, rounded once, an exact half away from the middle."""
    if value is None:
        return None
    if value.denominator == 1:
        return value.numerator
    unit: int = 10**places
    rounded = units(value, places, middle)
    return rounded / unit if rounded % unit else rounded // unit


def exact(value: Fraction | None) -> str | None:
    """Return the number before rounding, as a fraction.

    >>> exact(Fraction(375, 8)), exact(Fraction(4))
    ('375/8', '4')
    """
    return None if value is None else str(Fraction(value))


def written(document: dict[str, Any]) -> str:
    """Return the document as text; the same results give the same bytes."""
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=False)


def play_rows(valued: Valued, pairs: PairValues | None = None) -> list[dict[str, Any]]:
    """Return a row a play: the score, and what each side has.

    Of teams also what their pairs have, of artificial scores what single players have.
    """
    rows: list[dict[str, Any]] = []
    own_sides = _own_sides(valued)
    for one in valued.plays:
        ns, ew = (side(valued.values[one.play.index, line], valued.profile) for line in LINES)
        score = None if one.play.aside else single_score(one.play.board, one.play.outcome)
        row = {"play": one.play.index, "score": score, "ns": ns, "ew": ew}
        if pairs is not None:
            two = pairs.get(one.play.index)
            row["pair"] = two and {"ns": number(two[0]), "ew": number(two[1])}
        if one.play.index in own_sides:
            row["own"] = own_sides[one.play.index]
        rows.append(row)
    return rows


def _own_sides(valued: Valued) -> dict[int, dict[str, dict[str, Any]]]:
    """Return, by play, what artificial scores bring single players, each by their own average."""
    found: dict[int, dict[str, dict[str, Any]]] = {}
    if valued.session.contest.plays_alone:
        for who, mine in valued.earned.items():
            for one in mine:
                if one.play.fate == "artificial":
                    of_play = found.setdefault(one.play.play.index, {})
                    of_play[who.label] = side(one.value, valued.profile)
    return found


def unit_of(profile: Profile) -> str:
    """Return in what a board is counted."""
    return "mp" if profile.is_per_cent else "imps" if profile.is_imps else "points"


def _shown(value: Fraction | None, profile: Profile) -> Fraction | None:
    """Return points as the profile shows them: a matchpoint for a result beaten may be a half."""
    return value / 2 if value is not None and profile.half and profile.is_per_cent else value


def side(value: Value, profile: Profile) -> dict[str, Any]:
    """Return what a side has for a play."""
    worth, top = _shown(value.value, profile), _shown(value.top, profile)
    before = worth if value.exact is None else _shown(value.exact, profile)
    middle = 0 if top is None else top / 2
    return {
        "value": number(worth, VALUE_PLACES, middle),
        "exact": exact(before),
        "unit": unit_of(profile),
        "top": number(top, VALUE_PLACES),
        "percent": number(100 * worth / top, PLACES, 50) if worth is not None and top else None,
        "rule": value.rule,
        "A": value.results,
        "E": value.expected,
        "beaten": value.beaten,
        "tied": value.tied,
        "parts": [
            [exact(weight), number(_shown(part, profile), VALUE_PLACES, middle)]
            for weight, part in value.parts
        ],
        **({} if before == worth else {"counted": exact(worth)}),
    }


def counted(side: Mapping[str, Any]) -> Fraction | None:
    """Return exactly what counts of a side's play, which is rounded where the profile rounds every board."""
    found = side.get("counted", side["exact"])
    return None if found is None else Fraction(found)


def shown_percent(side: Mapping[str, Any]) -> Fraction | None:
    """Return what share of the top a side has for a play, exactly: pages print it to fewer places.

    >>> shown_percent({"percent": 45.45, "exact": "10", "top": 22})
    Fraction(500, 11)
    """
    worth = counted(side)
    if worth is None or side["percent"] is None:
        return None
    return 100 * worth / Fraction(str(side["top"]))


def shown_points(side: Mapping[str, Any]) -> Fraction | None:
    """Return what a side has for a play to two places, an exact half away from the average.

    >>> [str(shown_points({"exact": one, "top": 16})) for one in ("1/8", "127/8")]
    ['3/25', '397/25']
    """
    worth = counted(side)
    if worth is None:
        return None
    middle = 0 if side["top"] is None else Fraction(str(side["top"])) / 2
    return away(worth, PLACES, middle)


def board_rows(valued: Valued) -> list[dict[str, Any]]:
    """Return a row a field: how often each score was made, and what it is worth."""
    keys = sorted(
        valued.scopes.fields,
        key=lambda key: (
            key.scope.section or "",
            key.scope.deals or "",
            key.board,
            key.group or "",
        ),
    )
    return [
        board_row(valued.scopes.fields[key], valued.comparisons[key], valued.profile)
        for key in keys
    ]


def board_row(field: Field, comparison: Comparison | None, profile: Profile) -> dict[str, Any]:
    """Return the frequencies of one field."""
    scope = field.key.scope
    shown = comparison if comparison is not None else None
    return {
        "section": scope.section,
        "deals": scope.deals,
        "board": field.key.board,
        "group": field.key.group,
        "state": "complete" if field.is_closed else "open",
        "A": field.results,
        "E": field.expected,
        "datum": number(shown.datum) if shown else None,
        "datum_ew": number(shown.datum_ew) if shown else None,
        "top": number(_shown(shown.top, profile), VALUE_PLACES) if shown else None,
        "frequency": _frequency(field, "ns", shown, profile),
        "frequency_ew": _frequency(field, "ew", shown, profile) if field.is_split else None,
        "artificial": [one.play.index for one in field.plays if one.fate == "artificial"],
    }


def _frequency(
    field: Field, of: Line, comparison: Comparison | None, profile: Profile
) -> list[dict[str, Any]]:
    sign = 1 if of == "ns" else -1
    counted = field.frequencies(of)
    top = _shown(comparison.top, profile) if comparison else None
    middle = 0 if top is None else top / 2

    def worth(line: Line, score: int) -> Any:
        if comparison is None or (field.is_split and line != of):
            return None
        found = comparison.worth(line, score if line == "ns" else -score)
        if profile.board_places is not None:
            found = halves_up_in_size(found, profile.board_places)
        return number(_shown(found, profile), VALUE_PLACES, middle)

    return [
        {
            "score": score,
            "count": number(counted[sign * score], VALUE_PLACES),
            "ns": worth("ns", score),
            "ew": worth("ew", score),
        }
        for score in sorted((sign * one for one in counted), reverse=True)
    ]


def ranking_rows(rankings: Iterable[Ranking], profile: Profile) -> list[dict[str, Any]]:
    """Return every list with its rows."""
    return [
        {
            "section": ranking.section,
            "field": ranking.field,
            "stratum": ranking.stratum,
            "category": ranking.category,
            "handicap": ranking.handicap,
            "rows": [ranking_row(row, profile) for row in ranking.rows],
        }
        for ranking in rankings
    ]


def ranking_row(row: Row, profile: Profile) -> dict[str, Any]:
    """Return a line of a ranking."""
    score = row.score
    taken: Fraction | None = score.tally.penalty + score.percent_penalty
    total, top = score.total, score.top
    if top is not None:  # victory points have none, and are no matchpoints
        total, top, taken = (_shown(one, profile) for one in (total, top, taken))
    middle = top / 2 if top and profile.is_per_cent else 0
    return {
        "order": row.order,
        "place": row.place,
        "contestant": score.who.label,
        "section": score.who.section,
        "field": score.tally.contestant.field,
        "percent": number(score.percent, PLACES, 50),
        "total": number(total, PLACES, middle),
        "top": number(top, VALUE_PLACES),
        "average": number(score.average),
        "overall": number(None if score.overall is None else score.printed),
        "exact": exact(score.ranked),
        "exact_total": exact(total),
        "boards": score.tally.boards,
        "due": score.tally.due,
        "penalty": number(taken, VALUE_PLACES),
    }


def progress(valued: Valued) -> tuple[int, int]:
    """Return how many results are in, and how many there will be."""
    awaited = [one for one in valued.plays if one.is_awaited]
    due = [
        one
        for one in valued.plays
        if one.is_awaited or one.fate != "not-played" or (any(one.due) and one.is_expected)
    ]
    return len(due) - len(awaited), len(due)


# ── matches ──


def match_rows(results: Iterable[MatchResult]) -> list[dict[str, Any]]:
    """Return a row a match, with its boards."""
    return [
        {
            "match": one.match.index,
            "round": one.match.round,
            "home": one.match.home,
            "away": one.match.away,
            "imps": _two(one.imps),
            "lead": number(one.lead, VALUE_PLACES),
            "points": _of_bye(one) or _two(one.points),
            "percent": _two(one.percent, 50),
            "vps": _two(one.vps, 10),
            "boards": [
                {
                    "board": board.board,
                    "home": number(board.home, VALUE_PLACES),
                    "away": number(board.away, VALUE_PLACES),
                }
                for board in one.boards
            ],
            "rule": one.rule,
        }
        for one in results
    ]


def _of_bye(one: MatchResult) -> dict[str, Any] | None:
    """Return the points of a bye, which nobody has across."""
    if one.points is None or one.match.away is not None:
        return None
    return {"home": number(one.points[0]), "away": None}


def _two(two: tuple[Fraction, Fraction] | None, middle: int = 0) -> dict[str, Any] | None:
    if two is None:
        return None
    return {"home": number(two[0], PLACES, middle), "away": number(two[1], PLACES, middle)}


def standing_rows(rounds: Iterable[RoundStandings], profile: Profile) -> list[dict[str, Any]]:
    """Return the standings after each round."""
    return [
        {
            "round": one.round,
            "rows": [
                {
                    "order": row.order,
                    "place": row.place,
                    "contestant": row.standing.who.label,
                    "section": row.standing.who.section,
                    "total": number(
                        row.standing.total,
                        PLACES,
                        drawn(profile) * row.standing.matches,
                    ),
                    "average": number(row.standing.average, PLACES, drawn(profile)),
                    "boards": row.standing.boards,
                    "matches": row.standing.matches,
                    "wins": row.standing.wins,
                    "draws": row.standing.draws,
                    "losses": row.standing.losses,
                    "net": number(row.standing.net),
                    "tie_break": number(row.tie_break),
                    "decided": row.decided,
                }
                for row in one.rows
            ],
        }
        for one in rounds
    ]
