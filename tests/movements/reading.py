"""A reader of spoken calls: turns the English sentences back into places, as a person in the room would.

The reader knows the room: who sits where and which boards lie where when a round ends, where stands are,
and which tables share all evening. Everything else is taken from the sentences. It shares no code with
`movements.engine.calls`, which makes the calls.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from movements.engine.copies import places
from movements.engine.model import Movement, players_of
from movements.words.calls import Call, call_after

Mover = tuple[int, str]  # a contestant, and of a team the half by its line
Chair = tuple[int, str]  # a table, and a line or one of the four chairs
Copy = tuple[str, int]  # a set and its copy
Where = tuple[str, frozenset[int]]  # "table", "stand" or "aside", and the tables
Rule = Callable[[int], int]

LINES = {"North-South": "ns", "East-West": "ew"}
CHAIRS = {"North players": "n", "South players": "s", "East players": "e", "West players": "w"}
COLOURS = {"Red": 1, "Blue": 2, "Green": 3, "Orange": 4}
#: sets as the reader has them named: by their letters alone
SETS = r"[A-Z]{1,2}[12]?(?:, [A-Z]{1,2}[12]?)*"
FAR = r"(?P<far>one table|two tables|TWO tables|\d+ tables|one)"
ODD, EVEN = (
    rf"(?P<{group}_way>up|down) (?P<{group}_far>one table|two tables|\d+ tables|one)"
    for group in ("odd", "even")
)
MOVE = rf"(?:stay|move (?P<way>up|down) {FAR})"
RANGE = r"(\d+) to (\d+)"


class NotUnderstood(Exception):
    """A sentence that the reader cannot carry out."""


@dataclass
class Said:
    """What a reader has understood of one moment's sentences."""

    line_rules: list[tuple[str, Rule, str]] = field(default_factory=list)  # line, table → table, line
    chair_rules: dict[str, Rule] = field(default_factory=dict)
    follows: tuple[int, int, int] | None = None  # step, first, last
    people_by_cards: bool = False
    board_rules: list[Rule] = field(default_factory=list)
    stations: int = 0
    halves: tuple[int, int] | None = None  # shift, which half (0: both)
    boards_by_cards: bool = False
    named: dict[Mover, Chair | None] = field(default_factory=dict)
    stay: set[int] = field(default_factory=set)
    boards: dict[Copy, Where] = field(default_factory=dict)
    shares: list[frozenset[int]] = field(default_factory=list)


def faults(movement: Movement, round: int, call: Call | None = None) -> list[str]:
    """Return what is wrong with the call after a round: what people who follow it would find."""
    try:
        return list(Reader(movement, round, call or call_after(movement, round, boards=", ".join)).faults())
    except NotUnderstood as problem:
        return [f"not understood: {problem}"]


def sentences_of(text: str) -> list[str]:
    """Split what is read aloud into its sentences."""
    return [sentence.rstrip(".") for sentence in re.split(r"(?<=\.) ", text) if sentence]


