"""The public address of the results, and the files for other programs, on the ranking page."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bridgebuddy.clubs.models import Club
from bridgebuddy.clubs.requests import UserRequest
from bridgebuddy.events.access import of_one_moment, section_for_scorer
from bridgebuddy.operations.local_network import phone_base
from bridgebuddy.publication.mailing import can_mail, mail_counts
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.queries.files import (
    FORMATS,
    exported_file,
    file_name,
    formats_of,
    players_of,
    without_number,
)
from bridgebuddy.scoring.queries.scored import ScoredSession
from bridgebuddy.web.qr_codes import qr_svg

from .context import ResultsContext

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
    """Return the public address of the results; empty if they are not published."""
    if not scoring.is_published:
        return ""
    return phone_base(request) + reverse("public-results", args=[scoring.token])


def files_of(scored: ScoredSession) -> list[tuple[str, str | Promise, str | Promise, str]]:
    """Return the files of a session: name, title, purpose and suffix."""
    names = formats_of(scored)
    return [
        (name, title, about, FORMATS[name].suffix)
        for name, (title, about) in FILES.items()
        if name in names
    ]


def publication_context(request: UserRequest, scored: ScoredSession) -> dict[str, Any]:
    """Return the ranking's context on publication: address, QR code, mails and files."""
    session = scored.tonight.session
    address = public_address(request, scored.tonight.scoring)
    missing = without_number(session)
    has_some = len(missing) < len(players_of(session))
    hands_in = has_some or bool(session.event.club.federation_number)
    return {
        "public_address": address,
        "qr": qr_svg(address, _("QR code: the results")) if address else "",
        "files": files_of(scored),
        "without_bridgewebs": "" if "bridgewebs" in formats_of(scored) else NOT_FOR_BRIDGEWEBS,
        # clubs without numbers at the federation are not shown the report
        "hands_in": hands_in and scored.tonight.scoring.is_final,
        "without_number": missing if hands_in else [],
        "letters": mail_counts(session.pk) if can_mail() else {},
        "is_first_publication": _is_first_publication(scored.tonight.scoring, session.event.club),
    }


def _is_first_publication(scoring: ScoringSettings, club: Club) -> bool:
    """Return whether the club has published nothing yet, so that the page says who will read which names."""
    if scoring.is_published or scoring.withdrawn_at:
        return False
    of_club = ScoringSettings.objects.filter(session__event__club=club)
    return not of_club.filter(
        Q(published_at__isnull=False) | Q(withdrawn_at__isnull=False)
    ).exists()


@require_safe
def publish(request: UserRequest, code: str) -> HttpResponse:
    """Redirect to the ranking from the old address of a separate page."""
    return redirect("ranking", code=section_for_scorer(request, code).code)


@never_cache
@require_safe
@of_one_moment
def results_file(request: UserRequest, code: str, format: str) -> HttpResponse:
    """Send the results in a format; redirect while there are no results."""
    read = ResultsContext(request, code)
    if format not in FORMATS:
        raise Http404("no such file")
    if format not in formats_of(read.scored):
        messages.warning(request, NOT_FOR_BRIDGEWEBS)
        return redirect("ranking", code=read.section.code)
    if not read.scored.entered or read.scored.problem:
        return redirect("ranking", code=read.section.code)
    if hidden := read.everything():
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
