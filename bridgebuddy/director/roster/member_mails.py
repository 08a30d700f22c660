"""Mails to members: written, looked at with the list of addressees, and sent."""

from __future__ import annotations

import secrets
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_http_methods, require_safe

from bridgebuddy.clubs.access import club_for_secretary
from bridgebuddy.clubs.models import Club
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.models import Session
from bridgebuddy.publication.mails import member_mails
from bridgebuddy.publication.mails.mailing import can_mail
from bridgebuddy.publication.mails.member_mails import Addressees, MailDraft
from bridgebuddy.publication.models import MemberMail
from bridgebuddy.web.folds import redirect_with_part_open
from bridgebuddy.web.http import MOST_DIGITS_OF_A_KEY, read_number
from bridgebuddy.web.template_tags import long_date

REFUSED = 422
#: the mails that are listed
MOST_LISTED = 30
SESSION = f"{MemberMail.Audience.SESSION}-"


class MemberMailForm(forms.Form):
    """The form for a mail to a group of members."""

    audience = forms.ChoiceField(label=_lazy("Addressees"))
    subject = forms.CharField(label=_lazy("Subject"), max_length=MemberMail.LONGEST_SUBJECT)
    text = forms.CharField(
        label=_lazy("Text"),
        max_length=MemberMail.LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 10}),
    )
    once = forms.CharField(widget=forms.HiddenInput, max_length=64)

    def __init__(self, club: Club, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.club = club
        self.sessions = {
            f"{SESSION}{session.pk}": session for session in member_mails.sessions_to_write_to(club)
        }
        of_sessions = [
            (key, _("Registered: %(event)s, %(day)s") % _session_facts(session))
            for key, session in self.sessions.items()
        ]
        groups = [MemberMail.Audience.ALL, MemberMail.Audience.ABSENT]
        field = self.fields["audience"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [*((group.value, group.label) for group in groups), *of_sessions]

    @property
    def addressees(self) -> Addressees:
        """Return the recipients that a valid form chooses."""
        chosen: str = self.cleaned_data["audience"]
        session = self.sessions.get(chosen)
        audience = MemberMail.Audience.SESSION if session else chosen
        return Addressees(self.club, audience, session)


def _session_facts(session: Session) -> dict[str, str]:
    """Return name and date of a session for the text of a mail."""
    return {"event": session.event.name, "day": long_date(session.date)}


def _mails_of(club: Club) -> QuerySet[MemberMail]:
    """Return a club's mails to members, newest first."""
    return MemberMail.objects.filter(club=club).select_related("session__event", "by")


@require_safe
def list_mails(request: UserRequest, pk: int) -> HttpResponse:
    """Show a club's mails to members.

    `?open=write` asks for another, `?open=mail&mail=7` shows one with the addresses that did not take it.
    """
    club = club_for_secretary(request, pk)
    context: dict[str, Any] = {}
    match request.GET.get("open"):
        case "write" if can_mail():
            context["form"] = MemberMailForm(club, initial={"once": secrets.token_urlsafe(16)})
        case "mail":
            number = read_number(request.GET.get("mail"), MOST_DIGITS_OF_A_KEY)
            context |= _delivery_of(get_object_or_404(_mails_of(club), pk=number))
    return _mails_page(request, club, **context)


def _mails_page(request: UserRequest, club: Club, status: int = 200, **opened: Any) -> HttpResponse:
    """Render the page of a club's mails to members."""
    context = {"club": club, "mails": _mails_of(club)[:MOST_LISTED], "can_mail": can_mail()}
    return render(request, "director/member_mails/list.html", context | opened, status=status)


def _delivery_of(mail: MemberMail) -> dict[str, Any]:
    """Return the template context of one mail with its numbers of deliveries and its problems."""
    states = member_mails.State
    problems = mail.deliveries.filter(state__in=(states.REFUSED, states.BACK))
    return {
        "shown": mail,
        "counts": member_mails.delivery_counts(mail),
        "problems": problems.select_related("address__person"),
    }


@require_http_methods(["GET", "POST"])
def write_mail(request: UserRequest, pk: int) -> HttpResponse:
    """Preview a mail to members with its recipients, and send it."""
    club = club_for_secretary(request, pk)
    if request.method != "POST" or not can_mail():
        return redirect_with_part_open("write", "member-mails", club.pk)
    form = MemberMailForm(club, request.POST)
    if not form.is_valid():
        return _mails_page(request, club, REFUSED, form=form)
    addressees = form.addressees
    if request.POST.get("do") == "edit":
        return _mails_page(request, club, form=form)
    if request.POST.get("do") == "send":
        draft = MailDraft(
            form.cleaned_data["subject"],
            form.cleaned_data["text"],
            request.user.email,
            form.cleaned_data["once"],
        )
        try:
            mail = member_mails.send_to_members(addressees, draft, by=request.user)
        except (member_mails.NoAddressees, member_mails.TooManyMails):
            pass  # the preview below says why
        else:
            if mail.once == draft.once:
                messages.success(request, _("The mail is being sent."))
            else:
                messages.warning(
                    request,
                    _("The same mail was sent at %(time)s already. It is not sent again.")
                    % {"time": timezone.localtime(mail.at).strftime("%H:%M")},
                )
            return redirect_with_part_open("mail", "member-mails", club.pk, mail=mail.pk)
    is_too_much = member_mails.exceeds_limits(club, addressees.count)
    preview = {
        "addressees": addressees,
        "draft": form.cleaned_data,
        "reply_to": request.user.email,
        "group": dict(form.fields["audience"].choices)[form.cleaned_data["audience"]],  # type: ignore[attr-defined]
        "is_too_much": is_too_much,
        "most_mails": member_mails.MOST_MAILS,
        "most_addresses": member_mails.MOST_ADDRESSES,
    }
    is_refused = is_too_much or not addressees.addresses
    status = REFUSED if is_refused else 200
    return _mails_page(request, club, status, form=form, has_preview=True, **preview)


@require_safe
def redirect_to_mail(request: UserRequest, pk: int, mail: int) -> HttpResponse:
    """Redirect the former address of a mail to members to the list."""
    club = club_for_secretary(request, pk)
    stored = get_object_or_404(_mails_of(club), pk=mail)
    return redirect_with_part_open("mail", "member-mails", club.pk, mail=stored.pk)
