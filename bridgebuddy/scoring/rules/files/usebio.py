"""USEBIO 1.2: XML for federations (England, Scotland) and for most programs that read results.

Elements, their positions and their order are those of public files of EBUScore, RealBridge and ScoreBridge; the DTD
could not be obtained. Participants and results are where readers look for them. Those of pairs are in a `SECTION`, of
teams and Swiss events in the `SESSION`, of individuals in the `EVENT`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from bridgebuddy.deals.rules.hands import hands_of_deal as in_hands

from ..model import Contestant
from ..reports.report import json_number
from ..reports.results import MatchBoard, MatchResult, MatchSides, RankedLine, SideResult
from .exported import ExportedSession
from .lines import ResultLine, plain_number, visible_text

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE USEBIO SYSTEM "usebio_v1_2.dtd">\n'
METHODS = {
    "matchpoints": "MATCH_POINTS",
    "cross-imps": "CROSS_IMPS",
    "butler": "BUTLER_IMPS",
    "team-imps": "IMPS",
    "bam": "PAB",
    "aggregate": "AGGREGATE",
}
SEATS = {"N": "North", "E": "East", "S": "South", "W": "West"}
SUITS = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
#: percentages in lines in place of scores
AWARDS = {"AVE+": 60, "AVE": 50, "AVE-": 40}


def usebio_file(exported: ExportedSession) -> str:
    """Return a session's results as a USEBIO file."""
    root = Element("USEBIO", Version="1.2")
    club = SubElement(root, "CLUB")
    _add_text_element(club, "CLUB_NAME", exported.club)
    if exported.asked.club:
        _add_text_element(club, "CLUB_ID_NUMBER", exported.asked.club)
    event = SubElement(root, "EVENT", EVENT_TYPE=_event_type(exported))
    _add_event_facts(event, exported)
    if exported.contest == "individual":
        _add_individual(event, exported)
        _add_handsets(root, exported)
    else:
        session = SubElement(event, "SESSION", SESSION_ID="1")
        if exported.is_in_matches:
            _matches_of_all(session, exported)
        else:
            _add_sections(session, exported)
        _add_handsets(session, exported)
    ElementTree.indent(root)
    return HEAD + ElementTree.tostring(root, encoding="unicode") + "\n"


def _add_individual(event: Element, exported: ExportedSession) -> None:
    """Add an individual's players and boards to the event element, section by section."""
    participants = SubElement(event, "PARTICIPANTS")
    for section in exported.sections:
        _add_participants(participants, exported, section.name)
    for section in exported.sections:
        for board, lines in exported.boards(section.name).items():
            _add_board(event, exported, board, lines)


def _matches_of_all(session: Element, exported: ExportedSession) -> None:
    """Add the teams or pairs of all sections to the session element, followed by all matches."""
    participants = SubElement(session, "PARTICIPANTS")
    for section in exported.sections:
        _add_participants(participants, exported, section.name)
    for section in exported.sections:
        _add_matches(session, exported, section.name)


def _add_sections(session: Element, exported: ExportedSession) -> None:
    """Add each section with its pairs and boards to the session element."""
    for exported_section in exported.sections:
        section = SubElement(session, "SECTION", SECTION_ID=exported_section.name)
        _add_participants(SubElement(section, "PARTICIPANTS"), exported, exported_section.name)
        for board, lines in exported.boards(exported_section.name).items():
            _add_board(section, exported, board, lines)


def _add_text_element(parent: Element, name: str, text: object) -> None:
    """Add a child element with this name and text."""
    SubElement(parent, name).text = visible_text(str(text))


def _event_type(exported: ExportedSession) -> str:
    """Return the USEBIO event type, for example of a Swiss, a league or a knockout."""
    if exported.contest == "individual":
        return "INDIVIDUAL"
    kind = "TEAMS" if exported.contest == "teams" else "PAIRS"
    return f"SWISS_{kind}" if exported.is_swiss else kind


