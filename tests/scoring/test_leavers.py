"""Leavers in documents: results still to be entered are no lost boards, in matches as in evenings."""

from tests.scoring.sessions import board, scored, values

TABLES = 5


def mitchell(*, left_after, missing=(), late=(), rounds=5, **leaver):
    """Return an evening of which East-West 1 leaves after a round; some plays have no result, of some it was late."""
    plays = []
    for round in range(1, rounds + 1):
        for table in range(1, TABLES + 1):
            ew = (table - round) % TABLES + 1
            play = {"round": round, "table": table, "board": (table + round) % TABLES + 1}
            play |= {"ns": f"N{table}", "ew": f"E{ew}"}
            if ew == 1 and round in late:
                play["outcome"] = {"not_played": "missing", "side": "ew"}
            elif (round, table) not in missing and not (ew == 1 and round > left_after):
                play["outcome"] = {"score": (120, 170, -100, 140, 110)[(table * round) % 5]}
            plays.append(play)
    labels = [f"{line}{n}" for line in "NE" for n in range(1, TABLES + 1)]
    contestants = [{"label": label} for label in labels]
    contestants[TABLES]["left"] = {"after_round": left_after} | leaver
    results = scored(contestants=contestants, plays=plays)
    return results, {(row["round"], row["ew"]): results["plays"][i] for i, row in enumerate(plays)}


def test_a_result_that_is_missing_from_before_somebody_left_is_still_to_be_entered():
    found, play = mitchell(left_after=4, missing=[(1, 1)])

    assert (found["state"], found["results"]) == ("provisional", [24, 25])
    assert play[1, "E1"]["ns"]["rule"] == play[1, "E1"]["ew"]["rule"] == "open"
    assert play[5, "E1"]["ns"]["rule"] == "AVE+"


def test_what_was_missed_by_coming_late_has_not_been_played_by_who_leaves():
    """East-West 1 has played two of five, and has average minus of another."""
    found, play = mitchell(left_after=3, late=[1])

    assert found["state"] == "complete"
    assert {play[round, "E1"]["ns"]["rule"] for round in range(1, 6)} == {"not-played"}


def test_who_came_late_and_has_played_half_keeps_their_results():
    found, play = mitchell(left_after=4, late=[1], listed=True)

    rules = [
        (play[round, "E1"]["ns"]["rule"], play[round, "E1"]["ew"]["rule"]) for round in (1, 3, 5)
    ]
    assert rules == [("AVE+", "AVE-"), ("compared", "compared"), ("AVE+", "AVE-")]
    assert found["state"] == "complete"


def test_a_single_player_who_leaves_owes_nothing_more():
    plays = []
    for round, (n, s, e, w) in enumerate(("1234", "1324", "1423", "1234"), 1):
        play = {"round": round, "table": 1, "board": round, "n": n, "s": s, "e": e, "w": w}
        plays.append(play | ({"outcome": {"score": 110}} if round < 3 else {}))
        other = {"n": "5", "s": "6", "e": "7", "w": "8", "outcome": {"score": 90}}
        plays.append(play | {"table": 2} | other)
    contestants = [{"label": label} for label in "12345678"]
    contestants[0]["left"] = {"after_round": 2}

    results = scored(contest="individual", contestants=contestants, plays=plays)

    rows = {row["contestant"]: row for row in results["rankings"][0]["rows"]}
    assert [(rows[label]["boards"], rows[label]["due"]) for label in "12"] == [(2, 2), (4, 4)]
    assert [results["plays"][4][line]["rule"] for line in ("ns", "ew")] == ["AVE+", "AVE+"]


def test_a_weighted_score_is_worth_nothing_by_butler_as_long_as_it_is_alone():
    weighted = {"assigned": {"ns": [[40, 420], [60, -100]]}}

    plays = board([], outcomes=[weighted, None, None], profile={"method": "butler"})

    assert values(plays) == [0, None, None]
    assert values(plays, "ew") == [0, None, None]


# ── matches ──


