"""Letters: what a phone sends by script, which may have waited there. Only our own answer says that one has come.

The answer carries the key that the phone gave the letter: the page of a Wi-Fi that wants a sign-in, or of a proxy in
trouble, has none, so no letter is thought to have come that has not.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.locking import lock

from .models import KEY_LENGTH, Sent

#: no other site's page can send it without asking us first, so that it is as good as a form's token
HEADER = "X-Letter"
TOO_EARLY = 425
DONE = "done"  # what came of one of which nothing else is to be said


def key_of(request: HttpRequest) -> str:
    """What the phone calls the letter; nothing where a form comes by itself."""
    return request.headers.get(HEADER, "")[:KEY_LENGTH]


def answer_to(key: str, response: HttpResponse, words: str) -> HttpResponse:
    """Say what came of a letter: where its page goes on, or why it cannot be taken."""
    if "Location" in response.headers:
        return JsonResponse({"letter": key, "to": response.headers["Location"]})
    return JsonResponse({"letter": key, "words": words}, status=response.status_code)


@transaction.atomic
def once(section: Section, key: str, does: Callable[[], object]) -> None:
    """Do what a letter says, if it has not been done; without a key it is no letter."""
    if not key:
        does()
        return
    section = lock(section)
    if Sent.objects.filter(section=section, key=key).exists():
        return
    does()
    Sent.objects.create(section=section, key=key, came=DONE)
