"""The pages within the Results tab."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from bridgebuddy.events.models import Section
from bridgebuddy.scoring.snapshot.kinds import has_matches

#: the name of each page's address, and its title
PAGES = {
    "results": _("This round"),
    "boards": _("Boards"),
    "look-at": _("Check results"),
    "draw": _("Draw"),
    "ranking": _("Ranking"),
    "deals": _("Deals"),
    "phones": _("Phones"),
}
#: the pages of matches, before the ranking; only teams have Butler
OF_MATCHES = {"matches": _("Matches"), "butler": _("Butler")}
#: the pages that a scorer does not have
OF_DIRECTORS = {"draw", "phones"}


@dataclass(frozen=True)
class TabPage:
    """A page of the results tab, with the number of matters on it that wait for the director."""

    name: str
    text: str | Promise
    address: str
    count: int = 0

    @property
    def needs_director(self) -> bool:
        """Return whether only directors and helpers may open the page, not scorers."""
        return self.name in OF_DIRECTORS


def pages_of(section: Section, counts: dict[str, int] | None = None) -> list[TabPage]:
    """Return the pages of the results tab with their addresses, in the order of the menu."""
    waiting = counts or {}
    named = dict(PAGES)
    if has_matches(section):
        place = list(named).index("ranking")
        listed = list(named.items())
        named = dict([*listed[:place], *OF_MATCHES.items(), *listed[place:]])
        if not section.contest.has_halves:
            named["matches"] = pgettext_lazy("of pairs", "Matches")
    return [
        TabPage(name, text, reverse(name, args=[section.code]), waiting.get(name, 0))
        for name, text in named.items()
        if (name != "butler" or section.contest.has_halves)
        and (name != "draw" or (section.movement and section.movement.is_drawn_as_played))
    ]
