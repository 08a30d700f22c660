"""The laws of a movement, checked on the finished seatings.

`check` shares no code with any generator: it looks at who sits where with which sets, and at
nothing else. It finds every violation at once, each naming round, table, contestants and sets.

The laws (names as in `LAWS` and `Violation.law`):

structure     rounds and tables count from 1 to as many as there are (the tables of teams may have
              other numbers), and every round has its tables, unless it is declared to be drawn
              later (and then it has none) or to have fewer; triangles are for draws; what is played
              is played with known sets
field         everybody seated is known, and everybody known plays at some time (in the end), unless
              declared not to be there
present       nobody is seated in a round in which they are declared not to be there
one-place     nobody is at two places at the same time
board-once    nobody plays the same set twice
meet-once     no two contestants meet in more than one round (opponents or partners); where players
              of an individual may meet more often, one meeting in three is as partners
copies        a set is at no more tables at once than there are copies, sharing tables counting once
stands        no more of a set lies on tables and stands than there are copies
no-self       a team never meets itself
full-match    two teams that meet play the same sets in both directions
draw          in a draw of teams nobody is idle, no two meet twice and every two meet; a Swiss or a
              knock-out declares that not all meet (and how often they may), and who has left
unequal-plays the sets are played unequally often within the movement (a warning)

Of where every copy of every set is (`check_places`) one more is asked:

places        every copy is at one place at a time and never lost from sight once it has left its box;
              every table has what it plays, a copy to itself unless it shares; nothing lies where
              nobody wants it; on the stands waits what is declared; what is put aside lies where it was

What happened by mistake is declared, and then forgiven for those contestants in exactly these rounds:
board-once and copies as well as meet-once.

In a team movement the half that sits N-S and the half that sits E-W are two people for one-place
and board-once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Literal

from .model import Exemption, Lying, Movement, Seating, players_of

Severity = Literal["error", "warning"]
Kind = Literal["draw", "teams", "others"]
"""What a movement is to the laws: a draw of teams, other movements of teams, pairs and individuals."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken law. Round or table is 0 where the violation has none of its own."""

    law: str
    round: int = 0
    table: int = 0
    contestants: tuple[int, ...] = ()
    sets: tuple[str, ...] = ()
    rounds: tuple[int, ...] = ()
    tables: tuple[int, ...] = ()
    severity: Severity = "error"
    missing: tuple[int, ...] = ()  # tables that are not there

    def sentence(self, movement: Movement) -> str:
        """Say it in English, with the labels people know."""
        where = f"round {self.round}: " if self.round else ""
        where = f"{where}table {self.table}: " if self.table else where
        names = [
            movement.label(c) if c in movement.contestants else f"unknown {c}"
            for c in self.contestants
        ]
        parts = [
            " and ".join(names),
            f"set {', '.join(self.sets)}" if self.sets else "",
            f"in rounds {', '.join(map(str, self.rounds))}" if self.rounds else "",
            f"at tables {', '.join(map(str, self.tables))}" if self.tables else "",
            f"table {self.missing[0]} is missing" if len(self.missing) == 1 else "",
            f"tables {', '.join(map(str, self.missing))} are missing"
            if len(self.missing) > 1
            else "",
        ]
        return f"{self.law}: {where}{' '.join(part for part in parts if part)}".rstrip(": ")


def check(movement: Movement) -> tuple[Violation, ...]:
    """Return every violation of the laws, errors before warnings; an empty tuple is a clean movement."""
    kind = _kind(movement)
    return tuple(
        violation
        for violations, kinds in LAWS.values()
        if kind in kinds
        for violation in violations(movement)
    )


def errors(movement: Movement) -> tuple[Violation, ...]:
    """Return the violations that forbid playing the movement: all but warnings."""
    return tuple(violation for violation in check(movement) if violation.severity == "error")


def _kind(movement: Movement) -> Kind:
    if not movement.contest.has_halves:
        return "others"
    return "teams" if movement.sets else "draw"


def _is_draw(movement: Movement) -> bool:
    return _kind(movement) == "draw"


def _people(movement: Movement, seating: Seating) -> list[Hashable]:
    """Who is at a table: in a team movement the two halves of a team are different people."""
    if not movement.contest.has_halves:
        return list(seating.contestants)
    sides = (seating.ns, seating.ew)
    return [(player, half) for half, side in enumerate(sides) for player in players_of(side)]


def _number(person: Hashable) -> int:
    return person[0] if isinstance(person, tuple) else person  # type: ignore[return-value]


