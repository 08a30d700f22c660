"""Services of results: each with its arguments, counters, records, shown sections and revised lists; see
test_guards.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from bridgebuddy.events.errors import ChangeRefused, NotEntered
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.errors import NoPlay, NothingToUndo, UnknownMethod, WordsAreClosed
from bridgebuddy.scoring.files.terminals import TerminalLine
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.rules.files.terminals import ReceivedLine
from bridgebuddy.scoring.services import (
    classes,
    copying,
    handing_in,
    publishing,
    reminders,
    results,
    rulings,
    terminals,
)
from bridgebuddy.scoring.services.cards import dealing, deals
from bridgebuddy.scoring.services.draws import drawing, extra_boards, rehearsing
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot

PENALTY = {"unit": "percent", "amount": Decimal("-2.5"), "kind": "procedural"}
PBN = "N:AK83.QT4.AJ.9872 QT5.A2.T9876.KQ3 J94.K9873.Q52.A4 762.J65.K43.JT65"
FIVE = {"contract": "5C", "declarer": "W", "tricks": 11}


@dataclass(frozen=True)
class Row:
    """A service, its arguments, its record ("": a result is its own record), and a refusal."""

    service: Callable
    asked: Callable[[Section, object], dict]
    action: str = ""
    refused: Callable[[Section], dict] | None = None
    why: type[ChangeRefused] | None = None
    #: whether displays and phones fetch themselves anew
    shows: bool = False
    #: whether it concerns every section of the session, or its own
    everywhere: bool = False
    #: whether a list that was final is a revised one then
    revises: bool = False

    def __str__(self) -> str:
        return self.service.__name__


def begun(section, by):
    dealing.begin_dealing(section, range(1, 10), by=by)
    return {}


def first(section):
    return section.plays.exclude(ns=None).exclude(ew=None).first()


def a_result(section):
    return Result.objects.filter(play__section=section, stands=True).first()


def a_penalty(section, by):
    return rulings.give_penalty(section, section.entries.first().pk, **PENALTY, by=by).pk


def a_line(section):
    """A line of a terminals' file that is another result of the first play."""
    line = SessionSnapshot(section).line_of(first(section).pk)
    said = ReceivedLine("A", line.table, line.round, line.board, 1, 2, FIVE, "5 C W =")
    return [TerminalLine(said, line, "differs")]


def a_readout(section, by):
    return terminals.import_terminal_results(section, a_line(section), file="a.bws", by=by).pk


def a_fouled_board(section, by):
    return rulings.foul_board(section, 1, from_round=2, by=by).pk


