"""The director's announcements in a section: the moves, and the turned boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from django.utils.translation import gettext as _

from bridgebuddy.events.models import Section
from movements.engine.board_copies.virtual_sharing import own_boards
from movements.engine.boards import boards_of_sets
from movements.engine.calls.sharing import always_sharing, sharing_tables
from movements.engine.fairness.switching import RoundSwitch
from movements.engine.model import Movement
from movements.engine.straight import movement_as_seated
from movements.models import StoredMovement
from movements.switches.choices import switch_announcements
from movements.switches.turning import turns_between
from movements.words.board_calls import share_sentences
from movements.words.calls import SpokenAnnouncement, announcement_after, halfway_announcement

from ..sessions.lent_boards import Lending
from ..sessions.sections import first_version
from .evening import SessionEvening
from .games import board_text

#: most sentences: more are not remembered
MOST_SENTENCES = 2


class SectionAnnouncements:
    """The director's announcements for a section's moves, with the data for them read once."""

    def __init__(
        self,
        section: Section,
        evening: SessionEvening | None = None,
        lending: Lending | None = None,
    ) -> None:
        """Prepare the announcements of a section; with its session's data, contestants that left are not mentioned.

        `lending` are the boards that another section lends to this one.
        """
        self.section, self.evening, self.lending = section, evening, lending
        #: True if the draw gives all seats, so that no common rule exists
        self.is_drawn = section.movement is not None and section.movement.is_drawn_as_played
        plain, turns = (None, None) if self.is_drawn else _seated_movement_and_turns(section)
        #: True if pairs move as before the section's arrow-switch
        self.is_switched = turns is not None
        if not self.is_switched and section.movement and section.movement.may_turn_boards:
            plain, turns = movement_as_seated(section.movement.movement) or (None, None)
        #: the movement by seats, if it has boards turned by itself
        self.straight: Movement | None = plain
        self.turns: tuple[RoundSwitch, ...] | None = turns

    @property
    def movement(self) -> Movement:
        """Return the movement whose moves are announced."""
        movement = self.straight or self._announced_movement.movement
        return own_boards(movement, self.lending.sets) if self.lending else movement

    @property
    def _announced_movement(self) -> StoredMovement:
        """Return the stored movement that is announced, without arrow-switches that are announced separately."""
        switched = self.section.unswitched if self.is_switched else None
        return switched or self.section.stored

    def announcement_after(self, round: int) -> SpokenAnnouncement:
        """Return the announcement after a round: the moves of people and boards, then the boards that are arrow-
        switched.

        What changes in the middle of the next round is announced then.
        """
        call = self.moves_after(round)
        exceptions = (
            *call.exceptions,
            *share_sentences(self._new_shares(round + 1)),
            *self._lent_board_sentences(round),
            *self.switched_boards_sentences(round + 1),
        )
        return replace(call, exceptions=exceptions, halfway=())

    def _lent_board_sentences(self, round: int) -> Iterator[str]:
        """Yield a sentence for each table that takes boards from another section's board stand or returns them."""
        if self.lending is None:
            return
        returned = {lent.table for lent in self.lending.in_round(round)}
        for lent in self.lending.in_round(round + 1):
            words = {
                "table": lent.table,
                "boards": self._boards_of_sets([lent.name]),
                "other": self.lending.letter,
            }
            if lent.table in returned:
                yield (
                    _(
                        "Table %(table)s exchanges its boards for %(boards)s from section %(other)s’s stand."
                    )
                    % words
                )
            else:
                yield _("Table %(table)s takes %(boards)s from section %(other)s’s stand.") % words
            returned.discard(lent.table)
        yield from self._boards_not_lent_sentences(round + 1, returned)
        for table in returned:
            yield _("Table %(table)s brings its boards back to section %(other)s’s stand.") % {
                "table": table,
                "other": self.lending.letter,
            }

    def _boards_not_lent_sentences(self, round: int, returned: set[int]) -> Iterator[str]:
        """Yield a sentence for each table that must share boards, because the lending section is in another round.

        Remove from `returned` the tables whose boards it takes back too.
        """
        if self.lending is None or self.lending.is_in_step(round):
            return
        for lent in self.lending.sets_planned_to_lend(round):
            tables = self.section.stored.movement.shares(round)[lent.name]
            words = {"table": lent.table, "other": min(tables)}
            if lent.table in returned:
                yield (
                    _("Table %(table)s brings its boards back and shares with table %(other)s.")
                    % words
                )
                returned.discard(lent.table)
            else:
                yield _("Table %(table)s shares boards with table %(other)s.") % words

    def moves_after(self, round: int) -> SpokenAnnouncement:
        """Return the announcement of the moves of people and boards after a round."""
        away = self.evening.absent_contestants(round + 1) if self.evening else ()
        return announcement_after(
            self.movement, round, self.section.club.stand_word, away, self._boards_of_sets
        )

    def mid_round_sentences(self, round: int) -> tuple[str, ...]:
        """Return the announcement in the middle of a round that is played in parts; empty for other rounds."""
        if self.is_drawn or round in self.movement.open_rounds:
            return ()
        away = self.evening.absent_contestants(round) if self.evening else ()
        return halfway_announcement(
            self.movement, round, self.section.club.stand_word, away, self._boards_of_sets
        )

    def _new_shares(self, round: int) -> Iterator[tuple[int, ...]]:
        """Yield the groups of tables that always share boards, and do so in `round` only since a live change.

        Usual announcements leave out tables that always share, but cards printed before do not show these.
        """
        always = always_sharing(self.movement) if self.section.is_started else ()
        groups = [group for group in sharing_tables(self.movement, round) if group in always]
        first = self._first_movement if groups else None
        for group in groups if first else ():
            if first and (round > first.rounds or group not in sharing_tables(first, round)):
                yield group

    @cached_property
    def _first_movement(self) -> Movement | None:
        """Return the movement with which the session began; None if no live change has replaced it."""
        version = first_version(self.section)
        if version is None or version.movement_id == self.section.movement_id:
            return None
        return version.movement.movement

    @cached_property
    def mid_round_share_sentences(self) -> tuple[str, ...]:
        """Return sentences for tables that share boards in the current round because a change was made in it."""
        section = self.section
        if not section.is_running or section.stored.movement.is_draw or self.is_drawn:
            return ()
        groups = sharing_tables(self.movement, section.round)
        latest = section.movements.order_by("version").last() if groups else None
        if latest is None or not latest.parent or latest.from_round != section.round:
            return ()
        before = section.movements.select_related("movement").get(version=latest.parent)
        shared = sharing_tables(before.movement.movement, section.round)
        return tuple(share_sentences(group for group in groups if group not in shared))

    @property
    def halfway_now(self) -> tuple[str, ...]:
        """Return what is announced within the current round, or in the middle of round 1 before the start."""
        section = self.section
        if section.is_finished:
            return ()
        return (*self.mid_round_share_sentences, *self.mid_round_sentences(section.round or 1))

    def _boards_of_sets(self, sets: Sequence[str]) -> str:
        """Return the board numbers of these sets as text; empty for drawn matches, which have no sets."""
        return board_text(boards_of_sets(sets, self._announced_movement.numbers))

    def switched_boards_sentences(self, round: int) -> tuple[str, ...]:
        """Return the announcement of the boards that are arrow-switched in a round; empty if there are none."""
        sentences = tuple(
            switch_announcements([turn for turn in self.turns or () if turn.round == round])
        )
        if len(sentences) <= MOST_SENTENCES:
            return sentences
        return (
            _("In round %(round)s some tables turn boards: cards and phones say which.")
            % {"round": round},
        )


def _seated_movement_and_turns(
    section: Section,
) -> tuple[Movement | None, tuple[RoundSwitch, ...] | None]:
    """Return an arrow-switched section's movement as pairs sit down, if it differs, and its switched boards."""
    plain, played = section.unswitched, section.movement
    if plain is None or played is None:
        return None, None
    as_seated = movement_as_seated(plain.movement)
    seated = as_seated[0] if as_seated else plain.movement
    turns = turns_between(seated, plain.numbers, played.movement, played.numbers)
    return (seated if as_seated and turns is not None else None), turns
