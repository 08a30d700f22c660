"""A movement as plain text: a line for each round, a column for each table and stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, pairwise

from ..model import Field, Movement, Seating, Side, players_of

WIDTH = 110
GAP = "  "
NOBODY = "–"


def movement_chart(movement: Movement, title: str) -> str:
    """Return a movement as a plain-text table of rounds by tables, in English.

    A cell is "N-S - E-W set", as in "3-7 A"; a table that plays its round in parts lists them in playing order.
    Stands are placed as in the room. Wide movements are continued below.
    """
    columns = list(_chart_columns(movement))
    lines = list(chain(_heading_lines(movement, title), [""], _column_blocks(columns)))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _heading_lines(movement: Movement, title: str) -> Iterator[str]:
    """Yield the lines above the chart of a movement: size, fields and board sets."""
    size = (len(movement.contestants), "team") if movement.is_draw else (movement.tables, "table")
    winners = "one winner" if movement.is_one_winner else f"{movement.winners} winners"
    yield f"{title}: {_count_text(*size)}, {_count_text(movement.rounds, 'round')}, {winners}"
    yield f"{movement.contest.capitalize()}: {', '.join(map(_field_text, movement.fields))}"
    if movement.sets:
        copies = "one copy" if movement.copies == 1 else f"{movement.copies} copies"
        yield f"Board sets: {', '.join(_runs_of_names(movement.sets))} ({copies})"
        yield f"Cells: {_cell_form(movement)}"
    for share in movement.shared:
        when = f"round {share.round}: " if share.round else ""
        sets = f" set {', '.join(share.sets)}" if share.sets else " the boards"
        *tables, last = map(str, share.tables)
        yield f"Share: {when}tables {', '.join(tables)} and {last} share{sets}"
    for item in movement.exemptions:
        yield f"Note: {item.why}{_scope_text(movement, item.contestants, item.rounds)}"


def _scope_text(movement: Movement, contestants: Sequence[int], rounds: Sequence[int]) -> str:
    """Return the contestants and rounds of an exemption in brackets."""
    parts = []
    if contestants:
        parts.append(", ".join(movement.label(contestant) for contestant in contestants))
    if rounds:
        parts.append(
            f"round{'s' * (len(rounds) > 1)} {', '.join(_runs_of_names(list(map(str, rounds))))}"
        )
    return f" ({'; '.join(parts)})" if parts else ""


def _cell_form(movement: Movement) -> str:
    """Return what a chart's cell contains: "NS-EW set"."""
    if movement.contest.plays_alone:
        return "N+S v E+W set"
    return "NS-EW set"


def _field_text(field: Field) -> str:
    """Return a field's name with its contestants' labels."""
    return f"{field.prefix} {', '.join(_runs_of_names(field.labels))}".strip()


def _count_text(number: int, thing: str) -> str:
    """Return a number with its noun."""
    return f"{number} {thing}{'s' * (number != 1)}"


def _runs_of_names(names: Sequence[str]) -> list[str]:
    """Return names with consecutive ones as ranges: 1-9, A-G."""
    runs: list[list[str]] = []
    for before, name in pairwise([None, *names]):
        assert name is not None
        if before is not None and _follows_in_order(before, name):
            runs[-1].append(name)
        else:
            runs.append([name])
    return [f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs]


def _follows_in_order(previous: str, name: str) -> bool:
    """Return whether a name is the number or letter that follows another."""
    if previous.isdecimal() and name.isdecimal():
        return int(name) == int(previous) + 1
    return len(previous) == len(name) == 1 and ord(name) == ord(previous) + 1


def _table_numbers(movement: Movement) -> list[int]:
    """Return the numbers of the tables in use."""
    return sorted({seating.table for seating in movement.seatings})


