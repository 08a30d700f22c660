"""Changes to a club's championships."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from bridgebuddy.audit.services import add_record
from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.display_refresh import refresh_sections

from ..models import Championship
from ..queries.championships import ChampionshipTable
from ..rules.model import People
from ..rules.promotion import divided_groups

#: fields that a following championship does not copy from the one before
ITS_OWN = {
    *("id", "once", "token", "published_at", "final_at", "final_rows", "brought_in", "left_out"),
    *("name", "since", "until", "groups", "gone", "follows", "nameless"),
}
NUMBERED = re.compile(r"(.+) \((\d{1,4})\)")
LONGEST = 80


class NothingPlayed(Exception):
    """No session of the championship has been played, so its groups cannot change."""


def copied_values(
    championship: Championship, excluded_fields: Collection[str] = ()
) -> dict[str, Any]:
    """Return the field values with which a championship is copied, except the fields in `excluded_fields`."""
    fields = championship._meta.concrete_fields
    return {
        field.attname: getattr(championship, field.attname)
        for field in fields
        if field.name not in excluded_fields
    }


@transaction.atomic
def store_championship(
    championship: Championship, *, by: User | None, once: str = ""
) -> Championship:
    """Save a new championship, or the changed rules of one.

    `once` identifies a form. A second submission of it returns the championship that the first one made.
    """
    is_new = championship.pk is None
    if is_new and once:
        facts = copied_values(championship, {"id", "once"})
        championship, is_first = Championship.objects.get_or_create(once=once, defaults=facts)
        if not is_first:
            return championship
    else:
        championship.save()
    add_record(
        "season.new" if is_new else "season.rules", championship.club, by=by, name=championship.name
    )
    _refresh_room_displays(championship)
    return championship


@transaction.atomic
def publish_championship(
    championship: Championship, is_published: bool, *, by: User | None
) -> Championship:
    """Publish a championship to all that have the address, or withdraw it. Repeating it has no effect."""
    championship = Championship.objects.select_for_update().get(pk=championship.pk)
    if championship.is_published != is_published:
        championship.published_at = timezone.now() if is_published else None
        championship.save(update_fields=["published_at"])
        add_record(
            "season.publish" if is_published else "season.unpublish",
            championship.club,
            by=by,
            name=championship.name,
        )
        _refresh_room_displays(championship)
    return championship


@transaction.atomic
def show_in_room(championship: Championship, is_shown: bool, *, by: User | None) -> Championship:
    """Set whether the room display shows a championship before the first round of a session."""
    championship = Championship.objects.select_for_update().get(pk=championship.pk)
    if championship.is_in_room != is_shown:
        championship.is_in_room = is_shown
        championship.save(update_fields=["is_in_room"])
        add_record(
            "season.room" if is_shown else "season.no_room",
            championship.club,
            by=by,
            name=championship.name,
        )
        refresh_sections(_sections_showing(championship))
    return championship


def _refresh_room_displays(championship: Championship) -> None:
    """Refresh the room displays that show the championship."""
    if championship.is_in_room:
        refresh_sections(_sections_showing(championship))


def _sections_showing(championship: Championship) -> QuerySet[Section]:
    """Return the sections whose room display may show the championship."""
    return Section.objects.filter(session__event__club=championship.club_id, round=0)


@transaction.atomic
def make_championship_final(
    championship: Championship, is_final: bool, *, by: User | None
) -> Championship:
    """Declare a championship final, or reopen it. Its page reports later changes."""
    championship = _lock_championship(championship)
    if championship.is_final != is_final:
        championship.final_rows = ChampionshipTable(championship).rows_to_store if is_final else []
        championship.final_at = timezone.now() if is_final else None
        championship.save(update_fields=["final_at", "final_rows"])
        add_record(
            "season.final" if is_final else "season.open_again",
            championship.club,
            by=by,
            name=championship.name,
        )
    return championship


@transaction.atomic
def delete_championship(championship: Championship, *, by: User | None) -> None:
    """Delete a championship with its rules; the sessions stay."""
    add_record("season.delete", championship.club, by=by, name=championship.name)
    _refresh_room_displays(championship)
    championship.delete()


# ── groups ──


@transaction.atomic
def divide_list(
    championship: Championship, count: int, moving_count: int, *, by: User | None
) -> Championship:
    """Divide a championship's ranking into `count` groups, leaders first; `moving_count` change at each border."""
    championship = _lock_championship(championship)
    standings = ChampionshipTable(championship).standings
    order = [line.who for line in (*standings.lines, *standings.below)]
    championship.groups = [
        [list(people) for people in group] for group in divided_groups(order, count)
    ]
    championship.gone, championship.change_over = [], moving_count
    return _store_groups(championship, by)


