"""Arrow-switches before the start: their effects, and the choice of one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import one_snapshot, section_for_director
from bridgebuddy.events.errors import AlreadyStarted, ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.setup.switches import switch_arrows, unswitched_movement
from movements.engine.fairness.balance import balance
from movements.models import StoredMovement
from movements.switches.choices import (
    SwitchChoice,
    balance_ceiling,
    can_be_switched,
    recommended_switch,
    switch_choices,
)

from ..refusals import change_refused
from .forms import AS_IT_IS, ArrowSwitchChoiceForm


@require_http_methods(["GET", "POST"])
def arrow_switches(request: UserRequest, code: str) -> HttpResponse:
    """Show the choices of arrow-switches that make the section's movement fair, and store one."""
    sent, problem = request.POST if request.method == "POST" else None, ""
    if sent is not None:
        with _open_switch_options(request, code) as now:
            form = ArrowSwitchChoiceForm(now.choices, sent)
        if form.is_valid() and not now.is_refused:
            try:
                switch_arrows(
                    now.section, form.chosen_switches, of=form.cleaned_data["of"], by=request.user
                )
            except ChangeRefused as refused:
                problem = change_refused(refused)
            else:
                messages.success(
                    request, _("The movement is chosen and everybody keeps their seat.")
                )
                return redirect("entries", code=code)
    with _open_switch_options(request, code) as now:
        form = ArrowSwitchChoiceForm(now.choices, sent)
        if problem and now.section.is_started:  # the start overrides other errors
            problem = change_refused(AlreadyStarted())
        if problem:
            form.add_error(None, problem)
        context = {
            "section": now.section,
            "tab": "movement",
            "plain": now.plain,
            "is_open": now.is_open,
            "form": form,
            **(
                _switch_comparison(now.section, now.plain, now.choices)
                if now.plain and now.choices
                else {}
            ),
        }
        status = 200 if sent is None else 422
        return render(request, "director/switches.html", context, status=status)


@dataclass(frozen=True)
class _SwitchOptions:
    """A section with its movement before arrow-switches, and the possible choices of switches."""

    section: Section
    plain: StoredMovement | None
    is_open: bool
    choices: tuple[SwitchChoice, ...]

    @property
    def is_refused(self) -> bool:
        """Return whether the movement cannot be arrow-switched; the page then says so."""
        return self.plain is not None and not (self.is_open or self.section.is_started)


@contextmanager
def _open_switch_options(request: UserRequest, code: str) -> Iterator[_SwitchOptions]:
    """Context manager that yields the choices of arrow-switches of a section, read in one snapshot.

    The search for choices runs outside the snapshot, because it uses the cache.
    """
    searched: dict[int, tuple[SwitchChoice, ...]] = {}
    while True:
        with one_snapshot(request):
            section = section_for_director(request, code)
            plain = unswitched_movement(section)
            if plain is None or section.is_started or not can_be_switched(plain):
                yield _SwitchOptions(section, plain, False, ())
                return
            if plain.pk in searched:
                yield _SwitchOptions(section, plain, True, searched[plain.pk])
                return
            _ = plain.document  # read now: it may be deleted during the search
        searched[plain.pk] = switch_choices(plain)


def _switch_comparison(
    section: Section, plain: StoredMovement, choices: tuple[SwitchChoice, ...]
) -> dict[str, object]:
    """Return the template context that compares the movement without switches and all choices."""
    now = section.movement.document if section.movement else None
    limit = balance_ceiling(plain)
    return {
        "as_it_is": {
            "value": AS_IT_IS,
            "balance": balance(plain.movement),
            "is_chosen": section.unswitched is None,
        },
        "before": choices[0],
        "options": [
            (number, choice, section.unswitched is not None and choice.document == now)
            for number, choice in enumerate(choices)
            if number
        ],
        "recommended": None if limit else recommended_switch(choices),
        "ceiling": limit,
    }
