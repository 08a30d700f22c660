"""Phone settings: permissions, the tables' codes, and calls from tables."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.club.session_defaults import store_default_settings
from bridgebuddy.events.access import read_in_one_snapshot, section_for_director
from bridgebuddy.events.models import Section
from bridgebuddy.table_phones.models import (
    DirectorCall,
    EntryMode,
    FeedbackLevel,
    PhoneSettings,
    ResultAgreement,
)
from bridgebuddy.table_phones.queries.director_calls import MistakeRecord, mistake_to_record
from bridgebuddy.table_phones.queries.phones import phone_settings_of
from bridgebuddy.table_phones.secrets import digits_of
from bridgebuddy.table_phones.services import calls, phone_holders, phone_settings

from .pages import pages_of


class PhonesForm(forms.Form):
    """The form for the settings of result entry by phones."""

    mode = forms.ChoiceField(
        label=gettext_lazy("Result entry"), choices=EntryMode, widget=forms.RadioSelect
    )
    agreement = forms.ChoiceField(
        label=gettext_lazy("Then"), choices=ResultAgreement, widget=forms.RadioSelect
    )
    feedback = forms.ChoiceField(
        label=gettext_lazy("Shown to a table after each board"),
        choices=FeedbackLevel,
        widget=forms.RadioSelect,
    )
    asks_lead = forms.BooleanField(label=gettext_lazy("Ask for the lead"), required=False)

    slips_too = forms.BooleanField(label=gettext_lazy("Slips are written too"), required=False)

    def __init__(self, phones: PhoneSettings, data: QueryDict | None = None) -> None:
        names = ("mode", "agreement", "feedback", "asks_lead", "slips_too")
        super().__init__(data, initial={name: getattr(phones, name) for name in names})


@never_cache
@require_http_methods(["GET", "POST"])
def phones(request: UserRequest, code: str) -> HttpResponse:
    """Show the settings of result entry by phones, and store them for this session and later ones."""
    if request.method == "POST":
        section = section_for_director(request, code)
        before = phone_settings_of(section)
        form = PhonesForm(before, request.POST)
        if form.is_valid():
            chosen = phone_settings.store_phone_settings(
                section, **form.cleaned_data, by=request.user
            )
            store_default_settings(section, chosen)
            messages.success(
                request, _("The settings are saved for this session and later sessions.")
            )
            if section.movement and chosen.need_secret != before.need_secret:
                messages.warning(
                    request, _("The table cards have another code now: print all of them again.")
                )
            return redirect("phones", code=section.code)
    return _phones_page(request, code)


@read_in_one_snapshot
def _phones_page(request: UserRequest, code: str) -> HttpResponse:
    """Return the page of the phone settings."""
    section = section_for_director(request, code)
    chosen = phone_settings_of(section)
    form = PhonesForm(chosen, request.POST if request.method == "POST" else None)
    context = {
        "section": section,
        "tab": "results",
        "page": "phones",
        "pages": pages_of(section),
        "form": form,
        "chosen": chosen,
        "digits": [(table, digits_of(section, table, chosen)) for table in _table_numbers(section)],
    }
    return render(
        request, "director/results/phones.html", context, status=422 if form.errors else 200
    )


def _table_numbers(section: Section) -> list[int]:
    """Return the tables of a section's movement, and those added by live changes."""
    planned = section.movement.tables if section.movement else 0
    played = section.plays.order_by("table").values_list("table", flat=True).distinct()
    return sorted({*range(1, planned + 1), *played})


@require_POST
def renew_codes(request: UserRequest, code: str) -> HttpResponse:
    """Change the secrets of all tables of a session, so that old QR codes no longer enter results."""
    section = section_for_director(request, code)
    phone_settings.renew_secrets(section, by=request.user)
    messages.success(request, _("All tables have other codes. Print the table cards again."))
    return redirect("phones", code=section.code)


@require_POST
def decide_phone_holder(request: UserRequest, code: str, phone: int) -> HttpResponse:
    """Accept or refuse the request of a phone to be used for another contestant."""
    section = section_for_director(request, code)
    phone_holders.answer_holder_request(
        section, phone, accepted=request.POST.get("do") == "let", by=request.user
    )
    to = request.POST.get("to", "")
    return redirect(to if to in ("desk", "results") else "desk", code=section.code)


@require_POST
def accept_directors_call(request: UserRequest, code: str, call: int) -> HttpResponse:
    """Take a table's call for the director; redirect to the page that records its mistake, if any."""
    section = section_for_director(request, code)
    if request.POST.get("do") == "record" and (record := _mistake_reported_by_call(section, call)):
        for table_call in record.calls:
            calls.accept_call(section, table_call.pk, by=request.user)
        rest = [record.calls[0].section.code, record.wish]
        return redirect(reverse("change", args=rest, query=record.known))
    calls.accept_call(section, call, by=request.user)
    to = request.POST.get("to", "")
    return redirect(to if to in ("desk", "results") else "desk", code=section.code)


def _mistake_reported_by_call(section: Section, call: int) -> MistakeRecord | None:
    """Return the mistake that a table's call reports, if the desk can record it as a live change, else None."""
    calls_read = DirectorCall.objects.filter(pk=call, section__session=section.session_id)
    table_call = calls_read.select_related("section").first()
    return mistake_to_record(table_call) if table_call else None
