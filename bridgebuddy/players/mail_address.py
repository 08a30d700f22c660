"""Where somebody says whether their results come by e-mail: opened from a mail, without signing in."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.ways import speak_as
from bridgebuddy.http import private
from bridgebuddy.publication.models import MailAddress


@csrf_exempt  # a mail program stops mails by itself (RFC 8058); who has the address may
@require_http_methods(["GET", "POST"])
def mail_address(request: HttpRequest, secret: str) -> HttpResponse:
    """Confirm an address, or stop all mails to it with one press."""
    found = MailAddress.objects.filter(token=secret).select_related("person__club").first()
    if found is None:
        raise Http404("no such address")
    club = found.person.club
    speak_as(request, club)
    is_stopped = False
    if request.method == "POST" and request.POST.get("do") == "confirm":
        asked = MailAddress.objects.exclude(confirmed_at__isnull=False, gone_since=None)
        asked.filter(pk=found.pk).update(confirmed_at=timezone.now(), gone_since=None)
        return redirect("mail-address", secret=secret)
    if request.method == "POST":
        found.delete()
        is_stopped = True
    context = {"club": club, "found": found, "is_stopped": is_stopped}
    return private(render(request, "players/mail_address.html", context))