class Reader:
    """Somebody who hears a call in a round and does what it says."""

    def __init__(self, movement: Movement, round: int, call: Call) -> None:
        self.movement, self.round, self.tables = movement, round, movement.tables
        self.moments: list[list[str]] = [[]]
        for sentence in sentences_of(call.text):
            middle = re.fullmatch(
                rf"(?:In the middle|After (\d+)/(\d+)) of round {round + 1}: (.*)", sentence
            )
            if middle:
                self.moments.append([])
                sentence = middle[3]
            self.moments[-1].append(sentence)
        carried = places(movement).between(round)
        self.boards: dict[Copy, Where | None] = {
            (one.copy.name, one.copy.number): _where(one.before) for one in carried
        }
        self.cards: dict[Copy, Where] = {
            (one.copy.name, one.copy.number): where
            for one in carried
            if (where := _where(one.after))
        }
        self.done = {(one.copy.name, one.copy.number) for one in carried if one.is_done}
        self.people = seated(movement, round, last=True)

    def faults(self) -> Iterator[str]:
        texts = [*self.moments[0]]
        if len(set(texts)) < len(texts):
            yield f"said twice: {texts}"
        parts = max((len(self.movement.at_table(self.round + 1, t)) for t in range(1, self.tables + 1)), default=1)
        by_cards = False
        for index in range(parts):
            said = self.understand(self.moments[index] if index < len(self.moments) else [])
            by_cards = by_cards or said.boards_by_cards
            said.boards_by_cards = by_cards
            self.carry_out(said, index)
            yield from self._compared(index, parts)

    # ── understanding ──

    def understand(self, sentences: list[str]) -> Said:
        said = Said()
        for sentence in sentences:
            colour = re.fullmatch(r"(Red|Blue|Green|Orange) copy: (.*)|Copy (\d+): (.*)", sentence)
            if colour:
                copy = COLOURS[colour[1]] if colour[1] else int(colour[3])
                self._copy_line(said, copy, colour[2] or colour[4])
            elif not any(
                understood(said, sentence)
                for understood in (
                    self._people_rule, self._boards_rule, self._people_named, self._boards_named
                )
            ):
                raise NotUnderstood(sentence)
        return said

    def _shift(self, found: re.Match[str]) -> int:
        return _far(found["way"], found["far"]) if found["way"] else 0

    def _room(self, shift: int) -> Rule:
        return lambda table: (table - 1 + shift) % self.tables + 1

    def _rows(self, shift: int, rows: list[tuple[int, int]]) -> Rule:
        def goes(table: int) -> int:
            for first, last in rows:
                if first <= table <= last:
                    return first + (table - first + shift) % (last - first + 1)
            return 0

        return goes

    def _some(self, rule: Rule, is_one: Callable[[int], bool]) -> Rule:
        return lambda table: rule(table) if is_one(table) else 0

    def _people_rule(self, said: Said, sentence: str) -> bool:
        if sentence == "Everybody moves as the guide card or the phone says":
            said.people_by_cards = True
            return True
        if sentence == "North-South stay, the others go as the guide card or the phone says":
            said.people_by_cards = True
            said.line_rules.append(("ns", self._room(0), "ns"))
            return True
        if found := re.fullmatch(
            r"Everybody takes the place of the next (lower|higher) number, (\S+) that of (\S+)", sentence
        ):
            first, last = (self._contestant(label) for label in found.groups()[1:])
            said.follows = (1 if found[1] == "lower" else -1, first, last)
            return True
        if found := re.fullmatch(
            rf"East-West of tables (?P<row>{RANGE}) move (?P<way>up|down) {FAR}, boards"
            r" (?P<b_way>up|down) (?P<b_far>one|two tables|\d+ tables); after (?P<last>\d+) comes (?P<first>\d+)",
            sentence,
        ):
            said.line_rules.append(("ew", self._closed(found, self._shift(found)), "ew"))
            said.board_rules.append(self._closed(found, _far(found["b_way"], found["b_far"])))
            return True
        if found := re.fullmatch(
            rf"(North-South|East-West) of odd tables move {ODD}, of even tables {EVEN}", sentence
        ):
            line = LINES[found[1]]
            said.line_rules += [(line, rule, line) for rule in self._odd_and_even(found)]
            return True
        who = "|".join([*LINES, *CHAIRS])
        if found := re.fullmatch(
            rf"(?P<who>{who})(?: of (?P<group>odd|even) tables| of tables (?P<row>{RANGE}))? "
            rf"(?:{MOVE})(?:; after (?P<last>\d+) comes (?P<first>\d+)|, each row by itself: tables (?P<rows>.+)"
            r"|(?: at their table)? and sit (?P<to>North-South|East-West)|: this is the skip)?",
            sentence,
        ):
            self._moving(said, found)
            return True
        if found := re.fullmatch(
            rf"(?P<who>North-South|East-West) change rows, tables (?P<a>{RANGE}) with (?P<b>{RANGE})"
            rf"(?:, and move (?P<way>up|down) {FAR})?",
            sentence,
        ):
            line, shift = LINES[found["who"]], self._shift(found)
            said.line_rules.append((line, self._swapped(shift), line))
            return True
        return False

    def _odd_and_even(self, found: re.Match[str]) -> list[Rule]:
        return [
            self._some(self._room(_far(found[f"{group}_way"], found[f"{group}_far"])), _parity(group))
            for group in ("odd", "even")
        ]

    def _moving(self, said: Said, found: re.Match[str]) -> None:
        shift, rule = self._shift(found), self._room(self._shift(found))
        if found["rows"]:
            rule = self._rows(shift, _ranges(found["rows"]))
        elif found["row"]:
            rule = self._closed(found, shift)
        elif found["group"]:
            rule = self._some(rule, _parity(found["group"]))
        if found["who"] in CHAIRS:
            said.chair_rules[CHAIRS[found["who"]]] = rule
        else:
            line = LINES[found["who"]]
            said.line_rules.append((line, rule, LINES[found["to"]] if found["to"] else line))

    def _closed(self, found: re.Match[str], shift: int) -> Rule:
        rows = _ranges(found["row"])
        ends = {int(found["first"]), int(found["last"])}
        if ends != {*rows[0]}:
            raise NotUnderstood(found[0])
        return self._rows(shift, rows)

    def _swapped(self, shift: int) -> Rule:
        half = self.tables // 2

        def goes(table: int) -> int:
            place = (table - 1 + shift) % half + 1
            return place if table > half else place + half

        return goes

    def _boards_rule(self, said: Said, sentence: str) -> bool:
        if re.fullmatch(r"New boards at every table(: .+)?|Boards go as the table cards say", sentence):
            said.boards_by_cards = True
            named = re.findall(r"\b[A-Z]{1,2}[12]?\b", sentence.partition(": ")[2])
            wanted = {name for s in self.movement.in_round(self.round + 1) for name in s.sets}
            if named and {*named} != wanted:
                raise NotUnderstood(sentence)
            return True
        if found := re.fullmatch(
            rf"Boards of odd tables move {ODD}, of even tables {EVEN}", sentence
        ):
            said.board_rules += self._odd_and_even(found)
            return True
        if found := re.fullmatch(
            rf"Boards(?: of (?P<group>odd|even) tables| of tables (?P<row>{RANGE}))? {MOVE}"
            r"(?:; after (?P<last>\d+) comes (?P<first>\d+)|, each row by itself: tables (?P<rows>.+))?",
            sentence,
        ):
            shift, rule = self._shift(found), self._room(self._shift(found))
            if found["rows"]:
                rule = self._rows(shift, _ranges(found["rows"]))
            elif found["row"]:
                rule = self._closed(found, shift)
            elif found["group"]:
                rule = self._some(rule, _parity(found["group"]))
            said.board_rules.append(rule)
            return True
        if found := re.fullmatch(
            rf"Boards move (?P<way>up|down) {FAR}; the stands after tables (?P<stands>.+) count as tables",
            sentence,
        ):
            if tuple(map(int, re.findall(r"\d+", found["stands"]))) != places(self.movement).stands:
                raise NotUnderstood(sentence)
            said.stations = self._shift(found)
            return True
        if found := re.fullmatch(rf"Boards move (?P<way>up|down) {FAR}, also those laid aside", sentence):
            said.halves = (self._shift(found), 0)
            return True
        if found := re.fullmatch(
            rf"The (?P<half>first|second) half of each set moves (?P<way>up|down) {FAR},"
            r" the (first|second) half stays, laid aside",
            sentence,
        ):
            said.halves = (self._shift(found), 1 if found["half"] == "first" else 2)
            return True
        if found := re.fullmatch(
            rf"Boards change rows(?: and move (?P<way>up|down) {FAR})?", sentence
        ):
            said.board_rules.append(self._swapped(self._shift(found)))
            return True
        return False

    # ── exceptions ──

    def _contestant(self, label: str) -> int:
        found = self.movement.contestant(label)
        if found is None:
            numbers = [n for n in self.movement.contestants if self.movement.number(n) == label]
            if len(numbers) != 1:
                raise NotUnderstood(label)
            found = numbers[0]
        return found

    def _line(self, label: str, line: str | None) -> str:
        return LINES[line] if line else self.movement.field_of(self._contestant(label)).name

    def _movers(self, label: str, line: str | None = None) -> list[Mover]:
        contestant = self._contestant(label)
        if not self.movement.contest.has_halves:
            return [(contestant, "")]
        return [(contestant, half) for half in ([line] if line else ["ns", "ew"])]

    def _people_named(self, said: Said, sentence: str) -> bool:
        label = r"(?:(?:NS|EW) )?\d+"
        if found := re.fullmatch(rf"({label}(?:(?:, | and ){label})*) (stays?|sits? out)", sentence):
            for name in re.findall(label, found[1]):
                if found[2].startswith("stay"):
                    said.stay.add(self._contestant(name))
                else:
                    for mover in self._movers(name):
                        said.named[mover] = None
            return True
        if found := re.fullmatch(
            rf"({label}) (?:begins|is back) at table (\d+)(?:, (North-South|East-West))?", sentence
        ):
            line = self._line(found[1], found[3])
            for mover in self._movers(found[1], line):
                said.named[mover] = (int(found[2]), line)
            return True
        clause = rf"({label}) (?:goes )?to (?:table )?(\d+)(?: (North-South|East-West))?"
        if re.fullmatch(rf"{clause}(?:, {clause})*", sentence):
            for name, table, line in re.findall(clause, sentence):
                to = self._line(name, line)
                for mover in self._movers(name, to):
                    said.named[mover] = (int(table), to)
            return True
        return False

    def _at(self, table: int, *, names: str = "") -> list[Copy]:
        """The boards that lie at a table, or of these the sets that are named."""
        sets = re.findall(r"\b[A-Z]{1,2}[12]?\b", names)
        return [
            copy
            for copy, where in self.boards.items()
            if where and where[0] == "table" and table in where[1] and (not sets or copy[0] in sets)
        ]

    def _on_stand(self, stand: int, names: str = "") -> list[Copy]:
        sets = re.findall(r"\b[A-Z]{1,2}[12]?\b", names)
        found = [c for c, w in self.boards.items() if w == ("stand", frozenset({stand}))]
        return [copy for copy in found if not sets or copy[0] in sets]

    def _stand(self, words: str) -> int:
        stands = places(self.movement).stands
        number = re.search(r"\d+", words)
        if not number and len(stands) != 1:
            raise NotUnderstood(words)
        return stands[int(number[0]) - 1] if number else stands[0]

    def _boards_named(self, said: Said, sentence: str) -> bool:
        on = r"(?P<on>on (?:the )?(?:stand|relay|bye-stand)(?: \d+)?)"
        if sentence == "All other boards stay":
            said.board_rules.append(self._room(0))
            return True
        if found := re.fullmatch(
            rf"Table (\d+) puts (?P<what>its boards|{SETS}) {on}"
            rf"(?:, table (?P<to>\d+) takes(?: (?P<taken>{SETS}))? from there)?",
            sentence,
        ):
            stand = self._stand(found["on"])
            self._put(said, self._at(int(found[1]), names=_names(found["what"])), ("stand", frozenset({stand})))
            if found["to"]:
                self._take(said, int(found["to"]), stand, found["taken"] or "its boards")
            return True
        if found := re.fullmatch(rf"Table (\d+) exchanges its boards with those {on}", sentence):
            stand = self._stand(found["on"])
            self._put(said, self._at(int(found[1])), ("stand", frozenset({stand})))
            self._take(said, int(found[1]), stand, "its boards")
            return True
        if found := re.fullmatch(
            rf"Table (\d+) takes (its boards|{SETS}) from (?:the )?((?:stand|relay|bye-stand)(?: \d+)?)",
            sentence,
        ):
            self._take(said, int(found[1]), self._stand(found[3]), found[2])
            return True
        if found := re.fullmatch(
            r"Table (\d+)’s boards go to table (\d+): nobody plays at table [\d, ]+", sentence
        ):
            self._put(said, self._at(int(found[1])), ("table", frozenset({int(found[2])})))
            return True
        clause = r"[Tt]able (\d+)’s(?: boards go)? to table (\d+)"
        if re.fullmatch(rf"{clause}(?:, {clause})*", sentence):
            for table, to in re.findall(clause, sentence):
                self._put(said, self._at(int(table)), ("table", frozenset({int(to)})))
            return True
        return self._boards_by_name(said, sentence)

    def _boards_by_name(self, said: Said, sentence: str) -> bool:
        if found := re.fullmatch(rf"Table (\d+) passes ({SETS}) to table (\d+)", sentence):
            copies = self._at(int(found[1]), names=_names(found[2]))
            self._put(said, copies, ("table", frozenset({int(found[3])})))
            return True
        if found := re.fullmatch(
            rf"Table (\d+) (?:gets new boards: ({SETS})|fetches ({SETS}) from table (\d+))", sentence
        ):
            names = re.findall(r"\b[A-Z]{1,2}[12]?\b", _names(found[2] or found[3]))
            for name in names:
                copy = self._lying(name, 0, int(found[4]) if found[4] else None)
                self._put(said, [copy], ("table", frozenset({int(found[1])})))
            return True
        if found := re.fullmatch(r"Tables? ([\d, and]+) puts? (its|their) boards aside", sentence):
            for table in map(int, re.findall(r"\d+", found[1])):
                for copy in self._at(table):
                    self._put(said, [copy], ("aside", _tables(self.boards[copy])))
            return True
        if found := re.fullmatch(rf"Table (\d+) puts ({SETS}) aside", sentence):
            for copy in self._at(int(found[1]), names=_names(found[2])):
                self._put(said, [copy], ("aside", _tables(self.boards[copy])))
            return True
        if found := re.fullmatch(r"Tables ([\d, and]+) share", sentence):
            said.shares.append(frozenset(map(int, re.findall(r"\d+", found[1]))))
            return True
        return False

    def _lying(self, name: str, copy: int, table: int | None) -> Copy:
        """A set that is aside at a table, or in its box."""
        for key, where in self.boards.items():
            is_there = where is None if table is None else where and where[0] == "aside" and table in where[1]
            if key[0] == name and is_there and copy in (0, key[1]):
                return key
        raise NotUnderstood(f"{name} does not lie there")

    def _put(self, said: Said, copies: list[Copy], where: Where) -> None:
        if not copies:
            raise NotUnderstood(f"nothing to put to {where}")
        for copy in copies:
            said.boards[copy] = where

    def _take(self, said: Said, table: int, stand: int, what: str) -> None:
        copies = self._on_stand(stand, _names(what))
        if len(copies) != 1 and not _names(what):
            raise NotUnderstood(f"which boards of stand {stand}?")
        self._put(said, copies, ("table", frozenset({table})))

    def _copy_line(self, said: Said, copy: int, text: str) -> None:
        stand = 0
        tables = r"tables? ([\d, ]+)"
        for clause in text.split("; "):
            if found := re.fullmatch(rf"{tables} brings? (.+) to stand(?: (\d+))?", clause):
                stand = self._stand(found[3] or "")
                where: Where = ("stand", frozenset({stand}))
                self._put(said, self._of_copy(found[1], found[2], copy), where)
            elif found := re.fullmatch(rf"{tables} to stand(?: (\d+))?", clause):
                stand = self._stand(found[2] or "")
                where = ("stand", frozenset({stand}))
                self._put(said, self._of_copy(found[1], "", copy), where)
            elif found := re.fullmatch(rf"{tables} to {tables}", clause):
                where = ("table", frozenset(_numbers(found[2])))
                self._put(said, self._of_copy(found[1], "", copy), where)
            elif found := re.fullmatch(rf"{tables} brings? (.+) to {tables}", clause):
                where = ("table", frozenset(_numbers(found[3])))
                self._put(said, self._of_copy(found[1], found[2], copy), where)
            elif found := re.fullmatch(rf"{tables} takes? (.+) from (it|stand(?: \d+)?)", clause):
                at = stand if found[3] == "it" else self._stand(found[3])
                copies = [c for c in self._on_stand(at, found[2]) if c[1] == copy]
                self._put(said, copies, ("table", frozenset(_numbers(found[1]))))
            elif found := re.fullmatch(rf"{tables} fetch(?:es)? (.+)", clause):
                for name in re.findall(r"\b[A-Z]{1,2}[12]?\b", found[2]):
                    self._put(said, [self._fetched(name, copy)], ("table", frozenset(_numbers(found[1]))))
            elif found := re.fullmatch(rf"{tables} puts? (.+) aside", clause):
                for one in self._of_copy(found[1], found[2], copy):
                    self._put(said, [one], ("aside", _tables(self.boards[one])))
            else:
                raise NotUnderstood(clause)

    def _of_copy(self, tables: str, sets: str, copy: int) -> list[Copy]:
        return [one for one in self._at(_numbers(tables)[0], names=sets) if one[1] == copy]

    def _fetched(self, name: str, copy: int) -> Copy:
        where = self.boards.get((name, copy))
        if where is not None and where[0] != "aside":
            raise NotUnderstood(f"copy {copy} of {name} does not lie aside")
        return name, copy

    # ── doing it ──

    def carry_out(self, said: Said, index: int) -> None:
        self.people = self._people_after(said, index)
        self._boards_after(said, index)

    def _people_after(self, said: Said, index: int) -> dict[Mover, Chair]:
        now = self.people
        after: dict[Mover, Chair] = {}
        cards = seated(self.movement, self.round + 1, part=index)
        for mover, (table, line) in now.items():
            after[mover] = self._next(said, mover, (table, line))
        if said.people_by_cards:
            ruled = {line for line, _rule, _to in said.line_rules}
            after = {m: after[m] for m in after if now[m][1] in ruled and after[m] == now[m]}
            after = {**cards, **after}
        for contestant in said.stay:
            for mover in now:
                if mover[0] == contestant:
                    after[mover] = now[mover]
        for mover, chair in said.named.items():
            if chair is None:
                after.pop(mover, None)
            else:
                after[mover] = chair
        return after

    def _next(self, said: Said, mover: Mover, at: Chair) -> Chair:
        table, line = at
        if said.follows:
            step, first, last = said.follows
            low, high = min(first, last), max(first, last)
            if mover[0] in said.stay or not low <= mover[0] <= high:
                return at
            leader = last if mover[0] == first else mover[0] - step
            return self.people[leader, ""]
        if line in said.chair_rules:
            return said.chair_rules[line](table), line
        for ruled, rule, to in said.line_rules:
            if ruled == line and rule(table):
                return rule(table), to
        return at

    def _boards_after(self, said: Said, index: int) -> None:
        if said.boards_by_cards:
            wanted: dict[Copy, Where] = self.cards
            if index:
                wanted = {
                    (one.copy.name, one.copy.number): where
                    for one in places(self.movement).within(self.round + 1)[index - 1][1]
                    if (where := _where(one.after))
                }
            self.boards = {**self.boards, **wanted}
            return
        groups = [*self._always_share(), *said.shares]
        after: dict[Copy, Where | None] = {}
        for copy, where in self.boards.items():
            to = said.boards.get(copy) or self._board_next(said, copy, where)
            if to and to[0] == "table":
                together = set(to[1])
                for group in groups:
                    if group & to[1]:
                        together |= group
                to = ("table", frozenset(together))
            after[copy] = to
        self.boards = after

    def _always_share(self) -> list[frozenset[int]]:
        """The tables that have the same sets whenever they play: people know them, the cards say so."""
        found = []
        for tables in {s.tables for s in self.movement.shared}:
            together = [self._sets_at(tables, r) for r in range(1, self.movement.rounds + 1)]
            if all(len(sets) == 1 for sets in together if sets) and any(together):
                is_declared = any(s.tables == tables and not s.round for s in self.movement.shared)
                if is_declared or all(together):
                    found.append(frozenset(tables))
        declared = [{*share.tables} for share in self.movement.shared]
        rounds = [
            {frozenset(tables) for tables in self.movement.shares(round).values()}
            for round in range(1, self.movement.rounds + 1)
        ]
        every = set.intersection(*rounds)
        return [*found, *(group for group in every if any(group <= tables for tables in declared))]

    def _sets_at(self, tables: tuple[int, ...], round: int) -> set[frozenset[str]]:
        """The sets of some tables in a round, table by table; nothing unless all of them play."""
        seatings = [self.movement.at_table(round, table) for table in tables]
        if not all(here and all(s.is_played for s in here) for here in seatings):
            return set()
        return {frozenset(name for s in here for name in s.sets) for here in seatings}

    def _board_next(self, said: Said, copy: Copy, where: Where | None) -> Where | None:
        if where is None:
            return None
        if said.halves:
            return self._half_next(said.halves, copy, where)
        if said.stations:
            return self._next_station(said.stations, copy, where)
        if where[0] != "table":
            return where
        to = {
            rule(table) for table in where[1] for rule in said.board_rules if rule(table)
        }
        to = to - where[1] or to
        return ("table", frozenset(to)) if to else where

    def _half_next(self, halves: tuple[int, int], copy: Copy, where: Where) -> Where:
        shift, half = halves
        if copy in self.done and where[0] == "aside":
            return where
        if half in (0, int(copy[0][-1])):
            return "table", frozenset(self._room(shift)(table) for table in where[1])
        return "aside", where[1]

    def _next_station(self, shift: int, copy: Copy, where: Where) -> Where:
        """Tables and stands in the order of the room; of several sets on a stand the first leaves."""
        if where[0] == "aside":
            return where
        higher = {table for group in self._always_share() for table in sorted(group)[1:]}
        ring = [(table, "table") for table in range(1, self.tables + 1) if table not in higher]
        ring = sorted([*ring, *((after, "z-stand") for after in places(self.movement).stands)])
        if where[0] == "stand":
            waiting = [s.sets for s in self.movement.waiting(self.round) if {s.after_table} == where[1]]
            if waiting[0][0] != copy[0]:
                return where
        kind = "z-stand" if where[0] == "stand" else "table"
        at = ring.index((min(where[1]), kind))
        table, kind = ring[(at + shift) % len(ring)]
        return "stand" if kind == "z-stand" else "table", frozenset({table})

    # ── comparing ──

    def _compared(self, index: int, parts: int) -> Iterator[str]:
        wanted = seated(self.movement, self.round + 1, part=index)
        absent = self.movement.absent(self.round + 1)
        for mover in {*wanted, *self.people}:
            if self.people.get(mover) != wanted.get(mover) and mover[0] not in absent:
                who = self.movement.label(mover[0])
                yield f"{who} {mover[1]} is at {self.people.get(mover)}, should be at {wanted.get(mover)}"
        if not self.movement.is_draw:
            yield from self._boards_compared(index)

    def _boards_compared(self, index: int) -> Iterator[str]:
        next_round = self.round + 1
        for table in range(1, self.tables + 1):
            seatings = self.movement.at_table(next_round, table)
            now = [
                s
                for part in self.movement.parts(next_round)
                if (s := part.seating).table == table and _is_on(part, index, self._parts())
            ]
            here = {name for name, _copy in self._at(table)}
            wanted = {name for s in now if s.is_played for name in s.sets}
            if not wanted <= here:
                yield f"table {table} has {sorted(here)}, should have {sorted(wanted)}"
            if strange := here - {name for s in seatings for name in s.sets}:
                yield f"table {table} has {sorted(strange)} as well"
        if index == 0:
            for after in places(self.movement).stands:
                wanted_there = sorted(
                    name for s in self.movement.waiting(next_round) if s.after_table == after for name in s.sets
                )
                there = sorted(name for name, _copy in self._on_stand(after))
                if there != wanted_there:
                    yield f"on the stand after {after} lie {there}, should be {wanted_there}"

    def _parts(self) -> int:
        return max(
            len(self.movement.at_table(self.round + 1, t)) for t in range(1, self.tables + 1)
        )


