"""Who gets at a table's pages: a phone that has the table's secret, and whose pair plays there.

A secret opens one table of one session. That alone would show whoever has been there the boards that they
are still to play: so a phone belongs to one contestant, which is said once, where the secret was learned,
and it is shown no board but theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from bridgebuddy.clubs.limits import Limit, count_all, network_of
from bridgebuddy.events import code_limits
from bridgebuddy.events.access import one_moment
from bridgebuddy.events.models import Play, Section
from bridgebuddy.events.queries.sections import counted, section_by_code
from bridgebuddy.http import private
from bridgebuddy.language import speak, wanted_language
from movements.words.numbers import number_in_hundreds

from .models import Phones
from .phone import Phone
from .queries.at_table import AtTable, Board, play_at, side_of
from .queries.news import mark_of
from .queries.phones import phones_of
from .services.calls import hear

UNCHANGED, FORBIDDEN, NOT_FOUND, GONE = 204, 403, 404, 410
#: of four digits: so that trying finds none in an evening, and a table's typing error ends nothing
DIGITS_OF_TABLE = Limit("wrong digits of a table", 12, code_limits.WITHIN)
DIGITS = Limit("wrong digits of a network", 60, code_limits.WITHIN)


class Answer(Exception):
    """Instead of the page there is this to say."""

    def __init__(self, response: HttpResponse) -> None:
        self.response = response
        super().__init__(response.status_code)


@dataclass(frozen=True)
class Place:
    """A table of a section, and the phone that asks there."""

    section: Section
    table: int
    phones: Phones
    phone: Phone

    @cached_property
    def at(self) -> AtTable:
        return AtTable(self.section, self.table, self.phones)

    @property
    def who(self) -> int | None:
        """The entry whose phone it is."""
        return self.phone.whose(self.section)

    @property
    def opens(self) -> bool:
        return self.phone.opens(self.section, self.table, self.phones)

    @property
    def may_say_whose(self) -> bool:
        return self.phone.may_say_whose(self.section, self.table, self.phones)

    @cached_property
    def boards(self) -> list[Board]:
        """The boards that concern whoever has the phone: what is left of rounds before first."""
        return self.at.of(self.who)

    @cached_property
    def people(self) -> list[tuple[int, str, str, str]]:
        """Whose phone it can be: everybody who plays here now, with side, seats and names."""
        found: dict[int, tuple[int, str, str, str]] = {}
        for board in self.at.boards:
            seats = {"ns": "NS", "ew": "EW"}
            for side, chairs in seats.items():
                first = getattr(board.play, f"{side}_id")
                second = getattr(board.play, f"{side}2_id")
                if second is None:
                    names = list(dict.fromkeys(x.people(side) for x in self._with(first, side)))
                    found.setdefault(first, (first, side, side, " / ".join(names)))
                    continue
                for entry, seat in zip((first, second), chairs, strict=True):
                    found.setdefault(entry, (entry, side, seat.lower(), board.names[seat]))
        return list(found.values())

    def _with(self, entry: int, side: str) -> list[Board]:
        """The boards at which an entry has a side; a team may change its line-up at half-time."""
        return [one for one in self.at.boards if getattr(one.play, f"{side}_id") == entry]

    @cached_property
    def elsewhere(self) -> int:
        """The table at which whoever has the phone plays now, if it is another one; 0 where there is none."""
        if not self.who or any(board.side_of(self.who) for board in self.at.boards):
            return 0
        plays = Play.objects.filter(
            section=self.section, round=self.section.round, taken_back_at=None
        )
        for seat in ("ns", "ns2", "ew", "ew2"):
            if play := plays.filter(**{seat: self.who}).first():
                return play.table
        return 0

    def sees(self, board: Board) -> bool:
        """Whether the phone may be shown what was said of a board.

        Where no secret is asked, anybody who has the code may be behind it, and it is shown what it has
        said itself.
        """
        if not board.side_of(self.who):
            return False
        if self.phones.need_secret:
            return True
        return any(claim.phone == self.phone.name for claim in board.held.values())

    def board(self, play: int) -> Board:
        """Return a board of whoever has the phone, of this round or one before. Answers 404."""
        found = self.at.find(play)
        return self._theirs(found) if found else self.only(play)

    def only(self, play: int) -> Board:
        """Return a board of whoever has the phone, and read nothing else of the table. Answers 404."""
        return self._theirs(AtTable(self.section, self.table, self.phones, play=play).find(play))

    def sent(self, play: int, *, or_gone: bool = False) -> Play:
        """Return the play of a form, of whoever has the phone; or one that is taken back by now. Answers 404."""
        found = play_at(self.section, self.table, play)
        is_gone = found is not None and found.taken_back_at is not None
        if found is None or (is_gone and not or_gone) or not side_of(found, self.who):
            raise Answer(HttpResponse(status=NOT_FOUND))
        return found

    def _theirs(self, found: Board | None) -> Board:
        if found is None or not found.side_of(self.who):
            raise Answer(HttpResponse(status=NOT_FOUND))
        return found

    @cached_property
    def version(self) -> str:
        """What its page polls with: "17-4-93f1…", what is shown, results of the section, and its own ones."""
        mark = mark_of(self.section.pk, self.table)
        return f"{self.section.shown}-{self.section.results}-{mark}"


View = Callable[..., HttpResponse]


def table_page(view: View) -> View:
    """Show a page of a table, read in one moment, to a phone that may enter there."""

    @require_safe
    @wraps(view)
    def page(request: HttpRequest, code: str, table: int, **rest: object) -> HttpResponse:
        with one_moment(request):
            return _answered(request, code, table, view, **rest)

    return _afterwards(page)


def polled(page: View) -> View:
    """Answer a table's page that polls and shows all there is with nothing, before it is read."""

    @wraps(page)
    def page_or_nothing(
        request: HttpRequest, code: str, table: int, **rest: object
    ) -> HttpResponse:
        if _is_unchanged(request, code_limits.clean_code(code), table):
            return private(HttpResponse(status=UNCHANGED))
        return page(request, code, table, **rest)

    return page_or_nothing


