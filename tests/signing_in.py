"""Answers to a user who is not signed in."""

from urllib.parse import parse_qs, urlsplit

from django.http import HttpResponse
from django.urls import reverse


def asks_to_sign_in(answer: HttpResponse) -> bool:
    """Return whether an answer is a redirection to the sign-in page."""
    return urlsplit(_address(answer)).path == reverse("account_login") and not answer.content


def way_back(answer: HttpResponse) -> list[str]:
    """Return the address after a sign-in."""
    assert asks_to_sign_in(answer)
    return parse_qs(urlsplit(_address(answer)).query)["next"]


def _address(answer: HttpResponse) -> str:
    return answer.headers.get("HX-Redirect") or answer.headers.get("Location") or ""
