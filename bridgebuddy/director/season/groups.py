"""A championship's groups: divided, corrected by hand, and carried into the next one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.seasons.models import Championship
from bridgebuddy.seasons.queries.championships import ChampionshipTable
from bridgebuddy.seasons.rules.model import People
from bridgebuddy.seasons.services import championships as service
from bridgebuddy.seasons.words import group_name, group_sentences

from .views import REFUSED, championship_for_director

FEWEST, USUAL, MOST = 2, 3, 6
GONE = "gone"
OF_A_LINE = "in-"


class DivideForm(forms.Form):
    """The number of groups, and of players that change over at each border."""

    count = forms.IntegerField(label=_lazy("Groups"), min_value=FEWEST, max_value=MOST)


class OverForm(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    """The number of players that change over at each border."""

    class Meta:
        model = Championship
        fields = ("change_over",)


@dataclass(frozen=True)
class GroupMember:
    """A line in a group, with the groups to which it would be promoted or relegated."""

    key: str
    names: str
    group: str
    up_to: str
    down_to: str
    is_gone: bool
    is_absent: bool


@require_http_methods(["GET", "POST"])
def groups(request: UserRequest, pk: int, championship: int) -> HttpResponse:
    """Show the groups and the players that change over; edit them, or make the next championship."""
    shown_championship = championship_for_director(request, pk, championship)
    over = OverForm(request.POST or None, instance=shown_championship)
    divide = DivideForm(
        request.POST or None, initial={"count": len(shown_championship.groups) or USUAL}
    )
    status = 200
    if request.method == "POST":
        answer = _run_groups_action(request, shown_championship, over, divide)
        if answer is not None:
            return answer
        status = REFUSED
        shown_championship.refresh_from_db(fields=["change_over"])
    table = ChampionshipTable(shown_championship)
    context = {
        "club": shown_championship.club,
        "tab": "season",
        "championship": shown_championship,
        "groups": _members_by_group(table),
        "letters": [group_name(number) for number in range(len(shown_championship.groups))],
        "said": group_sentences(table),
        "lines": len(table.standings.lines) + len(table.standings.below),
        "over": over,
        "over_anew": OverForm(request.POST or None, instance=shown_championship, auto_id="anew_%s"),
        "divide": divide,
        "follower": shown_championship.followers.order_by("pk").first(),
        "next_name": service.next_name(shown_championship.name),
    }
    return render(request, "director/season/groups.html", context, status=status)


def _run_groups_action(
    request: UserRequest, one: Championship, over: OverForm, divide: DivideForm
) -> HttpResponse | None:
    """Run the action of a button; return None if its form is invalid."""
    here = redirect("championship-groups", pk=one.club.pk, championship=one.pk)
    match request.POST.get("do"):
        case "next":
            return _begin_next_championship(request, one)
        case "single":
            service.remove_groups(one, by=request.user)
            return here
        case "divide" if divide.is_valid() and over.is_valid():
            count, number = divide.cleaned_data["count"], over.cleaned_data["change_over"]
            service.divide_list(one, count, number, by=request.user)
            return here
        case "store" if over.is_valid():
            where = _chosen_groups(request.POST, len(one.groups))
            service.put_into_groups(one, where, over.cleaned_data["change_over"], by=request.user)
            messages.success(request, _("Stored."))
            return here
    return None


def _begin_next_championship(request: UserRequest, one: Championship) -> HttpResponse:
    """Create the next championship with promotion and relegation."""
    try:
        after = service.begin_next_championship(one, by=request.user)
    except service.NothingPlayed:
        messages.error(
            request,
            _("This championship has no results yet, so there is no promotion or relegation."),
        )
        return redirect("championship-groups", pk=one.club.pk, championship=one.pk)
    messages.success(request, _("“%(name)s” is made, with the new groups.") % {"name": after.name})
    return redirect("championship-groups", pk=one.club.pk, championship=after.pk)


def _chosen_groups(sent: QueryDict, count: int) -> dict[People, int | None]:
    """Return the group chosen for each line; None: it has left."""
    numbers: dict[str, int | None] = {group_name(number): number for number in range(count)}
    numbers[GONE] = None
    return {
        tuple(name.removeprefix(OF_A_LINE).split("-")): numbers[str(value)]
        for name, value in sent.items()
        if name.startswith(OF_A_LINE) and value in numbers
    }


def _members_by_group(table: ChampionshipTable) -> list[tuple[str, list[GroupMember]]]:
    """Return the lines of each group, from the first group to the last."""
    changes = table.standings.promotion
    if changes is None:
        return []
    values: dict[People, Any] = {
        line.who: line.values for line in (*table.standings.lines, *table.standings.below)
    }
    gone = {tuple(who) for who in table.championship.gone}
    return [
        (
            group_name(number),
            [
                GroupMember(
                    "-".join(who),
                    table.called(who),
                    group_name(number),
                    group_name(number - 1) if who in changes.up else "",
                    group_name(number + 1) if who in changes.down else "",
                    who in gone or (bool(values.get(who)) and who in changes.left),
                    not values.get(who),
                )
                for who in group.order
            ],
        )
        for number, group in enumerate(changes.groups)
    ]
