"""The Twin Mitchell: two rows of tables side by side, sharing their boards."""

from __future__ import annotations

from movements.engine.declarations import Share
from movements.engine.model import Movement
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family
from ..grid import require_allowed_rounds, require_even_tables, two_lines


def twin_mitchell(tables: int, rounds: int | None = None) -> Movement:
    """Return the Twin Mitchell for an even number of tables in two rows.

    Each row plays a Mitchell (with its skip if a row is even) and tables t and t + T/2 share their boards. With more
    rounds than one run has, the East-West pairs of neighbouring tables exchange rows and a second run is played on
    other boards: every North-South pair then meets the other row.

    Raises `OddTables`, `WrongRounds`. Source: catalogue 2.25 (QBA).

    >>> twin_mitchell(6).rounds, twin_mitchell(6).shared
    (6, (Share(round=0, tables=(1, 4), sets=()), Share(round=0, tables=(2, 5), sets=()), Share(round=0, tables=(3, 6), sets=())))
    """
    require_even_tables("twin-mitchell", tables, 6, instead=("mitchell",))
    row = tables // 2
    run = _rounds_of_run(tables)
    rounds = 2 * run if rounds is None else rounds
    require_allowed_rounds("twin-mitchell", tables, rounds, range(2, 2 * run + 1))
    skip_after = row // 2 if row % 2 == 0 else row

    def east_west(r: int, t: int) -> int:
        """Return the East-West pair at table `t` in round `r`, both counted from 0."""
        second, step = divmod(r, run)
        moved = step + (step >= skip_after)
        return (t // row + second) % 2 * row + (t % row - moved) % row

    return two_lines(
        "twin-mitchell",
        tables,
        rounds,
        east_west=east_west,
        board_set=lambda r, t: r // run * row + (t + r % run) % row,
        shared=tuple(Share(0, (t, t + row)) for t in range(1, row + 1)),
    )


def _rounds_of_run(tables: int) -> int:
    """Return the rounds in which a row of tables is played once: one fewer with a skip."""
    row = tables // 2
    return row if row % 2 else row - 1


FAMILY = Family(
    name="twin-mitchell",
    title=marked_for_players("Twin Mitchell"),
    build=twin_mitchell,
    rounds=lambda tables: range(2, 2 * _rounds_of_run(tables) + 1) if tables % 2 == 0 else range(0),
    smallest=6,
    needs=marked("an even number of tables"),
    source="QBA, J. Peach 2011",
)
