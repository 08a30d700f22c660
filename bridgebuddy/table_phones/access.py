"""Access to a table's pages by its secret, for the contestants that play there.

A secret opens one table of one session. Alone, it would show any former visitor of the table the
boards that they have still to play. So a phone belongs to one contestant, chosen where its first
secret was entered, and shows no other boards.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe

from bridgebuddy.clubs.club_locale import use_club_formats, use_reader_language
from bridgebuddy.clubs.sign_in.limits import AttemptLimit, count_all, network_of
from bridgebuddy.clubs.sign_in.security import EventKind, store_security_event
from bridgebuddy.events import code_limits
from bridgebuddy.events.access import one_snapshot
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.sessions.sections import section_by_code, section_counters
from bridgebuddy.web.http import mark_private

from . import submissions
from .models import DirectorCall, PhoneHolder
from .phone_cookie import COOKIE, PhoneCookie
from .place import NOT_FOUND, RefusalPage, TablePlace
from .queries.new_results import table_state_hash
from .queries.phones import phone_settings_of
from .queries.table_cache import cached_phone_settings
from .secrets import digits_of
from .services.calls import create_call_for_table, record_phone_activity

#: in the address after access was given: a browser without cookies comes back without its own
LET_IN = "let-in"
#: the parameters of a poll: the version shown
POLLED = {"v"}
UNCHANGED, FORBIDDEN, GONE, TOO_MANY = 204, 403, 410, 429
#: wrong digits of a table; beyond the limit one try is accepted at intervals
DIGITS_OF_TABLE = AttemptLimit("wrong digits of a table", 12, code_limits.WITHIN)
DIGITS = AttemptLimit("wrong digits of a network", 60, code_limits.WITHIN)
#: from all networks: the desk is told
DIGITS_OF_ALL = AttemptLimit("wrong digits of a table from anywhere", 24, code_limits.WITHIN)
A_WHILE = 20  # seconds
ONE_IN_A_WHILE = AttemptLimit("tries of a table that is tried", 1, A_WHILE)


View = Callable[..., HttpResponse]


def table_page(view: View) -> View:
    """Decorator for a page of a table: checks the phone's access, and reads the database in one transaction."""

    @require_safe
    @wraps(view)
    def page_at_table(request: HttpRequest, code: str, table: int, **rest: object) -> HttpResponse:
        """Answer a request for a page of the table."""
        with one_snapshot(request):
            return _answer_at_table(request, code, table, view, True, **rest)

    return _record_phone_afterwards(page_at_table)


def answer_poll(page: View) -> View:
    """Decorator that answers a page's regular request for news with 204 (no content) if nothing has changed."""

    @wraps(page)
    def page_or_nothing(
        request: HttpRequest, code: str, table: int, **rest: object
    ) -> HttpResponse:
        """Answer a poll without news with 204."""
        if _is_unchanged(request, code_limits.clean_code(code), table):
            return mark_private(HttpResponse(status=UNCHANGED))
        return page(request, code, table, **rest)

    return page_or_nothing


def _is_unchanged(request: HttpRequest, code: str, table: int) -> bool:
    """Return whether the phone shows the table's page in its current version, so that nothing must be sent.

    Makes two queries, and one more after results at other tables. Changes of access or secrets
    count `shown`, so they need no check here.
    """
    is_poll = request.method == "GET" and getattr(request, "htmx", False)
    if (
        not is_poll
        or request.GET.keys() != POLLED
        or not code_limits.has_opened_before(request, code)
    ):
        return False
    shown_version, _, rest = request.GET["v"].partition("-")
    results, _, mark = rest.partition("-")
    counters = section_counters(code, shown_version)
    if counters is None:
        return False
    section, results_now = counters
    phone = PhoneCookie.of(request)
    if not phone.knows_secret(section, table):
        return False
    if results != str(results_now) and mark != table_state_hash(
        section, table, phone.entry_key(section)
    ):
        return False
    record_phone_activity(section, table)
    return True


