"""Every contest from the new session to the published list, by the pages alone, in English and in German.

On the way every kind of page is opened, for directors, phones, room, paper and the public: none fails, none speaks
of pairs to single players, and in German none has English words.
"""

import random
import re
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import Resolver404, resolve, reverse

from bridgebuddy.events.models import Section
from bridgebuddy.printing.sheets import OF_RESULTS
from bridgebuddy.scoring.services.results import EnteredResult, enter_results
from tests.factories import names_of
from tests.test_german import ZONES, words_of
from tests.test_german import english as english

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("two_languages")]

SESSION = {
    "name": "Dienstag",
    "date": "2026-11-24",
    "starts_at": "19:00",
    "fewest_boards": 12,
    "most_boards": 28,
    "minutes_per_board": 7,
}
#: what single players are never called; that BridgeWebs has a table for pairs alone is said to them too
PAIRS = re.compile(r"\b(pairs?|Paare?n?)\b", re.IGNORECASE)
#: pages that show what came of it, and lead to them
OF_THE_END = {
    *("desk", "results", "ranking", "publish", "boards", "board-results", "score-sheet", "look-at"),
    *("matches", "match", "butler", "looking-back", "hand-in", "classes", "draw"),
    *("lookup", "player", "my-results", "room-display"),
}


@dataclass(frozen=True)
class Contest:
    """Data typed and buttons pressed for one kind of evening."""

    of: str
    many: int
    chosen: dict = field(default_factory=dict)
    drawn: bool = False
    sections: int = 1
    sessions: int = 1
    in_english: bool = False
    #: whether what stands at its end is looked at on every page, or on those alone that show results
    to_the_end: bool = False


CONTESTS = {
    "mitchell": Contest("pairs", 9, {"family": "mitchell"}),
    "howell": Contest("pairs", 6, {"family": "howell"}, to_the_end=True),
    "individual": Contest(
        "individual", 9, {"family": "individual"}, in_english=True, to_the_end=True
    ),
    "rainbow": Contest("individual", 20, {"family": "rainbow"}),
    "swiss of pairs": Contest("pairs", 9, {"kind": "swiss", "rounds": 3, "boards": 4}, drawn=True),
    "swiss of teams": Contest(
        "teams", 7, {"kind": "swiss", "rounds": 2, "boards": 6, "odd": "triangle"}, drawn=True
    ),
    "knock-out": Contest("teams", 6, {"kind": "knockout", "rounds": "", "boards": 4}, drawn=True),
    "round robin": Contest("teams", 4, {"family": "team-round-robin"}, to_the_end=True),
    "triangle": Contest("teams", 3, {"family": "triangle"}),
    "american whist": Contest("teams", 5, {"family": "team-awl"}),
    "two sections": Contest("pairs", 12, {"family": "howell"}, sections=2),
    "several sessions": Contest("pairs", 6, {"family": "howell"}, sessions=2),
}


