"""Registrations before the session and arrivals on the day, and the entries made of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.models import Person, searchable
from bridgebuddy.clubs.people.names import clean_text
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.events.access import one_snapshot, section_for_director
from bridgebuddy.events.errors import ChangeRefused, RoundMovedOn
from bridgebuddy.events.models import MOST_PAIRS, Section
from bridgebuddy.events.names import name_problem
from bridgebuddy.planning import starting
from bridgebuddy.planning.calendar import session_plan_input
from bridgebuddy.planning.charts import default_line
from bridgebuddy.planning.prepared_starts import PreparedStarts, last_prepared
from bridgebuddy.registration import registering
from bridgebuddy.registration.late_arrivals import MINUTES
from bridgebuddy.registration.models import LONGEST_NAME, Registration, UnconfirmedName
from bridgebuddy.registration.preparation_requests import request_preparation
from bridgebuddy.registration.registrations import (
    RegisteredPair,
    Registrations,
    is_registration_closed,
    is_registration_open,
)
from bridgebuddy.web.http import read_number
from movements.words.sentences import contestant_count_text, family_title

from .door import door_context
from .forms import PROBLEMS
from .prepared_starts import poll_version, starts_view
from .preview import known_names

REFUSED = 422
#: of a row's key
MOST_DIGITS = 15


class TypedNamesForm(forms.Form):
    """The form for one name or two, as given by telephone or typed on a phone."""

    first = forms.CharField(label=_lazy("First player"), max_length=LONGEST_NAME)
    second = forms.CharField(label=_lazy("Partner"), max_length=LONGEST_NAME, required=False)

    def clean(self) -> dict[str, Any]:
        """Refuse the same name twice."""
        if not self.errors and (problem := name_problem(self.names, len(self.names))):
            raise ValidationError(str(PROBLEMS[problem]))
        return self.cleaned_data

    @property
    def names(self) -> list[str]:
        """Return the typed names that are not empty."""
        typed = (clean_text(self.cleaned_data[field]).strip() for field in ("first", "second"))
        return [name for name in typed if name]


class RegistrationSwitchForm(forms.Form):
    """The form for a session's registration: the limit of pairs, and the first day."""

    opens_on = forms.DateField(
        label=_lazy("First day of registration"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        required=False,
    )
    most = forms.IntegerField(
        label=_lazy("Maximum number of pairs"), min_value=1, max_value=MOST_PAIRS, required=False
    )


#: the most unknown names on the page, and the number from which they can be refused together
MOST_SHOWN, FEW = 60, 3


@dataclass(frozen=True)
class WaitingName:
    """Typed names that the director must confirm, with similar names of the roster."""

    typed: UnconfirmedName
    new: tuple[str, ...]
    alike: tuple[str, ...]

    @property
    def is_unknown(self) -> bool:
        """Return whether a visitor typed the names, and none of them is on the roster."""
        names = [name for name in (self.typed.name, self.typed.partner) if name]
        return self.typed.by is None and len(self.new) == len(names)


@require_http_methods(["GET", "POST"])
def show_registrations(request: UserRequest, code: str) -> HttpResponse:
    """Show a session's registrations, or run the action of the pressed button."""
    if request.method == "GET":
        return _registrations_page(request, code)
    section = section_for_director(request, code)
    do, form = WAYS.get(request.POST.get("do", "")), None
    leads_to = LEADS_TO.get(request.POST.get("do", ""), "who-comes")
    try:
        form = do(request, section) if do else None
    except ChangeRefused as refused:
        messages.warning(request, change_refused(refused))
        leads_to = "desk" if isinstance(refused, RoundMovedOn) else "who-comes"
    if form is not None and form.errors:
        return _registrations_page(request, code, form)
    if section.is_started and leads_to == "who-comes":
        leads_to = "desk"
    return redirect(leads_to, code=section.code)


def _registrations_page(
    request: UserRequest, code: str, form: forms.Form | None = None
) -> HttpResponse:
    """Render the registrations and prepared starts; queue the preparation of missing ones."""
    section = section_for_director(request, code)
    prepared_starts = last_prepared(section)  # the cache does not belong to the page's snapshot
    with one_snapshot(request):
        section = section_for_director(request, code)
        context = _page_context(
            section, form, prepared_starts, has_paper=has_printed_paper(request, section)
        )
        if request.GET.get("open") == "door" and is_registration_open(section.session):
            context |= door_context(request, section)
        prepared = context["prepared"]
        if context["version"] and request.htmx and request.GET.get("v") == context["version"]:
            answer = HttpResponse(status=204)
        else:
            template = "director/who_comes.html" + ("#now" if request.htmx else "")
            status = REFUSED if form is not None else 200
            answer = render(request, template, context, status=status)
    if prepared and not prepared.is_ready:
        request_preparation(section.session)
    return answer


def has_printed_paper(request: UserRequest, section: Section) -> bool:
    """Return whether this browser has printed something for the session before its start."""
    return f"paper-{section.code}" in request.COOKIES


def _page_context(
    section: Section,
    form: forms.Form | None,
    prepared_starts: PreparedStarts | None,
    *,
    has_paper: bool,
) -> dict[str, Any]:
    """Return the template context of the registrations page."""
    registrations = Registrations(section.session)
    is_today = section.session.date == section.club.today
    coming = registrations.pairs_with_place
    prepared = starts_view(section, registrations, prepared_starts, has_paper=has_paper)
    return {
        "section": section,
        "tab": "entries",
        "prepared": prepared,
        "version": poll_version(section, registrations, prepared),
        "found": registrations,
        "switch": registrations.registration_settings,
        "is_closed": is_registration_closed(section.session),
        "is_today": is_today,
        "takes_pairs": section.people_per_entry == registering.PAIR,
        "coming": [
            (comer, registrations.entries_by_person.keys() >= set(comer.people))
            for comer in (sorted(coming, key=_arrival_order) if is_today else coming)
        ],
        "here": sum(comer.is_here for comer in coming),
        "said": _registrations_text(section, registrations),
        "host": _free_host(registrations),
        "room": max(0, registrations.registration_settings.most - len(registrations.pairs))
        if registrations.registration_settings.most
        else None,
        **_waiting_context(section, registrations),
        "form": form if isinstance(form, TypedNamesForm) else TypedNamesForm(),
        "switch_form": form
        if isinstance(form, RegistrationSwitchForm)
        else RegistrationSwitchForm(
            initial={
                "most": registrations.registration_settings.most,
                "opens_on": registrations.registration_settings.opens_on,
            }
        ),
    }


def _free_host(registrations: Registrations) -> Person | None:
    """Return the session's host if the host has no partner and could play with a single player, else None."""
    if len(registrations.seekers) % registering.PAIR == 0:
        return None
    host = session_plan_input(registrations.session).host
    busy = {
        key for pair in registrations.pairs for key in pair.people
    } | registrations.entries_by_person.keys()
    busy |= {seeker.person_id for seeker in registrations.seekers}
    return None if host is None or host.pk in busy else host


def _arrival_order(pair: RegisteredPair) -> tuple[int, int]:
    """Return a sort key that puts pairs with missing players before pairs that have arrived."""
    return (-len(pair.missing), pair.key)


def _registrations_text(section: Section, registrations: Registrations) -> str:
    """Return a sentence on the number of registered pairs, and which movement the club's chart has for it."""
    pairs = registrations.expected_pair_count
    facts = [contestant_count_text(section.contest, pairs)]
    if looking := len(registrations.seekers):
        facts.append(_("%(count)s looking") % {"count": looking})
    if waiting := len(registrations.waiting_pairs):
        facts.append(_("%(count)s waiting") % {"count": waiting})
    line = default_line(section.club, pairs)
    if line is None:
        return ", ".join(facts) + "."
    return _("%(facts)s: the chart says %(movement)s, %(rounds)s rounds of %(boards)s boards.") % {
        "facts": ", ".join(facts),
        "movement": family_title(line.choice.family),
        "rounds": line.choice.rounds,
        "boards": line.choice.boards,
    }


def _waiting_names(section: Section, registrations: Registrations) -> list[WaitingName]:
    """Return the typed names that the director must confirm, with similar names of the roster."""
    roster = known_names(section)
    waiting = []
    for typed_entry in registrations.unconfirmed_names:
        names = [name for name in (typed_entry.name, typed_entry.partner) if name]
        new = tuple(name for name in names if searchable(name) not in roster.by_name)
        waiting.append(WaitingName(typed_entry, new, tuple(filter(None, map(roster.alike, new)))))
    return sorted(waiting, key=lambda item: item.is_unknown)


def _waiting_context(section: Section, registrations: Registrations) -> dict[str, Any]:
    """Return the template context of typed names: those on the roster first, and a limited number of others."""
    waiting = _waiting_names(section, registrations) if registrations.unconfirmed_names else []
    unknown = [name for name in waiting if name.is_unknown]
    known_count = len(waiting) - len(unknown)
    return {
        "waiting_names": waiting[: known_count + MOST_SHOWN],
        "unknown_names": len(unknown) if len(unknown) >= FEW else 0,
        "last_unknown": max((name.typed.pk for name in unknown), default=0),
    }


# ── actions of buttons ──


def _switch_registration(request: UserRequest, section: Section) -> forms.Form | None:
    """Turn registration on or off; return the form."""
    form = RegistrationSwitchForm(request.POST)
    if form.is_valid():
        is_on = request.POST.get("on") == "1"
        most, opens_on = form.cleaned_data["most"], form.cleaned_data["opens_on"]
        registering.switch_registration(
            section, is_on=is_on, maximum=most, opens_on=opens_on, by=request.user
        )
    return form


def _make_entry_list(request: UserRequest, section: Section) -> None:
    """Store all registered pairs as entries of the section, on a press of the button for it."""
    count = registering.enter_registered_pairs(section, by=request.user)
    messages.success(
        request,
        _("%(entries)s entered.") % {"entries": contestant_count_text(section.contest, count)},
    )


def _start_session(request: UserRequest, section: Section) -> None:
    """Start the session with the movement and seats of the prepared start whose button was pressed."""
    key = request.POST.get("evening", "")
    starting.start_prepared_session(
        section, key, has_paper=has_printed_paper(request, section), by=request.user
    )


def _lay_out_session(request: UserRequest, section: Section) -> None:
    """Store entries and movement as prepared, for printing, without starting."""
    key = request.POST.get("evening", "")
    starting.lay_out_prepared_session(
        section, key, has_paper=has_printed_paper(request, section), by=request.user
    )


def _register_names(request: UserRequest, section: Section) -> forms.Form:
    """Register the names that the director typed; return the form."""
    form = TypedNamesForm(request.POST)
    if form.is_valid():
        registering.register_names(section.session, form.names, by=request.user)
    return form


def _confirm_typed_name(request: UserRequest, section: Section) -> forms.Form | None:
    """Confirm a name that a visitor or player typed; return the form."""
    typed = _typed_name(request, section)
    form = TypedNamesForm(request.POST)
    if form.is_valid() and typed is not None:
        registering.confirm_names(typed, *form.names, by=request.user)
    return form


def _refuse_typed_name(request: UserRequest, section: Section) -> None:
    """Refuse a name that a visitor or player typed."""
    if typed := _typed_name(request, section):
        registering.refuse_names(typed, by=request.user)


def _refuse_unknown_names(request: UserRequest, section: Section) -> None:
    """Refuse all typed names that are not on the roster."""
    up_to = read_number(request.POST.get("up_to"), MOST_DIGITS) or 0
    count = registering.refuse_unknown(section.session, up_to=up_to, by=request.user)
    message = ngettext("%(count)s name is refused.", "%(count)s names are refused.", count)
    messages.success(request, message % {"count": count})


def _typed_name(request: UserRequest, section: Section) -> UnconfirmedName | None:
    """Return the typed name that a button is about; None if it no longer waits."""
    waiting = UnconfirmedName.objects.filter(session=section.session).select_related(
        "by", "session"
    )
    return waiting.filter(pk=read_number(request.POST.get("typed"), MOST_DIGITS) or 0).first()


def _register_ticked_pair(request: UserRequest, section: Section) -> None:
    """Register two people without a partner as a pair."""
    chosen = _chosen_people(request, section)
    if len(chosen) != registering.PAIR:
        messages.warning(request, _("Tick two players who are looking for a partner."))
        return
    registering.register_pair(section.session, *chosen, by=request.user)


def _register_with_host(request: UserRequest, section: Section) -> None:
    """Register a single player with the host as partner."""
    host, chosen = _free_host(Registrations(section.session)), _chosen_people(request, section)
    if host and len(chosen) == 1:
        registering.register_pair(section.session, chosen[0], host, by=request.user)


def _accept_pair(request: UserRequest, section: Section) -> None:
    """Register a pair of the waiting list although the limit of pairs is reached."""
    chosen = _chosen_people(request, section)
    if len(chosen) == registering.PAIR:
        registering.register_pair(section.session, *chosen, by=request.user)


def _record_absence(request: UserRequest, section: Section) -> None:
    """Record that the chosen people do not come."""
    if chosen := _chosen_people(request, section):
        registering.record_absence(section.session, chosen, by=request.user)


def _record_arrival(request: UserRequest, section: Section) -> None:
    """Record that the chosen people have arrived, or have not."""
    if chosen := _chosen_people(request, section):
        is_here = request.POST.get("here") != "0"
        registering.record_arrivals(section.session, chosen, is_here=is_here, by=request.user)


def _record_lateness(request: UserRequest, section: Section) -> None:
    """Record how many minutes late the chosen people will be."""
    minutes = read_number(request.POST.get("minutes"), 2)
    if minutes in (0, *MINUTES) and (chosen := _chosen_people(request, section)):
        registering.record_delay(section.session, chosen, minutes, by=request.user)


def _chosen_people(request: UserRequest, section: Section) -> list[Person]:
    """Return the people whose keys a button sent, without those who are neither registered nor asked as partner."""
    sent = (read_number(key, MOST_DIGITS) for key in request.POST.getlist("person"))
    keys = [key for key in sent if key is not None]
    answers = Registration.objects.filter(session=section.session)
    people = section.club.known_people.filter(pk__in=keys)
    there = people.filter(pk__in=answers.values("person")) | people.filter(
        pk__in=answers.exclude(partner=None).values("partner")
    )
    return list(there.distinct())


WAYS: dict[str, Callable[[UserRequest, Section], forms.Form | None]] = {
    "switch": _switch_registration,
    "list": _make_entry_list,
    "say": _register_names,
    "confirm": _confirm_typed_name,
    "refuse": _refuse_typed_name,
    "refuse-unknown": _refuse_unknown_names,
    "together": _register_ticked_pair,
    "yes": _accept_pair,
    "host": _register_with_host,
    "out": _record_absence,
    "here": _record_arrival,
    "start": _start_session,
    "lay-out": _lay_out_session,
    "late": _record_lateness,
}
#: the page that follows an action
LEADS_TO = {"list": "entries", "start": "desk", "lay-out": "print"}
