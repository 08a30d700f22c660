"""The Hybrid: first a Mitchell, then a Howell within each line; all meet all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from movements.engine.declarations import Share, Stand
from movements.engine.errors import UnknownOption, WrongTables
from movements.engine.model import Field, Movement, Seating, set_names
from movements.engine.options import arrow_switched, merge_fields
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds
from ..mitchells.hesitation import hesitation
from ..mitchells.share_and_relay import share_and_relay
from ..published import published_movement
from .howell import howell

SMALLEST, LARGEST = 4, 21


def hybrid(tables: int, rounds: int | None = None, version: str = "usual") -> Movement:
    """Return the Hybrid Howell: 2T - 1 rounds in two stanzas, in which all pairs meet.

    Even tables: T rounds of a Mitchell, then a complete Howell in each half of the room, on two copies of the boards.
    With 4 tables it is the printed one, whose directions are chosen for a perfect balance (`version` "built" builds
    it like the others). Odd tables: T + 1 rounds of a Hesitation, then a Howell of the stationary pairs. Beside it
    the movers play rounds against those they did not meet at the hesitation table. There all their tables play the
    same set and need a copy each.

    Raises `WrongTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.22 (Wikipedia).

    >>> hybrid(8).rounds, hybrid(5).rounds
    (15, 9)
    """
    if not SMALLEST <= tables <= LARGEST:
        raise WrongTables("hybrid", tables=tables, needs=f"{SMALLEST} to {LARGEST} tables")
    rounds = 2 * tables - 1 if rounds is None else rounds
    require_allowed_rounds("hybrid", tables, rounds, (2 * tables - 1,))
    if version not in ("usual", "built"):
        raise UnknownOption("hybrid", option="version", value=version, allowed="usual, built")
    if tables == 4 and version == "usual":
        return published_movement("hybrid-4x7")
    return _odd_hybrid(tables) if tables % 2 else _even_hybrid(tables)


def _even_hybrid(tables: int) -> Movement:
    """Return the Hybrid Howell for an even number of tables."""
    first = merge_fields(share_and_relay(tables))
    turned = arrow_switched(first, range(1, tables + 1, 2), range(2, tables + 1, 2))
    half = tables // 2
    second = howell(half)
    return _joined_movement(
        replace(turned, shared=()),
        [*_moved_seatings(second, tables, 0, 0), *_moved_seatings(second, tables, half, tables)],
        copies=2,
        stands=(*_moved_stands(second, tables, 0), *_moved_stands(second, tables, half)),
        shared=tuple(
            Share(
                share.round + tables if share.round else 0, tuple(t + shift for t in share.tables)
            )
            for share in second.shared
            for shift in (0, half)
        ),
    )


def _odd_hybrid(tables: int) -> Movement:
    """Return the Hybrid Howell for an odd number of tables."""
    first = hesitation(tables)
    staying = (tables - 1) // 2
    second = howell(staying)
    later = second.rounds
    seatings = list(_moved_seatings(second, tables + 1, 0, 0))
    sets = set_names(2 * tables - 1)
    for r, couples in enumerate(_rounds_without_neighbours(tables + 1)):
        for place, (contestant, other) in enumerate(couples, start=1):
            ns, ew = (contestant, other) if (r + place) % 2 else (other, contestant)
            seatings.append(
                Seating(
                    tables + 2 + r,
                    staying + place,
                    tables + ns,
                    tables + ew,
                    (sets[tables + 1 + r],),
                )
            )
    assert later == tables - 2
    return _joined_movement(
        first,
        seatings,
        copies=(tables + 1) // 2 + 1,
        stands=_moved_stands(second, tables + 1, 0),
        shared=tuple(
            Share(share.round + tables + 1 if share.round else 0, share.tables)
            for share in second.shared
        ),
    )


def _rounds_without_neighbours(players: int) -> Iterator[list[tuple[int, int]]]:
    """Yield rounds in which players in a ring meet all others except their two neighbours.

    They come from the usual round robin. Two consecutive rounds form one ring of all, which defines the numbering;
    the other rounds are the result.
    """
    circle = players - 1

    def round_robin_pairs(r: int) -> list[tuple[int, int]]:
        """Return the pairs of a round of a round robin."""
        return [(circle, r % circle)] + [
            ((r + i) % circle, (r - i) % circle) for i in range(1, players // 2)
        ]

    partner = [
        {a: b for couple in round_robin_pairs(r) for a, b in (couple, couple[::-1])} for r in (0, 1)
    ]
    ring, here = [], circle
    for step in range(players):
        ring.append(here)
        here = partner[step % 2][here]
    name = {player: place for place, player in enumerate(ring)}
    for r in range(2, circle):
        yield [(name[a], name[b]) for a, b in round_robin_pairs(r)]


def _moved_seatings(second: Movement, rounds: int, tables: int, pairs: int) -> Iterator[Seating]:
    """Yield a Howell's seatings as later rounds, with board sets, tables and pairs shifted."""
    sets = set_names(rounds + len(second.sets))
    later = dict(zip(second.sets, sets[rounds:], strict=True))
    for seating in second.seatings:
        assert isinstance(seating.ns, int)
        assert isinstance(seating.ew, int)
        yield Seating(
            seating.round + rounds,
            seating.table + tables,
            seating.ns + pairs,
            seating.ew + pairs,
            tuple(later[name] for name in seating.sets),
        )


def _moved_stands(second: Movement, rounds: int, tables: int) -> tuple[Stand, ...]:
    """Return a Howell's board stands as those of later rounds, with board sets and tables shifted."""
    sets = set_names(rounds + len(second.sets))
    later = dict(zip(second.sets, sets[rounds:], strict=True))
    return tuple(
        Stand(
            stand.round + rounds,
            stand.after_table + tables,
            tuple(later[name] for name in stand.sets),
        )
        for stand in second.stands
    )


def _joined_movement(
    first: Movement,
    seatings: list[Seating],
    *,
    copies: int,
    shared: tuple[Share, ...],
    stands: tuple[Stand, ...],
) -> Movement:
    """Return the movement of two stanzas played one after the other."""
    tables = first.tables
    return replace(
        first,
        family="hybrid",
        rounds=2 * tables - 1,
        fields=(Field("pairs", tuple(str(n) for n in range(1, 2 * tables + 1))),),
        sets=set_names(2 * tables - 1),
        seatings=tuple(sorted([*first.seatings, *seatings], key=lambda s: (s.round, s.table))),
        copies=copies,
        shared=shared,
        stands=(*first.stands, *stands),
    )


FAMILY = Family(
    name="hybrid",
    title=marked_for_players("Hybrid"),
    build=hybrid,
    rounds=lambda tables: (2 * tables - 1,),
    smallest=SMALLEST,
    largest=LARGEST,
    needs=marked("4 to 21 tables"),
    winners=1,
    options=(
        FamilyOption("version", "choice", marked("the printed one, or built"), ("usual", "built")),
    ),
    source="Wikipedia, Duplicate bridge movements; other sizes built by its rule",
)
