"""Entering or correcting one result: by a line, by keys, or as a board without a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.events.access import read_in_one_snapshot, section_for_scorer
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.checks.effects import result_effect
from bridgebuddy.scoring.errors import NoPlay
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules.contract_notation import BOOK, MOST_TRICKS
from bridgebuddy.scoring.rules.outcomes import stored_outcome
from bridgebuddy.scoring.services import results
from bridgebuddy.scoring.snapshot.lines import PlayLine
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.words import MINUS, outcome_text, seat_letter, suit_shape
from bridgebuddy.table_phones.queries.playing_directors import DirectorUnplayedBoards

from ..context import hidden_results_page
from ..pages import pages_of
from .table_rows import TableRow, rows_by_table
from .typed_results import (
    LONGEST,
    TypedResult,
    contract_letters,
    outcome_with_lead,
    read_line,
    result_line,
    typed_result_of_outcome,
)

STRAINS = ("C", "D", "H", "S", "NT")
DOUBLED = ("", "x", "xx")
SEATS = ("N", "E", "S", "W")
MOST_OVER = MOST_TRICKS - BOOK - 1
OVER = range(MOST_OVER, -MOST_TRICKS - 1, -1)  # overtricks and undertricks: +6 … −13
MOST_POINTS = 9999
UNPLAYED = {
    "time": gettext_lazy("no time left"),
    "skipped": gettext_lazy("left out"),
    "missing": gettext_lazy("somebody was missing"),
    "cancelled": gettext_lazy("cancelled"),
    "later": gettext_lazy("will be played later"),
}


class ResultEntryForm(forms.Form):
    """Base form for a board's result, with the number of the result that the page showed."""

    after = forms.IntegerField(min_value=0, max_value=32767)

    def __init__(self, board: int, data: QueryDict | None, initial: Mapping[str, Any]) -> None:
        self.board = board
        super().__init__(data, initial=dict(initial), auto_id=f"id_{self.how}_%s")

    how = ""
    #: the field that shows an error about an impossible outcome
    blamed = ""

    def outcome(self) -> Mapping[str, Any] | None:
        """Return the result in the valid form as a dictionary, as it is stored; None for no result."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        """Refuse a result that is impossible on this board."""
        cleaned: dict[str, Any] = self.cleaned_data
        if not self.errors:
            reading = typed_result_of_outcome(self.outcome(), self.board)
            if reading.problem:
                self.add_error(self.blamed or None, reading.problem)
        return cleaned


class TypedResultForm(ResultEntryForm):
    """The form for a result as a scorer types it: `4hs=`."""

    how = blamed = "line"
    line = forms.CharField(
        label=gettext_lazy("Result in short form"),
        max_length=LONGEST,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )

    def clean_line(self) -> str:
        """Return the typed result as read, or refuse it with a reason."""
        line: str = self.cleaned_data["line"]
        self.reading: TypedResult = read_line(line, self.board)
        if self.reading.problem:
            raise forms.ValidationError(self.reading.problem)
        return line

    def outcome(self) -> Mapping[str, Any] | None:
        """Return the typed result as a dictionary, as it is stored."""
        return self.reading.outcome


class ResultKeysForm(ResultEntryForm):
    """The form for a result whose contract, doubling, declarer and tricks are each chosen by a key."""

    how = "keys"
    blamed = "over"
    level = forms.TypedChoiceField(
        label=gettext_lazy("Level"),
        coerce=int,
        choices=[(level, str(level)) for level in range(1, 8)],
        widget=forms.RadioSelect,
    )
    strain = forms.ChoiceField(label=gettext_lazy("Suit"), widget=forms.RadioSelect)
    doubled = forms.ChoiceField(
        label=gettext_lazy("Doubled"),
        choices=[("", gettext_lazy("no")), ("x", "X"), ("xx", "XX")],
        required=False,
        widget=forms.RadioSelect,
    )
    declarer = forms.ChoiceField(label=gettext_lazy("Who was declarer?"), widget=forms.RadioSelect)
    over = forms.TypedChoiceField(label=gettext_lazy("Tricks"), coerce=int)

    def __init__(self, board: int, data: QueryDict | None, initial: Mapping[str, Any]) -> None:
        super().__init__(board, data, initial)
        offered: dict[str, list[tuple[object, object]]] = {
            "strain": [(strain, suit_shape(strain[0])) for strain in STRAINS],
            "declarer": [(seat, seat_letter(seat)) for seat in SEATS],
            "over": [(value, _overtricks_text(value)) for value in OVER],
        }
        for name, choices in offered.items():
            self.fields[name].choices = choices  # type: ignore[attr-defined]

    def outcome(self) -> Mapping[str, Any]:
        """Return the chosen contract, declarer and tricks as a result dictionary, as it is stored."""
        cleaned = self.cleaned_data
        return {
            "contract": f"{cleaned['level']}{cleaned['strain']}{cleaned['doubled']}",
            "declarer": cleaned["declarer"],
            "tricks": BOOK + cleaned["level"] + cleaned["over"],
        }

    def clean_over(self) -> int:
        """Return the over- or undertricks; refuse a number that makes more than 13 tricks or fewer than 0."""
        over: int = self.cleaned_data["over"]
        level = self.cleaned_data.get("level")
        if level is not None and not 0 <= BOOK + level + over <= MOST_TRICKS:
            raise forms.ValidationError(
                _("At most +%(most)s, at least −%(least)s.")
                % {"most": MOST_TRICKS - BOOK - level, "least": BOOK + level}
            )
        return over


def _overtricks_text(overtricks: int) -> str:
    """Return overtricks or undertricks as text: "+1", "−2"."""
    if overtricks == 0:
        return _("= just made")
    return f"+{overtricks}" if overtricks > 0 else f"{MINUS}{-overtricks}"


class PassedForm(ResultEntryForm):
    """The form for a board that was passed out."""

    how = "passed"

    def outcome(self) -> Mapping[str, Any]:
        """Return the outcome of a passed-out board."""
        return {"passed": True}


class ScoreForm(ResultEntryForm):
    """The form for the score of North-South, if nothing else is known."""

    how = blamed = "score"
    score = forms.IntegerField(
        label=gettext_lazy("Points of North-South"),
        min_value=-MOST_POINTS,
        max_value=MOST_POINTS,
    )

    def outcome(self) -> Mapping[str, Any]:
        """Return the typed score as a result dictionary, as it is stored."""
        return {"score": self.cleaned_data["score"]}


class UnplayedForm(ResultEntryForm):
    """The form for a board that was not played, with the reason, or is played later."""

    how = blamed = "unplayed"
    unplayed = forms.ChoiceField(label=gettext_lazy("Not played"), choices=UNPLAYED)

    def outcome(self) -> Mapping[str, Any]:
        """Return the reason for not playing the board as a result dictionary, as it is stored."""
        why = self.cleaned_data["unplayed"]
        return {"pending": True} if why == "later" else {"not_played": why}


class UnknownResultForm(ResultEntryForm):
    """The form that removes a result, because it is unknown after all."""

    how = "nothing"

    def outcome(self) -> None:
        """Return None, which removes the result."""
        return None


FORMS: dict[str, type[ResultEntryForm]] = {
    line_form.how: line_form
    for line_form in (
        TypedResultForm,
        ResultKeysForm,
        PassedForm,
        ScoreForm,
        UnplayedForm,
        UnknownResultForm,
    )
}


@dataclass
class ResultPage:
    """A play with its result and the forms to enter it."""

    line: PlayLine
    answered: ResultEntryForm | None = None
    problem: str = ""

    @cached_property
    def row(self) -> TableRow:
        """Return the encounter of two sides at this table and round to which the play belongs."""
        return rows_by_table([self.line])[0]

    @property
    def address(self) -> str:
        """Return the address of the results of this round and table."""
        address = reverse("results", args=[self.line.section.code])
        return f"{address}?round={self.line.round}#table-{self.line.table}"

    @cached_property
    def reading(self) -> TypedResult:
        """Return the stored result as `TypedResult`, with its text and score."""
        return typed_result_of_outcome(self.line.outcome, self.line.board)

    @cached_property
    def forms(self) -> dict[str, ResultEntryForm]:
        """Return all forms by name; a refused form keeps its typed values."""
        answers = {
            how: form(self.line.board, None, self._initial_values) for how, form in FORMS.items()
        }
        return answers | ({self.answered.how: self.answered} if self.answered else {})

    @property
    def _initial_values(self) -> dict[str, Any]:
        """Return the initial values of the forms from the present result."""
        outcome = self.line.outcome or {}
        initial: dict[str, Any] = {
            "line": result_line(outcome),
            "score": outcome.get("score"),
            "unplayed": outcome.get("not_played") or ("later" if "pending" in outcome else ""),
            "doubled": "",
            "over": 0,
        }
        if contract := outcome.get("contract"):
            name = contract.rstrip("x")
            initial |= {
                "level": int(name[0]),
                "strain": name[1:],
                "doubled": contract[len(name) :],
                "declarer": outcome["declarer"],
                "over": outcome["tricks"] - BOOK - int(name[0]),
            }
        return initial


@never_cache
@require_http_methods(["GET", "POST"])
def enter_result(request: UserRequest, code: str, play: int) -> HttpResponse:
    """Show the forms for a play's result, and store a typed or tapped result."""
    if request.method == "POST":
        return _store_entered_result(request, code, play)
    return _entry_page(request, code, play)


