"""Views to choose the movement."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import one_snapshot, section_for_director
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.sessions.lent_boards import (
    extra_copy_sentence,
    lending_to,
    lent_boards_sentence,
)
from bridgebuddy.events.queries.sessions.sections import sections_of_session
from bridgebuddy.events.services.setup.movement import (
    BoardsWished,
    choose_movement,
    choose_own_movement,
)
from bridgebuddy.events.services.setup.own_movements import own_movements_for
from bridgebuddy.planning.charts import own_chart_line
from bridgebuddy.planning.rules.chart import ChartLine
from bridgebuddy.registration.registrations import registered_pair_count
from bridgebuddy.scoring.snapshot.kinds import is_league
from movements.engine import catalogue
from movements.engine.adviser import Advice, Wishes, advise_movements, advise_on, resized_advice
from movements.engine.contest import Contest
from movements.engine.errors import MovementError
from movements.engine.offers import MovementSize, movement_for
from movements.services import BrokenMovement
from movements.words.advice import drawback_sentence
from movements.words.descriptions import movement_description
from movements.words.refusals import movement_refused
from movements.words.sentences import contestant_count_text

from ..desk.break_words import planned_break_sentence
from ..refusals import change_refused
from ..wording import contestant_words, registered_pairs_text
from .equipment import fitting_suggestions, missing_equipment, tables_needed
from .forms import (
    CANNOT_HAVE,
    MovementForm,
    OwnMovementForm,
    WishesForm,
    read_family_options,
    size_value,
)
from .suggestions import (
    FEW_ROWS,
    SuggestionRow,
    address_values,
    compared_facts,
    recommendation_introduction,
    tables_text,
    wishes_to_give_up,
)

logger = logging.getLogger(__name__)


@require_http_methods(["GET", "POST"])
def choose(request: UserRequest, code: str) -> HttpResponse:
    """Show the movements that the entries can play, best first, and store the director's choice."""
    problem = ""
    if request.method == "POST" and not _is_preview(request):
        problem = (
            _choose_own(request, code)
            if "own" in request.POST
            else _choose_offered_movement(request, code)
        )
        if not problem:
            return redirect(_next_page(request, code), code=code)
    with one_snapshot(request):
        offered = _OfferedMovements(request, code)
        section = offered.section
        if problem and section.is_started:  # the start overrides other errors
            problem = _session_begun_text()
        context = {
            "section": section,
            "tab": "movement",
            "pairs": offered.pairs,
            "counted": contestant_count_text(section.contest, offered.pairs),
            "form": offered.form,
            "words": contestant_words(section),
            "own": [] if section.is_started else own_movements_for(section),
            "problem": problem or offered.problem,
            "registered": ""
            if offered.pairs or section.is_started
            else registered_pairs_text(registered_pair_count(section.session)),
            "running": _running_movement(section),
            "is_looking": _is_preview(request),
            **_suggestions_context(request, offered),
        }
        template = "director/movement.html"
        is_partial = request.htmx and not request.htmx.history_restore_request
        if is_partial and (request.method == "GET" or _is_preview(request)):
            template += "#advice"
        return render(request, template, context, status=422 if problem else 200)


def _running_movement(section: Section) -> dict[str, Any] | None:
    """Return the movement of a section that has begun, with its description; None before the start."""
    if not section.is_started or section.movement is None:
        return None
    movement = section.movement.movement
    return {
        "movement": movement,
        "sentences": movement_description(movement, section.club.stand_word),
    }


def _next_page(request: UserRequest, code: str) -> str:
    """Redirect to the next step: boards of team matches, sections without a movement, or entries."""
    section = section_for_director(request, code)
    if section.movement is not None and section.movement.is_draw:
        return "match-boards"
    beside = sections_of_session(section)
    return "all-sections" if any(other.movement is None for other in beside) else "entries"


def _is_preview(request: UserRequest) -> bool:
    """Return whether the pressed button only previews a movement with other options."""
    return "look" in request.POST


