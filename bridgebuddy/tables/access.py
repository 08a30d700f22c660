"""Who gets at a table's pages: a phone that has the table's secret, and whose pair plays there.

A secret opens one table of one session. That alone would show whoever has been there the boards that they
are still to play: so a phone belongs to one contestant, which is said once, where a secret was learned first,
and it is shown no board but theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe

from bridgebuddy.clubs.limits import Limit, count_all, network_of
from bridgebuddy.clubs.security import What, note
from bridgebuddy.clubs.ways import as_written_by, speak_as
from bridgebuddy.events import code_limits
from bridgebuddy.events.access import one_moment
from bridgebuddy.events.models import Play, Section
from bridgebuddy.events.queries.sections import counted, section_by_code
from bridgebuddy.events.services.plays import planned
from bridgebuddy.http import private
from bridgebuddy.scoring.models import Source
from bridgebuddy.scoring.queries.coming_in import is_in
from bridgebuddy.scoring.queries.tonight import Tonight

from . import letters
from .models import Call, Carried, Phones, Swapped
from .phone import Phone
from .queries.at_table import (
    AllTables,
    AtTable,
    Board,
    last_calls,
    play_of,
    played_by,
    plays_before,
    side_of,
    table_of,
)
from .queries.kept import kept_phones, kept_tables
from .queries.news import mark_of
from .queries.phones import phones_of
from .services.calls import hear, ring

#: what a table's page that polls asks with: the version it shows
POLLED = {"v"}
UNCHANGED, FORBIDDEN, NOT_FOUND, GONE, TOO_MANY = 204, 403, 404, 410, 429
#: of four digits: a table's typing error ends nothing. More of them, and one try is heard in a while
DIGITS_OF_TABLE = Limit("wrong digits of a table", 12, code_limits.WITHIN)
DIGITS = Limit("wrong digits of a network", 60, code_limits.WITHIN)
#: from all networks: the desk is told
DIGITS_OF_ALL = Limit("wrong digits of a table from anywhere", 24, code_limits.WITHIN)
A_WHILE = 20  # seconds
ONE_IN_A_WHILE = Limit("tries of a table that is tried", 1, A_WHILE)


class Answer(Exception):
    """Instead of the page there is this to say; to a letter in `words`, since nobody sees its page."""

    def __init__(self, response: HttpResponse, words: str = "") -> None:
        self.response, self.words = response, words
        super().__init__(response.status_code)


@dataclass(frozen=True)
class Place:
    """A table of a section, and the phone that asks there."""

    section: Section
    table: int
    phones: Phones
    phone: Phone
    is_of_one_moment: bool = False  # of a page that changes nothing: what others have read will do

    @cached_property
    def at(self) -> AtTable:
        return AtTable(self.section, self.table, self.phones, self.who, all_tables=self._all_tables)

    @cached_property
    def _all_tables(self) -> AllTables | None:
        return kept_tables(self.section, self.phones) if self.is_of_one_moment else None

    @property
    def last_call(self) -> Call | None:
        """What the table has called the director for, the last time."""
        if self._all_tables:
            return self._all_tables.calls.get(self.table)
        return last_calls(self.section).filter(table=self.table).last()

    @cached_property
    def tonight(self) -> Tonight:
        """The whole session, read once."""
        return Tonight(self.section)

    @property
    def who(self) -> int | None:
        """The entry whose phone it is."""
        return self.phone.whose(self.section.pk)

    @property
    def opens(self) -> bool:
        return self.phone.opens(self.section, self.table, self.phones)

    @property
    def may_say_whose(self) -> bool:
        return self.phone.may_say_whose(self.section, self.table, self.phones)

    @cached_property
    def boards(self) -> list[Board]:
        """The boards that whoever has the phone enters: what is left of rounds before first."""
        return self.at.of(self.who)

    @cached_property
    def asked(self) -> list[Board]:
        """The boards to which whoever has the phone may have to say yes: this round's first."""
        before = [one for one in self.at.unchecked if one.side_of(self.who)]
        return [*self.boards, *before]

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
        return table_of(self.section, self.who)

    def sees(self, board: Board) -> bool:
        """Whether the phone may be shown what was said of a board.

        Where no secret is asked, anybody who has the code may be behind it, and it is shown what it has
        said itself. So is a phone that stays at the table, and one that was not the first to say whose it is.
        """
        if not board.side_of(self.who):
            return False
        is_shown = self.sees_all or any(
            claim.phone == self.phone.name for claim in board.held.values()
        )
        if is_shown and board.outcome is not None:
            self.phone.see(self.section)
        return is_shown

    @property
    def phone_waits(self) -> bool:
        """Whether the director has been asked whose phone it is."""
        return self.phone.is_waiting(self.section)

    @property
    def sees_all(self) -> bool:
        """Whether the phone is shown what anybody has said of the boards of whose it is."""
        return self.phones.need_secret and self.phone.sees(self.section)

    def board(self, play: int) -> Board:
        """Return a board of whoever has the phone, of this round or one before. Answers 404."""
        found = self.at.find(play)
        return found if found and found.side_of(self.who) else self.only(play)

    def only(self, play: int) -> Board:
        """Return a board of whoever has the phone, and read nothing else of the table. Answers 404."""
        sent = self.sent(play)
        alone = AtTable(self.section, self.table, self.phones, self.who, plays=[sent])
        return alone.every[0]

    @property
    def before(self) -> list[Board]:
        """What whoever has the phone has played in rounds that are over, as far as they may be shown it."""
        plays = plays_before(self.section, self.who) if self.who else []
        found = AtTable(self.section, self.table, self.phones, self.who, plays=plays).every
        return [one for one in found if self.sees(one)]

    def beside(self, board: Board) -> list[Board]:
        """The other boards that the table played in a board's round, which may have been taken for it.

        Where the director changes results by now they are asked for two that were exchanged, for no others.
        """
        plays = Play.objects.filter(
            section=self.section,
            round=board.play.round,
            table=board.play.table,
            taken_back_at=None,
        ).exclude(pk=board.play.pk)
        same = [play for play in plays if side_of(play, self.who)]
        found = AtTable(self.section, self.table, self.phones, self.who, plays=same).every
        if not self.changes(board):
            found = [one for one in found if is_in(one.outcome) and not one.is_requested]
        return sorted(found, key=lambda one: one.board)

    def changes(self, board: Board) -> bool:
        """Whether phones change what stands of a board; later they tell the director what it should be."""
        is_of_phones = board.result is not None and board.result.source == Source.PHONE
        return is_of_phones and not board.is_over(self.section)

    def sent(self, play: int, *, or_gone: bool = False) -> Play:
        """Return the play of a form, of whoever has the phone; or one that is taken back by now. Answers 404."""
        found = play_of(self.section, self.table, self.who, play)
        is_gone = found is not None and found.taken_back_at is not None
        if found is None or (is_gone and not or_gone) or not side_of(found, self.who):
            raise Answer(HttpResponse(status=NOT_FOUND), self.not_theirs())
        return found

    def of_round(self, round: int, board: int) -> Play | None:
        """Return the play of a board in a round that has begun, of whoever has the phone."""
        plays = Play.objects.filter(
            played_by({self.who}) if self.who else Q(table=self.table),
            section=self.section,
            round=min(round, self.section.round),
            board=board,
            taken_back_at=None,
        )
        found = plays.exclude(Q(ns=None) | Q(ew=None)).first() if self.who is not None else None
        return found if found and found.round == round else None

    @cached_property
    def coming(self) -> list[Board]:
        """The boards of the next round as the plan has them now; none where it is still to be drawn."""
        stored = self.section.movement
        if self.who is None or stored is None or stored.is_draw or not self.section.is_running:
            return []
        if self.section.is_last_round:
            return []
        swapped = Swapped.objects.filter(entry__section=self.section).values_list(
            "entry", flat=True
        )
        return [
            Board(play, self.phones, swapped=frozenset(swapped))
            for play in planned(self.section, self.section.round + 1)
            if (side_of(play, self.who) if self.who else play.table == self.table)
        ]

    def not_theirs(self) -> str:
        """Why a letter about a board cannot be taken from this phone."""
        if self.who is None:
            return _("Say first whose phone this is: open table %(table)s.") % {"table": self.table}
        return _(
            "Whoever has this phone does not play the board at table %(table)s any more: tell the director."
        ) % {"table": self.table}

    @cached_property
    def version(self) -> str:
        """What its page polls with: "17-4-93f1…", what is shown, results of the section, and its own ones."""
        mark = mark_of(self.section.pk, self.table, self.who)
        return f"{self.section.shown}-{self.section.results}-{mark}"


