"""The ways of making a change, as the page shows them, with their differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.part_played import boards_still_to_play
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.games import board_text
from bridgebuddy.events.services.play.changes import ChangeOption
from movements.engine.boards import boards_of_sets
from movements.engine.changes import TableDifference
from movements.engine.model import Movement, Seating, players_of
from movements.words.sentences import label_of

from .differences_at_home_tables import differences_at_home_tables
from .effects import effects_of_proposal, score_word
from .effects_of_draws import is_match_movement
from .words import WORDS_BY_KIND, proposal_button, proposal_description, proposal_title

ROUNDS_AT_FIRST = 3
#: the differences shown at first, and at most after unfolding; all of them on request, because a
#: dozen ways of forty tables make a page of a megabyte
ROWS_AT_FIRST, MOST_ROWS = 24, 60


@dataclass(frozen=True)
class MissingPlace:
    """A usual place for a late pair, such as a half table, that is not possible now, with the reason."""

    title: str
    reason: str
    letter: str = ""  # of its section, if there are several


@dataclass(frozen=True)
class ChangedCell:
    """A part of the plan (seats or boards) before and after a proposed change."""

    was: str
    becomes: str

    @property
    def is_changed(self) -> bool:
        """Return whether the proposed change alters this part of the plan."""
        return self.was != self.becomes


@dataclass(frozen=True)
class DifferentRow:
    """A table in a round before and after a proposed change."""

    round: int
    table: int
    ns: ChangedCell
    ew: ChangedCell
    boards: ChangedCell


class ProposalView:
    """A proposed live change of the movement, with the texts and differences that the page shows of it."""

    def __init__(
        self, way: ChangeOption, evening: SessionEvening, section: Section, whole: str = ""
    ) -> None:
        """Show a way; with all its differences if its key is `whole`."""
        self.way, self.evening, self.section = way, evening, section
        self.is_whole = way.key == whole
        self.proposal = way.proposal
        self.meant = way.proposal.consequences
        self.key = way.key
        #: the letter of its section, if ways of several sections are shown
        self.letter = ""
        #: the sentence on boards that count for nobody after a departure
        self.void_note = ""

    @property
    def title(self) -> str:
        """Return the proposal's title."""
        return proposal_title(self.proposal)

    @property
    def from_round(self) -> int:
        """Return the first round that the change affects; 0 if the proposal's title already names it."""
        kind = self.proposal.kind
        return 0 if WORDS_BY_KIND[kind].says_its_round else self.proposal.from_round

    @property
    def description(self) -> str:
        """Return the proposal's description."""
        return proposal_description(self.proposal)

    @property
    def button_label(self) -> str:
        """Return the text of the button that takes the proposal."""
        return proposal_button(self.proposal)

    @property
    def score_before(self) -> int:
        """Return the fairness score of the movement before the change."""
        return self.meant.score_before

    @property
    def score_after(self) -> int:
        """Return the fairness score of the movement after the change."""
        return self.meant.score

    @property
    def has_fairness(self) -> bool:
        """Return whether fairness can be computed; it cannot for drawn opponents."""
        return not is_match_movement(self.proposal.movement)

    @property
    def is_one_winner(self) -> bool:
        """Return whether the movement has one winner, so that labels name no direction."""
        return self.proposal.movement.winners == 1

    @property
    def is_clean(self) -> bool:
        """Return whether the change makes no opponents meet twice and no boards come twice."""
        return not self.meant.repeats

    @property
    def score_word(self) -> str:
        """Return the fairness after the change as a word, such as "good"."""
        return score_word(self.score_after)

    @property
    def score_word_before(self) -> str:
        """Return the fairness before the change as a word, such as "good"."""
        return score_word(self.score_before)

    @cached_property
    def effects(self) -> list[tuple[str, str]]:
        """Return the effects of the change as texts, each with a label such as "No opponents"."""
        boards = boards_of_sets(self.meant.new_sets, self.way.numbers)
        odd = self.section.movement_options.get("odd", "")
        return effects_of_proposal(self.proposal, boards, self.way.numbers, odd)

    @cached_property
    def time_note(self) -> str:
        """Return a sentence on the boards that a pair joining the current round can still play."""
        join = boards_still_to_play(self.section, self.proposal, self.way.numbers)
        if join is None:
            return ""
        facts = {
            "minutes": join.minutes,
            "boards": _boards_text(join.playable),
            "table": join.table,
            "not_played": _boards_text(join.not_played),
        }
        if not join.not_played:
            return _("There is time for all boards at table %(table)s.") % facts
        if not join.playable:
            return (
                _("There is no time left for a board in this round (%(minutes)s minutes).") % facts
            )
        return (
            _(
                "%(minutes)s minutes are left. Table %(table)s has time for %(boards)s, but "
                "not for %(not_played)s. Enter %(not_played)s as not played under Results."
            )
            % facts
        )

    @cached_property
    def differences(self) -> tuple[TableDifference, ...]:
        """Return the tables that the change affects, round by round; none if it only cuts rounds."""
        if self.proposal.kind == "shorter":
            return ()
        if self.proposal.movement.is_draw:
            return differences_at_home_tables(self.proposal, self.section.boards_per_round or 1)
        return self.meant.differences

    @property
    def has_hidden_differences(self) -> bool:
        """Return whether there are more differences than the page shows at first."""
        return len(self.differences) > MOST_ROWS and not self.is_whole

    @cached_property
    def rows_of_next_rounds(self) -> list[DifferentRow]:
        """Return table rows that show the plan before and after the change, for the next few rounds."""
        last = self.proposal.from_round + ROUNDS_AT_FIRST
        near = [difference for difference in self.differences if difference.round < last]
        return [
            self._changed_row(difference)
            for difference in (near[:ROWS_AT_FIRST] if self.has_hidden_differences else near)
        ]

    @cached_property
    def further_rows(self) -> list[DifferentRow]:
        """Return the rows of the differences in later rounds; empty if there are too many to show."""
        rest = (
            () if self.has_hidden_differences else self.differences[len(self.rows_of_next_rounds) :]
        )
        return [self._changed_row(difference) for difference in rest]

    def _changed_row(self, difference: TableDifference) -> DifferentRow:
        """Return the row of a table's contestants and boards before and after the change."""
        before, after = difference.before, difference.after

        def changed_cell(line: str) -> ChangedCell:
            """Return the contestants of a line before and after the change."""
            return ChangedCell(
                self._contestant_labels(before, line), self._contestant_labels(after, line)
            )

        return DifferentRow(
            difference.round,
            difference.table,
            changed_cell("ns"),
            changed_cell("ew"),
            ChangedCell(
                self._boards_text(before, self._old_numbers),
                self._boards_text(after, self.way.numbers),
            ),
        )

    @property
    def _old_numbers(self) -> Mapping[str, range]:
        """Return which board numbers each board set holds before the change."""
        return self.section.stored.numbers

    def _boards_text(self, seatings: tuple[Seating, ...], numbers: Mapping[str, range]) -> str:
        """Return the boards played in these seatings as text, with the board numbers of each set in `numbers`."""
        sets = tuple(name for seating in seatings if seating.is_played for name in seating.sets)
        return board_text(boards_of_sets(sets, numbers)) if sets else ""

    def _contestant_labels(self, seatings: tuple[Seating, ...], line: str) -> str:
        """Return the labels and surnames of the contestants in a direction, changes joined by "/"."""
        sides = dict.fromkeys(players_of(getattr(seating, line)) for seating in seatings)
        return " / ".join(
            " + ".join(self._contestant_label(number) for number in side) for side in sides if side
        )

    def _contestant_label(self, number: int) -> str:
        """Return the label and surnames of a contestant, by number in the new movement."""
        movement: Movement = self.proposal.movement
        old = self._old_number.get(number)
        if old is None:
            return _("%(label)s new") % {"label": label_of(movement, number)}
        contestant = self.evening.contestants.get(old)
        label = label_of(movement, number)
        return f"{label} {contestant.surnames}" if contestant else label

    @cached_property
    def _old_number(self) -> dict[int, int]:
        """Return a dictionary from each contestant's number after the change to its number before."""
        return {new: old for old, new in self.proposal.numbers.items()}