def _structure(movement: Movement) -> Iterator[Violation]:
    for seating in movement.seatings:
        # the tables of teams have the numbers of their matches
        last_table = seating.table if movement.contest.has_halves else movement.tables
        if not (1 <= seating.round <= movement.rounds and 1 <= seating.table <= last_table):
            yield Violation("structure", seating.round, seating.table)
    rounds = range(1, movement.rounds + 1)
    for triangle in movement.triangles:
        is_at_some_time = bool(triangle.rounds) and set(triangle.rounds) <= set(rounds)
        if not is_at_some_time or not _is_draw(movement):
            yield Violation("structure", contestants=triangle.teams, rounds=triangle.rounds)
    for round in rounds:
        tables = {seating.table for seating in movement.in_round(round)}
        in_triangles = any(round in t.rounds for t in movement.triangles)
        if round in movement.open_rounds:
            if tables:
                yield Violation("structure", round, tables=tuple(sorted(tables)))
        elif not tables and not in_triangles:
            yield Violation("structure", round)
        elif not _is_draw(movement) and len(tables) != _tables_in(movement, round):
            missing = _missing(movement, round, tables)
            there = () if missing else tuple(sorted(tables))
            yield Violation("structure", round, tables=there, missing=missing)
    listed = set(movement.sets)
    played = {name for seating in movement.seatings for name in seating.sets}
    if len(listed) != len(movement.sets) or played - listed:
        yield Violation("structure", sets=tuple(sorted(played - listed)))
    for seating in movement.seatings:
        if seating.is_played and not seating.sets and not _is_draw(movement):
            yield Violation("structure", seating.round, seating.table)


def _tables_in(movement: Movement, round: int) -> int:
    """How many tables a round has: all, unless it is declared to have fewer."""
    declared = [e.limit for e in movement.exemptions if e.law == "tables" and round in e.rounds]
    return declared[-1] if declared else movement.tables


def _missing(movement: Movement, round: int, tables: set[int]) -> tuple[int, ...]:
    """Which tables a round lacks; nothing where it has too many, or is declared to have fewer."""
    wanted = set(range(1, movement.tables + 1))
    is_as_usual = _tables_in(movement, round) == movement.tables
    return tuple(sorted(wanted - tables)) if is_as_usual and tables < wanted else ()


def _present(movement: Movement) -> Iterator[Violation]:
    for seating in movement.seatings:
        away = movement.absent(seating.round)
        for contestant in seating.contestants:
            if contestant in away:
                yield Violation("present", seating.round, seating.table, (contestant,))


def _field(movement: Movement) -> Iterator[Violation]:
    known = set(movement.contestants)
    seen: set[int] = set()
    for triangle in movement.triangles:
        for contestant in triangle.teams:
            if contestant not in known:
                yield Violation("field", contestants=(contestant,), rounds=triangle.rounds)
            seen.add(contestant)
    for seating in movement.seatings:
        for contestant in seating.contestants:
            if contestant not in known:
                yield Violation("field", seating.round, seating.table, (contestant,))
            if seating.is_played:
                seen.add(contestant)
    if not movement.open_rounds:
        for contestant in sorted(known - seen - _sometimes_away(movement)):
            yield Violation("field", contestants=(contestant,))
    for field in movement.fields:
        if len(set(field.labels)) != len(field.labels):
            yield Violation("field")


def _sometimes_away(movement: Movement) -> set[int]:
    """Who is declared not to be there in some round."""
    return {c for e in movement.exemptions if e.law == "present" for c in e.contestants}


#: a part of a round, from 0 to 1; of most rounds whole numbers, which are compared much faster
Moment = Fraction | int


def _spans(movement: Movement, round: int) -> list[tuple[Seating, Moment, Moment]]:
    """The seatings of a round with the part of the round they take."""
    at_table: defaultdict[int, list[Seating]] = defaultdict(list)
    for seating in movement.in_round(round):
        at_table[seating.table].append(seating)
    return [
        (seating, _moment(index, len(parts)), _moment(index + 1, len(parts)))
        for parts in at_table.values()
        for index, seating in enumerate(parts)
    ]


def _moment(parts: int, of: int) -> Moment:
    return Fraction(parts, of) if parts % of else parts // of


def _by_round(movement: Movement) -> Iterator[tuple[int, list[tuple[Seating, Moment, Moment]]]]:
    for round in sorted({seating.round for seating in movement.seatings}):
        yield round, _spans(movement, round)


