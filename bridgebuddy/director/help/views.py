"""Views of the help: topics, search, long pages and cards to print."""

from __future__ import annotations

import logging

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.sessions.home import chosen_club, directed_clubs
from bridgebuddy.events.queries.sessions.club_sessions import current_sessions

from .books import (
    CARD,
    LONG,
    HelpAnswer,
    frequent_answers,
    help_topics,
    long_page,
    similarly_spelt_help_words,
    topic_of,
)
from .books import search_help as found_by
from .topics import PAGES

log = logging.getLogger(__name__)
LONGEST_SEARCH = 60
#: pages that belong to no club and no session
OF_NOBODY = {"home", "new-session", "library"}
OF_A_CLUB = {"players", "season", "settings", "roles"}
OF_AN_ADDRESS = {"published", "own-page", "table", "member"}  # pages with a secret address


@require_safe
def show_topic(request: HttpRequest, name: str) -> HttpResponse:
    """Show the help topic of a page; a script shows it next to that page."""
    help_topic = topic_of(name)
    if help_topic is None:
        raise Http404("no such page of help")
    context = {"topic": help_topic, "is_card": name == CARD, "tab": "help"}
    return render(request, "director/help/topic.html", context)


@require_safe
def search(request: UserRequest) -> HttpResponse:
    """Show the answers to a search in the help; without text, all topics."""
    typed = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST_SEARCH]
    answers = [(answer, _address_of_topic(request, answer)) for answer in found_by(typed)]
    if typed and not answers:
        # words that the help should know; nothing says whose they were
        log.info("help has no answer: %r (%s)", typed, get_language())
    context = {
        "tab": "help",
        "typed": typed,
        "found": answers,
        "near": similarly_spelt_help_words(typed) if typed and not answers else [],
        "frequent": frequent_answers() if not answers else [],
        "topics": [topic for name, topic in help_topics().items() if name != CARD],
        "long": [(name, long_page(name)[0]) for name in LONG],
    }
    return render(request, "director/help/search.html", context)


@require_safe
def show_document(request: HttpRequest, name: str) -> HttpResponse:
    """Show a long page of the documentation (docs/)."""
    if name not in LONG:
        raise Http404("no such page")
    title, html = long_page(name)
    return render(request, "director/help/read.html", {"title": title, "html": html, "tab": "help"})


@require_safe
def print_topic(request: HttpRequest, name: str) -> HttpResponse:
    """Redirect the former address of a printable help topic to the topic."""
    if topic_of(name) is None:
        raise Http404("no such card")
    return redirect("help-topic", name=name)


def _address_of_topic(request: UserRequest, answer: HelpAnswer) -> str:
    """Return the address of the reader's page that an answer is about; empty if there is none."""
    if answer.topic not in PAGES.keys() - OF_AN_ADDRESS or not request.user.is_authenticated:
        return ""
    page = PAGES[answer.topic][0]
    if answer.topic in OF_NOBODY:
        return reverse(page)
    clubs = directed_clubs(request.user)
    if not clubs:
        return ""
    club = chosen_club(request, clubs)
    if answer.topic in OF_A_CLUB:
        return "" if club.is_shown_to_helper else reverse(page, args=[club.pk])
    if answer.topic == "change" or not (tonight := current_sessions(club).tonight):
        return ""
    section = tonight[0].running_section or tonight[0].main_section
    if section.movement_id is None and answer.topic != "entries":
        return reverse("choose-movement", args=[section.code])
    return reverse(page, args=[section.code])
