"""What all phones at tables share, worked out once: ask only where a page is of one moment (`events/queries/plan_cache`)."""

from __future__ import annotations

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan_cache import kept
from bridgebuddy.table_phones.models import Phones

from .at_table import AllTables
from .phones import phones_of


def kept_phones(section: Section) -> Phones:
    """Return what phones may do; what is chosen for a session of one's own counts in `shown`, the club's usual does not."""
    found = kept(section, "phones", lambda: phones_of(section))
    return found if found.pk else phones_of(section)


def kept_tables(section: Section, phones: Phones) -> AllTables:
    """Return what all tables play and have said; whatever is said counts in `results`."""
    return kept(section, "tables", lambda: AllTables(section, phones), with_results=True)
