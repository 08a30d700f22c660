"""Changes to a club's championships."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from bridgebuddy.audit.services import record
from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.showing import show_again

from ..models import Championship
from ..queries.championships import table_of
from ..rules.model import People
from ..rules.promotion import divided

#: what a championship that follows another has not from it
ITS_OWN = {
    *("id", "once", "token", "published_at", "final_at", "final_rows", "brought_in", "left_out"),
    *("name", "since", "until", "groups", "gone", "follows", "nameless"),
}
NUMBERED = re.compile(r"(.+) \((\d{1,4})\)")
LONGEST = 80


class NothingPlayed(Exception):
    """Nobody has played in it, so that nobody goes up or down."""


def columns_of(one: Championship, without: Collection[str] = ()) -> dict[str, Any]:
    """Return what another championship would be made with to be the same."""
    fields = one._meta.concrete_fields
    return {
        field.attname: getattr(one, field.attname) for field in fields if field.name not in without
    }


@transaction.atomic
def keep(one: Championship, *, by: User | None, once: str = "") -> Championship:
    """Store a championship that is new, or whose rules are others now.

    Whoever comes with the same `once` again, as a button pressed twice does, gets the one that was made first.
    """
    is_new = one.pk is None
    if is_new and once:
        facts = columns_of(one, {"id", "once"})
        one, is_first = Championship.objects.get_or_create(once=once, defaults=facts)
        if not is_first:
            return one
    else:
        one.save()
    record("season.new" if is_new else "season.rules", one.club, by=by, name=one.name)
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
    found = _locked(one)
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


# ── groups ──


@transaction.atomic
def divide(one: Championship, count: int, over: int, *, by: User | None) -> Championship:
    """Divide a list as it stands into so many groups, the first of it in the highest; so many change over."""
    found = _locked(one)
    standings = table_of(found).standings
    order = [line.who for line in (*standings.lines, *standings.below)]
    found.groups = [[list(who) for who in group] for group in divided(order, count)]
    found.gone, found.change_over = [], over
    return _keep_groups(found, by)


@transaction.atomic
def put_into_groups(
    one: Championship, where: Mapping[People, int | None], over: int, *, by: User | None
) -> Championship:
    """Put those named into other groups, from 0 on; None: they have left. Everybody else stays where they are."""
    found = _locked(one)
    promotion = table_of(found).standings.promotion
    if promotion is None:
        return found
    now: list[list[list[str]]] = [[] for _ in promotion.groups]
    gone = []
    for number, group in enumerate(promotion.groups):
        for who in group.order:
            wished = where.get(who, None if list(who) in found.gone else number)
            if wished is None:
                gone.append(list(who))
            goes = number if wished is None or wished >= len(now) else wished
            now[goes].append(list(who))
    found.groups, found.gone, found.change_over = now, gone, over
    return _keep_groups(found, by)


@transaction.atomic
def without_groups(one: Championship, *, by: User | None) -> Championship:
    """Make one list of it again."""
    found = _locked(one)
    found.groups, found.gone = [], []
    return _keep_groups(found, by)


@transaction.atomic
def begin_next(one: Championship, *, by: User | None) -> Championship:
    """Make the championship that follows: with the same rules, and groups between which everybody has changed over.

    The one before is final with it, and ends today where it had no end. Told again it is the one that was made.
    Raises `NothingPlayed` where nobody can have gone up or down.
    """
    found = _locked(one)
    if (known := found.followers.order_by("pk").first()) is not None:
        return known
    table = table_of(found)
    promotion = table.standings.promotion
    if promotion is None or not table.sessions:
        raise NothingPlayed
    if found.until is None:
        found.until = found.club.today
        found.save(update_fields=["until"])
    make_final(found, True, by=by)
    after = Championship(**columns_of(found, ITS_OWN))
    after.name = next_name(found.name)
    after.since, after.until = next_period(found.since, found.until)
    after.groups = [[list(who) for who in group] for group in promotion.next]
    after.follows = found
    after.save()
    record("season.next", found.club, by=by, name=found.name, after=after.name)
    _show_again(after)
    return after


def next_name(name: str) -> str:
    """Return what the one after is called.

    >>> next_name("League"), next_name("League (9)")
    ('League (2)', 'League (10)')
    """
    bare, number = name, 1
    if found := NUMBERED.fullmatch(name):
        bare, number = found[1], int(found[2])
    behind = f" ({number + 1})"
    return bare[: LONGEST - len(behind)].rstrip() + behind


def next_period(since: date | None, until: date) -> tuple[date, date | None]:
    """Return from when until when the one after lasts: as long, in whole months where it had whole ones.

    >>> [str(day) for day in next_period(date(2026, 9, 1), date(2026, 12, 31))]
    ['2027-01-01', '2027-04-30']
    >>> [str(day) for day in next_period(date(2026, 9, 7), date(2026, 9, 20))]
    ['2026-09-21', '2026-10-04']
    """
    first = until + timedelta(days=1)
    if since is None or since > until:
        return first, None
    if since.day == 1 == first.day:
        months = 12 * (first.year - since.year) + first.month - since.month
        after = first.year * 12 + first.month - 1 + months
        return first, date(after // 12, after % 12 + 1, 1) - timedelta(days=1)
    return first, until + (first - since)


def _locked(one: Championship) -> Championship:
    return (
        Championship.objects.select_for_update(of=("self",)).select_related("club").get(pk=one.pk)
    )


def _keep_groups(one: Championship, by: User | None) -> Championship:
    one.save(update_fields=["groups", "gone", "change_over"])
    record("season.groups", one.club, by=by, name=one.name)
    _show_again(one)
    return one
