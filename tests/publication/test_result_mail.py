"""The results mail: laid out like a page, in the reader's language, with a plain-text twin."""

import re
from datetime import time, timedelta
from email import message_from_bytes
from email.policy import default

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from bridgebuddy.clubs.models import Membership, Person
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.services.setup.movement import choose_movement
from bridgebuddy.planning.models import Series, SessionPlan
from bridgebuddy.publication.mails.result_mail import BOARD_WIDTH, WIDTH, MailBoard
from bridgebuddy.publication.mails.results_mailing import mail_results
from bridgebuddy.publication.models import ClubPage, ResultsMail, ResultsSubscription
from bridgebuddy.registration.registering import switch_registration
from bridgebuddy.scoring.files.exports import exported_file
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.templatetags.results import percent, points
from tests.factories import UserFactory, begun, section_to_enter
from tests.publication_mail import smtp
from tests.scoring.test_several_sessions import second
from tests.scoring.test_tonight import enter_by_chance, scored_section

pytestmark = pytest.mark.django_db
#: words of the English mail
ENGLISH = re.compile(
    r"\b(Place|of|against|You|Your|Winners|passed|with|All|and|hands|Next|more|these|"
    r"own|page|alone|Result|host|price|registration|North|South|corrected)\b"
)


@pytest.fixture(autouse=True)
def with_mail(settings):
    settings.HAS_MAIL = True
    settings.PUBLIC_URL = "https://bridge.example.org"


@pytest.fixture
def section(club, alice):
    section = scored_section(6, "mitchell", rounds=3, club=club, by=alice)
    return Section.objects.get(pk=section.pk)


@pytest.fixture
def sent(settings):
    """Send the mails of a session; return the last of each address as (subject, text, HTML)."""

    def send(section, *names):
        for number, name in enumerate(names):
            ResultsSubscription.objects.get_or_create(
                person=Person.objects.get(name=name),
                email=f"reader{number}@example.org",
                defaults={"confirmed_at": timezone.now() - timedelta(days=1)},
            )
        with smtp(settings) as box:
            mail_results(str(section.session_id))
        mails = [message_from_bytes(letter.encode(), policy=default) for _to, letter in box.letters]
        return [
            (
                str(mail["Subject"]).strip(),
                mail.get_body(("plain",)).get_content().replace("\r", ""),
                mail.get_body(("html",)).get_content(),
            )
            for mail in mails
        ]

    return send


def test_the_result_stands_first_and_every_board_under_its_opponents(section, alice, sent):
    publishing.publish_results(section, by=alice)
    publishing.make_list_final(section, by=alice)

    [(subject, text, html)] = sent(section, "Anna North1")

    lines = text.splitlines()
    assert re.fullmatch(r".+: Place \d+=? of \d+( [NE]\w+-\w+)?, \d+\.\d\d %", subject)
    assert lines[2] == "You and Bob South1:"
    assert lines[3] == subject.partition(": ")[2]
    headings = [line for line in lines if line.startswith("against ")]
    assert len(headings) == 3
    boards = [line for line in lines if re.match(r" {1,2}\d+  ", line)]
    assert len(boards) == 9
    assert max(map(len, boards)) <= BOARD_WIDTH
    assert max(len(line) for line in lines if "https://" not in line) <= WIDTH
    assert "Winners" in text
    assert "You played" not in text  # nobody played more boards
    assert html.count('scope="colgroup"') == 3
    assert html.count('scope="row"') == 9
    assert all(heading in html.replace("&amp;", "&") for heading in headings)


def test_the_best_board_is_the_best_of_the_own_side(section, alice, sent):
    publishing.make_list_final(section, by=alice)

    mails = sent(section, *(f"Anna North{number}" for number in range(1, 7)))

    assert len(mails) == 6
    for _subject, text, _html in mails:
        own = dict(re.findall(r"^ {1,2}(\d+) .* (\d+) %$", text, re.MULTILINE))
        boards, value = re.search(
            r"Your best boards?: ([\d, and\n]+), +with (\d+) %", text
        ).groups()
        assert int(value) == max(map(int, own.values()))
        assert {own[board] for board in re.findall(r"\d+", boards)} == {value}


