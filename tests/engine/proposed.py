"""Evenings with changes and all their proposals, as a page to read: tests/data/proposed.txt.

`python -m tests.engine.proposed` writes it. After a change of the proposals, the page's difference
shows the effects on other evenings.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

from movements.engine import catalogue, changes
from movements.engine.changes import Change, Proposal, proposals
from movements.engine.changes.numbering import numbers_after_change
from movements.engine.model import Movement, Side, players_of

PAGE = Path(__file__).parents[1] / "data" / "proposed.txt"
WORDS = {
    "arrives": changes.PairArrives,
    "leaves": changes.PairLeaves,
    "returns": changes.PairReturns,
    "stays": changes.PairStays,
    "skip": changes.SkipIsMoved,
    "rounds": changes.LengthChanges,
    "boards": changes.FewerBoards,
    "places": changes.SatInEachOthersPlace,
    "sets": changes.PlayedOtherBoards,
    "turned": changes.PlayedTheOtherWay,
}

#: a movement (its size, rounds, and who is missing), then after which round what happens; what is best is
#: taken, and of the last change everything is shown
EVENINGS = """
mitchell 5: 0 arrives
mitchell 5: 1 arrives
mitchell 5: 1 arrives: 1 arrives
mitchell 5: 1 arrives: 1 arrives: 3 leaves 4
mitchell 5: 1 arrives: 2 leaves 6
mitchell 5: 1 arrives: 2 leaves 3
mitchell 5 5 NS 3: 2 arrives
mitchell 5 5 EW 2: 2 joins
mitchell 7 4: 0 arrives
mitchell 7 4: 2 arrives
mitchell 7: 2 spares 3
mitchell 9: 0 arrives
mitchell 9: 2 arrives
mitchell 11 4: 2 arrives
skip-mitchell 10 4: 1 arrives
mitchell 5: 1 arrives: 1 arrives: 2 arrives
mitchell 7 5: 1 stays 9: 2 arrives
ew-rover 5: 1 arrives
rover-party 6: 2 arrives
scrambled-mitchell 7: 1 arrives
individual 2: 1 leaves 3: 1 arrives
swiss 6 3: 1 arrives: 1 leaves 2
skip-mitchell 6: 1 arrives
skip-mitchell 8 5: 2 arrives
share-and-relay 6: 0 arrives
share-and-relay 6: 2 arrives
crisscross 8: 3 arrives
two-stanza 6: 1 arrives
scissors-mitchell 6: 2 arrives
appendix-mitchell 6: 2 arrives
web 8: 1 arrives
ns-rover 6: 2 arrives
howell 4: 3 arrives
howell 4: 0 arrives
howell 4 7 8: 3 arrives
partial-howell 6: 2 arrives
hybrid 5: 1 arrives
scrambled-mitchell 5: 0 arrives
two-way-rover 4: 2 arrives
two-way-rover 4: 2 leaves 9
individual 2: 1 leaves 3: 2 arrives
rainbow 5: 1 leaves 3: 2 arrives
rainbow 5: 1 leaves 3: 3 returns 3
new-england-relay 8: 1 leaves 2: 2 arrives
new-england-relay 8: 1 leaves 2: 3 returns 2
team-awl 5: 2 leaves 1
swiss 6 3: 0 arrives
swiss 6 3: 0 leaves 2: 0 returns 2
swiss 6 3: 0 returns 2
swiss 7 3: 1 arrives
swiss-of-pairs 4 3: 0 arrives
swiss-of-pairs 4 3: 0 leaves 4: 0 leaves 8
swiss-of-pairs 4 3: 0 leaves 3: 0 arrives
knockout 8: 0 arrives
knockout 8: 0 leaves 2
mitchell 5: 2 leaves 5: 4 leaves 6
mitchell 5: 0 leaves 4: 0 leaves 9
share-and-relay 6: 3 leaves 6: 3 leaves 7
rover-party 5: 1 leaves 5: 1 leaves 8
howell 5: 2 leaves 4: 2 leaves 3
crisscross 8 8 EW 8: 0 leaves 3
crisscross 8 8 NS 8: 0 leaves 11
howell 4: 3 leaves 8: 3 leaves 1
team-round-robin 7: 1 leaves 2
team-round-robin 7: 1 leaves 2: 1 leaves 3
team-round-robin 7: 2 leaves 4: 2 leaves 5
team-round-robin 7: 2 leaves 2: 2 leaves 3
team-round-robin 6: 2 leaves 2: 2 returns 2
team-round-robin 7: 2 leaves 5: 4 leaves 2
team-round-robin 9: 3 leaves 4
individual 2: 5 leaves 3
individual 3: 2 leaves 5: 4 returns 5
hybrid 5: 3 leaves 2
web 8: 3 leaves 2
ns-rover 6: 2 leaves 7
mitchell 5: 1 arrives: 1 leaves 8: 3 leaves 6
scrambled-mitchell 5: 1 arrives: 2 leaves 3
howell 5: 2 leaves 4: 3 joins
mitchell 5: 2 leaves 4: 3 returns 4
mitchell 5: 1 leaves 4: 2 rounds 3: 3 returns 4
mitchell 7: 2 leaves 4: 3 arrives: 4 returns 4
howell 4: 2 leaves 3: 4 returns 3
howell 4: 0 stays 2
howell 4: 3 stays 2
mitchell 5: 2 stays 7
share-and-relay 6: 2 stays 8
skip-mitchell 8 5: 1 skip
skip-mitchell 10 4: 2 skip
mitchell 9 4: 1 skip: 1 skip
skip-mitchell 8 5: 1 leaves 2: 2 skip
mitchell 7 4: 0 skip
howell 4: 2 rounds 5
mitchell 7 4: 2 rounds 7
skip-mitchell 8 5: 1 skip: 4 rounds 6
crisscross 8 5: 2 rounds 8
two-stanza 6 4: 2 rounds 6
share-and-relay 6: 1 rounds 4
mitchell 5: 2 leaves 3: 4 rounds 4
mitchell 5: 2 boards 2 3
two-way-rover 4: 2 boards 1 2
scissors-mitchell 6: 2 boards 2 4
mitchell 5: 1 boards 2 3 with 3 3 3 3 2
mitchell 5: 1 boards 3 4: 3 boards 2 3 with 3 1
two-way-rover 4: 1 boards 2 3 with 2 1
two-way-rover 4: 1 boards 1 3 with 2 1
two-way-rover 4: 2 boards 3 5 with 2 3
web 5: 2 boards 1 2
howell 4: 2 turns 4 5
new-england-relay 8: 3 turns 4
scrambled-mitchell 5: 2 stays 2
scrambled-mitchell 5: 3 stays 8
mitchell 5: 3 places 3 6 7
mitchell 5: 3 sets 3 1 4
mitchell 5: 3 places 2 1 6
mitchell 5: 3 places 3 1 2
mitchell 5: 2 leaves 4: 3 sets 3 1 4
mitchell 5: 4 turned 4 2
howell 4: 2 places 2 8 1
howell 4: 4 places 2 1 3
share-and-relay 6: 3 sets 2 1 4
scissors-mitchell 6: 5 sets 5 6 3
two-way-rover-party 6: 3 places 2 11 12
mitchell 7: 3 leaves 3: 3 places 2 3 4
web 8: 3 sets 2 1 4
howell 5: 3 leaves 2: 3 sets 3 1 4
mitchell 7 4: 2 leaves 4: 3 rounds 6
mitchell 7 4: 2 leaves 12: 4 rounds 7
mitchell 9 5: 2 skip: 4 skip
skip-mitchell 8 5: 1 leaves 10: 2 skip
skip-mitchell 8 5: 2 leaves 10: 2 skip
skip-mitchell 8 5 EW 3: 2 arrives: 2 skip
skip-mitchell 8 5: 1 leaves 10: 3 rounds 7
mitchell 7 5: 1 leaves 9: 2 arrives: 3 arrives
mitchell 7 5: 2 leaves 9: 2 arrives
mitchell 9 5: 2 leaves 11: 3 leaves 12: 4 arrives
skip-mitchell 8 7: 5 skip
skip-mitchell 8 5: 3 rounds 7
mitchell 5: 2 rounds 5
mitchell 5: 0 rounds 1
howell 5: 2 leaves 4: 3 rounds 6
mitchell 5: 1 arrives: 2 rounds 4
mitchell 7 4 EW 2: 2 rounds 6
howell 4: 2 rounds 8
mitchell 5: 2 boards 3 3
mitchell 5: 2 boards 0 3
mitchell 7 4: 2 boards 2 3
share-and-relay 6: 2 boards 2 3
ns-rover 6: 2 boards 2 3
web 8: 2 boards 2 3 with 3 3 2
howell 4: 2 leaves 3: 3 stays 5
howell 5: 2 leaves 4: 3 stays 3
web 8: 2 stays 12
bowman 5: 1 stays 7
rover-party 6: 2 stays 3
ns-rover 6: 2 stays 7
two-way-rover 4: 2 stays 6
howell 5: 2 anew leaves 1 4
mitchell 5: 1 anew leaves 3 9
howell 5: 2 leaves 4: 3 anew leaves 2
share-and-relay 6: 2 anew leaves 6
web 7: 4 anew leaves 3
mitchell 5: 2 anew arrives
howell 4: 2 anew arrives
howell 5: 2 leaves 4: 4 anew arrives
mitchell 5: 2 leaves 4: 3 anew returns 4
mitchell 7: 2 leaves 4: 3 arrives: 4 anew returns 4
howell 4: 2 leaves 3: 3 arrives: 4 anew returns 3
howell 5: 2 anew places 2 1 4
mitchell 7: 3 anew places 2 3 4
mitchell 7: 3 anew sets 3 1 2
howell 5: 3 anew turned 2 1
two-way-rover 4: 2 anew leaves 9
bowman 5: 3 anew leaves 2
"""


def evenings() -> list[str]:
    return EVENINGS.strip().splitlines()


def change_of(words: list[str]) -> Change:
    """Return the change for its words; more contestants who may join the round, or who are spared, can follow."""
    if words[0] == "anew":
        return anew(words[1:])
    word, numbers = words[0], [int(number) for number in words[1:]]
    if word == "joins":
        return changes.PairArrives(joins_running=True)
    if word == "spares":
        return changes.PairArrives(spared=frozenset(numbers))
    if word == "turns":
        return changes.ArrowsTurn(tuple(numbers))
    return WORDS[word](*numbers)


def anew(words: list[str]) -> Change:
    """Return a rebuild without time to search, so that its result is the same on every machine."""
    numbers = tuple(int(number) for number in words[1:])
    match words[0]:
        case "arrives":
            return changes.Rebuild(0, arrives=True)
        case "returns":
            return changes.Rebuild(0, returns=numbers[0])
        case "leaves":
            return changes.Rebuild(0, leaves=numbers)
    return changes.Rebuild(0, happened=change_of(words))


def proposed(evening: str) -> tuple[int, list[Proposal]]:
    """Return all proposals for the last change of an evening, and the number of fixed rounds.

    "with 2 1" gives the numbers of boards of the sets in turn; by default they are equal.
    """
    (family, *sizes), *steps = (part.split() for part in evening.split(": "))
    numbers = [int(size) for size in sizes[:2]]
    rounds = numbers[1] if numbers[1:] else None
    options = {"contest": "pairs"} if family == "swiss-of-pairs" else None
    missing = " ".join(sizes[2:])
    family = family.removesuffix("-of-pairs")
    movement = catalogue.build_movement(family, numbers[0], rounds, missing, options)
    found: list[Proposal] = []
    for fixed, *words in steps:
        if found:
            movement = found[0].movement
        counts = words[words.index("with") + 1 :] if "with" in words else []
        sizes = {name: int(n) for name, n in zip(movement.sets, cycle(counts), strict=False)}
        said = words[: words.index("with")] if counts else words
        found = proposals(movement, int(fixed), change_of(said), sizes)
    return int(steps[-1][0]), found


def told(evening: str) -> str:
    fixed, found = proposed(evening)
    lines = [line for item in found for line in lines_of(item, fixed)]
    return "\n".join([f"== {evening}", *(lines or ["nothing"]), ""])


def lines_of(one: Proposal, fixed: int) -> Iterator[str]:
    """Yield the lines of a proposal: its name, the rounds to come, declarations, preparations and effects."""
    movement, told = one.movement, one.consequences
    facts = " ".join(f"{name}={value}" for name, value in one.facts.items())
    yield f"{one.kind} from round {one.from_round}, cost {cost_of(one)}: {facts}".rstrip(": ")
    if one.newcomer:
        moved = [f"{old}>{new}" for old, new in one.numbers.items() if old != new]
        newcomer = f"{one.newcomer} ({movement.label(one.newcomer)})"
        yield " ".join(["  newcomer", newcomer, *moved])
    for round in range(min(one.from_round, fixed + 1), movement.rounds + 1):
        yield f"  {round}: {round_of(movement, round)}"
    if movement.tables != one.before.tables:
        yield f"  {movement.tables} tables"
    if movement.shared != one.before.shared:
        yield "  " + f"shared {[(s.round, s.tables, s.sets) for s in movement.shared]}"
    if movement.stands != one.before.stands:
        yield "  " + f"stands {[(s.round, s.after_table, s.sets) for s in movement.stands]}"
    for item in movement.exemptions:
        if item not in one.before.exemptions:
            yield f"  {item.law} {item.limit}, {item.why}: {item.contestants} {item.rounds}"
    if movement.triangles != one.before.triangles:
        yield "  " + f"triangles {[(t.rounds, t.teams) for t in movement.triangles]}"
    if movement.sets != one.before.sets:
        yield "  " + "  ".join(["sets", *sets_of(one)])
    waits = " ".join(f"{contestant}/{round}*{share}" for contestant, round, share in told.sit_outs)
    before = " ".join(
        f"{contestant}/{round}*{share}" for contestant, round, share in told.sit_outs_before
    )
    yield f"  waits {waits or 'nobody'}; before {before or 'nobody'}"
    yield f"  replaced {told.replaced}, moved {told.moved}, affected {told.affected}"
    if told.shares or told.new_sets or told.repeats:
        yield f"  shares {told.shares}, new {told.new_sets}, again {told.repeats}"
    differences = " ".join(
        f"{difference.round}/{difference.table}" for difference in told.differences
    )
    yield f"  score {told.score_before} to {told.score}; differs at {differences}"


def sets_of(one: Proposal) -> Iterator[str]:
    """Return sets that were not there before: the set of which each is a part, and its boards.

    By default sets have three boards each. Others play up to board 50.
    """
    numbers, last = {}, 0
    for name in one.before.sets:
        numbers[name] = range(last + 1, last + 1 + one.sizes.get(name, 3))
        last = numbers[name][-1]
    alone, beside = (numbers_after_change(numbers, one, 3, beyond) for beyond in (0, 50))
    for name in one.movement.sets:
        first, last = alone[name][0], alone[name][-1]
        if name in one.parts:
            whole, low, high = one.parts[name]
            yield f"{name}={whole}({low},{high}) {first}-{last}"
        elif name not in one.before.sets:
            yield f"{name} {first}-{last} or {beside[name][0]}-{beside[name][-1]}"


def cost_of(one: Proposal) -> str:
    again, trouble = one.cost
    return f"{again:g} and {trouble:.1f}"


def round_of(movement: Movement, round: int) -> str:
    """Every table of a round, as it is read out; with its number where some table has more or none."""
    tables = [seating.table for seating in movement.in_round(round)]
    is_plain = tables == [*range(1, len(tables) + 1)]
    return "  ".join(
        f"{'' if is_plain else f'{s.table}. '}{side_of(s.ns)}-{side_of(s.ew)}:{'+'.join(s.sets)}"
        for s in movement.in_round(round)
    )


def side_of(side: Side) -> str:
    return "&".join(map(str, players_of(side)))


def page() -> str:
    return "\n".join(map(told, evenings()))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
