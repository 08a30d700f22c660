"""Numbers of the federation: typed, from a list, found, merged, forgotten, and asked for before a file is taken."""

import datetime
import email
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import Membership, Person
from bridgebuddy.director.entries.preview import known_names
from bridgebuddy.events.listing import RosterNames, read_list
from bridgebuddy.events.numbers_list import read_numbers
from bridgebuddy.events.queries.roster.person_search import suggest_people
from bridgebuddy.events.services import roster
from bridgebuddy.events.services.lifecycle import forgetting
from bridgebuddy.events.services.setup import entries
from bridgebuddy.jobs.models import Job
from bridgebuddy.publication.imports import list_imports
from bridgebuddy.publication.mails.mailing import mail_confirmation
from bridgebuddy.publication.models import ListImport, ListImportPerson, ResultsSubscription
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.services import publishing
from tests.factories import PersonFactory, director_of, section_with
from tests.publication_mail import smtp
from tests.scoring.test_tonight import scored_section

from .reading import text

pytestmark = pytest.mark.django_db

SHARE = r"\d+\.\d\d"

LISTS = [
    (
        "Surname;First name;EBU No\nBrandt;Hanna;00123",
        ("Hanna Brandt", {"national_number": "00123"}),
    ),
    (
        "Name,DBV-Nr.,Mitgliedsnummer,Verein\nHanna Brandt,123,M7,Rot-Weiß",
        (
            "Hanna Brandt",
            {"national_number": "123", "member_number": "M7", "other_club": "Rot-Weiß"},
        ),
    ),
    ("00123\tHanna Brandt", ("Hanna Brandt", {"national_number": "00123"})),
    ("Hanna Brandt 00123", ("Hanna Brandt", {"national_number": "00123"})),
    ("Hanna Brandt (00123)", ("Hanna Brandt", {"national_number": "00123"})),
    (
        '"Brandt, Hanna";"00123";"77"',
        ("Hanna Brandt", {"national_number": "00123", "member_number": "77"}),
    ),
    (
        "Name;Club;EBU\nHanna Brandt;'=1+1;'00123",
        ("Hanna Brandt", {"national_number": "00123", "other_club": "1+1"}),
    ),
    ("=Hanna Brandt;1", ("Hanna Brandt", {"national_number": "1"})),  # nothing to compute
    ("Hanna Brandt", ("Hanna Brandt", {})),
    ("Name;Ort\nHanna Brandt;;Köln", ("Hanna Brandt", {})),
    ("Name;Ort;EBU\nHanna Brandt;Köln;", ("Hanna Brandt", {})),
    ("Surname;First name;EBU;Town\nBrandt;Hanna;;York", ("Hanna Brandt", {})),
    ("Surname;First name;Town\nBrandt;Hanna;York", ("Hanna Brandt", {})),
    ("Name;Vorname;DBV\nBrandt;Hanna;123", ("Hanna Brandt", {"national_number": "123"})),
    (
        "Hanna Brandt (DBV 12345) hanna@club.de",
        ("Hanna Brandt", {"national_number": "12345", "email": "hanna@club.de"}),
    ),
    (
        "Brandt, Hanna [20777], hanna@club.de",
        ("Hanna Brandt", {"national_number": "20777", "email": "hanna@club.de"}),
    ),
    (
        "Brandt, Hanna; 146; (20777)",
        ("Hanna Brandt", {"national_number": "146", "member_number": "20777"}),
    ),
    (
        "Brandt, Hanna; 12345; (123)",  # one number begins with the other
        ("Hanna Brandt", {"national_number": "12345", "member_number": "123"}),
    ),
    ("Hanna Brandt;77\u00a088", ("Hanna Brandt", {"national_number": "77 88"})),
    (
        "Hanna Brandt; 12  34; 5",
        ("Hanna Brandt", {"national_number": "12 34", "member_number": "5"}),
    ),
    (
        "Hanna Brandt; 77 (123) 88",
        ("Hanna Brandt", {"national_number": "77", "member_number": "123"}),
    ),
    (
        "(123) Hanna Brandt 45",
        ("Hanna Brandt", {"national_number": "123", "member_number": "45"}),
    ),
]


@pytest.fixture
def browser(signed_in, alice):
    return signed_in(alice)


