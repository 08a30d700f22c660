"""Double dummy of sessions' deals: each once for ever, beside the server, and nothing is lost where it fails."""

import json
import os
import re
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.deals import double_dummy as process
from bridgebuddy.deals import solver as solver_process
from bridgebuddy.deals.double_dummy import NoSolver, NotSolved, SolverProcess, trick_table
from bridgebuddy.deals.models import DoubleDummy
from bridgebuddy.deals.rules.hands import hands_of_deal, sorted_hand
from bridgebuddy.deals.solver import STRAINS
from bridgebuddy.events.models import Section, Session
from bridgebuddy.jobs.models import Job
from bridgebuddy.jobs.services import run_next_job
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheets import Traveller
from bridgebuddy.scoring.results.team_sheets import players_sheet_of, score_sheet_of
from bridgebuddy.scoring.services.cards import solving
from bridgebuddy.scoring.services.cards.deals import store_deals
from bridgebuddy.scoring.services.publishing import make_list_final, publish_results
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.scoring.test_tonight import scored_section

FACTS = json.loads(
    (Path(__file__).parents[1] / "data/scoring/deals_double_dummy.json").read_text()
)["boards"]
DEALS = {row["board"]: row["deal"] for row in FACTS[:2]}
TWENTY = "12345678901234567890".replace("0", "A")

pytestmark = pytest.mark.django_db


