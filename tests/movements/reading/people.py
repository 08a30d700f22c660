"""Sentences about people."""

from __future__ import annotations

import re

from .room import (
    CHAIRS,
    EVEN,
    FAR,
    LINES,
    MOVE,
    ODD,
    RANGE,
    Room,
    UnderstoodSentences,
    parity,
    rows_in,
    shift_of,
)


class PeopleSentences(Room):
    """Sentences about people."""

    def _people_rule(self, said: UnderstoodSentences, sentence: str) -> bool:
        if sentence == "Everybody moves as the guide card or the phone says":
            said.people_by_cards = True
            return True
        if sentence == "North-South stay, the others go as the guide card or the phone says":
            said.people_by_cards = True
            said.line_rules.append(("ns", self.room(0), "ns"))
            return True
        if found := re.fullmatch(
            r"Everybody takes the place of the next (lower|higher) number, (\S+) that of (\S+)",
            sentence,
        ):
            first, last = (self.contestant(label) for label in found.groups()[1:])
            said.follows = (1 if found[1] == "lower" else -1, first, last)
            return True
        if found := re.fullmatch(
            rf"East-West of tables (?P<row>{RANGE}) move (?P<way>up|down) {FAR}, boards"
            r" (?P<b_way>up|down) (?P<b_far>one|two tables|\d+ tables); after (?P<last>\d+) comes (?P<first>\d+)",
            sentence,
        ):
            said.line_rules.append(("ew", self.closed(found, self.shift(found)), "ew"))
            said.board_rules.append(self.closed(found, shift_of(found["b_way"], found["b_far"])))
            return True
        if found := re.fullmatch(
            rf"(North-South|East-West) of odd tables move {ODD}, of even tables {EVEN}", sentence
        ):
            line = LINES[found[1]]
            said.line_rules += [(line, rule, line) for rule in self.odd_and_even(found)]
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
            line, shift = LINES[found["who"]], self.shift(found)
            said.line_rules.append((line, self.swapped(shift), line))
            return True
        return False

    def _moving(self, said: UnderstoodSentences, found: re.Match[str]) -> None:
        shift, rule = self.shift(found), self.room(self.shift(found))
        if found["rows"]:
            rule = self.rows(shift, rows_in(found["rows"]))
        elif found["row"]:
            rule = self.closed(found, shift)
        elif found["group"]:
            rule = self.some(rule, parity(found["group"]))
        if found["who"] in CHAIRS:
            said.chair_rules[CHAIRS[found["who"]]] = rule
        else:
            line = LINES[found["who"]]
            said.line_rules.append((line, rule, LINES[found["to"]] if found["to"] else line))

    def _people_named(self, said: UnderstoodSentences, sentence: str) -> bool:
        label = r"(?:(?:NS|EW) )?\d+"
        if found := re.fullmatch(
            rf"({label}(?:(?:, | and ){label})*) (stays?|sits? out)", sentence
        ):
            for name in re.findall(label, found[1]):
                if found[2].startswith("stay"):
                    said.stay.add(self.contestant(name))
                else:
                    for mover in self.movers(name):
                        said.named[mover] = None
            return True
        if found := re.fullmatch(
            rf"({label}) (?:begins|is back) at table (\d+)(?:, (North-South|East-West))?", sentence
        ):
            line = self.line(found[1], found[3])
            for mover in self.movers(found[1], line):
                said.named[mover] = (int(found[2]), line)
            return True
        taking = rf"({label}) (?:takes the place|that) of ({label})"
        if re.fullmatch(rf"{taking}(?:, {taking})*", sentence):
            for name, other in re.findall(taking, sentence):
                for mover, place in zip(self.movers(name), self.movers(other), strict=True):
                    said.named[mover] = self.people[place]
            return True
        clause = rf"({label}) (?:goes )?to (?:table )?(\d+)(?: (North-South|East-West))?"
        if re.fullmatch(rf"{clause}(?:, {clause})*", sentence):
            for name, table, line in re.findall(clause, sentence):
                to = self.line(name, line)
                for mover in self.movers(name, to):
                    said.named[mover] = (int(table), to)
            return True
        return False