def _boards_text(numbers: tuple[int, ...]) -> str:
    """Return board numbers with their noun as text: "boards 7, 8"."""
    words = ngettext("board %(numbers)s", "boards %(numbers)s", len(numbers))
    return words % {"numbers": board_text(numbers)}


def distinct_proposals(
    ways: list[ChangeOption], evening: SessionEvening, section: Section, whole: str = ""
) -> list[ProposalView]:
    """Return the proposals to show on the page; of several that look alike only the first.

    The way with the key `whole` shows every difference.
    """
    by_words: dict[tuple[str, str], ProposalView] = {}
    for way in ways:
        view = ProposalView(way, evening, section, whole)
        by_words.setdefault((view.title, view.description), view)
    return list(by_words.values())


def missing_places(
    proposals: list[ProposalView], evening: SessionEvening, section: Section
) -> list[MissingPlace]:
    """Return the usual places for a late pair that are not possible now, with the reasons."""
    kinds = {way.proposal.kind for way in proposals}
    to_come = range(section.round + 1, evening.rounds + 1)
    again = _("Opponents or a board would be repeated.")
    missing = []
    if "free-seat" not in kinds:
        games = [game for round in to_come for game in evening.games.get(round, ())]
        has_half = any(not game.is_played for game in games)
        reason = again if has_half else _("There is no half table.")
        missing.append(MissingPlace(_("The free seat"), reason))
    if "party-table" not in kinds:
        sits_out = all(evening.sit_outs(round) for round in to_come)
        reason = again if sits_out else _("Only for a second late pair, if a pair sits out.")
        missing.append(MissingPlace(_("Party table"), reason))
    return missing


def missing_skips(proposals: list[ProposalView]) -> list[MissingPlace]:
    """Return the kinds of change to the skip (move, remove) that are not possible now, with the reasons.

    Empty if there are no ways at all: the page has its own message.
    """
    kinds = {way.proposal.kind for way in proposals}
    again = _("Opponents or a board would be repeated.")
    missing = []
    if kinds and "skip" not in kinds:
        missing.append(MissingPlace(_("Skip at another time"), again))
    if kinds and "no-skip" not in kinds:
        has_skip = any(way.proposal.facts["was"] for way in proposals)
        reason = again if has_skip else _("There is no skip in the rounds to come.")
        missing.append(MissingPlace(_("No skip"), reason))
    return missing
