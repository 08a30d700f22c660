"""A club's own pages: founding it, its settings, its directors."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from bridgebuddy.language import back_to, remember
from bridgebuddy.signing_in import NotSignedIn

from .forms import (
    ClubSettingsForm,
    LogoForm,
    NewClubForm,
    OwnLanguageForm,
)
from .models import Club, ClubLogo, Membership, Role
from .requests import UserRequest
from .ways import as_written_by


def club_for_director(request: HttpRequest, pk: int) -> Club:
    """Return a club to one of its directors; raise `NotSignedIn`, and 404 to anybody else."""
    if not request.user.is_authenticated:
        raise NotSignedIn()
    club = Club.objects.filter(pk=pk).first()
    if club is None or not request.user.has_perm("clubs.direct", club):
        raise Http404("no such club")
    as_written_by(club)
    return club


@login_required
@require_http_methods(["GET", "POST"])
def new_club(request: UserRequest) -> HttpResponse:
    """Found a club; whoever founds it directs it."""
    form = NewClubForm(request.POST or None, initial={"language": get_language()})
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            club = form.save()
            Membership.objects.create(club=club, user=request.user, role=Role.DIRECTOR)
        return redirect("home")
    status = 422 if form.errors else 200
    return render(request, "clubs/new.html", {"form": form, "tab": "club"}, status=status)


@require_http_methods(["GET", "POST"])
def settings(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a club's settings and directors, and change the settings."""
    club = club_for_director(request, pk)
    form = ClubSettingsForm(request.POST or None, instance=club)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("The settings are saved."))
        return redirect("club-settings", pk=club.pk)
    return _render(request, Club.objects.get(pk=club.pk), form=form)


@require_POST
def keep_logo(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a picture on the club's cards."""
    club = club_for_director(request, pk)
    form = LogoForm(request.POST, request.FILES)
    if not form.is_valid():
        return _render(request, club, logo_form=form)
    image, type_ = form.cleaned_data["logo"]
    ClubLogo.objects.update_or_create(club=club, defaults={"image": image, "type": type_})
    messages.success(request, _("The logo will be on the cards."))
    return redirect("club-settings", pk=club.pk)


@require_POST
def remove_logo(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the picture off the club's cards."""
    club = club_for_director(request, pk)
    ClubLogo.objects.filter(club=club).delete()
    messages.success(request, _("The cards have no logo now."))
    return redirect("club-settings", pk=club.pk)


@login_required
@require_POST
def own_language(request: UserRequest) -> HttpResponse:
    """Speak a director's own language to them on every device, this one included."""
    form = OwnLanguageForm(request.POST, instance=request.user)
    if not form.is_valid():
        raise Http404("no such language")
    form.save()
    response = redirect(back_to(request, request.POST.get("next", ""), "home"))
    remember(request, response, form.cleaned_data["language"])
    return response


def _render(
    request: HttpRequest,
    club: Club,
    *,
    form: ClubSettingsForm | None = None,
    logo_form: LogoForm | None = None,
) -> HttpResponse:
    context = {
        "club": club,
        "tab": "club",
        "form": form or ClubSettingsForm(instance=club),
        "logo": ClubLogo.objects.filter(club=club).first(),
        "logo_form": logo_form or LogoForm(),
        "directors": club.memberships.filter(role=Role.DIRECTOR).select_related("user"),
        "people": club.known_people.count(),
        "language_form": OwnLanguageForm(instance=request.user, auto_id="own_%s"),
    }
    has_errors = any(f is not None and f.errors for f in (form, logo_form))
    return render(request, "clubs/settings.html", context, status=422 if has_errors else 200)
