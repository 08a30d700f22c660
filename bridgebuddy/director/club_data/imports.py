"""Import of past sessions: files of another program are chosen, previewed, imported, or reverted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date
from hashlib import blake2b
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.clubs.people.names import clean_text
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.clubs.views import club_for_director
from bridgebuddy.events.errors import SectionChanged
from bridgebuddy.events.imports import figure_text
from bridgebuddy.events.models import Import, PastLine
from bridgebuddy.publication.imports import importing
from bridgebuddy.publication.imports.importing import (
    FIRST_YEAR,
    AcceptedSession,
    ImportDraft,
    SessionInFile,
    is_past,
)
from bridgebuddy.publication.imports.name_matching import NameMatch
from bridgebuddy.publication.queries import prefetch_names
from bridgebuddy.scoring.rules.past.model import NotRead
from bridgebuddy.web.folds import redirect_with_part_open
from bridgebuddy.web.http import MOST_DIGITS_OF_A_KEY, read_number

from .import_forms import (
    WHY,
    ImportFilesForm,
    NameQuestion,
    SessionPreview,
    YearPreview,
    checkbox_of_year,
)

REFUSED = 422
MOST_NAME = 80
NEW = "new"
#: of more sessions, those without questions are ticked by year
MANY = 200
#: the most sessions with questions that are shown
MOST_ASKED = 300
#: the most names of missing pairs that are listed
MOST_NAMED = 12


@require_http_methods(["GET", "POST"])
def past_results_import_page(request: UserRequest, pk: int) -> HttpResponse:
    """Show the page for importing past results, with earlier imports; `?open=import&import=7` opens one."""
    club = club_for_director(request, pk)
    form, opened = ImportFilesForm(), None
    if request.GET.get("open") == "import":
        number = read_number(request.GET.get("import"), MOST_DIGITS_OF_A_KEY)
        opened = get_object_or_404(Import.objects.select_related("club"), club=club, pk=number)
    if request.method == "POST":
        form = ImportFilesForm(request.POST, request.FILES)
        if form.is_valid():
            files = form.cleaned_data["chosen"]
            try:
                brought = importing.read_import(
                    club, [(file.name or "", file.read()) for file in files]
                )
            except NotRead as refused:
                form.add_error("chosen", str(WHY[refused.why]))
            else:
                return redirect_to_import(brought)
    more = {}
    if opened:
        more = (
            _imported_context(request, opened)
            if opened.taken_at
            else _preview_context(request, opened)
        )
    return _imports_page(request, club, form, more, REFUSED if form.errors else 200)


def redirect_to_import(brought: Import, **which: str) -> HttpResponse:
    """Redirect to the page of imports with this import open; `which` holds further query values, as a year."""
    which |= {"import": str(brought.pk)}
    return redirect_with_part_open("import", "moving-in", brought.club_id, **which)


def _imports_page(
    request: UserRequest,
    club: Club,
    form: ImportFilesForm,
    extra: dict[str, Any],
    status: int = 200,
) -> HttpResponse:
    """Render the page of imports of past results."""
    context = {
        "club": club,
        "tab": "club",
        "group": "moving-in",
        "form": form,
        "imports": importing.club_imports(club),
        "waits": Import.objects.filter(club=club, taken_at=None).first(),
    }
    return render(request, "director/moving_in/files.html", context | extra, status=status)


@require_http_methods(["GET", "POST"])
def show_import(request: UserRequest, pk: int, brought: int) -> HttpResponse:
    """Import the uploaded files, discard them, or undo an import."""
    club = club_for_director(request, pk)
    imports = Import.objects.select_related("club").filter(club=club)
    if request.method == "POST":
        return _run_button_action(request, imports.filter(pk=brought).first(), club.pk)
    year = request.GET.get("year")
    opened = {"year": year} if year else {}
    return redirect_to_import(get_object_or_404(imports, pk=brought), **opened)


def _run_button_action(request: UserRequest, upload: Import | None, club: int) -> HttpResponse:
    """Run the action of the pressed button on an import.

    Another director may have changed the import since the page was made.
    """
    wish = request.POST.get("do", "")
    if upload is None:  # pressed twice, or replaced by other files
        return (
            _redirect_completed_import(request, club)
            if wish == "take"
            else redirect("moving-in", pk=club)
        )
    match wish:
        case "take" if upload.taken_at is None:
            return _import_chosen_sessions(request, upload)
        case "away":
            if not importing.delete_upload(upload):
                return _redirect_completed_import(request, club)
            return redirect("moving-in", pk=club)
        case "back" if upload.taken_at is not None:
            count = importing.revert_import(upload, by=request.user)
            message = ngettext(
                "%(count)s session was taken back.",
                "%(count)s sessions were taken back.",
                count,
            )
            messages.success(request, message % {"count": count})
            return redirect("moving-in", pk=club)
        case "read" | "unread" if upload.taken_at is not None:
            importing.publish_import(upload, wish == "read", by=request.user)
    return redirect_to_import(upload)


def _redirect_completed_import(request: UserRequest, club: int) -> HttpResponse:
    """Redirect to the page of imports with the message that this import is already completed."""
    messages.warning(request, _("This import has already been completed or discarded."))
    return redirect("moving-in", pk=club)


def _refused_page(request: UserRequest, brought: Import, reason: str) -> HttpResponse:
    """Show the page of imports with the refused import open."""
    more = _preview_context(request, brought, reason)
    return _imports_page(request, brought.club, ImportFilesForm(), more, REFUSED)


def _preview_context(request: UserRequest, brought: Import, reason: str = "") -> dict[str, Any]:
    """Return the template context of the preview of uploaded files before their import."""
    draft = ImportDraft(brought)
    sent = request.POST if request.method == "POST" else None
    named = [
        question
        for question in draft.names.matches_by_key.values()
        if not question.asked and not question.is_forgotten
    ]
    by_year, each = _sessions_by_year(draft)
    sessions = [_session_preview(draft, question, sent) for question in each[:MOST_ASKED]]
    years = [
        YearPreview(year, len(sessions), sent is None or checkbox_of_year(year) in sent)
        for year, sessions in by_year.items()
    ]
    ticked = sum(year.count for year in years if year.is_taken)
    return {
        "preview": brought,
        "brought": brought,
        "sessions": sessions,
        "years": years,
        "all": len(draft.sessions),
        "left_out": len(each) - len(sessions),
        "shortened": [
            (whom, _keep_name_field(whom), sent is not None and _keep_name_field(whom) in sent)
            for whom in draft.names.shortened_names[:MOST_ASKED]
        ],
        "nobodies": _names_with_counts(
            name for session in draft.sessions for name in session.session.left_out
        ),
        "unread": [
            (name_unread.name, WHY[name_unread.why]) for name_unread in draft.unusable_files
        ],
        "questions": [_name_question(question, sent) for question in draft.names.doubtful_names],
        "new": sum(named_person.person is None for named_person in named),
        "known": sum(named_person.person is not None for named_person in named),
        "count": ticked + sum(session.is_taken for session in sessions),
        "refused": reason,
        "first": f"{FIRST_YEAR}-01-01",
    }


def _names_with_counts(names: Iterable[str]) -> str:
    """Return names with their number of sessions, the most frequent first."""
    counts = Counter(names).most_common(MOST_NAMED)
    return ", ".join(f"{name} ({count})" if count > 1 else name for name, count in counts)


def _sessions_by_year(
    draft: ImportDraft,
) -> tuple[dict[int, list[SessionInFile]], list[SessionInFile]]:
    """Return an import's proposed sessions by year, and those that have a check box of their own."""
    by_year: defaultdict[int, list[SessionInFile]] = defaultdict(list)
    each = []
    for session in draft.sessions:
        if _is_grouped_by_year(draft, session) and session.session.date:
            by_year[session.session.date.year].append(session)
        else:
            each.append(session)
    return dict(by_year), each