@pytest.mark.parametrize(("text", "expected"), LISTS)
def test_a_list_says_who_has_which_number(text, expected):
    numbers = read_numbers(text, RosterNames())

    assert [(number.name, number.values) for number in numbers] == [expected]


@pytest.mark.parametrize("text", ["Name;EBU\nHanna Brandt;=1+1", "12345;678", "\n"])
def test_what_nobody_can_read_is_told_and_noted_for_nobody(text):
    assert all(number.wrong for number in read_numbers(text, RosterNames()))


@pytest.mark.parametrize("text", ["Hanna Brandt (Tel. 0171 12345)", "Hanna Brandt (geb. 1950)"])
def test_a_telephone_or_a_year_of_birth_is_no_federation_number(text):
    [line] = read_numbers(text, RosterNames())

    assert line.values == {}


@pytest.mark.parametrize(
    "line",
    [
        *("Hanna Brandt", "Brandt, Hanna", "Brandt;Hanna", "Dr. Hanna Brandt;;"),
        *("Name\nBrandt, Hanna", "Name;Ort\nHanna Brandt;Köln", "Name;EBU\nHanna Brandt;"),
        "Nachname;Vorname;Ort;Geburtsjahr\nBrandt;Hanna;Köln;1950",
    ],
)
def test_a_name_alone_is_read_beside_unknown_columns_of_a_heading(line):
    [number] = read_numbers(line, RosterNames())

    assert (number.name, number.is_plain_name) == ("Hanna Brandt", True)


@pytest.mark.parametrize(
    "line",
    [
        *("Hanna Brandt;Köln", "Hanna Brandt, Köln", "Hanna Brandt;Hanna.Brandt(at)example.org"),
        *(
            "Hanna Brandt (Jugend)",
            "Hanna Brandt; w; 1950",
            "Hanna Brandt;Karl Frey",
        ),
        *("Total members", "Herren Mannschaft", "Name;EBU\nAnzahl Mitglieder;"),
    ],
)
def test_a_line_with_more_than_a_name_adds_nobody(browser, club, line):
    import_list(browser, club, line)

    assert not Person.objects.exists()


def test_a_town_beside_a_name_and_a_number_is_no_part_of_the_name(browser, club):
    import_list(browser, club, "Hanna Brandt;Köln;12345\nKarl Frey;12346")

    assert set(Person.objects.values_list("name", flat=True)) == {"Karl Frey"}


@pytest.mark.parametrize("spelling", ["Hanna Brandt", "HANNA BRANDT"])
def test_two_lines_of_one_name_are_no_silent_person_and_delete_no_details(browser, club, spelling):
    page = import_list(
        browser, club, f"Hanna Brandt; 123\n{spelling}\nHanna Brandt; hb@example.org"
    )

    assert list(Person.objects.values_list("name", "national_number")) == [("Hanna Brandt", "123")]
    assert "2 lines were not imported." in text(page)


def test_a_second_line_of_one_name_is_told(browser, club):
    sent = {"text": "Hanna Brandt; 123\nBrandt, Hanna"}

    assert "This name is here twice." in text(
        browser.post(reverse("player-numbers", args=[club.pk]), sent)
    )


def test_a_list_is_shown_first_and_noted_with_one_press(browser, club):
    hanna = PersonFactory(club=club, name="Hanna Brandt")
    PersonFactory(club=club, name="Otto Klein", national_number="5")
    text = "Name;EBU\nHanna Brandt;00123\nNew Player;00124\nSomebody Else;5"
    address = reverse("player-numbers", args=[club.pk])

    shown = browser.post(address, {"text": text}).content.decode()

    hanna.refresh_from_db()
    assert hanna.national_number == ""
    assert "Otto Klein has this number." in shown
    browser.post(address, {"text": text, "take": "1", "add": "on"})
    assert set(Person.objects.values_list("name", "national_number")) == {
        ("Hanna Brandt", "00123"),
        ("New Player", "00124"),
        ("Otto Klein", "5"),
    }
    assert "00123" not in str(AuditRecord.objects.get(action="club.numbers").facts)


