"""A late pair's best seat, searched in the current section and in the others of the session."""

from __future__ import annotations

from dataclasses import replace

from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.sessions.sections import sections_of_session
from bridgebuddy.events.services.play import changes as service
from movements.engine.changes import Change

from .proposal_views import MissingPlace, ProposalView, distinct_proposals, missing_places

#: the most ways of another section that are shown
MOST_ELSEWHERE = 2
BETWEEN = "-"  # between a section's code and a way's key


class OtherSections:
    """Proposals for the same live change (a late pair) in the other running sections of the session."""

    def __init__(self, section: Section, change: Change, whole: str = "") -> None:
        """Ask the other running sections; a section with a pair waiting for a seat is left out."""
        self.found: list[tuple[Section, list[ProposalView], list[MissingPlace]]] = []
        for other_section in sections_of_session(section):
            if other_section.pk == section.pk or not other_section.is_running:
                continue
            evening = SessionEvening(other_section)
            if any(entry.contestant is None for entry in evening.entries):
                continue
            asked, key = split_choice(whole)
            try:
                ways = service.change_options(other_section, change)
                views = distinct_proposals(
                    ways, evening, other_section, key if asked == other_section.code else ""
                )
            except ChangeRefused:
                continue
            missing = missing_places(views, evening, other_section)
            for way in views:
                way.letter, way.key = other_section.name, f"{other_section.code}{BETWEEN}{way.key}"
            places = [replace(place, letter=other_section.name) for place in missing]
            self.found.append((other_section, views[:MOST_ELSEWHERE], places))

    @property
    def plans(self) -> dict[str, int]:
        """Return the number of movement changes (`plan`) of each other section, by the name of its form field."""
        return {plan_field_name(section.code): section.plan for section, _, _ in self.found}

    def own_and_other_proposals(self, own: list[ProposalView], letter: str) -> list[ProposalView]:
        """Return the proposals of this section (`own`) and the others, each section's least harmful one first."""
        for way in own:
            way.letter = letter
        every = [own, *(views for _, views, _ in self.found)]
        every = sorted((ways for ways in every if ways), key=lambda ways: _harm_sort_key(ways[0]))
        return [ways[0] for ways in every] + [way for ways in every for way in ways[1:]]

    def own_and_other_missing_places(
        self, own: list[MissingPlace], letter: str
    ) -> list[MissingPlace]:
        """Return the usual places for a late pair that are not possible, for this section (`own`) and the others."""
        places = [place for _, _, places in self.found for place in places]
        return [*(replace(place, letter=letter) for place in own), *places]


def _harm_sort_key(way: ProposalView) -> tuple[bool, bool, int, int]:
    """Return a sort key that puts proposals with less harm first: repeats, no free seat, lost or low fairness."""
    is_free = way.proposal.kind == "free-seat"
    return (not way.is_clean, not is_free, way.score_before - way.score_after, -way.score_after)


def plan_field_name(code: str) -> str:
    """Return the name of the form field that holds another section's number of movement changes (`plan`)."""
    return f"plan-{code}"


def split_choice(way: str) -> tuple[str, str]:
    """Split a submitted choice into section code (empty for the page's own section) and proposal key."""
    code, between, key = way.partition(BETWEEN)
    return (code, key) if between else ("", way)
