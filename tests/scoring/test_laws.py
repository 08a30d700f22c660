"""Laws of scores, tried on random sessions."""

import json
from dataclasses import replace
from fractions import Fraction
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from bridgebuddy.scoring.rules.document import read_document
from bridgebuddy.scoring.rules.points import possible_scores
from bridgebuddy.scoring.rules.rankings.scores import Scorer
from bridgebuddy.scoring.rules.rankings.tallies import contestant_tallies
from bridgebuddy.scoring.rules.valuing import value_session
from tests.scoring.sessions import scored

METHODS = st.sampled_from(["matchpoints", "cross-imps", "butler"])
SEEDS = st.integers(0, 10**6)
LOTS = settings(max_examples=60, deadline=None, derandomize=True)


def evening(seed, *, open_plays=0.0, artificial=0.0, pairs=8, boards=6):
    """Return the document of a session drawn by chance: pairs meet at random, scores are possible."""
    rng = Random(seed)
    labels = [str(number) for number in range(1, pairs + 1)]
    plays = []
    for board in range(1, boards + 1):
        seats = labels[:]
        rng.shuffle(seats)
        for table in range(pairs // 2):
            play = {
                "round": board,
                "table": table + 1,
                "board": board,
                "ns": seats[2 * table],
                "ew": seats[2 * table + 1],
            }
            chance = rng.random()
            if chance < artificial:
                play["outcome"] = {"artificial": {"ns": "AVE+", "ew": "AVE-"}}
            elif chance < 1 - open_plays:
                play["outcome"] = {"score": rng.choice(sorted(possible_scores(board)))}
            plays.append(play)
    return {"contestants": [{"label": label} for label in labels], "plays": plays}


def exact(side):
    return None if side["exact"] is None else Fraction(side["exact"])


@LOTS
@given(SEEDS, METHODS, st.sampled_from([0.0, 0.3]))
def test_the_field_s_values_add_to_their_constant(seed, method, open_plays):
    # a result that is the only one is worth 60 % to both when nothing else is awaited
    results = scored(
        **evening(seed, open_plays=open_plays),
        profile={"method": method, "datum": {"trim": 0}, "small_groups": False},
    )

    for row in results["boards"]:
        mine = [
            (exact(play["ns"]), exact(play["ew"]), play["ns"]["top"])
            for play, asked in zip(results["plays"], evening(seed)["plays"], strict=True)
            if asked["board"] == row["board"] and play["ns"]["value"] is not None
        ]
        if method == "matchpoints":
            assert all(ns + ew == top for ns, ew, top in mine)
            assert sum(ns for ns, _, _ in mine) == sum(Fraction(top) / 2 for _, _, top in mine)
        else:
            assert all(ns + ew == 0 for ns, ew, _ in mine)
        if method == "cross-imps":
            assert sum(ns for ns, _, _ in mine) == 0


@LOTS
@given(SEEDS, METHODS)
def test_the_order_of_entering_changes_nothing(seed, method):
    document = evening(seed, open_plays=0.2, artificial=0.1)
    shuffled = document["plays"][:]
    Random(seed).shuffle(shuffled)

    results = scored(**document, profile={"method": method})
    other = scored(**document | {"plays": shuffled}, profile={"method": method})

    assert results["rankings"] == other["rankings"]
    assert results["boards"] == [
        row | {"artificial": mine["artificial"]}
        for row, mine in zip(other["boards"], results["boards"], strict=True)
    ]


@LOTS
@given(SEEDS, METHODS)
def test_names_of_contestants_change_nothing_but_names(seed, method):
    document = evening(seed, artificial=0.1)
    renamed = json.loads(json.dumps(document))
    for play in renamed["plays"]:
        play |= {"ns": f"p{play['ns']}", "ew": f"p{play['ew']}"}
    for contestant in renamed["contestants"]:
        contestant["label"] = f"p{contestant['label']}"

    results = scored(**document, profile={"method": method})
    other = scored(**renamed, profile={"method": method})

    assert results["plays"] == other["plays"]
    for mine, theirs in zip(results["rankings"], other["rankings"], strict=True):
        assert [(row["place"], f"p{row['contestant']}") for row in mine["rows"]] == [
            (row["place"], row["contestant"]) for row in theirs["rows"]
        ]


@LOTS
@given(SEEDS, METHODS)
def test_a_better_score_never_gets_less(seed, method):
    document = evening(seed)
    rng = Random(seed + 1)
    play = rng.choice(document["plays"])
    better = [s for s in sorted(possible_scores(play["board"])) if s > play["outcome"]["score"]]
    if not better:
        return
    index = document["plays"].index(play)
    profile = {"method": method, "datum": {"trim": 0}}

    before = exact(scored(**document, profile=profile)["plays"][index]["ns"])
    play["outcome"] = {"score": rng.choice(better)}
    after = exact(scored(**document, profile=profile)["plays"][index]["ns"])

    # Butler's datum follows the score: a step of it may take an IMP at most
    assert after >= before - (1 if method == "butler" else 0)


@LOTS
@given(SEEDS)
def test_a_profile_change_and_back_gives_the_same(seed):
    session, profile = read_document(json.dumps(evening(seed, artificial=0.1)))
    valued = value_session(session, profile)
    first = Scorer(valued).scores(contestant_tallies(valued).values())

    value_session(session, replace(profile, method="butler"))
    again = value_session(session, profile)

    assert Scorer(again).scores(contestant_tallies(again).values()) == first


@LOTS
@given(SEEDS)
def test_with_nothing_missing_neuberg_is_the_plain_count(seed):
    document = evening(seed)

    plain = scored(**document, profile={"unequal": "own-tops"})
    neuberg = scored(**document)

    assert plain["plays"] == neuberg["plays"]
    assert {play["ns"]["rule"] for play in neuberg["plays"]} == {"compared"}
