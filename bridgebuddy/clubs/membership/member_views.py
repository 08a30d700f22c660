"""Pages about a club's members: roles, invitations, and a user's own clubs."""

from __future__ import annotations

from allauth.account.signals import user_logged_in
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.core.mail import EmailMessage
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bridgebuddy.operations.local_network import phone_base
from bridgebuddy.web.folds import redirect_with_part_open

from ..access import club_for_director
from ..forms import (
    CodeAndAccountForm,
    InvitationCodeForm,
    InvitationForm,
    MemberForm,
    PasswordForm,
    RolesForm,
)
from ..models import Club, Invitation, Membership
from ..requests import UserRequest, hide_trial_account
from ..roles import RoleHolder
from ..sign_in.accounts import MAILS
from ..sign_in.limits import AttemptLimit, count_all
from ..sign_in.mail import send_mail_or_raise
from ..sign_in.security import KEPT, EventKind, store_security_event
from . import members

INVITATIONS = AttemptLimit("invitations", 50, 3600)
#: wrong codes of invitations, by network
CODES = AttemptLimit("wrong codes of invitations on paper", 10, 3600)
PASSWORD_BACKEND = "django.contrib.auth.backends.ModelBackend"
REFUSED = 422
EVENTS_ON_A_PAGE = 50


