"""Evenness of our movements beside the published ones, the best known figures, the bound and the time.

    python -m tests.benchmarks.bench_fairness [iterations]

The targets are the best figures known, held in `fairness_targets`. The bound (`engine.bounds`) holds
for the meetings in the movement at hand. More iterations than the usual ones search longer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from random import Random
from time import perf_counter

from movements.engine import catalogue
from movements.engine.fairness.balance import balance
from movements.engine.fairness.bounds import highest_quality
from movements.engine.fairness.switching import ITERATIONS, Switching, switchings
from movements.engine.fairness.switching_search import Level, rounds_to_switch
from movements.engine.model import Movement
from movements.engine.options import arrow_switched, merge_fields
from tests.engine.possible import howell_bound, lowest_sd

from .fairness_targets import (
    BOARDS,
    CEILINGS,
    HOWELLS,
    HOWELLS_BY_BOARD,
    INCOMPLETE,
    PARTIAL_BY_BOARD,
    PARTIAL_HOWELLS,
    PRINTED,
    SETS,
    TWO_WINNERS,
)

ORDER: tuple[Level, ...] = ("none", "rounds", "room", "tables")
Say = Callable[[str], None]


def complete(tables: int) -> Movement:
    """Return a Mitchell in which every pair plays every set."""
    return catalogue.build_movement("mitchell" if tables % 2 else "share-and-relay", tables)


def best_up_to(found: tuple[Switching, ...], level: Level) -> Switching:
    """Return the fairest switching no harder to announce than a level."""
    return [item for item in found if ORDER.index(item.level) <= ORDER.index(level)][-1]


def searched(
    movement: Movement, boards: int, iterations: int
) -> tuple[tuple[Switching, ...], float]:
    """Return the switchings found and the seconds they took."""
    begin = perf_counter()
    switching = switchings(movement, boards, rng=Random(1), iterations=iterations)
    return switching, perf_counter() - begin


def against(ours: float, target: float | None, digits: int) -> str:
    """Return ours beside the target."""
    known = "-" if target is None else f"{target:.{digits}f}"
    return f"{ours:8.{digits}f} ({known:>6})"


def eighth(movement: Movement) -> Movement:
    """Return a movement in one field with the last eighth of its rounds switched: the usual rule."""
    rounds = movement.rounds
    last = range(rounds - rounds_to_switch(rounds) + 1, rounds + 1)
    return arrow_switched(merge_fields(movement), last)


def main(iterations: int = ITERATIONS) -> None:
    """Print everything."""
    say = partial(print, flush=True)
    say(f"One winner, {iterations} trials. Ours (known to be reachable); - where nothing is known.")
    mitchells(say, iterations)
    boards_of_mitchells(say, iterations)
    incomplete(say, iterations)
    two_winners(say)
    ceilings(say)
    howells(say)
    howells_by_board(say, iterations)
    partial_howells(say)
    partial_howells_by_board(say, iterations)
    printed(say)
    measuring(say)


def mitchells(say: Say, iterations: int) -> None:
    """Complete Mitchells, sets turned whole."""
    say(
        "\nMitchells, sets whole, sd  published      whole rounds         any table  turned  bound  seconds"
    )
    for tables, (rounds, free) in SETS.items():
        movement = complete(tables)
        found, seconds = searched(movement, 1, iterations)
        by_rounds, by_tables = best_up_to(found, "rounds"), found[-1]
        say(
            f"{tables:2} tables {balance(eighth(movement)).sd:27.3f}"
            f"{against(by_rounds.balance.sd, rounds, 3):>18}"
            f"{against(by_tables.balance.sd, free, 3):>18}{by_tables.switches:8}"
            f"{lowest_sd(movement, 1):7.3f}{seconds:9.2f}"
        )


def boards_of_mitchells(say: Say, iterations: int) -> None:
    """Complete Mitchells, boards turned one by one."""
    say(
        "\nMitchells, boards, Qf      published        whole room         any table  turned  luck U  seconds"
    )
    for (tables, boards), (room, free) in BOARDS.items():
        movement = complete(tables)
        found, seconds = searched(movement, boards, iterations)
        by_room, by_tables = best_up_to(found, "room"), found[-1]
        say(
            f"{tables:2} tables x {boards} {balance(eighth(movement)).quality:23.2f}"
            f"{against(by_room.balance.quality, room, 2):>18}"
            f"{against(by_tables.balance.quality, free, 1):>18}{by_tables.switches:8}"
            f"{by_tables.balance.luck:8.1%}{seconds:9.2f}"
        )


def incomplete(say: Say, iterations: int) -> None:
    """Print movements in which some pairs miss sets; sets are turned whole."""
    say(
        "\nincomplete, sets whole, Qf     published         any table  turned  luck U  bound  seconds"
    )
    for (family, tables, rounds), free in INCOMPLETE.items():
        movement = catalogue.build_movement(family, tables, rounds)
        found, seconds = searched(movement, 1, iterations)
        last = found[-1]
        say(
            f"{f'{family} {tables}x{rounds}':25}{balance(eighth(movement)).quality:15.1f}"
            f"{against(last.balance.quality, free, 1):>18}{last.switches:8}"
            f"{last.balance.luck:8.1%}{highest_quality(movement, 1):7.1f}{seconds:9.2f}"
        )


def two_winners(say: Say) -> None:
    """Movements with two winners: the luck is in the other line."""
    say("\ntwo winners, luck U in percent     ours (known)")
    for (family, tables, rounds), known in TWO_WINNERS.items():
        luck = 100 * balance(catalogue.build_movement(family, tables, rounds)).luck
        say(f"{f'{family} {tables}x{rounds}':26}{against(luck, known, 1):>20}")


def ceilings(say: Say) -> None:
    """Webs in one field: the bound of any arrow-switching."""
    say("\nwebs in one field, Qf at most      ours (known)  seconds")
    for (tables, rounds), known in CEILINGS.items():
        begin = perf_counter()
        ours = highest_quality(catalogue.build_movement("web", tables, rounds))
        seconds = perf_counter() - begin
        say(f"{f'web {tables}x{rounds}':26}{against(ours, known, 1):>20}{seconds:9.2f}")


def howells(say: Say) -> None:
    """Complete Howells, sets whole."""
    say("\ncomplete Howells, sd               ours (known)  bound  luck U  seconds")
    for tables, known in HOWELLS.items():
        begin = perf_counter()
        measured = balance(catalogue.build_movement("howell", tables))
        seconds = perf_counter() - begin
        say(
            f"{tables:2} tables {against(measured.sd, known, 3):>37}{howell_bound(tables):7.3f}"
            f"{measured.luck:8.1%}{seconds:9.2f}"
        )


def howells_by_board(say: Say, iterations: int) -> None:
    """Complete Howells of odd tables, boards turned one by one."""
    say("\ncomplete Howells, boards, Qf       ours (known)  turned  luck U  seconds")
    for (tables, boards), known in HOWELLS_BY_BOARD.items():
        _by_board(say, catalogue.build_movement("howell", tables), boards, known, iterations)


def partial_howells_by_board(say: Say, iterations: int) -> None:
    """Three-quarter Howells, boards turned one by one."""
    say("\nthree-quarter Howells, boards, Qf  ours (known)  turned  luck U  seconds")
    for (tables, rounds, boards), known in PARTIAL_BY_BOARD.items():
        movement = catalogue.build_movement("partial-howell", tables, rounds)
        _by_board(say, movement, boards, known, iterations)


def _by_board(
    say: Say, movement: Movement, boards: int, known: float | None, iterations: int
) -> None:
    found, seconds = searched(movement, boards, iterations)
    last = found[-1]
    say(
        f"{f'{movement.tables}x{movement.rounds} x {boards}':26}"
        f"{against(last.balance.quality, known, 1):>20}{last.switches:8}"
        f"{last.balance.luck:8.1%}{seconds:9.2f}"
    )


def partial_howells(say: Say) -> None:
    """Three-quarter Howells of every size: starter and arrow-switches are kept, not searched here."""
    say("\nthree-quarter Howells, sd      ours (steady  free)  bound  luck U  seconds")
    for (tables, rounds), (steady, free) in PARTIAL_HOWELLS.items():
        begin = perf_counter()
        movement = catalogue.build_movement("partial-howell", tables, rounds)
        measured = balance(movement)
        seconds = perf_counter() - begin
        mark = "" if measured.sd <= free + 0.0006 else "  not yet"
        say(
            f"{f'{tables}x{rounds}':22}{measured.sd:13.3f} ({steady:6.3f}{free:6.3f})"
            f"{lowest_sd(movement, 1):7.3f}{measured.luck:8.1%}{seconds:9.2f}{mark}"
        )


def printed(say: Say) -> None:
    """Movements as they were printed, beside ours of the same size."""
    say("\nas printed, sd                 printed    ours  Qf printed    ours")
    for (family, tables, rounds), (options, ours) in PRINTED.items():
        old = balance(catalogue.build_movement(family, tables, rounds, options=options))
        new = balance(catalogue.build_movement(ours, tables, rounds))
        say(
            f"{f'{family} {tables}x{rounds}':26}{old.sd:12.3f}{new.sd:8.3f}"
            f"{old.quality:12.1f}{new.quality:8.1f}"
        )


def measuring(say: Say) -> None:
    """Print the time of one measurement."""
    say("\nmeasuring one movement, milliseconds")
    for family, tables, rounds in (("skip-mitchell", 16, 15), ("skip-mitchell", 40, 39)):
        movement = merge_fields(catalogue.build_movement(family, tables, rounds))
        say(f"{f'{family} {tables}x{rounds}':26}{1000 * min(_times(movement, range(5))):20.1f}")


def _times(movement: Movement, tries: Iterable[int]) -> Iterable[float]:
    for _ in tries:
        begin = perf_counter()
        balance(movement)
        yield perf_counter() - begin


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
