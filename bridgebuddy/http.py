"""A request as it reaches a view, with what the middleware has put into it; an answer that is one phone's own."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.cache import patch_cache_control

from movements.http import HtmxRequest

__all__ = ["HtmxRequest", "private"]


def private(response: HttpResponse) -> HttpResponse:
    """Let only the phone itself keep an answer, and ask before it shows it again."""
    patch_cache_control(response, private=True, no_cache=True)
    return response
