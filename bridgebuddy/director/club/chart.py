"""A club's movement chart: edited line by line, as a file, and on paper."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_http_methods, require_safe

from bridgebuddy.clubs.models import Club
from bridgebuddy.clubs.views import club_for_director
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.sessions.club_sessions import order_newest_first, real_sessions
from bridgebuddy.planning.charts import chart_of_club, own_chart, store_chart, store_chart_line
from bridgebuddy.planning.equipment import club_equipment
from bridgebuddy.planning.rules.chart import (
    LONGEST_REASON,
    MOST_BOARDS_A_ROUND,
    BadChart,
    ChartLine,
    MovementChoice,
    chart_line_for,
    chart_text,
    read_chart,
    usual_chart,
)
from movements.engine import catalogue
from movements.engine.contest import Contest
from movements.engine.drawing.draws import DRAWN_ON_RESULTS
from movements.words.sentences import family_title

from .equipment import EquipmentForm, store_equipment

REFUSED = 422
#: numbers of pairs of a club that has not played yet; those around the numbers that came
FIRST_SIZES, AROUND = range(6, 25), 3
#: sessions whose numbers of pairs are looked at
LATEST = 60
MOST_BYTES = 200_000


class ChartLineForm(forms.Form):
    """The form for a row of the movement chart: the movement for a number of pairs."""

    family = forms.ChoiceField(label=_lazy("Movement"))
    rounds = forms.IntegerField(label=_lazy("Rounds"), min_value=1, max_value=60)
    boards = forms.IntegerField(
        label=_lazy("Boards a round"), min_value=1, max_value=MOST_BOARDS_A_ROUND
    )
    missing = forms.ChoiceField(
        label=_lazy("Sitting out at a half table"),
        choices=[("", _lazy("as usual")), ("ew", _lazy("North-South")), ("ns", _lazy("East-West"))],
        required=False,
    )
    reason = forms.CharField(label=_lazy("Why"), max_length=LONGEST_REASON, required=False)

    def __init__(self, data: Any = None, *, line: ChartLine) -> None:
        choice = line.choice
        super().__init__(
            data,
            initial={
                "family": choice.family,
                "rounds": choice.rounds,
                "boards": choice.boards,
                "missing": choice.missing,
                "reason": line.reason,
            },
        )
        self.line = line
        self.fields["family"].choices = sorted(  # type: ignore[attr-defined]  # it is a choice
            (
                (family.name, family_title(family.name))
                for family in catalogue.FAMILIES
                if family.contest == Contest.PAIRS and family.name not in DRAWN_ON_RESULTS
            ),
            key=lambda item: item[1],
        )

    def read(self) -> ChartLine:
        """Return the chart line that the valid form describes.

        Raises `BadChart` if that number of pairs cannot play it.
        """
        cleaned = self.cleaned_data
        is_same = cleaned["family"] == self.line.choice.family
        wanted = {
            "pairs": self.line.pairs,
            "family": cleaned["family"],
            "rounds": cleaned["rounds"],
            "boards": cleaned["boards"],
            "missing": cleaned["missing"] or None,
            "options": dict(self.line.choice.options) if is_same else {},
            "reason": cleaned["reason"],
        }
        (line,) = read_chart(json.dumps({"lines": [wanted]}, default=list))
        others = [other for other in self.line.others if other.family != line.choice.family]
        if not is_same:
            others = [self.line.choice, *others]
        return ChartLine(line.pairs, line.choice, line.reason, tuple(others[:2]))


@require_http_methods(["GET", "POST"])
def chart(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a club's movement chart; store one line, an uploaded chart, or the suggested chart."""
    club = club_for_director(request, pk)
    lines = chart_of_club(club)
    sent = request.POST if request.method == "POST" else None
    line = chart_line_for(
        lines, _number_or_zero(request.POST.get("pairs") or request.GET.get("pairs"))
    )
    form = ChartLineForm(sent if sent and "family" in sent else None, line=line) if line else None
    material = EquipmentForm(
        sent if sent and "board_sets" in sent else None, instance=club_equipment(club)
    )
    problem = ""
    if sent is not None:
        try:
            if material.is_bound:
                problem = store_equipment(material)
            elif "fill" in sent:
                store_chart(club, usual_chart())
            elif "file" in request.FILES:
                store_chart(club, read_chart(_uploaded_text(request)))
            elif form and form.is_valid():
                store_chart_line(club, form.read())
            else:
                problem = _("Say which movement, how many rounds and how many boards.")
        except BadChart as error:
            problem = _("This cannot be played: %(why)s") % {"why": error}
        if not problem:
            messages.success(
                request, _("Saved.") if material.is_bound else _("The chart is saved.")
            )
            return redirect("club-chart", pk=club.pk)
    sizes = usual_pair_counts(club)
    shown = lines if "all" in request.GET else [line for line in lines if line.pairs in sizes]
    context = {
        "club": club,
        "tab": "club",
        "group": "chart",
        "lines": [
            (
                chart_line,
                _movement_choice_title(chart_line.choice),
                _movement_choice_titles(chart_line.others),
            )
            for chart_line in shown
        ],
        "hidden": len(lines) - len(shown),
        "is_own": bool(own_chart(club)),
        "line": line,
        "form": form,
        "material": material,
        "problem": problem,
    }
    return render(request, "director/club/chart.html", context, status=REFUSED if problem else 200)


def usual_pair_counts(club: Club) -> range:
    """Return the range of numbers of pairs in a club's latest sessions, widened a little at both ends."""
    latest = order_newest_first(real_sessions(club))[:LATEST]
    sections = Section.objects.filter(session__in=list(latest), contest=Contest.PAIRS)
    counts = sections.annotate(pairs=Count("entries")).filter(pairs__gt=0, round__gt=0)
    pairs = sorted(counts.values_list("pairs", flat=True))
    return range(pairs[0] - AROUND, pairs[-1] + AROUND + 1) if pairs else FIRST_SIZES


@require_safe
def chart_file(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a club's movement chart as a JSON file, for another club or the `chart` command."""
    club = club_for_director(request, pk)
    answer = HttpResponse(chart_text(chart_of_club(club)), content_type="application/json")
    answer["Content-Disposition"] = 'attachment; filename="chart.json"'
    return answer


def _number_or_zero(text: str | None) -> int:
    """Return the number in a text of up to three digits; 0 for other texts."""
    return int(text) if text and text.isdecimal() and len(text) < 4 else 0


def _uploaded_text(request: HttpRequest) -> str:
    """Return the text of the uploaded chart file. Raises `BadChart` if it is no small text file."""
    file = request.FILES["file"]
    if isinstance(file, list) or not file.size or file.size > MOST_BYTES:
        raise BadChart("chart", _("the file is missing or too large"))
    try:
        return str(file.read().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadChart("chart", _("this is no text")) from error


def _movement_choice_title(choice: MovementChoice) -> str:
    """Return the title of the family of a chart's movement."""
    return family_title(choice.family)


def _movement_choice_titles(choices: tuple[MovementChoice, ...]) -> str:
    """Return the titles of the families of several movements, each once."""
    return ", ".join(dict.fromkeys(map(_movement_choice_title, choices)))
