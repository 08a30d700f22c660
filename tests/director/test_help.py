"""Help: every page has its own, in both languages, from the Markdown of docs/."""

import re

import pytest
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import translation

from bridgebuddy.director.help import books
from bridgebuddy.director.help.topics import OF, PAGES
from bridgebuddy.publication.own import links
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.services import publishing
from bridgebuddy.table_phones.models import PhoneSettings
from tests.factories import director_of, section_with
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db
GERMAN = {"accept-language": "de"}


def test_every_page_of_help_is_there_in_both_languages_with_the_same_parts():
    parts = {}
    for language in books.LANGUAGES:
        with translation.override(language):
            parts[language] = {
                name: (one.lines.count("<li>"), len(one.answers))
                for name, one in books.help_topics().items()
            }

    assert parts["en"] == parts["de"]
    assert parts["en"].keys() == {*PAGES, books.CARD}
    assert all(lines == 6 for name, (lines, _) in parts["en"].items() if name in PAGES)


def test_help_is_of_pages_that_there_are():
    names = {str(name) for name in get_resolver().reverse_dict if isinstance(name, str)}

    assert OF.keys() <= names


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_drawer_has_few_words(language):
    with translation.override(language):
        for topic in books.help_topics().values():
            if topic.name in PAGES:
                shown = f"{topic.title} {topic.lines} {' '.join(a.title for a in topic.answers)}"
                assert len(re.sub("<[^>]+>", " ", shown).split()) <= 90, topic.name


def test_every_page_leads_to_its_own_help(club, alice, signed_in):
    section = section_with(8, "howell", round=1, club=club, by=alice)
    browser = signed_in(alice)
    shown = {
        reverse("home"): "home",
        reverse("desk", args=[section.code]): "desk",
        reverse("print", args=[section.code]): "print",
        reverse("club-privacy", args=[club.pk]): "settings",
        reverse("account"): "settings",
    }

    for address, topic in shown.items():
        assert f'href="/help/{topic}/"' in browser.get(address).content.decode(), address


def test_whoever_reads_results_has_help_without_an_account(client):
    section = scored_section(8, "howell", rounds=2)
    publishing.publish_results(section, by=None)
    token = ScoringSettings.objects.get().token

    page = client.get(f"/r/{token}/").content.decode()
    helped = client.get("/help/published/").content.decode()
    director = Client()
    director.force_login(director_of(section.club))

    assert 'href="/help/published/"' in page
    own = client.get(
        links.address_of(links.give_address(section.club.people.first(), by=None))
    ).content.decode()
    assert 'href="/help/own-page/"' in own
    assert "Your own page" in client.get("/help/own-page/").content.decode()
    assert "A result is wrong" in helped
    assert director.get("/help/?q=my name").status_code == 200


def test_whoever_enters_results_has_help_at_the_table(client):
    section = section_with(8, "howell", round=1)
    PhoneSettings.objects.create(session=section.session, mode="any")

    assert 'href="/help/table/"' in client.get(f"/p/{section.code}/table/1/").content.decode()
    assert "At the table" in client.get("/help/table/").content.decode()


@pytest.mark.parametrize(
    ("typed", "language", "first"),
    [
        ("pair late", "en", "A pair comes late"),
        ("Wrong  BOARDS", "en", "Wrong boards were played"),
        ("internet", "de", "Das Internet ist weg"),
        ("dealing machine", "en", "Use a dealing machine"),
        ("shuffle boards", "en", "Shuffle boards at the table"),
        ("Dupliziermaschine", "de", "Mit der Dupliziermaschine duplizieren"),
        ("Boards mischen", "de", "Boards am Tisch mischen"),
        ("Verteilungen", "de", "Sind die Verteilungen ehrlich?"),
        ("xyzzy", "en", None),
        ("", "en", None),
    ],
)
def test_a_question_is_answered_first_thing(typed, language, first):
    with translation.override(language):
        found = books.search_help(typed)

    assert (found[0].title if found else None) == first


def test_an_answer_leads_to_where_it_is_done(club, alice, signed_in, client):
    section = section_with(8, "howell", round=1, club=club, by=alice)
    address = {"q": "pair late"}
    section.session.date = club.today
    section.session.save()

    desk = f'href="{reverse("desk", args=[section.code])}"'
    assert desk in signed_in(alice).get(reverse("help"), address).content.decode()
    assert "Open this page" not in client.get(reverse("help"), address).content.decode()


def test_an_answer_of_the_season_leads_to_the_club_s_on_the_evening_too(club, alice, signed_in):
    section = section_with(8, "howell", round=1, club=club, by=alice)
    section.session.date = club.today
    section.session.save()

    found = signed_in(alice).get(reverse("help"), {"q": "handicaps"}).content.decode()

    assert f'href="{reverse("season", args=[club.pk])}"' in found


def test_the_long_pages_are_read_here_too_and_lead_to_each_other(client):
    page = client.get(reverse("help-read", args=["evening"])).content.decode()

    assert "<h1>An evening, step by step</h1>" in page
    assert ".md" not in re.sub("<[^>]+>", "", page) or 'href="#"' not in page
    for name in ("help-topic", "help-card", "help-read"):
        assert client.get(reverse(name, args=["nowhere"])).status_code == 404


def test_what_is_typed_into_docs_is_never_html():
    assert books.rendered_markdown("<script>alert(1)</script>").startswith("<p>&lt;script&gt;")


def test_the_card_speaks_german_too(client):
    page = client.get(reverse("help-card", args=["first-evening"]), headers=GERMAN)

    assert "Ihr erster Abend" in page.content.decode()
