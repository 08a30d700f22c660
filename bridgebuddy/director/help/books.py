"""The Markdown of docs/, read once in each process: help of pages, answers, and long pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import get_language
from markdown_it import MarkdownIt

from bridgebuddy.clubs.models import searchable
from bridgebuddy.rulings.guide import FinalStep, answers_of_step, steps_of_subject
from bridgebuddy.rulings.subjects import SUBJECTS

DOCS: Path = settings.HOUSE / "docs"
LANGUAGES = ("en", "de")
#: pages of docs/ that a director reads here too; they are in English
LONG = {
    "rulings": "director/rulings.md",
    "evening": "director/evening.md",
    "live-changes": "director/live-changes.md",
    "results": "director/results.md",
    "phones": "director/phones.md",
    "draws": "director/draws.md",
    "championships": "director/championships.md",
    "scoring-rules": "director/scoring-rules.md",
    "entering": "players/entering.md",
}
CARD = "first-evening"
#: the help topic of the guide to rulings
RULINGS = "law-guide"
MOST_FOUND = 6
#: the questions that are offered where nothing was found: the topic, and the place of the answer in it
FREQUENT = (("desk", 0), ("desk", 1), ("desk", 3), ("results", 0), ("players", 1), ("phones", 0))
MOST_NEAR = 4
#: how alike two spellings must be; 1.0 is equal
ALIKE = 0.72
#: shorter words of a question, like "how" and "wie", say nothing of its subject, except German nouns
SUBJECT = 4
HEADING = re.compile(r"^#{1,3} ", re.MULTILINE)
#: the last line of an answer or of a card's lines: other words that people search for; it is not shown
ALSO = re.compile(r"\n(?:Also|Auch): (.+?)\.?\s*\Z")
LEAD = re.compile(r"\*\*(.+?)\.?\*\*\s*")
LINK = re.compile(r"\]\((?:[^)\s]*/)?([a-z-]+)\.md(#[^)\s]*)?\)")


@dataclass(frozen=True)
class HelpAnswer:
    """A question of the help with its answer."""

    title: str
    html: SafeString
    text: str
    address: str
    topic: str  # the page it belongs to; empty for a long page
    synonyms: str = ""

    @property
    def anchor(self) -> str:
        """Return the HTML anchor of the answer on the page of its topic."""
        return slugify(self.title)


@dataclass(frozen=True)
class HelpTopic:
    """The help about one page: introduction, questions and answers."""

    name: str
    title: str
    lines: SafeString
    answers: tuple[HelpAnswer, ...]
    synonyms: str = ""

    def as_answer(self) -> HelpAnswer:
        """Return the topic's introduction as an answer, so that a search for its subject finds it."""
        text = " ".join(strip_tags(self.lines).split())
        address = reverse("help-topic", args=[self.name])
        return HelpAnswer(self.title, self.lines, text, address, self.name, self.synonyms)


def rendered_markdown(text: str) -> SafeString:
    """Render Markdown; HTML in the text is escaped."""
    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return mark_safe(html)


def topic_of(name: str) -> HelpTopic | None:
    """Return the help topic with this name in the reader's language, or None."""
    language = get_language() or "en"
    return _read_topics(language if language in LANGUAGES else "en").get(name)


def help_topics() -> dict[str, HelpTopic]:
    """Return all help topics in the reader's language."""
    language = get_language() or "en"
    return _read_topics(language if language in LANGUAGES else "en")


@lru_cache(maxsize=len(LANGUAGES))
def _read_topics(language: str) -> dict[str, HelpTopic]:
    """Read all help topics of a language from their Markdown files, by name."""
    topics_by_name = {}
    for path in sorted((DOCS / "help" / language).glob("*.md")):
        first, *rest = HEADING.split(path.read_text(encoding="utf-8"))[1:]
        title, lines = first.split("\n", 1)
        lines, synonyms = _remove_synonyms(lines)
        address = reverse("help-topic", args=[path.stem])
        answers = tuple(_parse_answer(part, address, path.stem) for part in rest)
        topics_by_name[path.stem] = HelpTopic(
            path.stem, title.strip(), rendered_markdown(lines), answers, synonyms
        )
    return topics_by_name


def _remove_synonyms(text: str) -> tuple[str, str]:
    """Return a Markdown text without its line of synonyms, and the synonyms for searching."""
    found = ALSO.search(text)
    return (text[: found.start()], found[1]) if found else (text, "")


def _parse_answer(part: str, address: str, topic: str) -> HelpAnswer:
    """Return a question with its answer from a part of a Markdown file."""
    title, text = part.split("\n", 1)
    text, synonyms = _remove_synonyms(text)
    html = rendered_markdown(text)
    where = f"{address}#{slugify(title)}"
    plain = " ".join(strip_tags(html).split())
    return HelpAnswer(title.strip(), html, plain, where, topic, synonyms)


