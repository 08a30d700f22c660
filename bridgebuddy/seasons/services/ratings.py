"""Uses of a club's ratings: as strengths for seats, sections and strata; and the job for a large club.

The job is requested when the source data may have changed, and by pages that notice it.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.signals import post_delete, post_save
from django.utils import timezone

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import MOST_STRENGTH, Club, Person, User
from bridgebuddy.events.models import Session
from bridgebuddy.events.services.roster import MERGING
from bridgebuddy.jobs.kinds import job_kind
from bridgebuddy.jobs.services import request_job
from bridgebuddy.scoring.models import ScoringSettings

from ..models import RatingBefore, RatingSettings
from ..queries.final_lists import store_lists
from ..queries.ratings import (
    RatingInput,
    RatingsBefore,
    rated_people,
    ratings_before,
    stored_ratings,
)

#: per cent for one unit of strength
STEPS = 10
#: delay, so that corrections are handled together
WAITS = timedelta(minutes=1)
KIND, BEFORE = "rating", "rating-before"
DAYS_KEPT = 60


@transaction.atomic
def use_ratings_as_strengths(club: Club, *, by: User) -> int:
    """Set each rated person's strength to the rating: 531 for 53.1 %. Return how many people changed."""
    changed = 0
    for person, rating, _ in rated_people(club):
        strength = max(0, min(MOST_STRENGTH, round(STEPS * rating.percentage)))
        if person.strength != strength:
            person.strength = strength
            person.save()
            changed += 1
    add_record("season.strengths", club, by=by, count=changed)
    return changed


def switch_ratings(club: Club, is_on: bool) -> None:
    """Switch a club's ratings on, or off. Switching them off deletes the stored ratings."""
    if is_on:
        RatingSettings.objects.get_or_create(club=club)
        request_job(KIND, club.pk)
    else:
        RatingSettings.objects.filter(club=club).delete()
        RatingBefore.objects.filter(session__event__club=club).delete()


def request_new_ratings(club: Club) -> None:
    """Request the job that calculates a club's ratings, because the stored ones are outdated."""
    request_job(KIND, club.pk)


def prepare_lists(session: Session) -> None:
    """Request or store the ratings and rankings that a session's page needs, before its read transaction."""
    before = ratings_before(session)
    if before is None:
        return
    if before.are_missing:
        request_job(BEFORE, session.pk)
    elif before.wanted.is_small:
        before.store_missing_lists()


@job_kind(KIND, seconds=240, nightly=True)
def calculate_ratings(key: str) -> None:
    """Calculate the ratings of the club with this key, or of all clubs, if results have changed."""
    for row in RatingSettings.objects.filter(club=int(key)) if key else ():
        to_rate = RatingInput(row.club, row.club.today)
        store_lists(to_rate.finals)
        if not to_rate.is_small and row.state != to_rate.state:
            ratings = stored_ratings(row.club, to_rate.compute_ratings().all())
            RatingSettings.objects.filter(pk=row.pk).update(
                ratings=ratings, state=to_rate.state, until=to_rate.until
            )
    if not key:
        for club in RatingSettings.objects.values_list("club", flat=True):
            request_job(KIND, club)
        old = timezone.now() - timedelta(days=DAYS_KEPT)
        RatingBefore.objects.filter(at__lt=old).delete()


@job_kind(BEFORE, seconds=240)
def calculate_ratings_before(key: str) -> None:
    """Calculate the ratings of a session's players on the day before, if they are not stored."""
    session = Session.objects.select_related("event__club").filter(pk=int(key)).first()
    before = ratings_before(session) if session else None
    if session and before and before.are_missing:
        _store_ratings_before(session, before)


def _store_ratings_before(session: Session, ratings: RatingsBefore) -> None:
    """Store the ratings before a session."""
    RatingBefore.objects.update_or_create(
        session=session,
        defaults={"state": ratings.whole_state, "known": asdict(ratings.compute_excerpt())},
    )


def connect_signals() -> None:
    """Connect to changes of final rankings, and to merging and anonymising people, to renew ratings."""
    MERGING.append(_remove_merged_people)
    post_save.connect(_refresh_after_revision, sender=ScoringSettings)
    post_delete.connect(_refresh_after_revision, sender=ScoringSettings)
    post_save.connect(_remove_forgotten_person, sender=Person)


def _refresh_after_revision(
    sender: type[ScoringSettings], instance: ScoringSettings, **_: object
) -> None:
    """Request new ratings after a final ranking has changed."""
    if instance.revision:  # it is final, or was
        _request_ratings(RatingSettings.objects.filter(club__events__sessions=instance.session_id))


def _request_ratings(settings: QuerySet[RatingSettings]) -> None:
    """Request the job that calculates ratings, for each of these clubs."""
    for club in settings.values_list("club", flat=True):
        request_job(KIND, club, wait=WAITS)


def _remove_merged_people(kept_person: Person, merged_person: Person) -> None:
    """Remove both merged people from the stored ratings until they are calculated again."""
    _remove_people(kept_person.club_id, kept_person.pk, merged_person.pk)


def _remove_forgotten_person(sender: type[Person], instance: Person, **_: object) -> None:
    """Remove a person who becomes anonymous from the ratings."""
    if instance.anonymous_since is not None:
        _remove_people(instance.club_id, instance.pk)


def _remove_people(club: int, *people: int) -> None:
    """Remove people from a club's stored ratings."""
    gone = set(map(str, people))
    for row in RatingSettings.objects.filter(club=club):
        row.ratings = {
            person: [*has[:-1], "" if has[-1] in gone else has[-1]]
            for person, has in row.ratings.items()
            if person not in gone
        }
        row.save(update_fields=["ratings"])
        request_job(KIND, club, wait=WAITS)
    RatingBefore.objects.filter(session__event__club=club).delete()
