"""The report to the federation: missing numbers, the session's data and the file."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.people.federation_numbers import LENGTH
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.roster.forms import checked_number
from bridgebuddy.director.sessions.forms import require_calendar_date
from bridgebuddy.events.access import one_snapshot, section_for_scorer
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.roster import store_people_numbers
from bridgebuddy.publication.bridgewebs import UploadNotSent, can_send, upload_session
from bridgebuddy.publication.models import BridgeWebs, BridgeWebsUpload
from bridgebuddy.scoring.files.exports import players_without_number
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.services.handing_in import store_federation_data

from .context import ResultsPageData

REFUSED = 422
WHEN = "%Y-%m-%dT%H:%M"


class FederationDataForm(forms.Form):
    """The form for the data of a session that a federation asks for in a report."""

    charge_code = forms.CharField(label=_lazy("Charge code"), required=False, max_length=12)
    point_scale = forms.CharField(label=_lazy("Scale of points"), required=False, max_length=40)
    points_awarded = forms.BooleanField(label=_lazy("Points are awarded"), required=False)
    embargo_until = forms.DateTimeField(
        label=_lazy("Published not before (a simultaneous event)"),
        required=False,
        validators=[require_calendar_date],
        input_formats=[WHEN, f"{WHEN}:%S"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=WHEN),
    )

    def __init__(self, scoring: ScoringSettings, data: Any = None) -> None:
        initial = {name: getattr(scoring, name) for name in self.base_fields}
        super().__init__(data, initial=initial)

    def clean_charge_code(self) -> str:
        """Return the federation's charge code in its stored form."""
        return checked_number(self.cleaned_data["charge_code"])

    def clean_point_scale(self) -> str:
        """Return the federation's name of the scale of points with single spaces."""
        return " ".join(str(self.cleaned_data["point_scale"]).split())


class MissingNumbersForm(forms.Form):
    """The form for the federation numbers of players without one; empty fields change nothing."""

    def __init__(self, people: list[Person], data: Any = None) -> None:
        super().__init__(data)
        self.people = people
        for person in people:
            self.fields[f"number-{person.pk}"] = forms.CharField(
                label=person.listed_name, required=False, max_length=LENGTH
            )

    def clean(self) -> dict[str, Any]:
        """Return the numbers in their stored form; refuse invalid ones."""
        cleaned = super().clean() or {}
        for name, text in list(cleaned.items()):
            try:
                cleaned[name] = checked_number(text)
            except ValidationError as wrong:
                self.add_error(name, wrong)
        return cleaned

    @property
    def numbers(self) -> dict[int, dict[str, str]]:
        """Return the typed federation numbers by primary key of the person."""
        entered = {person.pk: self.cleaned_data[f"number-{person.pk}"] for person in self.people}
        return {key: {"national_number": text} for key, text in entered.items() if text}


@require_http_methods(["GET", "POST"])
def report_data(request: UserRequest, code: str) -> HttpResponse:
    """Show the data that a session's report to the federation still needs, and store them."""
    if request.method == "POST":
        form = _run_report_action(request, code)
        if form is None:
            return redirect("hand-in", code=code)
    else:
        form = None
    with one_snapshot(request):
        return _report_page(request, code, form)


NOT_SENT = {
    "address": _lazy(
        "This server does not send results to BridgeWebs. The server’s "
        "administrator can change this."
    ),
    "account": _lazy("Enter the club’s BridgeWebs account first: Club, Federation."),
    "key": _lazy("Type the password of BridgeWebs once more: Club, Federation."),
    "hidden": _lazy("Publish the results first: at BridgeWebs everybody reads them."),
    "contest": _lazy("Only results of pairs can be sent to BridgeWebs."),
}


def _upload_to_bridgewebs(request: UserRequest, section: Section) -> None:
    """Upload a session's results to BridgeWebs, and show the answer."""
    try:
        upload = upload_session(section)
    except UploadNotSent as refused:
        messages.warning(request, NOT_SENT[refused.kind])
        return
    say = messages.success if upload.is_taken else messages.warning
    say(request, _("BridgeWebs answered: %(answer)s") % {"answer": upload.answer or "–"})


def _run_report_action(request: UserRequest, code: str) -> forms.Form | None:
    """Run the action of the pressed button; return the form if it is refused."""
    section = section_for_scorer(request, code)
    if request.POST.get("do") == "bridgewebs":
        _upload_to_bridgewebs(request, section)
        return None
    form: FederationDataForm | MissingNumbersForm
    if request.POST.get("do") == "numbers":
        form = MissingNumbersForm(players_without_number(section.session), request.POST)
        if not form.is_valid():
            return form
        store_people_numbers(section.club, form.numbers, by=request.user)
        return None
    scoring = ScoringSettings.objects.get_or_create(session=section.session)[0]
    form = FederationDataForm(scoring, request.POST)
    if not form.is_valid():
        return form
    store_federation_data(section, **form.cleaned_data, by=request.user)
    return None


def _report_page(
    request: UserRequest, code: str, refused_form: forms.Form | None = None
) -> HttpResponse:
    """Render the page of the report to the federation."""
    read = ResultsPageData(request, code)
    missing = players_without_number(read.tonight.session)
    is_asked = isinstance(refused_form, FederationDataForm)
    context = read.context(
        "ranking",
        scoring=read.tonight.scoring,
        missing=missing,
        asked=refused_form if is_asked else FederationDataForm(read.tonight.scoring),
        numbers=refused_form if refused_form and not is_asked else MissingNumbersForm(missing),
        is_asked_open=is_asked or bool(read.tonight.scoring.embargo_until),
        can_send=can_send() and BridgeWebs.objects.filter(club=read.section.club).exists(),
        upload=BridgeWebsUpload.objects.filter(session=read.section.session_id).first(),
    )
    status = REFUSED if refused_form else 200
    return render(request, "director/results/hand_in.html", context, status=status)