def test_a_number_that_somebody_has_leads_to_merging(browser, club):
    PersonFactory(club=club, name="Otto Klein", national_number="5")
    other = PersonFactory(club=club, name="O. Klein")
    address = reverse("edit-player", args=[club.pk, other.pk])

    refused = browser.post(address, {"name": "O. Klein", "national_number": " 5 "})

    assert refused.status_code == 422
    assert "Compare and merge the two players" in refused.content.decode()
    browser.post(address, {"name": "O. Klein", "national_number": "6", "other_club": "=Rot"})
    other.refresh_from_db()
    assert (other.national_number, other.other_club) == ("6", "Rot")


def test_a_player_is_found_by_number(browser, club, alice):
    section = section_with(2, club=club, by=alice)
    Person.objects.filter(name="Anna North1").update(national_number="00123", member_number="M7")

    for typed in ("00123", "001", "m7"):
        page = browser.get(reverse("players", args=[club.pk]), {"q": typed}).content.decode()
        assert "North1, Anna" in page
        assert "North2" not in page
    assert [person.name for person in suggest_people(club, section, "0012")] == ["Anna North1"]


def test_a_pasted_list_knows_people_by_their_number(club, alice):
    section = section_with(0, club=club, by=alice)
    PersonFactory(club=club, name="Hannah Brandt", national_number="00123")

    (line,) = read_list("Hanna Brandt (00123) & Karl Frey", 2, known_names(section)).entries
    (other,) = read_list("Otto Klein (00123) & Karl Frey", 2, known_names(section)).entries

    assert line.names[0] == "Hannah Brandt"
    assert other.names[0] == "Otto Klein"


def test_numbers_stay_when_two_are_merged_and_go_with_the_name(club, alice):
    stays = PersonFactory(club=club, name="Otto Klein", member_number="7")
    goes = PersonFactory(
        club=club, name="O. Klein", national_number="5", member_number="8", other_club="Rot"
    )

    merged = roster.merge_people(stays, goes, by=alice)

    assert (merged.national_number, merged.member_number, merged.other_club) == ("5", "7", "Rot")
    gone = forgetting.anonymise_person(merged, by=alice)
    gone.refresh_from_db()
    assert (gone.national_number, gone.member_number, gone.other_club) == ("", "", "")


def test_who_has_no_number_is_named_before_the_file_and_typed_there(browser, club, alice):
    section = section_with(6, "mitchell", round=1, club=club, by=alice)
    Person.objects.exclude(name="Bob South2").update(national_number="1")
    address = reverse("hand-in", args=[section.code])
    missing = Person.objects.get(name="Bob South2")

    page = browser.get(address).content.decode()

    assert "1 player has no number." in page
    assert "South2, Bob" in page
    assert "North1, Anna" not in page
    refused = browser.post(address, {"do": "numbers", f"number-{missing.pk}": "=1"})
    assert refused.status_code == 422
    browser.post(address, {"do": "numbers", f"number-{missing.pk}": "00124"})
    missing.refresh_from_db()
    assert missing.national_number == "00124"
    assert "Everybody has a number." in browser.get(address).content.decode()


def test_players_without_a_number_are_listed_by_surname(browser, club, alice):
    section = section_with(6, "mitchell", round=1, club=club, by=alice)
    for name, new in (("Anna North1", "Anna Zobel"), ("Bob South2", "Walter Abel")):
        person = Person.objects.get(name=name)
        roster.change_person(person, new, None, by=alice)

    page = text(browser.get(reverse("hand-in", args=[section.code])))

    assert page.index("Abel, Walter") < page.index("North2") < page.index("Zobel, Anna")


def test_nothing_is_read_before_its_hour(browser, client, club, alice):
    section = scored_section(6, "mitchell", rounds=1, club=club, by=alice)
    scoring = publishing.publish_results(section, by=alice)
    address = reverse("public-results", args=[scoring.token])
    assert client.get(address).status_code == 200
    late = timezone.localtime(timezone=club.zone) + datetime.timedelta(hours=2)
    asked = reverse("hand-in", args=[section.code])

    browser.post(asked, {"do": "asked", "embargo_until": f"{late:%Y-%m-%dT%H:%M}"})

    assert client.get(address).status_code == 404
    assert (
        "Everybody can read the results from"
        in browser.get(reverse("ranking", args=[section.code])).content.decode()
    )
    ScoringSettings.objects.update(embargo_until=timezone.now() - datetime.timedelta(minutes=1))
    assert client.get(address).status_code == 200


