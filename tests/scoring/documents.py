"""Random documents of everything that can be scored: pairs, single players and teams, with matches or without,
several sections, every profile, and all that a director rules. A seed gives the same document again.
"""

import json
from random import Random

from bridgebuddy.scoring.rules.points import possible_scores

SCORES = {number: sorted(possible_scores(number)) for number in range(1, 17)}
#: what tables have, where a result shall be like others
USUAL = (-620, -430, -420, -200, -170, -110, -100, -50, 50, 90, 100, 110, 120, 140, 170, 400, 420)
AWARDS = ("AVE+", "AVE", "AVE-")
PAIRS_METHODS = ("matchpoints", "matchpoints", "cross-imps", "butler", "aggregate")
SCALES = ("wbf-continuous", "wbf-discrete", "acbl-20", "acbl-30", "win-draw-loss")


def outcome(rng, board, *, alone=False):
    """Return the outcome of a board; None while it is open."""
    chance = rng.random()
    scores = [item for item in USUAL if item in SCORES[(board - 1) % 16 + 1]]
    if chance < 0.78:
        return {"score": rng.choice(scores)}
    if chance < 0.82:
        contract = f"{rng.randint(1, 7)}{rng.choice('CDHSN')}{rng.choice(['', '', 'x', 'xx'])}"
        return {"contract": contract, "declarer": rng.choice("NESW"), "tricks": rng.randint(4, 13)}
    if chance < 0.84:
        return {"passed": True}
    if chance < 0.88 and not alone:
        weights = rng.choice([[100], [30, 70], ["1/3", "2/3"], [50, 25, 25]])
        parts = [[weight, rng.choice(scores)] for weight in weights]
        split = {"ew": [[100, rng.choice(scores)]]} if rng.random() < 0.3 else {}
        return {"assigned": {"ns": parts} | split}
    if chance < 0.91 and not alone:
        given = [*AWARDS, 55, 2.5, None]
        return {"artificial": {"ns": rng.choice(given), "ew": rng.choice(given)}}
    if chance < 0.94:
        return {"not_played": rng.choice(["time", "skipped", "cancelled"])}
    if chance < 0.95 and not alone:
        return {"not_played": "missing", "side": rng.choice(["ns", "ew"])}
    return {"pending": True} if chance < 0.96 else None


def _with(play, came):
    return play if came is None else play | {"outcome": came}


def profile_of_pairs(rng):
    """Return how pairs or single players are scored, any choice of it."""
    profile = {"method": rng.choice(PAIRS_METHODS)}
    choices = {
        "preset": ["club", "EBU", "ACBL", "WBF"],
        "scope": ["field", "section"],
        "unequal": ["neuberg", "own-tops", "tie-for-missing"],
        "small_groups": [True, False],
        "expected": ["scheduled", "tables"],
        "board_places": [None, 0, 2],
        "ave": [{"imps": 2}, {"own": False}, {"plus": 65, "minus": 35}],
        "ximp": ["average", "total"],
        "ximp_session": ["total", "mean-due"],
        "datum": [{"trim": "seventh"}, {"trim": 0}, {"kind": "median"}, {"trim": 1, "round": 1}],
        "sit_outs": ["own-boards", "in-play", "fullest"],
        "ties": ["shared", "broken"],
        "display": [{"half": True}, {"places": 1}],
        "handicap": [{"factor": 0.5, "last": 2}],
        "min_played": [0, 75],
    }
    for key, values in choices.items():
        if rng.random() < 0.2:
            profile[key] = rng.choice(values)
    return profile


