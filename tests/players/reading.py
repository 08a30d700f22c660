"""Reading pages as people do."""

from __future__ import annotations

import html
import re

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from bridgebuddy.events.models import Section

HTMX = {"HX-Request": "true"}


def words(response: HttpResponse) -> str:
    """Return the words of a page, without its markup."""
    text = re.sub(r"<head>.*?</head>", " ", response.content.decode(), flags=re.DOTALL)
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", text).split())).replace(" .", ".")


def player(client: Client, section: Section, label: str, **query: object) -> HttpResponse:
    """Open a contestant's page."""
    return client.get(reverse("player", args=[section.code, label]), query)


def lookup(client: Client, section: Section, **query: object) -> HttpResponse:
    """Open the list of pairs."""
    return client.get(reverse("lookup", args=[section.code]), query)


def room(client: Client, section: Section, **query: object) -> HttpResponse:
    """Open the room display."""
    return client.get(reverse("room-display", args=[section.code]), query)