def _is_grouped_by_year(draft: ImportDraft, past: SessionInFile) -> bool:
    """Return whether a session is imported by the check box of its year instead of one of its own."""
    return len(draft.sessions) > MANY and past.is_plain


def _checkbox_name(draft: ImportDraft, past: SessionInFile) -> str:
    """Return the name of the check box that imports a session."""
    if _is_grouped_by_year(draft, past) and past.session.date:
        return checkbox_of_year(past.session.date.year)
    return f"take-{past.number}"


def _session_preview(draft: ImportDraft, past: SessionInFile, data: Any) -> SessionPreview:
    """Return a session of an uploaded file as the preview shows it, with the user's answers so far."""
    matching, lines = draft.names, []
    for ranking in past.session.rankings:
        title = " ".join(filter(None, (ranking.section, ranking.field)))
        for line in ranking.lines:
            keys = [(player.name, player.national) for player in matching.players(line)]
            names = " & ".join(
                matching.matches_by_key[key].name for key in keys if key in matching.matches_by_key
            )
            called = ": ".join(filter(None, (line.team, names)))
            figure = (line.percent, "percent") if line.percent else (line.total, "total")
            value = figure_text(*figure)
            lines.append((title, str(line.place or ""), value, called or line.label))
    day = "" if past.asks_for_a_day or past.session.date is None else past.session.date.isoformat()
    is_taken, wrong = past.is_taken, ""
    if data is not None:
        day, is_taken = data.get(f"day-{past.number}", day), f"take-{past.number}" in data
        if is_taken and _session_day(data, draft, past) is None:
            wrong = _("Enter the date of the session. It must be in the past.")
        elif is_taken and not _session_name(data, past):
            wrong = _("What was it called?")
    name = data.get(f"name-{past.number}", "") if data is not None else ""
    return SessionPreview(past, lines, day[:10], name[:MOST_NAME], is_taken, wrong)


