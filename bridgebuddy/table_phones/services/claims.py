"""Claims about a board's result: stored, agreed, or two versions without a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from bridgebuddy.events.models import Play, Section
from bridgebuddy.events.services.locking import lock_with_cached_session
from bridgebuddy.scoring.errors import NoPlay, ResultChanged
from bridgebuddy.scoring.models import Result, ScoringSettings
from bridgebuddy.scoring.result_sources import ResultSource
from bridgebuddy.scoring.results.arriving_results import is_outcome_known
from bridgebuddy.scoring.services import results
from bridgebuddy.scoring.services.recording import note_results
from bridgebuddy.table_phones.errors import PhoneEntryClosed
from bridgebuddy.table_phones.models import (
    CorrectionRequest,
    PhoneSettings,
    PhoneSubmission,
    ResultClaim,
)
from bridgebuddy.table_phones.queries.at_table import ACROSS
from bridgebuddy.table_phones.queries.phones import phone_settings_of

#: the outcomes of a claim
STORED, AGREED, HELD, DIFFER, ASKED, LOST = (
    "stored",
    "agreed",
    "held",
    "differ",
    "asked",
    "lost",
)


@dataclass(frozen=True)
class NewClaim:
    """A result that one side enters for a play; `after` is the number of the result that its page showed (0: none).

    `key` identifies the phone's submission, which counts once. An `is_late` submission waited on
    the phone, where nobody can decide on it any more, so it is never refused.
    """

    play: int
    side: str
    outcome: Mapping[str, Any]
    after: int
    key: str = ""
    phone: str = ""
    is_late: bool = False


@transaction.atomic
def submit_claim(section: Section, claim: NewClaim) -> str:
    """Store the result that one side has entered; return what came of it: agreed, different and so on.

    Raises `PhoneEntryClosed`, `NoPlay`, `ImpossibleResult`, and `ResultChanged` if the result differs from the one
    on the page. A repeated form changes nothing.
    """
    return _store_claim(lock_with_cached_session(section), claim)


def _store_claim(section: Section, claim: NewClaim) -> str:
    """Store the result that one side has entered, while the section is locked."""
    phones = phone_settings_of(section)
    if not phones.may_enter:
        raise PhoneEntryClosed()
    sent = (
        PhoneSubmission.objects.filter(section=section, key=claim.key).first()
        if claim.key
        else None
    )
    if sent is not None:
        return sent.came
    table = _ClaimContext(section, phones, claim)
    came = table.store_submission()
    if claim.key:
        PhoneSubmission.objects.create(section=section, key=claim.key, came=came)
    if not table.is_counted:
        note_results(section, by=None)
    return came


@transaction.atomic
def confirm_result(section: Section, play: int, side: str, *, after: int, phone: str = "") -> str:
    """Store one side's confirmation of the result that its page showed.

    Raises the errors of `submit_claim`.
    """
    section = lock_with_cached_session(section)
    standing_results = Result.objects.filter(play=play, play__section=section, stands=True)
    standing = standing_results.order_by().first()
    if standing is None or standing.number != after or standing.outcome is None:
        raise ResultChanged(outcome=standing.outcome if standing else None, play=play)
    return _store_claim(section, NewClaim(play, side, standing.outcome, after, phone=phone))


@transaction.atomic
def move_result(section: Section, claim: NewClaim, other_board: int, other_after: int) -> str:
    """Move a result that was entered for the wrong board to another board of the table and round.

    If the `other_board` play has a result too, the two are exchanged. Each is claimed anew. The outcome
    in `claim` is ignored. Returns what came of it for this board. Raises the errors of `submit_claim`.
    """
    section = lock_with_cached_session(section)
    phones = phone_settings_of(section)
    before = (
        PhoneSubmission.objects.filter(section=section, key=claim.key).first()
        if claim.key
        else None
    )
    if before is not None:
        return before.came
    here, there = (
        _known_outcome(section, play, after)
        for play, after in ((claim.play, claim.after), (other_board, other_after))
    )
    if here is None:
        raise ResultChanged(outcome=None, play=claim.play)
    if there is None:
        table = _ClaimContext(section, phones, claim)
        table.delete_result()
        came = STORED
    else:
        came = _store_claim(section, replace(claim, outcome=there, key=""))
    _store_claim(section, replace(claim, play=other_board, outcome=here, after=other_after, key=""))
    if claim.key:
        PhoneSubmission.objects.create(section=section, key=claim.key, came=came)
    return came


def _known_outcome(section: Section, play: int, after: int) -> Mapping[str, Any] | None:
    """Return the present result of a play; raise `ResultChanged` if the page showed another one.

    Raises `ResultChanged`.
    """
    standing = (
        Result.objects.filter(play=play, play__section=section, stands=True).order_by().first()
    )
    outcome = standing.outcome if standing else None
    if (standing.number if standing else 0) != after:
        raise ResultChanged(outcome=outcome, play=play)
    return outcome if is_outcome_known(outcome) else None


def do_claims_agree(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Return whether both sides have entered the same result; a lead may be missing in one."""
    both = [{key: claim[key] for key in claim if key != "lead"} for claim in (first, second)]
    return both[0] == both[1]


