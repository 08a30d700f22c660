"""Hesitations: Mitchells in which the moving pairs also take one or two North-South seats."""

from __future__ import annotations

from movements.engine.contest import Contest
from movements.engine.declarations import Stand
from movements.engine.errors import WrongTables
from movements.engine.model import Field, Movement, Seating, set_name, set_names
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds, require_enough_tables, require_odd_tables, usual_switches
from ..published import published_movement


def hesitation(tables: int, rounds: int | None = None, switched: bool = True) -> Movement:
    """Return the Hesitation Mitchell for an odd number of tables: one winner, T + 1 rounds.

    North-South 1 to T - 1 stay. The others move up East-West, from the last table to its North-South seat, and from
    there to table 1. There is a stand after table (T - 1)/2. In the last round all tables but the last are
    arrow-switched (in the last two from 12 rounds on, an eighth of all), unless `switched` is False. With 11 and 13
    tables the middle table is not switched in the last round, which is fairer.

    Raises `EvenTables`, `WrongRounds`. Source: catalogue 2.16 (Wikipedia); more than one round switched: own search.

    >>> hesitation(5).stationary
    ()
    """
    require_odd_tables("hesitation", tables, 3, instead=("double-hesitation",))
    rounds = tables + 1 if rounds is None else rounds
    require_allowed_rounds("hesitation", tables, rounds, (tables + 1,))
    spared = (tables + 1) // 2 if tables in (11, 13) else 0
    return _build_hesitation(
        "hesitation", tables, (tables,), ((tables - 1) // 2,), switched, spared
    )


def double_hesitation(tables: int, rounds: int | None = None, switched: bool = True) -> Movement:
    """Return the Double Hesitation: one winner, T + 2 rounds, two North-South seats on the way.

    The moving pairs go from the last East-West seat to North-South at table 2, then at the last table. Two stands.
    Usual for an even number of tables from 6; odd ones from 5 work too.

    Raises `TooFewTables`, `WrongRounds`. Source: catalogue 2.17; seats and stands by search.

    >>> double_hesitation(6).rounds
    8
    """
    require_enough_tables("double-hesitation", tables, 5)
    rounds = tables + 2 if rounds is None else rounds
    require_allowed_rounds("double-hesitation", tables, rounds, (tables + 2,))
    stands = (tables // 2 + 1, tables) if tables % 2 == 0 else ((tables + 1) // 2,) * 2
    return _build_hesitation("double-hesitation", tables, (2, tables), stands, switched)


def extended_hesitation(tables: int = 3, rounds: int | None = None) -> Movement:
    """Return the Extended Hesitation: 3 tables, 5 rounds, all meet all.

    In round 5 all tables play the same set. Raises `WrongTables`, `WrongRounds`. Source: catalogue 2.18 (Wikipedia).

    >>> extended_hesitation().tables
    3
    """
    if tables != 3:
        raise WrongTables(
            "extended-hesitation", tables=tables, needs="3 tables", instead=("hesitation", "howell")
        )
    rounds = 5 if rounds is None else rounds
    require_allowed_rounds("extended-hesitation", tables, rounds, (5,))
    return published_movement("extended-hesitation-3x5")


def _build_hesitation(
    family: str,
    tables: int,
    spots: tuple[int, ...],
    stands: tuple[int, ...],
    switched: bool,
    spared: int = 0,
) -> Movement:
    """Return a Hesitation Mitchell: moving pairs pass all East-West seats, then some North-South seats.

    The `spared` table is not switched in the last round.
    """
    rounds = tables + len(spots)
    staying = [t for t in range(1, tables + 1) if t not in spots]
    movers = rounds
    first_mover = len(staying) + 1  # those on the spots come first, then East-West 1, 2 …

    def mover(position: int, r: int) -> int:
        """Return the pair at a position (from 0: East-West of table 1; then the spots) in round r (from 0)."""
        return first_mover + (position - r + len(spots)) % movers

    stations = []
    station = 0
    for t in range(1, tables + 1):
        stations.append(station)
        station += 1 + stands.count(t)
    turned = usual_switches(rounds - len(spots) + 1) if switched else 0
    seatings = []
    for r in range(rounds):
        for t in range(1, tables + 1):
            ns = mover(tables + spots.index(t), r) if t in spots else staying.index(t) + 1
            seating = Seating(
                r + 1, t, ns, mover(t - 1, r), (set_name((stations[t - 1] + r) % rounds),)
            )
            is_spared = t in spots or (t == spared and r == rounds - 1)
            is_turned = r >= rounds - turned and not is_spared
            seatings.append(seating.turned() if is_turned else seating)
    free = [s for s in range(rounds) if s not in stations]
    return Movement(
        family=family,
        contest=Contest.PAIRS,
        tables=tables,
        rounds=rounds,
        fields=(Field("pairs", tuple(str(n) for n in range(1, 2 * tables + 1))),),
        sets=set_names(rounds),
        seatings=tuple(seatings),
        stands=tuple(
            Stand(r + 1, after, tuple(set_name((s + r) % rounds) for s in here))
            for after in sorted(set(stands))
            for here in [
                [s for s, place in zip(free, sorted(stands), strict=True) if place == after]
            ]
            for r in range(rounds)
        ),
    )


_SWITCHED = FamilyOption("switched", "flag", marked("arrow-switch the last rounds"))
HESITATION = Family(
    name="hesitation",
    title=marked_for_players("Hesitation Mitchell"),
    build=hesitation,
    rounds=lambda tables: (tables + 1,) if tables % 2 else (),
    smallest=3,
    needs=marked("an odd number of tables"),
    winners=1,
    options=(_SWITCHED,),
    source="Wikipedia, Duplicate bridge movements",
)
DOUBLE_HESITATION = Family(
    name="double-hesitation",
    title=marked_for_players("Double Hesitation"),
    build=double_hesitation,
    rounds=lambda tables: (tables + 2,),
    smallest=5,
    needs=marked("at least 5 tables"),
    winners=1,
    options=(_SWITCHED,),
    source="Wikipedia names it; seats and stands by own search",
)
EXTENDED_HESITATION = Family(
    name="extended-hesitation",
    title=marked_for_players("Extended Hesitation"),
    build=extended_hesitation,
    rounds=lambda tables: (5,),
    smallest=3,
    largest=3,
    needs=marked("3 tables"),
    winners=1,
    source="Wikipedia, Duplicate bridge movements",
)