@require_safe
def show_members(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the page of a club's members (users with an account) and open invitations."""
    return _render_members(request, club_for_director(request, pk))


@require_safe
def security_log(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect the former address of the security log to the page of members."""
    return redirect_with_part_open("log", "members", club_for_director(request, pk).pk)


@require_http_methods(["GET", "POST"])
def invite(request: UserRequest, pk: int) -> HttpResponse:
    """Invite a person to a club by e-mail, or with a link to hand over if no mail can be sent."""
    club = club_for_director(request, pk)
    if request.method == "GET":  # the address of a refused form, opened again
        return redirect("members", pk=club.pk)
    form = InvitationForm(club, request.POST)
    if not form.is_valid():
        return _render_members(request, club, form=form)
    email = form.cleaned_data["email"]
    if INVITATIONS.count(str(request.user.pk)) or (settings.HAS_MAIL and MAILS.count(email)):
        form.add_error("email", _("You have sent many invitations. Wait an hour."))
        return _render_members(request, club, form=form)
    try:
        invitation, key = members.invite_address(
            club, email=email, roles=form.roles, by=request.user
        )
    except members.InvitedMeanwhile as meanwhile:
        form.add_error("email", _("%(who)s has just invited this address.") % {"who": meanwhile.by})
        return _render_members(request, club, form=form)
    store_security_event(
        club, EventKind.INVITED, by=request.user, about=email, roles=invitation.roles
    )
    link = phone_base(request) + resolve_url("invitation", key=key)
    if not settings.HAS_MAIL:
        return _render_members(request, club, link=link, invited=invitation)
    about = {"invitation": invitation, "link": link}
    send_mail_or_raise(
        EmailMessage(
            settings.ACCOUNT_EMAIL_SUBJECT_PREFIX
            + _("Invitation to %(club)s") % {"club": " ".join(club.name.split())},
            render_to_string("clubs/invitation.txt", about),
            to=[email],
        )
    )
    messages.success(request, _("The invitation is on its way to %(email)s.") % {"email": email})
    return redirect("members", pk=club.pk)


@never_cache
@require_POST
def invite_on_paper(request: UserRequest, pk: int) -> HttpResponse:
    """Create an invitation with a code to print, and show the sheet with it; the code cannot be shown again."""
    club = club_for_director(request, pk)
    form = RolesForm(request.POST)
    if not form.is_valid() or INVITATIONS.count(str(request.user.pk)):
        messages.warning(request, _("You have sent many invitations. Wait an hour."))
        return redirect("members", pk=club.pk)
    invitation, code = members.invite_on_paper(club, roles=form.roles, by=request.user)
    store_security_event(
        club, EventKind.INVITED, by=request.user, about=_("code on paper"), roles=invitation.roles
    )
    context = {
        "club": club,
        "tab": "club",
        "invitation": invitation,
        "code": members.spaced_code(code),
        "where": phone_base(request) + resolve_url("join"),
    }
    return render(request, "clubs/paper_invitation.html", context)


@require_POST
def withdraw_invitation(request: HttpRequest, pk: int, invitation: int) -> HttpResponse:
    """Withdraw an open invitation to a club."""
    club = club_for_director(request, pk)
    get_object_or_404(Invitation, pk=invitation, club=club).delete()
    messages.success(request, _("The invitation has ended."))
    return redirect("members", pk=club.pk)


@require_POST
def member_role(request: UserRequest, pk: int, member: int) -> HttpResponse:
    """Store the ticked roles of a member, and connect the account with the named player of the roster."""
    club = club_for_director(request, pk)
    membership = get_object_or_404(Membership.objects.select_related("user"), pk=member, club=club)
    membership.club = club
    form = MemberForm(membership, request.POST)
    if not form.is_valid():
        return _render_members(request, club, changed_form=form)
    about = membership.user.email
    try:
        if members.set_roles(membership, form.roles):
            membership.set_roles(form.roles)
            roles = membership.roles
            store_security_event(club, EventKind.ROLE, by=request.user, about=about, roles=roles)
        if "person" in request.POST and members.connect_person(
            membership, form.cleaned_data["person"]
        ):
            store_security_event(club, EventKind.PERSON, by=request.user, about=about)
    except members.LastDirector:
        messages.warning(request, _last_director_text())
    except members.PersonTaken:
        form.add_error("person", _("This player belongs to another account."))
        return _render_members(request, club, changed_form=form)
    except Membership.DoesNotExist:  # removed at this moment
        raise Http404("no such member") from None
    return _show_members_or_account(request, club)


@require_POST
def remove_member(request: UserRequest, pk: int, member: int) -> HttpResponse:
    """Remove a member from a club."""
    club = club_for_director(request, pk)
    membership = get_object_or_404(Membership, pk=member, club=club)
    try:
        members.remove_member(membership)
        store_security_event(club, EventKind.REMOVED, by=request.user, about=membership.user.email)
    except members.LastDirector:
        messages.warning(request, _last_director_text())
    except Membership.DoesNotExist:
        raise Http404("no such member") from None
    return _show_members_or_account(request, club)


@login_required
@require_POST
def leave_club(request: UserRequest, pk: int) -> HttpResponse:
    """End the user's own membership of a club."""
    membership = get_object_or_404(Membership, club=pk, user=request.user)
    try:
        members.remove_member(membership)
        store_security_event(
            membership.club, EventKind.REMOVED, by=request.user, about=request.user.email
        )
    except members.LastDirector:
        messages.warning(request, _last_director_text())
    return redirect("account")


@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: UserRequest, key: str) -> HttpResponse:
    """Show an invitation with the key of its link, and accept it with an existing or a new account.

    The account of a trial accepts none, because it is deleted after a day.
    """
    hide_trial_account(request)
    invited = members.invitation_of(key)
    if invited is None:
        return render(request, "clubs/invitation_ended.html", status=404)
    form = PasswordForm(request.POST if "password" in request.POST else None)
    is_signed_in = request.user.is_authenticated
    is_theirs = is_signed_in and request.user.email.lower() == invited.email
    if request.method == "POST" and is_theirs:
        return _accept_invitation(request, invited)
    if request.method == "POST" and not is_signed_in and form.is_valid():
        try:
            user = members.account_of_invitation(invited, form.cleaned_data["password"])
        except members.AccountExists:
            form.add_error("password", _("There is an account with this address. Sign in instead."))
        else:
            login(request, user, PASSWORD_BACKEND)
            answer = _accept_invitation(request, invited)
            user_logged_in.send(user.__class__, request=request, response=answer, user=user)
            return answer
    context = {"invitation": invited, "form": form, "is_theirs": is_theirs, "tab": "club"}
    return render(request, "clubs/invitation.html", context, status=REFUSED if form.errors else 200)


@never_cache
@require_http_methods(["GET", "POST"])
def join_club(request: UserRequest) -> HttpResponse:
    """Accept an invitation by its code on paper, with an existing or, where no mail can be sent, a new account.

    The account of a trial accepts none, because it is deleted after a day.
    """
    hide_trial_account(request)
    is_signed_in = request.user.is_authenticated
    takes_account = not is_signed_in and not settings.HAS_MAIL
    form_class = CodeAndAccountForm if takes_account else InvitationCodeForm
    form = form_class(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and (is_signed_in or takes_account):
        if any(limit.is_reached(network) for limit, network in CODES.limits_of_network(request)):
            form.add_error("code", _("Too many tries. Wait an hour."))
        elif found := members.invitation_on_paper(form.cleaned_data["code"]):
            if answer := _join_with_code(request, found, form):
                return answer
        else:
            count_all(CODES.limits_of_network(request))
            form.add_error("code", _("This code is wrong, used or too old."))
    context = {"form": form, "takes_account": takes_account, "tab": "club"}
    return render(request, "clubs/join.html", context, status=REFUSED if form.errors else 200)


def _join_with_code(
    request: UserRequest, invitation: Invitation, form: InvitationCodeForm
) -> HttpResponse | None:
    """Accept the invitation with a code on paper; return None if the account form has an error."""
    if request.user.is_authenticated:
        return _accept_invitation(request, invitation)
    password = form.cleaned_data["password"]
    try:
        user = members.account_with_code(invitation, form.cleaned_data["email"], password)
    except members.AccountExists:
        form.add_error("email", _("There is an account with this address. Sign in instead."))
        return None
    login(request, user, PASSWORD_BACKEND)
    answer = _accept_invitation(request, invitation)
    user_logged_in.send(user.__class__, request=request, response=answer, user=user)
    return answer


def _accept_invitation(request: UserRequest, invitation: Invitation) -> HttpResponse:
    """Make the user a member of the inviting club, and redirect to the home page."""
    membership = members.accept_invitation(invitation, request.user)
    if membership is None:
        raise Http404("used meanwhile")
    store_security_event(invitation.club, EventKind.JOINED, by=request.user, roles=invitation.roles)
    messages.success(request, _("You belong to %(club)s now.") % {"club": invitation.club.name})
    return redirect("home")


def _show_members_or_account(request: HttpRequest, club: Club) -> HttpResponse:
    """Redirect to the page of members, or to the account page if the user no longer directs the club."""
    if request.user.has_perm("clubs.direct", club):
        return redirect("members", pk=club.pk)
    return redirect("account")


def _last_director_text() -> str:
    """Return the sentence that refuses to remove a club's only director."""
    return _("The club needs a director. Let somebody else direct first.")


def _render_members(
    request: HttpRequest,
    club: Club,
    *,
    form: InvitationForm | None = None,
    link: str = "",
    invited: Invitation | None = None,
    changed_form: MemberForm | None = None,
) -> HttpResponse:
    """Render the page of members with a form for each; `changed_form` is the form with errors, if any.

    `?open=log` adds the events that affect access, latest first, for as long as they are stored.
    """
    listed = club.memberships.select_related("user", "person").order_by(
        *(f"-{field}" for field in RoleHolder.ROLE_FIELDS.values()), "user__email"
    )
    context = {
        "club": club,
        "tab": "club",
        "group": "people",
        "members": [
            (member, changed_form)
            if changed_form and changed_form.instance.pk == member.pk
            else (member, MemberForm(member))
            for member in listed
        ],
        "invitations": club.invitations.filter(until__gt=timezone.now()).order_by("email"),
        "form": form or InvitationForm(club),
        "paper_form": RolesForm(auto_id="id_paper_%s"),
        "names": club.known_people.values_list("name", flat=True),
        "link": link,
        "invited": invited,
    }
    if request.GET.get("open") == "log":
        context["has_log"] = True  # a page without events is false
        events = club.security_events.select_related("by")
        context["log"] = Paginator(events, EVENTS_ON_A_PAGE).get_page(request.GET.get("page"))
        context["days"] = KEPT.days
    is_refused = changed_form or (form and form.errors)
    return render(request, "clubs/members.html", context, status=REFUSED if is_refused else 200)