class _ClaimContext:
    """Handles a result that one side has entered, given the board's result and both sides' earlier entries."""

    def __init__(self, section: Section, phones: PhoneSettings, new_claim: NewClaim) -> None:
        self.section, self.phones, self.saying = section, phones, new_claim
        play = Play.objects.filter(section=section, pk=new_claim.play).order_by().first()
        if play is None or play.ns_id is None or play.ew_id is None:
            raise NoPlay()
        self.play = play
        self.outcome = dict(new_claim.outcome)
        self.standing = Result.objects.filter(play=play, stands=True).order_by().first()
        self.number = self.standing.number if self.standing else 0
        self.claims = {
            claim.side: claim for claim in ResultClaim.objects.filter(play=play).order_by()
        }
        self.held = {
            side: claim for side, claim in self.claims.items() if claim.number == self.number
        }
        self.is_counted = False  # a stored result, which counts

    def store_submission(self) -> str:
        """Store what one side has entered, and the board's result if both agree; return what came of it."""
        if self.play.taken_back_at is not None:
            return self._store_lost_result()
        if self.play.round > self.section.round:
            raise PhoneEntryClosed()
        stands = self.standing.outcome if self.standing else None
        if stands is None or "pending" in stands:
            return self._store_correction() if self._is_final else self._store_first_claim()
        if do_claims_agree(stands, self.outcome):
            return self._confirm_standing_result()
        if self._is_over or not self._is_of_phones or self._is_final:
            return self._store_correction()
        theirs = ACROSS[self.saying.side] in self.held
        mine = self.saying.side in self.held
        knew = self.saying.after == self.number
        if theirs and not mine and (self.phones.is_checked or not knew):
            self._enter_result(None)
            self._keep_other_claim(self.held[ACROSS[self.saying.side]])
            self._store_claim()
            return DIFFER
        if not knew:
            if self.saying.is_late:
                return self._store_correction()
            raise ResultChanged(outcome=stands, play=self.play.pk)
        self._enter_result(self.outcome)
        self._store_claim()
        return STORED

    def delete_result(self) -> None:
        """Delete the board's result, while phones may change it.

        Raises `PhoneEntryClosed`.
        """
        if (
            not self.phones.may_enter
            or self._is_over
            or not self._is_of_phones
            or self._is_final
            or self.play.taken_back_at is not None
        ):
            raise PhoneEntryClosed()
        self._enter_result(None)

    @property
    def _is_over(self) -> bool:
        """Return whether the round has ended at this table."""
        return self.section.is_over(self.play.round)

    @property
    def _is_final(self) -> bool:
        """Return whether the session's ranking is final, so that phones change nothing."""
        final = ScoringSettings.objects.filter(
            session=self.section.session_id, final_at__isnull=False
        )
        return final.exists()

    @property
    def _is_of_phones(self) -> bool:
        """Return whether the present result was entered by phones."""
        return self.standing is not None and self.standing.source == ResultSource.PHONE

    def _store_first_claim(self) -> str:
        """Store one side's entry for a board that has no result, or two different ones."""
        theirs = self.held.get(ACROSS[self.saying.side])
        if theirs is not None and not do_claims_agree(theirs.outcome, self.outcome):
            self._refuse_impossible()
            self._store_claim()
            return DIFFER
        if theirs is None and self.phones.need_both_sides:
            self._refuse_impossible()
            self._store_claim()
            return HELD
        self._enter_result(self.outcome)
        if theirs is not None:
            self._keep_other_claim(theirs)
        self._store_claim()
        return AGREED if theirs else STORED

    def _confirm_standing_result(self) -> str:
        """Store an entry equal to the present result; return whether both sides agree now."""
        self._store_claim()
        theirs = self.held.get(ACROSS[self.saying.side])
        return AGREED if theirs or not self._is_of_phones else STORED

    def _refuse_impossible(self) -> None:
        """Raise `ImpossibleResult` if the entered result is impossible on this board."""
        results.check_possible(self.play, self.outcome)

    def _store_correction(self) -> str:
        """Store the entered result as a correction for which the table asks the director."""
        self._refuse_impossible()
        CorrectionRequest.objects.get_or_create(
            play=self.play,
            side=self.saying.side,
            outcome=self.outcome,
            number=self.number,
        )
        return ASKED

    def _store_lost_result(self) -> str:
        """Store for the director a result of a play that a change of the movement has cancelled."""
        self._refuse_impossible()
        if self.standing is None:
            Result.objects.create(
                play=self.play, number=1, outcome=self.outcome, source=ResultSource.PHONE
            )
        return LOST

    def _enter_result(self, outcome: Mapping[str, Any] | None) -> None:
        """Store the result of the board."""
        new_result = results.EnteredResult(self.play.pk, outcome)
        entered, self.is_counted = results.write_result(
            self.section, self.play, self.standing, new_result, source=ResultSource.PHONE, by=None
        )
        self.number = entered.number

    def _store_claim(self) -> None:
        """Store what this side has entered."""
        side = self.saying.side
        claim = self.claims.get(side) or ResultClaim(play=self.play, side=side)
        claim.outcome, claim.number, claim.phone = self.outcome, self.number, self.saying.phone
        claim.save()

    def _keep_other_claim(self, claim: ResultClaim) -> None:
        """Mark the other side's entry as still valid after the board's result has changed."""
        claim.number = self.number
        claim.save(update_fields=["number"])