def _store_entered_result(request: UserRequest, code: str, play: int) -> HttpResponse:
    """Store a result that the director typed or tapped, and redirect to the next board."""
    section = section_for_scorer(request, code)
    board = _board_number(section, play)
    kind = FORMS.get(request.POST.get("how", ""))
    if kind is None or board is None:
        return _entry_page(request, code, play)
    form = kind(board, request.POST, {})
    if not form.is_valid():
        return _entry_page(request, code, play, form)
    stands = Result.objects.filter(play=play, play__section=section, stands=True).first()
    outcome = outcome_with_lead(form.outcome(), stands.outcome if stands else None)
    after = form.cleaned_data["after"]
    if request.POST.get("do") == "show":
        return _entry_page(request, code, play, form, show=True)
    try:
        stored = results.enter_result(section, play, outcome, after=after, by=request.user)
    except ChangeRefused as refused:
        return _entry_page(request, code, play, form, change_refused(refused))
    messages.success(request, _stored_result_text(stored))
    return redirect(ResultPage(_play_line(stored, section)).address)


def _board_number(section: Section, play: int) -> int | None:
    """Return the board number of a play; None if the play no longer exists."""
    plays = section.plays.filter(pk=play, taken_back_at=None)
    return plays.values_list("board", flat=True).first()


