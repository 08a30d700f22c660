"""The movement library, open to the public."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from movements.engine import catalogue
from movements.engine.errors import MovementError, UnknownFamily
from movements.engine.families.family import Family
from movements.engine.files import document
from movements.engine.files.document import MovementDocument
from movements.engine.model import Movement
from movements.http import HtmxRequest

from ..words.refusals import movement_refused
from ..words.sentences import catalogue_words, family_title, plain_label
from .forms import FilterForm
from .library import LARGEST, MovementPage, family_overview, family_variants, movement_versions
from .literature import LITERATURE


@require_safe
def library(request: HtmxRequest) -> HttpResponse:
    """Show the overview of the library: the movements for each number of tables."""
    form = FilterForm(request.GET)
    filters = form.read_filter()
    context = {
        "tab": "library",
        "form": form,
        "rows": family_overview(filters),
        "tables": filters.sizes,
        "is_asked": bool(request.GET),
        "now": _number_or_zero(request.GET.get("tables", "")),
    }
    template = "movements/library.html#matrix" if request.htmx else "movements/library.html"
    return render(request, template, context)


@require_safe
def movement(request: HttpRequest, family: str, tables: int) -> HttpResponse:
    """Show the page of one movement: facts, rules, grid, fairness, sources."""
    the_family = _family_or_404(family)
    options, problem = _read_options(the_family, request.GET)
    built, refusal = _build_movement(the_family, tables, request.GET, options)
    if built is None and not the_family.possible_rounds(tables):
        context = {
            "ways": family_variants(the_family, tables),
            "tab": "library",
            "family": the_family,
            "tables": tables,
            "refusal": refusal,
            "nearest": _nearest_table_counts(the_family, tables),
            "is_near": the_family.smallest <= tables <= the_family.largest,
            "others": [offer for offer, _rounds in catalogue.families_with_usual_rounds(tables)][
                :8
            ],
        }
        return render(request, "movements/impossible.html", context, status=404)
    ways_asked = options if the_family.sizes_with(options) else {}
    if built is None:  # replacement: the same in its usual length, or the family's usual form
        built = _build_movement(the_family, tables, {}, options)[0]
        if built is None:
            built, options = _build_movement(the_family, tables, {}, {})[0], {}
        assert built is not None
    context = {
        "tab": "library",
        "family": the_family,
        "size": tables,
        "movement": built,
        "shown": MovementPage(built),
        "versions": movement_versions(the_family, built, options.get("version", "")),
        "is_published": options.get("version") == "published" and not refusal,
        "problem": problem or refusal,
        "literature": LITERATURE,
        "legal_rounds": the_family.possible_rounds(tables, options),
        "asked_rounds": _number_or_zero(request.GET.get("rounds", "")),
        "missing": request.GET.get("missing", ""),
        "answers": request.GET,
        "sizes": [t for t in the_family.sizes_with(ways_asked) if t <= LARGEST],
        "query": request.GET.urlencode(),
        "code": plain_code(request.GET.get("for", "")),
        "ways_query": urlencode(
            {
                f"option-{option.name}": option.text_of(ways_asked[option.name])
                for option in the_family.options
                if option.name in ways_asked
            }
        ),
    }
    return render(request, "movements/movement.html", context, status=422 if refusal else 200)


@require_safe
def download(request: HttpRequest, family: str, tables: int, form: str) -> HttpResponse:
    """Return a movement as a JSON or CSV file."""
    the_family = _family_or_404(family)
    options, _problem = _read_options(the_family, request.GET)
    built, refusal = _build_movement(the_family, tables, request.GET, options)
    if built is None or form not in ("json", "csv"):
        raise Http404(refusal)
    name = f"{family}-{tables}x{built.rounds}.{form}"
    about = {"name": f"{family_title(family)}, {tables} tables, {built.rounds} rounds"}
    if form == "json":
        text, kind = document.write_json(MovementDocument(built, about)), "application/json"
    else:
        text, kind = document.write_csv(built, is_complete=True), "text/csv; charset=utf-8"
    return HttpResponse(
        text, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def requested_movement(
    family: Family, tables: int, answers: Mapping[str, str]
) -> tuple[Movement | None, str]:
    """Return the movement that an address asks for, or the reason why it is impossible."""
    options, _problem = _read_options(family, answers)
    return _build_movement(family, tables, answers, options)


def _family_or_404(name: str) -> Family:
    """Return a family; raise `Http404` for unknown names."""
    try:
        return catalogue.find_family(name)
    except UnknownFamily as error:
        raise Http404(str(error)) from None


def plain_code(code: str) -> str:
    """Return the code of the session from whose suggestions the reader came; empty if it is invalid."""
    return code if code.isalnum() and len(code) <= 12 else ""


def _number_or_zero(text: str) -> int:
    """Return the number that a text of up to three digits holds; 0 for other texts."""
    return int(text) if text.isdecimal() and len(text) < 4 else 0


def _read_options(family: Family, answers: Mapping[str, str]) -> tuple[dict[str, Any], str]:
    """Return a family's options in the address, and the error if one is invalid."""
    options, problem = {}, ""
    for option in family.options:
        typed = answers.get(f"option-{option.name}", "").strip()
        if typed:
            try:
                options[option.name] = option.read(typed)
            except ValueError:
                problem = f"{catalogue_words(option.help)}: {typed[:20]}?"
    return options, problem


def _build_movement(
    family: Family, tables: int, answers: Mapping[str, str], options: Mapping[str, Any]
) -> tuple[Movement | None, str]:
    """Return the requested movement, or the reason why it is impossible."""
    legal = family.possible_rounds(tables, options)
    rounds = _number_or_zero(answers.get("rounds", "")) or family.default_rounds(tables, options)
    missing = plain_label(answers.get("missing", "").strip()[:10]) or None
    try:
        return (
            catalogue.build_movement(
                family.name, tables, rounds or (legal[-1] if legal else None), missing, options
            ),
            "",
        )
    except MovementError as error:
        return None, movement_refused(error)


def _nearest_table_counts(family: Family, tables: int) -> list[int]:
    """Return the numbers of tables nearest to this one for which the family has a movement."""
    return sorted(sorted(family.sizes, key=lambda size: abs(size - tables))[:4])
