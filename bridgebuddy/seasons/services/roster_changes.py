"""Updates of season records when a person is merged, deleted or made anonymous."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models.signals import post_delete, post_save, pre_save

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.services.names_on_record import CLUB_REASONS
from bridgebuddy.events.services.roster import MERGING
from bridgebuddy.seasons.models import (
    Championship,
    FinalList,
    ManualHandicap,
    MasterpointEntry,
)
from bridgebuddy.seasons.queries.club_rules import known_player
from bridgebuddy.seasons.rules.promotion import replace_person


def connect_signals() -> None:
    """Connect to merging, anonymising and deleting people, to update season records."""
    MERGING.append(_move_season_records)
    post_delete.connect(_forget_lists, sender=Person)
    pre_save.connect(_keep_lines, sender=Person)
    post_save.connect(_forget_words, sender=Person)
    CLUB_REASONS.append(lambda club: ManualHandicap.objects.filter(person__club=club))


def _move_season_records(kept_person: Person, merged_person: Person) -> None:
    """Move a merged person's masterpoints, groups and manual handicap to the remaining person."""
    MasterpointEntry.objects.filter(person=merged_person).update(person=kept_person)
    for championship in Championship.objects.filter(club=kept_person.club_id).exclude(groups=[]):
        now = [
            replace_person(groups, str(merged_person.pk), str(kept_person.pk))
            for groups in (championship.groups, [championship.gone])
        ]
        if now != [championship.groups, [championship.gone]]:
            championship.groups, (championship.gone,) = now
            championship.save(update_fields=["groups", "gone"])
    if not ManualHandicap.objects.filter(person=kept_person).exists():
        ManualHandicap.objects.filter(person=merged_person).update(person=kept_person)
    for championship in Championship.objects.filter(
        club=kept_person.club_id, final_at__isnull=False
    ):
        rows = [
            [_merged_people(people, kept_person, merged_person), *has]
            for people, *has in championship.final_rows
        ]
        if rows != championship.final_rows:
            Championship.objects.filter(pk=championship.pk).update(final_rows=rows)


def _merged_people(people: Sequence[str], kept_person: Person, merged_person: Person) -> list[str]:
    """Return the people of a contestant after `merged_person` has been merged into `kept_person`."""
    return [str(kept_person.pk) if key == str(merged_person.pk) else key for key in people]


def _forget_lists(sender: type[Person], instance: Person, **_: object) -> None:
    """Delete the stored rankings with a deleted person, so that they are calculated again."""
    lists = FinalList.objects.filter(session__event__club=instance.club_id)
    lists.filter(lines__regex=rf"[\[,]{instance.pk}[\],]").delete()


def _keep_lines(sender: type[Person], instance: Person, **_: object) -> None:
    """Let a person made anonymous stay ranked in championships, so that no other place changes."""
    if instance.anonymous_since is None or instance.pk is None:
        return
    championships = Championship.objects.filter(club=instance.club_id)
    limited = [
        championship for championship in championships.order_by("pk") if not championship.is_open
    ]
    before = limited and Person.objects.filter(pk=instance.pk, anonymous_since=None).first()
    if not before:
        return
    for championship in limited:
        if known_player(before, None).may_be_ranked_in(championship):
            championship.nameless = [*championship.nameless, str(instance.pk)]
            championship.save(update_fields=["nameless"])


def _forget_words(sender: type[Person], instance: Person, **_: object) -> None:
    """Delete the reason for an anonymous person's manual handicap; the number stays."""
    if instance.anonymous_since is not None:
        ManualHandicap.objects.filter(person=instance.pk).update(reason="")
