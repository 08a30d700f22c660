"""Types of requests with the attributes that middleware adds."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request with the attribute that django-htmx adds."""

    htmx: HtmxDetails
