"""Pages and the command line draw the same: one by the movement as it was played, one by its document."""

import json
from itertools import combinations
from random import Random

import pytest

from bridgebuddy.events.services.play import changes, rounds
from bridgebuddy.scoring.draws.drawing import DrawWishes
from bridgebuddy.scoring.draws.knockout import KnockOut
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules.document import read_document
from bridgebuddy.scoring.rules.draws import drawing, knocking_out
from bridgebuddy.scoring.rules.draws.stage import _StageDraw, draw_round
from bridgebuddy.scoring.services.draws.drawing import publish_draw
from bridgebuddy.scoring.services.results import EnteredResult, enter_results
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine import catalogue
from movements.engine.changes import PairLeaves, PairReturns
from movements.engine.drawing import knockouts, open_rounds
from movements.engine.errors import NoDraw
from tests.factories import director_of, section_with
from tests.proofs.documents import as_json
from tests.scoring.test_drawing import drawing_of, score, swiss

EVENTS = 300


def leave(section, team):
    """Let a team go home after the round that was played."""
    [way, *_] = changes.change_options(section, PairLeaves(team))
    changes.take_proposal(
        section, way, PairLeaves(team), plan=section.plan, by=director_of(section.club)
    )
    section.refresh_from_db()


def command_draw(document):
    """Return the command's draw: matches, triangles as sets, the bye, and the standings."""
    draw = draw_round(*read_document(json.dumps(document)))
    matches = [(match.home, match.away) for match in draw.matches]
    return matches, [set(triangle) for triangle in draw.triangles], draw.bye, [*draw.standings]


def page_draw(drawn, ranking):
    """Return the pages' draw in the same form."""
    matches = [(str(home), str(away)) for home, away in drawn.matches]
    if drawn.tables:
        matches = [two for _, two in sorted(zip(drawn.tables, matches, strict=False))]
    triangles = [set(map(str, three)) for three in drawn.triangles]
    bye = None if drawn.bye is None else str(drawn.bye)
    return matches, triangles, bye, [str(item) for item in ranking]


def matches_in(movement, round, rng):
    """The matches of a round that is drawn, for the document, with victory points out of a hat."""
    for seating in movement.in_round(round):
        match = {"round": round, "home": str(seating.contestants[0])}
        if seating.is_played:
            vps = rng.randint(0, 20)
            match |= {"away": str(seating.contestants[1])}
            match |= {"given": {"home": vps, "away": 20 - vps}}
        yield match
    for triangle in movement.triangles:
        if triangle.rounds[-1] == round:
            for item, other in combinations(triangle.teams, 2):
                vps = rng.randint(0, 20)
                yield {
                    "round": round,
                    "rounds": list(triangle.rounds),
                    "home": str(item),
                    "away": str(other),
                    "given": {"home": vps, "away": 20 - vps},
                }


def pending(movement, round):
    """The matches of a long triangle that is still played."""
    for triangle in movement.triangles:
        if triangle.rounds[0] < round <= triangle.rounds[-1]:
            for item, other in combinations(triangle.teams, 2):
                rounds = list(triangle.rounds)
                two = {"home": str(item), "away": str(other)}
                yield {"round": rounds[-1], "rounds": rounds, **two}


def plays_in(movement, round):
    for seating in movement.in_round(round):
        if seating.is_played:
            ns, ew = map(str, (seating.ns, seating.ew))
            yield {"round": round, "table": seating.table, "board": round, "ns": ns, "ew": ew}


def ranked(movement, matches, round):
    """Return the contestants to draw by their victory points, counted here once more; equals by number."""
    total = dict.fromkeys(movement.contestants, 0)
    for match in matches:
        if match["round"] <= round:
            points = match.get("given", {"home": 12})  # a bye
            total[int(match["home"])] += points["home"]
            total[int(match.get("away", match["home"]))] += points.get("away", 0)
    return sorted(
        open_rounds.contestants_to_draw(movement),
        key=lambda contestant: (-total[contestant], contestant),
    )


