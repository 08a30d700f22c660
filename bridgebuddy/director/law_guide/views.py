"""Views of the guide: the twelve subjects, a step, the paper, and the choice of the board."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.rules import RUN_SESSIONS
from bridgebuddy.events.access import read_in_one_snapshot, section_for_director
from bridgebuddy.events.models import Section
from bridgebuddy.rulings.guide import FinalStep, StepWithPath, Subject, answers_of_step, find_place
from bridgebuddy.rulings.subjects import SUBJECTS, find_subject
from bridgebuddy.rulings.subjects.common import LIKELY, fault_question
from bridgebuddy.scoring.snapshot.lines import PlayLine
from bridgebuddy.web.folds import redirect_with_part_open
from bridgebuddy.web.http import read_number

from ..results.context import ResultsPageData
from .addresses import GuideAddresses, correction_query


@require_safe
@read_in_one_snapshot
def show_subjects(request: HttpRequest, code: str = "") -> HttpResponse:
    """Show the twelve subjects of the guide to rulings; `?open=paper` shows a page to print."""
    section = _section_of_address(request, code)
    addresses = GuideAddresses.of_request(request, section)
    subjects = [
        (subject, addresses.address_of_step(subject, subject.first)) for subject in SUBJECTS
    ]
    context = {**_base_context(section, addresses), "subjects": subjects}
    if request.GET.get("open") == "paper":
        only = find_subject(request.GET.get("only", ""))
        context |= {
            "printed": [only] if only else SUBJECTS,
            "fault": fault_question("fault"),
            "likely": LIKELY,
        }
    return render(request, "director/laws/start.html", context)


@require_safe
@read_in_one_snapshot
def show_step(request: HttpRequest, subject: str, step: str, code: str = "") -> HttpResponse:
    """Show a step of the guide to rulings: a question with its answers, or what the director says and does."""
    section = _section_of_address(request, code)
    addresses = GuideAddresses.of_request(request, section)
    found, place = _subject_and_place(subject, step)
    before = place.previous_step
    context = {
        **_base_context(section, addresses),
        "subject": found,
        "step": place.step,
        "given": place.way[-1][1] if place.way else None,
        "back": addresses.address_of_step(found, before) if before else addresses.start,
        "is_first": before is None,
        "answers": [
            (answer, addresses.address_of_step(found, answer.then))
            for answer in answers_of_step(place.step)
        ],
        "is_end": isinstance(place.step, FinalStep),
        "boards": addresses.board_choice_address(found, place.step),
        "paper": addresses.print_address_of(found),
    }
    return render(request, "director/laws/step.html", context)


@require_safe
@read_in_one_snapshot
def print_subjects(request: HttpRequest, code: str = "") -> HttpResponse:
    """Redirect the former address of the printable guide to the list of subjects."""
    section = _section_of_address(request, code)
    only = {"only": found.name} if (found := find_subject(request.GET.get("only", ""))) else {}
    if section:
        return redirect_with_part_open("paper", "guide-laws", section.code, **only)
    return redirect_with_part_open("paper", "help-laws", **only)


@never_cache
@require_safe
@read_in_one_snapshot
def board(request: UserRequest, code: str, subject: str, step: str) -> HttpResponse:
    """Ask on which board a ruling is given; redirect at once if only one board is possible."""
    read = ResultsPageData(request, code, may=RUN_SESSIONS)
    addresses = GuideAddresses.of_request(request, read.section)
    found, place = _subject_and_place(subject, step)
    end = place.step
    if not isinstance(end, FinalStep) or end.award is None:
        raise Http404("nothing to correct here")
    lines = [
        line
        for line in read.tonight.lines_of_section(read.section)
        if line.has_begun and addresses.table in (0, line.table)
    ]
    rounds = sorted({line.round for line in lines})
    asked = read_number(request.GET.get("round"))
    round = asked if asked in rounds else max(rounds, default=0)
    of_round = [line for line in lines if line.round == round]
    ready = [line for line in of_round if line.outcome is not None or not end.award.needs_result]
    query = correction_query(end.award, found, place.laws)
    if addresses.table and asked is None and len(ready) == len(of_round) == 1:
        return redirect(_correction_address(read.section, ready[0], query))
    context = read.context(
        "boards",
        **_base_context(read.section, addresses),
        subject=found,
        back=addresses.address_of_step(found, end),
        tables=[
            (
                table,
                [
                    (line, _correction_address(read.section, line, query) if line in ready else "")
                    for line in at_table
                ],
            )
            for table, at_table in groupby(
                sorted(of_round, key=lambda line: (line.table, line.board)),
                key=lambda line: line.table,
            )
        ],
        round=round,
        rounds=rounds,
        has_ready=bool(ready),
    )
    return render(request, "director/laws/board.html", context)


def _section_of_address(request: HttpRequest, code: str) -> Section | None:
    """Return the section of a code, or None for a page without a section."""
    return section_for_director(request, code) if code else None


def _base_context(section: Section | None, addresses: GuideAddresses) -> dict[str, Any]:
    """Return the template context of all pages of the guide to rulings."""
    return {"section": section, "tab": "desk" if section else "help", "addresses": addresses}


def _subject_and_place(subject: str, step: str) -> tuple[Subject, StepWithPath]:
    """Return the guide's subject and its step with these names.

    Raises `Http404`.
    """
    found = find_subject(subject)
    place = find_place(found, step) if found else None
    if found is None or place is None:
        raise Http404("no such step")
    return found, place


def _correction_address(section: Section, line: PlayLine, query: str) -> str:
    """Return the address of the page that corrects the result of a play, with the ruling filled in."""
    return reverse("results-line", args=[section.code, line.play]) + query