def table_form(view: View) -> View:
    """Decorator for a view that handles a form from a table's phone, also if a script sends it.

    A stored submission may be older than its page's CSRF token; its header replaces the token.
    """

    @require_POST
    @wraps(view)
    def form_at_table(request: HttpRequest, code: str, table: int, **rest: object) -> HttpResponse:
        """Answer a form of the table."""
        return _answer_at_table(request, code, table, view, False, **rest)

    by_form = csrf_protect(form_at_table)

    @csrf_exempt
    @wraps(view)
    def form_or_submission(
        request: HttpRequest, code: str, table: int, **rest: object
    ) -> HttpResponse:
        """Answer a form, or a submission that the phone stored."""
        way = form_at_table if submissions.submission_key(request) else by_form
        return way(request, code, table, **rest)

    return _record_phone_afterwards(form_or_submission)


def page_open_to_all_phones(view: View) -> View:
    """Decorator for a view of a table that phones without access may open, such as the page to join it."""

    @wraps(view)
    def page_for_all(request: HttpRequest, code: str, table: int, **rest: object) -> HttpResponse:
        """Answer a request for a page that needs no secret."""
        try:
            place = find_place(request, code, table)
            response = view(request, place, **rest)
        except RefusalPage as answer:
            return mark_private(answer.response)
        return _store_access_cookies(request, place, response)

    return page_for_all


def _store_access_cookies(
    request: HttpRequest, place: TablePlace, response: HttpResponse
) -> HttpResponse:
    """Store which tables the phone may open, whose phone it is, and the session's code in its cookies.

    With the code stored, other people's wrong codes do not lock the phone out.
    """
    place.phone.write_cookie(request, response)
    if not code_limits.has_opened_before(request, place.section.code):
        code_limits.remember_codes(request, response, place.section.code)
    return mark_private(response)


def _answer_at_table(
    request: HttpRequest,
    code: str,
    table: int,
    view: View,
    is_of_one_moment: bool,
    **rest: object,
) -> HttpResponse:
    """Call the view of a table's page if the phone has access; otherwise return the page that says why not."""
    words = ""
    try:
        place = find_place(request, code, table, is_of_one_moment=is_of_one_moment)
        if not place.may_open:
            scan = _(
                "The result was not sent. Scan the card of table %(table)s again to send it."
            ) % {"table": table}
            raise RefusalPage(ask_for_digits(request, place), scan)
        request.place = place  # type: ignore[attr-defined]  # for what is done afterwards
        response = view(request, place, **rest)
    except RefusalPage as answer:
        response, words = answer.response, answer.words
    key = submissions.submission_key(request) if request.method == "POST" else ""
    return submissions.submission_answer(key, response, words) if key else response


def _record_phone_afterwards(view: View) -> View:
    """Decorator that records the time of the table's last activity, and stores the phone's cookie."""

    @wraps(view)
    def page_with_activity(
        request: HttpRequest, code: str, table: int, **rest: object
    ) -> HttpResponse:
        """Answer, and record that the phone is in use."""
        response = view(request, code, table, **rest)
        place: TablePlace | None = getattr(request, "place", None)
        if place is None:
            return mark_private(response)
        if request.GET.keys() != POLLED:  # a poll without news is recorded elsewhere
            record_phone_activity(place.section.pk, place.table)
        return _store_access_cookies(request, place, response)

    return page_with_activity


def find_place(
    request: HttpRequest, code: str, table: int, *, is_of_one_moment: bool = False
) -> TablePlace:
    """Return the `TablePlace` of a code and a table number, without checking whether the phone has access.

    Raises `RefusalPage` if there is none, or if phones may not enter results.
    """
    section = _section_of_code(request, code)
    use_club_formats(section.club)
    use_reader_language(request, section.club)
    phones = cached_phone_settings(section) if is_of_one_moment else phone_settings_of(section)
    if not phones.may_enter:
        words = _("This session uses score slips. Write the result on your table’s slip.")
        raise RefusalPage(_closed_page(request, section, "none", FORBIDDEN), words)
    place = TablePlace(section, table, phones, PhoneCookie.of(request), is_of_one_moment)
    if place.phone.is_waiting(section):
        _store_director_answer(place)
    return place


