"""USEBIO 1.2: XML for federations (England, Scotland) and for most programs that read results.

The order of elements is that of files other programs write; nobody has checked them against the DTD here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from .. import laws
from .exported import Exported, Line, plain, players, visible

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE USEBIO SYSTEM "usebio_v1_2.dtd">\n'
METHODS = {
    "matchpoints": "MATCH_POINTS",
    "cross-imps": "CROSS_IMPS",
    "butler": "BUTLER_IMPS",
    "team-imps": "IMPS",
    "bam": "BAM",
    "aggregate": "AGGREGATE",
}
SEATS = {"N": "North", "E": "East", "S": "South", "W": "West"}
SUITS = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
#: the per cent that stand in a line instead of a score
AWARDS = {"AVE+": 60, "AVE": 50, "AVE-": 40}


def written(exported: Exported) -> str:
    """Return a session as USEBIO."""
    root = Element("USEBIO", Version="1.2")
    club = SubElement(root, "CLUB")
    _add(club, "CLUB_NAME", exported.club)
    event = SubElement(root, "EVENT", EVENT_TYPE=_event_type(exported))
    _event(event, exported)
    session = SubElement(event, "SESSION", SESSION_ID="1")
    for one in exported.sections:
        name = one["section"]
        section = SubElement(session, "SECTION", SECTION_ID=name)
        _participants(SubElement(section, "PARTICIPANTS"), exported, name)
        if exported.contest == "teams":
            _matches(section, exported, name)
        else:
            for board, lines in exported.boards(name).items():
                _board(section, exported, board, lines)
        _hands(section, exported, name)
    ElementTree.indent(root)
    return HEAD + ElementTree.tostring(root, encoding="unicode") + "\n"


def _add(parent: Element, name: str, text: object) -> None:
    SubElement(parent, name).text = visible(str(text))


def _event_type(exported: Exported) -> str:
    if exported.contest == "teams":
        return "SWISS_TEAMS" if exported.is_drawn else "TEAMS"
    return "INDIVIDUAL" if exported.contest == "individual" else "PAIRS"


def _event(event: Element, exported: Exported) -> None:
    _add(event, "PROGRAM_NAME", "BridgeBuddy")
    _add(event, "PROGRAM_VERSION", exported.version)
    _add(event, "EVENT_DESCRIPTION", exported.event)
    _add(event, "DATE", f"{exported.date:%d/%m/%Y}")
    _add(event, "BOARD_SCORING_METHOD", METHODS[exported.method])
    if exported.document["profile"].get("vp"):
        _add(event, "MATCH_SCORING_METHOD", "VPS")
    _add(event, "SESSION_COUNT", 1)
    _add(event, "SECTION_COUNT", len(exported.sections))
    if exported.contest == "pairs":
        everybody = exported.contestants()
        across = [one for one in everybody if one["field"] == "EW"]
        _add(event, "PAIRS", len(everybody))
        _add(event, "WINNER_TYPE", exported.winners)
        if across:
            _add(event, "EW_PAIRS", len(across))
    _add(event, "BOARDS_PLAYED", len({line.board for line in exported.lines}))
    _add(event, "MPS_AWARDED_FLAG", "N")


# ── who plays ──


def _participants(parent: Element, exported: Exported, section: str) -> None:
    for one in exported.contestants(section):
        number = exported.number(section, one["label"])
        row = exported.rows.get((section, one["label"]), {})
        if exported.contest == "teams":
            title = exported.titles.get((section, one["label"]), one["label"])
            element = SubElement(parent, "TEAM", TEAM_ID=number, TEAM_NAME=visible(title))
            _standing(element, row)
            for player in players(one):
                _add(SubElement(element, "PLAYER"), "PLAYER_NAME", player)
            continue
        if exported.contest == "individual":
            element = SubElement(parent, "PLAYER")
            _add(element, "PLAYER_NUMBER", number)
            for player in players(one):
                _add(element, "PLAYER_NAME", player)
            _standing(element, row)
            continue
        element = SubElement(parent, "PAIR")
        _add(element, "PAIR_NUMBER", number)
        if one["field"] in ("NS", "EW"):
            _add(element, "DIRECTION", one["field"])
        _standing(element, row)
        for player in players(one):
            _add(SubElement(element, "PLAYER"), "PLAYER_NAME", player)


def _standing(parent: Element, row: Mapping[str, Any]) -> None:
    """Say what somebody has, and where that has led."""
    if not row:
        return
    if row["percent"] is not None:
        _add(parent, "PERCENTAGE", plain(row["percent"], 2))
    else:
        _add(parent, "TOTAL_SCORE", plain(row["total"], 2))
    if row["place"]:
        _add(parent, "PLACE", row["place"])
    _add(parent, "BOARDS_PLAYED", row["boards"])
    if row["penalty"]:
        _add(parent, "ADJUSTMENT", plain(row["penalty"]))


# ── what they played ──


def _board(parent: Element, exported: Exported, board: int, lines: list[Line]) -> None:
    element = SubElement(parent, "BOARD")
    _add(element, "BOARD_NUMBER", board)
    for line in lines:
        _line(SubElement(element, "TRAVELLER_LINE"), exported, line)


def _line(element: Element, exported: Exported, line: Line) -> None:
    for name in ("ns", "ew"):
        sitting = line.sitting(name)
        if len(sitting) == 1:
            number = exported.number(line.section, sitting[0])
            _add(element, f"{name.upper()}_PAIR_NUMBER", number)
            continue
        for seat, label in zip(name.upper(), sitting, strict=True):
            _add(element, f"{seat}_PLAYER_NUMBER", exported.number(line.section, label))
    _result(element, line)
    for name in ("ns", "ew"):
        side = line.side(name)
        if side["value"] is None:
            continue
        unit = "MATCH_POINTS" if exported.method == "matchpoints" else "CROSS_IMP_POINTS"
        _add(element, f"{name.upper()}_{unit}", plain(exported.points(side)))


def _result(element: Element, line: Line) -> None:
    contract = line.contract
    if line.is_passed:
        _add(element, "CONTRACT", "PASS")
    for key, name in (("contract", "CONTRACT"), ("declarer", "PLAYED_BY"), ("lead", "LEAD")):
        if contract.get(key):
            written = str(contract[key])
            _add(element, name, written.replace("T", "10") if key == "lead" else written)
    if "tricks" in contract:
        _add(element, "TRICKS", contract["tricks"])
    _add(element, "SCORE", line.score if line.score is not None else _instead(line))


def _instead(line: Line) -> str:
    """What stands for a score: "A6040", the per cent of both sides.

    A weighted score has its own per cent there, as whole numbers; what it is worth stands beside it.
    """
    both = []
    for name in ("ns", "ew"):
        side = line.side(name)
        percent = AWARDS.get(side["rule"], side["percent"])
        both.append(0 if percent is None else min(99, round(percent)))
    return "A{:02d}{:02d}".format(*both)


def _matches(parent: Element, exported: Exported, section: str) -> None:
    lines = [line for line in exported.lines if line.section == section]
    for found in exported.results["matches"]:
        match = exported.document["matches"][found["match"]]
        if match["section"] != section or found["away"] is None:
            continue
        element = SubElement(parent, "MATCH")
        _add(element, "ROUND_NUMBER", found["round"])
        for name, side in (("TEAM", "home"), ("OPPOSING_TEAM", "away")):
            _add(element, name, exported.number(section, found[side]))
        boards = match["boards"]
        if boards:
            _add(element, "START_BOARD_NUMBER", min(boards))
            _add(element, "END_BOARD_NUMBER", max(boards))
        scores: Mapping[str, Any] = next(
            (found[key] for key in ("vps", "points", "imps") if found[key]), {}
        )
        for name, side in (("TEAM_SCORE", "home"), ("OPPOSING_TEAM_SCORE", "away")):
            if scores.get(side) is not None:
                _add(element, name, plain(scores[side]))
        for board in found["boards"]:
            _match_board(element, exported, match, board, lines)


def _match_board(
    parent: Element,
    exported: Exported,
    match: Mapping[str, Any],
    board: Mapping[str, Any],
    lines: list[Line],
) -> None:
    element = SubElement(parent, "BOARD")
    _add(element, "BOARD_NUMBER", board["board"])
    if board["home"] is not None:
        unit = "IMPS" if exported.method == "team-imps" else "TEAM_POINTS"
        _add(element, unit, plain(board["home"]))
    sides = {match["home"], match["away"]}
    mine = [
        line
        for line in lines
        if line.board == board["board"]
        and line.play["round"] in (match["rounds"] or [match["round"]])
        and {*line.sitting("ns"), *line.sitting("ew")} == sides
    ]
    for line in sorted(mine, key=lambda one: one.sitting("ns") != (match["home"],)):
        found = SubElement(element, "TRAVELLER_LINE")
        _add(found, "DIRECTION", "NS" if line.sitting("ns") == (match["home"],) else "EW")
        _result(found, line)


# ── the cards ──


def _hands(parent: Element, exported: Exported, section: str) -> None:
    known = [
        (board, hands)
        for board in exported.boards(section)
        if (hands := laws.hands(exported.pbn(section, board)))
    ]
    if not known:
        return
    handset = SubElement(parent, "HANDSET", HANDSET_ID=section)
    for board, hands in known:
        element = SubElement(handset, "BOARD")
        _add(element, "BOARD_NUMBER", board)
        for seat, title in SEATS.items():
            hand = SubElement(element, "HAND")
            _add(hand, "DIRECTION", title)
            for suit, cards in zip(SUITS, _suits(hands[seat]), strict=True):  # type: ignore[index]
                _add(hand, suit, cards)


def _suits(hand: frozenset[str]) -> list[str]:
    ranks = "AKQJT98765432"
    return ["".join(rank for rank in ranks if suit + rank in hand) for suit in "SHDC"]
