"""Results for simulated evenings: a session's document of the real plays, and an audit of its scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

from bridgebuddy.scoring.rules.points import STRAINS, possible_scores
from movements.engine.model import Movement
from movements.engine.plays import BoardPlay

from .simulation import PlayedEvening

_METHODS = ("matchpoints", "matchpoints", "cross-imps", "butler")
_METHODS_OF_TEAMS = ("team-imps", "team-imps", "team-imps", "bam", "aggregate")
_SCALES = (None, "wbf-continuous", "wbf-discrete")
_DOUBLED = ("", "", "", "", "x", "xx")
_AWARDS = ("AVE+", "AVE", "AVE-", 2)
_WEIGHTS = ([100], [40, 60], [25, 25, 50], [20, 20, 20, 20, 20])
#: rules of what was not compared: both sides' need not add to anything
_GIVEN = ("AVE+", "AVE", "AVE-", "fixed")
_LEAVES, _LATE = 0.25, 0.25


def scored_session(evening: PlayedEvening) -> dict[str, Any]:
    """Return the document of an evening: the real seats, with random outcomes.

    Contestants may come late or leave, and the director rules. The evening's name is the seed. Plays that one
    side sat out are left out.
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
        {label for play in plays for label in _labels(play)}, key=lambda label: (len(label), label)
    )
    document: dict[str, Any] = {
        "name": evening.name,
        "contest": str(movement.contest),
        "contestants": [{"label": label} for label in labels],
        "plays": plays,
    }
    profile = _profile(rng, is_of_teams=movement.contest.has_halves)
    document |= {"profile": profile, "penalties": _penalties(rng, labels, profile)}
    if movement.contest.has_halves:
        _rule_once_a_board(plays)
        document["matches"] = _matches(plays, movement)
        if rng.random() < _LEAVES:
            _leaves(rng, document)
        return document
    _rule_what_came_twice(rng, plays)
    if rng.random() < _LEAVES:
        _leaves(rng, document)
    if rng.random() < _LATE and not movement.contest.plays_alone:
        _comes_late(rng, document)
    return document


def _profile(rng: Random, *, is_of_teams: bool) -> dict[str, Any]:
    method = rng.choice(_METHODS_OF_TEAMS if is_of_teams else _METHODS)
    vp = rng.choice(_SCALES) if method == "team-imps" else None
    return {"method": method, "vp": vp} if vp else {"method": method}


def _penalties(rng: Random, labels: list[str], profile: dict[str, Any]) -> list[dict[str, Any]]:
    units: tuple[str, ...]
    match profile["method"]:
        case "matchpoints":
            units = ("top", "percent", "matchpoints")
        case "bam" | "aggregate":
            return []
        case _:
            units = ("imps", "vps") if "vp" in profile else ("imps",)
    return [
        {
            "contestant": rng.choice(labels),
            "unit": rng.choice(units),
            "amount": rng.choice([-1, -0.25, 0.5]),
            "kind": "procedural",
        }
        for _ in range(rng.choice([0, 0, 1, 2]))
    ]


def _leaves(rng: Random, document: dict[str, Any]) -> None:
    """Let a contestant go home: its future plays stay, without outcome."""
    gone = rng.choice(document["contestants"])
    last = max(play["round"] for play in document["plays"])
    after = rng.randint(1, last)
    gone["left"] = {"after_round": after, "listed": rng.random() < 1 / 2}
    for play in document["plays"]:
        if gone["label"] in _labels(play) and play["round"] > after:
            play.pop("outcome", None)


def _comes_late(rng: Random, document: dict[str, Any]) -> None:
    """Let a pair miss the first rounds; it may be who leaves."""
    late, first = rng.choice(document["contestants"])["label"], rng.randint(1, 2)
    for play in document["plays"]:
        if late in _labels(play) and play["round"] <= first and "outcome" in play:
            play["outcome"] = {
                "not_played": "missing",
                "side": "ns" if play["ns"] == late else "ew",
            }


def _rule_what_came_twice(rng: Random, plays: list[dict[str, Any]]) -> None:
    """Rule at random that a board already played by one side counts only for the other."""
    seen: set[tuple[str, int]] = set()
    for play in plays:
        people = {side: _side(play, side) for side in ("ns", "ew")}
        have = {
            side: all((label, play["board"]) in seen for label in labels)
            for side, labels in people.items()
        }
        seen |= {(label, play["board"]) for labels in people.values() for label in labels}
        if not any(have.values()) or rng.random() < 1 / 3:
            continue
        if all(have.values()):
            play["outcome"] = {"not_played": "cancelled"}
        else:
            award = rng.choice(_AWARDS)
            play["outcome"] = {
                "artificial": {side: None if has else award for side, has in have.items()}
            }


def _rule_once_a_board(plays: list[dict[str, Any]]) -> None:
    """Leave an artificial score at one table of two teams alone: at the other it would be the same."""
    ruled: set[tuple[frozenset[str], int]] = set()
    for play in plays:
        if "artificial" in play.get("outcome", {}):
            place = (frozenset((play["ns"], play["ew"])), play["board"])
            if place in ruled:
                play.pop("outcome")
            ruled.add(place)


def _is_real(side: object) -> bool:
    return side is not None and not (isinstance(side, tuple) and None in side)