def test_no_phone_shows_a_score_before_its_hour(client, club, alice):
    section = scored_section(8, "howell", rounds=7, club=club, by=alice)
    address = f"/p/{section.code}/1/results/"
    scoring = publishing.publish_results(section, by=alice)
    assert re.search(SHARE, text(client.get(address)))

    scoring.embargo_until = timezone.now() + datetime.timedelta(hours=2)
    scoring.save()

    assert not re.search(SHARE, text(client.get(address)))


def test_a_second_number_for_one_person_overwrites_nothing(browser, club):
    vera = PersonFactory(club=club, name="Vera Weiß", national_number="10051")
    address = reverse("player-numbers", args=[club.pk])
    sent = {"text": "Name;EBU\nVera Weiss;88888\nNew Player;1\nNew Player;2\nNew Player;1"}

    shown = browser.post(address, sent).content.decode()
    browser.post(address, sent | {"take": "1", "add": "on"})

    assert "This person has another number: 10051" in shown
    assert "This person has another number: 1.<" in shown
    vera.refresh_from_db()
    assert vera.national_number == "10051"
    assert Person.objects.get(name="New Player").national_number == "1"


def test_button_and_message_count_the_same_people(browser, club):
    PersonFactory(club=club, name="Vera Weiß", national_number="10051")
    PersonFactory(club=club, name="Otto Klein")
    address = reverse("player-numbers", args=[club.pk])
    sent = {"text": "Name;EBU\nVera Weiss;10051\nOtto Klein;5\nOtto Klein;5"}

    shown = browser.post(address, sent).content.decode()
    after = browser.post(address, sent | {"take": "1"}, follow=True).content.decode()

    assert "Save this for 2 players" in shown
    assert "Details of 2 players were saved." in after


def test_addresses_come_with_the_list_and_wait_for_their_owners(browser, club, settings):
    settings.HAS_MAIL, settings.PUBLIC_URL = True, "https://bridge.example.org"
    hanna, otto, ann = (
        PersonFactory(club=club, name=name) for name in ("Hanna Brandt", "Otto Klein", "Ann Lee")
    )
    ResultsSubscription.objects.create(person=otto, email="otto@example.org")
    text = (
        "Name;E-Mail\nHanna Brandt;hanna@example.org\nOtto Klein;other@example.org\nAnn Lee;a@b\n"
    )
    address = reverse("player-numbers", args=[club.pk])

    shown = browser.post(address, {"text": text}).content.decode()
    assert "hanna@example.org" in shown
    assert "This person has another e-mail address: otto@example.org." in shown
    assert "This e-mail address cannot be read: a@b." in shown
    assert not ResultsSubscription.objects.exclude(person=otto).exists()

    browser.post(address, {"text": text, "take": "1"})
    stored = ResultsSubscription.objects.values_list("person", "email", "confirmed_at")
    assert set(stored) == {
        (otto.pk, "otto@example.org", None),
        (hanna.pk, "hanna@example.org", None),
    }
    assert not Job.objects.exists()

    browser.post(address, {"text": "Ann Lee <ann@example.org>", "take": "1", "ask": "on"})
    assert list(Job.objects.values_list("kind", "key")) == [("mail-confirmation", str(ann.pk))]


def import_list(browser, club, text, **more):
    return browser.post(
        reverse("player-numbers", args=[club.pk]), {"text": text, "take": "1", "add": "on"} | more
    )


def undo(browser, club, key=None):
    key = key or ListImport.objects.latest("pk").pk
    address = reverse("player-numbers", args=[club.pk])
    return text(browser.post(address, {"undo": key}, follow=True))


def test_an_import_is_undone_whole(browser, club):
    hanna = PersonFactory(club=club, name="Hanna Brandt", member_number="7")
    import_list(
        browser,
        club,
        "Name;EBU;Member number;E-Mail\nHanna Brandt;123;8;hanna@example.org\nAnn O'Neill;5;;a@example.org",
    )
    assert "A list changed 2 players" in text(browser.get(reverse("players", args=[club.pk])))
    assert ResultsSubscription.objects.count() == 2

    assert "The import of 2 players was undone." in undo(browser, club)

    hanna.refresh_from_db()
    assert (hanna.national_number, hanna.member_number) == ("", "7")
    assert not Person.objects.filter(name="Ann O'Neill").exists()
    assert not ResultsSubscription.objects.exists()
    assert not ListImport.objects.exists()
    assert "A list changed" not in text(browser.get(reverse("players", args=[club.pk])))