def _board_method(exported: ExportedSession) -> str:
    """Return the USEBIO scoring method of a board: point-a-board if a win scores 2, board-a-match if it scores 1."""
    if exported.method == "bam" and max(exported.profile.bam) == 1:
        return "BAM"
    return METHODS[exported.method]


def _add_event_facts(event: Element, exported: ExportedSession) -> None:
    """Add name, date, scoring and club to the event element, in the order that USEBIO demands."""
    of_teams, asked = exported.contest == "teams", exported.asked
    if exported.is_in_matches:
        _add_text_element(event, "BOARD_SCORING_METHOD", _board_method(exported))
        if exported.is_in_vps:
            _add_text_element(event, "MATCH_SCORING_METHOD", "VPS")
        elif of_teams and exported.method == "bam":
            _add_text_element(event, "MATCH_SCORING_METHOD", _board_method(exported))
    _add_text_element(event, "PROGRAM_NAME", "BridgeBuddy")
    _add_text_element(event, "PROGRAM_VERSION", exported.version)
    _add_text_element(event, "EVENT_DESCRIPTION", exported.event)
    _add_text_element(event, "DATE", f"{exported.date:%d/%m/%Y}")
    if not exported.is_in_matches:
        _add_text_element(event, "BOARD_SCORING_METHOD", _board_method(exported))
    if asked.scale:
        _add_text_element(event, "MASTER_POINT_SCALE", asked.scale)
    _add_text_element(event, "SESSION_COUNT", 1)
    _add_text_element(event, "SECTION_COUNT", len(exported.sections))
    everybody = exported.contestants()
    if of_teams and exported.is_in_vps:
        _add_text_element(event, "SCORING_METHOD", "VP")
    if exported.contest == "pairs":
        _add_text_element(event, "PAIRS", len(everybody))
    _add_text_element(event, "BOARDS_PLAYED", exported.boards_played)
    if exported.contest == "pairs":
        _add_text_element(event, "WINNER_TYPE", exported.winners)
        if across := [standing for standing in everybody if standing.field == "EW"]:
            _add_text_element(event, "EW_PAIRS", len(across))
    if of_teams:
        has_pairs = bool(exported.pair_values)
        _add_text_element(event, "TEAM_PAIRING_AVAILABLE", "Y" if has_pairs else "N")
        if has_pairs:
            _add_text_element(event, "PAIRWISE_SCORING_METHOD", "CROSS_IMPS")
    if asked.charge_code:
        _add_text_element(event, "P2P_CHARGE_RATE", asked.charge_code)
    _add_text_element(event, "MPS_AWARDED_FLAG", "Y" if asked.points_awarded else "N")


# ── contestants ──


def _add_participants(parent: Element, exported: ExportedSession, section: str) -> None:
    """Add the section's players, pairs or teams with their standings."""
    for contestant in exported.contestants(section):
        number = exported.number_in_event(*contestant.who)
        row = exported.rows.get(contestant.who)
        if exported.contest == "teams":
            title = visible_text(exported.title(*contestant.who))
            element = SubElement(parent, "TEAM", TEAM_ID=number, TEAM_NAME=title)
            if row:
                _add_standing(element, exported, row)
                _add_adjustment(element, exported, row)
            _add_pairs(element, exported, contestant)
            continue
        element = SubElement(parent, "PLAYER" if exported.contest == "individual" else "PAIR")
        _add_text_element(element, f"{element.tag}_NUMBER", number)
        is_alone = exported.contest == "individual"
        if contestant.field in ("NS", "EW") and not is_alone:
            _add_text_element(element, "DIRECTION", contestant.field)
        if row and is_alone:
            _player_standing(element, exported, row)
        elif row:
            _add_standing(element, exported, row)
            _add_text_element(element, "BOARDS_PLAYED", row.boards)
            _add_adjustment(element, exported, row)
        for name in contestant.names:
            _add_person(element if is_alone else SubElement(element, "PLAYER"), exported, name)