def triangle(*, left_after=None, entered=2, **profile):
    """Return three teams' long triangle in rounds 1 and 2, of two boards each; team 3 may leave."""
    plays, matches = [], []
    for home, away in ("12", "23", "31"):
        matches.append({"round": 1, "rounds": [1, 2], "home": home, "away": away, "boards": [1, 2]})
        for round in (1, 2):
            for ns, ew, score in ((home, away, 140), (away, home, 110 if home == "1" else 90)):
                play = {"round": round, "board": round, "ns": ns, "ew": ew}
                is_there = left_after is None or round <= left_after or "3" not in (ns, ew)
                if round <= entered and is_there:
                    play["outcome"] = {"score": score}
                plays.append(play)
    contestants = [{"label": label} for label in "123"]
    if left_after is not None:
        contestants[2]["left"] = {"after_round": left_after, "listed": True}
    profile = {"method": "team-imps", "vp": "wbf-continuous"} | profile
    return scored(
        contest="teams", profile=profile, contestants=contestants, plays=plays, matches=matches
    )


def test_a_long_triangle_counts_in_its_last_round():
    found = triangle()

    assert [standing["round"] for standing in found["standings"]] == [2]
    assert {row["matches"] for row in found["standings"][0]["rows"]} == {2}


def test_half_a_long_triangle_with_a_team_that_left_is_cancelled_as_it_had_no_match_to_its_end():
    found = triangle(left_after=1)

    assert [match["rule"] for match in found["matches"]] == ["match", "cancelled", "cancelled"]
    assert found["state"] == "complete"
    rules = [play["ns"]["rule"] for play in found["plays"]]
    assert rules == ["compared"] * 4 + ["not-played"] * 8


def swiss(*, left_after, method, given=None, rounds=3):
    """Return rounds of four, of which 4 leaves after one; a match of it may be set by the director."""
    plays, matches = [], []
    draw = (("14", "23"), ("13", "24"), ("12", "34"))
    for round, tables in enumerate(draw[:rounds], 1):
        for home, away in tables:
            match = {"round": round, "home": home, "away": away, "boards": [round]}
            if given and (round, home) == given[0]:
                match["given"] = dict(zip(("home", "away"), given[1], strict=True))
            matches.append(match)
            ways = [(home, away, 140)] + ([(away, home, 110)] if method == "team-imps" else [])
            for ns, ew, score in ways:
                play = {"round": round, "board": round, "ns": ns, "ew": ew}
                gone = "4" in (ns, ew) and round > left_after
                plays.append(
                    play if gone or "given" in match else play | {"outcome": {"score": score}}
                )
    contestants = [{"label": label} for label in "1234"]
    contestants[3]["left"] = {"after_round": left_after}
    return scored(
        contest="teams" if method == "team-imps" else "pairs",
        profile={"method": method, "vp": "wbf-continuous"},
        contestants=contestants,
        plays=plays,
        matches=matches,
        stage={"kind": "swiss"},
    )


def test_matches_of_who_has_left_keep_no_list_open():
    for method in ("team-imps", "butler"):
        found = swiss(left_after=2, method=method)

        assert [match["rule"] for match in found["matches"]] == ["match"] * 5 + ["missing"]
        assert found["state"] == "complete"


def test_who_has_played_exactly_half_of_their_matches_has_them_counted():
    for method in ("team-imps", "butler"):
        found = swiss(left_after=1, method=method, rounds=2)

        assert [match["rule"] for match in found["matches"]] == ["match"] * 3 + ["missing"]


def test_results_of_a_pair_whose_matches_are_cancelled_are_nobodys_comparison():
    found = swiss(left_after=1, method="butler")

    assert [match["rule"] for match in found["matches"]][::3] == ["cancelled", "cancelled"]
    assert found["plays"][0]["ns"] == found["plays"][0]["ew"] | {"rule": "not-played"}
    assert [(row["A"], row["E"]) for row in found["boards"]] == [(1, 1)] * 3


def test_a_match_whose_points_the_director_has_set_counts_in_averages():
    """3 has 20 and 8.80 of two, of which one was set: more than the 60 % of a missing opponent."""
    found = swiss(left_after=2, method="team-imps", given=((1, "2"), (0, 20)))

    missing = found["matches"][5]
    assert missing["vps"] == {"home": 14.4, "away": 0}  # (20 + 8.8) / 2
    assert [match["vps"] for match in found["matches"][1:3]] == [
        {"home": 0, "away": 20},
        {"home": 11.2, "away": 8.8},
    ]
