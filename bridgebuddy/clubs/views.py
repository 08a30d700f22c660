"""Pages for a new club and for the user's own account."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from bridgebuddy.web.folds import redirect_with_part_open
from bridgebuddy.web.language import remember_language, return_address

from .access import club_for_director as club_for_director
from .account.page import account_page
from .forms import ClubForm, UserLanguageForm, UserNameForm, usual_paper_size
from .models import Club, Membership, User
from .requests import UserRequest
from .sign_in.account_deletion import ConfirmPasswordForm, delete


@login_required
@require_http_methods(["GET", "POST"])
def new_club(request: UserRequest) -> HttpResponse:
    """Show the form for a new club, and create the club with the user as its director."""
    if request.user.is_trial_user:  # a trial account cannot own a club
        return redirect("account_signup")
    form = ClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        _make_club(form, request.user)
        return redirect("home")
    status = 422 if form.errors else 200
    return render(request, "clubs/new.html", {"form": form, "tab": "club"}, status=status)


@transaction.atomic
def _make_club(form: ClubForm, user: User) -> None:
    """Create a club with the user as its director. A form sent twice creates only one."""
    User.objects.select_for_update().get(pk=user.pk)
    club = form.save(commit=False)
    directed = Club.objects.filter(memberships__user=user, memberships__is_director=True)
    if directed.filter(name=club.name, events=None, people=None).exists():
        return
    club.language, club.paper = get_language() or "", usual_paper_size(club.time_zone)
    club.save()
    Membership.objects.create(club=club, user=user, is_director=True)


@login_required
@require_http_methods(["GET", "POST"])
def account(request: UserRequest) -> HttpResponse:
    """Show the user's account: name, language, password and clubs; `?open=password` opens a form."""
    form = UserNameForm(request.POST if request.method == "POST" else None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("account")
    return account_page(request, form=form)


@login_required
@require_http_methods(["GET", "POST"])
def delete_account(request: UserRequest) -> HttpResponse:
    """Delete the user's account, unless a club would lose its only director. The form is on the account page."""
    if request.method != "POST":
        return redirect_with_part_open("delete", "account")
    form = ConfirmPasswordForm(request.user, request.POST)
    if form.is_valid() and delete(request.user):
        logout(request)
        return redirect("account_login")
    return account_page(request, delete_form=form)


@login_required
@require_POST
def own_language(request: UserRequest) -> HttpResponse:
    """Store the user's own language and use it at once."""
    form = UserLanguageForm(request.POST, instance=request.user)
    if not form.is_valid():
        raise Http404("no such language")
    form.save()
    address = return_address(request, request.POST.get("next", ""), "home")
    is_by_script = "HX-Request" in request.headers
    response: HttpResponse = HttpResponse() if is_by_script else redirect(address)
    if is_by_script:  # the whole page is replaced, with its head
        response.headers["HX-Redirect"] = address
    remember_language(request, response, form.cleaned_data["language"])
    return response
