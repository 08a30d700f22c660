"""Deleting and restoring sessions."""

from __future__ import annotations

import secrets

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.rules import DIRECT
from bridgebuddy.events.access import (
    deleted_section_for_director,
    one_snapshot,
    section_for_director,
)
from bridgebuddy.events.errors import ChangeRefused, NameRequired
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.lifecycle.deletions import delete_session, restore_session
from bridgebuddy.money.queries.sessions import paid_people_count
from bridgebuddy.money.services.payments import refund_session
from bridgebuddy.web.folds import redirect_with_part_open

from ..refusals import change_refused
from .home import home_address
from .views import session_page


@require_http_methods(["GET", "POST"])
def delete(request: UserRequest, code: str) -> HttpResponse:
    """Delete a session; one that has been played only if its name is typed.

    Helpers may end rehearsals, but not delete sessions. If people have paid, the director decides
    whether the payments stay or go back to the accounts.
    """
    section = _section_to_delete(request, code)
    if request.method == "GET":
        return redirect_with_part_open("delete", "edit-session", section.code)
    decided = request.POST.get("money", "")
    typed = {"typed": request.POST.get("name", ""), "decided": decided}
    if paid_people_count(section.session) and decided not in ("keep", "refund"):
        undecided = _("Decide what happens to the payments.")
        return _refusal_page(request, code, {**typed, "undecided": undecided})
    try:
        with transaction.atomic():
            delete_session(section, name=typed["typed"], by=request.user)
            if decided == "refund":
                refund_session(section.session, key=secrets.token_urlsafe(12), by=request.user)
    except NameRequired as refused:
        error = change_refused(refused) if "name" in request.POST else ""
        return _refusal_page(request, code, {**typed, "error": error})
    return redirect(home_address(section.club))


def _section_to_delete(request: UserRequest, code: str) -> Section:
    """Return the section of a session to delete; only directors may delete what is no rehearsal."""
    section = section_for_director(request, code)
    if section.session.is_rehearsal:
        return section
    return section_for_director(request, code, may=DIRECT)


def _refusal_page(request: UserRequest, code: str, deletion_errors: dict[str, str]) -> HttpResponse:
    """Show the session's page again with the reason why it was not deleted."""
    with one_snapshot(request):
        return session_page(
            request, _section_to_delete(request, code), deletion_errors=deletion_errors
        )


@require_POST
def undelete(request: UserRequest, code: str) -> HttpResponse:
    """Restore a deleted session."""
    section = deleted_section_for_director(request, code, may=DIRECT)
    try:
        restore_session(section, by=request.user)
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
    return redirect(home_address(section.club))
