"""The codes of players' own pages on their score sheets, if a club wants them.

Such a code opens its owner's page for any reader of the sheet. So the codes are off by default,
both players of a pair have their own, and these sheets are not cached. An ended or renewed code
disappears from the next sheet.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from bridgebuddy.events.models import EntryPerson
from bridgebuddy.publication.models import PlayerPage
from bridgebuddy.publication.own.links import page_address
from bridgebuddy.publication.own.printed_codes import are_codes_printed
from bridgebuddy.seasons.queries.final_lists import people_of_entries
from bridgebuddy.web.qr_codes import qr_svg

from ..context import PrintJob

#: the mark in the HTML of a sheet with codes
MARK = 'class="owncodes"'


@dataclass(frozen=True)
class OwnCode:
    """A player's name and the QR code that opens the player's personal web page."""

    name: str
    square: SafeString


def contain_own_page_codes(*sheets: str) -> bool:
    """Return whether these sheets contain QR codes that open players' personal pages."""
    return any(MARK in sheet for sheet in sheets)


def own_codes(job: PrintJob, entries: Collection[int]) -> dict[int, list[OwnCode]]:
    """Return the QR codes that open the personal pages of each entry's regular players, by entry.

    Makes four queries, or none.
    """
    if not are_codes_printed(job.section):
        return {}
    sat = {entry: contestant for entry, (_owners, contestant) in people_of_entries(entries).items()}
    keys = {key for contestant in sat.values() for key in contestant}
    pages = PlayerPage.objects.filter(person__in=keys, ended_at=None, person__anonymous_since=None)
    pages_by_person = {page.person_id: page for page in pages.select_related("person")}
    codes = defaultdict(list)
    for entry, person in _ordered_people(entries):
        if person in sat.get(entry, ()) and person in pages_by_person:
            page = pages_by_person.pop(person)
            title = _("QR code: %(name)s’s own page") % {"name": page.person.name}
            codes[entry].append(
                OwnCode(page.person.name, qr_svg(job.phones + page_address(page), title))
            )
    return dict(codes)


def _ordered_people(entries: Collection[int]) -> list[tuple[int, int]]:
    """Return all people of these entries, by their places."""
    links = EntryPerson.objects.filter(entry__in=entries).order_by("position", "from_round", "pk")
    return list(links.values_list("entry", "person"))