@pytest.mark.parametrize("part", range(6))
def test_pages_and_command_draw_the_same_swiss(part):
    drawn_rounds = 0
    for event in range(part, EVENTS, 6):
        rng = Random(event)
        is_teams, rounds = rng.random() < 0.6, rng.choice([2, 4])
        many = rng.randint(rounds * 2 + 1, 15) if is_teams else rng.randint(8, 16)
        odd = rng.choice(["bye", "triangle", "long-triangle"]) if is_teams else "bye"
        first, seed = rng.choice(["slide", "fold", "random"]), rng.randint(1, 9)
        behind, danish = rng.random() < 0.3, rng.random() < 0.2
        seated = rng.sample(range(1, many + 1), 2) if rng.random() < 0.5 else []
        options = {"first": first, "seed": seed, "behind": behind}
        options |= {"odd": odd} if is_teams else {"contest": "pairs", "half": many % 2 == 1}
        tables = many if is_teams else (many + 1) // 2
        movement = catalogue.build_movement("swiss", tables, rounds, None, options)
        how = drawing.DrawRules(
            odd=odd, first=first, seed=seed, danish=danish, stationary=tuple(seated)
        )
        document = {
            "contest": "teams" if is_teams else "pairs",
            "contestants": [{"label": str(contestant)} for contestant in movement.contestants],
            "profile": {
                "vp": "wbf-continuous" if is_teams else "swiss-pairs",
                "tie_breaks": [],
            },
            "stage": {
                "rounds": rounds,
                "first": first,
                "seed": seed,
                "odd": odd,
                "behind": behind,
                "danish": danish,
                "stationary": list(map(str, seated)),
            },
        }
        over = 0
        matches, plays = [], []
        while movement.open_rounds:
            while over < movement.open_rounds[0] - 1:
                over += 1
                matches += matches_in(movement, over, rng)
                plays += plays_in(movement, over)
            counted = drawing.last_round_due(movement, int(behind))
            ranking = ranked(movement, matches, counted)
            document |= {"matches": [*matches, *pending(movement, over + 1)]}
            document |= {} if is_teams else {"plays": plays}
            round = drawing.SwissRound(movement, ranking, how, counted_rounds=counted)
            try:
                expected = page_draw(round.drawn, ranking)
            except NoDraw:
                with pytest.raises(ValueError, match="everybody would meet somebody again"):
                    command_draw(document)
                break
            assert command_draw(document) == expected, f"event {event}, round {over + 1}"
            movement = round.after
            drawn_rounds += 1
    assert drawn_rounds > EVENTS / 6


@pytest.mark.parametrize("teams", range(4, 22))
@pytest.mark.parametrize("seeded", [False, True])
@pytest.mark.parametrize("compact", [False, True])
def test_pages_and_command_draw_the_same_knock_out(teams, seeded, compact):
    rng = Random(teams)
    movement = catalogue.build_movement(
        "knockout", teams, None, None, {"seeded": seeded, "compact": compact}
    )
    stage = {"kind": "knock-out", "rounds": movement.rounds, "chart": not seeded}
    document = {
        "contest": "teams",
        "contestants": [{"label": str(contestant)} for contestant in movement.contestants],
        "stage": stage | {"compact": compact},
    }
    first = command_draw(document)
    assert (
        first[:2]
        == page_draw(knockouts.first_knockout_draw(range(1, teams + 1), seeded=seeded), [])[:2]
    )

    matches, main = [], frozenset(movement.contestants)
    while movement.open_rounds:
        last = movement.open_rounds[0] - 1
        new = [match for match in matches_in(movement, last, rng) if "away" in match]
        for row in new:  # nobody is level
            row["given"] = (
                {"home": 0, "away": 20} if rng.random() < 0.5 else {"home": 19, "away": 1}
            )
        threes = {frozenset(map(str, triangle.teams)) for triangle in movement.triangles}
        for three in threes:  # in a triangle the lower number beats the higher
            for place, item in enumerate(x for x in new if {x["home"], x["away"]} <= three):
                item["given"] = {"home": 18 - place, "away": 2 + place}
        matches += new
        matches += [
            {"round": last, "home": str(seating.ns)}
            for seating in movement.in_round(last)
            if not seating.is_played
        ]
        leads = knocking_out.match_margins(
            (int(x["home"]), int(x["away"]), None, (x["given"]["home"], x["given"]["away"]))
            for x in new
        )
        how = knocking_out.KnockoutRules(seeded=seeded, compact=compact)
        rule = knocking_out.KnockOutRound(movement, leads, how, in_main=main)

        assert command_draw(document | {"matches": matches})[:3] == page_draw(rule.drawn, [])[:3]

        if compact:
            main = frozenset(team for tie in rule.ties for team in tie.chosen)
        movement = rule.after