def test_the_mail_has_no_remote_parts_and_is_small(section, alice, sent):
    publishing.publish_results(section, by=alice)
    publishing.make_list_final(section, by=alice)

    [(_subject, _text, html)] = sent(section, "Anna North1")

    assert len(html.encode()) <= 20_000
    assert not re.search(r"<(img|link|script|style|iframe|object)\b|url\(|@import|src=", html)
    assert set(re.findall(r'href="(https://[^/"]+)', html)) == {"https://bridge.example.org"}
    assert "?" not in "".join(re.findall(r'href="([^"]+)"', html))  # no marks of readers


def test_twenty_eight_boards_are_a_small_mail(club, alice, sent):
    section = scored_section(14, "mitchell", rounds=7, boards_per_round=4, club=club, by=alice)
    publishing.make_list_final(section, by=alice)

    [(_subject, text, html)] = sent(section, "Anna North1")

    assert len(re.findall(r"^ +\d+  ", text, re.MULTILINE)) == 28
    assert len(html.encode()) <= 20_000


def test_a_final_has_the_place_of_the_published_list_which_counts_the_first_session(
    client, club, alice, sent
):
    first = scored_section(8, "howell", rounds=7, club=club, by=alice)
    _, finals = second(client, first, sit="finals", sessions="carry-forward")
    for seed, final in enumerate(finals):
        choose_movement(final, "howell", boards_per_round=3, by=alice)
        enter_by_chance(begun(Section.objects.get(pk=final.pk), 3), seed)
    section = Section.objects.get(pk=finals[0].pk)
    publishing.set_scoring_profile(
        section, {"sessions": "carry-forward", "scope": "section"}, by=None
    )
    publishing.publish_results(section, by=alice)
    publishing.make_list_final(section, by=alice)
    ranking = ScoredSession(SessionSnapshot(section)).main_lists[0]
    winner, second_row = ranking.standings[0], ranking.standings[1]
    name = second_row.names.split(" & ")[0]

    [(subject, text, page)] = sent(section, name)

    place = f"Place {second_row.place} of 4, Section A"
    assert f"{place}, {points(second_row.row.overall)} MP" in " ".join(subject.split())
    assert f"Winners: {winner.names}, {points(winner.row.overall)} MP." in " ".join(text.split())
    alone = f"In this session alone: {percent(second_row.row.percent)} %."
    assert (alone in text, alone in page) == (True, True)


def test_a_german_club_writes_german(club, alice, sent):
    club.language = "de"
    club.save()
    section = scored_section(6, "mitchell", rounds=3, club=club, by=alice)
    section.session.event.name = "Dienstagsturnier"
    section.session.event.save()
    publishing.publish_results(section, by=alice)
    publishing.make_list_final(section, by=alice)

    [(subject, text, html)] = sent(section, "Anna North1")

    page = re.sub(r"<[^>]+>", " ", html.partition("</head>")[2])
    for words in (subject, re.sub(r"https://\S+", "", text), page):
        assert not ENGLISH.findall(words.replace("North", "").replace("South", ""))
        assert not re.search(r"\d\.\d", words)
        assert not re.search(r"\d{4}-\d\d-\d\d", words)
    assert re.fullmatch(
        r"Dienstagsturnier: Platz \d+=? von \d+( auf \w+-\w+)?, \d+,\d\d %", subject
    )
    assert "gegen Anna North" in text


def test_a_reader_with_an_account_reads_their_own_language(club, section, alice, sent):
    reader = UserFactory(language="de")
    person = Person.objects.get(name="Anna North1")
    Membership.objects.create(club=club, user=reader, person=person)
    publishing.make_list_final(section, by=alice)

    mails = sent(section, "Anna North1", "Anna North2")

    assert sorted(text.splitlines()[2].split()[0] for _subject, text, _html in mails) == [
        "Sie",
        "You",
    ]


