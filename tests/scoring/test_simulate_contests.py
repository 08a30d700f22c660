"""Contests that are drawn, played by chance: the referee agrees with the product, and with no planted fault."""

import io
import json
from contextlib import nullcontext
from fractions import Fraction
from random import Random

import pytest
from django.core.management import CommandError, call_command

from bridgebuddy.operations import caching
from bridgebuddy.scoring.models import Draw, Result
from bridgebuddy.scoring.rules.counted_plays import CountedPlay
from bridgebuddy.scoring.rules.draws import drawing, knocking_out
from bridgebuddy.scoring.rules.match_scoring import match_points, matches
from bridgebuddy.scoring.rules.scales import victory_points
from bridgebuddy.scoring.rules.score import score_document
from movements.engine.drawing import draws, placing
from tests.proofs import contests, simulating
from tests.proofs.contests import KINDS, Counts, played
from tests.proofs.referee import Broken

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def counted_anew():
    """Keep no results that were counted while a fault was planted."""
    caching.memory.clear()
    yield
    caching.memory.clear()


def contest(kind, seed=1):
    counts = Counts()
    played(Random(seed), f"{kind} {seed}", kind, counts)
    return counts


@pytest.mark.parametrize(
    ("seed", "index"), [(21, 172), (21, 722)], ids=["beaten three of whom one left", "named winner"]
)
def test_a_contest_that_once_went_wrong_goes_well(seed, index):
    assert list(contests.simulated(1, seed, Counts(), first=index)) == [
        f"contest {index} of seed {seed}, knock-out"
    ]


def some_contests(kind):
    """Play a few: a fault need not show in the first."""
    for seed in range(2, 8):
        contest(kind, seed)


@pytest.mark.parametrize("kind", KINDS)
def test_the_referee_agrees_with_contests_of_every_kind(kind):
    counts = contest(kind, seed=2)

    assert counts.contests[kind] == 1
    assert counts.done["results"] > 0
    assert bool(counts.done["draws"]) == (kind not in ("round robin", "league"))
    assert bool(counts.done["standings"]) == (kind != "knock-out")
    if kind.startswith("swiss"):
        assert counts.done["draws by the command"] == counts.done["draws"]


def test_nothing_of_them_is_kept_and_a_seed_gives_the_same_again(monkeypatch):
    monkeypatch.setattr(simulating, "own_database", nullcontext)

    def run(*arguments):
        out = io.StringIO()
        call_command("simulate", "--contests", "1", "--first", "7", *arguments, stdout=out)
        return out.getvalue()

    first = run("--seed", "4")

    assert first == run("--seed", "4") != run("--seed", "5")
    assert first.splitlines()[-1] == "1 contests, the referee agrees with all of them"
    assert not Result.objects.exists()
    assert not Draw.objects.exists()


def test_every_event_is_written_with_its_draws_so_that_others_can_judge_it(monkeypatch, tmp_path):
    monkeypatch.setattr(simulating, "own_database", nullcontext)
    out = io.StringIO()

    call_command("simulate", "--contests", "1", "--seed", "4", "--dump", str(tmp_path), stdout=out)

    [path] = tmp_path.iterdir()
    event = json.loads(path.read_text(encoding="utf-8"))
    assert {"rows", "history", "session", "results", "draws"} <= event.keys()
    again = score_document(json.dumps(event["session"]))
    assert event["results"] == json.loads(json.dumps(again))
    assert {"round", "standings", "wishes", "matches", "bye", "triangle"} <= event["draws"][
        0
    ].keys()
    session = event["session"]
    assert session["penalties"]
    assert any("assigned" in (play.get("outcome") or {}) for play in session["plays"])
    assert any("void" in match for match in session["matches"])
    labels = {contestant["label"] for contestant in event["session"]["contestants"]}
    for draw in event["draws"]:
        drawn = {match[side] for match in draw["matches"] for side in ("home", "away")}
        assert drawn <= labels
        met = {
            frozenset((match["home"], match["away"]))
            for match in event["session"]["matches"]
            if match["round"] == draw["round"] and match["away"]
        }
        assert (
            draw is not event["draws"][-1]
            or {frozenset((match["home"], match["away"])) for match in draw["matches"]} <= met
        )


@pytest.mark.parametrize(("index", "kind"), [*enumerate(KINDS)])
def test_in_every_kind_somebody_leaves_in_the_round_whose_turn_it_is(index, kind):
    """The first contest of a kind has its leaver in round 1, the second one behind its draw, if it is drawn then."""
    seed = 6 if kind == "round robin" else 5
    for turn in (0, 1):
        counts = Counts()
        first = index + turn * len(KINDS)

        list(contests.simulated(1, seed, counts, first, has_leavers=True))

        left = [what for what in counts.done if what.startswith("leaves, ")]
        is_known = kind in contests.ALL_KNOWN
        round = turn + 1 if is_known else 1
        after = ", drawn" if turn and not is_known and seed == 5 else ""
        assert left == [f"leaves, {kind}, round {round}{after}"]