def _one_place(movement: Movement) -> Iterator[Violation]:
    for round, spans in _by_round(movement):
        places: defaultdict[Hashable, list[tuple[int, Moment, Moment]]] = defaultdict(list)
        for seating, begins, ends in spans:
            for person in _people(movement, seating):
                places[person].append((seating.table, begins, ends))
        for person, times in places.items():
            kept: list[tuple[int, Moment, Moment]] = []
            for place in times:
                clash = next((other for other in kept if _at_once(other, place)), None)
                if clash is None:
                    kept.append(place)
                else:
                    yield Violation(
                        "one-place",
                        round,
                        clash[0],
                        (_number(person),),
                        tables=(clash[0], place[0]),
                    )


def _at_once(one: tuple[int, Moment, Moment], other: tuple[int, Moment, Moment]) -> bool:
    return one[1] < other[2] and other[1] < one[2]


def _board_once(movement: Movement) -> Iterator[Violation]:
    plays: defaultdict[tuple[Hashable, str], list[Seating]] = defaultdict(list)
    for seating in movement.seatings:
        if seating.is_played:
            for person in _people(movement, seating):
                for name in seating.sets:
                    plays[person, name].append(seating)
    for (person, name), seatings in plays.items():
        if len(seatings) > _forgiven(movement, "board-once", {_number(person)}, seatings):
            again = seatings[1]
            yield Violation(
                "board-once",
                again.round,
                again.table,
                (_number(person),),
                (name,),
                rounds=tuple(s.round for s in seatings),
                tables=tuple(s.table for s in seatings),
            )


def _meet_once(movement: Movement) -> Iterator[Violation]:
    met: defaultdict[frozenset[int], dict[int, int]] = defaultdict(dict)
    partners: defaultdict[frozenset[int], dict[int, int]] = defaultdict(dict)
    for seating in movement.seatings:
        if seating.is_played:
            for two in combinations(seating.contestants, 2):
                met[frozenset(two)][seating.round] = seating.table
            for side in (seating.ns, seating.ew):
                if isinstance(side, tuple):
                    partners[frozenset(side)][seating.round] = seating.table
    for couple, where in met.items():
        known = [
            item
            for item in movement.exemptions
            if item.law == "meet-once" and _covers(item, couple, set(where))
        ]
        if len(where) > max([1, *(item.limit for item in known)]):
            yield _met_again(couple, where)
        elif len(together := partners[couple]) > max([1, *map(_times_as_partners, known)]):
            yield _met_again(couple, together)


def _met_again(couple: frozenset[int], where: Mapping[int, int]) -> Violation:
    rounds = tuple(sorted(where))
    return Violation(
        "meet-once",
        rounds[-1],
        where[rounds[-1]],
        tuple(sorted(couple)),
        rounds=rounds,
        tables=tuple(where[round] for round in rounds),
    )