def test_a_corrected_list_names_the_boards_that_changed(section, alice, sent):
    publishing.make_list_final(section, by=alice)
    play = section.plays.filter(round=1).order_by("board").first()
    reader = play.ns.people.first().name
    sent(section, reader)
    enter_result(section, play.pk, {"score": 50}, by=alice)

    [(subject, text, html)] = sent(section, reader)

    assert subject.endswith("corrected")
    assert f"The list was corrected. Board {play.board} changed." in text
    assert f"Board {play.board} changed." in html


def test_the_next_session_is_named_with_price_host_and_registration(club, section, alice, sent):
    later = section_to_enter(club, alice)
    Session.objects.filter(pk=later.session_id).update(date=club.today + timedelta(days=7))
    later = Section.objects.get(pk=later.pk)
    host = Person.objects.create(club=club, name="Hanna Brandt", public_name="initials")
    series = Series.objects.create(
        event=later.session.event, days="24", starts_at=time(19), until=club.today
    )
    SessionPlan.objects.create(session=later.session, host=host, price="5 €", series=series)
    switch_registration(later, is_on=True, maximum=None, by=alice)
    ClubPage.objects.create(club=club, address="ours", is_on=True, words="Guildhall, 7 pm")
    publishing.make_list_final(section, by=alice)

    [(_subject, text, html)] = sent(section, "Anna North1")

    assert "price: 5 €" in " ".join(text.split())
    assert "host: H. B." in " ".join(text.split())
    assert "every Tuesday, Thursday," in " ".join(text.split())
    assert "Guildhall, 7 pm" in " ".join(text.split())
    come = "https://bridge.example.org" + reverse("club-come", args=["ours", later.session_id])
    assert come in text
    assert come in html


def test_an_old_mail_without_hashes_names_no_wrong_boards(section, alice, sent):
    publishing.make_list_final(section, by=alice)
    sent(section, "Anna North1")
    ResultsMail.objects.update(says="old", boards={})

    [(_subject, text, _html)] = sent(section, "Anna North1")

    assert "The list was corrected." in text
    assert not re.search(r"Boards? \d", text)


@pytest.mark.parametrize("contest", ["teams", "individual"])
def test_teams_and_single_players_have_their_own_words(club, alice, sent, contest):
    family = {"teams": "team-round-robin", "individual": "individual"}[contest]
    count = {"teams": 4, "individual": 8}[contest]
    section = scored_section(count, family, contest=contest, club=club, by=alice)
    publishing.make_list_final(section, by=alice)
    name = Person.objects.filter(entries__section=section).order_by("pk").first().name

    [(_subject, text, _html)] = sent(section, name)

    assert text.splitlines()[2].startswith("Your team" if contest == "teams" else "You:")
    assert "against " in text


@pytest.mark.parametrize(
    ("board", "line"),
    [
        (MailBoard(4, "4♥", "H", "N +3", "+710", "83 %"), "  4  4♥    N +3    +710  83 %"),
        (MailBoard(10, "7SAXX", "N", "W −13", "−7600", "100 %"), " 10  7SAXX W −13  −7600 100 %"),
        (MailBoard(7, "durchgepasst", "", "", "0", "50 %"), "  7  durchgepasst     0  50 %"),
        (MailBoard(8, "Entscheidung", "", "", "", "60 %"), "  8  Entscheidung        60 %"),
    ],
)
def test_a_boards_line_has_at_most_29_characters(board, line):
    assert board.text == line
    assert len(board.text) <= BOARD_WIDTH


@pytest.mark.parametrize(
    ("language", "line", "number"), [("en", "North-South", "."), ("de", "Nord-Süd", ",")]
)
def test_the_text_for_a_newspaper_is_in_the_readers_language(club, alice, language, line, number):
    section = scored_section(10, "mitchell", rounds=3, club=club, by=alice)
    with translation.override(language):
        text = exported_file(section, "text").decode()

    assert not re.search(r"\d{4}-\d\d-\d\d", text)
    assert re.search(rf"^1=?\. .+, \d+\{number}\d\d %$", text, re.MULTILINE)
    assert line in text or "\n\n1" in text