def _suggestions_context(request: UserRequest, movements: _OfferedMovements) -> dict[str, Any]:
    """Return the template context of the suggested movements: rows, open row, and two rows to compare."""
    if not movements.advised:
        return {"rows": [], "answers": address_values(movements.form)}
    asked = request.GET
    opened = request.POST.get("family", "") if _is_preview(request) else asked.get("open", "")
    rows = list(_suggestion_rows(movements, asked, opened))
    shows_all = "all" in asked or any(row.is_open for row in rows[FEW_ROWS:])
    ticked = [row for row in rows if row.is_compared]
    two = ticked[:2] if len(ticked) != 1 or ticked == rows[:1] else [rows[0], *ticked]
    shown_rows = [row for row in rows if shows_all or row.rank <= FEW_ROWS or row.is_chosen]
    answers = address_values(movements.form)
    return {
        "rows": shown_rows,
        "others": len(rows) - len(shown_rows),
        "lead": recommendation_introduction(movements.section, movements.pairs, rows[0]),
        "tables": tables_text(rows[0]),
        "too_few": missing_equipment(movements.form.owned, tables_needed(rows[0].movement)),
        "answers": answers,
        "asks_line": bool(asked.get("line"))
        or any(advice.offer.has_half_table for advice in movements.advised),
        "query": urlencode(answers | ({"all": "1"} if shows_all else {})),
        "shows_all": shows_all,
        "two": two if "side-by-side" in asked else [],
        "comparisons": compared_facts(*two) if "side-by-side" in asked and len(two) == 2 else [],
        "shows_two_needed": "side-by-side" in asked and len(two) < 2,
        "line": movements.line,
        "fairer": movements.fairer and SuggestionRow(movements.section, movements.fairer, 0),
        "fairer_by": movements.fairer and movements.fairer.score - movements.advised[0].score,
        "wishes_to_drop": ()
        if movements.line
        else wishes_to_give_up(
            movements.section, movements.form, movements.wishes, movements.advised
        ),
    }


def _suggestion_rows(
    movements: _OfferedMovements, query: QueryDict, opened: str
) -> Iterator[SuggestionRow]:
    """Yield the rows of the suggested movements; the open one in the chosen size."""
    # the chart's movement stands first whatever its fairness
    first = 1 if movements.line else 0
    for rank, advice in enumerate(movements.advised, 1):
        name = advice.offer.family.name
        is_open = opened == name
        size = next(
            (size for size in advice.offer.sizes if size_value(size) == query.get("size")), None
        )
        above = min(movements.advised[first : rank - 1], key=attrgetter("score"), default=advice)
        is_fairer = above.score < advice.score and not advice.broken  # a broken wish has its mark
        reason_below = drawback_sentence(advice, above) if is_fairer else ""
        if is_open and size:
            advice = resized_advice(advice, size, movements.wishes)
        yield SuggestionRow(
            movements.section,
            advice,
            rank,
            is_open,
            is_compared=name in query.getlist("compare"),
            break_minutes=movements.form.break_minutes(movements.section),
            reason_below=reason_below,
        )


