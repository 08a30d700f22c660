"""Two implementations of the laws, one answer: sessions of all movements, with all that happens."""

import json
import os
from fractions import Fraction
from random import Random

import pytest

from bridgebuddy.scoring.rules.points import possible_scores
from bridgebuddy.scoring.rules.score import score_document
from movements.engine import catalogue
from movements.engine.boards import movement_boards
from movements.engine.errors import MovementError
from movements.engine.plays import plays_of
from tests.scoring.recount import Recount

#: how many sessions; more with SESSIONS=10000
SESSIONS = int(os.environ.get("SESSIONS") or 64)
METHODS = ("matchpoints", "matchpoints", "cross-imps", "butler")
#: choices of the profile, each counted again in sessions of its own; more with SETTINGS=300
SETTINGS = {
    "results as they are": {"method": "butler", "datum": {"missing": "as-played"}},
    "results as they are, by the boards' choice": {"method": "butler", "unequal": "own-tops"},
    "halves towards 0": {"method": "butler", "datum": {"halves": "towards"}},
    "halves up": {"method": "butler", "datum": {"halves": "up"}},
    "median": {"method": "butler", "datum": {"kind": "median"}},
    "median, halves up": {"method": "butler", "datum": {"kind": "median", "halves": "up"}},
    "sit-outs": {"method": "matchpoints", "sit_outs": 60},
    "proportion": {"method": "matchpoints", "unequal": "proportion"},
    "proportion of IMPs": {"method": "cross-imps", "unequal": "proportion"},
    "mean of boards with their own tops": {
        "method": "matchpoints",
        "percentage": "mean-of-boards",
        "unequal": "own-tops",
        "sit_outs": 55,
    },
}
OF_EACH_SETTING = int(os.environ.get("SETTINGS") or 5)
STRAINS = "CDHSN"


def movement(rng):
    """Return a movement of pairs or single players by chance, and its boards' numbers."""
    families = [item for item in catalogue.FAMILIES if item.contest != "teams"]
    while True:
        family = rng.choice(families)
        tables = rng.randint(3, 12)
        try:
            found = catalogue.build_movement(family.name, tables)
            numbers = movement_boards(found, per_round=2)
        except MovementError:
            continue
        if not found.open_rounds:
            return found, numbers


def outcome(rng, board):
    """Return an outcome by chance, or nothing while it is open."""
    kind = rng.random()
    scores = sorted(possible_scores(board))
    if kind < 0.72:
        contract = f"{rng.randint(1, 7)}{rng.choice(STRAINS)}{rng.choice(['', '', '', 'x', 'xx'])}"
        return {"contract": contract, "declarer": rng.choice("NESW"), "tricks": rng.randint(4, 13)}
    if kind < 0.77:
        return {"passed": True}
    if kind < 0.84:
        return {"score": rng.choice(scores)}
    if kind < 0.88:
        parts = [
            [weight, rng.choice(scores)] for weight in rng.choice([(100,), (30, 70), (25, 25, 50)])
        ]
        split = [[100, rng.choice(scores)]]
        return {"assigned": {"ns": parts} | ({"ew": split} if rng.random() < 0.3 else {})}
    if kind < 0.92:
        awards = ["AVE+", "AVE", "AVE-", 55]
        return {"artificial": {"ns": rng.choice(awards), "ew": rng.choice(awards)}}
    if kind < 0.95:
        return {"not_played": rng.choice(["time", "skipped", "cancelled"])}
    if kind < 0.97:
        return {"not_played": "missing", "side": rng.choice(["ns", "ew"])}
    return None


def come_late(rng, label, plays):
    """Let a contestant be missing in the first rounds; it may be a later leaver."""
    for play in plays:
        for side in ("ns", "ew"):
            if play.get(side) == label and play["round"] <= 2:
                play["outcome"] = {"not_played": "missing", "side": side}


