"""Make an evening of many sections, and print the data with which phones and directors take part in it.

python -m tests.benchmarks.load_evening SECTIONS TABLES
"""

import json
import sys

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

from bridgebuddy.clubs.models import Membership  # noqa: E402
from bridgebuddy.events.models import Section  # noqa: E402
from tests.factories import ClubFactory, UserFactory, section_with  # noqa: E402


def taking_part(section: Section) -> dict[str, object]:
    """Return a section's code, version, and its contestants' labels with their entries."""
    labels = section.movement.without_seatings
    return {
        "code": section.code,
        "version": section.shown,
        "phones": {
            labels.label(entry.contestant).replace(" ", ""): entry.pk
            for entry in section.entries.all()
        },
    }


def main(sections: int, tables: int) -> None:
    """Print the evening as JSON."""
    call_command("migrate", verbosity=0)
    director = UserFactory()
    evening = []
    for _ in range(sections):
        club = ClubFactory()
        Membership.objects.create(club=club, user=director, is_director=True)
        evening.append(
            section_with(
                2 * tables, "mitchell", round=1, boards_per_round=2, club=club, by=director
            )
        )
    browser = Client()
    browser.force_login(director)
    session = browser.cookies[settings.SESSION_COOKIE_NAME].value
    print(json.dumps({"session": session, "sections": [taking_part(item) for item in evening]}))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
