"""Complete documents and the values read from them, as a page; `python -m tests.scoring.read_documents`
writes it anew. Each field of a value is printed, except for defaults.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from bridgebuddy.scoring.rules.document import read_document
from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.scoring.rules.profile import PRESETS

PAGE = Path(__file__).parents[1] / "data" / "scoring" / "read_documents.txt"
PBN = "N:AK83.QT4.AJ.9872 QT5.A2.T9876.KQ3 J94.K9873.Q52.A4 762.J65.K43.JT65"

PAIRS = {
    "name": "Pairs",
    "profile": {},
    "sections": [
        {"section": "A", "winners": 2, "expected": 3, "deals": "one"},
        {"section": "B", "deals": None},
    ],
    "contestants": [
        {
            "label": "1",
            "section": "A",
            "field": "NS",
            "names": ["Ann", "Bob"],
            "seed": 4,
            "lot": 2,
            "stratum": 1,
            "points": [3, 4.5],
            "categories": ["women", "mixed"],
            "handicap": [1.5, 2],
            "recent": [55.5, 60],
            "standing": False,
            "left": {"after_round": 0, "listed": True},
            "earlier": [
                {"percent": 55.25, "boards": 24},
                {"score": "375/8", "max": 100, "boards": 20},
                {"vps": 31.5},
                {"imps": -4},
            ],
        },
        {"label": "2", "section": "A", "field": "EW", "points": 7, "left": {"after_round": 2}},
        {"label": "1", "section": "B"},
        {"label": "2", "section": "B", "pairs": ["x", "y"]},
    ],
    "plays": [
        {
            "section": "A",
            "round": 1,
            "table": 2,
            "board": 3,
            "ns": "1",
            "ew": "2",
            "ns_pair": "x",
            "ew_pair": "y",
            "group": 7,
            "deals": "other",
            "aside": True,
            "outcome": {"score": 110},
        },
        {"section": "B", "board": 1, "ns": "1", "ew": "2", "outcome": {"passed": True}},
    ],
    "sit_outs": [
        {"section": "A", "round": 2, "contestant": "1", "boards": [1, 2], "reason": "missing"},
        {"section": "B", "contestant": "1", "boards": []},
    ],
    "deals": [
        {"section": "A", "board": 1, "pbn": PBN, "dd": {"N": {"S": 4}}},
        {"board": 2, "pbn": PBN, "dd": [1]},
    ],
    "penalties": [
        {
            "section": "A",
            "contestant": "1",
            "board": 3,
            "round": 1,
            "unit": "percent",
            "amount": -2.5,
            "kind": "procedural",
            "reason": "slow",
            "by": "Ann",
        },
        {"section": "B", "contestant": "2", "unit": "top", "amount": 1},
    ],
    "stage": {
        "kind": "knock-out",
        "rounds": 4,
        "boards": 8,
        "first": "random",
        "seed": 5,
        "late": "last-complete",
        "odd": "long-triangle",
        "ignore_before": 2,
        "behind": True,
        "stationary": ["1"],
        "balance": True,
        "exchange": [["1", "2"]],
        "qualifiers": 8,
        "carry": 0.5,
        "danish": True,
        "chart": True,
        "compact": True,
        "through": [["1", "2"]],
    },
}
SINGLE = {
    "contest": "individual",
    "contestants": [{"label": digit} for digit in "1234"],
    "plays": [{"round": 1, "board": 1, "n": "1", "s": "2", "e": "3", "w": "4"}],
    "stage": {
        "kind": "round-robin",
        "behind": 2,
        "late": "provisional",
        "first": "fold",
        "odd": "triangle",
    },
}
TEAMS = {
    "contest": "teams",
    "contestants": [{"label": digit} for digit in "123"],
    "matches": [
        {
            "round": 1,
            "rounds": [1, 2],
            "home": "1",
            "away": "2",
            "boards": [1, 2],
            "deals": "one",
            "half": True,
            "vp": "acbl-20",
            "carry": 3.5,
            "stanza": 2,
            "provisional": True,
            "given": {"home": 12, "away": 7.5},
            "missing": "away",
            "wrong_seats": "director",
            "aside": True,
        },
        {"round": 2, "home": "1", "void": {"home": "AVE+", "away": 45}},
        {
            "round": 3,
            "home": "3",
            "vp": {"total": 25, "draw": 12.5, "least": [1, 4, 9], "cap": 24},
            "missing": "home",
            "wrong_seats": "sides",
        },
        {"round": 4, "home": "2", "vp": {"least": [2]}},
    ],
    "stage": {},
}
#: profiles that say everything, and some of it
PROFILES: dict[str, Any] = {
    "all": {
        "method": "butler",
        "scope": "section",
        "unequal": "own-tops",
        "small_groups": False,
        "expected": "tables",
        "board_places": 3,
        "ave_imps": "fixed",
        "ximp": "total",
        "leavers": "stand",
        "ave": {"plus": 65, "minus": 35.5, "imps": 2, "own": False},
        "ximp_session": "mean-due",
        "datum": {"kind": "median", "trim": 2, "round": 5, "from": 9},
        "sit_outs": "fullest",
        "bam": [3, 1.5, 0.5],
        "pairs_method": "butler",
        "vp": "wbf-discrete",
        "vp_floor": -5,
        "bye": 55,
        "tie_breaks": ["wins", "lot", "quotient"],
        "ties": "broken",
        "min_played": 66.5,
        "sessions": "carry-forward",
        "handicap": {"factor": 0.5, "last": 7},
        "ascherman": True,
        "strata": {"names": ["A", "B"], "limits": [100, None], "of": "mean"},
        "display": {"half": True, "places": 1},
    },
    "as little as may be": {
        "unequal": "tie-for-missing",
        "board_places": None,
        "vp_floor": None,
        "vp": None,
        "bye": "own-average",
        "ave": {},
        "datum": {},
        "handicap": {},
        "strata": {"names": ["C"]},
        "display": {},
    },
    "a seventh": {"datum": {"trim": "seventh"}, "sessions": "plain", "ximp": "average"},
    "ends of a number of results": {"preset": "DBV", "datum": {"from": 6}, "sessions": "sum"},
    "rounded only": {"preset": "DBV", "datum": {"round": 1}, "display": {"places": 0}},
    **{f"of {name}": {"preset": name} for name in PRESETS},
}
OF_TEAMS: dict[str, Any] = {
    "of EBU, teams": {"preset": "EBU"},
    "of ACBL, teams": {"preset": "ACBL", "method": "bam"},
}

A_PLAY = {"board": 1, "ns": "1", "ew": "2"}
ONE = {"contestants": [{"label": "1"}, {"label": "2"}]}


def with_(**said: Any) -> str:
    return json.dumps(ONE | said)


def a_play(**said: Any) -> str:
    return with_(plays=[A_PLAY | said])


def a_match(**said: Any) -> str:
    return with_(matches=[{"round": 1, "home": "1", "away": "2"} | said])


def of_one(**said: Any) -> str:
    return with_(contestants=[{"label": "1"} | said])


#: what is refused
WRONG = [
    *("", "[1]", "{", '{"name": 1, "name": 2}', '{"name": NaN}', '{"name": 1e99}', "[" * 100_000),
    *(f'{{"name": 0.{"1" * 40}}}', f'{{"name": {"1" * 41}}}'),
    *(
        json.dumps(item)
        for item in ({"x": 1}, {"name": 7}, {"contest": "chess"}, {"contest": True})
    ),
    *(
        with_(sections=item)
        for item in ({}, [1], [{"section": "A"}, {"section": "A"}], [{"section": ""}])
    ),
    *(
        with_(sections=[item])
        for item in ({"winners": 3}, {"expected": 0}, {"expected": 1.5}, {"x": 1})
    ),
    *(
        of_one(**item)
        for item in ({"label": ""}, {"label": None}, {"section": "Z"}, {"field": "NS"}, {"x": 1})
    ),
    *(
        of_one(**item)
        for item in (
            {"stratum": 0},
            {"names": [1]},
            {"points": "x"},
            {"standing": 1},
            {"seed": "x"},
        )
    ),
    *(of_one(left=item) for item in (1, {}, {"after_round": -1}, {"after_round": 1, "x": 1})),
    *(of_one(earlier=[item]) for item in (1, {"x": 1}, {"percent": 50}, {"vps": "1/0"})),
    *(of_one(earlier=[{"percent": 50, "boards": item}]) for item in (0, -1, "x")),
    of_one(earlier=[{"score": 50, "max": 0, "boards": 3}]),
    with_(contestants=[{"label": "1"}, {"label": "1"}]),
    with_(sections=[{"section": "A"}, {"section": "B"}]),
    json.dumps({"sections": [{"winners": 2}], "contestants": [{"label": "1"}]}),
    *(
        a_play(**item)
        for item in ({"ew": "1"}, {"ew": "3"}, {"board": 0}, {"board": None}, {"round": 0})
    ),
    *(
        a_play(**item)
        for item in ({"table": 0}, {"aside": 1}, {"x": 1}, {"group": None, "deals": 3})
    ),
    *(a_play(outcome=item) for item in ({"score": 7}, {"score": 110, "x": 1}, 3)),
    with_(plays=[A_PLAY, *[A_PLAY | {"round": 1, "table": 1}] * 2]),
    *(
        with_(sit_outs=[{"contestant": "1"} | item])
        for item in ({"reason": "ill"}, {"boards": [0]}, {"x": 1})
    ),
    *(
        with_(deals=[item])
        for item in ({"board": 0, "pbn": PBN}, {"board": 1, "pbn": "x"}, {"x": 1})
    ),
    *(
        with_(penalties=[{"contestant": "1"} | item])
        for item in ({}, {"unit": "x"}, {"unit": "vps"}, {"x": 1})
    ),
    *(
        a_match(**item)
        for item in ({"away": "1"}, {"away": "9"}, {"round": 0}, {"boards": [0]}, {"x": 1})
    ),
    *(
        a_match(**item)
        for item in (
            {"given": {"home": 1}},
            {"given": {"x": 1}},
            {"void": {"x": 1}},
            {"missing": "x"},
        )
    ),
    *(
        a_match(**item)
        for item in ({"wrong_seats": "x"}, {"rounds": [0]}, {"stanza": 0}, {"vp": "x"})
    ),
    *(
        a_match(vp=item)
        for item in ({"least": [2, 1]}, {"least": [0]}, {"x": 1}, {"least": [1, 1]})
    ),
    *(
        with_(stage=item)
        for item in ({"kind": "x"}, {"exchange": [["1"]]}, {"qualifiers": 1}, {"behind": -1})
    ),
    *(
        with_(stage=item)
        for item in ({"x": 1}, {"first": "x"}, {"odd": "x"}, {"late": "x"}, {"rounds": 0})
    ),
    *(
        with_(stage=item)
        for item in ({"boards": 0}, {"ignore_before": 0}, {"carry": "x"}, {"danish": 1})
    ),
    *(with_(profile={name: "x"}) for name in (*PROFILES["all"], "x", "preset")),
    *(
        with_(profile=item)
        for item in (1, {"ave": {"x": 1}}, {"datum": {"x": 1}}, {"display": {"x": 1}})
    ),
    *(
        with_(profile=item)
        for item in ({"bam": [1, 2]}, {"strata": {}}, {"handicap": {"x": 1}}, {"bam": [1, 2, True]})
    ),
    *(
        with_(profile=item)
        for item in ({"strata": {"names": ["A"], "limits": [1, 2]}}, {"strata": {"x": 1}})
    ),
    *(
        with_(profile=item)
        for item in ({"board_places": -1}, {"display": {"places": -1}}, {"handicap": {"last": 0}})
    ),
    *(
        with_(profile={"datum": item})
        for item in ({"trim": -1}, {"round": 0}, {"from": 0}, {"kind": "x"})
    ),
    *(with_(profile={"method": text}) for text in ("bam", "team-imps")),
    json.dumps({"contest": "teams", "profile": {"method": "butler"}}),
]
LONGEST = 150


def plain(value: Any, deep: str = "") -> str:
    """Return a value as the page prints it: each field that is not the default."""
    if is_dataclass(value):
        told = [
            f"{field.name} {plain(getattr(value, field.name), deep + '  ')}"
            for field in fields(value)
            if getattr(value, field.name) != field.default or field.default is MISSING
        ]
        return "".join([type(value).__name__, *(f"\n{deep}  {item}" for item in told)])
    if isinstance(value, tuple) and not hasattr(value, "_fields") and any(map(is_dataclass, value)):
        return "".join(f"\n{deep}  {plain(item, deep + '  ')}" for item in value)
    if isinstance(value, tuple):
        return f"({', '.join(map(plain, value))})"
    return str(value) if isinstance(value, Fraction) else repr(value)


def read() -> Iterator[tuple[str, str]]:
    """Yield each document's title, and the values read from it."""
    for title, document in (("pairs", PAIRS), ("single players", SINGLE), ("teams", TEAMS)):
        yield title, plain(read_document(json.dumps(document))[0])
    for contest, known in (("pairs", PROFILES), ("teams", OF_TEAMS)):
        for title, profile in known.items():
            yield (
                f"profile, {title}",
                plain(read_document(json.dumps({"contest": contest, "profile": profile}))[1]),
            )
    for text in WRONG:
        yield f"refused: {text.replace(json.dumps(ONE)[1:-1], '…')[:LONGEST]}", refusal(text)


def refusal(text: str) -> str:
    try:
        read_document(text)
    except ScoringError as wrong:
        return f"{type(wrong).__name__}: {wrong}"
    return "is read"


if __name__ == "__main__":
    PAGE.write_text("".join(f"== {title}\n{text}\n" for title, text in read()), encoding="utf-8")
