"""The page on which a member unsubscribes from the club's mails to members, without signing in."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.club_locale import use_reader_language
from bridgebuddy.publication.mails.member_mails import find_signed_address, unsubscribe
from bridgebuddy.web.http import mark_private


# mail programs unsubscribe by themselves (RFC 8058); the signed address is the permission
@csrf_exempt
@require_http_methods(["GET", "POST"])
def member_mails_off(request: HttpRequest, signed: str) -> HttpResponse:
    """Unsubscribe an e-mail address from mails to members, or subscribe it again, by a signed link."""
    address = find_signed_address(signed)
    if address is None:
        raise Http404("no such address")
    use_reader_language(request, address.person.club)
    if request.method == "POST":
        unsubscribe(address, is_off=request.POST.get("do") != "again")
        return redirect("member-mails-off", signed=signed)
    context = {"club": address.person.club, "address": address}
    return mark_private(render(request, "players/member_mails_off.html", context))