def a_session(seed):
    """Return an evening of pairs or single players, each table of a round with boards of its own."""
    rng = Random(f"session {seed}")
    alone = rng.random() < 0.25
    sections = ["A", "B"][: rng.choice([1, 1, 2])]
    document = {
        "name": f"Evening {seed}",
        "contest": "individual" if alone else "pairs",
        "profile": profile_of_pairs(rng),
        "sections": [],
        "contestants": [],
        "plays": [],
        "sit_outs": [],
        "penalties": [],
    }
    if len(sections) == 2 and rng.random() < 0.3:
        document["profile"]["strata"] = {"names": ["A", "B"], "limits": [None, 50]}
    for section in sections:
        _one_section(rng, document, section, alone)
    method = document["profile"]["method"]
    units = {"matchpoints": ["top", "percent", "matchpoints"], "aggregate": ["matchpoints"]}
    for _ in range(rng.choice([0, 0, 1, 2])):
        who = rng.choice(document["contestants"])
        document["penalties"].append(
            {
                "section": who["section"],
                "contestant": who["label"],
                "unit": rng.choice(units.get(method, ["imps"])),
                "amount": rng.choice([-1, -0.25, 0.5, -2.5]),
            }
        )
    return document


def _one_section(rng, document, section, alone):
    winners = 1 if alone else rng.choice([1, 2])
    tables, rounds, per_round = rng.randint(2, 7), rng.randint(2, 6), rng.randint(1, 3)
    document["sections"].append({"section": section, "winners": winners})
    many = tables * (4 if alone else 2)
    labels = [f"{section}{number}" for number in range(1, many + 1)]
    half = many // 2
    for index, label in enumerate(labels):
        one = {"label": label, "section": section}
        if winners == 2:
            one["field"] = "NS" if index < half else "EW"
        if rng.random() < 0.2:
            one["points"] = [rng.randint(0, 100)]
        if rng.random() < 0.1:
            one["handicap"] = [rng.choice([2.5, -1])]
        if rng.random() < 0.1:
            one["recent"] = [45, 52.5, 61]
        if rng.random() < 0.1:
            one["categories"] = ["junior"]
        if rng.random() < 0.05:
            one["standing"] = False
        document["contestants"].append(one)
    first, second = labels[:half], labels[half:]
    for round in range(1, rounds + 1):
        for table in range(tables):
            at = (table + round - 1) % tables
            if alone:
                seats = {
                    "n": first[2 * table],
                    "s": first[2 * table + 1],
                    "e": second[2 * at],
                    "w": second[2 * at + 1],
                }
            else:
                seats = {"ns": first[table], "ew": second[at]}
            boards = ((table - round) % tables) * per_round
            if table == 0 and rng.random() < 0.1:
                who = next(iter(seats.values()))
                numbers = list(range(boards + 1, boards + per_round + 1))
                reason = rng.choice(["planned", "missing"])
                document["sit_outs"].append(
                    {"section": section, "round": round, "contestant": who}
                    | {"boards": numbers, "reason": reason}
                )
                continue
            for number in range(boards + 1, boards + per_round + 1):
                play = {"section": section, "round": round, "table": table + 1, "board": number}
                document["plays"].append(_with(play | seats, outcome(rng, number)))
    if rng.random() < 0.25:
        _leaves(rng, document, section, rounds)


def _leaves(rng, document, section, rounds):
    gone = rng.choice(
        [contestant for contestant in document["contestants"] if contestant["section"] == section]
    )
    last = rng.randint(1, rounds)
    gone["left"] = {"after_round": last, "listed": rng.random() < 0.5}
    for play in document["plays"]:
        if gone["label"] in play.values() and play["round"] > last:
            play.pop("outcome", None)


def a_match(rng, round, home, away, boards):
    """Return a match, sometimes with a ruling on the whole of it."""
    match = {"round": round, "home": home, "away": away, "boards": boards}
    chance = rng.random()
    if chance < 0.06:
        match["given"] = {"home": 12.5, "away": 7.5}
    elif chance < 0.1:
        match["void"] = {"home": rng.choice(AWARDS), "away": rng.choice(AWARDS)}
    elif chance < 0.13:
        match["missing"] = rng.choice(["home", "away"])
    elif chance < 0.15:
        match["wrong_seats"] = rng.choice(["sides", "director"])
    if rng.random() < 0.1:
        match["half"] = True
    return match


