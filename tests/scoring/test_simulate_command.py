"""`manage.py simulate`: output and refusals."""

import io
import json
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command

from bridgebuddy.scoring.rules.score import score_document
from movements.engine import catalogue, laws
from movements.engine.boards import movement_boards
from movements.engine.files import document
from tests.proofs import simulating
from tests.proofs.scored_evenings import audited, scored_session
from tests.proofs.simulation import Broken, PlayedEvening


def run(*arguments):
    out = io.StringIO()
    call_command("simulate", *arguments, stdout=out)
    return out.getvalue()


def refusal(*arguments):
    err = io.StringIO()
    with pytest.raises(SystemExit) as caught:
        call_command("simulate", *arguments, stdout=io.StringIO(), stderr=err)
    return err.getvalue().strip(), caught.value.code


def test_the_counts_are_printed_and_a_seed_gives_the_same_again_and_another_one_others():
    first = run("--evenings", "6", "--seed", "4")

    assert first == run("--evenings", "6", "--seed", "4")
    assert first != run("--evenings", "6", "--seed", "5")
    lines = first.splitlines()
    assert lines[0].split() == ["change", "wished", "possible", "clean", "taken"]
    assert lines[-1].startswith("6 evenings, ")


def test_every_evening_is_written_with_its_history_as_a_lawful_movement_that_can_be_read(tmp_path):
    folder = tmp_path / "a" / "new folder"

    run("--evenings", "15", "--seed", "2", "--dump", str(folder))

    written = sorted(folder.iterdir())
    assert [path.name for path in written] == [f"evening-{n:05}.json" for n in range(1, 16)]
    texts = [path.read_text(encoding="utf-8") for path in written]
    evenings = [json.loads(text) for text in texts]
    steps = [step for evening in evenings for step in evening["history"]]
    assert {tuple(step) for step in steps} == {
        ("after_round", "fixed", "change", "rows_before", "rows_after")
    }
    for evening in evenings:
        for step in evening["history"][-1:]:
            assert evening["rows"] == step["rows_after"]
    assert any("FewerBoards" in text for text in texts)
    assert [laws.find_errors(document.read_json(text).movement) for text in texts] == [()] * 15


def test_a_run_in_parts_plays_the_same_evenings_as_a_whole_one(tmp_path):
    run("--evenings", "5", "--seed", "3", "--dump", str(tmp_path / "whole"))
    run("--evenings", "2", "--seed", "3", "--dump", str(tmp_path / "parts"))
    run("--evenings", "3", "--seed", "3", "--first", "2", "--dump", str(tmp_path / "parts"))

    whole, parts = (sorted((tmp_path / name).iterdir()) for name in ("whole", "parts"))
    assert [path.name for path in parts] == [path.name for path in whole]
    assert [path.read_bytes() for path in parts] == [path.read_bytes() for path in whole]


def test_at_least_one_evening_must_be_asked_for():
    assert refusal("--evenings", "0") == ("At least one evening.", 2)


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")

    said, code = refusal("--evenings", "1", "--dump", str(tmp_path / "file" / "folder"))

    assert (said.startswith(f"{tmp_path}/file/folder cannot be made: "), code) == (True, 2)


def test_a_broken_proposal_ends_it_with_the_referees_words(monkeypatch):
    def broken(*_):
        raise Broken("evening 3 of seed 1: NS 4 lost")
        yield

    monkeypatch.setattr(simulating, "simulated", broken)

    with pytest.raises(CommandError) as caught:
        run("--evenings", "5")
    assert (str(caught.value), caught.value.returncode) == ("evening 3 of seed 1: NS 4 lost", 1)


def test_what_is_no_number_is_refused_with_a_sentence(capsys):
    with pytest.raises(SystemExit) as caught:
        run("--evenings", "x")

    assert (capsys.readouterr().err, caught.value.code) == (
        "Argument --evenings: invalid int value: 'x'.\n",
        2,
    )


def test_evenings_with_scores_write_their_session_and_what_came_of_it(tmp_path):
    said = run("--evenings", "3", "--seed", "2", "--scores", "--dump", str(tmp_path))

    assert said.splitlines()[-1].endswith(" results scored, every field adds up")
    for path in sorted(tmp_path.iterdir()):
        evening = json.loads(path.read_text(encoding="utf-8"))
        assert evening["results"] == json.loads(
            json.dumps(score_document(json.dumps(evening["session"])))
        )
        assert {play["round"] for play in evening["session"]["plays"]} <= {
            row["round"] for row in evening["rows"]
        }


def test_scores_that_do_not_add_up_end_it(monkeypatch):
    def wrong(text):
        results = score_document(text)
        side = next(play["ns"] for play in results["plays"] if play["ns"]["rule"] == "compared")
        side["exact"] += "1"
        return results

    monkeypatch.setattr(simulating, "score_document", wrong)

    with pytest.raises(CommandError, match="are not"):
        run("--evenings", "1", "--seed", "2", "--scores")


def test_a_board_that_few_tables_played_need_not_add_up_to_a_top():
    outcomes = [{"score": 420}, {"score": 170}, *[{"not_played": "time"}] * 5]
    session = {
        "contest": "pairs",
        "profile": {"method": "matchpoints"},
        "contestants": [{"label": f"{line}{n}"} for line in "NE" for n in range(7)],
        "plays": [
            {"round": 1, "table": n + 1, "board": 1, "ns": f"N{n}", "ew": f"E{n}", "outcome": item}
            for n, item in enumerate(outcomes)
        ],
    }
    results = score_document(json.dumps(session))

    assert [play["ns"]["percent"] for play in results["plays"][:2]] == [65, 55]
    assert list(audited(session, results)) == []


def evening(family, tables, name="an evening"):
    movement = catalogue.build_movement(family, tables)
    found = PlayedEvening(name, movement, movement_boards(movement, per_round=6))
    found.begin(movement.rounds)
    return found


def event_kinds(session):
    """Yield the kinds of rulings, late results, departures and matches in a session."""
    outcomes = [play["outcome"] for play in session["plays"] if "outcome" in play]
    yield from (key for outcome in outcomes for key in outcome)
    yield from ("split" for outcome in outcomes if "ew" in outcome.get("assigned", ()))
    yield from ("late" for outcome in outcomes if "side" in outcome)
    yield from ("penalty" for _ in session["penalties"])
    yield from ("left" for contestant in session["contestants"] if "left" in contestant)
    for row in session.get("matches", ()):
        yield "half" if row["half"] else "long" if len(row["rounds"]) > 1 else "match"


RULED = {"artificial", "assigned", "split", "not_played", "penalty", "left"}


@pytest.mark.parametrize(
    ("family", "tables", "kinds"),
    [
        ("mitchell", 5, RULED | {"late"}),
        ("individual", 3, RULED),
        ("swiss", 5, RULED | {"half", "match"}),
        ("team-round-robin", 7, RULED | {"long", "match"}),
    ],
)
def test_evenings_with_scores_have_all_that_a_director_rules(family, tables, kinds):
    found = set()
    for number in range(60):
        found |= set(event_kinds(scored_session(evening(family, tables, f"evening {number}"))))

    assert kinds <= found


def test_a_board_that_came_twice_is_often_ruled_as_law_15_says():
    again = evening("mitchell", 5)
    again.plays[2] = tuple(replace(play, round=2) for play in again.plays[1])

    plays = scored_session(again)["plays"]

    cancelled = [play for play in plays if play.get("outcome") == {"not_played": "cancelled"}]
    assert len(cancelled) > 10
    assert {play["round"] for play in cancelled} >= {2}