def test_without_the_option_contestants_leave_by_chance_alone():
    counts = Counts()

    list(contests.simulated(1, 5, counts, 2))

    assert not [what for what in counts.done if what.startswith("leaves, ")]


def test_at_least_one_contest_must_be_asked_for():
    err = io.StringIO()
    with pytest.raises(SystemExit) as caught:
        call_command("simulate", "--contests", "0", stderr=err)

    assert (err.getvalue().strip(), caught.value.code) == ("At least one contest.", 2)


# ── planted faults ──


def forgets_who_met(monkeypatch):
    right = draws.swiss_draw
    monkeypatch.setattr(draws, "swiss_draw", lambda *a, **how: right(*a, **how | {"meetings": ()}))


def draws_from_below(monkeypatch):
    right = draws.swiss_draw

    def wrong(ranking, **how):
        return right([ranking[0], *reversed(ranking[1:])], **how)

    monkeypatch.setattr(draws, "swiss_draw", wrong)


def gives_a_hundredth_more(monkeypatch):
    right = victory_points.points_for_margin
    monkeypatch.setattr(
        victory_points,
        "points_for_margin",
        lambda *a: right(*a) + (right(*a) > 10) * victory_points.Fraction(1, 100),
    )


def takes_nothing(monkeypatch):
    monkeypatch.setattr(match_points, "match_penalties", lambda *a: iter(()))


def gives_nobody_a_ruling(monkeypatch):
    right = matches._equal_share_result
    monkeypatch.setattr(
        matches,
        "_equal_share_result",
        lambda match, rule, share, valued: right(match, rule, share + 1, valued),
    )


def weighs_nothing(monkeypatch):
    right = CountedPlay.scores_of
    monkeypatch.setattr(
        CountedPlay,
        "scores_of",
        lambda play, line: ((Fraction(1), right(play, line)[0][1]),),
    )


def lets_losers_go_on(monkeypatch):
    right = knocking_out._teams_ahead

    def wrong(match, scores):
        return right(match, tuple(None if score is None else -score for score in scores))

    monkeypatch.setattr(knocking_out, "_teams_ahead", wrong)


def moves_everybody(monkeypatch):
    right = placing.assign_tables
    monkeypatch.setattr(
        drawing, "assign_tables", lambda movement, draw, stay: right(movement, draw)
    )


def rewrites_a_draw(monkeypatch):
    right = contests.rounds.finish_session

    def wrong(section, **how):
        section.draws.update(standings=[])
        return right(section, **how)

    monkeypatch.setattr(contests.rounds, "finish_session", wrong)


def loses_a_correction(monkeypatch):
    right = contests.rounds.finish_session

    def wrong(section, **how):
        Result.objects.filter(play__section=section, stands=False).delete()
        return right(section, **how)

    monkeypatch.setattr(contests.rounds, "finish_session", wrong)


@pytest.mark.parametrize(
    ("kind", "plant", "said"),
    [
        ("swiss of pairs", forgets_who_met, "meet again"),
        ("swiss of pairs", draws_from_below, "squared distances|bye is not"),
        ("swiss of pairs", moves_everybody, "stationary"),
        ("swiss of teams", gives_a_hundredth_more, "VPs"),
        ("knock-out", lets_losers_go_on, "are ahead"),
        ("swiss of pairs", rewrites_a_draw, "was rewritten"),
        ("round robin", loses_a_correction, "a result is lost"),
        ("knock-out", takes_nothing, "IMPs"),
        ("round robin", gives_nobody_a_ruling, "VPs"),
        ("swiss of teams", weighs_nothing, "IMPs"),
    ],
)
def test_the_referee_finds_a_planted_fault(monkeypatch, kind, plant, said):
    plant(monkeypatch)

    with pytest.raises(Broken, match=said):
        some_contests(kind)


def test_what_the_referee_finds_ends_it_with_his_words(monkeypatch):
    monkeypatch.setattr(simulating, "own_database", nullcontext)
    lets_losers_go_on(monkeypatch)

    with pytest.raises(CommandError, match="contest 7 of seed 1, knock-out, round") as caught:
        call_command("simulate", "--contests", "1", "--first", "7", stdout=io.StringIO())
    assert caught.value.returncode == 1
