"""What a club's rating is used for: as the strengths by which seats, sections and strata are made."""

from __future__ import annotations

from django.db import transaction

from bridgebuddy.audit.services import record
from bridgebuddy.clubs.models import MOST_STRENGTH, Club, User

from ..queries.ratings import rated

#: of a strength a per cent is so much
STEPS = 10


@transaction.atomic
def take_as_strengths(club: Club, *, by: User) -> int:
    """Give everybody who has a rating a strength by it: 531 for 53.1 %. Return how many are others now."""
    changed = 0
    for person, rating, _ in rated(club):
        strength = max(0, min(MOST_STRENGTH, round(STEPS * rating.percentage)))
        if person.strength != strength:
            person.strength = strength
            person.save()
            changed += 1
    record("season.strengths", club, by=by, count=changed)
    return changed
