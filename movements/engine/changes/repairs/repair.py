"""The coming rounds after a mistake: as planned if that is lawful, otherwise repaired.

Two contestants exchange places, or a table plays without boards that a contestant there has had. Or a table is left
out in a round if nothing else helps. Single players meet more than once anyway, and continue as planned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import combinations

from movements.engine import laws
from movements.engine.board_copies.borrowed_sets import borrowed_set
from movements.engine.declarations import Exemption
from movements.engine.families.rovers.transversal import Line
from movements.engine.laws.boards import boards_in_use_on_stands as stands_law
from movements.engine.model import Movement, Seating, Side

from ..layouts import RoundLayout, best_layouts
from ..lines import rotated_items

EXCHANGED = 1.0
OTHER_BOARDS = 1.5
FEWER_BOARDS = 3.0
LEFT_OUT = 10.0
MISTAKE = "it happened by mistake"


def correct_stands(movement: Movement) -> Movement:
    """Return the movement without sets on board stands that are at a table or have no copy left."""
    stands = []
    for stand in movement.stands:
        played = Counter(
            name for s in movement.in_round(stand.round) if s.is_played for name in {*s.sets}
        )
        waiting = tuple(name for name in stand.sets if played[name] < movement.copies)
        if waiting:
            stands.append(replace(stand, sets=waiting))
    mended = replace(movement, stands=tuple(stands))
    # with several copies, the copy that a table took is missing from one stand
    while missing := [v for v in stands_law(mended) if v.sets]:
        round, name = missing[0].round, missing[0].sets[0]
        at = next(i for i, s in enumerate(mended.stands) if s.round == round and name in s.sets)
        fewer = tuple(other for other in mended.stands[at].sets if other != name)
        here = (replace(mended.stands[at], sets=fewer),) if fewer else ()
        mended = replace(mended, stands=(*mended.stands[:at], *here, *mended.stands[at + 1 :]))
    return mended


def swapped_seating(seating: Seating, first: int, second: int) -> Seating:
    """Return a seating with two contestants exchanged."""
    becomes = {first: second, second: first}

    def swapped_side(old: Side) -> Side:
        """Return a side with the two contestants exchanged."""
        if isinstance(old, tuple):
            return (becomes.get(old[0], old[0]), becomes.get(old[1], old[1]))
        return old if old is None else becomes.get(old, old)

    return replace(seating, ns=swapped_side(seating.ns), ew=swapped_side(seating.ew))


def individual_rounds_as_planned(movement: Movement, fixed_rounds: int) -> Movement:
    """Return an individual's coming rounds as planned, without boards that a player has already played.

    Meetings beyond the planned number are declared, because they do less harm than a repeated board.
    """
    had = {
        (n, name)
        for s in movement.seatings
        if s.round <= fixed_rounds
        for n, name in _contestant_sets(s)
    }
    seatings = []
    for seating in movement.seatings:
        if seating.round > fixed_rounds:
            again = {name for n, name in _contestant_sets(seating) if (n, name) in had}
            seating = _remove_sets(seating, again)
        had |= {*_contestant_sets(seating)}
        seatings.append(seating)
    rest = correct_stands(replace(movement, seatings=tuple(seatings)))
    often = {v.contestants for v in laws.find_errors(rest) if v.law == "meet-once"}
    rounds = {
        couple: sorted({s.round for s in seatings if s.is_played and {*couple} <= {*s.contestants}})
        for couple in sorted(often)
    }
    declared = tuple(
        Exemption("meet-once", len(where), MISTAKE, couple, tuple(where))
        for couple, where in rounds.items()
    )
    return replace(rest, exemptions=rest.exemptions + declared)


def _contestant_sets(seating: Seating) -> Iterator[tuple[int, str]]:
    """Yield each contestant of a seating with each of its board sets."""
    if seating.is_played:
        for contestant in seating.contestants:
            for name in seating.sets:
                yield contestant, name


def _remove_sets(seating: Seating, names: Collection[str]) -> Seating:
    """Return a seating without these board sets; without any left it is not played."""
    left = tuple(name for name in seating.sets if name not in names)
    if len(left) == len(seating.sets):
        return seating
    return replace(seating, sets=left) if left else replace(seating, ew=None)


def repaired_rounds(
    movement: Movement, fixed_rounds: int, upset: tuple[int, ...], *, with_boards: bool = False
) -> Movement | None:
    """Choose for every coming round: as planned, with two affected contestants exchanged, or a table unplayed.

    With `with_boards`, their table may also play waiting boards, drop boards already played, or exchange with
    another.
    """
    history = tuple(seating for seating in movement.seatings if seating.round <= fixed_rounds)
    rounds = range(fixed_rounds + 1, movement.rounds + 1)
    chosen = best_layouts(
        history,
        [
            _layouts_of_round(movement, fixed_rounds, round, upset, with_boards=with_boards)
            for round in rounds
        ],
    )
    if chosen is None:
        return None
    future = tuple(seating for layout in chosen for seating in layout.seatings)
    rest = replace(movement, seatings=history + future)
    return correct_stands(rest) if with_boards else rest


def _layouts_of_round(
    movement: Movement,
    fixed_rounds: int,
    round: int,
    upset: tuple[int, ...],
    *,
    with_boards: bool = False,
) -> list[RoundLayout]:
    """Return the possible seatings of a round: as planned, with exchanges, or with tables unplayed."""
    planned = movement.in_round(round)
    layouts = [RoundLayout(planned)]
    for contestant, other in combinations([n for n in upset if n not in movement.absent(round)], 2):
        if movement.field_of(contestant) != movement.field_of(other):
            continue  # with two winners, contestants of the same field never meet
        exchanged = tuple(swapped_seating(s, contestant, other) for s in planned)
        if exchanged != planned:
            layouts.append(RoundLayout(exchanged, EXCHANGED))
    tables = [s.table for s in planned if set(s.contestants) & set(upset)]
    if with_boards:
        layouts += _layouts_with_other_boards(movement, round, tables)
        layouts += _seatings_without_played_boards(movement, fixed_rounds, planned)
    for count in range(1, len(set(tables)) + 1):
        for left_out in combinations(dict.fromkeys(tables), count):
            layouts.append(
                RoundLayout(
                    tuple(s for p in planned for s in _cancel_table(p, left_out)), LEFT_OUT * count
                )
            )
    return layouts


def _layouts_with_other_boards(
    movement: Movement, round: int, tables: list[int]
) -> Iterator[RoundLayout]:
    """Yield seatings of a round in which a table plays another board set."""
    planned = movement.in_round(round)
    whole = {s.table: s for s in planned if len(s.sets) == 1}
    whole = {t: s for t, s in whole.items() if len(movement.seatings_at_table(round, t)) == 1}
    played = {name for s in planned if s.is_played for name in s.sets}
    lying = [name for name in movement.sets if name not in played and not borrowed_set(name)]
    for table in dict.fromkeys(tables):
        if table not in whole:
            continue
        here = whole[table]
        for name in lying:
            layouts = {here: replace(here, sets=(name,))}
            yield RoundLayout(tuple(layouts.get(s, s) for s in planned), OTHER_BOARDS)
        for other in whole.values():
            if other.table != table and other.sets != here.sets:
                layouts = {
                    here: replace(here, sets=other.sets),
                    other: replace(other, sets=here.sets),
                }
                yield RoundLayout(tuple(layouts.get(s, s) for s in planned), 2 * OTHER_BOARDS)


def _seatings_without_played_boards(
    movement: Movement, fixed_rounds: int, planned: tuple[Seating, ...]
) -> Iterator[RoundLayout]:
    """Yield a seating of a round without the boards that a contestant has already played."""
    had = {
        (n, name)
        for s in movement.seatings
        if s.round <= fixed_rounds
        for n, name in _contestant_sets(s)
    }
    left = tuple(
        _remove_sets(s, {name for n, name in _contestant_sets(s) if (n, name) in had})
        for s in planned
    )
    if left != planned and all(
        seating.is_played or not s.is_played for seating, s in zip(left, planned, strict=True)
    ):
        yield RoundLayout(left, FEWER_BOARDS)


def _cancel_table(seating: Seating, tables: tuple[int, ...]) -> tuple[Seating, ...]:
    """Return a seating of a table that is not played, so that both pairs sit out."""
    if seating.table not in tables:
        return (seating,)
    return (replace(seating, ew=None),)


# ── whole evenings ──


def remove_repeats(movement: Movement, fixed_rounds: int) -> Movement:
    """Return the movement without coming boards or tables that would repeat a board or a meeting.

    Boards that a contestant at a table has had are put aside. If none are left, or two would meet again, the table is
    not played. Deterministic: the first occurrence in the session is played.
    """
    met: dict[frozenset[int], int] = {}
    had: set[tuple[int, str]] = set()
    seatings = []
    for seating in sorted(movement.seatings, key=lambda s: s.round):
        if seating.round > fixed_rounds and seating.is_played:
            seating = _remove_sets(
                seating,
                {n for contestant, n in _contestant_sets(seating) if (contestant, n) in had},
            )
            couple = frozenset(seating.contestants)
            if seating.is_played and met.get(couple, seating.round) != seating.round:
                seating = replace(seating, ew=None)
        if seating.is_played:
            met.setdefault(frozenset(seating.contestants), seating.round)
            had |= {*_contestant_sets(seating)}
        seatings.append(seating)
    return correct_stands(replace(movement, seatings=tuple(seatings)))


def sessions_with_exchange(
    movement: Movement, fixed_rounds: int, first: int, second: int
) -> Iterator[tuple[Movement, dict[str, int]]]:
    """Yield the proposal in which two contestants exchange seats in all coming rounds."""
    if movement.field_of(first) != movement.field_of(second) and not movement.is_one_winner:
        return
    exchanged = tuple(
        swapped_seating(seating, first, second) if seating.round > fixed_rounds else seating
        for seating in movement.seatings
    )
    yield remove_repeats(replace(movement, seatings=exchanged), fixed_rounds), {"exchange": 1}


def line_up(seatings: tuple[Seating, ...], direction: Line, up: int) -> tuple[Seating, ...]:
    """Return a round's seatings with a direction moved up in a circle by `up` tables.

    A table without boards is not played.
    """
    sides = [getattr(seating, direction) for seating in seatings]
    moved = rotated_items(sides, up)
    return tuple(
        seating if seating.sets or not seating.is_played else replace(seating, ew=None)
        for seating in (
            replace(seating, **{direction: side})
            for seating, side in zip(seatings, moved, strict=True)
        )
    )


def line_continuations(
    movement: Movement, fixed_rounds: int, direction: Line
) -> Iterator[tuple[Movement, dict[str, int]]]:
    """Yield movements in which a direction continues some tables away from its plan.

    The shift is the same in all coming rounds, or changes once, as by a skip. The session with the fewest unplayed
    tables is chosen.
    """
    rounds = {
        round: tuple(s for s in movement.in_round(round))
        for round in range(fixed_rounds + 1, movement.rounds + 1)
    }
    tables = movement.tables
    if any([s.table for s in here] != [*range(1, tables + 1)] for here in rounds.values()):
        return
    history = tuple(s for s in movement.seatings if s.round <= fixed_rounds)
    least: tuple[int, int, Movement] | None = None
    planned = {number for seating in movement.seatings for number in seating.contestants}
    ways = [(up, up, movement.rounds) for up in range(tables)]
    ways += [
        (up, (up + more) % tables, after)
        for up in range(tables)
        for more in (1, -1)
        for after in range(fixed_rounds + 1, movement.rounds)
    ]
    for first, then, after in ways:
        future = [
            seating
            for round, here in rounds.items()
            for seating in line_up(here, direction, first if round <= after else then)
        ]
        playing = {n for s in (*history, *future) if s.is_played for n in s.contestants}
        harm = _count_repeats(history, future) + len(planned - playing)
        trouble = min(first, tables - first) + min(then, tables - then)
        if least is None or (harm, trouble) < least[:2]:
            least = harm, trouble, replace(movement, seatings=(*history, *future))
            if not harm and not trouble:
                break
    if least is not None:
        rest = remove_repeats(least[2], fixed_rounds)
        yield rest, {"goes": 1}


def _count_repeats(history: Iterable[Seating], future: Iterable[Seating]) -> int:
    """Return at how many coming tables a meeting or a board set would repeat."""
    met: set[frozenset[int]] = set()
    had: set[tuple[int, str]] = set()
    for seating in history:
        if seating.is_played:
            met.add(frozenset(seating.contestants))
            had |= {*_contestant_sets(seating)}
    again = 0
    for seating in future:
        if seating.is_played:
            plays = {*_contestant_sets(seating)}
            couple = frozenset(seating.contestants)
            if couple in met or not plays.isdisjoint(had):
                again += 1
            else:
                met.add(couple)
                had |= plays
    return again
