"""The ranking after a round: of the boards that nobody will play any more, and of no others.

What somebody could learn of a board still to be played is not in it, whatever the movement.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from functools import cached_property

from bridgebuddy.events.models import Section

from .coming_in import is_in
from .scored import RankingList, Scored, without
from .tonight import Line, Tonight


class Barometer:
    """How a session stands after each of its rounds."""

    def __init__(self, tonight: Tonight) -> None:
        self.tonight = tonight

    @cached_property
    def over(self) -> dict[int, int]:
        """By section the last round up to which all results are in."""
        found = {}
        for section in self.tonight.sections:
            open_ = [
                line.round
                for line in self.tonight.of_section(section)
                if not line.has_begun or not is_in(line.outcome)
            ]
            found[section.pk] = min(open_) - 1 if open_ else section.round
        return found

    def round_of(self, section: Section) -> int:
        """The round after which the ranking is, as a section sees it; 0: none is over yet."""
        return self.over.get(section.pk, 0)

    @cached_property
    def _cards(self) -> dict[int, Hashable]:
        """What cards each line was played with, by its place in the document."""
        named: dict[tuple[str, frozenset[str], int], str] = {}
        for match in self.tonight.document.get("matches", ()):
            if match.get("deals") and match["away"]:
                teams = frozenset((match["home"], match["away"]))
                for round in match["rounds"]:
                    named[match["section"], teams, round] = match["deals"]
        return {line.index: self._card(line, named) for line in self.tonight.lines}

    def _card(
        self, line: Line, named: dict[tuple[str, frozenset[str], int], str]
    ) -> tuple[str, int]:
        if named:
            teams = frozenset((line.ns[0].slug, line.ew[0].slug))
            return named.get((line.section.name, teams, line.round), ""), line.board
        same = self.tonight.session.same_deals
        return "" if same else line.section.name, line.board

    def after(self, back: int = 0) -> Scored:
        """Return the results after the last round that is over, or so many before it."""
        counts = {
            line.index
            for line in self.tonight.lines
            if line.round <= self.over[line.section.pk] - back
        }
        of_cards: defaultdict[Hashable, set[int]] = defaultdict(set)
        for index, card in self._cards.items():
            of_cards[card].add(index)
        closed = {index for lines in of_cards.values() if lines <= counts for index in lines}
        aside = [line.index for line in self.tonight.lines if line.index not in closed]
        return Scored(self.tonight, without(self.tonight.document, aside))

    @property
    def lists(self) -> list[RankingList]:
        """The lists as they stand; none while no board is over."""
        found = self.after()
        return found.main_lists if found.entered else []

    @cached_property
    def before(self) -> dict[tuple[str, str], int]:
        """Everybody's place a round ago, by section and label."""
        found = self.after(1)
        if not found.entered:
            return {}
        return {
            (one.section, one.contestant.slug): int(one.place.rstrip("="))
            for each in found.main_lists
            for one in each.standings
            if one.place
        }
