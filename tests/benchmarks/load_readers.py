"""Make an evening in play and a published one of yesterday; print the data for phones and readers.

python -m tests.benchmarks.load_readers SECTIONS TABLES
"""

import json
import sys

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402

from bridgebuddy.scoring.models import ScoringSettings  # noqa: E402
from tests.benchmarks.load_evening import taking_part  # noqa: E402
from tests.factories import ClubFactory, director_of, section_with  # noqa: E402
from tests.scoring.test_tonight import enter_by_chance  # noqa: E402

PAIRS, BOARDS = 50, 26


def read_by_all() -> list[list[str]]:
    """Return the addresses of a published session: the list, a score sheet and a board."""
    club = ClubFactory()
    section = section_with(
        PAIRS, "mitchell", round=13, boards_per_round=2, club=club, by=director_of(club)
    )
    enter_by_chance(section)
    now = timezone.now()
    scoring, _ = ScoringSettings.objects.update_or_create(
        session=section.session, defaults={"final_at": now, "published_at": now}
    )
    base = f"/r/{scoring.token}/"
    sheets = [
        f"{base}sheets/{section.name}/{way}{n}/" for way in ("NS", "EW") for n in range(1, 26)
    ]
    boards = [f"{base}boards/{section.name}/{board}/" for board in range(1, BOARDS + 1)]
    return [[base], sheets, boards]


def main(sections: int, tables: int) -> None:
    """Print it as JSON."""
    call_command("migrate", verbosity=0)
    club = ClubFactory()
    by = director_of(club)
    evening = [
        section_with(2 * tables, "skip-mitchell", round=1, boards_per_round=2, club=club, by=by)
        for _ in range(sections)
    ]
    print(json.dumps({"sections": [taking_part(item) for item in evening], "pages": read_by_all()}))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
