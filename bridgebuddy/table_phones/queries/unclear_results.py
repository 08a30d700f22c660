"""Doubts that tables raise, in addition to doubtful results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property

from bridgebuddy.events.queries.plan.games import LINES
from bridgebuddy.scoring.checks.result_check import ProposedRepair, ResultDoubt
from bridgebuddy.scoring.checks.result_checks import SectionDoubts
from bridgebuddy.scoring.result_sources import ResultSource
from bridgebuddy.scoring.results.arriving_results import is_outcome_known
from bridgebuddy.scoring.snapshot.lines import PlayLine
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.table_phones.models import CorrectionRequest, ResultClaim

from .phones import phone_settings_of


class DoubtfulResults(SectionDoubts):
    """The doubtful results of a section: unusual ones, requested corrections, conflicts, missing confirmations."""

    def __init__(self, tonight: SessionSnapshot, hidden: Collection[int] = ()) -> None:
        """Read the doubts; those on `hidden` boards are left out."""
        super().__init__(tonight)
        self._hidden = hidden
        asked = CorrectionRequest.objects.filter(
            play__section=self.section, play__taken_back_at=None
        )
        self._corrections = list(asked.order_by("-pk"))
        self._claims: defaultdict[int, list[ResultClaim]] = defaultdict(list)
        for claim in ResultClaim.objects.filter(play__section=self.section):
            self._claims[claim.play_id].append(claim)
        self._phones = phone_settings_of(self.section)

    @cached_property
    def all_doubts(self) -> list[ResultDoubt]:
        """Return the doubtful results, without boards that the reading director has still to play."""
        return [doubt for doubt in super().all_doubts if not self._is_hidden(doubt)]

    def _is_hidden(self, doubt: ResultDoubt) -> bool:
        """Return whether a doubtful result is on a board that the reading director has still to play."""
        boards = {line.board for line in doubt.lines} | {doubt.facts.get("board")}
        return not boards.isdisjoint(self._hidden)

    @property
    def checks(self) -> Sequence[Callable[[], Iterator[ResultDoubt]]]:
        """Return the checks that find doubtful results, with those that need the phones' entries."""
        return (
            self._requested_corrections,
            self._different_versions,
            *super().checks,
            self._unconfirmed_results,
        )

    def _requested_corrections(self) -> Iterator[ResultDoubt]:
        """Yield the corrections that tables asked for, while the result is unchanged."""
        for correction in self._corrections:
            line = self.tonight.line_of(correction.play_id)
            if line is None or line.number != correction.number:
                continue
            repair = ProposedRepair("correct", ((line, correction.outcome),))
            key = f"asked-{correction.pk}"
            yield ResultDoubt("asked", key, (line,), (), False, repair, {"side": correction.side})

    def _valid_claims(self, line: PlayLine) -> list[ResultClaim]:
        """Return what the sides of a play have entered since its present result."""
        return [claim for claim in self._claims[line.play] if claim.number == line.number]

    def _different_versions(self) -> Iterator[ResultDoubt]:
        """Yield boards on which the sides entered different results, or only one side until the round's end."""
        for line in self.tonight.lines_of_section(self.section):
            if not line.has_begun or is_outcome_known(line.outcome):
                continue
            held = self._valid_claims(line)
            if len(held) == len(LINES):
                yield self._doubt_about_play("differ", line, ProposedRepair("enter"), held)
            elif held and self.section.is_over(line.round):
                repair = ProposedRepair("take", ((line, held[0].outcome),))
                yield self._doubt_about_play("one-side", line, repair, held)

    def _unconfirmed_results(self) -> Iterator[ResultDoubt]:
        """Yield unconfirmed results of finished rounds, table by table."""
        if not self._phones.is_checked:
            return
        by_table: defaultdict[tuple[int, int], list[PlayLine]] = defaultdict(list)
        for line in self.tonight.lines_of_section(self.section):
            is_of_phone = line.result is not None and line.result.source == ResultSource.PHONE
            counts = (
                is_of_phone and is_outcome_known(line.outcome) and self.section.is_over(line.round)
            )
            if counts and len(self._valid_claims(line)) < len(LINES):
                by_table[line.round, line.table].append(line)
        for lines in by_table.values():
            numbers = ".".join(f"{line.play}-{line.number}" for line in lines)
            key = f"unchecked-{lines[0].round}-{lines[0].table}-{numbers}"[:80]
            yield ResultDoubt("unchecked", key, tuple(lines))

    def _doubt_about_play(
        self, kind: str, line: PlayLine, repair: ProposedRepair, held: list[ResultClaim]
    ) -> ResultDoubt:
        """Return a doubtful result of this kind, with what the sides of the play have entered."""
        key = f"{kind}-{line.play}-{line.number}"
        return ResultDoubt(kind, key, (line,), (), True, repair, {"versions": held})
