"""Player ratings, for the club's directors only; off by default."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.access import club_for_secretary
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.scoring.rules.rounding import rounded_number
from bridgebuddy.scoring.words import number_text
from bridgebuddy.seasons.models import RatingSettings
from bridgebuddy.seasons.queries.ratings import LastRating, latest_ratings, rated_people
from bridgebuddy.seasons.services import ratings as service


@require_http_methods(["GET", "POST"])
def rating(request: UserRequest, pk: int) -> HttpResponse:
    """Show all players' ratings with their uncertainty; turn ratings on or off."""
    club = club_for_secretary(request, pk)
    if request.method == "POST":
        match request.POST.get("do"):
            case "off":
                service.switch_ratings(club, False)
            case "strengths" if RatingSettings.objects.filter(club=club).exists():
                changed = service.use_ratings_as_strengths(club, by=request.user)
                messages.success(
                    request,
                    ngettext(
                        "The strength of %(count)s player was changed.",
                        "The strengths of %(count)s players were changed.",
                        changed,
                    )
                    % {"count": changed},
                )
            case "on":
                service.switch_ratings(club, True)
        return redirect("rating", pk=club.pk)
    is_on = RatingSettings.objects.filter(club=club).exists()
    last_rating = latest_ratings(club) if is_on else LastRating({}, None)
    if last_rating.is_old:
        service.request_new_ratings(club)
    everybody = [
        {
            "person": person,
            "rating": rating,
            "about": number_text(rounded_number(rating.percentage, 1, 50), 1),
            "take": number_text(rounded_number(rating.give_or_take, 1), 1),
            "only_with": only_with,
        }
        for person, rating, only_with in rated_people(club, last_rating)
    ]
    context = {
        "club": club,
        "tab": "players",
        "is_on": is_on,
        "copied": AuditRecord.objects.filter(
            subject="club", subject_id=club.pk, action="season.strengths"
        ).first()
        if is_on
        else None,
        "known": last_rating,
        "everybody": everybody,
    }
    return render(request, "director/season/rating.html", context)
