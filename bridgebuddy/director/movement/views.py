"""Choosing the movement."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from bridgebuddy.events.access import one_moment, section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.movement import choose_movement, choose_own_movement
from bridgebuddy.events.services.own_movements import movements_for
from bridgebuddy.http import UserRequest
from movements.engine.adviser import Advice, advise, advise_on, ways_out
from movements.engine.errors import MovementError
from movements.engine.offers import Offer, movement_for
from movements.engine.plays import plays_of
from movements.services import BrokenMovement
from movements.words.advice import WISHES, WORDS, reason_sentence
from movements.words.refusals import movement_refused
from movements.words.sentences import counted, family_title

from ..refusals import change_refused
from ..wording import words_of
from .forms import (
    CANNOT_HAVE,
    MovementForm,
    OwnMovementForm,
    WishesForm,
    size_value,
    typed_options,
)

MOST_OFFERS = 12
logger = logging.getLogger(__name__)


@require_http_methods(["GET", "POST"])
def choose(request: UserRequest, code: str) -> HttpResponse:
    """Show what the pairs on the list can play, best first, and take the director's choice."""
    problem = ""
    if request.method == "POST" and not _only_looks(request):
        problem = _choose_own(request, code) if "own" in request.POST else _choose(request, code)
        if not problem:
            return redirect("entries", code=code)
    with one_moment(request):
        offered = _Offered(request, code)
        section = offered.section
        if problem and section.is_started:  # whatever else was wrong with it
            problem = _begun()
        context = {
            "section": section,
            "tab": "movement",
            "pairs": offered.pairs,
            "counted": counted(section.contest, offered.pairs),
            "form": offered.form,
            "words": words_of(section),
            "cards": [_card(section, advice) for advice in offered.advised[:MOST_OFFERS]],
            "own": [] if section.is_started else movements_for(section),
            "ways_out": _ways_out(section, offered.pairs, offered.form, offered.advised),
            "problem": problem or offered.problem,
            "is_looking": _only_looks(request),
        }
        template = "director/movement.html"
        if request.htmx and (request.method == "GET" or _only_looks(request)):
            template += "#advice"
        return render(request, template, context, status=422 if problem else 200)


def _only_looks(request: UserRequest) -> bool:
    """Whether a movement's own choices are to be tried on the page, and nothing chosen yet."""
    return "look" in request.POST


class _Offered:
    """What the pairs on the list can play, by the director's wishes."""

    def __init__(self, request: UserRequest, code: str) -> None:
        self.section = section_for_director(request, code)
        self.pairs = self.section.entries.count()
        self.form = WishesForm.for_section(self.section, request.POST or request.GET)
        self.advised: tuple[Advice, ...] = ()
        self.problem = ""
        is_open = self.pairs >= self.section.fewest_entries and not self.section.is_started
        if is_open and self.form.is_valid():
            self.advised = advise(self.form.wishes(self.section, self.pairs))
            if "family" in request.POST:
                self._look_at(request.POST)

    def _look_at(self, asked: Mapping[str, Any]) -> None:
        """Offer one of the families with the options of the director's choice, at its place."""
        names = [advice.offer.family.name for advice in self.advised]
        if asked["family"] not in names:
            return
        place = names.index(asked["family"])
        family, offered = self.advised[place].offer.family, self.advised[place].offer.options
        try:
            options = typed_options(family, asked)
            if options == offered:
                return
            chosen = advise_on(family, options, self.form.wishes(self.section, self.pairs))
            if chosen is None:
                movement_for(family.name, self.pairs, options=options)
                self.problem = str(CANNOT_HAVE)
            else:
                self.advised = (*self.advised[:place], chosen, *self.advised[place + 1 :])
        except ValidationError as error:
            self.problem = " ".join(error.messages)
        except MovementError as error:
            self.problem = movement_refused(error)


def _choose(request: UserRequest, code: str) -> str:
    """Choose one of the movements offered; return why it was refused, or nothing."""
    with one_moment(request):
        offered = _Offered(request, code)
    form = MovementForm(request.POST, [advice.offer for advice in offered.advised], offered.pairs)
    if offered.section.is_started:
        return _begun()
    if offered.problem:
        return offered.problem
    if not form.is_valid():
        return " ".join(map(str, form.non_field_errors())) or _("Choose one of these movements.")
    line = "ns" if request.POST.get("line") == "ns" else "ew"
    return _take(request, offered.section, form.cleaned_data, line)


def _begun() -> str:
    return _("The session has begun; its movement cannot be chosen again.")