def _play(rng: Random, movement: Movement, play: BoardPlay) -> dict[str, Any]:
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
    """Return the outcome of a play; with teams and pairs alike, mostly a contract."""
    chance = rng.random()
    if chance < 0.85:
        contract = f"{rng.randint(1, 7)}{rng.choice(STRAINS)}{rng.choice(_DOUBLED)}"
        return {"contract": contract, "declarer": rng.choice("NESW"), "tricks": rng.randint(5, 13)}
    if chance < 0.88:
        return {"passed": True}
    if chance < 0.93:
        return {"score": rng.choice(sorted(possible_scores(board)))}
    if chance < 0.95:
        scores = sorted(possible_scores(board))
        weights = rng.choice(_WEIGHTS)
        split = {"ew": [[100, rng.choice(scores)]]} if rng.random() < 1 / 3 else {}
        return {"assigned": {"ns": [[weight, rng.choice(scores)] for weight in weights]} | split}
    if chance < 0.97:
        return {"artificial": {"ns": rng.choice(_AWARDS), "ew": rng.choice(_AWARDS)}}
    if chance < 0.985:
        return {"not_played": rng.choice(("time", "skipped", "cancelled"))}
    return None


def _matches(plays: list[dict[str, Any]], movement: Movement) -> list[dict[str, Any]]:
    """Return the matches: all that two teams play in a round, or in the rounds of their triangle.

    Where the other table comes to the boards in another round, all that the two play against each other.
    """
    long = [
        (frozenset(map(str, triangle.teams)), tuple(triangle.rounds))
        for triangle in movement.triangles
        if len(triangle.rounds) > 1
    ]
    halves = {
        (frozenset(map(str, two)), tuple(triangle.rounds))
        for triangle in movement.triangles
        if len(triangle.rounds) == 1
        for two in combinations(triangle.teams, 2)
    }
    met: dict[tuple[frozenset[str], tuple[int, ...]], list[dict[str, Any]]] = defaultdict(list)
    for play in plays:
        two = frozenset((play["ns"], play["ew"]))
        triangle = (rounds for three, rounds in long if two <= three and play["round"] in rounds)
        met[two, next(triangle, (play["round"],))].append(play)
    if any(
        len(_at_both_tables(found)) < len({row["board"] for row in found}) for found in met.values()
    ):
        whole: dict[frozenset[str], list[dict[str, Any]]] = defaultdict(list)
        for (two, _), found in met.items():
            whole[two] += found
        met = {
            (two, tuple(sorted({row["round"] for row in found}))): found
            for two, found in whole.items()
        }
    return [
        {
            "round": rounds[-1],
            "rounds": list(rounds),
            "home": found[0]["ns"],
            "away": found[0]["ew"],
            "boards": boards,
            "deals": f"round {rounds[-1]}, match {index}",
            "half": (two, rounds) in halves,
        }
        for index, ((two, rounds), found) in enumerate(met.items())
        if (boards := _at_both_tables(found))
    ]


def _at_both_tables(plays: list[dict[str, Any]]) -> list[int]:
    """Return the boards that two teams have at two tables, the other way at the other one."""
    homes: dict[int, list[str]] = defaultdict(list)
    for play in plays:
        homes[play["board"]].append(play["ns"])
    return sorted(board for board, ns in homes.items() if len(ns) == len(set(ns)) == 2)


def audited(session: dict[str, Any], results: dict[str, Any]) -> Iterator[str]:
    """Yield every field whose values do not add to their constant.

    Matchpoints are a top each, IMPs of two sides are 0, cross-IMPs of a whole field too; and each line
    of a ranking has equally many boards and values.
    """
    method = session["profile"]["method"]
    boards: dict[int, list[dict[str, Any]]] = defaultdict(list)
    # each side of such a board is compared with scores of its own
    split = {
        play["board"]
        for play in session["plays"]
        if "ew" in (play.get("outcome") or {}).get("assigned", ())
    }
    for play, found in zip(session["plays"], results["plays"], strict=True):
        boards[play["board"]].append(found)
        ns, ew = _exact(found["ns"]), _exact(found["ew"])
        if ns is None or ew is None or "assigned" in str(play.get("outcome")):
            continue
        if found["ns"]["rule"] in _GIVEN or play["board"] in split:
            continue
        whole = _whole(method, found["ns"])
        if found["ns"]["rule"] in ("single", "small-group"):
            continue  # one result, or few of many, is worth more than half to both sides together
        if ns + ew != whole:
            yield f"board {play['board']}, play {found['play']}: {ns} and {ew} are not {whole}"
    if method == "cross-imps":
        for board, rows in boards.items():
            compared = [row["ns"] for row in rows if row["ns"]["rule"] not in _GIVEN]
            total = sum((_exact(item) or Fraction(0) for item in compared), Fraction(0))
            if total:
                yield f"board {board}: North-South's IMPs add to {total}"
    everybody = next(
        ranking["rows"]
        for ranking in results["rankings"]
        if ranking["section"] is None and ranking["field"] is None and ranking["stratum"] is None
    )
    for row in everybody:
        mine = sum(
            _own(found, line, row["contestant"]) is not None
            for play, found in zip(session["plays"], results["plays"], strict=True)
            for line in ("ns", "ew")
            if row["contestant"] in _side(play, line)
        )
        if not session.get("matches") and mine != row["boards"]:
            yield f"{row['contestant']} has {mine} values and {row['boards']} boards"


def _whole(method: str, side: dict[str, Any]) -> Fraction:
    """Return the sum of both sides' values on a board: a top, the two points of a board-a-match, or 0."""
    if method == "bam":
        return Fraction(2)
    return Fraction(str(side["top"])) if method == "matchpoints" else Fraction(0)


def _own(found: dict[str, Any], line: str, label: str) -> Any:
    """Return a contestant's value of a play: single players have their own artificial scores."""
    side = found.get("own", {}).get(label, found[line])
    return side["value"]


def _exact(side: dict[str, Any]) -> Fraction | None:
    found = side.get("counted", side["exact"])
    return None if found is None else Fraction(found)


def _side(play: dict[str, Any], line: str) -> list[str]:
    return [play[line]] if line in play else [play[seat] for seat in line if seat in play]