def test_a_lead_in_imps_is_not_counted_from_both_sides():
    assert knocking_out.match_margins([(1, 2, 56, None)]) == {(1, 2): 56, (2, 1): -56}


@pytest.mark.django_db
def test_a_long_triangle_is_in_the_document_before_its_second_round_is_drawn():
    """Its three teams play on, and are not drawn again."""
    section = swiss(9, rounds=4, contest="teams", odd="long-triangle")
    score(section, Random(1))
    drawing = drawing_of(section)
    [three] = section.stored.movement.triangles

    matches, triangles, bye, _ = command_draw(as_json(drawing.scored.document))

    slugs = {number: item.slug for number, item in drawing.people.items()}
    assert (triangles, bye, drawing.exchanged_draw.triangles) == ([], None, ())
    assert matches == [
        (slugs[item], slugs[other]) for item, other in drawing.exchanged_draw.matches
    ]
    halves = [match for match in drawing.scored.results.matches if match.rule == "open"]
    assert {label for half in halves for label in (half.home, half.away)} == {
        slugs[team] for team in three.teams
    }
    assert drawing.scored.is_provisional


@pytest.mark.django_db
def test_a_triangle_of_which_a_team_has_left_is_waited_for_by_nobody():
    section = swiss(9, rounds=4, contest="teams", odd="long-triangle")
    score(section, Random(1))
    [three] = section.stored.movement.triangles
    leave(section, three.teams[0])

    found = drawing_of(section).scored.results

    gone = next(entry for entry in section.entries.all() if entry.contestant == three.teams[0])
    rules = {
        match.rule for match in found.matches if str(gone.contestant) in (match.home, match.away)
    }
    assert rules == {"cancelled"}


def test_two_of_a_long_triangle_whose_third_has_left_play_on_and_are_not_drawn():
    matches = [
        {"round": 2, "rounds": [1, 2], "home": "1", "away": "2", "boards": [1]},
        {"round": 1, "home": "3", "away": "4", "given": {"home": 12, "away": 8}},
        {"round": 1, "home": "5", "away": "6", "given": {"home": 15, "away": 5}},
    ]
    document = {
        "contest": "teams",
        "profile": {"vp": "wbf-continuous"},
        "stage": {"kind": "swiss", "rounds": 4, "odd": "long-triangle"},
        "contestants": [{"label": label} for label in "1234567"],
        "matches": matches,
    }
    document["contestants"][6]["left"] = {"after_round": 0}

    drawn, triangles, bye, _ = command_draw(document)

    assert {frozenset(two) for two in drawn} == {frozenset("53"), frozenset("46")}
    assert (triangles, bye) == ([], None)


def test_two_of_a_short_triangle_whose_third_has_left_were_in_one():
    """They come last for the next bye, like contestants who had a whole triangle."""
    vps = {"given": {"home": 20, "away": 0}}
    document = {
        "contest": "teams",
        "profile": {"vp": "wbf-continuous", "tie_breaks": []},
        "stage": {"kind": "swiss", "rounds": 4, "odd": "triangle"},
        "contestants": [{"label": label} for label in "12345678"],
        "matches": [
            {"round": 1, "home": "1", "away": "2", "given": {"home": 20, "away": 0}},
            {"round": 1, "home": "3", "away": "4", "given": {"home": 18, "away": 2}},
            {"round": 1, "home": "5", "away": "6", "half": True, **vps},
        ],
    }
    document["contestants"][7]["left"] = {"after_round": 0}
    assert command_draw(document)[1] == [set("247")]

    del document["matches"][2]["half"]
    assert command_draw(document)[1] == [set("267")]