def test_a_list_of_new_people_alone_is_imported_with_one_press(browser, club):
    address = reverse("player-numbers", args=[club.pk])

    page = browser.post(address, {"text": "Name;EBU\nAnn Lee;5"}).content.decode()

    assert '<input type="checkbox" name="add" checked>' in page
    assert "Import this list" in page
    assert "for 0 players" not in page


def test_an_undo_leaves_what_was_changed_or_confirmed_since(browser, club, alice):
    hanna, otto = (PersonFactory(club=club, name=name) for name in ("Hanna Brandt", "Otto Klein"))
    import_list(
        browser,
        club,
        "Name;EBU;E-Mail\nHanna Brandt;123;\nOtto Klein;;otto@example.org\nAnn Lee;9;\nVera Weiß;8;",
    )
    roster.store_people_numbers(club, {hanna.pk: {"national_number": "124"}}, by=alice)
    ResultsSubscription.objects.update(confirmed_at=timezone.now())
    entries.add_pairs(section_with(0, club=club, by=alice), [("Ann Lee", "Otto Klein")], by=alice)

    told = undo(browser, club)

    hanna.refresh_from_db()
    assert hanna.national_number == "124"
    assert ResultsSubscription.objects.get().person == otto
    assert Person.objects.get(name="Ann Lee").national_number == ""
    assert not Person.objects.filter(name="Vera Weiß").exists()
    assert "Details of 2 players were changed or confirmed since, and stay." in told


def test_two_directors_undo_their_own_lists_and_nothing_twice(browser, club, signed_in):
    other = signed_in(director_of(club))
    hanna = PersonFactory(club=club, name="Hanna Brandt")
    import_list(browser, club, "Name;Member number\nHanna Brandt;1")
    import_list(other, club, "Name;Member number\nHanna Brandt;2")
    first, second = ListImport.objects.order_by("pk")
    import_list(other, club, "Name;Member number\nHanna Brandt;2")  # a second tap
    assert ListImport.objects.count() == 2

    assert "changed or confirmed since" in undo(browser, club, first.pk)
    hanna.refresh_from_db()
    assert hanna.member_number == "2"
    undo(other, club, second.pk)
    hanna.refresh_from_db()

    assert hanna.member_number == "1"
    assert "This import was undone before" in undo(other, club, second.pk)


def test_an_import_is_undone_for_a_day_and_by_its_own_club_alone(browser, club, signed_in, carol):
    PersonFactory(club=club, name="Hanna Brandt")
    import_list(browser, club, "Name;EBU;E-Mail\nHanna Brandt;123;hanna@example.org")
    stored = ListImport.objects.get()
    answer = signed_in(carol).post(reverse("player-numbers", args=[club.pk]), {"undo": stored.pk})
    theirs = Membership.objects.get(user=carol).club
    assert "This import was undone before" in undo(signed_in(carol), theirs, stored.pk)
    ListImport.objects.update(at=timezone.now() - list_imports.UNDO)

    assert answer.status_code == 404
    assert "is more than a day old" in undo(browser, club, stored.pk)
    assert Person.objects.get(name="Hanna Brandt").national_number == "123"
    list_imports.delete_old_imports()
    assert not ListImport.objects.exists()


def test_what_an_import_changed_is_forgotten_with_the_name_and_holds_no_address(
    browser, club, alice
):
    hanna = PersonFactory(club=club, name="Hanna Brandt")
    import_list(browser, club, "Name;EBU;E-Mail\nHanna Brandt;123;hanna@example.org")
    assert "example.org" not in str(list(ListImportPerson.objects.values()))
    assert "example.org" not in str(dict(browser.session))

    forgetting.anonymise_person(hanna, by=alice)

    assert not ListImportPerson.objects.exists()


def test_a_confirmation_is_asked_for_in_the_clubs_language_until_it_is_given(club, settings):
    settings.HAS_MAIL, settings.PUBLIC_URL = True, "https://bridge.example.org"
    club.language = "de"
    club.save()
    person = PersonFactory(club=club, name="Hanna Brandt")
    address = ResultsSubscription.objects.create(person=person, email="hanna@example.org")

    with smtp(settings) as box:
        mail_confirmation(str(person.pk))
        ResultsSubscription.objects.update(confirmed_at=timezone.now())
        mail_confirmation(str(person.pk))

    ((to, letter),) = box.letters
    page = f"https://bridge.example.org{reverse('mail-address', args=[address.token])}"
    message = email.message_from_bytes(letter.encode())
    body = message.get_payload(decode=True).decode()
    assert (to, page in body, "öffnen Sie diese Seite" in body) == ("hanna@example.org", True, True)