def _times_as_partners(exemption: Exemption) -> int:
    """How often two may be partners: one time in three, as in a complete individual.

    An exemption for these two tells what has happened, and forgives it.
    """
    return exemption.limit if exemption.contestants else -(-exemption.limit // 3)


def _forgiven(movement: Movement, law: str, contestants: set[int], seatings: list[Seating]) -> int:
    """How often they may: once, or as often as it is declared to have happened in these rounds."""
    rounds = {seating.round for seating in seatings}
    return max(
        [
            1,
            *(
                item.limit
                for item in movement.exemptions
                if item.law == law
                and contestants <= set(item.contestants)
                and rounds <= set(item.rounds)
            ),
        ]
    )


def _covers(exemption: Exemption, couple: frozenset[int], rounds: set[int]) -> bool:
    return (not exemption.contestants or set(exemption.contestants) == couple) and (
        not exemption.rounds or set(exemption.rounds) == rounds
    )


def _places(movement: Movement, round: int, name: str, tables: set[int]) -> int:
    """How many copies of a set the tables need, tables that share it counting once."""
    left = set(tables)
    places = 0
    for share in movement.shared:
        if share.round in (0, round) and (not share.sets or name in share.sets):
            together = left & set(share.tables)
            if len(together) > 1:
                places += 1
                left -= together
    return places + len(left)


def _needed(movement: Movement, round: int) -> dict[str, int]:
    """The most copies of each set that are at tables at one moment of a round."""
    spans = _spans(movement, round)
    most: Counter[str] = Counter()
    for begins in {begins for _, begins, _ in spans}:
        at: defaultdict[str, set[int]] = defaultdict(set)
        for seating, start, ends in spans:
            if start <= begins < ends and seating.ns is not None and seating.ew is not None:
                for name in seating.sets:
                    at[name].add(seating.table)
        for name, tables in at.items():
            most[name] = max(most[name], _places(movement, round, name, tables))
    return dict(most)


def _copies(movement: Movement) -> Iterator[Violation]:
    for round in range(1, movement.rounds + 1):
        forgiven = any(e.law == "copies" and round in e.rounds for e in movement.exemptions)
        for name, needed in _needed(movement, round).items():
            if needed > movement.copies and not forgiven:
                tables = {s.table for s in movement.in_round(round) if name in s.sets}
                yield Violation("copies", round, sets=(name,), tables=tuple(sorted(tables)))


def _stands(movement: Movement) -> Iterator[Violation]:
    on_stands: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for stand in movement.stands:
        on_stands[stand.round].update(stand.sets)
        if not 1 <= stand.round <= movement.rounds or set(stand.sets) - set(movement.sets):
            yield Violation("stands", stand.round, sets=stand.sets)
    for round, waiting in on_stands.items():
        needed = _needed(movement, round)
        for name, count in waiting.items():
            if count + needed.get(name, 0) > movement.copies:
                yield Violation("stands", round, sets=(name,))


def check_places(movement: Movement, lying: Iterable[Lying]) -> tuple[Violation, ...]:
    """Return every violation of the law *places* by where the copies of the sets are said to be.

    Each copy is to be listed from the moment on at which it leaves its box.
    """
    ways: defaultdict[tuple[str, int], list[Lying]] = defaultdict(list)
    found: list[Violation] = []
    for one in lying:
        if (
            one.name in movement.sets
            and 1 <= one.copy <= movement.copies
            and 1 <= one.round <= movement.rounds
            and 0 <= one.begins < one.ends <= 1
            and one.spot.tables
        ):
            ways[one.name, one.copy].append(one)
        else:
            found.append(_misplaced(one))
    for way in ways.values():
        found += _one_way(movement, sorted(way, key=lambda one: (one.round, one.begins)))
    everything = [one for way in ways.values() for one in way]
    found += _at_tables(movement, everything)
    found += _on_stands(movement, everything)
    return tuple(found)


def _misplaced(one: Lying) -> Violation:
    tables = one.spot.tables
    return Violation("places", one.round, tables[0] if tables else 0, sets=(one.name,))


def _one_way(movement: Movement, way: list[Lying]) -> Iterator[Violation]:
    """One copy's evening: neither two places at once nor a moment at none, and aside where it was."""
    before: Lying | None = None
    for one in way:
        begins = one.round - 1 + one.begins
        if before is not None and begins != before.round - 1 + before.ends:
            yield _misplaced(one)
        was_there = before.spot.tables if before is not None else ()
        if one.spot.kind == "aside" and one.spot.tables != was_there:
            yield _misplaced(one)
        before = one
    if before is not None and before.round - 1 + before.ends != movement.rounds:
        yield _misplaced(before)


def _at_tables(movement: Movement, lying: list[Lying]) -> Iterator[Violation]:
    at: defaultdict[tuple[int, int, str], list[Lying]] = defaultdict(list)
    for one in lying:
        if one.spot.kind == "table":
            for table in one.spot.tables:
                at[one.round, table, one.name].append(one)
            if len(one.spot.tables) > 1 and not _may_pass(movement, one):
                yield _misplaced(one)
    wanted = {(s.round, s.table, name) for s in movement.seatings for name in s.sets}
    for (round, table, name), here in at.items():
        here.sort(key=lambda one: one.begins)
        overlap = any(one.ends > other.begins for one, other in pairwise(here))
        if overlap or (round, table, name) not in wanted:
            yield Violation("places", round, table, sets=(name,))
    for round, spans in _by_round(movement):
        for seating, begins, ends in spans:
            if seating.ns is not None and seating.ew is not None:
                for name in seating.sets:
                    here = at[round, seating.table, name]
                    there = sum(
                        max(Fraction(0), min(one.ends, ends) - max(one.begins, begins))
                        for one in here
                    )
                    if there != ends - begins:
                        yield Violation("places", round, seating.table, sets=(name,))


def _may_pass(movement: Movement, one: Lying) -> bool:
    """Whether tables are declared to share a set, or had it by mistake."""
    return _places(movement, one.round, one.name, set(one.spot.tables)) == 1 or _had_too_few(
        movement, one.round
    )


def _had_too_few(movement: Movement, round: int) -> bool:
    return any(item.law == "copies" and round in item.rounds for item in movement.exemptions)


def _on_stands(movement: Movement, lying: list[Lying]) -> Iterator[Violation]:
    declared: Counter[tuple[int, int, str]] = Counter(
        (stand.round, stand.after_table, name) for stand in movement.stands for name in stand.sets
    )
    waiting: defaultdict[tuple[int, int, str], Fraction] = defaultdict(Fraction)
    for one in lying:
        if one.spot.kind == "stand":
            for table in one.spot.tables:
                waiting[one.round, table, one.name] += one.ends - one.begins
    for place in {*declared, *waiting}:
        round, table, name = place
        if waiting[place] != declared[place] and not _had_too_few(movement, round):
            yield Violation("places", round, table, sets=(name,))


def _no_self(movement: Movement) -> Iterator[Violation]:
    for seating in movement.seatings:
        if seating.ns is not None and seating.ns == seating.ew:
            yield Violation("no-self", seating.round, seating.table, players_of(seating.ns))


def _full_match(movement: Movement) -> Iterator[Violation]:
    played: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for seating in movement.seatings:
        if isinstance(seating.ns, int) and isinstance(seating.ew, int):
            played[seating.ns, seating.ew].extend(seating.sets)
    left = _sometimes_away(movement)
    for home, away in {tuple(sorted(couple)) for couple in played}:
        there, back = sorted(played[home, away]), sorted(played[away, home])
        if there != back and not {home, away} & left:
            missing = Counter(there) - Counter(back) + (Counter(back) - Counter(there))
            yield Violation("full-match", contestants=(home, away), sets=tuple(sorted(missing)))


def _draw(movement: Movement) -> Iterator[Violation]:
    for round in range(1, movement.rounds + 1):
        if round in movement.open_rounds:
            continue
        times = Counter(
            team for seating in movement.in_round(round) for team in seating.contestants
        )
        in_triangles = [team for t in movement.triangles if round in t.rounds for team in t.teams]
        # where one of the three is not there, the two others play each other
        times.update(team for team in in_triangles if team not in movement.absent(round))
        for team in movement.contestants:
            if times[team] != (0 if _has_left(movement, team, round) else 1):
                yield Violation("draw", round, contestants=(team,))
    met: Counter[frozenset[int]] = Counter()
    for seating in movement.seatings:
        met[frozenset(seating.contestants)] += 1
    for triangle in movement.triangles:
        for couple in combinations(triangle.teams, 2):
            met[frozenset(couple)] += 1
    limits = [e.limit for e in movement.exemptions if e.law == "draw" and not e.contestants]
    away = _sometimes_away(movement)
    for couple in combinations(movement.contestants, 2):
        times_met = met[frozenset(couple)]
        need_not_meet = limits or away.intersection(couple)
        if times_met > max([1, *limits]) or (not times_met and not need_not_meet):
            yield Violation("draw", contestants=couple)


def _has_left(movement: Movement, team: int, round: int) -> bool:
    """Whether a team is declared not to play a round: it went home, lost a knock-out, sits out."""
    return any(
        item.law in ("draw", "present") and team in item.contestants and round in item.rounds
        for item in movement.exemptions
    )


def _unequal_plays(movement: Movement) -> Iterator[Violation]:
    plays: Counter[str] = Counter(dict.fromkeys(movement.sets, 0))
    for seating in movement.seatings:
        if seating.is_played:
            plays.update(seating.sets)
    if len(set(plays.values())) > 1 and not movement.open_rounds:
        usual = max(plays.values())
        fewer = tuple(name for name in movement.sets if plays[name] < usual)
        yield Violation("unequal-plays", sets=fewer, severity="warning")


Check = Callable[[Movement], Iterator[Violation]]

_ANY: frozenset[Kind] = frozenset({"draw", "teams", "others"})
_DRAW: frozenset[Kind] = frozenset({"draw"})
_TEAMS: frozenset[Kind] = frozenset({"teams"})
_OTHERS: frozenset[Kind] = frozenset({"others"})

LAWS: Mapping[str, tuple[Check, frozenset[Kind]]] = {
    "structure": (_structure, _ANY),
    "field": (_field, _ANY),
    "present": (_present, _ANY),
    "draw": (_draw, _DRAW),
    "one-place": (_one_place, _TEAMS | _OTHERS),
    "board-once": (_board_once, _TEAMS | _OTHERS),
    "copies": (_copies, _TEAMS | _OTHERS),
    "stands": (_stands, _TEAMS | _OTHERS),
    "no-self": (_no_self, _TEAMS),
    "full-match": (_full_match, _TEAMS),
    "meet-once": (_meet_once, _OTHERS),
    "unequal-plays": (_unequal_plays, _TEAMS | _OTHERS),
}
"""Every law by its name, and what it holds for, in the order in which they are checked: the only one
that warns comes last."""
