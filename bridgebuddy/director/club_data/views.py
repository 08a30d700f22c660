"""Views of personal data: what the club stores, exports and deletions."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.access import club_for_director, club_for_secretary
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import read_in_one_snapshot
from bridgebuddy.money.queries.personal_data import money_tables
from bridgebuddy.publication.own.personal_data import file_response, tables_of_person
from bridgebuddy.registration.retention import registration_tables
from bridgebuddy.web.folds import redirect_with_part_open

from .tables import tables_of_club

REFUSED = 422


@require_safe
def show_stored_data(request: UserRequest, pk: int) -> HttpResponse:
    """Redirect the former address of the stored data to the privacy settings."""
    return redirect_with_part_open("kept", "club-privacy", club_for_director(request, pk).pk)


@require_safe
def processing_record(request: UserRequest, pk: int) -> HttpResponse:
    """Redirect the former address of the record of processing to the privacy settings."""
    return redirect_with_part_open("record", "club-privacy", club_for_director(request, pk).pk)


@require_safe
@read_in_one_snapshot
def person_data(request: UserRequest, pk: int, person: int, kind: str) -> HttpResponse:
    """Send all data of a person as JSON or CSV."""
    club = club_for_secretary(request, pk)
    player = get_object_or_404(club.known_people, pk=person)
    tables = tables_of_person(player) | registration_tables(player) | money_tables(player)
    return file_response("person", player.name, tables, kind)


@require_safe
@read_in_one_snapshot
def club_data(request: UserRequest, pk: int, kind: str) -> HttpResponse:
    """Send all data of a club as JSON or CSV."""
    club = club_for_director(request, pk)
    return file_response("club", club.name, tables_of_club(club), kind)
