"""The Hybrid: first a Mitchell of two lines, then a Howell within each line; everybody meets everybody."""

from __future__ import annotations

from dataclasses import replace

from ..errors import UnknownOption, WrongTables
from ..model import Field, Movement, Seating, set_names
from ..options import arrow_switched, as_one_field
from .family import Family, Option
from .grid import need_rounds
from .howell import howell
from .published import published
from .share_and_relay import share_and_relay

SIZES = (4, 8, 10, 12, 14, 16, 18, 20)


def hybrid(tables: int, rounds: int | None = None, version: str = "usual") -> Movement:
    """Return the Hybrid: T rounds of a Mitchell, then a complete Howell in each half of the room.

    Two copies of the boards. With 4 tables it is the printed one, whose directions are chosen for a
    perfect balance (`version` "built" builds it like the others). For even numbers of tables whose half
    has a complete Howell.

    Raises `WrongTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.22 (Wikipedia).

    >>> hybrid(8).rounds
    15
    """
    if tables not in SIZES:
        raise WrongTables(
            "hybrid", tables=tables, needs="4, 8 or another even number of tables up to 20"
        )
    rounds = 2 * tables - 1 if rounds is None else rounds
    need_rounds("hybrid", tables, rounds, (2 * tables - 1,))
    if version not in ("usual", "built"):
        raise UnknownOption("hybrid", option="version", value=version, allowed="usual, built")
    if tables == 4 and version == "usual":
        return published("hybrid-4x7")
    first = as_one_field(share_and_relay(tables))
    turned = arrow_switched(first, range(1, tables + 1, 2), range(2, tables + 1, 2))
    second = howell(tables // 2)
    sets = set_names(2 * tables - 1)
    later = dict(zip(second.sets, sets[tables:], strict=True))
    seatings = list(turned.seatings)
    for half in (0, 1):
        for s in second.seatings:
            assert isinstance(s.ns, int)
            assert isinstance(s.ew, int)
            seatings.append(
                Seating(
                    s.round + tables,
                    s.table + half * tables // 2,
                    s.ns + half * tables,
                    s.ew + half * tables,
                    tuple(later[name] for name in s.sets),
                )
            )
    return replace(
        turned,
        family="hybrid",
        rounds=2 * tables - 1,
        fields=(Field("pairs", tuple(str(n) for n in range(1, 2 * tables + 1))),),
        sets=sets,
        seatings=tuple(sorted(seatings, key=lambda s: (s.round, s.table))),
        copies=2,
        shared=(),
        stands=(),
    )


FAMILY = Family(
    name="hybrid",
    title="Hybrid",
    build=hybrid,
    rounds=lambda tables: (2 * tables - 1,) if tables in SIZES else (),
    smallest=4,
    largest=20,
    needs="4, 8 or another even number of tables up to 20",
    winners=1,
    options=(Option("version", "choice", "the printed one, or built", ("usual", "built")),),
    source="Wikipedia, Duplicate bridge movements; larger sizes built by its rule",
)