class _OfferedMovements:
    """The movements that fit the entries and the director's wishes, or only the family `family_name`."""

    def __init__(self, request: UserRequest, code: str, family_name: str = "") -> None:
        self.section = section_for_director(request, code)
        self.pairs = self.section.entries.count()
        self.form = WishesForm.for_section(self.section, request.POST or request.GET)
        self.advised: tuple[Advice, ...] = ()
        self.wishes: Wishes
        self.problem = ""
        #: the movement of the club's chart, and a fairer one
        self.line: ChartLine | None = None
        self.fairer: Advice | None = None
        is_open = self.pairs >= self.section.fewest_entries and not self.section.is_started
        if is_open and self.form.is_valid():
            self.wishes = self.form.wishes(self.section, self.pairs)
            self.advised = fitting_suggestions(
                self.form.owned, advise_movements(self.wishes, family_name)
            )
            self._move_chart_movement_first(
                own_chart_line(self.section.club, self.pairs) if self._has_chart else None
            )
            asked = request.POST or request.GET
            if "family" in asked:
                self._apply_chosen_options(asked)

    @property
    def _has_chart(self) -> bool:
        """Return whether the club's movement chart applies, which is for pairs."""
        return self.section.contest == Contest.PAIRS

    def _move_chart_movement_first(self, line: ChartLine | None) -> None:
        """Put the movement of the chart line before all suggestions, if its family is among them."""
        if line is None or all(
            proposal.offer.family.name != line.choice.family for proposal in self.advised
        ):
            return
        choice = line.choice
        wishes = replace(self.wishes, missing_line=self.wishes.missing_line or choice.missing)
        fitting = advise_on(catalogue.find_family(choice.family), choice.options, wishes)
        if fitting is None:
            return
        own = resized_advice(fitting, MovementSize(choice.rounds, choice.boards), wishes)
        others = [
            proposal for proposal in self.advised if proposal.offer.family.name != choice.family
        ]
        self.line, self.advised = line, (own, *others)
        if others and not others[0].broken and others[0].score > own.score:
            self.fairer = others[0]

    def _apply_chosen_options(self, query: Mapping[str, Any]) -> None:
        """Replace a family's suggestion by one with the options that the director chose."""
        names = [advice.offer.family.name for advice in self.advised]
        if query["family"] not in names:
            return
        place = names.index(query["family"])
        family, offered = self.advised[place].offer.family, self.advised[place].offer.options
        try:
            options = read_family_options(family, query)
            if options == offered:
                return
            chosen = advise_on(family, options, self.wishes)
            if chosen is None:
                movement_for(family.name, self.pairs, options=options)
                self.problem = str(CANNOT_HAVE)
            else:
                self.advised = (*self.advised[:place], chosen, *self.advised[place + 1 :])
        except ValidationError as error:
            self.problem = " ".join(error.messages)
        except MovementError as error:
            self.problem = movement_refused(error)


def _choose_offered_movement(request: UserRequest, code: str) -> str:
    """Store one of the suggested movements; return the reason of a refusal, else an empty string."""
    with one_snapshot(request):
        offered = _OfferedMovements(request, code, family_name=request.POST.get("family", ""))
    form = MovementForm(request.POST, [advice.offer for advice in offered.advised], offered.pairs)
    if offered.section.is_started:
        return _session_begun_text()
    if offered.problem:
        return offered.problem
    if not form.is_valid():
        return " ".join(map(str, form.non_field_errors())) or _("Choose one of these movements.")
    wants_break = offered.wishes.break_after_half
    return _store_movement(request, offered.section, form.cleaned_data, wants_break=wants_break)


def _session_begun_text() -> str:
    """Return the sentence that refuses to choose a movement after the start."""
    return _("The session has begun; its movement cannot be chosen again.")


def _choose_own(request: UserRequest, code: str) -> str:
    """Store one of the club's own movements; return the reason of a refusal, else an empty string."""
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


def _store_movement(
    request: UserRequest, section: Section, choice: dict[str, Any], *, wants_break: bool
) -> str:
    """Store the chosen movement of a section; return the reason of a refusal, else an empty string."""
    size = choice["size"]
    try:
        section = choose_movement(
            section,
            choice["family"],
            rounds=size.rounds,
            boards_per_round=None if size.total else size.boards_per_round,
            total_boards=size.total,
            options=choice["options"],
            missing_line=choice["line"],
            matches=None if section.match_boards else BoardsWished(),
            wants_break=wants_break,
            by=request.user,
        )
    except MovementError as error:
        return movement_refused(error)
    except BrokenMovement:
        logger.exception("an unlawful movement was offered: %s", choice)
        return _("This movement is not possible with so many. Choose another one.")
    except ChangeRefused as error:
        return change_refused(error)
    sentences = [_("The movement is chosen and everybody has a seat.")]
    if section.contest.has_halves and is_league(section_for_director(request, section.code)):
        sentences.append(
            _("Matches count in victory points. To change this, open “How it is scored”.")
        )
    if section.break_after:
        sentences.append(planned_break_sentence(section))
    fresh = section_for_director(request, section.code)
    sentences += [lent_boards_sentence(fresh, lending_to(fresh)), extra_copy_sentence(fresh)]
    messages.success(request, " ".join(filter(None, sentences)))
    return ""
