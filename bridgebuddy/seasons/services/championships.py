"""Changes to a club's championships."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from bridgebuddy.audit.services import record
from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.showing import show_again

from ..models import Championship
from ..queries.championships import table_of


@transaction.atomic
def keep(one: Championship, *, by: User | None) -> Championship:
    """Store a championship that is new, or whose rules are others now."""
    action = "season.new" if one.pk is None else "season.rules"
    one.save()
    record(action, one.club, by=by, name=one.name)
    _show_again(one)
    return one


@transaction.atomic
def publish(one: Championship, is_published: bool, *, by: User | None) -> Championship:
    """Let everybody with the address see a championship, or nobody any more. Told again it happens once."""
    found = Championship.objects.select_for_update().get(pk=one.pk)
    if found.is_published != is_published:
        found.published_at = timezone.now() if is_published else None
        found.save(update_fields=["published_at"])
        record(
            "season.publish" if is_published else "season.unpublish", one.club, by=by, name=one.name
        )
        _show_again(found)
    return found


@transaction.atomic
def show_in_room(one: Championship, is_shown: bool, *, by: User | None) -> Championship:
    """Let the room display show a championship before round 1, or no more. Told again it happens once."""
    found = Championship.objects.select_for_update().get(pk=one.pk)
    if found.is_in_room != is_shown:
        found.is_in_room = is_shown
        found.save(update_fields=["is_in_room"])
        record("season.room" if is_shown else "season.no_room", one.club, by=by, name=one.name)
        show_again(_not_begun(found))
    return found


def _show_again(one: Championship) -> None:
    if one.is_in_room:
        show_again(_not_begun(one))


def _not_begun(one: Championship) -> QuerySet[Section]:
    """The sections whose room display may show it."""
    return Section.objects.filter(session__event__club=one.club_id, round=0)


@transaction.atomic
def make_final(one: Championship, is_final: bool, *, by: User | None) -> Championship:
    """Say that a championship is over, or is not after all; what changes it later is told beside it."""
    found = (
        Championship.objects.select_for_update(of=("self",)).select_related("club").get(pk=one.pk)
    )
    if found.is_final != is_final:
        found.final_rows = table_of(found).rows_now if is_final else []
        found.final_at = timezone.now() if is_final else None
        found.save(update_fields=["final_at", "final_rows"])
        record("season.final" if is_final else "season.open_again", one.club, by=by, name=one.name)
    return found


@transaction.atomic
def delete(one: Championship, *, by: User | None) -> None:
    """Delete a championship: its rules, and nothing that was played."""
    record("season.delete", one.club, by=by, name=one.name)
    _show_again(one)
    one.delete()
