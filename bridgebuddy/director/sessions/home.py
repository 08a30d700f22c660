"""Home: the club's sessions, or what BridgeBuddy is."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from bridgebuddy.clubs.models import Club, Role
from bridgebuddy.events.access import of_one_moment
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.sections import with_pairs_of

SHOWN = 12


@require_GET
@of_one_moment
def home(request: HttpRequest) -> HttpResponse:
    """Show tonight's session, those coming up and those played; to strangers what this is."""
    if not request.user.is_authenticated:
        return render(request, "director/welcome.html", {"tab": "home"})
    clubs = directed_clubs(request)
    if not clubs:
        return redirect("new-club")
    club = chosen_club(request, clubs)
    today = timezone.localdate()
    found = one_a_session(list(with_pairs_of(club)[:200]))
    running = [s for s in found if s.is_running and s.session.date <= today]
    tonight = running + [s for s in found if s.session.date == today and s not in running]
    context = {
        "tab": "home",
        "club": club,
        "clubs": clubs,
        "tonight": tonight,
        "coming": [s for s in reversed(found) if s.session.date > today][:SHOWN],
        "played": [s for s in found if s.session.date < today and s not in running][:SHOWN],
    }
    return render(request, "director/home.html", context)


def one_a_session(found: list[Section]) -> list[Section]:
    """Return the first section of each session, or the one that is playing, with everybody's `pair_count`.

    `several` says how many sections there are where there are more than one.
    """
    together: dict[int, list[Section]] = {}
    for section in sorted(found, key=lambda section: section.pk):
        together.setdefault(section.session_id, []).append(section)
    shown: list[Section] = []
    for section in found:
        beside = together.pop(section.session_id, [])
        if beside:
            one = next((one for one in beside if one.is_running), beside[0])
            one.pair_count = sum(other.pair_count for other in beside)  # type: ignore[attr-defined]
            one.several = len(beside) if len(beside) > 1 else 0  # type: ignore[attr-defined]
            shown.append(one)
    return shown


def directed_clubs(request: HttpRequest) -> list[Club]:
    """Return the clubs whose sessions this user directs."""
    memberships = request.user.memberships.filter(role=Role.DIRECTOR)
    return [membership.club for membership in memberships.select_related("club").order_by("pk")]


def chosen_club(request: HttpRequest, clubs: list[Club]) -> Club:
    """Return the club asked for, or the first."""
    wanted = request.GET.get("club") or request.POST.get("club")
    return next((club for club in clubs if str(club.pk) == wanted), clubs[0])
