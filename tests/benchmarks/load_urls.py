"""Every address of BridgeBuddy, and a view that does nothing to compare the others with."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from bridgebuddy.urls import urlpatterns as real


def empty(request: HttpRequest) -> HttpResponse:
    """Answer without looking at anything."""
    return HttpResponse(status=204)


urlpatterns = [path("empty/", empty), *real]