def _add_person(player: Element, exported: ExportedSession, name: str) -> None:
    """Add a person's name, club number and federation number to a player's XML element."""
    _add_text_element(player, "PLAYER_NAME", visible_text(name))
    national, of_club = exported.numbers.get(name, ("", ""))
    if of_club:
        _add_text_element(player, "CLUB_ID_NUMBER", of_club)
    if national:
        _add_text_element(player, "NATIONAL_ID_NUMBER", national)


def _player_standing(parent: Element, exported: ExportedSession, row: RankedLine) -> None:
    """Add the place and percentage of a single player; the total only without a percentage."""
    has = exported.total_of(row)
    if row.place:
        _add_text_element(parent, "PLACE", row.place)
    if has.percent is not None:
        _add_text_element(parent, "PERCENTAGE", plain_number(has.percent, 2))
    else:
        _add_text_element(parent, "TOTAL_SCORE", plain_number(has.printed_total(), 2))
    _add_adjustment(parent, exported, row)


def _add_adjustment(parent: Element, exported: ExportedSession, row: RankedLine) -> None:
    """Add the sum of a contestant's penalties and bonuses."""
    if adjustment := exported.total_of(row).adjustment:
        _add_text_element(parent, "ADJUSTMENT", plain_number(json_number(adjustment)))


def _add_standing(parent: Element, exported: ExportedSession, row: RankedLine) -> None:
    """Add percentage, total, matches won and place of a pair or team."""
    has = exported.total_of(row)
    if has.percent is not None:
        _add_text_element(parent, "PERCENTAGE", plain_number(has.percent, 2))
    _add_text_element(parent, "TOTAL_SCORE", plain_number(has.printed_total(), 2))
    if wins := exported.wins.get(row.contestant_key):
        _add_text_element(parent, "WINS_OR_DRAWS", plain_number(wins))
    if row.place:
        _add_text_element(parent, "PLACE", row.place)


def _add_pairs(parent: Element, exported: ExportedSession, team: Contestant) -> None:
    """Add the pairs that have played for a team, numbered like "3-1-2": team 3, players 1 and 2."""
    listed = set()
    for pair in exported.pairs_of_team(team):
        element = SubElement(parent, "PAIR")
        _add_text_element(element, "PAIR_NUMBER", pair.number)
        _add_text_element(element, "BOARDS_PLAYED", pair.board_count)
        _add_text_element(element, "PAIR_IMPS", plain_number(json_number(pair.imps)))
        for player in pair.names:
            _add_person(SubElement(element, "PLAYER"), exported, player)
        listed |= set(pair.names)
    for player in team.names:
        if player not in listed:
            _add_person(SubElement(parent, "PLAYER"), exported, player)


# ── results ──


def _add_board(
    parent: Element, exported: ExportedSession, board: int, lines: list[ResultLine]
) -> None:
    """Add a board with all its plays."""
    element = SubElement(parent, "BOARD")
    _add_text_element(element, "BOARD_NUMBER", board)
    for line in lines:
        _add_traveller_line(SubElement(element, "TRAVELLER_LINE"), exported, line)


def _add_traveller_line(element: Element, exported: ExportedSession, line: ResultLine) -> None:
    """Add a play of a board: contestants, contract, and scores."""
    for name in ("ns", "ew"):
        sitting = line.sitting(name)
        if len(sitting) == 1:
            number = exported.number_in_event(line.section, sitting[0])
            _add_text_element(element, f"{name.upper()}_PAIR_NUMBER", number)
            continue
        for seat, label in zip(name.upper(), sitting, strict=True):
            _add_text_element(
                element, f"{seat}_PLAYER_NUMBER", exported.number_in_event(line.section, label)
            )
    _add_result(element, exported, line)
    _add_side_values(element, exported, line)


def _add_side_values(element: Element, exported: ExportedSession, line: ResultLine) -> None:
    """Add both sides' scores on a play."""
    for name in ("ns", "ew"):
        side = line.side(name)
        if side.value is None:
            continue
        unit = "MATCH_POINTS" if exported.method == "matchpoints" else "CROSS_IMP_POINTS"
        _add_text_element(element, f"{name.upper()}_{unit}", plain_number(exported.points(side)))


