"""Reading the director's pages, and answering those of live changes."""

import html
import re

from django.urls import reverse

from bridgebuddy.events.services.play import changes
from movements.engine.changes import PairLeaves
from tests.factories import section_with
from tests.markup import markup

LATE = {"first": "Eve Engel", "second": "Max O’Reid"}
FASTER = (
    "Another director has changed the session meanwhile. Your change was not made. These "
    "are the options now."
)

#: a whole answer to what every page asks, for 16 pairs in round 4
ANSWERS = {
    "late": {},
    "leaves": {"contestant": 3},
    "back": {"contestant": 2},
    "stays": {"contestant": 12},
    "skip": {},
    "arrows": {"round": 5, "table": 1},
    "length": {"rounds": 6},
    "boards": {"boards": 2},
    "places": {"round": 4, "one": 1, "other": 2},
    "wrong-boards": {"round": 4, "table": 1, "other_table": 2},
    "other-way": {"round": 4, "table": 1},
    "line": {"round": 4, "line": "ew", "up": "1"},
    "rebuild": {"effort": 1},
}


def address_of(section, wish):
    return reverse("change", args=[section.code, wish])


def in_which_one_can(wish, section, by):
    """Return a section in which a wish can be asked for: this one, with the needed events, or another."""
    if wish == "arrows":
        return section_with(16, "howell", round=4, club=section.club, by=by)
    if wish == "back":
        left = PairLeaves(ANSWERS["back"]["contestant"])
        way = changes.change_options(section, left)[0]
        section = changes.take_proposal(section, way, left, plan=section.plan, by=by)
    return section


def text(response):
    """The words of a page."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())))


def ways_on(response):
    """The keys of the ways a page offers, in their order."""
    return re.findall(r'type="radio" name="way" id="[\w-]+" value="(\w+)"', markup(response))


def titles_on(response):
    """The names of the ways a page offers, in their order."""
    return [
        html.unescape(title) for title in re.findall(r"<h2>(?:<[^>]+>)*([^<]+)", markup(response))
    ]


def grid_of(response):
    """The rounds of a whole movement, each as a line."""
    rows = re.findall(r"<tbody>(.*)</tbody>", response.content.decode(), re.S)[0].split("</tr>")
    lines = [re.sub(r"<[^>]+>", " ", row) for row in rows if row.strip()]
    return [re.sub(r"\s+", " ", line).strip() for line in lines]


def alerts_on(response):
    """Return the notices of a page that need an action."""
    matches = re.findall(r'role="alert">(.*?)</(?:p|div)>', response.content.decode(), re.S)
    return [
        re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", item))).strip() for item in matches
    ]


def decide(browser, section, wish, **answers):
    """Post a decision as the page would: the first way, the section's version, nothing else asked."""
    asked = {**ANSWERS[wish], **{name: answers[name] for name in ANSWERS[wish] if name in answers}}
    page = browser.get(address_of(section, wish), asked)
    sent = {"plan": section.plan, "way": ways_on(page)[0], **asked, **answers}
    return browser.post(address_of(section, wish), sent)