TABLE = [
    Row(
        results.enter_result,
        lambda section, by: {"play": first(section).pk, "outcome": FIVE},
        refused=lambda section: {"play": 0, "outcome": FIVE},
        why=NoPlay,
        revises=True,
    ),
    Row(
        results.enter_results,
        lambda section, by: {"results": [results.EnteredResult(first(section).pk, FIVE)]},
        refused=lambda section: {"results": [results.EnteredResult(0, FIVE)]},
        why=NoPlay,
        revises=True,
    ),
    Row(
        results.undo_result,
        lambda section, by: {"result": a_result(section).pk},
        refused=lambda section: {"result": 0},
        why=NothingToUndo,
        revises=True,
    ),
    Row(
        rulings.give_penalty,
        lambda section, by: {"entry": section.entries.first().pk, **PENALTY},
        "results.penalty",
        lambda section: {"entry": 0, **PENALTY},
        NotEntered,
        revises=True,
    ),
    Row(
        rulings.give_penalty,
        lambda section, by: {"entry": section.entries.first().pk, **PENALTY, "unit": "top"},
        "results.penalty",
        lambda section: {"entry": section.entries.first().pk, **PENALTY, "unit": "vps"},
        UnknownMethod,
        revises=True,
    ),
    Row(
        rulings.take_back_penalty,
        lambda section, by: {"penalty": a_penalty(section, by)},
        "results.penalty_back",
        lambda section: {"penalty": 0},
        NothingToUndo,
        revises=True,
    ),
    Row(
        rulings.foul_board,
        lambda section, by: {"board": 1, "from_round": 2},
        "results.fouled",
        lambda section: {"board": 99, "from_round": 2},
        NoPlay,
        revises=True,
    ),
    Row(
        rulings.unfoul_board,
        lambda section, by: {"fouled": a_fouled_board(section, by)},
        "results.fouled_back",
        lambda section: {"fouled": 0},
        NothingToUndo,
        revises=True,
    ),
    Row(rulings.dismiss_doubt, lambda section, by: {"doubt": "x"}),
    Row(
        publishing.set_scoring_profile,
        lambda section, by: {"profile": {"method": "butler"}},
        "results.profile",
        lambda section: {"profile": {"method": "team-imps"}},
        UnknownMethod,
        everywhere=True,
        revises=True,
    ),
    Row(
        classes.store_classes,
        lambda section, by: {"strata": ["A", "B"], "classes": {}, "min_played": "75"},
        "results.classes",
        everywhere=True,
        revises=True,
    ),
    Row(
        deals.store_deals, lambda section, by: {"deals": {1: PBN}}, "results.deals", everywhere=True
    ),
    Row(
        deals.remove_deals,
        lambda section, by: deals.store_deals(section, {1: PBN}, by=by) and {},
        "results.deals_back",
        everywhere=True,
    ),
    Row(dealing.begin_dealing, lambda section, by: {"boards": range(1, 10)}, "results.dealing"),
    Row(
        dealing.add_word,
        lambda section, by: begun(section, by) | {"word": "tea"},
        "results.dealing_word",
        lambda section: {"word": ""},
        WordsAreClosed,
    ),
    Row(
        dealing.deal_boards,
        begun,
        "results.deals",
        lambda section: {},
        WordsAreClosed,
        shows=True,
        everywhere=True,
    ),
    Row(
        terminals.import_terminal_results,
        lambda section, by: {"lines": a_line(section), "file": "a.bws"},
        "results.terminals",
        lambda section: {
            "lines": a_line(Section.objects.exclude(pk=section.pk).first()),
            "file": "",
        },
        NoPlay,
        revises=True,
    ),
    Row(
        terminals.undo_terminal_import,
        lambda section, by: {"readout": a_readout(section, by)},
        "results.terminals_back",
        lambda section: {"readout": 0},
        NothingToUndo,
        revises=True,
    ),
    Row(publishing.make_list_final, lambda section, by: {}, "results.final"),
    Row(
        publishing.set_correction_period,
        lambda section, by: {"minutes": 60},
        "results.corrections",
        everywhere=True,
    ),
    Row(publishing.publish_results, lambda section, by: {}, "results.publish", shows=True),
    Row(
        handing_in.store_federation_data,
        lambda section, by: {"charge_code": "10", "points_awarded": True},
        "results.hand_in",
        everywhere=True,
    ),
    Row(
        publishing.show_after_rounds,
        lambda section, by: {"is_shown": True},
        shows=True,
        everywhere=True,
    ),
    Row(publishing.reveal_places, lambda section, by: {"places": 2}, shows=True, everywhere=True),
    Row(publishing.set_second_method, lambda section, by: {"method": "butler"}, everywhere=True),
    Row(
        publishing.play_same_cards,
        lambda section, by: {"is_same": True},
        everywhere=True,
        revises=True,
    ),
]
#: what may be given twice: the director says whether it was one penalty or two. A file may be read twice, too
REPEATABLE = {rulings.give_penalty, rulings.foul_board, terminals.import_terminal_results}
#: what changes a final list, or until when it may be changed
CORRECTIONS = [
    row for row in TABLE if row.revises or row.service is publishing.set_correction_period
]
#: what belongs to one section alone
NAMED = {"play", "results", "result", "entry", "penalty", "fouled", "found", "readout"}
#: what is so already in a session whose list is final and published
AS_IT_IS = {publishing.make_list_final, publishing.publish_results}
#: need something to take back, and are tried below
OTHERS = {
    publishing.reopen_list,
    publishing.unpublish_results,
    rulings.restore_doubt,
    reminders.store_reminder,
}
#: of teams: see test_match_rulings.py
OTHERS |= {rulings.rule_match, rulings.take_back_match_ruling}
#: change what is played next, and so the plan: see test_drawing.py
OTHERS |= {drawing.publish_draw, drawing.take_back_draw}
#: the same, see test_extra_boards.py of the director's pages
OTHERS |= {extra_boards.add_extra_boards, extra_boards.take_back_extra_boards}
#: of rehearsals: see test_rehearsing.py
OTHERS |= {
    rehearsing.play_rehearsal_to_end,
    rehearsing.invent_results,
    rehearsing.invent_first_results,
}
#: before round 1 only: see test_dealing.py
OTHERS |= {dealing.deal_without_witnesses}
#: of a session that has just been made: see test_several_sessions.py
OTHERS |= {copying.copy_scoring, classes.choose_usual_scale}
#: of a table's phone, where nobody has signed in: see test_typed_cards.py of the tables
OTHERS |= {deals.store_typed}
