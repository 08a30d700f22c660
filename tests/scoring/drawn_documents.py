"""Contests drawn round by round from their documents, as a page; `python -m tests.scoring.drawn_documents` writes it
anew.

Winners are random too, with a seed for each contest: a match gives 3 to 17 victory points to the home side.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from bridgebuddy.scoring.rules.document import read_document
from bridgebuddy.scoring.rules.draws.drawing import DrawRules, SwissRound
from bridgebuddy.scoring.rules.draws.stage import draw_round
from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.scoring.rules.reports.results import DrawnRound
from movements.engine import catalogue

PAGE = Path(__file__).parents[1] / "data" / "scoring" / "drawn_documents.txt"
SWISS, KNOCK_OUT, ROBIN = {"kind": "swiss"}, {"kind": "knock-out"}, {"kind": "round-robin"}
LONG = SWISS | {"odd": "long-triangle"}

#: how many play, for so many rounds at most, how they are drawn, and what else is said of the contest
CONTESTS: dict[str, tuple[int, int, dict[str, Any], dict[str, Any]]] = {
    "eight, and as many rounds as there are": (8, 4, SWISS | {"rounds": 3}, {}),
    "seven with a bye": (7, 4, SWISS | {"first": "fold"}, {}),
    "seven with triangles": (7, 4, SWISS | {"odd": "triangle"}, {}),
    "seven with triangles over two rounds": (7, 4, LONG, {}),
    "six by chance": (6, 2, SWISS | {"first": "random"}, {}),
    "six by another chance": (6, 2, SWISS | {"first": "random", "seed": 5}, {}),
    "six, the last round by places alone": (6, 3, SWISS | {"rounds": 3, "danish": True}, {}),
    "six who may meet again": (6, 4, SWISS | {"ignore_before": 3}, {}),
    "six by the standings of a round before": (6, 4, SWISS | {"behind": 1}, {}),
    "six, two of whom stay at their tables": (6, 3, SWISS | {"stationary": ["4", "6"]}, {}),
    "four until everybody has met": (4, 5, SWISS, {}),
    "pairs": (6, 3, SWISS, {"contest": "pairs"}),
    "pairs with a bye": (5, 3, SWISS, {"contest": "pairs"}),
    "who has left is not drawn": (7, 3, SWISS, {"left": {"2": 1, "5": 2}}),
    "one is left": (2, 2, SWISS, {"left": {"2": 0}}),
    "seeds before numbers": (6, 2, SWISS, {"seeds": {"5": 1, "6": 2}}),
    "exchanged": (6, 1, SWISS | {"exchange": [["1", "2"]]}, {}),
    "exchanged with nobody": (6, 1, SWISS | {"exchange": [["1", "9"]]}, {}),
    "a result is missing": (6, 3, SWISS, {"missing": 2}),
    "a result is missing, and the round before counts": (
        6,
        3,
        SWISS | {"late": "last-complete"},
        {"missing": 2},
    ),
    "a result is missing for a draw a round behind": (6, 4, SWISS | {"behind": 1}, {"missing": 2}),
    "a provisional result is waited for": (6, 3, SWISS, {"provisional": 1}),
    "a provisional result counts": (6, 3, SWISS | {"late": "provisional"}, {"provisional": 1}),
    "knock-out of eight": (8, 4, KNOCK_OUT, {}),
    "knock-out by its chart": (8, 4, KNOCK_OUT | {"chart": True}, {}),
    "knock-out in which losers play on": (8, 3, KNOCK_OUT | {"compact": True}, {}),
    "knock-out of seven in which losers play on": (7, 4, KNOCK_OUT | {"compact": True}, {}),
    "knock-out of the first four": (8, 2, KNOCK_OUT | {"qualifiers": 4}, {}),
    "knock-out of six": (6, 3, KNOCK_OUT, {}),
    "knock-out, exchanged": (8, 1, KNOCK_OUT | {"exchange": [["8", "7"]]}, {}),
    "knock-out, exchanged with who is not drawn": (
        8,
        1,
        KNOCK_OUT | {"qualifiers": 4, "exchange": [["4", "5"]]},
        {},
    ),
    "knock-out, nobody has won": (4, 2, KNOCK_OUT, {"level": 1}),
    "knock-out of one": (1, 1, KNOCK_OUT, {}),
    "six, everybody against everybody": (6, 6, ROBIN, {}),
    "six, exchanged": (6, 1, ROBIN | {"exchange": [["1", "2"]]}, {}),
    "five, everybody against everybody": (5, 6, ROBIN, {"left": {"3": 2}}),
}


def rounds_of(title: str) -> Iterator[str]:
    """Yield the draws of a contest, round by round."""
    many, rounds, stage, more = CONTESTS[title]
    rng = Random(title)
    document: dict[str, Any] = {
        "contest": more.get("contest", "teams"),
        "profile": {"vp": "wbf-continuous"},
        "stage": stage,
        "contestants": [
            {"label": label, "seed": more.get("seeds", {}).get(label)}
            for label in map(str, range(1, many + 1))
        ],
        "matches": [],
    }
    for contestant in document["contestants"]:
        if contestant["label"] in more.get("left", {}):
            contestant["left"] = {"after_round": more["left"][contestant["label"]]}
    for _ in range(rounds):
        try:
            draw = draw_round(*read_document(json.dumps(document)))
        except ScoringError as wrong:
            yield f"  {wrong}"
            return
        yield from told(draw)
        document["matches"] += matches_of(draw, stage, rng)
        last = document["matches"][-1 if draw.bye is None else -2]
        if more.get("missing") == draw.round:
            del last["given"]
        if more.get("provisional") == draw.round:
            last["provisional"] = True
        if more.get("level") == draw.round:
            last["given"] = {"home": 10, "away": 10}


def told(found: DrawnRound) -> Iterator[str]:
    yield f"  round {found.round}, standings {' '.join(found.standings)}"
    for match in found.matches:
        yield f"    table {match.table}: {match.home} v {match.away}, {match.why}"
    for three in found.triangles:
        yield f"    triangle {' '.join(three)}"
    if found.bye is not None:
        yield f"    bye {found.bye}"
    yield from (f"    {reason}" for reason in found.reasons)


def matches_of(found: DrawnRound, stage: dict[str, Any], rng: Random) -> list[dict[str, Any]]:
    def a_match(home: str, away: str, **more: Any) -> dict[str, Any]:
        points = rng.choice([*range(3, 10), *range(11, 18)])
        given = {"home": points, "away": 20 - points}
        return {"round": found.round, "home": home, "away": away, "given": given} | more

    is_long = stage.get("odd") == "long-triangle"
    of_three = {"rounds": [found.round, found.round + 1]} if is_long else {"half": True}
    return [
        *(a_match(*two, **of_three) for three in found.triangles for two in combinations(three, 2)),
        *(a_match(match.home, match.away) for match in found.matches),
        *([{"round": found.round, "home": found.bye}] if found.bye is not None else ()),
    ]


#: how many pairs there are, whom the director exchanges, and the standings after a round, where they count
ASKED: tuple[tuple[int, tuple[tuple[int, int], ...], tuple[int, ...]], ...] = (
    (8, ((1, 3), (2, 2), (1, 9)), ()),
    (7, (), ()),
    (7, ((7, 6),), ()),
    (8, (), (1, 5, 2, 6, 7, 3, 8, 4)),
    (8, ((2, 6),), (1, 5, 2, 6, 7, 3, 8, 4)),
    (7, (), (4, 1, 5, 2, 6, 3, 7)),
)


def meetings() -> Iterator[str]:
    """Yield the sentences about the second matches of a Swiss."""
    for pairs, exchanges, standings in ASKED:
        options = {"contest": "pairs", "half": pairs % 2 == 1}
        movement = catalogue.build_movement("swiss", (pairs + 1) // 2, 3, None, options)
        order = standings or range(1, pairs + 1)
        found = SwissRound(
            movement, order, DrawRules(exchanges=exchanges), counted_rounds=bool(standings)
        )
        spared = "the lowest" if found.bye_goes_to_lowest else "nobody, or not the lowest,"
        yield f"  {pairs}, exchanged {found.exchanges}, {spared} sits out"
        for meeting in found.meetings:
            yield (
                f"    table {meeting.table}: {meeting.home} v {meeting.away}, {meeting.orders}"
                + "".join(
                    f", {name} {value}"
                    for name in ("met_in", "apart", "is_odd", "is_by_hand")
                    if (value := getattr(meeting, name))
                )
            )


def drawn() -> Iterator[tuple[str, str]]:
    for title in CONTESTS:
        yield title, "\n".join(rounds_of(title))
    yield "what there is to say", "\n".join(meetings())


if __name__ == "__main__":
    PAGE.write_text("".join(f"== {title}\n{text}\n" for title, text in drawn()), encoding="utf-8")
