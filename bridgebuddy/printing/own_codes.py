"""The codes of players' own pages on their score sheets, where a club wants them there.

Such a code opens its owner's page to whoever has it, and a sheet lies on a table: so it is off until a club says
otherwise, each of a pair has their own, and what has one is kept by no cache. Whoever has ended or renewed theirs has
no other on the next sheet than what opens their page then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from bridgebuddy.events.models import EntryPerson
from bridgebuddy.publication.models import OwnPage
from bridgebuddy.publication.own.links import address_of
from bridgebuddy.publication.own.on_paper import are_printed
from bridgebuddy.qr import qr_svg
from bridgebuddy.seasons.queries.final_lists import people_of_entries

from .context import Job

#: what a sheet that has them says in its HTML
MARK = 'class="owncodes"'


@dataclass(frozen=True)
class OwnCode:
    """Somebody's code, with whose it is."""

    name: str
    square: SafeString


def open_pages(*sheets: str) -> bool:
    """Whether somebody's page can be opened with what is printed."""
    return any(MARK in sheet for sheet in sheets)


def own_codes(job: Job, entries: Collection[int]) -> dict[int, list[OwnCode]]:
    """Return by entry the codes of those who sat there most, and have an address. Four queries, or none."""
    if not are_printed(job.section):
        return {}
    sat = {entry: who for entry, (_owners, who) in people_of_entries(entries).items()}
    keys = {key for who in sat.values() for key in who}
    pages = OwnPage.objects.filter(person__in=keys, ended_at=None, person__anonymous_since=None)
    known = {page.person_id: page for page in pages.select_related("person")}
    found = defaultdict(list)
    for entry, person in _in_order(entries):
        if person in sat.get(entry, ()) and person in known:
            page = known.pop(person)
            title = _("QR code: the own page of %(name)s") % {"name": page.person.name}
            found[entry].append(
                OwnCode(page.person.name, qr_svg(job.phones + address_of(page), title))
            )
    return dict(found)


def _in_order(entries: Collection[int]) -> list[tuple[int, int]]:
    """Everybody of some entries, in the order of their places."""
    links = EntryPerson.objects.filter(entry__in=entries).order_by("position", "from_round", "pk")
    return list(links.values_list("entry", "person"))