@transaction.atomic
def put_into_groups(
    championship: Championship,
    group_by_people: Mapping[People, int | None],
    moving_count: int,
    *,
    by: User | None,
) -> Championship:
    """Move contestants to other groups of a championship (0 is the highest; None removes a contestant)."""
    championship = _lock_championship(championship)
    promotion = ChampionshipTable(championship).standings.promotion
    if promotion is None:
        return championship
    now: list[list[list[str]]] = [[] for _ in promotion.groups]
    gone = []
    for number, group in enumerate(promotion.groups):
        for people in group.order:
            wished = group_by_people.get(
                people, None if list(people) in championship.gone else number
            )
            if wished is None:
                gone.append(list(people))
            goes = number if wished is None or wished >= len(now) else wished
            now[goes].append(list(people))
    championship.groups, championship.gone, championship.change_over = now, gone, moving_count
    return _store_groups(championship, by)


@transaction.atomic
def remove_groups(championship: Championship, *, by: User | None) -> Championship:
    """Remove the groups of a championship."""
    championship = _lock_championship(championship)
    championship.groups, championship.gone = [], []
    return _store_groups(championship, by)


@transaction.atomic
def begin_next_championship(championship: Championship, *, by: User | None) -> Championship:
    """Create the next championship with the same rules, and groups after promotion and relegation.

    The earlier one becomes final, and ends today if it had no end. If a following championship exists, it is
    returned. Raises `NothingPlayed` if no session has been played.
    """
    championship = _lock_championship(championship)
    if (follower := championship.followers.order_by("pk").first()) is not None:
        return follower
    table = ChampionshipTable(championship)
    promotion = table.standings.promotion
    if promotion is None or not table.sessions:
        raise NothingPlayed
    if championship.until is None:
        championship.until = championship.club.today
        championship.save(update_fields=["until"])
    make_championship_final(championship, True, by=by)
    after = Championship(**copied_values(championship, ITS_OWN))
    after.name = next_name(championship.name)
    after.since, after.until = next_period(championship.since, championship.until)
    after.groups = [[list(people) for people in group] for group in promotion.next]
    after.follows = championship
    after.save()
    add_record("season.next", championship.club, by=by, name=championship.name, after=after.name)
    _refresh_room_displays(after)
    return after


def next_name(name: str) -> str:
    """Return the name of the next championship, for example with the next year.

    >>> next_name("League"), next_name("League (9)")
    ('League (2)', 'League (10)')
    """
    bare, number = name, 1
    if match := NUMBERED.fullmatch(name):
        bare, number = match[1], int(match[2])
    behind = f" ({number + 1})"
    return bare[: LONGEST - len(behind)].rstrip() + behind


def next_period(since: date | None, until: date) -> tuple[date, date | None]:
    """Return the start and end of the period after this one: as long, in whole months if possible.

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


def _lock_championship(championship: Championship) -> Championship:
    """Return the championship, locked."""
    return (
        Championship.objects.select_for_update(of=("self",))
        .select_related("club")
        .get(pk=championship.pk)
    )


def _store_groups(championship: Championship, by: User | None) -> Championship:
    """Save and record the groups of a championship."""
    championship.save(update_fields=["groups", "gone", "change_over"])
    add_record("season.groups", championship.club, by=by, name=championship.name)
    _refresh_room_displays(championship)
    return championship