def _choose_own(request: UserRequest, code: str) -> str:
    """Choose one of the club's own movements; return why it was refused, or nothing."""
    section = section_for_director(request, code)
    form = OwnMovementForm(request.POST)
    own = (
        section.club.own_movements.filter(pk=request.POST.get("own") or 0).first()
        if (form.is_valid())
        else None
    )
    if own is None:
        return _("Choose how many boards a round has: 1 to 12.")
    try:
        choose_own_movement(
            section, own, boards_per_round=form.cleaned_data["boards"], by=request.user
        )
    except MovementError as error:
        return movement_refused(error)
    except ChangeRefused as error:
        return change_refused(error)
    messages.success(request, _("The movement is chosen and everybody has a seat."))
    return ""


def _ways_out(
    section: Section, pairs: int, form: WishesForm, advised: tuple[Advice, ...]
) -> list[dict[str, object]]:
    """Where not every wish can be granted: which one to give up, with a link that does."""
    if not advised:
        return []
    found = []
    for names, advice in ways_out(form.wishes(section, pairs), advised):
        answers = form.data.copy() if hasattr(form.data, "copy") else dict(form.data)
        for name in names:
            for field, value in GIVEN_UP.get(name, {}).items():
                answers[field] = value
        if "boards" in names:
            answers["fewest"] = answers["most"] = advice.offer.size.boards
        found.append(
            {
                "wish": get_text_list([str(WISHES[name]) for name in names], _("and")),
                "movement": family_title(advice.offer.family.name),
                "size": advice.offer.size,
                "query": _query(answers),
            }
        )
    return found


#: what the form answers when a wish is given up
GIVEN_UP: dict[str, dict[str, str]] = {
    "time": {"until": ""},
    "winners": {"winners": ""},
    "sit_out": {"sitout": ""},
    "stationary": {"stay": "0"},
    "copies": {"copies": "9"},
    "sharing": {"sharing": "on"},
    "stands": {"stands": "on"},
    "masterpoints": {"masterpoints": ""},
    "break": {"rest": ""},
}


def _query(answers: Mapping[str, object]) -> str:
    hidden = ("csrfmiddlewaretoken", "family", "size")
    return urlencode(
        {
            name: "on" if value is True else value
            for name, value in answers.items()
            if name not in hidden and value not in ("", None, False)
        }
    )


def _take(request: UserRequest, section: Section, chosen: dict[str, Any], line: str) -> str:
    """Choose the movement; return why it was refused, or nothing."""
    size = chosen["size"]
    try:
        choose_movement(
            section,
            chosen["family"],
            rounds=size.rounds,
            boards_per_round=None if size.total else size.boards_per_round,
            total_boards=size.total,
            options=chosen["options"],
            missing_line=line,
            by=request.user,
        )
    except MovementError as error:
        return movement_refused(error)
    except BrokenMovement:
        logger.exception("an unlawful movement was offered: %s", chosen)
        return _("This movement is not possible with so many pairs. Choose another one.")
    except ChangeRefused as error:
        return change_refused(error)
    messages.success(request, _("The movement is chosen and everybody has a seat."))
    return ""


def _card(section: Section, advice: Advice) -> dict[str, object]:
    """What a card says of a movement: facts only."""
    offer = advice.offer
    fewest, most = offer.boards_played
    return {
        "advice": advice,
        "offer": offer,
        "movement": offer.movement,
        "options": [
            (option, option.written(offer.options.get(option.name)))
            for option in offer.family.options
        ],
        "full_tables": _tables(offer) - _half(offer),
        "has_half_table": bool(_half(offer)),
        "sizes": [(size_value(size), size) for size in offer.sizes[:8]],
        "fewest_played": fewest,
        "most_played": most,
        "ends_at": _ends_at(section, offer),
        "stationary": advice.facts.stationary,
        "word": WORDS[advice.facts.word],
        "pros": [reason_sentence(reason) for reason in advice.pros],
        "cons": [reason_sentence(reason) for reason in advice.cons],
        "is_chosen": section.movement is not None and section.movement.family == offer.family.name,
    }


def _tables(offer: Offer) -> int:
    """How many tables have to stand in the room: two for every match of teams, three for a triangle."""
    movement = offer.movement
    if not movement.is_draw:
        return movement.tables
    return len({play.table for play in plays_of(movement, 1, {}, boards=1)})


def _half(offer: Offer) -> int:
    """Whether one table has a missing pair; a team without opponents has no table at all."""
    if offer.movement.is_draw:
        return 0
    return int(any(not seating.is_played for seating in offer.movement.in_round(1)))


def _ends_at(section: Section, offer: Offer) -> datetime:
    session = section.session
    boards = offer.size.rounds * offer.size.boards_per_round
    return datetime.combine(session.date, session.starts_at) + timedelta(
        minutes=boards * session.minutes_per_board
    )