def test_a_name_alone_is_taken_if_it_is_a_new_or_a_known_person(browser, club):
    PersonFactory(club=club, name="Otto Klein")
    sent = {"text": "Erika Müller-Lüdenscheidt\nKlein, Otto\nBirgit Kuhn; 77"}

    page = text(browser.post(reverse("player-numbers", args=[club.pk]), sent))
    import_list(browser, club, sent["text"])

    assert "Erika Müller-Lüdenscheidt not on the roster" in page
    assert "Otto Klein already on the roster" in page
    assert "Add 2 missing people to the roster" in page
    assert set(Person.objects.values_list("name", "national_number")) == {
        ("Erika Müller-Lüdenscheidt", ""),
        ("Otto Klein", ""),
        ("Birgit Kuhn", "77"),
    }


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("12345;678", "No name that can be read."),
        ("Name;EBU\nHanna Brandt;=1+1", "This number cannot be read: =1+1."),
        ("Hanna Brandt a@b", "This e-mail address cannot be read: a@b."),
        ("Name;E-Mail\nHanna Brandt;a@b", "This e-mail address cannot be read: a@b."),
        (
            "Hanna Brandt (Tel. 0171 12345)",
            "No first name and surname alone, and no number that can be read.",
        ),
        ("Members", "No first name and surname alone, and no number that can be read."),
        (
            "Hanna Brandt & Karl Frey",
            "No first name and surname alone, and no number that can be read.",
        ),
    ],
)
def test_a_refused_line_names_its_problem(browser, club, line, problem):
    page = text(browser.post(reverse("player-numbers", args=[club.pk]), {"text": line}))

    assert problem in page


@pytest.mark.parametrize("sent", ["Name\nHanna Brandt", "First name;Surname\nHanna;Brandt"])
def test_a_heading_of_names_alone_is_nobody(browser, club, sent):
    page = text(browser.post(reverse("player-numbers", args=[club.pk]), {"text": sent}))

    assert "2 Hanna Brandt not on the roster" in page
    assert "Add 1 missing person to the roster" in page


def test_refused_lines_stay_in_the_field_with_their_heading(browser, club):
    hanna = PersonFactory(club=club, name="Hanna Brandt")
    sent = "Name;EBU\nHanna Brandt;123\nKarl Frey;=1+1\n\n;5"

    page = import_list(browser, club, sent)

    hanna.refresh_from_db()
    assert hanna.national_number == "123"
    assert page.context["form"]["text"].value() == "Name;EBU\nKarl Frey;=1+1\n;5"
    assert "2 lines were not imported." in text(page)
    assert "Hanna Brandt;123" not in page.content.decode()


def test_a_list_is_changed_after_its_preview(browser, club):
    sent = {"text": "Hanna Brandt;=1+1", "edit": "1"}

    page = browser.post(reverse("player-numbers", args=[club.pk]), sent)

    assert "Hanna Brandt;=1+1</textarea>" in page.content.decode()
    assert not Person.objects.exists()


@pytest.mark.parametrize("extra", [{}, {"take": "1"}])
def test_a_list_of_a_heading_alone_is_refused(browser, club, extra):
    sent = {"text": "Name;EBU\n;\n"} | extra

    page = browser.post(reverse("player-numbers", args=[club.pk]), sent)

    assert page.status_code == 422
    assert "The list is empty below its heading." in text(page)


def test_new_people_who_are_not_added_stay_in_the_field(browser, club):
    hanna = PersonFactory(club=club, name="Hanna Brandt")
    sent = {"text": "Name;EBU\nHanna Brandt;123\nKarl Frey;124", "take": "1"}

    page = browser.post(reverse("player-numbers", args=[club.pk]), sent)

    hanna.refresh_from_db()
    assert hanna.national_number == "123"
    assert "1 person was not added to the roster." in text(page)
    assert page.context["form"]["text"].value() == "Name;EBU\nKarl Frey;124"
