"""Make sections in which phones enter, one of them of last week, and print what phones and directors need; afterwards
what stands.

python -m tests.benchmarks.load_tables SECTIONS TABLES BOARDS
python -m tests.benchmarks.load_tables
"""

import json
import sys

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from bridgebuddy.events.models import Section  # noqa: E402
from bridgebuddy.scoring.models import Result  # noqa: E402
from bridgebuddy.table_phones.models import PhoneSettings  # noqa: E402
from bridgebuddy.table_phones.queries.phones import phone_settings_of  # noqa: E402
from bridgebuddy.table_phones.secrets import secret_of  # noqa: E402
from bridgebuddy.table_phones.services.phone_settings import store_phone_settings  # noqa: E402
from tests.factories import ClubFactory, director_of, section_with  # noqa: E402


def room_of(section: Section, session: str) -> dict[str, object]:
    """Return the seats of round 1 in a section, and its tables' secrets, before and after they are renewed."""
    phones = phone_settings_of(section)
    later = PhoneSettings(version=phones.version + 1)
    seated = section.plays.filter(round=1).order_by("table").values_list("table", "ns", "ew")
    return {
        "code": section.code,
        "session": session,
        "tables": {
            table: {
                "secrets": [secret_of(section, table, item) for item in (phones, later)],
                "ns": ns,
                "ew": ew,
            }
            for table, ns, ew in seated.distinct()
        },
    }


def make(sections: int, tables: int, boards: int) -> dict[str, object]:
    call_command("migrate", verbosity=0)
    club = ClubFactory()
    director = director_of(club)
    browser = Client()
    browser.force_login(director)
    session = browser.cookies[settings.SESSION_COOKIE_NAME].value
    made = []
    for _ in range(sections + 1):
        section = section_with(
            2 * tables, "mitchell", round=1, boards_per_round=boards, club=club, by=director
        )
        store_phone_settings(
            section,
            mode="secret",
            agreement="accept",
            feedback="none",
            asks_lead=False,
            by=director,
        )
        made.append(section)
    before = made.pop(0)
    Section.objects.filter(pk=before.pk).update(code_ends_at=timezone.now())
    plays = before.plays.order_by("pk").values_list("table", "pk")
    return {
        "rooms": [room_of(section, session) for section in made],
        "last week": [f"/p/{before.code}/table/{table}/board/{play}/" for table, play in plays],
    }


def stands() -> dict[int, object]:
    """Return every result that stands, by play, with how many were written for it and both sides' yes."""
    return {
        result.play_id: [result.outcome, result.play.results.count(), result.play.claims.count()]
        for result in Result.objects.filter(stands=True).select_related("play")
    }


if __name__ == "__main__":
    print(json.dumps(make(*map(int, sys.argv[1:])) if sys.argv[1:] else stands()))
