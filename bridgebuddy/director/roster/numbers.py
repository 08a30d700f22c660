"""Federation numbers from a list: the matches are previewed, then stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.access import club_for_secretary
from bridgebuddy.clubs.models import Club, Person, searchable
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.listing import RosterNames
from bridgebuddy.events.listing.list_syntax import NAME
from bridgebuddy.events.names import MOST_TEXT, decode_file, is_plain_text
from bridgebuddy.events.numbers_list import (
    EMAIL,
    NATIONAL,
    NumberLine,
    lines_of_list,
    read_numbers,
)
from bridgebuddy.publication.imports.list_imports import import_details, revert_list_import
from bridgebuddy.publication.mails.mailing import can_mail
from bridgebuddy.publication.models import ResultsSubscription
from bridgebuddy.web.http import read_number

REFUSED = 422
#: the most lines of a federation's list for a club
MOST_PEOPLE = 1000
MOST_DIGITS = 15


class NumbersForm(forms.Form):
    """The form for a list of federation numbers or other details, pasted or as a file."""

    text = forms.CharField(
        label=_lazy("The list, one person a line"),
        help_text=_lazy(
            "A name is enough: “Hanna Brandt” or “Hanna Brandt; 12345; hanna@example.org”."
        ),
        widget=forms.Textarea(attrs={"rows": 10}),
        required=False,
        max_length=MOST_TEXT,
    )
    file = forms.FileField(label=_lazy("Or a CSV file"), required=False)
    add = forms.BooleanField(label=_lazy("Add missing people to the roster"), required=False)
    ask = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        """Return the pasted or uploaded list; refuse an empty one, one too long, or a file without text."""
        cleaned = super().clean() or {}
        file = cleaned.get("file")
        if file and file.size > MOST_TEXT:
            raise forms.ValidationError(_("This file is too big for a list of names."))
        text = decode_file(file.read()) if file else cleaned.get("text", "")
        if not is_plain_text(text):
            raise forms.ValidationError(
                _("This is no text. Save the list as CSV in your spreadsheet, then choose that.")
            )
        if not text.strip():
            raise forms.ValidationError(_("Type or paste at least one line."))
        if len(text.splitlines()) > MOST_PEOPLE:
            raise forms.ValidationError(_("At most 1000 lines can be taken at once."))
        if not read_numbers(text, RosterNames()):
            raise forms.ValidationError(_("The list is empty below its heading."))
        cleaned["text"] = text
        return cleaned


@dataclass(frozen=True)
class NumberRow:
    """A row of a pasted list of players' numbers: its data, the player it matches, and a question, if any."""

    line: NumberLine
    person: Person | None = None
    said: str = ""

    @property
    def is_clear(self) -> bool:
        """Return whether the row can be stored without a question."""
        return not self.said and (bool(self.line.values) or self.person is None)


def matched_rows(club: Club, lines: Sequence[NumberLine]) -> list[NumberRow]:
    """Return each row of a pasted list with the matching player of the roster, and a question if it is unclear.

    A number of another person is a doubt, and so is a second number for one person. Existing
    numbers are never overwritten. Two lines of one name may be two people: only the first is clear.
    """
    people = list(club.known_people)
    by_name = {person.search: person for person in people}
    by_number = {person.national_number: person for person in people if person.national_number}
    seen: dict[str, str] = {}
    taken_names: set[str] = set()
    number_of = {
        person.search: person.national_number for person in people if person.national_number
    }
    emails = dict(
        ResultsSubscription.objects.filter(person__club=club).values_list("person__search", "email")
    )
    rows = []
    for line in lines:
        name = searchable(line.name)
        person = by_name.get(name)
        number = line.values.get(NATIONAL, "")
        has = by_number.get(number) if number else None
        remark = ""
        if line.wrong:
            remark = _problem_of_line(line)
        elif not line.values and not line.is_plain_name:
            remark = _("No first name and surname alone, and no number that can be read.")
        elif has and has != person:
            remark = _("%(name)s has this number.") % {"name": has.name}
        elif number and seen.setdefault(number, name) != name:
            remark = _("This number is here twice.")
        elif number and number_of.setdefault(name, number) != number:
            remark = _("This person has another number: %(number)s.") % {"number": number_of[name]}
        elif (email := line.values.get(EMAIL)) and _has_other_email(email, emails, name):
            remark = _("This person has another e-mail address: %(email)s.") % {
                "email": emails[name]
            }
        elif name in taken_names:
            remark = _("This name is here twice.")
        else:
            taken_names.add(name)
        rows.append(NumberRow(line, person, remark))
    return rows


