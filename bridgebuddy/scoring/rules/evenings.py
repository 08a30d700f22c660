"""Simulated evenings get results: a session's document of what was played, and an audit of its scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from movements.engine.model import Movement
from movements.engine.plays import Play
from movements.engine.simulation import Evening

from .points import STRAINS, possible_scores

_METHODS = ("matchpoints", "matchpoints", "cross-imps", "butler")
_DOUBLED = ("", "", "", "", "x", "xx")
_AWARDS = ("AVE+", "AVE", "AVE-")


def scored_session(evening: Evening) -> dict[str, Any]:
    """Return the document of an evening: who really sat there, with outcomes by chance.

    The evening's name is the seed. Plays that one side sat out are left out.
    """
    rng = Random(evening.name)
    movement = evening.movement
    plays = [
        _play(rng, movement, play)
        for round in sorted(evening.plays)
        for play in evening.plays[round]
        if _is_real(play.ns) and _is_real(play.ew)
    ]
    labels = sorted(
        {label for play in plays for label in _labels(play)}, key=lambda one: (len(one), one)
    )
    document: dict[str, Any] = {
        "name": evening.name,
        "contest": str(movement.contest),
        "contestants": [{"label": label} for label in labels],
        "plays": plays,
    }
    if movement.contest.has_halves:
        return document | {"profile": {"method": "team-imps"}, "matches": _matches(plays)}
    return document | {"profile": {"method": rng.choice(_METHODS)}}


def _is_real(side: object) -> bool:
    return side is not None and not (isinstance(side, tuple) and None in side)


def _play(rng: Random, movement: Movement, play: Play) -> dict[str, Any]:
    if movement.contest.plays_alone:
        assert isinstance(play.ns, tuple)
        assert isinstance(play.ew, tuple)
        seats = dict(zip("nsew", map(str, (*play.ns, *play.ew)), strict=True))
    else:
        seats = {"ns": str(play.ns), "ew": str(play.ew)}
    found = {"round": play.round, "table": play.table, "board": play.board, **seats}
    outcome = _outcome(rng, play.board)
    return found if outcome is None else found | {"outcome": outcome}


def _labels(play: dict[str, Any]) -> list[str]:
    return [play[key] for key in ("ns", "ew", *"nsew") if key in play]


def _outcome(rng: Random, board: int) -> dict[str, Any] | None:
    """Return what came of a play; with teams and pairs alike, mostly a contract."""
    chance = rng.random()
    if chance < 0.85:
        contract = f"{rng.randint(1, 7)}{rng.choice(STRAINS)}{rng.choice(_DOUBLED)}"
        return {"contract": contract, "declarer": rng.choice("NESW"), "tricks": rng.randint(5, 13)}
    if chance < 0.88:
        return {"passed": True}
    if chance < 0.93:
        return {"score": rng.choice(sorted(possible_scores(board)))}
    if chance < 0.96:
        scores = sorted(possible_scores(board))
        parts = [[40, rng.choice(scores)], [60, rng.choice(scores)]]
        return {"assigned": {"ns": parts}}
    if chance < 0.98:
        return {"not_played": rng.choice(("time", "skipped"))}
    return None


def _matches(plays: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a match for all boards that two teams play in a round."""
    met: dict[tuple[int, frozenset[str]], list[dict[str, Any]]] = defaultdict(list)
    for play in plays:
        met[play["round"], frozenset((play["ns"], play["ew"]))].append(play)
    return [
        {
            "round": round,
            "home": found[0]["ns"],
            "away": found[0]["ew"],
            "boards": sorted({play["board"] for play in found}),
            "deals": f"round {round}, match {index}",
        }
        for index, ((round, _), found) in enumerate(met.items())
    ]


def audited(session: dict[str, Any], results: dict[str, Any]) -> Iterator[str]:
    """Yield every field whose values do not add to their constant.

    Matchpoints are a top each, IMPs of two sides are 0, cross-IMPs of a whole field too; and each line
    of a ranking has as many boards as values.
    """
    method = session["profile"]["method"]
    boards: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for play, found in zip(session["plays"], results["plays"], strict=True):
        boards[play["board"]].append(found)
        ns, ew = _exact(found["ns"]), _exact(found["ew"])
        if ns is None or ew is None or "assigned" in str(play.get("outcome")):
            continue
        whole = Fraction(str(found["ns"]["top"])) if method == "matchpoints" else Fraction(0)
        if found["ns"]["rule"] in ("single", "small-group"):
            continue  # one result, or few of many, is worth more than half to both sides together
        if ns + ew != whole:
            yield f"board {play['board']}, play {found['play']}: {ns} and {ew} are not {whole}"
    if method == "cross-imps":
        for board, rows in boards.items():
            total = sum((_exact(row["ns"]) or Fraction(0) for row in rows), Fraction(0))
            if total:
                yield f"board {board}: North-South's IMPs add to {total}"
    everybody = next(
        one["rows"]
        for one in results["rankings"]
        if one["section"] is None and one["field"] is None and one["stratum"] is None
    )
    for row in everybody:
        mine = sum(
            found[line]["value"] is not None
            for play, found in zip(session["plays"], results["plays"], strict=True)
            for line in ("ns", "ew")
            if row["contestant"] in _side(play, line)
        )
        if not session.get("matches") and mine != row["boards"]:
            yield f"{row['contestant']} has {mine} values and {row['boards']} boards"


def _exact(side: dict[str, Any]) -> Fraction | None:
    return None if side["exact"] is None else Fraction(side["exact"])


def _side(play: dict[str, Any], line: str) -> list[str]:
    return [play[line]] if line in play else [play[seat] for seat in line if seat in play]
