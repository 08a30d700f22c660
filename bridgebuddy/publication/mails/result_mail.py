"""The contents of a results mail, and its plain text. The HTML form is the template `mails/result.html`.

Both forms have the same parts in the same order: the own result, the best boards, the winners, the
boards under their opponents, and the next session. Numbers, dates, suits and seats are in the
language that is active.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.dates import WEEKDAYS
from django.utils.text import get_text_list
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from bridgebuddy.events.models import Session
from bridgebuddy.scoring.rules.files.exported import ExportedSession
from bridgebuddy.scoring.rules.files.lines import ResultLine, Who, names_of_pair, visible_text
from bridgebuddy.scoring.rules.reports.results import Ranking, SideResult
from bridgebuddy.scoring.templatetags.results import percent, points
from bridgebuddy.scoring.words import contract_in_signs, seat_letter, signed_score, tricks_text
from bridgebuddy.web.template_tags import long_date

from .result_figures import own_session_result_text, ranking_title, result_text

#: characters in a line of the text; a board's line fits on a phone
WIDTH, BOARD_WIDTH = 62, 29
#: the width of a board's contract and result, and the most boards and winners that are named
CONTRACT, WORDS = 6, 13
MOST_BEST, MOST_WINNERS = 4, 3
HALF = 50
FIRST = ("1", "1=")
OTHER = {"ns": "ew", "ew": "ns"}


@dataclass(frozen=True)
class MailBoard:
    """A board in a results mail: the contract, and what it was worth to the reader's side."""

    number: int
    contract: str
    suit: str
    made: str
    score: str
    value: str

    @property
    def text(self) -> str:
        """Return the board as a line of the plain-text mail, at most 29 characters.

        >>> MailBoard(4, "4♥", "H", "N +3", "+710", "83 %").text
        '  4  4♥    N +3    +710  83 %'
        """
        words = f"{self.contract:<{CONTRACT}}{self.made}" if self.made else self.contract
        return f"{self.number:>3}  {words:<{WORDS - 1}}{self.score:>6}{self.value:>6}".rstrip()


@dataclass(frozen=True)
class MailOpponents:
    """The boards against one pair in a results mail, with the reader's result against that pair."""

    names: str
    result: str
    boards: tuple[MailBoard, ...]
    #: of a single player: the partner in this round
    partner: str = ""

    @property
    def heading(self) -> str:
        """Return the line that names opponents, partner and result."""
        facts = {"names": self.names, "partner": self.partner}
        if self.partner:
            names = _("with %(partner)s against %(names)s") % facts
        else:
            names = _("against %(names)s") % facts
        return f"{names}, {self.result}" if self.result else names


@dataclass(frozen=True)
class NextSession:
    """The club's next session in a results mail, with the address for registering."""

    text: str
    address: str = ""


@dataclass(frozen=True)
class ResultMail:
    """The contents of a player's results mail."""

    event: str
    day: str
    reader_names: str
    place: str
    result: str
    #: of this session, if the place is that of several
    alone: str = ""
    boards_played: str = ""
    best: str = ""
    winners: tuple[str, ...] = ()
    opponents: tuple[MailOpponents, ...] = ()
    is_corrected: bool = False
    #: the boards that a correction changed; None: not known
    changed: tuple[int, ...] | None = None
    results_address: str = ""
    next_session: NextSession | None = None
    #: further sentences with their addresses: the own page, and how to stop these mails
    links: tuple[tuple[str, str], ...] = field(default=())

    @property
    def headline(self) -> str:
        """Return the line with the player's place and result."""
        return f"{self.place}, {self.result}" if self.place else self.result

    @property
    def subject(self) -> str:
        """Return the subject of the mail."""
        words = _("%(event)s: %(result)s") % {"event": self.event, "result": self.headline}
        if self.is_corrected:
            words = _("%(event)s, corrected") % {"event": words}
        return visible_text(words)

    @property
    def correction(self) -> str:
        """Return the sentence about a correction of the results; empty in the first mail."""
        if not self.is_corrected:
            return ""
        if self.changed is None:
            return _("The list was corrected.")
        if not self.changed:
            return _("The list was corrected. Your boards are unchanged.")
        numbers = get_text_list([str(number) for number in self.changed], _("and"))
        return ngettext(
            "The list was corrected. Board %(numbers)s changed.",
            "The list was corrected. Boards %(numbers)s changed.",
            len(self.changed),
        ) % {"numbers": numbers}

    def text(self) -> str:
        """Return the plain text of the mail, in lines of at most 62 characters."""
        parts = [
            [f"{self.event}, {self.day}"],
            [f"{self.reader_names}:", self.headline],
            [self.correction, self.alone, self.boards_played, self.best],
            list(self.winners),
            [_("All boards and hands:"), self.results_address] if self.results_address else [],
            [_("YOUR BOARDS")] if self.opponents else [],
            *([group.heading, *(board.text for board in group.boards)] for group in self.opponents),
            [self.next_session.text, self.next_session.address] if self.next_session else [],
            *([words, address] for words, address in self.links),
        ]
        paragraphs = ["\n".join(_wrapped_line(line) for line in part if line) for part in parts]
        return "\n\n".join(filter(None, paragraphs)) + "\n"