def _problem_of_line(line: NumberLine) -> str:
    """Return the sentence on the value of a line that cannot be stored."""
    if line.wrong_kind == NAME:
        return _("No name that can be read.")
    if line.wrong_kind == EMAIL:
        return _("This e-mail address cannot be read: %(text)s.") % {"text": line.wrong}
    return _("This number cannot be read: %(text)s.") % {"text": line.wrong}


def _has_other_email(email: str, emails: dict[str, str], name: str) -> bool:
    """Return whether the person has another e-mail address already, on the roster or in an earlier row."""
    return emails.setdefault(name, email).casefold() != email.casefold()


@require_http_methods(["GET", "POST"])
def player_numbers(request: UserRequest, pk: int) -> HttpResponse:
    """Preview a pasted list of numbers, store it, and undo earlier imports."""
    club = club_for_secretary(request, pk)
    if "undo" in request.POST:
        return _undo_import(request, club)
    is_post = request.method == "POST"
    form = NumbersForm(request.POST, request.FILES) if is_post else NumbersForm()
    context: dict[str, Any] = {"club": club, "tab": "players", "form": form}
    if is_post and form.is_valid() and "edit" in request.POST:
        context["form"] = NumbersForm(initial=form.cleaned_data)
    elif is_post and form.is_valid():
        roster = RosterNames([person.name for person in club.known_people])
        rows = matched_rows(club, read_numbers(form.cleaned_data["text"], roster))
        if "take" in request.POST:
            _store_numbers(request, club, rows, form.cleaned_data)
            refused = [row.line.number for row in rows if row.said]
            if not form.cleaned_data["add"]:
                refused += _unadded_lines(request, rows)
            if not refused:
                return redirect("players", pk=club.pk)
            text = lines_of_list(form.cleaned_data["text"], refused)
            context |= {"form": NumbersForm(initial={"text": text}), "refused": len(refused)}
            return render(request, "director/player_numbers.html", context)
        context |= {
            "rows": rows,
            "text": form.cleaned_data["text"],
            "clear": len({row.person.pk for row in rows if row.is_clear and row.person}),
            "emails": sum(EMAIL in row.line.values for row in rows if row.is_clear),
            "can_mail": can_mail(),
            "new": len(
                {searchable(row.line.name) for row in rows if row.is_clear and not row.person}
            ),
        }
    status = REFUSED if is_post and form.errors else 200
    return render(request, "director/player_numbers.html", context, status=status)


def _store_numbers(
    request: UserRequest, club: Club, rows: Sequence[NumberRow], wishes: Mapping[str, Any]
) -> None:
    """Store the numbers of the clear rows, and add missing people if wished."""
    count = import_details(
        club,
        {row.person.pk: row.line.values for row in rows if row.is_clear and row.person},
        {
            row.line.name: row.line.values
            for row in rows
            if wishes["add"] and row.is_clear and row.person is None
        },
        asks=wishes["ask"],
        by=request.user,
    )
    messages.success(
        request,
        ngettext(
            "Details of %(count)s player were saved.",
            "Details of %(count)s players were saved.",
            count,
        )
        % {"count": count},
    )


def _unadded_lines(request: UserRequest, rows: Sequence[NumberRow]) -> list[int]:
    """Return the numbers of the lines of new people, who were not added, with a message that says so."""
    lines = [row.line.number for row in rows if row.is_clear and row.person is None]
    if lines:
        text = ngettext(
            "%(count)s person was not added to the roster.",
            "%(count)s people were not added to the roster.",
            len(lines),
        )
        messages.info(request, text % {"count": len(lines)})
    return lines


def _undo_import(request: UserRequest, club: Club) -> HttpResponse:
    """Undo an import of a list, with a message about people who were changed since."""
    key = read_number(request.POST["undo"], MOST_DIGITS)
    reverted = revert_list_import(club, key, by=request.user) if key is not None else None
    if reverted is None:
        messages.info(request, _("This import was undone before, or is more than a day old."))
        return redirect("players", pk=club.pk)
    text = ngettext(
        "The import of %(count)s player was undone.",
        "The import of %(count)s players was undone.",
        reverted.people,
    )
    messages.success(request, text % {"count": reverted.people})
    if reverted.changed_since:
        text = ngettext(
            "Details of %(count)s player were changed or confirmed since, and stay.",
            "Details of %(count)s players were changed or confirmed since, and stay.",
            reverted.changed_since,
        )
        messages.info(request, text % {"count": reverted.changed_since})
    return redirect("players", pk=club.pk)
