"""A championship's groups: divided, corrected by hand, and carried into the next one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.seasons.models import Championship
from bridgebuddy.seasons.queries.championships import ChampionshipTable
from bridgebuddy.seasons.rules.model import People
from bridgebuddy.seasons.services import championships as service
from bridgebuddy.seasons.words import group_name
from bridgebuddy.web.folds import redirect_with_part_open

from .group_fold import GroupCountForm, PromotionForm, forms_of, groups_context
from .views import championship_for_director, championship_page

GONE = "gone"
OF_A_LINE = "in-"


@require_http_methods(["GET", "POST"])
def groups(request: UserRequest, pk: int, championship: int) -> HttpResponse:
    """Change a championship's groups, or begin the next championship from them."""
    stored = championship_for_director(request, pk, championship)
    if request.method != "POST":
        return _redirect_to_groups(stored)
    over, divide = forms_of(stored, request.POST)
    answer = _run_groups_action(request, stored, over, divide)
    if answer is not None:
        return answer
    stored.refresh_from_db(fields=["change_over"])
    refused = groups_context(ChampionshipTable(stored), over, divide, request.POST)
    return championship_page(request, stored, refused_values=refused)


def _redirect_to_groups(championship: Championship) -> HttpResponse:
    """Redirect to a championship's page with the groups open."""
    return redirect_with_part_open("groups", "championship", championship.club.pk, championship.pk)


def _run_groups_action(
    request: UserRequest, championship: Championship, over: PromotionForm, divide: GroupCountForm
) -> HttpResponse | None:
    """Run the action of a button on the groups; return None if its form is invalid."""
    here = _redirect_to_groups(championship)
    match request.POST.get("do"):
        case "next":
            return _begin_next_championship(request, championship)
        case "single":
            service.remove_groups(championship, by=request.user)
            return here
        case "divide" if divide.is_valid() and over.is_valid():
            count, number = divide.cleaned_data["count"], over.cleaned_data["change_over"]
            service.divide_list(championship, count, number, by=request.user)
            return here
        case "store" if over.is_valid():
            where = _chosen_groups(request.POST, len(championship.groups))
            service.put_into_groups(
                championship, where, over.cleaned_data["change_over"], by=request.user
            )
            messages.success(request, _("Saved."))
            return here
    return None


def _begin_next_championship(request: UserRequest, championship: Championship) -> HttpResponse:
    """Create the next championship with promotion and relegation applied."""
    try:
        after = service.begin_next_championship(championship, by=request.user)
    except service.NothingPlayed:
        messages.error(
            request,
            _("This championship has no results yet, so there is no promotion or relegation."),
        )
        return _redirect_to_groups(championship)
    messages.success(request, _("“%(name)s” is made, with the new groups.") % {"name": after.name})
    after.club = championship.club
    return _redirect_to_groups(after)


def _chosen_groups(form_data: QueryDict, count: int) -> dict[People, int | None]:
    """Return the group chosen for each contestant; None for one that has left."""
    numbers: dict[str, int | None] = {group_name(number): number for number in range(count)}
    numbers[GONE] = None
    return {
        tuple(name.removeprefix(OF_A_LINE).split("-")): numbers[str(value)]
        for name, value in form_data.items()
        if name.startswith(OF_A_LINE) and value in numbers
    }
