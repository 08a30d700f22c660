"""The laws a second time: counted from the rows of a movement's JSON, and in another way than `laws`.

Two checkers that have nothing in common are seldom wrong in the same place. The referee of simulated
evenings asks both, and so does a test that breaks thousands of movements in one cell. Here every round is
cut into its smallest moments, and the events of each moment are counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import lcm
from typing import Any

SEATS = ("ns", "ew", "n", "s", "e", "w")


@dataclass(frozen=True)
class Line:
    """A row of the document: contestants, moments of a round, and boards."""

    round: int
    table: int
    moments: range
    seats: Mapping[str, str]  # the seats that are taken, and by whom
    boards: tuple[str, ...]
    is_full: bool


def broken_laws(document: Mapping[str, Any]) -> frozenset[str]:
    """Return the names of the laws that a movement breaks: of all that forbid playing it.

    >>> from movements.engine.families.mitchells.mitchell import mitchell
    >>> from movements.engine.files.document import MovementDocument, movement_dict
    >>> broken_laws({**movement_dict(MovementDocument(mitchell(5))), "copies": 0})
    frozenset({'copies'})
    """
    count = _Count(document)
    laws = {
        "structure": count.structure,
        "field": count.field,
        "present": count.present,
    }
    if count.is_draw:
        laws |= {"draw": count.draw}
    else:
        laws |= {
            "one-place": count.one_place,
            "board-once": count.board_once,
            "copies": count.copies,
            "stands": count.stands,
        }
        if count.is_of_teams:
            laws |= {"no-self": count.no_self, "full-match": count.full_match}
        else:
            laws |= {"meet-once": count.meet_once}
    return frozenset(name for name, holds in laws.items() if not holds())


class _Count:
    """Counts one document; each law is a question that is answered with yes where it holds."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.is_of_teams = document["contest"] == "teams"
        self.is_draw = self.is_of_teams and not document["boards"]
        self.rounds = range(1, document["rounds"] + 1)
        self.triangles: Sequence[Mapping[str, Any]] = document.get("triangles", ())
        self.drawn_later = {r for item in self._declared("structure") for r in item["rounds"]}
        self.away = {
            (name, round)
            for item in self._declared("present")
            for name in item["contestants"]
            for round in item["rounds"]
        }

    # ── what the document says ──

    @cached_property
    def everybody(self) -> list[str]:
        return [
            f"{field.upper()}{label}" if field in SEATS else label
            for field, labels in self.document["field"].items()
            for label in labels
        ]

    @cached_property
    def lines(self) -> list[Line]:
        places: defaultdict[tuple[int, int], list[Mapping[str, Any]]] = defaultdict(list)
        for row in self.document["rows"]:
            places[row["round"], row["table"]].append(row)
        cuts: defaultdict[int, int] = defaultdict(lambda: 1)
        for (round, _), rows in places.items():
            cuts[round] = lcm(cuts[round], len(rows))
        found = []
        for (round, table), rows in places.items():
            length = cuts[round] // len(rows)
            for index, row in enumerate(rows):
                seats = [seat for seat in SEATS if seat in row]
                taken = {s: self._name(s, row[s]) for s in seats if row[s] is not None}
                found.append(
                    Line(
                        round,
                        table,
                        range(index * length, (index + 1) * length),
                        taken,
                        tuple(row["boards"]),
                        len(taken) == len(seats),
                    )
                )
        return found

    def _name(self, seat: str, label: str) -> str:
        """Return the name in the room: the label "3" in the column of its own line becomes NS3."""
        is_at_home = label in self.document["field"].get(seat, ())
        return f"{seat.upper()}{label}" if is_at_home else label

    def _declared(self, law: str) -> list[dict[str, Any]]:
        """Return the exceptions of a law; an exception without contestants or rounds applies to all."""
        return [
            {
                "max": item["max"],
                "contestants": item.get("contestants", [])
                if item.get("contestants") != "all"
                else [],
                "rounds": item.get("rounds", []),
            }
            for item in self.document["exceptions"]
            if item["law"] == law
        ]

    # ── the laws ──

    def structure(self) -> bool:
        rows, sets = self.document["rows"], self.document["boards"]
        highest = max((row["table"] for row in rows), default=0)
        last = highest if self.is_of_teams else self.document["tables"]
        return (
            all(row["round"] in self.rounds and 1 <= row["table"] <= last for row in rows)
            and all(self._has_its_tables(round) for round in self.rounds)
            and len(set(sets)) == len(sets)
            and all(name in sets for row in rows for name in row["boards"])
            and all(line.boards or not line.is_full or self.is_draw for line in self.lines)
            and all(
                self.is_draw and t["rounds"] and all(round in self.rounds for round in t["rounds"])
                for t in self.triangles
            )
        )

    def _has_its_tables(self, round: int) -> bool:
        tables = len({row["table"] for row in self.document["rows"] if row["round"] == round})
        if round in self.drawn_later:
            return not tables
        if self.is_draw:
            return tables > 0 or any(round in triangle["rounds"] for triangle in self.triangles)
        wanted = self.document["tables"]
        for item in self._declared("tables"):
            if round in item["rounds"]:
                wanted = item["max"]
        return tables > 0 and tables == wanted

    def field(self) -> bool:
        seated = {name for line in self.lines for name in line.seats.values()}
        playing = {name for line in self.lines if line.is_full for name in line.seats.values()}
        in_triangles = {name for triangle in self.triangles for name in triangle["teams"]}
        excused = playing | in_triangles | {name for name, _ in self.away} | self._without_opponents
        return (
            len(set(self.everybody)) == len(self.everybody)
            and seated | in_triangles <= {*self.everybody}
            and (bool(self.drawn_later) or excused >= {*self.everybody})
        )

    @cached_property
    def _without_opponents(self) -> set[str]:
        """Return the contestants that wait at a table while others are absent, or are declared to have no match or no
        play.
        """
        absent_in = {round for _, round in self.away}
        waiting = {
            name
            for line in self.lines
            if not line.is_full and line.round in absent_in
            for name in line.seats.values()
        }
        declared = (*self._declared("draw"), *self._declared("field"))
        return waiting | {name for item in declared for name in item["contestants"]}

    def present(self) -> bool:
        return not any(
            (name, line.round) in self.away for line in self.lines for name in line.seats.values()
        )

    def one_place(self) -> bool:
        at = Counter(
            (line.round, moment, person)
            for line in self.lines
            for person in self._people(line)
            for moment in line.moments
        )
        return max(at.values(), default=0) <= 1

    def _people(self, line: Line) -> list[str]:
        """Return the contestants of a row; of a team, the half that sits there."""
        if self.is_of_teams:
            return [f"{seat} {name}" for seat, name in line.seats.items()]
        return list(line.seats.values())

    def board_once(self) -> bool:
        played: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for line in self.lines:
            if line.is_full:
                for person in self._people(line):
                    for name in line.boards:
                        played[person, name].append(line.round)
        again = {key: rounds for key, rounds in played.items() if len(rounds) > 1}
        return all(
            any(
                person.split()[-1] in item["contestants"]
                and all(round in item["rounds"] for round in rounds)
                and len(rounds) <= item["max"]
                for item in self._declared("board-once")
            )
            for (person, _), rounds in again.items()
        )

    def meet_once(self) -> bool:
        met: defaultdict[tuple[str, ...], set[int]] = defaultdict(set)
        together: defaultdict[tuple[str, ...], set[int]] = defaultdict(set)
        for line in self.lines:
            if line.is_full:
                for two in combinations(sorted(line.seats.values()), 2):
                    met[two].add(line.round)
                for seats in ("ns", "ew"):
                    partners = sorted(line.seats[seat] for seat in seats if seat in line.seats)
                    if len(partners) == 2:
                        together[tuple(partners)].add(line.round)
        again = {two: rounds for two, rounds in met.items() if len(rounds) > 1}
        return all(
            any(
                (not item["contestants"] or sorted({*item["contestants"]}) == sorted({*two}))
                and (not item["rounds"] or {*item["rounds"]} == rounds)
                and len(rounds) <= item["max"]
                and (item["contestants"] or 3 * (len(together[two]) - 1) < item["max"])
                for item in self._declared("meet-once")
            )
            for two, rounds in again.items()
        )

    @cached_property
    def wanted(self) -> dict[tuple[int, int, str], set[int]]:
        """Return the tables at which a set is played at a moment of a round."""
        found: defaultdict[tuple[int, int, str], set[int]] = defaultdict(set)
        for line in self.lines:
            for moment in line.moments if line.is_full else ():
                for name in line.boards:
                    found[line.round, moment, name].add(line.table)
        return found

    def _copies_at_tables(self, round: int, name: str, tables: set[int]) -> int:
        """Return the number of copies at tables: one for each table, or one for each group that shares."""
        homes: dict[int, object] = {table: table for table in tables}
        for index, share in enumerate(self.document["shared"]):
            holds = share["round"] in ("all", round) and name in (share.get("boards") or [name])
            free = [t for t in tables if t in share["tables"] and homes[t] == t]
            if holds and len(free) > 1:
                homes.update(dict.fromkeys(free, f"share {index}"))
        return len({*homes.values()})

    def copies(self) -> bool:
        forgiven = {round for item in self._declared("copies") for round in item["rounds"]}
        return all(
            round in forgiven
            or round not in self.rounds
            or self._copies_at_tables(round, name, tables) <= self.document["copies"]
            for (round, _, name), tables in self.wanted.items()
        )

    def stands(self) -> bool:
        waiting = Counter(
            (stand["round"], name) for stand in self.document["stands"] for name in stand["boards"]
        )
        at_tables: defaultdict[tuple[int, str], int] = defaultdict(int)
        for (round, _, name), tables in self.wanted.items():
            most = self._copies_at_tables(round, name, tables)
            at_tables[round, name] = max(at_tables[round, name], most)
        return all(
            round in self.rounds
            and name in self.document["boards"]
            and count + at_tables[round, name] <= self.document["copies"]
            for (round, name), count in waiting.items()
        )

    def no_self(self) -> bool:
        return not any(len({*line.seats.values()}) < len(line.seats) for line in self.lines)

    def full_match(self) -> bool:
        matches = Counter(
            (line.seats["ns"], line.seats["ew"], name)
            for line in self.lines
            if line.is_full
            for name in line.boards
        )
        left = {name for name, _ in self.away}
        return all(
            count == matches[away, home, name] or home in left or away in left
            for (home, away, name), count in matches.copy().items()
        )

    def draw(self) -> bool:
        limits = [item["max"] for item in self._declared("draw") if not item["contestants"]]
        most, left = max([1, *limits]), {name for name, _ in self.away}
        met = Counter(frozenset(two) for two in self._meetings())
        return all(
            self._plays_once(team, round)
            for round in self.rounds
            if round not in self.drawn_later
            for team in self.everybody
        ) and all(
            met[frozenset(two)] <= most
            and (met[frozenset(two)] > 0 or bool(limits) or not left.isdisjoint(two))
            for two in combinations(self.everybody, 2)
        )

    def _meetings(self) -> Iterator[tuple[str, ...]]:
        for line in self.lines:
            yield tuple(line.seats.values())
        for triangle in self.triangles:
            yield from combinations(triangle["teams"], 2)

    def _plays_once(self, team: str, round: int) -> bool:
        """Return whether a team plays one match, or none in a round with that declaration."""
        is_away = (team, round) in self.away
        rests = is_away or any(
            team in item["contestants"] and round in item["rounds"]
            for item in self._declared("draw")
        )
        times = sum(
            name == team
            for line in self.lines
            if line.round == round
            for name in line.seats.values()
        )
        for triangle in self.triangles:
            if round in triangle["rounds"] and not is_away:
                times += triangle["teams"].count(team)
        return times == (0 if rests else 1)
