"""The sentence that says which boards a departure would cost."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play.change_seats import leaving_contestants
from bridgebuddy.events.services.play.changes import ChangeOption
from bridgebuddy.scoring.checks.leaving_effects import Encounter, results_voided_by_leaving
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine.boards import boards_of_sets
from movements.engine.changes import Change

from .proposal_views import ProposalView

MOST_NAMED = 8


def add_void_notes(proposals: list[ProposalView], section: Section, change: Change) -> None:
    """Add to each proposal of a departure the note on the boards that then count for nobody."""
    if not proposals or not leaving_contestants(change) or not section.is_started:
        return
    tonight = SessionSnapshot(section)
    for view in proposals:
        view.void_note = _void_note(tonight, view.way, change)


def _void_note(tonight: SessionSnapshot, way: ChangeOption, change: Change) -> str:
    """Return the sentence on the boards that count for nobody after a departure; empty if all count."""
    people = tonight.people_of(tonight.section)
    leavers = [people[number] for number in leaving_contestants(change)]
    after = way.proposal.from_round - 1
    void = results_voided_by_leaving(tonight, leavers, after, encounters_to_come(tonight, way))
    if not void:
        return ""
    gone = {leaver.slug for leaver in leavers}
    labels = dict.fromkeys(
        contestant.label
        for line in void
        for contestant in line.ns + line.ew
        if contestant.slug not in gone
    )
    facts = {"count": len(void), "opponents": get_text_list(list(labels), _("and"))}
    if tonight.contest.plays_alone or len(labels) > MOST_NAMED:
        words = ngettext(
            "%(count)s board already played with them will count for nobody.",
            "%(count)s boards already played with them will count for nobody.",
            len(void),
        )
    else:
        words = ngettext(
            "%(count)s board that %(opponents)s played against them will count for nobody.",
            "%(count)s boards that %(opponents)s played against them will count for nobody.",
            len(void),
        )
    return words % facts


def encounters_to_come(tonight: SessionSnapshot, way: ChangeOption) -> Iterator[Encounter]:
    """Yield the encounters of the rounds to come under a proposal; a newcomer takes part in none."""
    proposal, people = way.proposal, tonight.people_of(tonight.section)
    known = {new: people[old] for old, new in proposal.numbers.items() if old in people}
    for seating in proposal.movement.seatings:
        if seating.is_played and seating.round >= proposal.from_round:
            at_table = tuple(known[number] for number in seating.contestants if number in known)
            for board in boards_of_sets(seating.sets, way.numbers):
                yield seating.round, board, at_table
