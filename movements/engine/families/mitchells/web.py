"""Webs: more tables than rounds, the boards in several copies, half the tables in reverse order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from movements.engine.declarations import Share, Stand
from movements.engine.errors import UnknownOption, WrongRounds
from movements.engine.model import Movement, set_name
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_enough_tables, two_lines

USUAL_ROUNDS = 13
LAYOUTS = ("web", "natural")


@dataclass(frozen=True, slots=True)
class _WebState:
    """Computes where boards are in a web movement, round by round."""

    tables: int
    rounds: int
    blocks: int
    after: int = 0

    @property
    def half(self) -> int:
        """Return how many tables each half of the web has, without its complete blocks."""
        return (self.tables - self.blocks * self.rounds) // 2

    @property
    def copies(self) -> int:
        """Return which tables use each copy of the boards: every block one, and each half of the web one."""
        return self.blocks + min(self.half, 2)

    @property
    def shared(self) -> tuple[Share, ...]:
        """Return the declaration that the two tables of the smallest web share the set that both play halfway."""
        if self.half != 1 or self.rounds % 2 == 0:
            return ()
        return (Share(self.after + (self.rounds + 1) // 2, (self.tables - 1, self.tables)),)

    def set_at_table(self, r: int, t: int) -> int:
        """Return the board set at table t in round r, all counted from 0."""
        r -= self.after
        if t >= self.tables - self.half:
            return self.after + (self.tables - 2 - t - r) % self.rounds
        if t >= self.blocks * self.rounds:
            t -= self.blocks * self.rounds
        return self.after + (t + r) % self.rounds

    def stands(self) -> Iterator[Stand]:
        """Yield the board sets that wait behind each half of the web, in the order of their arrival."""
        if not 0 < self.half < self.rounds:
            return
        for r in range(self.rounds):
            coming = [(i + r) % self.rounds for i in range(self.half, self.rounds)]
            waiting = [g for g in coming if self.half > 1 or self._comes_to_lower(g, r)]
            yield from self._stand(r, self.tables - self.half, waiting)
        for r in range(self.rounds):
            coming = [(k - 1 - r) % self.rounds for k in range(self.rounds - 1, self.half - 1, -1)]
            waiting = [g for g in coming if self.half > 1 or self._comes_to_upper(g, r)]
            yield from self._stand(r, self.tables, waiting)

    def _comes_to_lower(self, g: int, r: int) -> bool:
        """Return whether a web of two tables needs its only copy of set g at the lower table first."""
        lower, upper = (g - r) % self.rounds, (-1 - g - r) % self.rounds
        return r < g if lower == upper else lower < upper

    def _comes_to_upper(self, g: int, r: int) -> bool:
        """Return whether board set g comes to the upper tables of the web in round r."""
        return g != r and not self._comes_to_lower(g, r)

    def _stand(self, r: int, table: int, sets: Sequence[int]) -> Iterator[Stand]:
        """Yield the board stand after a table in round r with these board sets, if there are any."""
        if sets:
            yield Stand(self.after + r + 1, table, tuple(set_name(self.after + g) for g in sets))


def web(tables: int, rounds: int | None = None, layout: str = "web") -> Movement:
    """Return a web movement: `tables` tables play `rounds` rounds on as many board sets, with several copies.

    Complete blocks of tables come first, in natural order. The tables behind are the true web: its first half plays
    in natural order, its second half backwards from the last set. East-West go up one table; with an even number of
    rounds they skip one after half of them. `layout` "natural" uses blocks alone if the rounds divide the tables.

    There is a copy of the boards for every block, and two for the true web. A web of two tables needs only one, which
    both share in the middle round of an odd number. Sets that are not on their half of the web wait on a stand behind
    it.

    Raises `TooFewTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.11 (Wikipedia; QBA).

    >>> [s.sets[0] for s in web(6, 5).in_round(1)]
    ['A', 'B', 'C', 'B', 'A', 'E']
    """
    require_enough_tables("web", tables, 4)
    if layout not in LAYOUTS:
        raise UnknownOption("web", option="layout", value=layout, allowed=", ".join(LAYOUTS))
    legal = possible_rounds(tables, layout)
    if not legal:
        raise UnknownOption("web", option="layout", value=layout, allowed="web")
    rounds = usual_rounds(tables, layout) if rounds is None else rounds
    if rounds is None or rounds not in legal:
        raise WrongRounds("web", tables=tables, rounds=rounds or 0, allowed=legal)
    blocks = tables // rounds if layout == "natural" else _complete_blocks(tables, rounds)
    return _build_web("web", tables, _WebState(tables, rounds, blocks))


def bowman(tables: int, rounds: int | None = None) -> Movement:
    """Return the Bowman: a web with two rounds fewer than tables, on two copies of the boards.

    It is the web of one block and two tables: the next-to-last table plays as table 1 does, the last one backwards
    from the last set. With an odd number of rounds the last two share in the middle round. Raises `TooFewTables`,
    `WrongRounds`. Source: catalogue 2.12 (Wikipedia).

    >>> bowman(7).rounds
    5
    """
    require_enough_tables("bowman", tables, 5)
    rounds = tables - 2 if rounds is None else rounds
    if rounds != tables - 2:
        raise WrongRounds("bowman", tables=tables, rounds=rounds, allowed=(tables - 2,))
    return _build_web("bowman", tables, _WebState(tables, rounds, blocks=1))


def double_web(tables: int, rounds: int | None = None, first: int | None = None) -> Movement:
    """Return two web movements one after the other, each on board sets of its own.

    `first` counts the rounds of the first web. East-West go up one table, over the break too; a web with an even
    number of rounds has its skip. Raises `WrongTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.13
    (Wikipedia).

    >>> double_web(8).sets
    ('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H')
    """
    require_enough_tables("double-web", tables, 6)
    legal = possible_double_rounds(tables)
    if rounds is None:
        rounds = (possible_double_rounds(tables, first) or legal)[-1]
    if rounds not in legal:
        raise WrongRounds("double-web", tables=tables, rounds=rounds, allowed=tuple(legal))
    splits = [a for a in range(rounds - 2, 1, -1) if _is_possible_split(tables, a, rounds - a)]
    split = min(splits, key=lambda a: (abs(2 * a - rounds), -a)) if first is None else first
    if split not in splits:
        raise UnknownOption(
            "double-web", option="first", value=split, allowed=", ".join(map(str, sorted(splits)))
        )
    moved = _moves_before_rounds(split) + [
        place + _moves_before_rounds(split, closing=True)[-1]
        for place in _moves_before_rounds(rounds - split)
    ]
    webs = (
        _WebState(tables, split, _complete_blocks(tables, split)),
        _WebState(tables, rounds - split, _complete_blocks(tables, rounds - split), after=split),
    )
    return two_lines(
        "double-web",
        tables,
        rounds,
        east_west=lambda r, t: (t - moved[r]) % tables,
        board_set=lambda r, t: webs[r >= split].set_at_table(r, t),
        sets=rounds,
        copies=max(web.copies for web in webs),
        shared=tuple(share for web in webs for share in web.shared),
        stands=tuple(stand for web in webs for stand in web.stands()),
    )


def possible_rounds(tables: int, layout: str = "web") -> tuple[int, ...]:
    """Return the legal numbers of rounds of a web for so many tables."""
    if layout == "natural":
        return tuple(r for r in range(3, tables, 2) if tables % r == 0)
    return tuple(r for r in range(2, tables) if tables % 2 == 0 or r % 2 == 1)


def usual_rounds(tables: int, layout: str = "web") -> int | None:
    """Return the usual number of rounds of a web: odd, as many as the tables allow, at most 13."""
    odd = [r for r in possible_rounds(tables, layout) if r % 2 and r <= USUAL_ROUNDS]
    return odd[-1] if odd else None


def possible_double_rounds(tables: int, first: int | None = None) -> tuple[int, ...]:
    """Return the legal numbers of rounds of a double web, or of those with `first` in the first web."""
    return tuple(
        rounds
        for rounds in range(6, tables + 1)
        if any(
            _is_possible_split(tables, a, rounds - a)
            for a in (range(3, rounds - 2) if first is None else (first,))
        )
    )


def _is_possible_split(tables: int, first: int, second: int) -> bool:
    """Return whether two webs with these numbers of rounds exist for so many tables."""
    if min(first, second) < 3:
        return False
    even = (first % 2 == 0) + (second % 2 == 0)
    return tables >= first + second + even and (tables % 2 == 0 or even == 0)


def _complete_blocks(tables: int, rounds: int) -> int:
    """Return how many complete blocks of tables precede the web."""
    blocks = 0
    while (tables - blocks * rounds) % 2 or tables - blocks * rounds > 2 * rounds:
        blocks += 1
    return blocks


def _moves_before_rounds(rounds: int, *, closing: bool = False) -> list[int]:
    """Return by how many tables East-West of a web have moved in all before each round."""
    skip_after = rounds // 2 if rounds % 2 == 0 else rounds + 1
    return [r + (r >= skip_after) for r in range(rounds + closing)]


def _build_web(family: str, tables: int, plan: _WebState) -> Movement:
    """Return the web movement for these rounds and copies (`plan`)."""
    places = _moves_before_rounds(plan.rounds)
    return two_lines(
        family,
        tables,
        plan.rounds,
        east_west=lambda r, t: (t - places[r]) % tables,
        board_set=plan.set_at_table,
        sets=plan.rounds,
        copies=plan.copies,
        shared=plan.shared,
        stands=tuple(plan.stands()),
    )


WEB = Family(
    name="web",
    title=marked_for_players("Web"),
    build=web,
    rounds=possible_rounds,
    smallest=4,
    needs=marked("more tables than rounds, and an odd number of rounds where the tables are odd"),
    usual_rounds=usual_rounds,
    options=(
        FamilyOption(
            "layout", "choice", marked("the true web, or blocks alone"), LAYOUTS, sizes=True
        ),
    ),
    source="Wikipedia, Duplicate bridge movements; QBA, J. Peach 2011",
)
BOWMAN = Family(
    name="bowman",
    title=marked_for_players("Bowman"),
    build=bowman,
    rounds=lambda tables: (tables - 2,),
    smallest=5,
    needs=marked("at least 5 tables"),
    source="Wikipedia, Duplicate bridge movements",
)
DOUBLE_WEB = Family(
    name="double-web",
    title=marked_for_players("Double Web"),
    build=double_web,
    rounds=possible_double_rounds,
    smallest=6,
    needs=marked("at least as many tables as rounds"),
    options=(FamilyOption("first", "int", marked("rounds before the break"), sizes=True),),
    source="Wikipedia, Duplicate bridge movements",
)
