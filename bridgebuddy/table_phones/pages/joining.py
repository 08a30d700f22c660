"""Giving a phone access to its table, and the players' chairs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from .. import submissions
from ..access import (
    LET_IN,
    ask_for_digits,
    ask_to_wait,
    count_wrong_digits,
    may_try_digits,
    page_open_to_all_phones,
    table_form,
)
from ..place import TablePlace
from ..queries.at_table import OF_TABLE
from ..secrets import are_table_digits, is_table_secret, secret_of
from ..services import phone_holders
from ..services import seats as swapping
from .context import redirect_to_table


@require_safe
@page_open_to_all_phones
def join(request: HttpRequest, place: TablePlace, key: str) -> HttpResponse:
    """Give a phone access to a table after it has scanned the table's QR code."""
    if not place.phones.need_secret or is_table_secret(
        key, place.section, place.table, place.phones
    ):
        return _admit_phone(request, place)
    if not may_try_digits(request, place):
        return ask_to_wait(request, place)
    count_wrong_digits(request, place)
    return ask_for_digits(request, place)


@require_POST
@page_open_to_all_phones
def digits(request: HttpRequest, place: TablePlace) -> HttpResponse:
    """Give a phone access to a table by the table's four digits; wrong tries are counted."""
    if not may_try_digits(request, place):
        return ask_to_wait(request, place)
    typed = "".join(request.POST.get("digits", "").split())
    if are_table_digits(typed, place.section, place.table, place.phones):
        return _admit_phone(request, place)
    count_wrong_digits(request, place)
    return ask_for_digits(request, place, are_wrong=True)


def _admit_phone(request: HttpRequest, place: TablePlace) -> HttpResponse:
    """Store the table's secret in the phone's cookie, and redirect to the table."""
    secret = secret_of(place.section, place.table, place.phones)
    place.phone.store_secret(place.section, place.table, secret)
    if place.entry_key is None:
        remember_holder(place, request.POST.get("who", ""))
    table = reverse("table", args=[place.section.code, place.table])
    return redirect(f"{table}?{LET_IN}=")


def remember_holder(place: TablePlace, holder_text: str) -> None:
    """Store which contestant the phone belongs to; if it belonged to another, ask the director."""
    there = {str(entry): entry for entry, *_rest in place.people} | {str(OF_TABLE): OF_TABLE}
    if holder_text not in there or (
        holder_text == str(place.entry_key) and place.may_see_all_results
    ):
        return
    section, name, entry = place.section, place.phone.name, there[holder_text]
    if place.may_choose_holder and (place.entry_key is None or place.entry_key != entry):
        sees = phone_holders.store_holder(section, name, place.table, entry or None)
        place.phone.store_holder(section, entry, sees=sees)
    elif entry:
        phone_holders.ask_for_holder(section, name, place.table, entry)
        place.phone.store_waiting_state(section, True)


@table_form
def choose_contestant(request: HttpRequest, place: TablePlace) -> HttpResponse:
    """Store the contestant that the phone's user has chosen."""
    remember_holder(place, request.POST.get("who", ""))
    return redirect_to_table(place)


@table_form
def swap(request: HttpRequest, place: TablePlace) -> HttpResponse:
    """Exchange the seats of the two players of the phone's pair on the table's pages."""
    there = {entry for entry, *_rest in place.people}
    if (contestant := place.entry_key) and contestant in there:
        submissions.run_once(
            place.section,
            submissions.submission_key(request),
            lambda: swapping.swap_chairs(place.section, contestant),
        )
    return redirect_to_table(place)
