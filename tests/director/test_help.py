"""Help: every page has its own, in both languages, from the Markdown of docs/."""

import re

import pytest
from django.conf import settings
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
#: words of menus, headings and questions of clubs; the help has a card for each in the language of the page
SEARCHED = {
    "de": """
    Anmeldung Warteliste, Warteliste, Partner suchen, Kalender, Serie, Meisterschaft,
    Clubpunkte, Verbandsnummer, Import, Umzug, Homepage, Datenschutz, Mitglied, Verteilungen,
    Dupliziermaschine, Boards mischen, Revoke, falsche Auskunft, Ausspiel, Strafe, Handicap,
    Rangliste, Drucken, Tischkarten, Laufzettel, Nachzügler, Paar geht, Rover, Springen, Pause,
    Uhr, Handy, WLAN, QR-Code, E-Mail, Kasse, Rolle, Rundschreiben, Tablet, Gast, Schweizer
    System, K.-o., Team, Butler, IMP, Korrektur, endgültig, veröffentlichen, Datensicherung,
    Passwort, Mitglieder, Saison, Movement, Leitung, Turnier, Club, Ergebnis, Sitzplan,
    Startnummer, Rating
""",
    "en": """
    registration, waiting list, partner, calendar, series, championship, masterpoints,
    federation number, import, move, homepage, privacy, member, deals, dealing machine, shuffle,
    revoke, misinformation, lead, penalty, handicap, ranking, print, table cards, travellers,
    late pair, pair leaves, rover, skip, sit-out, clock, phone, Wi-Fi, QR code, e-mail, money,
    role, letter, tablet, guest, Swiss, knock-out, team, Butler, IMP, correction, final,
    publish, backup, password, members, season, movement, desk, session, club, result, seating,
    number, rating
""",
}