def mail_html(mail: ResultMail) -> str:
    """Return a results mail as HTML with inline styles, without pictures or remote content."""
    context = {"mail": mail, "language": get_language()}
    lines = render_to_string("mails/result.html", context).splitlines()
    return "\n".join(line for line in map(str.strip, lines) if line)


def next_session_text(session: Session | None, base: str) -> NextSession | None:
    """Return the paragraph of a mail about the club's next session: series, host, price, place, registration."""
    if session is None:
        return None
    facts = [f"{long_date(session.date)}, {session.starts_at:%H:%M}", session.event.name]
    facts += [*session_plan_texts(session), *filter(None, [venue_and_time_text(session)])]
    switch, page = getattr(session, "beforehand", None), getattr(session.event.club, "page", None)
    address = ""
    if switch and switch.future_opening_day:
        day = long_date(switch.future_opening_day)
        facts.append(_("registration opens on %(day)s") % {"day": day})
    elif switch and switch.is_open_today and page and page.is_on:
        address = base + reverse("club-come", args=[page.address, session.pk])
    text = _("Next session: %(facts)s.") % {"facts": visible_text(", ".join(facts))}
    return NextSession(text, address)


def series_weekdays_text(session: Session) -> str:
    """Return the weekdays of the series of a session: "Tuesday, Thursday"; empty without a series."""
    plan = getattr(session, "planned", None)
    if plan is None or plan.series is None:
        return ""
    return ", ".join(str(WEEKDAYS[int(day) - 1]) for day in sorted(plan.series.days))


def venue_and_time_text(session: Session) -> str:
    """Return the club's weekday, time and venue as on its public page; empty if that does not say them."""
    page = getattr(session.event.club, "page", None)
    return page.words if page else ""


def session_plan_texts(session: Session) -> list[str]:
    """Return the weekdays of the series, the host and the price of a planned session, as texts."""
    plan = getattr(session, "planned", None)
    facts = (
        [_("every %(days)s") % {"days": days}] if (days := series_weekdays_text(session)) else []
    )
    if plan and plan.host:
        facts.append(_("host: %(name)s") % {"name": plan.host.name})
    if plan and plan.price:
        facts.append(_("price: %(price)s") % {"price": plan.price})
    return facts


def _wrapped_line(line: str) -> str:
    """Return a line wrapped to the width of the plain-text mail."""
    if line.startswith((" ", "http")) or len(line) <= WIDTH:
        return line
    return textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)


