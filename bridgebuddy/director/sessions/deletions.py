"""Deleting and restoring sessions."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.rules import DIRECT
from bridgebuddy.events.access import deleted_section_for_director, section_for_director
from bridgebuddy.events.errors import ChangeRefused, NameRequired
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.deletions import delete_session, restore_session
from bridgebuddy.money.queries.sessions import paid_for
from bridgebuddy.money.services.payments import refund_session
from bridgebuddy.seasons.queries.ledger import is_reported
from bridgebuddy.web.folds import lead_to_fold

from ..refusals import change_refused
from .home import home_of


@require_http_methods(["GET", "POST"])
def delete(request: UserRequest, code: str) -> HttpResponse:
    """Delete a session from its page; one that has been played only if its name is typed.

    Helpers may end rehearsals, but not delete sessions. If people have paid, the director decides
    whether the payments stay or go back to the accounts.
    """
    section = section_for_director(request, code)
    if not section.session.is_rehearsal:
        section = section_for_director(request, code, may=DIRECT)
    typed = request.POST.get("name", "")
    if request.method == "GET":
        return lead_to_fold("delete", "edit-session", section.code)
    context = {"tab": "home", "club": section.club, "source": section, "typed": typed}
    context |= deletion_context(section)
    context["decided"] = request.POST.get("money", "")
    if context["paid"] and context["decided"] not in ("keep", "refund"):
        context["undecided"] = _("Decide what happens to the payments.")
        return render(request, "director/delete_session.html", context, status=422)
    try:
        with transaction.atomic():
            delete_session(section, name=typed, by=request.user)
            if context["decided"] == "refund":
                refund_session(section.session, key=secrets.token_urlsafe(12), by=request.user)
    except NameRequired as refused:
        if "name" in request.POST:
            context["error"] = change_refused(refused)
        return render(request, "director/delete_session.html", context, status=422)
    return redirect(home_of(section.club))


def deletion_context(section: Section) -> dict[str, Any]:
    """Return what the form that deletes a played session has to say."""
    return {"is_reported": is_reported(section.session), "paid": paid_for(section.session)}


@require_POST
def undelete(request: UserRequest, code: str) -> HttpResponse:
    """Restore a deleted session."""
    section = deleted_section_for_director(request, code, may=DIRECT)
    try:
        restore_session(section, by=request.user)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    return redirect(home_of(section.club))
