"""A request as it reaches a view, with what the middleware has put into it."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """Anybody's request; whether htmx asks, and for which part of the page, is known."""

    htmx: HtmxDetails
