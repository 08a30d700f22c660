"""Sentences about boards."""

from __future__ import annotations

import re

from movements.engine.board_copies.copies import copy_places

from .room import (
    EVEN,
    FAR,
    MOVE,
    ODD,
    RANGE,
    SETS,
    Copy,
    NotUnderstood,
    Room,
    UnderstoodSentences,
    Where,
    named_sets,
    numbers_in,
    parity,
    rows_in,
    tables_of,
)

FROM = r"from (?:the )?(?P<place>(?:stand|relay|bye-stand)(?: \d+)?)"


class BoardSentences(Room):
    """Sentences about boards."""

    def _boards_rule(self, said: UnderstoodSentences, sentence: str) -> bool:
        if re.fullmatch(
            r"New boards at every table(: .+)?|Boards go as the newest table cards say", sentence
        ):
            said.boards_by_cards = True
            named = re.findall(r"\b[A-Z]{1,2}[12]?\b", sentence.partition(": ")[2])
            wanted = {name for s in self.movement.in_round(self.round + 1) for name in s.sets}
            if named and {*named} != wanted:
                raise NotUnderstood(sentence)
            return True
        if found := re.fullmatch(
            rf"Boards of odd tables move {ODD}, of even tables {EVEN}", sentence
        ):
            said.board_rules += self.odd_and_even(found)
            return True
        if found := re.fullmatch(
            rf"Boards(?: of (?P<group>odd|even) tables| of tables (?P<row>{RANGE}))? {MOVE}"
            r"(?:; after (?P<last>\d+) comes (?P<first>\d+)|, each row by itself: tables (?P<rows>.+))?",
            sentence,
        ):
            shift, rule = self.shift(found), self.room(self.shift(found))
            if found["rows"]:
                rule = self.rows(shift, rows_in(found["rows"]))
            elif found["row"]:
                rule = self.closed(found, shift)
            elif found["group"]:
                rule = self.some(rule, parity(found["group"]))
            said.board_rules.append(rule)
            return True
        if found := re.fullmatch(
            rf"Boards move (?P<way>up|down) {FAR}; the stands after tables (?P<stands>.+) count as tables",
            sentence,
        ):
            if (
                tuple(map(int, re.findall(r"\d+", found["stands"])))
                != copy_places(self.movement).stands
            ):
                raise NotUnderstood(sentence)
            said.stations = self.shift(found)
            return True
        if found := re.fullmatch(
            rf"Boards move (?P<way>up|down) {FAR}, also those laid aside", sentence
        ):
            said.halves = (self.shift(found), 0)
            return True
        if found := re.fullmatch(
            rf"The (?P<half>first|second) half of each set moves (?P<way>up|down) {FAR},"
            r" the (first|second) half stays, laid aside",
            sentence,
        ):
            said.halves = (self.shift(found), 1 if found["half"] == "first" else 2)
            return True
        if found := re.fullmatch(
            rf"Boards change rows(?: and move (?P<way>up|down) {FAR})?", sentence
        ):
            said.board_rules.append(self.swapped(self.shift(found)))
            return True
        return False

    def _boards_named(self, said: UnderstoodSentences, sentence: str) -> bool:
        on = r"(?P<on>on (?:the )?(?:stand|relay|bye-stand)(?: \d+)?)"
        if sentence == "All other boards stay":
            said.board_rules.append(self.room(0))
            return True
        if found := re.fullmatch(
            rf"Table (\d+) puts (?P<what>its boards|{SETS}) {on}"
            rf"(?:, table (?P<to>\d+) takes(?: (?P<taken>{SETS}))? from there)?",
            sentence,
        ):
            stand = self.stand(found["on"])
            self._put(
                said,
                self.at(int(found[1]), names=named_sets(found["what"])),
                ("stand", frozenset({stand})),
            )
            if found["to"]:
                self._take(said, int(found["to"]), stand, found["taken"] or "its boards")
            return True
        if found := re.fullmatch(rf"Table (\d+) exchanges its boards with those {FROM}", sentence):
            stand = self.stand(found["place"])
            self._put(said, self.at(int(found[1])), ("stand", frozenset({stand})))
            self._take(said, int(found[1]), stand, "its boards")
            return True
        if found := re.fullmatch(
            rf"Table (\d+) takes (its boards|{SETS}) from (?:the )?((?:stand|relay|bye-stand)(?: \d+)?)",
            sentence,
        ):
            self._take(said, int(found[1]), self.stand(found[3]), found[2])
            return True
        if found := re.fullmatch(
            r"Table (\d+)’s boards go to table (\d+): nobody plays at table [\d, ]+", sentence
        ):
            self._put(said, self.at(int(found[1])), ("table", frozenset({int(found[2])})))
            return True
        clause = r"[Tt]able (\d+)’s(?: boards go)? to table (\d+)"
        if re.fullmatch(rf"{clause}(?:, {clause})*", sentence):
            for table, to in re.findall(clause, sentence):
                self._put(said, self.at(int(table)), ("table", frozenset({int(to)})))
            return True
        return self._boards_by_name(said, sentence)

    def _boards_by_name(self, said: UnderstoodSentences, sentence: str) -> bool:
        if found := re.fullmatch(rf"Table (\d+) passes ({SETS}) to table (\d+)", sentence):
            copies = self.at(int(found[1]), names=named_sets(found[2]))
            self._put(said, copies, ("table", frozenset({int(found[3])})))
            return True
        if found := re.fullmatch(
            rf"Table (\d+) (?:gets new boards: ({SETS})|fetches ({SETS}) from table (\d+))",
            sentence,
        ):
            names = re.findall(r"\b[A-Z]{1,2}[12]?\b", named_sets(found[2] or found[3]))
            for name in names:
                copy = self._lying(name, 0, int(found[4]) if found[4] else None)
                self._put(said, [copy], ("table", frozenset({int(found[1])})))
            return True
        if found := re.fullmatch(r"Tables? ([\d, and]+) puts? (its|their) boards aside", sentence):
            for table in map(int, re.findall(r"\d+", found[1])):
                for copy in self.at(table):
                    self._put(said, [copy], ("aside", tables_of(self.boards[copy])))
            return True
        if found := re.fullmatch(rf"Table (\d+) puts ({SETS}) aside", sentence):
            for copy in self.at(int(found[1]), names=named_sets(found[2])):
                self._put(said, [copy], ("aside", tables_of(self.boards[copy])))
            return True
        if found := re.fullmatch(r"Tables (\d+) and (\d+) exchange their boards", sentence):
            one, other = int(found[1]), int(found[2])
            there, here = self.at(other), self.at(one)
            self._put(said, here, ("table", frozenset({other})))
            self._put(said, there, ("table", frozenset({one})))
            return True
        if found := re.fullmatch(r"Tables ([\d, and]+) share", sentence):
            said.shares.append(frozenset(map(int, re.findall(r"\d+", found[1]))))
            return True
        return False

    def _lying(self, name: str, copy: int, table: int | None) -> Copy:
        """A set that is aside at a table, or in its box."""
        for key, where in self.boards.items():
            is_there = (
                where is None
                if table is None
                else where and where[0] == "aside" and table in where[1]
            )
            if key[0] == name and is_there and copy in (0, key[1]):
                return key
        raise NotUnderstood(f"{name} does not lie there")

    def _put(self, said: UnderstoodSentences, copies: list[Copy], where: Where) -> None:
        if not copies:
            raise NotUnderstood(f"nothing to put to {where}")
        for copy in copies:
            said.boards[copy] = where

    def _take(self, said: UnderstoodSentences, table: int, stand: int, what: str) -> None:
        copies = self.on_stand(stand, named_sets(what))
        if len(copies) != 1 and not named_sets(what):
            raise NotUnderstood(f"which boards of stand {stand}?")
        self._put(said, copies, ("table", frozenset({table})))

    def _copy_line(self, said: UnderstoodSentences, copy: int, text: str) -> None:
        stand = 0
        tables = r"tables? ([\d, ]+)"
        for clause in text.split("; "):
            if found := re.fullmatch(rf"{tables} brings? (.+) to stand(?: (\d+))?", clause):
                stand = self.stand(found[3] or "")
                where: Where = ("stand", frozenset({stand}))
                self._put(said, self._of_copy(found[1], found[2], copy), where)
            elif found := re.fullmatch(rf"{tables} to stand(?: (\d+))?", clause):
                stand = self.stand(found[2] or "")
                where = ("stand", frozenset({stand}))
                self._put(said, self._of_copy(found[1], "", copy), where)
            elif found := re.fullmatch(rf"{tables} to {tables}", clause):
                where = ("table", frozenset(numbers_in(found[2])))
                self._put(said, self._of_copy(found[1], "", copy), where)
            elif found := re.fullmatch(rf"{tables} brings? (.+) to {tables}", clause):
                where = ("table", frozenset(numbers_in(found[3])))
                self._put(said, self._of_copy(found[1], found[2], copy), where)
            elif found := re.fullmatch(
                rf"{tables} takes? (.+) (there|from stand(?: \d+)?)", clause
            ):
                at = stand if found[3] == "there" else self.stand(found[3])
                copies = [c for c in self.on_stand(at, found[2]) if c[1] == copy]
                self._put(said, copies, ("table", frozenset(numbers_in(found[1]))))
            elif found := re.fullmatch(rf"{tables} fetch(?:es)? (.+)", clause):
                for name in re.findall(r"\b[A-Z]{1,2}[12]?\b", found[2]):
                    self._put(
                        said,
                        [self._fetched(name, copy)],
                        ("table", frozenset(numbers_in(found[1]))),
                    )
            elif found := re.fullmatch(rf"{tables} puts? (.+) aside", clause):
                for item in self._of_copy(found[1], found[2], copy):
                    self._put(said, [item], ("aside", tables_of(self.boards[item])))
            else:
                raise NotUnderstood(clause)

    def _of_copy(self, tables: str, sets: str, copy: int) -> list[Copy]:
        return [item for item in self.at(numbers_in(tables)[0], names=sets) if item[1] == copy]

    def _fetched(self, name: str, copy: int) -> Copy:
        where = self.boards.get((name, copy))
        if where is not None and where[0] != "aside":
            raise NotUnderstood(f"copy {copy} of {name} does not lie aside")
        return name, copy
