"""Making a list final and public, its address, and the files for other programs, on the ranking page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from bridgebuddy.clubs.models import Club, User
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.director.club_data.forms import FirstPublicationForm
from bridgebuddy.director.refusals import change_refused
from bridgebuddy.events.access import one_snapshot, read_in_one_snapshot, section_for_scorer
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.operations.local_network import phone_base
from bridgebuddy.publication.mails.mailing import can_mail, mail_counts
from bridgebuddy.publication.own.printed_codes import give_addresses
from bridgebuddy.scoring.checks.result_check import doubtful_result_count
from bridgebuddy.scoring.files.exports import (
    FORMATS,
    exported_file,
    file_name,
    people_of_session,
    players_without_number,
    supported_formats,
)
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.table_phones.queries.unclear_results import DoubtfulResults
from bridgebuddy.web.http import MOST_DIGITS_OF_A_KEY, read_number
from bridgebuddy.web.qr_codes import qr_svg

from ..context import ResultsPageData
from ..result_checks import doubt_anchor

#: the key of a session of the browser under which refused answers on names wait for the next page
REFUSED_ANSWERS = "refused-names"
#: each file's title and purpose
FILES: dict[str, tuple[str | Promise, str | Promise]] = {
    "usebio": ("USEBIO", gettext_lazy("for the federation, and for most programs")),
    "pbn": ("PBN", gettext_lazy("every board with its results; the cards, where they are known")),
    "bridgewebs": ("BridgeWebs", gettext_lazy("for the club’s page there")),
    "ranking": (gettext_lazy("Ranking"), gettext_lazy("as a table, for a spreadsheet")),
    "text": (gettext_lazy("Text"), gettext_lazy("the ranking for a messenger or the newspaper")),
    "lines": (gettext_lazy("Table of results"), gettext_lazy("a line for each result")),
}


NOT_FOR_BRIDGEWEBS = gettext_lazy(
    "The BridgeWebs table exists for pairs only. BridgeWebs also reads USEBIO files: upload "
    "that file instead."
)


def public_address(request: UserRequest, scoring: ScoringSettings) -> str:
    """Return the public address of a session's results; empty if they are not published."""
    if not scoring.is_published:
        return ""
    return phone_base(request) + reverse("public-results", args=[scoring.token])


def files_of_session(scored: ScoredSession) -> list[tuple[str, str | Promise, str | Promise, str]]:
    """Return the result files of a session for download: name, title, purpose and suffix."""
    names = supported_formats(scored)
    return [
        (name, title, about, FORMATS[name].suffix)
        for name, (title, about) in FILES.items()
        if name in names
    ]


def publication_context(request: UserRequest, scored: ScoredSession) -> dict[str, Any]:
    """Return the template context on publication: address, QR code, mails and files."""
    session = scored.tonight.session
    address = public_address(request, scored.tonight.scoring)
    missing = players_without_number(session)
    has_some = len(missing) < len(people_of_session(session))
    club = session.event.club
    hands_in = has_some or bool(club.federation_number)
    is_first = is_first_publication(scored.tonight.scoring, club)
    return {
        "public_address": address,
        "qr": qr_svg(address, _("QR code: the results")) if address else "",
        "files": files_of_session(scored),
        "without_bridgewebs": ""
        if "bridgewebs" in supported_formats(scored)
        else NOT_FOR_BRIDGEWEBS,
        # clubs without numbers at the federation are not shown the report
        "hands_in": hands_in and scored.tonight.scoring.is_final,
        "without_number": missing if hands_in else [],
        "letters": mail_counts(session.pk) if can_mail() else {},
        "is_first_publication": is_first,
        **(_names_context(request, club) if is_first and request.rights.direct else {}),
    }


def _names_context(request: UserRequest, club: Club) -> dict[str, Any]:
    """Return the template context of the form about who can read which names, shown before publication."""
    refused = request.session.pop(REFUSED_ANSWERS, None)
    return {
        "names_form": FirstPublicationForm(instance=club, initial=refused or {}),
        "is_names_form_open": refused is not None,
    }


def _names_answers(form_data: QueryDict) -> dict[str, str]:
    """Return the sent values of the refused form about names, so that the next page shows them again."""
    return {
        name: str(form_data[name]) for name in FirstPublicationForm.Meta.fields if name in form_data
    }


