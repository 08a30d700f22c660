"""Moves of people after a round, as rules for groups of tables with as few exceptions as possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..descriptions.rules import MoveRule, other_rule
from ..descriptions.wording import ContestantStep, Line, usual_shift
from ..model import Movement
from .pieces import (
    MOST_EXCEPTIONS,
    TableDivision,
    TableGroup,
    closed_rows,
    do_rows_move_alike,
    group_of_table,
    usual_divisions,
)

#: approximate number of words of a rule, by its group; and of rules said together
WORDS = {"all": 5, "odd": 7, "even": 7, "row": 14, "swap": 13}
WORDS_OF_ROWS, WORDS_OF_CROSSING, WORDS_OF_FOLLOWING, WORDS_OF_CHAIRS, WORDS_OF_CARDS = (
    17,
    4,
    14,
    20,
    13,
)
WORDS_OF_SKIP = 4  # "this is the skip"
WORDS_OF_STAY = 2  # "East-West stay"
#: cost of an unusual wording: rounds should sound alike
UNUSUAL = 8


@dataclass(frozen=True, slots=True)
class PeopleAnnouncement:
    """The part of an announcement that says where players move: a rule for most of them, and exceptions.

    All follow the `pieces`, or else the `rule`; `others` are exceptions with sentences of their own. People without a
    rule stay. With `by_cards` there is no rule, and guide cards and phones show the moves. Then `pieces` only say
    that North-South stay.
    """

    pieces: TableDivision = ()
    rule: MoveRule | None = None
    others: tuple[ContestantStep, ...] = ()
    by_cards: bool = False

    @property
    def reduced_to_cards(self) -> PeopleAnnouncement:
        """Return the announcement "see the cards", and that North-South stay if they do."""
        north_south = tuple(piece for piece in self.pieces if piece.line == "ns")
        has_stays = all(not p.shift and p.to == "ns" for p in north_south)
        is_true = has_stays and not any(s.before and s.before.line == "ns" for s in self.others)
        return PeopleAnnouncement(north_south if north_south and is_true else (), by_cards=True)


def count_words_for_people(movement: Movement, call: PeopleAnnouncement) -> int:
    """Return about how many words the announcement of the players' moves has."""
    if call.by_cards:
        return WORDS_OF_CARDS
    if call.rule and call.rule.kind == "chairs":
        return WORDS_OF_CHAIRS
    if call.rule:
        return WORDS_OF_FOLLOWING + 2 * len(call.rule.others)
    lines = [[p for p in call.pieces if p.line == line] for line in ("ew", "ns")]
    has_east_west_stay = bool(lines[0]) and not any(map(_has_to_be_said, lines[0]))
    usual = usual_shift(movement)
    is_skip = usual is not None and _is_unusual(call.pieces, usual)
    return (
        sum(map(_count_words, lines))
        + WORDS_OF_STAY * has_east_west_stay
        + WORDS_OF_SKIP * is_skip
        + _words_of_steps(movement, call.others)
    )


def people_announcement(
    movement: Movement, after_round: int, moves: Sequence[ContestantStep]
) -> PeopleAnnouncement:
    """Return the shortest announcement that moves all people to their places."""
    if not moves:
        return PeopleAnnouncement(by_cards=movement.is_draw)
    if movement.contest.plays_alone:
        chairs = other_rule(movement, after_round, moves)
        return PeopleAnnouncement(rule=chairs) if chairs else PeopleAnnouncement(by_cards=True)
    lines: tuple[Line, Line] = ("ns", "ew")
    usual = usual_shift(movement)
    best = {line: _best_rules(movement, line, moves, usual) for line in lines}
    from_nowhere = [step for step in moves if step.before is None]
    unlike = {step for line in lines for step in best[line][1]} | {*from_nowhere}
    others = tuple(step for step in moves if step in unlike)
    pieces = (*best["ew"][0], *best["ns"][0])
    call = PeopleAnnouncement(pieces, others=others)
    rule = other_rule(movement, after_round, moves)
    if (
        rule
        and rule.kind == "follow"
        and count_words_for_people(movement, PeopleAnnouncement(rule=rule))
        < count_words_for_people(movement, call)
    ):
        return PeopleAnnouncement(rule=rule)
    return call if len(others) <= MOST_EXCEPTIONS else call.reduced_to_cards


