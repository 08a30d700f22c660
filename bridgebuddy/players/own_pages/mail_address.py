"""The page of an e-mail address: opened from a mail, without signing in."""

from __future__ import annotations

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.club_locale import use_reader_language
from bridgebuddy.publication.mails import mail_changes
from bridgebuddy.publication.models import PlayerPage, ResultsSubscription
from bridgebuddy.publication.own import links
from bridgebuddy.web.http import mark_private


# mail programs unsubscribe by themselves (RFC 8058); the secret address is the permission
@csrf_exempt
@require_http_methods(["GET", "POST"])
def mail_address(request: HttpRequest, secret: str) -> HttpResponse:
    """Confirm an e-mail address by its link, stop all mails to it, or cancel a requested change."""
    by_secret = ResultsSubscription.objects.filter(Q(token=secret) | Q(next_token=secret))
    address = by_secret.select_related("person__club").first()
    if address is None:
        raise Http404("no such address")
    club = address.person.club
    use_reader_language(request, club)
    is_stopped, wish = False, request.POST.get("do")
    own_page = PlayerPage.objects.filter(person=address.person_id).exclude(forget_at=None).first()
    if address.next_token == secret:
        return _next_address(request, address, secret)
    if request.method == "POST" and wish == "keep":
        mail_changes.keep_address(address, by=None)
        if own_page is not None:
            links.cancel_deletion(own_page, by=None)
        return redirect("mail-address", secret=secret)
    if request.method == "POST" and wish == "confirm":
        asked = ResultsSubscription.objects.exclude(confirmed_at__isnull=False, gone_since=None)
        asked.filter(pk=address.pk).update(confirmed_at=timezone.now(), gone_since=None)
        return redirect("mail-address", secret=secret)
    if request.method == "POST":
        address.delete()
        is_stopped = True
    context = {"club": club, "found": address, "is_stopped": is_stopped, "own_page": own_page}
    return mark_private(render(request, "players/mail_address.html", context))


def _next_address(
    request: HttpRequest, subscription: ResultsSubscription, secret: str
) -> HttpResponse:
    """Confirm or refuse the new address that shall replace a player's present one."""
    if request.method == "POST" and request.POST.get("do") == "confirm":
        mail_changes.confirm_next(subscription)
        return redirect("mail-address", secret=secret)
    is_stopped = request.method == "POST"
    if is_stopped:
        mail_changes.cancel_next_address(subscription)
    context = {
        "club": subscription.person.club,
        "found": subscription,
        "is_stopped": is_stopped,
        "is_next": True,
    }
    return mark_private(render(request, "players/mail_address.html", context))
