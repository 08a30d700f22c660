"""Arrow-switches, before the start: what each gains, and choosing one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from bridgebuddy.events.access import section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.switches import switch_arrows, unswitched
from movements.engine.fairness.balance import balance
from movements.models import StoredMovement
from movements.switches.choices import Choice, can_be_switched, ceiling, choices, recommended

from ..refusals import change_refused
from .forms import AS_IT_IS, SwitchForm


@require_http_methods(["GET", "POST"])
def arrow_switches(request: HttpRequest, code: str) -> HttpResponse:
    """Show which arrow-switches make the section's movement fair, and take the director's choice."""
    section = section_for_director(request, code)
    plain = unswitched(section)
    is_open = plain is not None and not section.is_started and can_be_switched(plain)
    found = choices(plain) if plain is not None and is_open else ()
    form = SwitchForm(found, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            switch_arrows(section, form.chosen, of=form.cleaned_data["of"], by=request.user)
            messages.success(request, _("The movement is chosen and everybody keeps their seat."))
            return redirect("entries", code=section.code)
        except ChangeRefused as refused:
            form.add_error(None, change_refused(refused))
    context = {
        "section": section,
        "tab": "movement",
        "plain": plain,
        "is_open": is_open,
        "form": form,
        **(_compared(section, plain, found) if plain is not None and found else {}),
    }
    return render(request, "director/switches.html", context, status=422 if form.errors else 200)


def _compared(section: Section, plain: StoredMovement, found: tuple[Choice, ...]) -> dict:
    """The movement as it is, one field with nothing turned, and every way of turning."""
    now = section.movement.document if section.movement else None
    limit = ceiling(plain)
    return {
        "as_it_is": {
            "value": AS_IT_IS,
            "balance": balance(plain.movement),
            "is_chosen": section.unswitched is None,
        },
        "before": found[0],
        "options": [
            (number, choice, section.unswitched is not None and choice.document == now)
            for number, choice in enumerate(found)
            if number
        ],
        "recommended": None if limit else recommended(found),
        "ceiling": limit,
    }