def _is_unchanged(request: HttpRequest, code: str, table: int) -> bool:
    """Whether a phone polls that the table's secret has let in, and all is as it shows it: two queries.

    One more where results have come in at other tables since. Who may enter, and by which secrets, is shown: where
    either is another one, the count is too.
    """
    is_poll = request.method == "GET" and getattr(request, "htmx", False)
    if not is_poll or set(request.GET) != {"v"} or not code_limits.knows(request, code):
        return False
    shown, _, rest = request.GET["v"].partition("-")
    results, _, mark = rest.partition("-")
    found = counted(code, shown)
    if found is None:
        return False
    section, results_now = found
    if not Phone.of(request).has_learned(section, table):
        return False
    if results != str(results_now) and mark != mark_of(section, table):
        return False
    hear(section, table)
    return True


def table_form(view: View) -> View:
    """Take a form of a table from a phone that may enter there; the view calls services."""

    @require_POST
    @wraps(view)
    def page(request: HttpRequest, code: str, table: int, **rest: object) -> HttpResponse:
        return _answered(request, code, table, view, **rest)

    return _afterwards(page)


def open_page(view: View) -> View:
    """Turn code and table into a place, for a phone that may not enter there yet."""

    @wraps(view)
    def page(request: HttpRequest, code: str, table: int, **rest: object) -> HttpResponse:
        try:
            place = find_place(request, code, table)
            response = view(request, place, **rest)
        except Answer as answer:
            return private(answer.response)
        return _kept(request, place, response)

    return page


def _kept(request: HttpRequest, place: Place, response: HttpResponse) -> HttpResponse:
    """Let a phone keep what it has learned: the code too, so that nobody's wrong ones keep it out."""
    place.phone.write(request, response)
    if not code_limits.knows(request, place.section.code):
        code_limits.remember(request, response, place.section.code)
    return private(response)


def _answered(
    request: HttpRequest, code: str, table: int, view: View, **rest: object
) -> HttpResponse:
    try:
        place = find_place(request, code, table)
        if not place.opens:
            raise Answer(ask_for_digits(request, place))
        request.place = place  # type: ignore[attr-defined]  # for what is done afterwards
        response = view(request, place, **rest)
    except Answer as answer:
        response = answer.response
    return response


def _afterwards(view: View) -> View:
    """Note that the table was heard of, and what the phone has learned."""

    @wraps(view)
    def page(request: HttpRequest, code: str, table: int, **rest: object) -> HttpResponse:
        response = view(request, code, table, **rest)
        place: Place | None = getattr(request, "place", None)
        if place is None:
            return private(response)
        hear(place.section.pk, place.table)
        return _kept(request, place, response)

    return page


def find_place(request: HttpRequest, code: str, table: int) -> Place:
    """Return the table of an address, whoever asks. Answers where there is none, or phones may not enter."""
    section = _section(request, code)
    number_in_hundreds(section.club.numbers_in_hundreds)
    if not wanted_language(request):
        speak(request, section.club.language)
    phones = phones_of(section)
    if not phones.may_enter:
        raise Answer(_closed(request, section, "none", FORBIDDEN))
    return Place(section, table, phones, Phone.of(request))


def _section(request: HttpRequest, typed: str) -> Section:
    """Return the section of a code; wrong ones are counted as on every page of a phone."""
    code = code_limits.clean_code(typed)
    knows = code_limits.knows(request, code)
    if not knows and code_limits.is_locked_out(request):
        raise Answer(code_limits.too_many_tries(request))
    section = section_by_code(code)
    if section is None or section.has_code_ended:
        if not knows and code_limits.count_wrong_code(request, code):
            raise Answer(code_limits.too_many_tries(request))
        raise Answer(_closed(request, section, "ended", GONE if section else NOT_FOUND))
    return section


def _closed(request: HttpRequest, section: Section | None, why: str, status: int) -> HttpResponse:
    context = {"section": section, "why": why}
    return render(request, "tables/closed.html", context, status=status)


def ask_for_digits(request: HttpRequest, place: Place, *, are_wrong: bool = False) -> HttpResponse:
    """Say how a table is opened: by its card, or by four digits."""
    context = {"section": place.section, "table": place.table, "are_wrong": are_wrong}
    context["who"] = request.POST.get("who") or request.GET.get("who", "")
    return render(request, "tables/join.html", context, status=FORBIDDEN)


def _digits_limits(request: HttpRequest, place: Place) -> list[tuple[Limit, str]]:
    network = network_of(request)
    return [
        (DIGITS_OF_TABLE, f"{place.section.pk} {place.table} {network}"),
        (DIGITS, network),
    ]


def may_try_digits(request: HttpRequest, place: Place) -> bool:
    return not any(limit.is_reached(who) for limit, who in _digits_limits(request, place))


def count_wrong_digits(request: HttpRequest, place: Place) -> None:
    count_all(_digits_limits(request, place))