def _name_question(match: NameMatch, data: Any) -> NameQuestion:
    """Return the question about a doubtful name, with the answer that was sent."""
    field = _name_field(match)
    proposed = str(match.person.pk) if match.person else NEW
    return NameQuestion(field, match, data.get(field, proposed) if data is not None else proposed)


def _keep_name_field(match: NameMatch) -> str:
    """Return the name of the check box that imports a name exactly as it is written."""
    return f"whole-{_name_field(match)}"


def _name_field(match: NameMatch) -> str:
    """Return the field name of the question about a name; it stays the same when other names change."""
    return f"who-{blake2b(repr(match.key).encode(), digest_size=8).hexdigest()}"


def _session_day(data: Any, draft: ImportDraft, past: SessionInFile) -> date | None:
    """Return a session's date from its file or the form; None if it is not in the past."""
    if not past.asks_for_a_day:
        return past.session.date
    try:
        day = parse_date(data.get(f"day-{past.number}", ""))
    except ValueError:
        day = None
    return day if day and is_past(day, draft.club) else None


def _session_name(data: Any, past: SessionInFile) -> str:
    """Return a session's name from its file, else from the form."""
    typed = clean_text(data.get(f"name-{past.number}", "")).replace("\0", "").strip()
    return past.session.name or typed[:MOST_NAME]


def _import_chosen_sessions(request: UserRequest, brought: Import) -> HttpResponse:
    """Import the sessions that are ticked in the preview; show it again if a value is missing."""
    draft, sent = ImportDraft(brought), request.POST
    chosen = [session for session in draft.sessions if _checkbox_name(draft, session) in sent]
    days = {session.number: _session_day(sent, draft, session) for session in chosen}
    wanted = [
        AcceptedSession(session.number, day, _session_name(sent, session))
        for session in chosen
        if (day := days[session.number])
    ]
    if not chosen:
        refused = _("No session is ticked.")
        return _refused_page(request, brought, refused)
    if len(wanted) < len(chosen) or not all(accepted.name for accepted in wanted):
        refused = _("A question below has not been answered.")
        return _refused_page(request, brought, refused)
    whole = [whom.key for whom in draft.names.shortened_names if _keep_name_field(whom) in sent]
    try:
        taken = importing.import_sessions(
            brought, wanted, _answers_to_names(draft, sent), whole=whole, by=request.user
        )
    except SectionChanged:
        return _redirect_completed_import(request, brought.club_id)
    return redirect_to_import(taken)


def _answers_to_names(draft: ImportDraft, data: Any) -> dict[tuple[str, str], Person | None]:
    """Return the person that the user chose for each doubtful name; None stands for a new person."""
    answers: dict[tuple[str, str], Person | None] = {}
    for whom in draft.names.doubtful_names:
        meant = {str(other.pk): other for other in whom.others}
        answer = data.get(_name_field(whom), "")
        if answer == NEW:
            answers[whom.key] = None
        elif answer in meant:
            answers[whom.key] = meant[answer]
    return answers


def _imported_context(request: UserRequest, brought: Import) -> dict[str, Any]:
    """Return the template context of an import's sessions; of many only those of one year."""
    sessions = brought.past_sessions.select_related("session__event", "session__scoring")
    count = sessions.count()
    days = sessions.dates("session__date", "year", order="DESC") if count > MANY else ()
    years = [day.year for day in days]
    asked = request.GET.get("year", "")
    year = next((year for year in years if str(year) == asked), years[0] if years else None)
    listed = sessions.filter(session__date__year=year) if year else sessions
    of_session: dict[int, list[PastLine]] = {}
    for line in prefetch_names(PastLine.objects.filter(past__in=listed.values("pk"))):
        of_session.setdefault(line.past_id, []).append(line)
    return {
        "taken": brought,
        "brought": brought,
        "count": count,
        "years": years,
        "year": year,
        "sessions": [
            (past_session, of_session.get(past_session.pk, []))
            for past_session in listed.order_by("-session__date", "-pk")
        ],
        "is_read": sessions.exclude(session__scoring__published_at=None).exists(),
        "people": brought.club.known_people.filter(pk__in=brought.brought_people).count(),
    }
