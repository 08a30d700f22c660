"""Trying an invented session: without an account, or as a rehearsal in one's own club."""

from __future__ import annotations

from random import Random

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.models import Club, User
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.sign_in.limits import AttemptLimit, network_of
from bridgebuddy.director.club.session_defaults import apply_default_settings
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.lifecycle import trials
from bridgebuddy.scoring.services.draws.rehearsing import (
    invent_first_results,
    invent_results,
    play_rehearsal_to_end,
)
from bridgebuddy.scoring.services.invented_times import set_running_times

from .home import directed_clubs
from .pictures import picture_files

OF_A_NETWORK = AttemptLimit("trials of a network", 12, 3600)
OF_ALL = AttemptLimit("trials of all", 120, 3600)
BACKEND = "django.contrib.auth.backends.ModelBackend"
TOO_MANY = 429
#: the round in which a visitor arrives, that in which a pair comes late, and how long the round has been played
ROUND, ROUND_OF_LATE_PAIR, MINUTES = 4, 2, 9


@never_cache
@require_http_methods(["GET", "POST"])
def trial(request: UserRequest) -> HttpResponse:
    """Show what can be tried without an account; create an invented session and open it."""
    if not settings.TRIALS and not request.user.is_authenticated:
        raise Http404("no trials here")
    if request.method == "GET":
        return render(request, "director/trial.html", {"tab": "trial", "pictures": picture_files()})
    if OF_A_NETWORK.count(network_of(request)) or OF_ALL.count("everybody"):
        messages.warning(
            request, _("Too many trial sessions have just been started. Try again in an hour.")
        )
        return render(
            request,
            "director/trial.html",
            {"tab": "trial", "pictures": picture_files()},
            status=TOO_MANY,
        )
    trials.forget_trials()
    return _open_trial(request, request.POST.get("to", "desk"))


def _open_trial(request: UserRequest, page_name: str) -> HttpResponse:
    """Create or continue a trial session, sign in its account, and redirect to the page `page_name`."""
    with transaction.atomic():
        user = request.user if request.user.is_authenticated else _trial_account(request)
        section = trials.recent_trial(user, page_name)
        if section is None:
            section = trials.open_trial(
                _trial_club(user), _("Trial session"), by=user, button=page_name
            )
            apply_default_settings(section, "phones", by=user)
            section = _play_session(section, page_name, by=user)
    if request.user != user:
        login(request, user, BACKEND)
    if page_name == "late":
        return redirect("change", code=section.code, wish="late")
    page = {"player": "lookup", "end": "ranking"}.get(page_name, "desk")
    return redirect(page, code=section.code)


def _trial_account(request: HttpRequest) -> User:
    """Return the account for a trial without sign-in; a second press finds the same one."""
    return trials.invent_user(_("Trial club"), str(request.META.get("CSRF_COOKIE", "")))


def _trial_club(user: User) -> Club:
    """Return the club for a user's trial: the user's own, or an invented one."""
    if clubs := directed_clubs(user):
        return clubs[0]
    return trials.invent_club(_("Trial club"), get_language() or "", user)


def _play_session(section: Section, page: str, *, by: User) -> Section:
    """Play a trial session with invented results as far as the demonstrated page `page` needs."""
    if page == "end":
        return play_rehearsal_to_end(trials.begin_next_round(section, by=by), by=by)
    round = ROUND_OF_LATE_PAIR if page == "late" else ROUND
    while section.round < round:
        invent_results(section, by=by)
        section = trials.begin_next_round(Section.objects.get(pk=section.pk), by=by)
    invent_first_results(section, by=by)
    set_running_times(section, minutes_into_round=MINUTES, rng=Random(section.pk))
    return Section.objects.get(pk=section.pk)