def is_first_publication(scoring: ScoringSettings, club: Club) -> bool:
    """Return whether the club has published nothing yet, so that the page asks about names."""
    if scoring.is_published or scoring.withdrawn_at:
        return False
    of_club = ScoringSettings.objects.filter(session__event__club=club)
    return not of_club.filter(
        Q(published_at__isnull=False) | Q(withdrawn_at__isnull=False)
    ).exists()


@require_safe
def publish(request: UserRequest, code: str) -> HttpResponse:
    """Redirect the former address of the publication page to the ranking."""
    return redirect("ranking", code=section_for_scorer(request, code).code)


@never_cache
@require_safe
@read_in_one_snapshot
def results_file(request: UserRequest, code: str, format: str) -> HttpResponse:
    """Send a session's results as a file in `format`; redirect while there are no results."""
    read = ResultsPageData(request, code)
    if format not in FORMATS:
        raise Http404("no such file")
    if format not in supported_formats(read.scored):
        messages.warning(request, NOT_FOR_BRIDGEWEBS)
        return redirect("ranking", code=read.section.code)
    if not read.scored.entered_count or read.scored.problem:
        return redirect("ranking", code=read.section.code)
    if hidden := read.page_instead_of_all_results():
        return hidden
    file_format = FORMATS[format]
    response = HttpResponse(
        exported_file(read.section, format),
        content_type=f"{file_format.content_type}; charset={file_format.encoding}",
    )
    response["Content-Disposition"] = content_disposition_header(
        as_attachment=True, filename=file_name(read.scored, format)
    )
    return response


def _make_list_final(section: Section, *, by: User) -> None:
    """Make the ranking final, and give each player the address of a personal page."""
    publishing.make_list_final(section, by=by)
    give_addresses(section, by=by)


DOING: dict[str, Callable[..., object]] = {
    "final": _make_list_final,
    "open": publishing.reopen_list,
    "publish": publishing.publish_results,
    "unpublish": publishing.unpublish_results,
}


@require_POST
def change_list_state(request: UserRequest, code: str) -> HttpResponse:
    """Make the ranking final, reopen it, publish it or withdraw it."""
    do = request.POST.get("do", "")
    with one_snapshot(request):
        section: Section = section_for_scorer(request, code)
        doubts = (
            DoubtfulResults(SessionSnapshot(section)).open_doubts if do == "final-publish" else []
        )
    doubts = [doubt for doubt in doubts if doubt.kind != "missing"]  # asked before the press
    if doubts:  # doubts are a warning and prevent nothing
        count = doubtful_result_count(doubts)
        told = ngettext("%(count)s result not checked.", "%(count)s results not checked.", count)
        messages.warning(request, told % {"count": count})
    if "publish" in do and (errors := _store_names_answers(request, section)):
        messages.warning(request, " ".join([_("Nothing is published yet."), *errors]))
        request.session[REFUSED_ANSWERS] = _names_answers(request.POST)
        return redirect("ranking", code=section.code)
    steps = ["final", "publish"] if do == "final-publish" else [do]
    for step in steps:
        if step in DOING:
            try:
                DOING[step](section, by=request.user)
            except ChangeRefused as refused:
                messages.warning(request, change_refused(refused))
    return redirect(_address_after_action(request, section))


def _store_names_answers(request: UserRequest, section: Section) -> list[str]:
    """Store who can read which names, as asked before the club's first publication.

    Return the errors of a refused form, which prevents the publication; the ranking asks again.
    """
    scoring = SessionSnapshot(section).scoring
    if "public_names" not in request.POST or not request.rights.direct:
        return []
    form = FirstPublicationForm(request.POST, instance=Club.objects.get(pk=section.club.pk))
    if not is_first_publication(scoring, section.club):
        return []
    if form.is_valid():
        form.save()
        return []
    errors: Any = form.errors
    return [
        f"{form.fields[name].label}: {error}" for name, told in errors.items() for error in told
    ]


def _address_after_action(request: UserRequest, section: Section) -> str:
    """Return the address of the page whose button was pressed: ranking, doubtful results, or a result."""
    at = request.POST.get("at", "")
    if at == "look-at":
        there = doubt_anchor(request.POST.get("doubt", ""))
        return f"{reverse('look-at', args=[section.code])}#{there}"
    if key := read_number(at, MOST_DIGITS_OF_A_KEY):
        address = reverse("results-line", args=[section.code, key])
        doubt = request.POST.get("doubt", "")
        return f"{address}?{urlencode({'doubt': doubt})}" if doubt else address
    return reverse("ranking", args=[section.code])