class Double:
    """A stand-in for the solver that answers at once, or hangs at some deals."""

    solved: list[str]

    def __init__(self, hangs=()):
        self.hangs, self.solved = hangs, []

    def __call__(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def solve(self, deal):
        if deal in self.hangs:
            raise NotSolved(deal)
        self.solved.append(deal)
        return TWENTY


@pytest.fixture
def double(monkeypatch):
    found = Double()
    monkeypatch.setattr(solving, "SolverProcess", found)
    return found


@pytest.fixture
def long_begun(skip_section):
    Section.objects.update(round_started_at=timezone.now() - timedelta(hours=1))
    return Section.objects.get(pk=skip_section.pk)


def work_off():
    while run_next_job():
        pass


def test_deals_are_solved_as_other_programs_have_solved_them(long_begun):
    store_deals(long_begun, DEALS, by=None)
    before = Section.objects.get().results

    work_off()

    cards = [SessionSnapshot(long_begun).cards(long_begun, board) for board in DEALS]
    assert [card.tricks for card in cards] == [row["tricks"] for row in FACTS[:2]]
    assert Section.objects.get().results == before + 1


def test_a_deal_is_solved_once_for_ever(long_begun, double):
    store_deals(long_begun, DEALS, by=None)
    work_off()

    store_deals(long_begun, {31: DEALS[1], 32: DEALS[2]}, by=None, replaces=True)
    work_off()

    assert sorted(double.solved) == sorted(DEALS.values())
    assert DoubleDummy.objects.count() == 2


def test_nothing_is_solved_while_a_round_begins(long_begun, double):
    store_deals(long_begun, DEALS, by=None)
    Section.objects.update(round_started_at=timezone.now())

    assert run_next_job() is True

    job = Job.objects.get()
    assert (double.solved, job.tries) == ([], 0)
    assert job.due_at > timezone.now()


def test_over_what_it_hangs_it_is_left_alone_and_the_others_are_solved(long_begun, monkeypatch):
    found = Double(hangs=[DEALS[1]])
    monkeypatch.setattr(solving, "SolverProcess", found)
    store_deals(long_begun, DEALS, by=None)

    work_off()

    assert found.solved == [DEALS[2]]
    assert DoubleDummy.objects.get(deal=DEALS[1]).tries == solving.MOST_TRIES
    assert SessionSnapshot(long_begun).cards(long_begun, 1).tricks is None
    assert not solving.unsolved_deals().exists()


def test_without_what_solves_everything_else_goes_on(long_begun, monkeypatch):
    monkeypatch.setattr(process, "is_installed", lambda: False)
    store_deals(long_begun, DEALS, by=None)

    work_off()

    assert SessionSnapshot(long_begun).cards(long_begun, 1).tricks is None
    assert Job.objects.count() == 0


def test_a_session_deleted_while_its_deals_are_solved_is_no_trouble(long_begun, double):
    store_deals(long_begun, DEALS, by=None)
    double.solve = lambda deal: Session.objects.all().delete() and TWENTY

    work_off()

    assert Job.objects.count() == 0


@pytest.mark.parametrize(
    "program",
    [
        "import sys; print('ready', flush=True); sys.stdin.read()",
        "print('ready', flush=True)",
        "print('ready', flush=True)\nwhile True: pass",
    ],
    ids=["hangs", "dies", "computes for ever"],
)
def test_a_solver_that_hangs_or_dies_is_ended_and_another_one_asked(monkeypatch, program):
    monkeypatch.setattr(process, "MOST_SECONDS", 0.3)
    monkeypatch.setattr(process, "MOST_IDLE", 0.3)
    monkeypatch.setattr(process, "EVERY", 0.05)
    start, begun = process.subprocess.Popen, []

    def other(command, **how):
        begun.append(command)
        return start([sys.executable, "-c", program], **how)

    monkeypatch.setattr(process.subprocess, "Popen", other)
    with SolverProcess() as solver:
        for deal in DEALS.values():
            with pytest.raises(NotSolved):
                solver.solve(deal)

    assert len(begun) >= 2


@pytest.mark.parametrize(
    ("moments", "hung_at"),
    [
        # runs out of its minute of a core, in however many hours
        ([(600, 30, True), (7200, 60, True), (7300, 60.1, False)], 7300),
        # neither computes nor waits for a core
        ([(60, 1, False), (180, 1, False), (180.1, 1, False)], 180.1),
        # a busy machine gives it no core for an hour
        ([(60, 1, True), (3600, 1, True)], None),
        ([(60, 1, False), (170, 1.1, False), (280, 1.1, False)], None),
        # nothing is known of it
        ([(120, None, None)], None),
        ([(120.1, None, None)], 120.1),
    ],
)
def test_a_busy_machine_does_not_count_against_a_deal(moments, hung_at):
    progress = process.ProcessProgress(process.ProcessUsage(0, True), 0)
    found = [
        now
        for now, seconds, runs in moments
        if progress.is_hung(None if seconds is None else process.ProcessUsage(seconds, runs), now)
    ]

    assert found == ([] if hung_at is None else [hung_at])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process has used")
def test_what_a_process_has_used_is_read():
    before = process.process_usage(os.getpid())
    while sum(os.times()[:2]) < before.seconds + 0.05:
        pass

    assert process.process_usage(os.getpid()).seconds > before.seconds
    assert process.process_usage(2**22 + 1) is None


def test_a_solver_that_cannot_begin_is_none(monkeypatch):
    start = process.subprocess.Popen
    monkeypatch.setattr(
        process.subprocess,
        "Popen",
        lambda command, **how: start(
            [sys.executable, "-c", f"print('{solver_process.MISSING}')"], **how
        ),
    )
    with pytest.raises(NoSolver):
        SolverProcess()


def test_twenty_letters_are_a_table():
    assert trick_table("77777ABCD0" + "11111" + "22222")["E"] == {
        "S": 10,
        "H": 11,
        "D": 12,
        "C": 13,
        "NT": 0,
    }


# ── shown ──


@pytest.fixture
def solved(double):
    """Return a finished session whose board 1 has solved cards."""
    section = scored_section(rounds=7)
    Section.objects.update(round_started_at=timezone.now() - timedelta(hours=1))
    section.refresh_from_db()
    store_deals(section, {1: DEALS[1]}, by=None)
    DoubleDummy.objects.create(
        deal=DEALS[1],
        tricks="".join(f"{FACTS[0]['tricks'][seat][s]:X}" for seat in "NESW" for s in STRAINS),
        leads={
            "H-N": "".join(
                "B" if card == "H8" else "A" for card in sorted_hand(hands_of_deal(DEALS[1])["E"])
            )
        },
    )
    return section


def line_of(section, **outcome):
    """Have board 1 played so at one table, and return its line."""
    line = next(line for line in SessionSnapshot(section).lines if line.board == 1)
    enter_result(section, line.play, outcome, by=None)
    return line


def against(section, line, sits):
    scored = ScoredSession(SessionSnapshot(section))
    sheet = score_sheet_of(scored, section, line.side(sits)[0])
    return next(
        entry.against for stage in sheet.begun_stages for entry in stage.entries if entry.board == 1
    )


def test_a_sheet_says_what_was_made_against_what_could_be(solved):
    line = line_of(solved, contract="4H", declarer="N", tricks=11, lead="H8")

    declarer, defence = against(solved, line, "ns"), against(solved, line, "ew")

    assert (declarer.could, declarer.gained, declarer.lead_gave) == (10, 1, 0)
    assert (defence.could, defence.gained, defence.lead_gave) == (10, -1, 1)


def test_of_a_lead_that_was_not_in_the_hand_nothing_is_said(solved):
    line = line_of(solved, contract="4H", declarer="N", tricks=10, lead="HA")

    assert against(solved, line, "ew").by_lead is None


def test_nothing_is_said_of_a_board_that_somebody_will_still_play(solved):
    line = line_of(solved, contract="4H", declarer="N", tricks=11)
    other = next(
        row for row in SessionSnapshot(solved).lines if row.board == 1 and row.play != line.play
    )
    Result.objects.filter(play=other.play).delete()

    assert against(solved, line, "ns") is None


def test_a_board_that_will_be_played_later_shows_neither_cards_nor_tricks(solved):
    line = line_of(solved, contract="4H", declarer="N", tricks=11)
    assert Traveller(ScoredSession(SessionSnapshot(solved)), solved, 1).cards is not None
    other = next(
        row for row in SessionSnapshot(solved).lines if row.board == 1 and row.play != line.play
    )
    enter_result(solved, other.play, {"pending": True}, by=None)

    assert Traveller(ScoredSession(SessionSnapshot(solved)), solved, 1).cards is None
    assert against(solved, line, "ns") is None
    own = players_sheet_of(ScoredSession(SessionSnapshot(solved)), solved, line.ns[0])
    assert [
        entry.is_hidden for stage in own.begun_stages for entry in stage.entries if entry.board == 1
    ] == [True]


def test_a_published_board_shows_tricks_and_par(solved, client):
    token = publish_results(solved, by=None).token

    page = client.get(reverse("public-board", args=[token, solved.name, 1])).content.decode()

    found = " ".join(re.sub(r"<svg.*?</svg>|<[^>]+>", " ", page).split())
    assert "Tricks with all cards seen NT N 9 8 10 7 9 S 9 8 9 7 9 E – – – – – W" in found
    assert "Best for both: 4 N, +420" in found


def test_leads_are_solved_when_the_list_is_final(solved, double):
    line_of(solved, contract="3NT", declarer="S", tricks=9, lead="H4")
    asked = []
    double.tricks_by_lead = lambda *contract: asked.append(contract) or "9" * 13

    make_list_final(solved, by=None)
    work_off()

    assert (DEALS[1], "NT", "S") in asked
    assert DoubleDummy.objects.get(deal=DEALS[1]).leads["NT-S"] == "9" * 13


def test_the_solver_itself_says_what_each_lead_gives():
    with SolverProcess() as solver:
        found = solver.tricks_by_lead(DEALS[1], "H", "N")

    assert (min(found), len(found)) == ("A", 13)


def test_the_lead_is_that_of_the_hand_to_declarers_left():
    north, west = "..AKQJT98.AKQJT9", "..765432.8765432"
    east, south = "AKQJT98765432...", ".AKQJT98765432.."  # East's spades take all tricks

    with SolverProcess() as solver:
        assert solver.tricks_by_lead(f"N:{north} {east} {south} {west}", "NT", "N") == "0" * 13
        assert solver.tricks_by_lead(f"N:{north} {east} {south} {west}", "NT", "S") == "D" * 13
