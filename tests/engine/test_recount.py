"""Both checkers, `laws` and `recount`, find the same laws broken in thousands of broken movements.

`recount` covers every law that forbids playing a movement; `laws` alone warns of boards that are played
unequally often, and names where a law is broken.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from movements.engine import catalogue, laws
from movements.engine.contest import Contest
from movements.engine.declarations import Exemption
from movements.engine.errors import MovementError
from movements.engine.files.document import MovementDocument, movement_dict, read_json
from movements.engine.model import Movement, Seating
from tests.engine.test_reference import FILES
from tests.proofs import recount
from tests.proofs.simulation import Counts, played

MOVEMENTS = 2500
PARTS = 5
SMALL = (
    160  # seatings: what is small is quickly checked, and broken nowhere else than what is large
)


@cache
def lawful() -> tuple[Movement, ...]:
    """Movements of every family, printed ones, and evenings in which much has been changed."""
    found = [read_json(path.read_text(encoding="utf-8")).movement for path in FILES]
    for family in catalogue.FAMILIES:
        for tables in (family.smallest, 4, 5, 6, 7):
            for missing in (None, "EW 2", "2"):
                try:
                    found.append(catalogue.build_movement(family.name, tables, None, missing))
                except MovementError:
                    continue
    found += [played(Random(f"broken {seed}"), "", Counts()).movement for seed in range(30)]
    return tuple(movement for movement in found if 1 <= len(movement.seatings) <= SMALL)


def broken_laws(movement: Movement) -> set[str]:
    return {violation.law for violation in laws.find_errors(movement)}


def recounted(movement: Movement) -> set[str]:
    return set(recount.broken_laws(movement_dict(MovementDocument(movement))))


# ── one cell is changed ──

Break = Callable[[Random, Movement], Movement]


def with_other(movement: Movement, index: int, **change) -> Movement:
    seatings = list(movement.seatings)
    seatings[index] = replace(seatings[index], **change)
    return replace(movement, seatings=tuple(seatings))


def somewhere(rng: Random, movement: Movement) -> tuple[int, Seating]:
    return rng.choice(list(enumerate(movement.seatings)))


def somebody_more_is_listed(rng, movement):
    *fields, last = movement.fields
    return replace(movement, fields=(*fields, replace(last, labels=(*last.labels, "99"))))


def somebody_else_sits_there(rng, movement):
    index, seating = somewhere(rng, movement)
    side = rng.choice(("ns", "ew"))
    if movement.contest != "individual":
        return with_other(movement, index, **{side: rng.choice([None, *movement.contestants])})
    players = getattr(seating, side) or (1, 2)
    other = rng.choice(list(movement.contestants))
    return with_other(movement, index, **{side: rng.choice([(players[0], other), None])})


def they_sit_the_other_way(rng, movement):
    index, seating = somewhere(rng, movement)
    return with_other(movement, index, ns=seating.ew, ew=seating.ns)


def two_are_exchanged(rng, movement):
    (one, here), (other, there) = somewhere(rng, movement), somewhere(rng, movement)
    side, back = rng.choice(("ns", "ew")), rng.choice(("ns", "ew"))
    changed = with_other(movement, one, **{side: getattr(there, back)})
    return with_other(changed, other, **{back: getattr(here, side)})


def other_sets_are_played(rng, movement):
    index, seating = somewhere(rng, movement)
    names = [*movement.sets, "unknown"]
    sets = rng.choice([(), (rng.choice(names),), (*seating.sets, rng.choice(names))])
    return with_other(movement, index, sets=sets)


def two_tables_exchange_their_sets(rng, movement):
    (one, here), (other, there) = somewhere(rng, movement), somewhere(rng, movement)
    return with_other(with_other(movement, one, sets=there.sets), other, sets=here.sets)


def it_is_at_another_table(rng, movement):
    index, _ = somewhere(rng, movement)
    return with_other(movement, index, table=rng.randint(0, movement.tables + 1))


def it_is_in_another_round(rng, movement):
    index, _ = somewhere(rng, movement)
    return with_other(movement, index, round=rng.randint(0, movement.rounds + 1))


def a_row_is_missing(rng, movement):
    index, _ = somewhere(rng, movement)
    return replace(movement, seatings=movement.seatings[:index] + movement.seatings[index + 1 :])


def a_row_is_there_twice(rng, movement):
    _, seating = somewhere(rng, movement)
    return replace(movement, seatings=(*movement.seatings, seating))


def parts_are_in_another_order(rng, movement):
    seatings = list(movement.seatings)
    rng.shuffle(seatings)
    return replace(movement, seatings=tuple(seatings))


def the_movement_has_other_bounds(rng, movement):
    name = rng.choice(("rounds", "tables", "copies"))
    return replace(movement, **{name: max(1, getattr(movement, name) + rng.choice((-1, 1)))})


def a_set_is_not_on_the_list_or_there_twice(rng, movement):
    if not movement.sets:
        return movement
    name = rng.choice(movement.sets)
    without = tuple(other for other in movement.sets if other != name)
    return replace(movement, sets=rng.choice([without, (*movement.sets, name)]))


def other_tables_share(rng, movement):
    shares = list(movement.shared)
    if not shares:
        return movement
    index = rng.randrange(len(shares))
    share = shares[index]
    shares[index] = rng.choice(
        [
            replace(share, tables=share.tables[1:]),
            replace(share, tables=(*share.tables, rng.randint(1, movement.tables))),
            replace(share, round=rng.randint(0, movement.rounds)),
            replace(share, sets=(rng.choice(movement.sets),)),
        ]
    )
    return replace(movement, shared=tuple(shares))


def something_else_waits(rng, movement):
    stands = list(movement.stands)
    if not stands:
        return movement
    index = rng.randrange(len(stands))
    stand = stands[index]
    stands[index] = rng.choice(
        [
            replace(stand, round=rng.randint(1, movement.rounds + 1)),
            replace(stand, sets=(rng.choice(movement.sets),)),
            replace(stand, sets=("unknown",)),
            replace(stand, sets=stand.sets * 2),
        ]
    )
    return replace(movement, stands=tuple(stands))


def something_else_is_declared(rng, movement):
    items = list(movement.exemptions)
    rounds = tuple(
        rng.sample(range(1, movement.rounds + 1), rng.randint(1, min(2, movement.rounds)))
    )
    who = tuple(rng.sample(list(movement.contestants), 2))
    law = rng.choice(
        ("present", "present", "tables", "draw", "field", "meet-once", "board-once", "copies")
    )
    limit = rng.choice((1, 2, movement.tables - 1))
    new = Exemption(law, limit, "declared", who if law != "tables" else (), rounds)
    if not items:
        return replace(movement, exemptions=(new,))
    index = rng.randrange(len(items))
    old = items[index]
    changed = [replace(old, limit=max(0, old.limit - 1)), new]
    if old.rounds:
        changed.append(replace(old, rounds=rounds))
    if old.contestants:
        changed.append(replace(old, contestants=who))
    return replace(movement, exemptions=(*items[:index], rng.choice(changed), *items[index + 1 :]))


def another_triangle_is_played(rng, movement):
    if not movement.triangles or len(movement.contestants) < 3:
        return movement
    first, *others = movement.triangles
    teams = tuple(rng.sample(list(movement.contestants), 3))
    other = rng.choice([replace(first, teams=teams), replace(first, rounds=(movement.rounds + 1,))])
    return replace(movement, triangles=tuple(rng.choice([[other, *others], others])))


#: a document tells four lines by their columns, and cannot say that somebody sits in another one
BREAKS_OF_LINES: tuple[Break, ...] = (
    somebody_else_sits_there,
    they_sit_the_other_way,
    two_are_exchanged,
)
BREAKS: tuple[Break, ...] = (
    somebody_more_is_listed,
    other_sets_are_played,
    two_tables_exchange_their_sets,
    it_is_at_another_table,
    it_is_in_another_round,
    a_row_is_missing,
    a_row_is_there_twice,
    parts_are_in_another_order,
    the_movement_has_other_bounds,
    a_set_is_not_on_the_list_or_there_twice,
    other_tables_share,
    something_else_waits,
    something_else_is_declared,
    another_triangle_is_played,
)


def test_both_checkers_let_every_lawful_movement_pass():
    assert {movement.family for movement in lawful()} >= {f.name for f in catalogue.FAMILIES}

    for movement in lawful():
        assert broken_laws(movement) == recounted(movement) == set(), movement.family


@pytest.mark.parametrize("part", range(PARTS))
def test_both_checkers_find_the_same_laws_broken(part):
    rng = Random(f"one cell {part}")
    found: Counter[str] = Counter()

    teams = [movement for movement in lawful() if movement.contest is Contest.TEAMS]
    for number in range(MOVEMENTS // PARTS):
        # some laws are of teams alone, and are broken rarely
        movement = rng.choice(lawful() if number % 4 else teams)
        change = rng.choice(BREAKS if len(movement.fields) == 4 else BREAKS + BREAKS_OF_LINES)
        broken = change(rng, movement)
        laws_broken = broken_laws(broken)
        assert recounted(broken) == laws_broken, f"{movement.family}: {change.__name__}"
        found.update(laws_broken)
        found["none"] += not laws_broken

    # each part breaks every law, and leaves some movements lawful
    assert set(found) == {*laws.LAWS, "none"} - {"unequal-plays"}
