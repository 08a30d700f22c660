"""A club's results as an Atom feed (RFC 4287), and its next sessions as a calendar (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from bridgebuddy.scoring.rules.files.lines import visible_text

ATOM = "http://www.w3.org/2005/Atom"
#: the most bytes of a line in a calendar
OCTETS = 75


@dataclass(frozen=True)
class FeedItem:
    """A published session in a feed: address, title, winners, and time of publication."""

    address: str
    title: str
    summary: str
    at: datetime


def atom_feed(title: str, home: str, own: str, news: Sequence[FeedItem]) -> bytes:
    """Write a feed; without published sessions it is empty."""
    feed = Element("feed", xmlns=ATOM)
    _add_element(feed, "id", own)
    _add_element(feed, "title", title)
    newest = max((news_item.at for news_item in news), default=datetime(2000, 1, 1, tzinfo=UTC))
    _add_element(feed, "updated", _atom_time(newest))
    SubElement(feed, "link", rel="self", href=own)
    SubElement(feed, "link", rel="alternate", href=home)
    _add_element(SubElement(feed, "author"), "name", title)
    for news_item in news:
        entry = SubElement(feed, "entry")
        _add_element(entry, "id", news_item.address)
        _add_element(entry, "title", news_item.title)
        _add_element(entry, "updated", _atom_time(news_item.at))
        SubElement(entry, "link", rel="alternate", href=news_item.address)
        if news_item.summary:
            _add_element(entry, "summary", news_item.summary)
    ElementTree.indent(feed)
    written: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return written


def _add_element(parent: Element, name: str, text: str) -> None:
    SubElement(parent, name).text = visible_text(text)


def _atom_time(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


@dataclass(frozen=True)
class CalendarItem:
    """A coming session in a calendar: key, title, begin and end."""

    key: str
    title: str
    begins: datetime
    ends: datetime


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
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return b"".join(part for line in lines for part in _folded_line(line))


def _calendar_time(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped_calendar_text(text: str) -> str:
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
