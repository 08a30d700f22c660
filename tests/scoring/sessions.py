"""Short forms for writing a session and asking for its results."""

import json

from bridgebuddy.scoring.rules.score import score_document

NS, EW = ("1", "3", "5", "7", "9", "11", "13"), ("2", "4", "6", "8", "10", "12", "14")


def scored(**document):
    """Return the results of a session document."""
    return score_document(json.dumps(document))


def board(scores, *, number=1, expected=None, profile=None, outcomes=None, **more):
    """Return the plays of one board with these outcomes, at one table each."""
    outcomes = list(outcomes or ({"score": score} for score in scores))
    tables = len(outcomes)
    contestants = [{"label": f"{line}{table}"} for table in range(1, tables + 1) for line in "NE"]
    plays = [
        {"round": 1, "table": table, "board": number, "ns": f"N{table}", "ew": f"E{table}"}
        | ({} if outcome is None else {"outcome": outcome})
        for table, outcome in enumerate(outcomes, 1)
    ]
    section = {"section": "A"} | ({"expected": expected} if expected else {})
    results = scored(
        contestants=contestants, plays=plays, sections=[section], profile=profile or {}, **more
    )
    return results["plays"]


def values(plays, line="ns"):
    return [play[line]["value"] for play in plays]


def match_of(profile, boards, **match):
    """Return the one match of two teams; a board is home's N-S score and the other table's."""
    return evening_of_teams(profile, boards, **match)["matches"][0]


def evening_of_teams(profile, boards, *, penalties=(), **match):
    """Return the results of an evening that is one match."""
    plays = []
    for number, (home, away) in enumerate(boards, 1):
        for table, sides, outcome in ((1, "HA", home), (2, "AH", away)):
            outcome = {"score": outcome} if isinstance(outcome, int) else outcome
            plays.append(
                {"round": 1, "table": table, "board": number, "ns": sides[0], "ew": sides[1]}
                | ({} if outcome is None else {"outcome": outcome})
            )
    numbers = list(range(1, len(boards) + 1))
    stage = match.pop("stage", None)
    return scored(
        contest="teams",
        profile=profile,
        contestants=[{"label": "H"}, {"label": "A"}],
        plays=plays,
        matches=[{"round": 1, "home": "H", "away": "A", "boards": numbers} | match],
        penalties=list(penalties),
        **({"stage": stage} if stage else {}),
    )


def both(two):
    return two["home"], two["away"]
