"""The cache shared by all phones at tables.

Use it inside a snapshot only (`events/queries/plan_cache`).
"""

from __future__ import annotations

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan_cache import cached_for_section
from bridgebuddy.table_phones.models import PhoneSettings

from .at_table import AllTables
from .phones import phone_settings_of


def cached_phone_settings(section: Section) -> PhoneSettings:
    """Return the phone settings of a section's session from the cache.

    A session's own row counts in `shown` and is cached; the club's default is not.
    """
    phones = cached_for_section(section, "phones", lambda: phone_settings_of(section))
    return phones if phones.pk else phone_settings_of(section)


def cached_tables(section: Section, phones: PhoneSettings) -> AllTables:
    """Return the plays and claims of all tables of a section from the cache."""
    return cached_for_section(
        section, "tables", lambda: AllTables(section, phones), with_results=True
    )
