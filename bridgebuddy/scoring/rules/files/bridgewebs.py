"""The CSV format of BridgeWebs, as far as it can be inferred from another program's reader.

The headings of the file and of the lists are known; the columns of travellers are guessed. BridgeWebs also accepts
USEBIO, which is better documented.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .csv import csv_text
from .exported import ExportedSession, NotInThisFormat
from .lines import ResultLine, plain_number, player_names, visible_text

SCORES = ("Position", "Pair", "Name1", "Name2")
NUMBERS = ("Number1", "Number2")
TRAVELLER = ("NS", "EW", "Contract", "By", "Tricks", "Lead", "Score", "NSPoints", "EWPoints")


def bridgewebs_file(exported: ExportedSession) -> str:
    """Return the results of a session of pairs as a BridgeWebs file. Raises `NotInThisFormat` for others."""
    if exported.contest != "pairs":
        raise NotInThisFormat(exported.contest)
    boards = {line.board for line in exported.lines}
    rows: list[Sequence[Any]] = [
        ["#VERSION", f"BridgeBuddy {exported.version}"],
        ["#DATE", f"{exported.date:%d/%m/%Y}"],
        ["#TITLE", visible_text(exported.event)],
        ["#PAIRS", len(exported.session.contestants)],
        ["#BOARDS", len(boards)],
        ["#WINNERS", exported.winners],
        ["#ROUNDS", exported.rounds],
        *_score_rows(exported),
        ["#BOARDFORMAT", "Board"],
        ["#TRAVELLERS"],
        TRAVELLER,
    ]
    for game in exported.games:
        rows.append(["#BOARD", game.board])
        rows += (_result_row(exported, line) for line in game.lines)
    return csv_text(rows)


def _result_row(exported: ExportedSession, line: ResultLine) -> Sequence[Any]:
    """Return a play as a row of a BridgeWebs file."""
    bid = line.known_contract
    return [
        *(
            _pair_label(exported, line.section, line.sitting(direction)[0])
            for direction in ("ns", "ew")
        ),
        "PASS" if line.is_passed else line.contract,
        *(bid.declarer, bid.tricks, bid.lead),
        line.score,
        *(line.side(direction).value for direction in ("ns", "ew")),
    ]


def _score_rows(exported: ExportedSession) -> list[Sequence[Any]]:
    """Return the rows of a BridgeWebs file with the rankings."""
    scores: list[Sequence[Any]] = []
    for ranking in exported.lists:
        is_per_cent = all(row.percent is not None or not row.boards for row in ranking.rows)
        numbers = NUMBERS if exported.numbers else ()
        scores += [["#SCORES"], [*SCORES, *numbers, "Percent" if is_per_cent else "Score"]]
        for row in ranking.rows:
            contestant = exported.people[row.contestant_key]
            both = [*player_names(contestant), "", ""][:2]
            value = plain_number(row.percent if is_per_cent else row.total, 2)
            called = [*contestant.names, "", ""][:2]
            ids = [_number_of_person(exported, name) for name in called]
            placed = [row.place or "", _pair_label(exported, *row.contestant_key), *both]
            scores.append([*placed, *(ids if numbers else ()), value])
    return scores


def _number_of_person(exported: ExportedSession, name: str) -> str:
    """Return a person's national number, or else the club's."""
    national, of_club = exported.numbers.get(name, ("", ""))
    return national or of_club


def _pair_label(exported: ExportedSession, section: str, label: str) -> str:
    """Return a pair's number, with the section's letter if there are several sections."""
    number = exported.number(section, label)
    return f"{section}{number}" if exported.has_several else number