View = Callable[..., HttpResponse]


def table_page(view: View) -> View:
    """Show a page of a table, read in one moment, to a phone that may enter there."""

    @require_safe
    @wraps(view)
    def page(request: HttpRequest, code: str, table: int, **rest: object) -> HttpResponse:
        with one_moment(request):
            return _answered(request, code, table, view, True, **rest)

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
    if not is_poll or request.GET.keys() != POLLED or not code_limits.knows(request, code):
        return False
    shown, _, rest = request.GET["v"].partition("-")
    results, _, mark = rest.partition("-")
    found = counted(code, shown)
    if found is None:
        return False
    section, results_now = found
    phone = Phone.of(request)
    if not phone.has_learned(section, table):
        return False
    if results != str(results_now) and mark != mark_of(section, table, phone.whose(section)):
        return False
    hear(section, table)
    return True


def table_form(view: View) -> View:
    """Take a form of a table from a phone that may enter there, or a letter; the view calls services.

    A letter may be older than the token of its page: its header stands for it.
    """

    @require_POST
    @wraps(view)
    def page(request: HttpRequest, code: str, table: int, **rest: object) -> HttpResponse:
        return _answered(request, code, table, view, False, **rest)

    by_form = csrf_protect(page)

    @csrf_exempt
    @wraps(view)
    def form_or_letter(request: HttpRequest, code: str, table: int, **rest: object) -> HttpResponse:
        way = page if letters.key_of(request) else by_form
        return way(request, code, table, **rest)

    return _afterwards(form_or_letter)


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
    request: HttpRequest,
    code: str,
    table: int,
    view: View,
    is_of_one_moment: bool,
    **rest: object,
) -> HttpResponse:
    words = ""
    try:
        place = find_place(request, code, table, is_of_one_moment=is_of_one_moment)
        if not place.opens:
            scan = _("Scan the card of table %(table)s again. Then it is sent.") % {"table": table}
            raise Answer(ask_for_digits(request, place), scan)
        request.place = place  # type: ignore[attr-defined]  # for what is done afterwards
        response = view(request, place, **rest)
    except Answer as answer:
        response, words = answer.response, answer.words
    key = letters.key_of(request) if request.method == "POST" else ""
    return letters.answer_to(key, response, words) if key else response