@pytest.mark.django_db
@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_team_that_misses_its_triangle_and_comes_back_has_met_neither_of_the_others(gone):
    """The document lists it as present, without a match in that round."""
    rng = Random(3)
    section = swiss(7, rounds=4, contest="teams", boards_per_round=2, odd="triangle")
    by = director_of(section.club)
    score(section, rng)
    found = drawing_of(section)
    publish_draw(section, DrawWishes(), key=found.key, plan=section.plan, by=by)
    section.refresh_from_db()
    team = section.movement.movement.triangles[-1].teams[gone]
    leave(section, team)
    rounds.start_next_round(section, after=1, by=by)
    section.refresh_from_db()
    score(section, rng)
    [way, *_] = changes.change_options(section, PairReturns(team))
    changes.take_proposal(section, way, PairReturns(team), plan=section.plan, by=by)
    section.refresh_from_db()

    pages = drawing_of(section)

    met = open_rounds.drawn_meetings(section.movement.movement)
    others = {*section.movement.movement.triangles[-1].teams} - {team}
    assert frozenset(others) in met
    assert not any(frozenset((team, other)) in met for other in others)
    document = as_json(pages.with_assigned_points.document)
    matches, triangles, *_ = command_draw(document)
    drawn = pages.exchanged_draw
    slugs = {number: contestant.slug for number, contestant in pages.people.items()}
    assert sorted(map(sorted, matches)) == sorted(
        sorted(slugs[n] for n in two) for two in drawn.matches
    )
    assert triangles == [{slugs[n] for n in three} for three in drawn.triangles]


def test_triangles_of_other_rounds_are_others():
    """Teams 1 and 3 in round 2 have the numbers of teams 1 and 2 in round 3."""
    half = {"half": True, "given": {"home": 12, "away": 8}}
    document = {
        "contest": "teams",
        "contestants": [
            *({"label": label} for label in "123"),
            {"label": "4", "left": {"after_round": 0}},
        ],
        "matches": [
            {"round": 2, "home": "1", "away": "3", **half},
            {"round": 3, "home": "1", "away": "2", **half},
        ],
        "stage": {"kind": "swiss", "rounds": 5},
    }
    session, profile = read_document(json.dumps(document))

    found = _StageDraw(session, profile, session.stage).movement.triangles

    assert {(triangle.rounds, triangle.teams) for triangle in found} == {
        ((2,), (1, 3)),
        ((3,), (1, 2)),
    }


@pytest.mark.django_db
def test_a_knock_out_has_its_chart_in_the_document():
    """Tables of teams have the teams' own numbers: their order would put the chart's halves the other way."""
    section = section_with(9, "knockout", round=1, contest="teams")
    by = director_of(section.club)
    best_first = (5, 9, 7, 3, 2, 6, 1, 4, 8)
    for round in (1, 2, 3):
        enter_results(
            section,
            [
                EnteredResult(play.pk, {"score": 140 if first is play.ns else -140})
                for play in section.plays.filter(round=round, taken_back_at=None)
                for first in [
                    min(play.ns, play.ew, key=lambda item: best_first.index(item.contestant))
                ]
            ],
            by=None,
        )
        tonight = SessionSnapshot(section)
        drawing = KnockOut(ScoredSession(tonight), tonight.section)

        matches, *_ = command_draw(as_json(drawing.scored.document))

        assert matches == page_draw(drawing.exchanged_draw, [])[0]
        publish_draw(section, DrawWishes(), key=drawing.key, plan=section.plan, by=by)
        section = rounds.start_next_round(section, after=round, by=by)
    assert matches == [("5", "7")]
