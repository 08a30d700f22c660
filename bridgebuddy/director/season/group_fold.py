"""The forms for a championship's groups, and the lines of each group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _lazy

from bridgebuddy.seasons.models import Championship
from bridgebuddy.seasons.queries.championships import ChampionshipTable
from bridgebuddy.seasons.rules.model import People
from bridgebuddy.seasons.services import championships as service
from bridgebuddy.seasons.words import group_name, group_sentences

FEWEST, USUAL, MOST = 2, 3, 6


class GroupCountForm(forms.Form):
    """The form for dividing a championship into a number of groups."""

    count = forms.IntegerField(label=_lazy("Groups"), min_value=FEWEST, max_value=MOST)


class PromotionForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    """The form for how many contestants are promoted and relegated between groups."""

    class Meta:
        model = Championship
        fields = ("change_over",)


@dataclass(frozen=True)
class GroupMember:
    """A contestant in a group of a championship, with the groups to which it may go up or down."""

    key: str
    names: str
    group: str
    up_to: str
    down_to: str
    is_gone: bool
    is_absent: bool


def forms_of(
    championship: Championship, form_data: QueryDict | None = None
) -> tuple[PromotionForm, GroupCountForm]:
    """Return two forms for a championship: its promotion rule, and its number of groups."""
    divide = GroupCountForm(form_data, initial={"count": len(championship.groups) or USUAL})
    return PromotionForm(form_data, instance=championship), divide


def groups_context(
    table: ChampionshipTable,
    over: PromotionForm,
    divide: GroupCountForm,
    form_data: QueryDict | None = None,
) -> dict[str, Any]:
    """Return the template context of a championship's groups; `form_data` is a refused form's data."""
    one = table.championship
    return {
        "has_groups_fold": True,
        "groups": _members_by_group(table),
        "letters": [group_name(number) for number in range(len(one.groups))],
        "said": group_sentences(table),
        "lines": len(table.standings.lines) + len(table.standings.below),
        "over": over,
        "over_anew": PromotionForm(form_data, instance=one, auto_id="anew_%s"),
        "divide": divide,
        "follower": one.followers.order_by("pk").first(),
        "next_name": service.next_name(one.name),
    }


def _members_by_group(table: ChampionshipTable) -> list[tuple[str, list[GroupMember]]]:
    """Return the contestants of each group, from the first group to the last."""
    changes = table.standings.promotion
    if changes is None:
        return []
    values: dict[People, Any] = {
        line.who: line.values for line in (*table.standings.lines, *table.standings.below)
    }
    gone = {tuple(people) for people in table.championship.gone}
    return [
        (
            group_name(number),
            [
                GroupMember(
                    "-".join(people),
                    table.line_text(people),
                    group_name(number),
                    group_name(number - 1) if people in changes.up else "",
                    group_name(number + 1) if people in changes.down else "",
                    people in gone or (bool(values.get(people)) and people in changes.left),
                    not values.get(people),
                )
                for people in group.order
            ],
        )
        for number, group in enumerate(changes.groups)
    ]