class Walk:
    """A director's browser in one language and a stranger's, at one session."""

    def __init__(self, director, english, contest):
        self.contest, self.english = contest, english
        self.languages = {}
        for language in ("en", "de"):
            headers = {"accept-language": language}
            self.languages[language] = (Client(headers=headers), Client(headers=headers))
            self.languages[language][0].force_login(director)
        self.problems = []
        #: what has been looked at and is the same until the end, or in other contests shown to its end
        self.known = set()

    @property
    def browser(self):
        return self.languages["en"][0]

    def post(self, name, section, **sent):
        answer = self.browser.post(reverse(name, args=[section.code]), sent)
        assert answer.status_code in (200, 302), (name, answer.status_code)
        return answer

    def look(self, *sections):
        """Look at one page of every kind that can be reached, as a director and as anybody.

        In English only where there is something to hear: whether single players are called pairs.
        """
        for language, browsers in self.languages.items():
            if language == "en" and not self.contest.in_english:
                continue
            for browser, first in zip(browsers, ("desk", "lookup"), strict=True):
                seen, waiting = set(), [reverse(first, args=[section.code]) for section in sections]
                waiting += [reverse("room-display", args=[section.code]) for section in sections]
                while waiting:
                    address = waiting.pop(0)
                    kind = self.kind_of(address)
                    if kind and kind not in seen and (language, kind) not in self.known:
                        seen.add(kind)
                        if self.stays(kind):
                            self.known.add((language, kind))
                        waiting += self.seen(browser, address, language)

    def stays(self, kind):
        """Return whether a kind of page need not be opened again at the end: sheets without results do not change."""
        if kind[0] == "print-preview":
            return kind[1] not in OF_RESULTS
        return not self.contest.to_the_end and kind[0] not in OF_THE_END

    def kind_of(self, address):
        """Return the kind of a page; None for other pages than a session's, and for slow ones."""
        path = urlsplit(address).path
        is_here = path.startswith(("/s/", "/p/", "/r/")) and not path.startswith("/p/language/")
        if not is_here or path.endswith(".pdf"):
            return None
        try:
            found = resolve(path)
        except Resolver404:
            self.problems.append(f"{address} leads nowhere")
            return None
        apart = {
            key: value for key, value in found.kwargs.items() if key in ("wish", "format", "name")
        }
        return found.url_name, *apart.values()

    def seen(self, browser, address, language):
        answer = browser.get(address, follow=True)
        if answer.status_code not in (200, 405):
            self.problems.append(f"{language} {address}: {answer.status_code}")
        if answer.status_code != 200 or "text/html" not in answer.headers["Content-Type"]:
            return []
        markup = answer.content.decode()
        self.read(address, words_of(answer), markup, language)
        return [unescape(link) for link in re.findall(r'<a\s[^>]*?href="(/[^"#]+)', markup)]

    def read(self, address, found, markup, language):
        if language == "de":
            if '<html lang="de"' not in markup:
                self.problems.append(f"{address} is not German")
            found = [words for words in found if words not in ZONES]
            left = [words for words in found if self.english.is_in(words)]
            if left:
                self.problems.append(f"{address}: {left}")
        paired = [words for words in found if PAIRS.search(words) and "BridgeWebs" not in words]
        if self.contest.of == "individual" and paired:
            self.problems.append(f"{language} {address}: {paired}")

    def draw(self, section):
        page = self.browser.get(reverse("draw", args=[section.code])).content.decode()
        form = next(
            text
            for text in re.findall(r"<form.*?</form>", page, re.DOTALL)
            if reverse("draw", args=[section.code]) + '"' in text and "post" in text
        )
        hidden = re.findall(r'name="([\w-]+)" value="([^"]*)"', form)
        sent = {key: [v for k, v in hidden if k == key] for key, _ in hidden}
        self.post("draw", section, **{k: v for k, v in sent.items() if k != "csrfmiddlewaretoken"})

    def enter(self, section, rng):
        """Type a slip on its page in the first round and the last, and enter the other missing results."""
        if section.round in (1, section.movement.rounds):
            slip = reverse("slips", args=[section.code])
            page = self.browser.get(slip).content.decode()
            sent = dict(re.findall(r'name="(after-\d+)" value="(\d*)"', page))
            sent |= {name.replace("after", "line"): "3ns=" for name in sent}
            assert self.browser.post(f"{slip}?", {**sent, "go": "on"}).status_code == 302
        missing = section.plays.filter(taken_back_at=None, results=None)
        missing = missing.exclude(ns=None).exclude(ew=None)
        tricks = [rng.randint(7, 10) for _ in missing]
        contract = {"contract": "2S", "declarer": "N"}
        enter_results(
            section,
            [
                EnteredResult(record.pk, {**contract, "tricks": n})
                for record, n in zip(missing, tricks, strict=True)
            ],
            by=None,
        )


def chosen(walk, section):
    name = "choose-drawn" if walk.contest.drawn else "choose-movement"
    walk.browser.get(reverse(name, args=[section.code]))
    wishes = {} if walk.contest.drawn else {"fewest": 6, "most": 28, "stands": "on"}
    walk.post(name, section, **wishes, **walk.contest.chosen)
    section.refresh_from_db()
    assert section.movement is not None


def played(walk, sections, rng):
    for section in sections:
        while not section.is_last_round:
            if section.round + 1 in section.movement.open_rounds:
                walk.draw(section)
            walk.post("next-round", section, after=section.round)
            before, section.round = section.round, 0
            section.refresh_from_db()
            assert section.round == before + 1
            walk.enter(section, rng)


@pytest.mark.parametrize("name", CONTESTS)
def test_a_contest_is_walked_from_the_new_session_to_the_published_list(name, club, alice, english):
    contest, rng = CONTESTS[name], random.Random(name)
    walk = Walk(alice, english, contest)
    lines = "\n".join("; ".join(name) for name in names_of(contest.many, contest.of))
    walk.browser.get(reverse("new-session"))
    walk.browser.post(reverse("new-session"), {**SESSION, "contest": contest.of, "pairs": lines})
    section = Section.objects.get()
    if contest.sections > 1:
        page = walk.browser.get(reverse("divide", args=[section.code]))
        parts = page.context["dividing"].parts
        who = {f"in-{member.entry.pk}": part.letter for part in parts for member in part.members}
        walk.post("divide", section, sections=contest.sections, how="number", deals="same", **who)
    for count in range(contest.sessions):
        if count:
            second = reverse("copy-session", args=[section.code]) + "?second=1"
            walk.browser.post(second, {**SESSION, "date": "2026-12-01", "sit": "random"})
        session = section.session.event.sessions.latest("pk")
        sections = list(Section.objects.filter(session=session).order_by("pk"))
        for proposal in sections:
            if proposal.movement is None:
                chosen(walk, proposal)
        played(walk, sections, rng)
        if count + 1 == contest.sessions:  # of one before, all is as of one alone
            walk.look(*sections)
        for play in sections:
            walk.post("finish", play, after=play.round)
        walk.post("results-state", sections[0], do="final-publish")
        section = sections[0]
    section.refresh_from_db()
    assert section.is_finished
    session.scoring.refresh_from_db()
    assert session.scoring.is_published
    walk.look(*sections)
    public = reverse("public-results", args=[session.scoring.token])
    assert walk.languages["de"][1].get(public).status_code == 200
    paper = reverse("print-pdf", args=[section.code, "ranking"])
    assert walk.languages["de"][0].get(paper).content.startswith(b"%PDF")
    assert walk.problems == []
