"""Sections of a session that use each other's stand, so that no tables share boards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from bridgebuddy.events.models import Section
from movements.engine.board_copies.virtual_sharing import LentSet, lent_sets, second_copy_plays

from .sections import sections_of_session

#: the only family with a stand opposite the tables that share
FAMILY = "share-and-relay"


@dataclass(frozen=True)
class Lending:
    """The board sets that a section takes from another section's stand, instead of sharing boards between its own
    tables.

    They are on that stand while the other section plays the same round. A table that began the present round with them
    keeps them until its end. In the next round, it shares instead if the other section is in another round.
    """

    letter: str  # of the other section
    sets: tuple[LentSet, ...]
    lends_to: int = 0  # the table of the other section that takes boards from the stand here
    round_here: int = 0
    round_there: int = 0
    has_ended_there: bool = False
    has_lent: bool = False  # the present round began with boards from there
    is_on_paper: bool = False

    @property
    def on_paper(self) -> Lending:
        """Return the lending for printed sheets, which assume that both sections are always in the same round."""
        return replace(self, is_on_paper=True)

    @cached_property
    def _by_place(self) -> dict[tuple[int, int], LentSet]:
        """Return the lent board sets by round and table."""
        return {(lent.round, lent.table): lent for lent in self.sets}

    def lent_set_at(self, round: int, table: int) -> LentSet | None:
        """Return the board set that is lent to a table for a round; None if it plays its own section's boards."""
        return self._by_place.get((round, table)) if self.is_in_step(round) else None

    def in_round(self, round: int) -> Iterator[LentSet]:
        """Yield the board sets that are actually lent in a round."""
        if self.is_in_step(round):
            yield from self.sets_planned_to_lend(round)

    def sets_planned_to_lend(self, round: int) -> Iterator[LentSet]:
        """Yield the board sets that are to be lent in a round if both sections are in it."""
        yield from (lent for lent in self.sets if lent.round == round)

    def is_in_step(self, round: int) -> bool:
        """Return whether both sections play this round at once, so that boards are lent; assumed if far off.

        For the next round, the other section may still be in the round before.
        """
        if self.is_on_paper or not self.round_here <= round <= self.round_here + 1:
            return True
        if round == self.round_here:
            return self.has_lent
        may_follow = self.round_there == round - 1 and not self.has_ended_there
        return self.round_there == round or may_follow


def lending_to(section: Section) -> Lending | None:
    """Return the boards that another section of the session lends to this one; None if none does.

    It lends in every round the boards that two tables share here. The same holds the other way round, and both have
    the same boards by number.
    """
    stored = section.movement
    if stored is None or stored.family != FAMILY or not section.letter:
        return None
    for other in sections_of_session(section):
        like = other.movement
        if other.pk == section.pk or like is None or like.family != FAMILY:
            continue
        lent = lent_sets(like.movement, stored.movement)
        given = lent_sets(stored.movement, like.movement)
        if lent and given and like.numbers == stored.numbers:
            return Lending(
                other.letter,
                lent,
                given[0].table,
                round_here=section.round + section.is_finished,
                round_there=other.round,
                has_ended_there=other.is_finished,
                has_lent=_has_lent(other, section),
            )
    return None


def _has_lent(other_section: Section, section: Section) -> bool:
    """Return whether the section's current round began while `other_section` was in the same round.

    Round 1 may begin before the other section's: its stand is set out.
    """
    if (
        other_section.round > section.round
        and section.round_started_at
        and other_section.round_started_at
    ):
        return other_section.round_started_at > section.round_started_at
    return other_section.round == section.round or (section.round == 1 and other_section.round == 0)


def lent_boards_sentence(section: Section, lending: Lending | None) -> str:
    """Return a sentence on the table that takes boards from another section's board stand; empty for none."""
    if lending is None:
        return ""
    words = {
        "one": section.letter,
        "other": lending.letter,
        "table": lending.sets[0].table,
        "after": lending.sets[0].after_table,
    }
    return " ".join(
        (
            _("Sections %(one)s and %(other)s need not share boards if they play in step.") % words,
            _(
                "Table %(table)s of %(one)s takes its boards from the stand of %(other)s after table %(after)s. It brings them back after the round."
            )
            % words,
        )
    )


def extra_copy_sentence(section: Section) -> str:
    """Return a sentence on how many copies of the boards suffice if several sections want one extra copy for a single
    table.

    They use one extra copy in turn, unless two want the same boards of it in a round. Empty if the section has no extra
    copy, or is the only one.
    """
    if not _has_extra_copy(section) or not section.session.same_deals or not section.letter:
        return ""
    together = [other for other in sections_of_session(section) if _has_extra_copy(other)]
    plays = [
        {
            (round, other.stored.numbers[name])
            for round, name in second_copy_plays(other.stored.movement)
        }
        for other in together
    ]
    if len(together) == 1:
        return ""
    words = {
        "sections": get_text_list([other.letter for other in together], _("and")),
        "sets": len(together) + 1,
    }
    if sum(map(len, plays)) == len(set().union(*plays)):
        return (
            _(
                "Sections %(sections)s can use one extra copy of the boards in turn: %(sets)s sets are enough."
            )
            % words
        )
    return (
        _(
            "Sections %(sections)s want the same boards of an extra copy in one round. To need one extra copy only, let them begin with different sets."
        )
        % words
    )


def _has_extra_copy(section: Section) -> bool:
    """Return whether a section plays with an extra copy of the boards for a table that would otherwise share."""
    stored = section.movement
    return (
        stored is not None
        and stored.family == FAMILY
        and bool(section.movement_options.get("extra"))
    )
