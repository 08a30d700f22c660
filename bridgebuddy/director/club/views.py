"""Views of a club's settings: changes are stored at once, and can be undone for a day."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from bridgebuddy.clubs.access import club_for_director, club_for_secretary
from bridgebuddy.clubs.forms import LogoForm
from bridgebuddy.clubs.models import Club, ClubLogo
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.errors import ChangeRefused, NameRequired
from bridgebuddy.events.services.lifecycle import forgetting
from bridgebuddy.publication.bridgewebs import can_send, store_bridgewebs_account
from bridgebuddy.publication.models import BridgeWebs
from bridgebuddy.web.folds import redirect_with_part_open

from ..club_data.stored_data import stored_data_context
from ..refusals import change_refused
from .forms import AccountForm, EveningForm, FederationForm, GroupForm, PaperForm, PrivacyForm
from .undo import SettingsUndo

REFUSED = 422


@require_http_methods(["GET", "POST"])
def evening(request: HttpRequest, pk: int) -> HttpResponse:
    """Show and store a club's defaults of new sessions."""
    return _settings_group_page(request, club_for_secretary(request, pk), EveningForm, "evening")


@require_http_methods(["GET", "POST"])
def paper(request: HttpRequest, pk: int) -> HttpResponse:
    """Show and store a club's name, and the settings of its printed sheets and room display."""
    return _settings_group_page(request, club_for_secretary(request, pk), PaperForm, "paper")


@require_http_methods(["GET", "POST"])
def privacy(request: HttpRequest, pk: int) -> HttpResponse:
    """Show and store a club's privacy settings: visibility and retention; export all its data."""
    return _settings_group_page(request, club_for_director(request, pk), PrivacyForm, "privacy")


@require_http_methods(["GET", "POST"])
def federation(request: HttpRequest, pk: int) -> HttpResponse:
    """Show and store a club's settings for its federation and for BridgeWebs."""
    return _settings_group_page(
        request, club_for_secretary(request, pk), FederationForm, "federation"
    )


@require_POST
def bridgewebs(request: HttpRequest, pk: int) -> HttpResponse:
    """Store or delete a club's account at BridgeWebs."""
    club = club_for_secretary(request, pk)
    form = AccountForm(request.POST)
    if request.POST.get("do") == "forget":
        BridgeWebs.objects.filter(club=club).delete()
    elif form.is_valid():
        store_bridgewebs_account(club, **form.cleaned_data)
    else:
        messages.warning(request, _("BridgeWebs needs the club’s name there and the password."))
    return redirect("club-federation", pk=club.pk)


@require_POST
def store_logo(request: HttpRequest, pk: int) -> HttpResponse:
    """Store a club's logo for its printed sheets."""
    club = club_for_secretary(request, pk)
    form = LogoForm(request.POST, request.FILES)
    if not form.is_valid():
        return _settings_page(request, club, PaperForm(instance=club), "paper", logo_form=form)
    image, type_ = form.cleaned_data["logo"]
    ClubLogo.objects.update_or_create(club=club, defaults={"image": image, "type": type_})
    return redirect("club-paper", pk=club.pk)


@require_POST
def remove_logo(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a club's logo."""
    club = club_for_secretary(request, pk)
    ClubLogo.objects.filter(club=club).delete()
    return redirect("club-paper", pk=club.pk)


@require_http_methods(["GET", "POST"])
def delete_club(request: UserRequest, pk: int) -> HttpResponse:
    """Delete a club if its name is typed. The form is on the page of privacy settings."""
    club = club_for_director(request, pk)
    if request.method != "POST":
        return redirect_with_part_open("delete", "club-privacy", club.pk)
    typed = request.POST.get("name", "")
    try:
        forgetting.delete_club(club, name=typed)
    except NameRequired:
        error = _("Type the name of the club: %(name)s") % {"name": club.name}
    except ChangeRefused as refused:
        error = change_refused(refused)
    else:
        messages.success(request, _("%(name)s is deleted.") % {"name": club.name})
        return redirect("home")
    form = PrivacyForm(instance=club)
    return _settings_page(request, club, form, "privacy", typed=typed, error=error)


def _settings_group_page(
    request: HttpRequest, club: Club, form_class: type[GroupForm], group: str
) -> HttpResponse:
    """Show the form of a group of the club's settings, or store it when it is sent."""
    before = form_class(instance=club).stored_values()
    form = form_class(request.POST if request.method == "POST" else None, instance=club)
    if request.method == "POST" and form.is_valid():
        form.save()
        undo = SettingsUndo(request, club, group)
        if "undo" in request.POST:
            undo.delete_values()
        else:
            undo.store_values(before)
        return redirect(_storing_address(group, club))
    return _settings_page(request, Club.objects.get(pk=club.pk), form, group)


def _storing_address(group: str, club: Club) -> str:
    """Return the address that stores a group of settings, for the form's `action`."""
    return reverse(f"club-{group}" if group != "evening" else "club-settings", args=[club.pk])


def _settings_page(
    request: HttpRequest,
    club: Club,
    form: GroupForm,
    group: str,
    logo_form: LogoForm | None = None,
    **refused: str,
) -> HttpResponse:
    """Render the page of a group of settings; `refused` holds a second form with errors."""
    context: dict[str, Any] = {
        "club": club,
        "tab": "club",
        "group": group,
        "form": form,
        "form_address": _storing_address(group, club),
        "undo": SettingsUndo(request, club, group).fields,
    }
    if group == "paper":
        context["logo"] = ClubLogo.objects.filter(club=club).first()
        context["logo_form"] = logo_form or LogoForm()
    if group == "federation":
        context |= {
            "can_send": can_send(),
            "account": BridgeWebs.objects.filter(club=club).first(),
            "account_form": AccountForm(),
        }
    if group == "privacy":
        context["people"] = club.known_people.count()
        context["directors"] = club.memberships.count()
        context["nameless"] = club.people.exclude(anonymous_since=None).count()
        context |= stored_data_context(club, request.GET.get("open", ""))
    context |= refused
    is_refused = bool(form.errors or (logo_form and logo_form.errors) or refused)
    template = f"director/club/{group}.html"
    return render(request, template, context, status=REFUSED if is_refused else 200)
