"""Submissions sent by script, which may have waited on the phone.

Only our own answer confirms a submission.

The answer contains the key that the phone gave the submission. A sign-in page of a Wi-Fi or a
proxy's error page has no key, so nothing is lost by mistake.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.locking import lock_section

from .models import KEY_LENGTH, PhoneSubmission

#: other sites cannot send this header without a CORS request, so it replaces the form's token
HEADER = "X-Letter"
TOO_EARLY = 425
DONE = "done"  # the stored outcome of a submission without another one


def submission_key(request: HttpRequest) -> str:
    """Return the key under which a phone's script submits a form; empty for a plain form."""
    return request.headers.get(HEADER, "")[:KEY_LENGTH]


def submission_answer(key: str, response: HttpResponse, words: str) -> HttpResponse:
    """Return the JSON answer to a form that a phone's script submitted: the next address, or the refusal."""
    if "Location" in response.headers:
        return JsonResponse({"letter": key, "to": response.headers["Location"]})
    return JsonResponse({"letter": key, "words": words}, status=response.status_code)


@transaction.atomic
def run_once(section: Section, key: str, change: Callable[[], object]) -> None:
    """Run `change` of a submitted form unless its key was stored before."""
    if not key:
        change()
        return
    section = lock_section(section)
    if PhoneSubmission.objects.filter(section=section, key=key).exists():
        return
    change()
    PhoneSubmission.objects.create(section=section, key=key, came=DONE)