def _afterwards(view: View) -> View:
    """Note that the table was heard of, and what the phone has learned."""

    @wraps(view)
    def page(request: HttpRequest, code: str, table: int, **rest: object) -> HttpResponse:
        response = view(request, code, table, **rest)
        place: Place | None = getattr(request, "place", None)
        if place is None:
            return private(response)
        if request.GET.keys() != POLLED:  # a poll without news is heard
            hear(place.section.pk, place.table)
        return _kept(request, place, response)

    return page


def find_place(
    request: HttpRequest, code: str, table: int, *, is_of_one_moment: bool = False
) -> Place:
    """Return the table of an address, whoever asks. Answers where there is none, or phones may not enter."""
    section = _section(request, code)
    as_written_by(section.club)
    speak_as(request, section.club)
    phones = kept_phones(section) if is_of_one_moment else phones_of(section)
    if not phones.may_enter:
        words = _("In this session results come on slips: write it on the slip of the table.")
        raise Answer(_closed(request, section, "none", FORBIDDEN), words)
    place = Place(section, table, phones, Phone.of(request), is_of_one_moment)
    if place.phone.is_waiting(section):
        _hear_the_director(place)
    return place


def _hear_the_director(place: Place) -> None:
    """Take down what the director has said to a phone that wants to be somebody else's."""
    found = Carried.objects.filter(section=place.section, phone=place.phone.name).first()
    if found is None or found.wants_id is None:
        place.phone.wants(place.section, False)
    if found is not None and found.wants_id is None and found.sees and found.entry_id:
        place.phone.belongs(place.section, found.entry_id, sees=True)


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
        words = (
            _("The session is over: tell the director.")
            if section
            else _("There is no such session any more: tell the director.")
        )
        raise Answer(_closed(request, section, "ended", GONE if section else NOT_FOUND), words)
    return section


def _closed(request: HttpRequest, section: Section | None, why: str, status: int) -> HttpResponse:
    context = {"section": section, "why": why}
    return render(request, "tables/closed.html", context, status=status)


def ask_for_digits(
    request: HttpRequest, place: Place, *, are_wrong: bool = False, wait: int = 0
) -> HttpResponse:
    """Say how a table is opened: by its card, or by four digits."""
    context = {"section": place.section, "table": place.table, "are_wrong": are_wrong, "wait": wait}
    context["who"] = request.POST.get("who") or request.GET.get("who", "")
    return render(request, "tables/join.html", context, status=FORBIDDEN)


def _digits_limits(request: HttpRequest, place: Place) -> list[tuple[Limit, str]]:
    network, table = network_of(request), f"{place.section.pk} {place.table}"
    return [
        (DIGITS_OF_TABLE, f"{table} {network}"),
        (DIGITS, network),
        (DIGITS_OF_ALL, table),
    ]


def may_try_digits(request: HttpRequest, place: Place) -> bool:
    """Whether a try is heard now: always, until there were so many wrong ones; then one in a while.

    So nobody is shut out by what others try, and nobody tries many.
    """
    limits = _digits_limits(request, place)
    if not any(limit.is_reached(who) for limit, who in limits):
        return True
    return not ONE_IN_A_WHILE.count(f"{place.section.pk} {place.table}")


def count_wrong_digits(request: HttpRequest, place: Place) -> None:
    """Count wrong digits; where a table's are tried from everywhere, the desk hears of it."""
    table = f"{place.section.pk} {place.table}"
    was_reached = DIGITS_OF_ALL.is_reached(table)
    count_all(_digits_limits(request, place))
    if DIGITS_OF_ALL.is_reached(table):
        ring(place.section, place.table, Call.Why.DIGITS)
        if not was_reached:
            about = f"{place.section.session}, {place.table}"
            note(place.section.club, What.DIGITS, about=about)


def ask_to_wait(request: HttpRequest, place: Place) -> HttpResponse:
    """Say that a try is heard in a while."""
    answer = ask_for_digits(request, place, wait=A_WHILE)
    answer.headers["Retry-After"] = str(A_WHILE)
    answer.status_code = TOO_MANY
    return answer