def of_matches(seed):
    """Return a Swiss or an all-play-all, of teams or of pairs, with byes and rulings."""
    rng = Random(f"matches {seed}")
    teams = rng.random() < 0.7
    if teams:
        profile = {"method": rng.choice(["team-imps", "team-imps", "bam", "aggregate"])}
        profile["vp"] = rng.choice([None, *SCALES])
    else:
        profile = {"method": rng.choice(["matchpoints", "butler", "cross-imps"])}
        profile["vp"] = "swiss-pairs" if profile["method"] == "matchpoints" else "wbf-continuous"
    for key, values in {
        "bye": [50, "own-average"],
        "board_places": [2],
        "ties": ["broken"],
        "tie_breaks": [["between", "wins", "quotient"], ["count-back", "net"]],
        "pairs_method": ["butler"],
        "unequal": ["own-tops"],
    }.items():
        if rng.random() < 0.2:
            profile[key] = rng.choice(values)
    many, rounds, per_round = rng.randint(3, 8), rng.randint(1, 4), rng.randint(1, 6)
    labels = [str(number) for number in range(1, many + 1)]
    document = {
        "name": f"Matches {seed}",
        "contest": "teams" if teams else "pairs",
        "profile": profile,
        "stage": {"kind": rng.choice(["swiss", "round-robin", "knock-out"]), "boards": per_round},
        "contestants": [{"label": label, "seed": rng.randint(1, 9)} for label in labels],
        "plays": [],
        "matches": [],
        "penalties": [],
    }
    for round in range(1, rounds + 1):
        numbers = list(range(1, per_round + 1))
        order = rng.sample(labels, many)
        for table in range(many // 2):
            home, away = order[2 * table], order[2 * table + 1]
            match = a_match(rng, round, home, away, numbers)
            if teams:
                match["deals"] = rng.choice(["all", f"{round}.{table}"])
                if rng.random() < 0.1:
                    match["carry"] = 3.5
            document["matches"].append(match)
            if "given" not in match:
                _start_team_round_robin(rng, document, match, table, teams)
        if many % 2:
            document["matches"].append({"round": round, "home": order[-1], "boards": numbers})
    if not teams and profile["method"] == "matchpoints":
        units = ["percent", "matchpoints", "top"]
    else:
        units = ["imps"] if profile["method"] in ("team-imps", "butler", "cross-imps") else []
    if profile["vp"] is not None:
        units = [*units, "vps"]
    if units and rng.random() < 0.4:
        fine = {"contestant": rng.choice(labels), "unit": rng.choice(units), "amount": -1.5}
        document["penalties"].append(fine | {"round": rng.choice([None, 1])})
    if rng.random() < 0.3:
        gone = rng.choice(document["contestants"])
        gone["left"] = {"after_round": rng.randint(0, rounds), "listed": True}
    return document


def _start_team_round_robin(rng, document, match, table, teams):
    home, away, round = match["home"], match["away"], match["round"]
    ways = [(2 * table + 1, home, away, 1)]
    if teams:
        ways.append((2 * table + 2, away, home, 2))
    for number in match["boards"]:
        is_whole = rng.random() < 0.9
        for at, ns, ew, half in ways:
            play = {"round": round, "table": at, "board": number, "ns": ns, "ew": ew}
            if teams and rng.random() < 0.95:
                other = 3 - half
                play |= {"ns_pair": f"{ns}-{half}", "ew_pair": f"{ew}-{other}"}
            came = {"score": rng.choice(USUAL)}
            came = (
                {"score": rng.choice([90, 110, 140, -50, -100])}
                if is_whole
                else outcome(rng, number, alone=teams and half == 2)
            )
            if came and "score" in came and came["score"] not in SCORES[(number - 1) % 16 + 1]:
                came = {"passed": True}
            document["plays"].append(_with(play, came))


def random_document(seed):
    """Return a document: two in three of a session, one of matches."""
    return json.dumps(of_matches(seed) if seed % 3 == 0 else a_session(seed))