class ResultMailReader:
    """Builds a contestant's results mail from the exported data of a session."""

    def __init__(self, exported: ExportedSession, contestant: Who, person: str) -> None:
        self.exported, self.contestant, self.person = exported, contestant, person

    def read_mail(self, **more: Any) -> ResultMail:
        """Return the filled results mail; `more` are fields that the exported results cannot provide."""
        exported, row = self.exported, self.exported.rows.get(self.contestant)
        place = result = alone = boards_played = ""
        if row is not None:
            ranking = self._ranking
            rows = ranking.rows if ranking else ()
            published = exported.published_row(row)
            place = self._place_text(published.place or "–", len(rows), ranking)
            result, alone = result_text(exported, published), own_session_result_text(exported, row)
            most = max((other.boards for other in rows), default=0)
            if row.boards < most:
                boards_played = _("You played %(count)s of %(most)s boards.") % {
                    "count": row.boards,
                    "most": most,
                }
        return ResultMail(
            event=visible_text(exported.event),
            day=long_date(exported.date),
            reader_names=self._own_names,
            place=place,
            result=result,
            alone=alone,
            boards_played=boards_played,
            best=self._best_board_text,
            winners=tuple(self._winner_texts()),
            opponents=tuple(self._boards_by_opponents()),
            **more,
        )

    @property
    def _ranking(self) -> Ranking | None:
        """Return the ranking in which the player is; None without one."""
        return next(
            (
                ranking
                for ranking in self.exported.lists
                if any(row.contestant_key == self.contestant for row in ranking.rows)
            ),
            None,
        )

    def _place_text(self, place: str, count: int, ranking: Ranking | None) -> str:
        """Return the sentence with the player's place: "Place 3 of 14"."""
        facts = {"place": place, "count": count, "line": _section_and_direction(ranking)}
        words = _("Place %(place)s of %(count)s") % facts
        if facts["line"]:
            words = _("Place %(place)s of %(count)s %(line)s") % facts
        return ", ".join(filter(None, [words, ranking_title(self.exported, ranking)]))

    @property
    def _own_names(self) -> str:
        """Return the name of the player's pair or team in the mail: "You and …"."""
        contestant = self.exported.people[self.contestant]
        if self.contestant in self.exported.titles:
            return _("Your team %(name)s") % {
                "name": visible_text(self.exported.titles[self.contestant])
            }
        partners = [visible_text(name) for name in contestant.names]
        if self.person in partners:
            partners.remove(self.person)
        if not partners:
            return _("You")
        return _("You and %(names)s") % {"names": get_text_list(partners, _("and"))}

    def _own_plays(self) -> Iterator[tuple[ResultLine, str]]:
        """Yield the reader's plays, each with the side on which they sat."""
        section, label = self.contestant
        for line in self.exported.lines:
            for side in ("ns", "ew"):
                pair = line.pair(side)
                is_other_pair = pair is not None and self.person not in names_of_pair(pair)
                if line.section == section and label in line.sitting(side) and not is_other_pair:
                    yield line, side

    @property
    def _best_board_text(self) -> str:
        """Return the sentence about the reader's best board; empty without one above average."""
        values: dict[int, float] = {}
        for line, side in self._own_plays():
            share = line.side(side).percent
            if share is not None:
                values[line.board] = share
        top = max(values.values(), default=0.0)
        if top <= HALF:
            return ""
        numbers = [board for board, value in values.items() if value == top][:MOST_BEST]
        facts = {
            "boards": get_text_list([str(number) for number in numbers], _("and")),
            "value": percent(top, 0),
        }
        return (
            ngettext(
                "Your best board: %(boards)s, with %(value)s %%.",
                "Your best boards: %(boards)s, with %(value)s %% each.",
                len(numbers),
            )
            % facts
        )

    def _winner_texts(self) -> Iterator[str]:
        """Yield a text with the winners of each ranking of the reader's section."""
        for ranking in self.exported.lists:
            if ranking.section not in (None, "", self.contestant[0]):
                continue
            rows = list(map(self.exported.published_row, ranking.rows))
            firsts = [row for row in rows if row.place in FIRST]
            if not firsts or len(firsts) > MOST_WINNERS:
                continue
            names = get_text_list(
                [visible_text(self.exported.contestant_name(row.contestant_key)) for row in firsts],
                _("and"),
            )
            result = result_text(self.exported, firsts[0])
            facts = {"names": names, "result": result, "line": _section_and_direction(ranking)}
            if facts["line"]:
                yield _("Winners %(line)s: %(names)s, %(result)s.") % facts
            else:
                yield _("Winners: %(names)s, %(result)s.") % facts

    def _boards_by_opponents(self) -> Iterator[MailOpponents]:
        """Yield the reader's boards grouped by opponents, in the order of the rounds."""
        groups: dict[tuple[object, ...], list[tuple[ResultLine, str]]] = {}
        for line, side in self._own_plays():
            key = (line.round, line.section, *line.sitting(OTHER[side]), *line.sitting(side))
            groups.setdefault(key if len(line.sitting(side)) > 1 else key[:3], []).append(
                (line, side)
            )
        for rows in sorted(groups.values(), key=lambda rows: (rows[0][0].round, rows[0][0].board)):
            line, side = rows[0]
            yield MailOpponents(
                self._side_name(line, OTHER[side]),
                self._result_against(rows),
                tuple(self._mail_board(*row) for row in sorted(rows, key=lambda row: row[0].board)),
                self._partner_name(line, side),
            )

    def _partner_name(self, line: ResultLine, side: str) -> str:
        """Return the partner of an individual player in a play; empty for pairs and teams."""
        others = [label for label in line.sitting(side) if label != self.contestant[1]]
        return (
            visible_text(self.exported.contestant_name((line.section, others[0]))) if others else ""
        )

    def _side_name(self, line: ResultLine, side: str) -> str:
        """Return the names of a side in a play."""
        names = [
            self.exported.contestant_name((line.section, label)) for label in line.sitting(side)
        ]
        return visible_text(" & ".join(names))

    def _result_against(self, rows: Sequence[tuple[ResultLine, str]]) -> str:
        """Return the reader's result against opponents over several boards, as text."""
        sides = [line.side(side) for line, side in rows]
        if self.exported.is_in_matches:
            return self._match_result(rows[0][0])
        if all(side.percent is not None for side in sides):
            mean = Fraction(sum(Fraction(str(side.percent)) for side in sides), len(sides))
            return f"{percent(mean, 0)} %"
        total = sum((Fraction(str(side.value or 0)) for side in sides), Fraction(0))
        return _signed_points(total)

    def _match_result(self, line: ResultLine) -> str:
        """Return the result of the match to which a play belongs: "14.25 VPs"."""
        for match, result in self.exported.matches:
            if line in self.exported.lines_of(match):
                sides = result.vps or result.points or result.imps
                if sides is None:
                    return ""
                value = sides.home if result.home == self.contestant[1] else sides.away
                words = _("%(number)s VPs") if result.vps else "%(number)s"
                return words % {"number": points(value)}
        return ""

    def _mail_board(self, line: ResultLine, side: str) -> MailBoard:
        """Return a play as the mail shows it: contract, score and result."""
        score = line.score if side == "ns" or line.score is None else -line.score
        bid = line.known_contract
        contract, suit, made = "", "", ""
        if bid.contract is not None:
            contract, suit = contract_in_signs(str(bid.contract)), str(bid.contract)[1].upper()
            if bid.declarer:
                made = seat_letter(str(bid.declarer))
                if bid.tricks is not None:
                    made += " " + tricks_text(str(bid.contract), bid.tricks)
        elif line.is_passed:
            contract = _("passed")
        elif line.score is None:
            contract = pgettext("a board", "ruling")
        return MailBoard(
            line.board,
            contract,
            suit,
            made,
            "" if score is None else signed_score(score),
            _side_value_text(line.side(side)),
        )


def _side_value_text(side: SideResult) -> str:
    """Return a side's matchpoint percentage or points on a board as text."""
    if side.percent is not None:
        return f"{percent(side.percent, 0)} %"
    return "" if side.value is None else _signed_points(Fraction(str(side.value)))


def _signed_points(number: Fraction) -> str:
    """Return points as text with their sign."""
    text = points(number)
    return f"+{text}" if number > 0 else text


def _section_and_direction(ranking: Ranking | None) -> str:
    """Return the title of a ranking: its section and direction."""
    return {"NS": _("North-South"), "EW": _("East-West")}.get((ranking and ranking.field) or "", "")