def session(seed, setting=None):
    """Return the document of an evening of some movement, with everything that may happen in one."""
    rng = Random(seed)
    plan, numbers = movement(rng)
    alone = plan.contest == "individual"
    rounds = rng.randint(max(1, plan.rounds // 2), plan.rounds)
    plays, sit_outs = [], []
    for round in range(1, rounds + 1):
        for seating in plays_of(plan, round, numbers, 2):
            sides = seating.ns, seating.ew
            if any(side is None for side in sides):
                sit_outs += [
                    {"round": round, "contestant": str(label), "boards": [seating.board]}
                    for label in sides
                    if label is not None and not alone
                ]
                continue
            seats = ("n", "s", "e", "w") if alone else ("ns", "ew")
            people = [str(label) for side in sides for label in (side if alone else (side,))]
            play = {"round": round, "table": seating.table, "board": seating.board}
            play |= dict(zip(seats, people, strict=True))
            if (came := outcome(rng, seating.board)) is not None:
                play["outcome"] = came
            plays.append(play)
    labels = sorted(
        {play[key] for play in plays for key in play if key in "nsew" or key in ("ns", "ew")}
    )
    contestants = [{"label": label} for label in labels]
    profile = setting or {"method": METHODS[seed // 8 % len(METHODS)]}  # each in every part
    method = profile["method"]
    if rng.random() < 0.3:
        gone = rng.choice(contestants)
        gone["left"] = {"after_round": rng.randint(1, rounds), "listed": rng.random() < 0.5}
        for play in plays:
            if gone["label"] in play.values() and play["round"] > gone["left"]["after_round"]:
                play.pop("outcome", None)
    if rng.random() < 0.3:
        come_late(rng, rng.choice(labels), plays)
    units = ("top", "percent", "matchpoints") if method == "matchpoints" else ("imps",)
    penalties = [
        {
            "contestant": rng.choice(labels),
            "unit": rng.choice(units),
            "amount": rng.choice([-1, -0.25, 0.5]),
        }
        for _ in range(rng.randint(0, 2))
    ]
    return json.dumps(
        {
            "contest": "individual" if alone else "pairs",
            "contestants": contestants,
            "plays": plays,
            "penalties": penalties,
            "sit_outs": [row for row in sit_outs if row["contestant"] in labels],
            "profile": profile,
        }
    )


def is_whole(text):
    """Return whether the labels of plays' seats are strings of numbers, as the second count expects."""
    return all(contestant["label"].isdigit() for contestant in json.loads(text)["contestants"])


def agree(seed, setting=None):
    """Score a session twice, compare all values, and return the scoring method."""
    text = session(seed, setting)
    assert is_whole(text)
    found, again = score_document(text), Recount(text)
    assert json.loads(json.dumps(found)) == found  # pages keep it as it is

    for index, play in enumerate(found["plays"]):
        for line, name in enumerate(("ns", "ew")):
            value = again.values[index][line]
            exact = play[name]["exact"]
            assert (value and value[0]) == (exact and Fraction(exact)), (seed, index, name)
    is_open = any(row["kind"] == "open" for row in again.fates)
    assert found["state"] == ("provisional" if is_open else "complete"), seed
    rows = next(
        ranking["rows"]
        for ranking in found["rankings"]
        if ranking["section"] is None and ranking["field"] is None
    )
    for row in rows:
        figure = again.figure(row["contestant"])
        assert row["boards"] == again.total(row["contestant"])[2], (seed, row)
        printed = row["percent"] if again.is_mp else row["total"]
        if figure is None:
            assert printed is None
        else:
            assert abs(Fraction(str(printed)) - figure) <= Fraction(1, 200), (seed, row)
    return again.method


@pytest.mark.parametrize("part", range(8))
def test_two_implementations_agree_on_everything(part):
    assert {agree(seed) for seed in range(part, SESSIONS, 8)} == set(METHODS)


@pytest.mark.parametrize("name", SETTINGS)
def test_two_implementations_agree_on_every_choice(name):
    setting = SETTINGS[name]
    seeds = [100_000 + 100 * list(SETTINGS).index(name) + seed for seed in range(OF_EACH_SETTING)]

    assert {agree(seed, setting) for seed in seeds} == {setting["method"]}


@pytest.mark.parametrize("name", SETTINGS)
def test_every_choice_makes_a_difference_somewhere(name):
    setting = SETTINGS[name]
    plain = {"method": setting["method"]}
    if setting.get("unequal") == "own-tops" and setting["method"] == "matchpoints":
        plain["unequal"] = "own-tops"

    def standings(seed, profile):
        return score_document(session(seed, profile))["rankings"][-1]["rows"]

    assert any(standings(seed, setting) != standings(seed, plain) for seed in range(40))