def _store_director_answer(place: TablePlace) -> None:
    """Copy into the phone's cookie whether the director let it belong to another contestant."""
    holder = PhoneHolder.objects.filter(section=place.section, phone=place.phone.name).first()
    if holder is None or holder.wants_id is None:
        place.phone.store_waiting_state(place.section, False)
    if holder is not None and holder.wants_id is None and holder.sees and holder.entry_id:
        place.phone.store_holder(place.section, holder.entry_id, sees=True)


def _section_of_code(request: HttpRequest, typed_code: str) -> Section:
    """Return the section of a typed code; wrong codes are counted and limited as on all pages of players."""
    code = code_limits.clean_code(typed_code)
    knows = code_limits.has_opened_before(request, code)
    if not knows and code_limits.is_locked_out(request):
        raise RefusalPage(code_limits.too_many_tries(request))
    section = section_by_code(code)
    if section is None or section.has_code_ended:
        if not knows and code_limits.count_wrong_code(request, code):
            raise RefusalPage(code_limits.too_many_tries(request))
        words = (
            _("The session is over: tell the director.")
            if section
            else _("This session no longer exists. Tell the director.")
        )
        raise RefusalPage(
            _closed_page(request, section, "ended", GONE if section else NOT_FOUND), words
        )
    return section


def _closed_page(
    request: HttpRequest, section: Section | None, why: str, status: int
) -> HttpResponse:
    """Return the page that says why phones cannot enter results in this session."""
    context = {"section": section, "why": why}
    return render(request, "tables/closed.html", context, status=status)


def ask_for_digits(
    request: HttpRequest, place: TablePlace, *, are_wrong: bool = False, wait: int = 0
) -> HttpResponse:
    """Return the page that asks for a table's QR code or four digits, which give the phone access."""
    context = {"section": place.section, "table": place.table, "are_wrong": are_wrong, "wait": wait}
    context["who"] = request.POST.get("who") or request.GET.get("who", "")
    if (
        place.section.session.is_rehearsal and place.phones.need_secret
    ):  # nobody has printed its cards
        context["digits"] = digits_of(place.section, place.table, place.phones)
    context["keeps_no_cookies"] = LET_IN in request.GET and COOKIE not in request.COOKIES
    return render(request, "tables/join.html", context, status=FORBIDDEN)


def _digits_limits(request: HttpRequest, place: TablePlace) -> list[tuple[AttemptLimit, str]]:
    """Return the limits of wrong tries of a table's four digits, each with the key under which it counts."""
    network, table = network_of(request), f"{place.section.pk} {place.table}"
    return [
        (DIGITS_OF_TABLE, f"{table} {network}"),
        *DIGITS.limits_of_network(request),
        (DIGITS_OF_ALL, table),
    ]


def may_try_digits(request: HttpRequest, place: TablePlace) -> bool:
    """Return whether the phone may now try the four digits of a table.

    After many wrong tries only one at intervals is.

    So other people's tries lock nobody out, and nobody can try many.
    """
    limits = _digits_limits(request, place)
    if not any(limit.is_reached(client) for limit, client in limits):
        return True
    return not ONE_IN_A_WHILE.count(f"{place.section.pk} {place.table}")


def count_wrong_digits(request: HttpRequest, place: TablePlace) -> None:
    """Count a wrong try of a table's four digits; after many from all networks, tell the director."""
    table = f"{place.section.pk} {place.table}"
    was_reached = DIGITS_OF_ALL.is_reached(table)
    count_all(_digits_limits(request, place))
    if DIGITS_OF_ALL.is_reached(table):
        create_call_for_table(place.section, place.table, DirectorCall.Why.DIGITS)
        if not was_reached:
            about = f"{place.section.session}, {place.table}"
            store_security_event(place.section.club, EventKind.DIGITS, about=about)


def ask_to_wait(request: HttpRequest, place: TablePlace) -> HttpResponse:
    """Return the page that says when the phone may try the four digits again."""
    answer = ask_for_digits(request, place, wait=A_WHILE)
    answer.headers["Retry-After"] = str(A_WHILE)
    answer.status_code = TOO_MANY
    return answer