@lru_cache(maxsize=len(LONG))
def long_page(name: str) -> tuple[str, SafeString]:
    """Return the title and the HTML of a long page of the documentation."""
    text = (DOCS / LONG[name]).read_text(encoding="utf-8")
    title, text = text.split("\n", 1)
    return title.removeprefix("# ").strip(), rendered_markdown(LINK.sub(_page_link, text))


def _page_link(match: re.Match[str]) -> str:
    """Return a link in a help text with the address of the page that it means."""
    return f"]({reverse('help-read', args=[match[1]])})" if match[1] in LONG else "](#)"


@lru_cache(maxsize=1)
def _long_answers() -> tuple[HelpAnswer, ...]:
    """Return the paragraphs of the long pages as answers for searching, each under its heading."""
    paragraphs = []
    for name in LONG:
        text = (DOCS / LONG[name]).read_text(encoding="utf-8")
        address, heading = reverse("help-read", args=[name]), ""
        for part in text.split("\n\n"):
            if part.startswith("#"):
                heading = part.lstrip("# ").split("\n")[0]
                continue
            lead = LEAD.match(part)
            html = rendered_markdown(part)
            plain = " ".join(strip_tags(html).split())
            paragraphs.append(HelpAnswer(lead[1] if lead else heading, html, plain, address, ""))
    return tuple(paragraphs)


def _ruling_answers() -> list[HelpAnswer]:
    """Return the subjects of the guide to rulings as answers for searching."""
    answers = []
    for subject in SUBJECTS:
        texts = [subject.first.title]
        for place in steps_of_subject(subject):
            if not isinstance(place.step, FinalStep):
                texts += [answer.text for answer in answers_of_step(place.step)]
        text = " · ".join(str(text) for text in texts)
        address = reverse("help-law", args=[subject.name, subject.first.name])
        answers.append(HelpAnswer(str(subject.title), SafeString(), text, address, RULINGS))
    return answers


def search_help(question: str) -> list[HelpAnswer]:
    """Return the help's answers to a typed question, best first: all words must occur.

    If no answer has all words of a question, those with the most words of its subject are returned.
    """
    words = searchable(question).split()
    if not words:
        return []
    ranked = []
    for number, answer in enumerate([*_short_answers(), *_ruling_answers(), *_long_answers()]):
        named = _normalized_for_search(f"{answer.title} {answer.synonyms}")
        text = " ".join(answer.text.casefold().split())
        hits = sum(word in named for word in words)
        if all(
            word in named or word in text or word in _normalized_for_search(answer.text[:120])
            for word in words
        ):
            ranked.append((-hits, not answer.topic, number, answer))
    found = [answer for *_, answer in sorted(ranked, key=lambda rank: rank[:3])]
    if len(words) > 1 and not any(answer.topic for answer in found):
        found = [*_answers_by_subject(question), *found]
    return found[:MOST_FOUND]


def _normalized_for_search(text: str) -> str:
    """Return a text in its form for searching, of any length; `searchable` would cut it."""
    return " ".join(searchable(word) for word in text.split())


def _short_answers() -> list[HelpAnswer]:
    """Return the short answers of all help topics, for searching before the long pages."""
    topics = help_topics().values()
    return [answer for topic in topics for answer in (*topic.answers, topic.as_answer())]


def _answers_by_subject(question: str) -> list[HelpAnswer]:
    """Return the answers whose titles or synonyms contain the rarest long words of a question."""
    answers = [*_short_answers(), *_ruling_answers()]
    known = [
        set(re.findall(r"\w+", _normalized_for_search(f"{answer.title} {answer.synonyms}")))
        for answer in answers
    ]
    ranks = [0.0] * len(answers)
    written = re.findall(r"\w+", question)
    words = {searchable(word) for word in written[:1] if len(word) >= SUBJECT}
    words |= {searchable(w) for w in written[1:] if len(w) >= SUBJECT or w.istitle()}
    for word in words:
        having = [number for number, there in enumerate(known) if word in there]
        for number in having:
            ranks[number] += 1 / len(having)
    order = sorted(range(len(answers)), key=lambda number: (-ranks[number], number))
    return [answers[number] for number in order[:MOST_FOUND] if ranks[number]]


def similarly_spelt_help_words(text: str) -> list[str]:
    """Return words of the help that are spelt like a typed one, to suggest after an empty search."""
    known: dict[str, str] = {}
    for answer in (*_short_answers(), *_ruling_answers()):
        for word in re.findall(r"[^\W\d_][\w-]{3,}", f"{answer.title} {answer.synonyms}"):
            known.setdefault(searchable(word), word)
    found = [
        near
        for word in searchable(text).split()
        if len(word) >= SUBJECT
        for near in get_close_matches(word, known, n=MOST_NEAR, cutoff=ALIKE)
    ]
    return [known[near] for near in dict.fromkeys(found)][:MOST_NEAR]


def frequent_answers() -> list[HelpAnswer]:
    """Return the most frequently needed answers."""
    topics = help_topics()
    return [topics[name].answers[place] for name, place in FREQUENT]