def _is_on(part: object, index: int, parts: int) -> bool:
    mine = part.parts  # type: ignore[attr-defined]
    return mine == 1 or part.index == index * mine // parts + 1  # type: ignore[attr-defined]


def seated(
    movement: Movement, round: int, *, last: bool = False, part: int = 0
) -> dict[Mover, Chair]:
    """Return where everybody sits in a part of a round (from 0), or in its last."""
    found: dict[Mover, Chair] = {}
    most = max((p.parts for p in movement.parts(round)), default=1)
    for one in movement.parts(round):
        if one.index == one.parts if last else _is_on(one, part, most):
            for line, side in (("ns", one.seating.ns), ("ew", one.seating.ew)):
                for place, contestant in enumerate(players_of(side)):
                    half = line if movement.contest.has_halves else ""
                    chair = line[place] if movement.contest.plays_alone else line
                    found[contestant, half] = (one.seating.table, chair)
    return found


def _where(spots: tuple[object, ...]) -> Where | None:
    for spot in spots:
        return spot.kind, frozenset(spot.tables)  # type: ignore[attr-defined]
    return None


def _tables(where: Where | None) -> frozenset[int]:
    return where[1] if where else frozenset()


def _far(way: str, words: str) -> int:
    first = words.split()[0].lower()
    far = {"one": 1, "two": 2}.get(first) or int(first)
    return far if way == "up" else -far


def _names(what: str) -> str:
    return what if what[0].isupper() else ""


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def _ranges(text: str) -> list[tuple[int, int]]:
    return [(int(first), int(last)) for first, last in re.findall(RANGE, text)]


def _parity(group: str) -> Callable[[int], bool]:
    return (lambda table: table % 2 == 1) if group == "odd" else (lambda table: table % 2 == 0)


def calls_of(movement: Movement) -> Iterator[tuple[int, Call]]:
    """Yield the calls of a movement, round by round, where a call is made; sets are named by their letters."""
    for round in range(1, movement.rounds):
        if not movement.is_draw and not {round, round + 1} & {*movement.open_rounds}:
            yield round, call_after(movement, round, boards=", ".join)


@dataclass
class Tally:
    """What reading many calls comes to."""

    calls: int = 0
    table_rounds: int = 0
    wrong: int = 0
    words: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    by_cards: int = 0
