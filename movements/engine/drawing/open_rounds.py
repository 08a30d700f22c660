"""Movements with open rounds: the contestants to draw, their meetings, and the result of a draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from ..declarations import Exemption, Triangle
from ..model import Movement, Seating, set_name
from .draws import Draw

LEFT = "has left"
DRAWN_LATER = "drawn when results are in"
MET_AGAIN = "two meet again"
TABLES = "as many tables as the round needs"
SWISS = Exemption("draw", 1, "not everybody meets everybody")
KNOCK_OUT = Exemption("draw", 2, "two who went on from a triangle may meet again")


def contestants_to_draw(movement: Movement) -> list[int]:
    """Return the contestants to draw for the next round: present, and not still in a long three-way match.

    Raises `LookupError` if every round is drawn.
    """
    round = _next_open_round(movement)
    busy = {team for t in movement.triangles if round in t.rounds for team in t.teams}
    away = movement.absent(round) | busy
    return [n for n in movement.contestants if n not in away and not _has_left(movement, n)]


def drawn_meetings(movement: Movement, since: int = 1) -> frozenset[frozenset[int]]:
    """Return every two contestants that have met, in matches of two or three, from round `since` on."""
    met = {
        frozenset(two)
        for seating in movement.seatings
        if seating.is_played and seating.round >= since
        for two in combinations(seating.contestants, 2)
    }
    return frozenset(met | {two for two, round in triangle_meetings(movement) if round >= since})


def triangle_meetings(movement: Movement) -> Iterator[tuple[frozenset[int], int]]:
    """Yield every two teams that meet in a three-way match, with its last round; absent teams meet nobody."""
    for triangle in movement.triangles:
        for two in combinations(triangle.teams, 2):
            rounds = [round for round in triangle.rounds if not movement.absent(round) & {*two}]
            if rounds:
                yield frozenset(two), rounds[-1]


def contestants_without_further_bye(movement: Movement) -> frozenset[int]:
    """Return the contestants that should get no bye: they had one, lacked an opponent, or played three-way."""
    threes = {
        team
        for t in movement.triangles
        for team in t.teams
        if any(team not in movement.absent(round) for round in t.rounds)
    }
    idle = {
        contestant
        for round in range(1, movement.rounds + 1)
        if round not in movement.open_rounds
        for contestant in _idle_contestants(movement, round)
    }
    return frozenset(idle | threes)


def _idle_contestants(movement: Movement, round: int) -> set[int]:
    """Return the present contestants without an opponent in a drawn round."""
    playing = {
        contestant for s in movement.in_round(round) if s.is_played for contestant in s.contestants
    }
    busy = {team for t in movement.triangles if round in t.rounds for team in t.teams}
    return {*movement.contestants} - playing - busy - movement.absent(round)


def apply_draw(
    movement: Movement, draw: Draw, *, is_long: bool = False, is_repeated: bool = False
) -> Movement:
    """Return the movement with a draw as its next round.

    A bye is a seating without opponents. A triangle is the short one, in this round only, or the long one, in this
    round and the next, if there is a next. A present team that is not in the draw has left: it lost its match in a
    knock-out, or went home. With `is_repeated`, meetings may repeat. If pairs need more or fewer tables than before,
    this round has them. Raises `LookupError` if every round is drawn.
    """
    round = _next_open_round(movement)
    sides: list[tuple[int, int | None]] = [*draw.matches]
    if draw.bye is not None:
        sides.append((draw.bye, None))
    tables = draw.tables or range(1, len(sides) + 1)
    sets = _sets_of(movement, round)
    seatings = tuple(
        seated_match(movement, Seating(round, table, home, away, sets))
        for table, (home, away) in sorted(zip(tables, sides, strict=True))
    )
    rounds = (round, round + 1) if is_long and round < movement.rounds else (round,)
    triangles = tuple(Triangle(rounds, teams) for teams in draw.triangles)
    busy = {team for t in movement.triangles if round in t.rounds for team in t.teams}
    playing = draw.contestants | busy | movement.absent(round)
    left = tuple(contestant for contestant in movement.contestants if contestant not in playing)
    exemptions = tuple(_remove_round(item, round) for item in movement.exemptions)
    if is_repeated:
        exemptions += tuple(_repeated_meeting_exemptions(movement, draw))
    if left and not movement.sets:
        exemptions += (Exemption("draw", 0, LEFT, left, (round,)),)
    drawn = replace(
        movement,
        seatings=movement.seatings + seatings,
        triangles=movement.triangles + triangles,
        exemptions=tuple(item for item in exemptions if item.law != "structure" or item.rounds),
    )
    return _set_tables(drawn, round, len(sides)) if movement.sets else drawn


def seated_match(movement: Movement, match: Seating) -> Seating:
    """Return a drawn match's seating, without boards that one side has played by mistake.

    If none are left, the table is not played.
    """
    if not (match.is_played and match.sets):
        return match
    before = {
        name
        for contestant in match.contestants
        for seating in movement.seatings_of(contestant)
        if seating.is_played and seating.round < match.round
        for name in seating.sets
    }
    left = tuple(name for name in match.sets if name not in before)
    return replace(match, sets=left) if left else replace(match, ew=None)


def _sets_of(movement: Movement, round: int) -> tuple[str, ...]:
    """Return the board set of a drawn round of pairs, or its parts; empty for teams."""
    whole = set_name(round - 1)
    return tuple(name for name in movement.sets if name.rstrip("0123456789.") == whole)


def _next_open_round(movement: Movement) -> int:
    """Return the next round to draw; raise `LookupError` if there is none."""
    if not movement.open_rounds:
        raise LookupError("every round is drawn")
    return movement.open_rounds[0]


def _repeated_meeting_exemptions(movement: Movement, draw: Draw) -> Iterator[Exemption]:
    """Yield the exemptions that allow meetings which a draw repeats."""
    met = Counter(
        frozenset(two)
        for seating in movement.seatings
        if seating.is_played
        for two in combinations(seating.contestants, 2)
    )
    met.update(two for two, _ in triangle_meetings(movement))
    for couple in draw.couples:
        if met[couple]:
            law = "meet-once" if movement.sets else "draw"
            contestant = tuple(sorted(couple)) if movement.sets else ()
            yield Exemption(law, met[couple] + 1, MET_AGAIN, contestant)


def _set_tables(movement: Movement, round: int, tables: int) -> Movement:
    """Return the movement with this number of tables in a round of pairs, and a copy of the boards for each."""
    if tables == movement.tables:
        return movement
    if tables < movement.tables:
        fewer = Exemption("tables", tables, TABLES, (), (round,))
        return replace(movement, exemptions=(*movement.exemptions, fewer))
    with_tables = {r for item in movement.exemptions if item.law == "tables" for r in item.rounds}
    before = tuple(r for r in range(1, round) if r not in with_tables)
    exemptions = movement.exemptions
    if before:
        exemptions += (Exemption("tables", movement.tables, TABLES, (), before),)
    return replace(
        movement, tables=tables, copies=max(movement.copies, tables), exemptions=exemptions
    )


def _remove_round(item: Exemption, round: int) -> Exemption:
    """Return the exemption that lists rounds not drawn yet, without `round`; other exemptions unchanged."""
    if item.law != "structure":
        return item
    return replace(item, rounds=tuple(r for r in item.rounds if r != round))


def _has_left(movement: Movement, contestant: int) -> bool:
    """Return whether a contestant has left during the session."""
    return any(item.why == LEFT and contestant in item.contestants for item in movement.exemptions)


def open_declaration(rounds: int) -> Exemption:
    """Return the exemption that says that all rounds of a movement are still to be drawn."""
    return Exemption("structure", 0, DRAWN_LATER, rounds=tuple(range(1, rounds + 1)))
