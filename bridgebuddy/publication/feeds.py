"""A club's results as an Atom feed (RFC 4287), and its next sessions as a calendar (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape

from bridgebuddy.scoring.rules.files.lines import visible_text

#: the time of a feed without entries, so that the same feed has the same text
NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)
#: the most bytes of a line in a calendar
OCTETS = 75


@dataclass(frozen=True)
class FeedItem:
    """A published session in a feed: address, title, winners, and time of publication."""

    address: str
    title: str
    summary: str
    at: datetime


class _DatedFeed(Atom1Feed):
    """An Atom feed that has a date even without items."""

    def latest_post_date(self) -> datetime:
        """Return the date of the latest item; a fixed date without items."""
        return super().latest_post_date() if self.items else NO_TIME


def atom_feed(title: str, home: str, own: str, news: Iterable[FeedItem], language: str) -> bytes:
    """Write a feed; without published sessions it is empty."""
    title = visible_text(title)
    feed = _DatedFeed(
        title, home, None, language=language, feed_url=own, feed_guid=own, author_name=title
    )
    for news_item in news:
        feed.add_item(
            visible_text(news_item.title),
            news_item.address,
            # the feed says that a summary is HTML
            escape(visible_text(news_item.summary)) or None,  # type: ignore[arg-type]  # no element
            unique_id=news_item.address,
            updateddate=news_item.at.astimezone(UTC).replace(microsecond=0),
        )
    return feed.writeString("utf-8").encode()


@dataclass(frozen=True)
class CalendarItem:
    """A coming session in a calendar: key, title, begin and end, place, host and price."""

    key: str
    title: str
    begins: datetime
    ends: datetime
    place: str = ""
    facts: str = ""


def calendar_file(title: str, version: str, dates: Iterable[CalendarItem], now: datetime) -> bytes:
    r"""Write a calendar.

    >>> print(_escaped_calendar_text("A, B; C\\n").strip())
    A\, B\; C\\n
    """
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:-//BridgeBuddy//{version}//EN"]
    lines += [
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_escaped_calendar_text(title)}",
    ]
    for date in dates:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{date.key}",
            f"DTSTAMP:{_calendar_time(now)}",
            f"DTSTART:{_calendar_time(date.begins)}",
            f"DTEND:{_calendar_time(date.ends)}",
            f"SUMMARY:{_escaped_calendar_text(date.title)}",
        ]
        if date.place:
            lines.append(f"LOCATION:{_escaped_calendar_text(date.place)}")
        if date.facts:
            lines.append(f"DESCRIPTION:{_escaped_calendar_text(date.facts)}")
        lines.append("END:VEVENT")
    lines.append("END:VCALENDAR")
    return b"".join(part for line in lines for part in _folded_line(line))


def _calendar_time(at: datetime) -> str:
    """Return a time as iCalendar writes it."""
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped_calendar_text(text: str) -> str:
    """Return a text as iCalendar writes it."""
    plain = visible_text(text).replace("\\", "\\\\")
    return plain.replace(";", "\\;").replace(",", "\\,")


def _folded_line(line: str) -> Iterator[bytes]:
    """Yield the parts of a line with at most 75 bytes each, divided between characters."""
    part = b""
    for letter in line:
        byte = letter.encode()
        if len(part) + len(byte) > OCTETS:
            yield part + b"\r\n"
            part = b" "
        part += byte
    yield part + b"\r\n"