def _play_line(result: Result, section: Section) -> PlayLine:
    """Make a `PlayLine` (a board played at a table in a round) for a result, without reading the session."""
    play = result.play
    return PlayLine(0, section, play.round, play.table, play.board, (), (), play.pk)


def _stored_result_text(result: Result) -> str:
    """Return the message after a result is stored."""
    return _("Table %(table)s, board %(board)s: %(result)s") % {
        "table": result.play.table,
        "board": result.play.board,
        "result": outcome_text(result.outcome) or _("no result"),
    }


@read_in_one_snapshot
def _entry_page(
    request: UserRequest,
    code: str,
    play: int,
    form: ResultEntryForm | None = None,
    problem: str = "",
    show: bool = False,
) -> HttpResponse:
    """Render the forms for a play's result; `show` adds the effect of a correction."""
    section = section_for_scorer(request, code)
    tonight = SessionSnapshot(section)
    before = DirectorUnplayedBoards(tonight, request.user)
    line = before.visible_session.line_of(play) if section.is_started else None
    if line is None or line.section.pk != section.pk:
        messages.warning(request, change_refused(NoPlay()))
        return redirect("results", code=section.code)
    if line.is_hidden:
        return hidden_results_page(request, section, [line.board])
    page = ResultPage(line, form, problem)
    context = {
        "section": section,
        "tab": "results",
        "page": "results",
        "pages": pages_of(section),
        "entering": page,
        "line": line,
        "letters": contract_letters(),
    }
    if show and form is not None and tonight.cards_of(line) not in before.cards:
        scored = ScoredSession(tonight)
        outcome = form.outcome()
        document = tonight.document.with_outcome([line.index], stored_outcome(outcome))
        context |= {"scored": scored, "effect": result_effect(scored, document, [line])}
    status = 409 if problem else 422 if form and form.errors else 200
    return render(request, "director/results/enter.html", context, status=status)
