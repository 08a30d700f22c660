"""The addresses of the guide, of a section or of the help."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from bridgebuddy.events.models import Section
from bridgebuddy.rulings.guide import Step, Subject, SuggestedRuling
from bridgebuddy.web.http import read_number


@dataclass(frozen=True)
class GuideAddresses:
    """The URLs of the guide to rulings, opened from a section's desk or on its own.

    Without a section they are those of the help. `table` is the table from which the guide was opened;
    it stays in the addresses, so that the boards of this table are offered at an end. 0: not known.
    """

    section: Section | None = None
    table: int = 0

    @classmethod
    def of_request(cls, request: HttpRequest, section: Section | None) -> GuideAddresses:
        """Return the guide's addresses for a request, with the table that it names."""
        return cls(section, (read_number(request.GET.get("table")) or 0) if section else 0)

    def _address(self, page: str, *arguments: str, **query: str) -> str:
        """Return the address of one of the guide's pages, inside the section if there is one."""
        if self.section is None:
            address = reverse(f"help-{page}", args=arguments)
        else:
            address = reverse(f"guide-{page}", args=[self.section.code, *arguments])
        sent = query | ({"table": str(self.table)} if self.table else {})
        return f"{address}?{urlencode(sent)}" if sent else address

    @property
    def start(self) -> str:
        """Return the address of the guide's list of subjects."""
        return self._address("laws")

    @property
    def paper(self) -> str:
        """Return the address of the page that prints the whole guide to rulings."""
        return self._address("laws", open="paper") + "#paper"

    @property
    def play_on(self) -> str:
        """Return the address where a reader goes on after a ruling: the section's desk, or the list of subjects."""
        if self.section is None:
            return self.start
        return reverse("desk", args=[self.section.code])

    def print_address_of(self, subject: Subject) -> str:
        """Return the address of a subject's printed page."""
        return self._address("laws", open="paper", only=subject.name) + "#paper"

    def address_of_step(self, subject: Subject, step: Step) -> str:
        """Return the address of a step of a subject."""
        return self._address("law", subject.name, step.name)

    def board_choice_address(self, subject: Subject, step: Step) -> str:
        """Return the address for choosing the board of a ruling; empty without a section."""
        return self._address("law-board", subject.name, step.name) if self.section else ""


def correction_query(award: SuggestedRuling, subject: Subject, laws: tuple[str, ...]) -> str:
    """Return the query string that opens the correction of a result with the guide's ruling filled in.

    A correction of the contract or tricks needs none: its reason is in the result.
    """
    if award.kind == "result":
        return ""
    reason = _("%(subject)s, Law %(laws)s") % {"subject": subject.title, "laws": ", ".join(laws)}
    given = {
        "kind": award.kind,
        "award_ns": award.award_ns,
        "award_ew": award.award_ew,
        "why_not": award.why_not,
        "reason": reason,
    }
    return "?" + urlencode({name: value for name, value in given.items() if value})