def test_every_page_of_help_is_there_in_both_languages_with_the_same_parts():
    parts = {}
    for language in books.LANGUAGES:
        with translation.override(language):
            parts[language] = {
                name: (row.lines.count("<li>"), len(row.answers))
                for name, row in books.help_topics().items()
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
        reverse("account"): "account",
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
        links.page_address(links.give_address(section.club.people.first(), by=None))
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
        answers = books.search_help(typed)

    assert (answers[0].title if answers else None) == first


@pytest.mark.parametrize("language", ["de", "en"])
def test_words_that_people_search_for_have_a_card_in_the_language_of_the_page(language):
    words = [word.strip() for word in SEARCHED[language].split(",")]

    with translation.override(language):
        found = {word: [a for a in books.search_help(word) if a.topic] for word in words}

    assert len(found) > 50
    assert [word for word, answers in found.items() if not answers] == []


#: a heading in a template, of a page or of a fold that has a place in its address; and any text of a menu
A_HEADING = re.compile(
    r'<h(?:1|2 id="of-[^"]+")[^>]*>\s*\{%\s*translate "([^"]+)"(?: context "([^"]+)")?\s*%\}\s*</h[12]>'
)
A_LABEL = re.compile(r'\{%\s*translate "([^"]+)"(?: context "([^"]+)")?\s*%\}')
MENUS = ("base", "session_nav", "session_pages", "club/base", "season/base", "results/tabs")
#: pages of errors, of accounts and of what has ended
OF_NO_SUBJECT = re.compile(
    r"(\d+|mfa/.*|account/.*|mail_error|players/deleted|players/ended|tables/closed)"
)
#: words of headings that name no subject
NO_SUBJECT = {
    "de": {"Inhalt", "Verschiedenes", "Welches", "Willkommen"},
    "en": {"content", "Welcome", "Whose", "earlier", "entering", "they"},
}


def words_of_menus_and_headings(language):
    """The longer words of every menu and heading; German ones with a capital, which are nouns."""
    root = settings.HOUSE / "templates"
    found = set()
    for path in root.rglob("*.html"):
        name = str(path.relative_to(root)).removesuffix(".html")
        pattern = A_LABEL if name.removeprefix("director/") in MENUS else A_HEADING
        if not OF_NO_SUBJECT.fullmatch(name):
            found |= set(pattern.findall(path.read_text()))
    with translation.override(language):
        texts = [
            translation.pgettext(context, text) if context else translation.gettext(text)
            for text, context in found
        ]
    words = {word for text in texts for word in re.findall(r"[^\W\d_]{4,}", text)}
    return sorted(word for word in words if language == "en" or word[0].isupper())


@pytest.mark.parametrize("language", ["de", "en"])
def test_each_word_of_menus_and_headings_has_a_card_in_the_language_of_the_page(language):
    words = words_of_menus_and_headings(language)

    with translation.override(language):
        unknown = {word for word in words if not any(a.topic for a in books.search_help(word))}

    assert len(words) > 90
    assert unknown == NO_SUBJECT[language]


#: thirty questions that people ask, and an answer among the first three
ASKED = {
    "de": """
Wie verschiebe ich ein Turnier?|Das falsche Turnier ist gelöscht
Wie ändere ich ein Ergebnis?|Ein Ergebnis ist falsch
Wie drucke ich die Rangliste?|Rangliste und Veröffentlichen
Ein Paar kommt zu spät|Ein Paar kommt zu spät
Was mache ich, wenn ein Paar geht?|Ein Paar geht
Falsches Board gespielt|Wir haben das falsche Board gespielt
Wie starte ich die nächste Runde?|Die Leitung
Wie finde ich einen Partner?|Wer kommt
Wie lege ich eine Meisterschaft an?|Die Saison
Wie bekomme ich Clubpunkte?|Jedes Turnier gibt Clubpunkte
Wie duplizieren wir?|Mit der Dupliziermaschine duplizieren
Wie übernehme ich Mitgliedsnummern?|Mitglieder
Wie lade ich jemanden ein?|Personen und Rollen
Passwort vergessen|Ich habe mein Passwort vergessen
Wie lösche ich meinen Namen?|Was über mich bekannt ist
Wer hat bezahlt?|Tischgeld
Wie schreibe ich allen Mitgliedern?|Rundmails an Mitglieder
Zwei Paare saßen falsch|Zwei Paare saßen falsch
Ausspiel von der falschen Hand|Ausspiel von der falschen Seite
Was tue ich bei einem Revoke?|Revoke
Wie halte ich die Uhr an?|Die Leitung
Kann ein Einzelspieler mitspielen?|Wer kommt
Das Internet ist weg|Das Internet ist weg
Wie wechsle ich das Movement?|Der Club hat ein eigenes Movement
Wie viele Boards spielen wir?|Zu viele Boards, oder zu spät zu Ende
Ein Name ist falsch geschrieben|Ein Name ist falsch geschrieben
Wie veröffentliche ich die Rangliste?|Rangliste und Veröffentlichen
Zwei Abteilungen|Zwei Abteilungen
Handys oder Zettel?|Handys oder Zettel
Wir hatten ein anderes Programm|Wir hatten ein anderes Programm
""",
    "en": """
How do I move a session?|The day or the name is wrong
How do I correct a result?|A result is wrong
How do I print the ranking?|Print
A pair comes late|A pair comes late
A pair has to leave|Who is coming
We played the wrong board|We played the wrong board
How do I start the next round?|The desk
How do I publish the result?|Ranking and publishing
How do I register?|Who is coming
How do I find a partner?|Who is coming
How do I set up a championship?|The season
Masterpoints|Every session gives masterpoints
Import old sessions|Sessions
Where are the deals?|Deals
Dealing machine|Use a dealing machine
Membership numbers|Members
Invite somebody|People and roles
I forgot my password|I forgot my password
Delete my name|What is known about me
Who has paid?|Table money
Write to all members|Mails to members
Two pairs sat the wrong way|Two pairs sat wrong
Lead out of turn|Lead out of turn
What about a revoke?|Revoke
Stop the clock|The desk
A single player|Who is coming
The internet is down|The internet is gone
Change the movement|The movement
A name is spelt wrong|A name is spelt wrong
Two sections|Two sections
""",
}


@pytest.mark.parametrize("language", ["de", "en"])
def test_each_question_that_people_ask_has_its_answer_among_the_first_three(language):
    asked = [line.split("|") for line in ASKED[language].strip().splitlines()]

    with translation.override(language):
        missed = {
            question: titles
            for question, title in asked
            if title not in (titles := [a.title for a in books.search_help(question)[:3]])
        }

    assert len(asked) == 30
    assert missed == {}


def test_a_word_that_nothing_answers_leads_to_near_words_and_frequent_questions(alice, signed_in):
    browser = signed_in(alice)

    page = browser.get(reverse("help"), {"q": "Rankng"}).content.decode()
    german = browser.get(reverse("help"), {"q": "Tombola"}, headers=GERMAN).content.decode()

    assert 'href="?q=Ranking"' in page
    assert "A pair comes late" in page
    assert "Ein Paar kommt zu spät" in german
    assert "Did you mean" not in browser.get(reverse("help"), {"q": "ranking"}).content.decode()


def test_other_words_of_an_answer_are_found_and_not_shown(client):
    page = client.get("/help/entries/", headers=GERMAN).content.decode()
    found = client.get("/help/?q=Partnerbörse", headers=GERMAN).content.decode()

    assert "Wer kommt" in page
    assert "Wer kommt" in found
    assert "Auch:" not in page
    assert "Partnerbörse" not in page


def test_a_search_without_an_answer_is_noted_with_its_words_alone(client, caplog):
    with caplog.at_level("INFO", logger="bridgebuddy.director.help"):
        client.get("/help/?q=xyzzy")
        client.get("/help/?q=pair late")
        client.get("/help/?q=")

    assert [record.getMessage() for record in caplog.records] == [
        "help has no answer: 'xyzzy' (en)"
    ]


def test_an_answer_leads_to_where_it_is_done(club, alice, signed_in, client):
    section = section_with(8, "howell", round=1, club=club, by=alice)
    address = {"q": "pair late"}
    section.session.date = club.today
    section.session.save()

    desk = f'href="{reverse("desk", args=[section.code])}"'
    assert desk in signed_in(alice).get(reverse("help"), address).content.decode()
    assert "Open this page" not in client.get(reverse("help"), address).content.decode()


@pytest.mark.parametrize("language", SEARCHED)
@pytest.mark.parametrize("state", ["no session", "planned", "running"])
def test_every_answer_leads_a_director_to_a_page_that_there_is(
    club, alice, signed_in, state, language
):
    if state != "no session":
        section = section_with(8, "howell", round=int(state == "running"), club=club, by=alice)
        section.session.date = club.today
        section.session.save()
    browser = signed_in(alice)
    words = [word.strip() for word in SEARCHED[language].split(",")]

    pages = [
        browser.get(reverse("help"), {"q": word}, headers={"accept-language": language})
        for word in words
    ]

    assert {page.status_code for page in pages} == {200}
    addresses = {address for page in pages for _answer, address in page.context["found"] if address}
    assert len(addresses) > 3
    assert {
        page: browser.get(page, follow=True).status_code for page in addresses
    } == dict.fromkeys(addresses, 200)


def test_an_answer_of_the_season_leads_to_the_club_s_on_the_evening_too(club, alice, signed_in):
    section = section_with(8, "howell", round=1, club=club, by=alice)
    section.session.date = club.today
    section.session.save()

    page = signed_in(alice).get(reverse("help"), {"q": "handicaps"}).content.decode()

    assert f'href="{reverse("season", args=[club.pk])}"' in page


def test_the_long_pages_are_read_here_too_and_lead_to_each_other(client):
    page = client.get(reverse("help-read", args=["evening"])).content.decode()

    assert "<h1>An evening, step by step</h1>" in page
    assert ".md" not in re.sub("<[^>]+>", "", page) or 'href="#"' not in page
    for name in ("help-topic", "help-card", "help-read"):
        assert client.get(reverse(name, args=["nowhere"])).status_code == 404


def test_what_is_typed_into_docs_is_never_html():
    assert books.rendered_markdown("<script>alert(1)</script>").startswith("<p>&lt;script&gt;")


def test_the_card_speaks_german_too(client):
    page = client.get(reverse("help-card", args=["first-evening"]), headers=GERMAN, follow=True)

    assert "Ihr erstes Turnier" in page.content.decode()
