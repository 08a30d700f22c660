"""Some sessions in every format, as a page to be read; `python -m tests.scoring.written_files` writes it anew.

They are small and have everything that files tell differently: results of every kind, cards and what could be made of
them, numbers, several sections, halves, single players, and teams with their pairs.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bridgebuddy.scoring.rules.document import read_document
from bridgebuddy.scoring.rules.files.catalogue import FORMATS
from bridgebuddy.scoring.rules.files.exported import (
    ExportedSession,
    FederationFields,
    NotInThisFormat,
)
from bridgebuddy.scoring.rules.score import score_session

PAGE = Path(__file__).parents[1] / "data" / "scoring" / "written_files.txt"
SUIT = "AKQJT98765432"
#: North has all spades, East all hearts, South all diamonds, West all clubs
PBN = f"N:{SUIT}... .{SUIT}.. ..{SUIT}. ...{SUIT}"
TRICKS = {
    "N": {"S": 13, "H": 0, "D": 10, "C": 0, "NT": 7},
    "S": {"S": 13, "H": 0, "D": 10, "C": 0, "NT": 7},
    "E": {"S": 0, "H": 13, "D": 2, "C": 12, "NT": 6},
    "W": {"S": 0, "H": 13, "D": 2, "C": 12, "NT": 6},
}


def played(contract: str, declarer: str, tricks: int, **more: str) -> dict[str, Any]:
    return {"contract": contract, "declarer": declarer, "tricks": tricks, **more}


#: what came of a board at three tables, of every kind
OUTCOMES = (
    (played("4Sx", "N", 10, lead="HK"), {"passed": True}, {"score": -50}),
    (played("3NT", "W", 8), {"artificial": {"ns": "AVE+", "ew": "AVE-"}}, {"not_played": "time"}),
    (
        {"assigned": {"ns": [["1/3", 420], ["2/3", -100]], "ew": [[100, 170]]}},
        played("2Hxx", "E", 8, lead="S10"),
        {"score": 110, "beside": played("2S", "S", 8)},
    ),
    ({"artificial": {"ns": 55.5, "ew": None}}, {"pending": True}, None),
)


def exported(document: Mapping[str, Any], **more: Any) -> ExportedSession:
    """A session as files are written of it, its lists those of the fields."""
    session, profile = read_document(json.dumps(document))
    results = score_session(session, profile)
    fields = {
        (contestant["section"], contestant["field"]) for contestant in document["contestants"]
    }
    lists = [ranking for ranking in results.rankings if ranking.is_plain]
    usual: dict[str, Any] = {
        "lists": tuple(ranking for ranking in lists if (ranking.section, ranking.field) in fields),
        "club": "Löwen & Söhne",
        "event": "=Tuesday <Pairs>",
        "date": datetime.date(2026, 11, 4),
        "version": "1.2",
        "titles": {},
        "rounds": 3,
        "dealt": [("", play["board"]) for play in document["plays"]],
        "cards": {("", 1): PBN},
    }
    return ExportedSession(session=session, profile=profile, results=results, **usual | more)


def document(contest: str, sections: list, contestants: list, plays: list, **more: Any) -> dict:
    profile = more.pop("profile", {})
    whole = {"name": "", "contest": contest, "sections": sections, "contestants": contestants}
    return whole | {"plays": plays, "profile": profile} | more


def pairs_of(fields: tuple[str, ...], section: str = "A") -> list[dict[str, Any]]:
    return [
        {
            "section": section,
            "label": f"{field}{n}" if len(fields) > 1 else str(2 * n - (place == 0)),
            "field": field if len(fields) > 1 else "all",
            "names": [f"{field} Öne{n}", f"{field}\tTwo\0{n}"][: 3 - n % 3],
        }
        for n in (1, 2, 3)
        for place, field in enumerate(("NS", "EW"))
    ]


def plays_of(section: str = "A", labels: Callable[[str, int], str] = "{}{}".format) -> list:
    return [
        {"section": section, "round": 1 + (board + table) % 3, "table": table, "board": board}
        | {"ns": labels("NS", table), "ew": labels("EW", 1 + (table + board) % 3)}
        | {"outcome": outcome}
        for board, row in enumerate(OUTCOMES, 1)
        for table, outcome in enumerate(row, 1)
    ]


def two_lines() -> ExportedSession:
    """A Mitchell of which a federation asks much."""
    penalties = [{"section": "A", "contestant": "NS1", "unit": "percent", "amount": -2.333}]
    told = document(
        "pairs",
        [{"section": "A", "winners": 2}],
        pairs_of(("NS", "EW")),
        plays_of(),
        penalties=penalties,
    )
    rows = {
        row.contestant_key: row
        for ranking in score_session(*read_document(json.dumps(told))).rankings
        for row in ranking.rows
    }
    return exported(
        told,
        is_provisional=True,
        numbers={"NS Öne1": ("12345", "7"), "EW Öne2": ("", "8")},
        asked=FederationFields("C17", "P2", "800", points_awarded=True),
        optimum={("", 1): (TRICKS, -50)},
        overall={("A", "NS1"): rows["A", "NS1"]},
        titles={("A", "EW3"): "The =Others"},
    )


def in_halves() -> ExportedSession:
    """Two sections, one of them in two lines, of which each has cards of its own, as the ACBL shows it."""
    sections = [
        {"section": item, "winners": winners, "deals": item}
        for item, winners in (("A", 2), ("B", 1))
    ]
    number: Callable[[str, int], str] = lambda line, n: str(2 * n - (line == "NS"))  # noqa: E731
    plays = [*plays_of("A"), *plays_of("B", number)]
    penalties = [{"section": "B", "contestant": "1", "unit": "matchpoints", "amount": -0.505}]
    told = document(
        "pairs",
        sections,
        [*pairs_of(("NS", "EW"), "A"), *pairs_of(("all",), "B")],
        plays,
        profile={"preset": "ACBL"},
        penalties=penalties,
    )
    return exported(
        told,
        dealt=[(play["section"], play["board"]) for play in plays],
        cards={("B", 2): PBN},
        rounds=2,
    )


def swiss_of_pairs() -> ExportedSession:
    """Two matches of pairs for victory points, each with cards of its own, and one that is open."""
    people = [
        {"section": "A", "label": str(n), "field": "all", "names": [f"P{n} A", f"P{n} B"]}
        for n in (1, 2, 3, 4)
    ]
    draw = ((1, "1", "2"), (1, "3", "4"), (2, "1", "3"), (2, "4", "2"))
    matches = [
        {"section": "A", "round": round, "home": home, "away": away}
        | {"boards": [4 * round - 3, 4 * round]}
        for round, home, away in draw
    ]
    scores = iter((420, 170, 170, 130, 90, -50, 110))
    plays = [
        {"section": "A", "round": match["round"], "table": 1 + place % 2, "board": board}
        | {"ns": match["home"], "ew": match["away"]}
        | ({} if (came := next(scores, None)) is None else {"outcome": {"score": came}})
        for place, match in enumerate(matches)
        for board in match["boards"]
    ]
    told = document(
        "pairs",
        [{"section": "A", "winners": 1}],
        people,
        plays,
        profile={"vp": "swiss-pairs"},
        matches=matches,
    )
    return exported(told, is_swiss=True, rounds=2)


def single_players(method: str = "cross-imps") -> ExportedSession:
    people = [
        {"section": "A", "label": str(n), "field": "all", "names": [f"Player {n}"]}
        for n in range(1, 9)
    ]
    seats = ("n", "s", "e", "w")
    plays = [
        {"section": "A", "round": board, "table": table, "board": board}
        | {seat: str(1 + (4 * (table - 1) + place * board) % 8) for place, seat in enumerate(seats)}
        | {"outcome": OUTCOMES[0 if board == 1 else 2][table - 1]}
        for board in (1, 3)
        for table in (1, 2)
    ]
    told = document(
        "individual", [{"section": "A", "winners": 1}], people, plays, profile={"method": method}
    )
    return exported(told, numbers={"Player 2": ("99", "")})


def teams(profile: Mapping[str, Any], *, is_swiss: bool = True) -> ExportedSession:
    """Two rounds of four teams, a bye, a match that is open, and pairs that play for a team."""
    contestants = [
        {
            "section": "A",
            "label": str(n),
            "field": "all",
            "names": [f"T{n} {name}" for name in "ABCD"],
        }
        for n in range(1, 6)
    ]
    plays, matches = [], []
    draw = ((("1", "2"), ("4", "3")), (("3", "1"), ("2", "4")))
    scores = ((420, 170), (-100, -200), (90, 90), (500, 500), (140, -50), (170, 110), (110, 130))
    chosen = iter(scores)
    for round, tables in enumerate(draw, 1):
        for table, (home, away) in enumerate(tables):
            boards = [2 * round - 1, 2 * round]
            matches.append(
                {"section": "A", "round": round, "home": home, "away": away, "boards": boards}
            )
            for board in boards:
                came = next(chosen, None)
                for room, (ns, ew) in enumerate(((home, away), (away, home))):
                    of_pair = {
                        f"{line}_pair": f"T{team} {item} & T{team} {other}"
                        for line, team, (item, other) in (("ns", ns, "AC"), ("ew", ew, "BD"))
                    }
                    outcome = None if came is None else {"score": came[room]}
                    plays.append(
                        {"section": "A", "round": round, "table": 1 + 2 * table + room}
                        | {"board": board, "ns": ns, "ew": ew, "outcome": outcome}
                        | of_pair
                    )
    matches.append({"section": "A", "round": 1, "home": "5"})
    told = document(
        "teams",
        [{"section": "A", "winners": 1}],
        contestants,
        plays,
        matches=matches,
        profile=profile,
    )
    return exported(
        told,
        is_swiss=is_swiss,
        titles={("A", "1"): "First", ("A", "2"): "Sec<ond>"},
        numbers={"T1 A": ("1234", "")},
        rounds=2,
    )


SESSIONS: Mapping[str, Callable[[], ExportedSession]] = {
    "two lines": two_lines,
    "in halves": in_halves,
    "swiss of pairs": swiss_of_pairs,
    "single players": single_players,
    "teams by victory points": lambda: teams({"method": "team-imps", "vp": "wbf-discrete"}),
    "board a match": lambda: teams({"method": "bam", "preset": "ACBL"}, is_swiss=False),
    "total points": lambda: teams({"method": "aggregate"}),
}


def written(name: str) -> Iterator[tuple[str, str]]:
    """Yield a session in every format that knows its kind."""
    whole = SESSIONS[name]()
    for form, item in FORMATS.items():
        try:
            text = item.file(whole).decode(item.encoding)
        except NotInThisFormat as refused:
            text = f"not of {refused}\n"
        yield f"{name}, {form}", text.removeprefix("\ufeff").replace("\r\n", "\n")


def page() -> str:
    return "".join(f"== {title}\n{text}" for name in SESSIONS for title, text in written(name))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