def _best_rules(
    movement: Movement, direction: Line, moves: Sequence[ContestantStep], usual_shift: int | None
) -> tuple[TableDivision, list[ContestantStep]]:
    """Return the rules for a direction that need the fewest words, and the moves that are exceptions."""
    here = [step for step in moves if step.before and step.before.line == direction]
    choices: list[tuple[bool, int, int, TableDivision, list[ContestantStep]]] = []
    for order, shape in enumerate(_candidate_divisions(movement, here)):
        pieces = tuple(
            piece for part in shape for piece in _fitted_groups(movement, part, direction, here)
        )
        if shape[0].group == "odd" and not _is_two_ways(pieces):
            continue
        others = [step for step in here if not _follows_rules(movement, pieces, step)]
        words = (
            _count_words(pieces)
            + _words_of_steps(movement, others)
            + UNUSUAL * _is_unusual(pieces, usual_shift)
        )
        words -= UNUSUAL * do_rows_move_alike(pieces)  # the same words after every round
        choices.append((len(others) > MOST_EXCEPTIONS, words, order, pieces, others))
    pieces, others = min(choices, key=lambda item: item[:3])[3:]
    return pieces, others


def _count_words(pieces: Sequence[TableGroup]) -> int:
    """Return about how many words it takes to announce the rules for a direction."""
    if do_rows_move_alike(tuple(pieces)):
        return WORDS_OF_ROWS
    to_say = [piece for piece in pieces if _has_to_be_said(piece)]
    crossing = sum(piece.line != piece.to for piece in to_say)
    return sum(WORDS[piece.group] for piece in to_say) + WORDS_OF_CROSSING * crossing


def _has_to_be_said(piece: TableGroup) -> bool:
    """Return whether a group's rule must be announced: that North-South stay need not."""
    return bool(piece.shift) or piece.line != piece.to or piece.group == "swap"


def _words_of_steps(movement: Movement, steps: Iterable[ContestantStep]) -> int:
    """Return about how many words it takes to announce the moves that no rule covers."""
    has_lines = movement.winners == 2  # the line is in the label ("NS 4"), otherwise in a clause
    words = {"goes": 4 if has_lines else 5, "comes": 7, "stays": 3, "out": 3 + has_lines}
    kinds = [_kind_of_step(step) for step in steps]
    return sum(words[kind] for kind in kinds) + 2 * ("goes" in kinds)


def _kind_of_step(step: ContestantStep) -> str:
    """Return how a contestant moves: it stays, goes, comes from a sit-out, or sits out."""
    if step.after is None:
        return "out"
    if step.before is None:
        return "comes"
    return "stays" if step.before == step.after else "goes"


def _is_unusual(pieces: TableDivision, usual_shift: int | None) -> bool:
    """Return whether East-West move differently from usual."""
    return any(
        piece.group == "all" and piece.line == "ew" and piece.shift != usual_shift
        for piece in pieces
    )


def _is_two_ways(pieces: TableDivision) -> bool:
    """Return whether odd and even tables have different moves, so that both must be announced."""
    return len(pieces) == 2 and all(piece.shift or piece.line != piece.to for piece in pieces)


def _candidate_divisions(
    movement: Movement, steps: Sequence[ContestantStep]
) -> Iterator[TableDivision]:
    """Yield the ways to divide the tables into groups whose people may move alike."""
    tables = movement.tables
    yield from usual_divisions(tables)
    goes = {s.before.table: s.after.table for s in steps if s.before and s.after}
    if rows := closed_rows(goes, tables):
        yield rows
    for last in (tables - 1, tables - 2):
        if last >= 3:
            yield (TableGroup("row", first=1, last=last),)


def _fitted_groups(
    movement: Movement, part: TableGroup, direction: Line, steps: Sequence[ContestantStep]
) -> Iterator[TableGroup]:
    """Yield a group of tables with the move that most of its people make; nothing without a majority."""
    ways: Counter[tuple[int, Line]] = Counter()
    people = 0
    for step in steps:
        if step.before and step.after and part.includes_table(step.before.table):
            people += 1
            shift = part.shift_between(step.before.table, step.after.table, movement.tables)
            if shift is not None:
                ways[shift, step.after.line] += 1
    if ways:
        shift, to = max(ways, key=lambda way: (ways[way], -abs(way[0]), way[1] == direction, way))
        few = 2 if part.group == "all" else 3
        if ways[shift, to] == people > 1 or ways[shift, to] > max(few - 1, people / 2):
            yield TableGroup(part.group, shift, part.first, part.last, direction, to)


def _follows_rules(movement: Movement, pieces: TableDivision, step: ContestantStep) -> bool:
    """Return whether a contestant's move follows the groups' rules."""
    if step.before is None or step.after is None:
        return False
    piece = group_of_table(pieces, step.before.table)
    if piece is None:
        return step.before == step.after
    to = piece.destination(step.before.table, movement.tables)
    return (step.after.table, step.after.line) == (to, piece.to)
