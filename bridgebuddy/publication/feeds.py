"""A club's results as an Atom feed (RFC 4287), and its next sessions as a calendar (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from icalendar import Calendar, Event, vText

from bridgebuddy.scoring.rules.files.lines import visible_text

#: the time of a feed without entries, so that the same feed has the same text
NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class FeedItem:
    """A published session in a news feed: address, title, winners, and time of publication."""

    address: str
    title: str
    summary: str
    at: datetime


class _DatedFeed(Atom1Feed):
    """An Atom feed whose date is fixed while it has no items."""

    def latest_post_date(self) -> datetime:
        """Return the date of the latest item; a fixed date without items."""
        return super().latest_post_date() if self.items else NO_TIME


def atom_feed(title: str, home: str, own: str, news: Iterable[FeedItem], language: str) -> bytes:
    """Return an Atom feed of published sessions as text."""
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
    """A session to come in a calendar file: key, title, begin, end, place, host and price."""

    key: str
    title: str
    begins: datetime
    ends: datetime
    place: str = ""
    facts: str = ""


def calendar_file(
    title: str, version: str, dates: Iterable[CalendarItem], moment: datetime
) -> bytes:
    """Return a calendar file (RFC 5545) of sessions to come; its times are in UTC."""
    calendar = Calendar()
    calendar.add("prodid", f"-//BridgeBuddy//{version}//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", vText(visible_text(title)))
    for date in dates:
        event = Event()
        event.add("uid", date.key)
        event.add("dtstamp", moment.astimezone(UTC))
        event.add("dtstart", date.begins.astimezone(UTC))
        event.add("dtend", date.ends.astimezone(UTC))
        event.add("summary", visible_text(date.title))
        if date.place:
            event.add("location", visible_text(date.place))
        if date.facts:
            event.add("description", visible_text(date.facts))
        calendar.add_component(event)
    text: bytes = calendar.to_ical()
    return text