def _chart_columns(movement: Movement) -> Iterator[list[str]]:
    """Yield the columns of the chart: rounds, tables and board stands in order, three-way matches, sit-outs."""
    rounds = range(1, movement.rounds + 1)
    later = movement.open_rounds
    yield ["Round", *(f"{round} drawn later" if round in later else str(round) for round in rounds)]
    thing = "Match" if movement.is_draw else "Table"
    stands = {stand.after_table for stand in movement.stands}
    for table in sorted({*_table_numbers(movement), *stands}):
        cells = [_cell_text(movement, round, table) for round in rounds]
        if any(cells):
            yield [f"{thing} {table}", *cells]
        if table in stands:
            yield ["Stand", *(_stand_text(movement, round, table) for round in rounds)]
    if movement.triangles:
        yield ["Triangles", *(_triangles_text(movement, round) for round in rounds)]
    sit_outs = [_sit_outs_text(movement, round) for round in rounds]
    if any(sit_outs):
        yield ["Sits out", *sit_outs]


def _cell_text(movement: Movement, round: int, table: int) -> str:
    """Return the text of a table in a round: contestants and board sets."""
    return ", ".join(_seating_text(movement, s) for s in movement.seatings_at_table(round, table))


def _seating_text(movement: Movement, seating: Seating) -> str:
    """Return a seating as text: contestants and board sets."""
    if movement.contest.plays_alone:
        sides = [_partners_text(movement, side) for side in (seating.ns, seating.ew)]
        return f"{sides[0]} v {sides[1]} {' '.join(seating.sets)}"
    ns, ew = _side_text(movement, "ns", seating.ns), _side_text(movement, "ew", seating.ew)
    return f"{ns}-{ew} {' '.join(seating.sets)}".rstrip()


def _partners_text(movement: Movement, side: Side) -> str:
    """Return the players of a side in an individual."""
    return "+".join(movement.number(player) for player in players_of(side)) or NOBODY


def _side_text(movement: Movement, direction: str, side: Side) -> str:
    """Return the contestants of a side as text, with the direction if it is not their usual one."""
    if not isinstance(side, int):
        return _partners_text(movement, side)
    field = movement.field_of(side)
    is_away = field.prefix and field.name != direction
    return movement.label(side).replace(" ", "") if is_away else movement.number(side)


def _stand_text(movement: Movement, round: int, table: int) -> str:
    """Return the board sets on the board stand after a table in a round, as text."""
    waiting = [s.sets for s in movement.waiting(round) if s.after_table == table]
    return " ".join(chain.from_iterable(waiting))


def _triangles_text(movement: Movement, round: int) -> str:
    """Return the three-way matches of a round as text."""
    teams = [t.teams for t in movement.triangles if round in t.rounds]
    return ", ".join("-".join(movement.number(team) for team in three) for three in teams)


def _sit_outs_text(movement: Movement, round: int) -> str:
    """Return the contestants that sit out in a round as text."""
    return ", ".join(
        movement.label(contestant) + ("" if share == 1 else f" ({_share_text(share)} of it)")
        for contestant, share in movement.sit_outs(round)
    )


def _share_text(share: Fraction) -> str:
    """Return a part of a round as text: "half", or a fraction."""
    return "half" if share == Fraction(1, 2) else str(share)


def _column_blocks(columns: list[list[str]]) -> Iterator[str]:
    """Yield the chart's columns in blocks that fit side by side, each with the rounds."""
    first, *others = columns
    while True:
        block, width = [first], _column_width(first)
        while others and (len(block) == 1 or width + len(GAP) + _column_width(others[0]) <= WIDTH):
            width += len(GAP) + _column_width(others[0])
            block.append(others.pop(0))
        for line in zip(*block, strict=True):
            yield GAP.join(
                cell.ljust(_column_width(column)) for cell, column in zip(line, block, strict=True)
            )
        if not others:
            return
        yield ""


def _column_width(column: Sequence[str]) -> int:
    """Return the width of a chart's column in characters."""
    return max(map(len, column))
