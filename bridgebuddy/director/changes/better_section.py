"""A late pair sits where it disturbs least: in the section being looked at, or in another of the session."""

from __future__ import annotations

from dataclasses import replace

from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.evening import Evening
from bridgebuddy.events.queries.sections import sections_of_session
from bridgebuddy.events.services import changes as service
from movements.engine.changes import Change

from .shown import MissingPlace, ShownWay, missing_places, shown_ways

#: how many ways of another section are shown
MOST_ELSEWHERE = 2
BETWEEN = "-"  # a section's code and a way's key


class Elsewhere:
    """What the other sections of a session that are playing could do about a change."""

    def __init__(self, section: Section, change: Change, whole: str = "") -> None:
        """Ask the other sections; one in which somebody waits for a seat already seats them first."""
        self.found: list[tuple[Section, list[ShownWay], list[MissingPlace]]] = []
        for other_section in sections_of_session(section):
            if other_section.pk == section.pk or not other_section.is_running:
                continue
            evening = Evening(other_section)
            if any(entry.contestant is None for entry in evening.entries):
                continue
            asked, key = chosen_elsewhere(whole)
            try:
                ways = service.ways(other_section, change)
                shown = shown_ways(
                    ways, evening, other_section, key if asked == other_section.code else ""
                )
            except ChangeRefused:
                continue
            missing = missing_places(shown, evening, other_section)
            for way in shown:
                way.letter, way.key = other_section.name, f"{other_section.code}{BETWEEN}{way.key}"
            places = [replace(place, letter=other_section.name) for place in missing]
            self.found.append((other_section, shown[:MOST_ELSEWHERE], places))

    @property
    def plans(self) -> dict[str, int]:
        """The plans that were looked at, by the names of the fields in which they travel."""
        return {plan_field(section.code): section.plan for section, _, _ in self.found}

    def among(self, own: list[ShownWay], letter: str) -> list[ShownWay]:
        """Return the ways of all sections, the best section's first."""
        for way in own:
            way.letter = letter
        every = [own, *(shown for _, shown, _ in self.found)]
        every = sorted((ways for ways in every if ways), key=lambda ways: _harm(ways[0]))
        return [ways[0] for ways in every] + [way for ways in every for way in ways[1:]]

    def missing(self, own: list[MissingPlace], letter: str) -> list[MissingPlace]:
        """Return the places that no section has, each with the reason."""
        places = [place for _, _, found in self.found for place in found]
        return [*(replace(place, letter=letter) for place in own), *places]


def _harm(way: ShownWay) -> tuple[bool, bool, int, int]:
    """What makes one section a worse place than another: repeats, another seat than a free one, fairness."""
    is_free = way.proposal.kind == "free-seat"
    return (not way.is_clean, not is_free, way.before - way.after, -way.after)


def plan_field(code: str) -> str:
    """Return the field in which the plan of another section travels with the form."""
    return f"plan-{code}"


def chosen_elsewhere(way: str) -> tuple[str, str]:
    """Return the code of the section a way is in, and the way's key; no code where it is in the page's own."""
    code, between, key = way.partition(BETWEEN)
    return (code, key) if between else ("", way)