def _add_result(element: Element, exported: ExportedSession, line: ResultLine) -> None:
    """Add the contract and score of a play, or its adjusted score."""
    bid = line.known_contract
    if line.is_passed:
        _add_text_element(element, "CONTRACT", "PASS")
    if line.contract:
        _add_text_element(element, "CONTRACT", line.contract)
    if bid.declarer:
        _add_text_element(element, "PLAYED_BY", bid.declarer)
    if bid.lead:
        _add_text_element(element, "LEAD", bid.lead.replace("T", "10"))
    if bid.tricks is not None:
        _add_text_element(element, "TRICKS", bid.tricks)
    _add_text_element(
        element,
        "SCORE",
        line.score if line.score is not None else _adjusted_score_text(exported, line),
    )


def _adjusted_score_text(exported: ExportedSession, line: ResultLine) -> str:
    """Return USEBIO's notation of an adjusted score: "A6040", the per cent of both sides.

    A weighted or fixed score has its own per cent there, as whole numbers, with its value beside it. In IMPs, average
    plus counts as 60, and other values in proportion.
    """
    both = []
    for name in ("ns", "ew"):
        side = line.side(name)
        percent = AWARDS.get(side.rule, side.percent)
        if percent is None and side.unit == "imps" and side.value is not None:
            percent = 50 + 10 * side.value / _average_plus_imps(exported, side)
        both.append(50 if percent is None else max(0, min(99, round(percent))))
    return "A{:02d}{:02d}".format(*both)


def _average_plus_imps(exported: ExportedSession, side: SideResult) -> float:
    """Return how many IMPs an average plus is worth on this board."""
    profile = exported.profile
    is_sum = (profile.method, profile.ximp, profile.ave_imps) == ("cross-imps", "total", "scaled")
    return float(profile.ave.imps or 3) * (max(1, (side.expected or 0) - 1) if is_sum else 1)


def _add_matches(parent: Element, exported: ExportedSession, section: str) -> None:
    """Add the section's matches with their boards."""
    of_teams = exported.contest == "teams"
    for match, result in exported.matches:
        if match.section != section or match.away is None or not match.boards:
            continue
        element = SubElement(parent, "MATCH")
        _add_text_element(element, "ROUND_NUMBER", result.round)
        names = ("TEAM", "OPPOSING_TEAM") if of_teams else ("NS_PAIR_NUMBER", "EW_PAIR_NUMBER")
        for name, side in zip(names, (match.home, match.away), strict=True):
            _add_text_element(element, name, exported.number_in_event(section, side))
        if of_teams:
            _add_text_element(element, "START_BOARD_NUMBER", min(match.boards))
            _add_text_element(element, "END_BOARD_NUMBER", max(match.boards))
            _add_side_scores(
                element, ("TEAM_SCORE", "OPPOSING_TEAM_SCORE"), _score_of_match(result)
            )
        else:
            if result.rule != "open":
                _add_side_scores(element, ("NS_SCORE", "EW_SCORE"), result.percent or result.imps)
            _add_side_scores(element, ("NS_VICTORY_POINTS", "EW_VICTORY_POINTS"), result.vps)
        lines = exported.lines_of(match)
        if not of_teams:
            for line in sorted(lines, key=lambda line: line.board):
                board = SubElement(element, "BOARD")
                _add_text_element(board, "BOARD_NUMBER", line.board)
                _add_traveller_line(SubElement(board, "TRAVELLER_LINE"), exported, line)
            continue
        for worth in result.boards:
            mine = [line for line in lines if line.board == worth.board]
            mine.sort(key=lambda line: line.sitting("ns") != (match.home,))
            _match_board(element, exported, worth, mine, match.home)


def _score_of_match(result: MatchResult) -> MatchSides | None:
    """Return a match's score in victory points, or else board points, or else IMPs; None while it is open."""
    if result.rule == "open":
        return None
    return result.vps or result.points or result.imps


def _add_side_scores(
    parent: Element, names: Iterable[str], scores: MatchSides | MatchBoard | None
) -> None:
    """Add both sides' scores of a match under these element names."""
    both = (None, None) if scores is None else (scores.home, scores.away)
    for name, score in zip(names, both, strict=True):
        if score is not None:
            _add_text_element(parent, name, plain_number(score))


def _match_board(
    parent: Element,
    exported: ExportedSession,
    worth: MatchBoard,
    lines: Iterable[ResultLine],
    home: str,
) -> None:
    """Add a board of a match: the home team's score `worth`, then both tables, the home pair's N-S table first."""
    element = SubElement(parent, "BOARD")
    _add_text_element(element, "BOARD_NUMBER", worth.board)
    if worth.home is not None:
        if exported.method == "team-imps":
            _add_text_element(element, "IMPS", plain_number(worth.home))
        else:
            _add_side_scores(element, ("TEAM_POINTS", "OPPOSING_TEAM_POINTS"), worth)
    for line in lines:
        line_element = SubElement(element, "TRAVELLER_LINE")
        _add_text_element(
            line_element, "DIRECTION", "NS" if line.sitting("ns") == (home,) else "EW"
        )
        for name in ("ns", "ew"):
            if number_of := exported.pair_number(line, name):
                _add_text_element(line_element, f"{name.upper()}_PAIR_NUMBER", number_of)
        _add_result(line_element, exported, line)
        values = exported.pair_values.get(line.play.index, (None, None))
        for name, value in zip(("NS", "EW"), values, strict=True):
            if value is not None:
                _add_text_element(
                    line_element, f"{name}_CROSS_IMP_POINTS", plain_number(json_number(value))
                )


# ── the cards ──


def _add_handsets(parent: Element, exported: ExportedSession) -> None:
    """Add the hands: one set if all sections played the same deals, otherwise one for each section."""
    sets = {section.name: _deals_by_board(exported, section.name) for section in exported.sections}
    complete = {name: cards for name, cards in sets.items() if cards}
    boards: dict[int, set[str]] = {}
    for cards in complete.values():
        for board, deal in cards.items():
            boards.setdefault(board, set()).add(deal)
    if len(complete) > 1 and all(len(deals) == 1 for deals in boards.values()):
        first = next(iter(complete))
        complete = {first: {board: deal for board, (deal,) in sorted(boards.items())}}
    for name, cards in complete.items():
        _add_handset(parent, name, cards)


def _deals_by_board(exported: ExportedSession, section: str) -> dict[int, str]:
    """Return a section's deals by board number, without numbers that mean several deals."""
    deals_by_board: dict[int, set[str]] = {}
    for game in exported.games:
        if game.cards_in_pbn and section in game.sections:
            deals_by_board.setdefault(game.board, set()).add(game.cards_in_pbn)
    return {
        board: deal
        for board, deals in sorted(deals_by_board.items())
        if len(deals) == 1 and in_hands(deal := next(iter(deals)))
    }


def _add_handset(parent: Element, name: str, cards: Mapping[int, str]) -> None:
    """Add the four hands of each board in `cards`."""
    handset = SubElement(parent, "HANDSET", HANDSET_ID=name)
    for board, deal in cards.items():
        hands = in_hands(deal)
        assert hands is not None
        element = SubElement(handset, "BOARD")
        _add_text_element(element, "BOARD_NUMBER", board)
        for seat, title in SEATS.items():
            hand = SubElement(element, "HAND")
            _add_text_element(hand, "DIRECTION", title)
            for suit, ranks in zip(SUITS, _ranks_by_suit(hands[seat]), strict=True):  # type: ignore[index]
                _add_text_element(hand, suit, ranks)


def _ranks_by_suit(hand: frozenset[str]) -> list[str]:
    """Return the ranks of a hand in spades, hearts, diamonds and clubs, each from the ace down."""
    ranks = "AKQJT98765432"
    return ["".join(rank for rank in ranks if suit + rank in hand) for suit in "SHDC"]
