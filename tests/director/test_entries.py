"""Entering pairs: typed, pasted, from a file; and moving their seats."""

import html
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import Person, Role, searchable
from bridgebuddy.events import listing
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries as service
from bridgebuddy.jobs.models import Job
from bridgebuddy.publication.models import ResultsSubscription
from tests.events.states import different, world
from tests.factories import member_of, section_with
from tests.markup import markup, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(club, alice):
    """An evening with 6 pairs and no movement."""
    return section_with(6, club=club, by=alice)


def add(browser, section, first, second, **more):
    return browser.post(
        reverse("add-pair", args=[section.code]), {"first": first, "second": second, **more}
    )


def paste(browser, section, text="", file=None):
    """Paste a list, and return its preview."""
    answers = {"pairs": text} | ({"file": file} if file else {})
    return browser.post(reverse("add-list", args=[section.code]), answers)


def form_data(answer):
    """Return the data that a list's page would send unchanged: hidden fields, names, ticks."""
    sent = {}
    for field in re.findall(r"<input[^>]*>", answer.content.decode()):
        told = dict(re.findall(r'([\w-]+)="([^"]*)"', field))
        is_left_out = told.get("type") == "checkbox" and " checked" not in field
        if told.get("name", "csrf").startswith("csrf") or is_left_out:
            continue
        sent.setdefault(told["name"], []).append(html.unescape(told.get("value", "")))
    texts = re.findall(r'<textarea name="([^"]*)"[^>]*>([^<]*)<', answer.content.decode())
    return sent | {name: [html.unescape(text)] for name, text in texts}


def take(browser, section, answer, **mended):
    """Press on the page of a list, with some fields mended."""
    sent = form_data(answer) | {name.replace("_", "-"): value for name, value in mended.items()}
    return browser.post(reverse("take-list", args=[section.code]), sent, follow=True)


def test_a_pair_is_entered_and_new_people_join_the_roster(browser, section):
    add(browser, section, "  Sean   O'Neill ", "Jürgen Wolf", must_stay_seated="on")

    entry = section.entries.get(position=7)
    assert (entry.names, entry.must_stay_seated) == ("Sean O'Neill & Jürgen Wolf", True)
    assert Person.objects.filter(club=section.club, name="Sean O'Neill").exists()


def test_known_people_are_found_whatever_accents_and_case(browser, section):
    add(browser, section, "Jürgen Wolf", "Sean O'Neill")
    second = section_with(0, club=section.club)

    add(browser, second, "jurgen WOLF", "sean o'neill")

    assert second.entries.get().names == "Jürgen Wolf & Sean O'Neill"
    assert Person.objects.filter(search="jurgen wolf").count() == 1


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        ("", "", "A name is missing."),
        ("Eve Adams", "", "A name is missing."),
        ("   ", "Eve Adams", "A name is missing."),
        ("Eve Adams", "eve adams", "this is the same name twice"),
        ("anna NORTH1", "Eve Adams", "anna NORTH1 is on the list already."),
        ("Eve Adams", "Bob South2", "Bob South2 is on the list already."),
        ("x" * 61, "Eve Adams", "at most 60 characters"),
        ("x" * 10_000, "Eve Adams", "at most 60 characters"),
    ],
)
def test_bad_names_get_a_sentence_and_keep_what_was_typed(
    browser, section, first, second, sentence
):
    answer = add(browser, section, first, second)

    assert answer.status_code == 422
    assert sentence in words(answer)
    if second.strip():
        assert f'value="{second}"' in answer.content.decode()
    assert section.entries.count() == 6


def test_the_121st_pair_is_refused(browser, club, alice):
    section = section_with(120, club=club, by=alice)

    answer = add(browser, section, "Eve Adams", "Max Late")

    assert "120 pairs are the most a section can have." in words(answer)
    assert section.entries.count() == 120


def listed(section, after=6):
    return [entry.names for entry in section.entries.all()[after:]]


def test_a_couple_stands_in_the_list_with_its_surname_once(browser, section, alice):
    service.add_pairs(section, [("Ruth Klein", "Otto Klein")], by=alice)

    page = browser.get(reverse("entries", args=[section.code])).content.decode()

    assert "Ruth &amp; Otto Klein" in page
    assert "Ruth Klein &amp;" not in page


def test_a_pasted_list_is_shown_and_nothing_is_stored_before_the_press(browser, section):
    before = world()

    page = paste(
        browser, section, "1. Hanna Brandt & Karl Fischer\nIda Stein, Otto Stein\n\nA B; C D\n"
    )

    assert list(different(before, world())) == []
    assert (
        "3 lines: 3 clear, 0 to look at. Numbers are left out, except membership numbers in brackets. Nothing of the list is saved yet."
        in words(page)
    )
    take(browser, section, page)
    assert listed(section) == [
        "Hanna Brandt & Karl Fischer",
        "Ida Stein & Otto Stein",
        "A B & C D",
    ]


def test_numbers_in_brackets_go_into_the_roster_and_replace_none(browser, section):
    Person.objects.create(club=section.club, name="Karl Fischer", national_number="555")
    Person.objects.create(club=section.club, name="Ada Other", national_number="777")
    text = "Brandt, Hanna (00123) & Karl Fischer (444)\nIda Stein (777); Otto Stein (888)\n"

    page = paste(browser, section, text)
    assert not Person.objects.filter(national_number="00123").exists()
    take(browser, section, page)

    numbers = dict(section.club.known_people.values_list("name", "national_number"))
    assert numbers["Hanna Brandt"] == "00123"
    assert numbers["Karl Fischer"] == "555"
    assert numbers["Ida Stein"] == ""
    assert numbers["Otto Stein"] == "888"


def test_addresses_beside_names_go_into_the_roster_and_wait_for_their_owners(browser, section):
    karl = Person.objects.create(club=section.club, name="Karl Fischer")
    ResultsSubscription.objects.create(person=karl, email="karl@example.org")
    text = (
        "Brandt, Hanna <hb@example.org> & Karl Fischer k@example.org\n"
        "Ida O'Neill;ida@example.org;Otto Stein;otto@example.org\n"
        "Ann Lee & Bo Lee, ann@example.org\n"
    )

    page = paste(browser, section, text)
    assert "3 lines: 3 clear, 0 to look at." in words(page)
    assert "4 e-mail addresses go into the list of members" in words(page)
    take(browser, section, page)

    assert listed(section)[0] == "Hanna Brandt & Karl Fischer"
    stored = ResultsSubscription.objects.values_list("person__name", "email", "confirmed_at")
    assert set(stored) == {
        ("Hanna Brandt", "hb@example.org", None),
        ("Karl Fischer", "karl@example.org", None),
        ("Ida O'Neill", "ida@example.org", None),
        ("Otto Stein", "otto@example.org", None),
    }
    assert not Job.objects.filter(kind="mail-confirmation").exists()
    assert "example.org" not in str(dict(browser.session))


def test_a_helper_enters_a_list_and_stores_nobodys_address(signed_in, section):
    helper = signed_in(member_of(section.club, Role.HELPER))

    page = paste(helper, section, "Brandt, Hanna <hb@example.org> & Karl Fischer")
    take(helper, section, page)

    assert "list of members" not in words(page)
    assert "Hanna Brandt & Karl Fischer" in listed(section)
    assert not ResultsSubscription.objects.exists()


def test_a_doubtful_line_is_marked_mended_and_taken(browser, section):
    page = paste(browser, section, "Hanna Brandt & Karl Fischer\nKate Ludwig")
    assert "2 lines: 1 clear, 1 to look at." in words(page)
    assert "The partner is missing." in words(page)

    refused = take(browser, section, page)
    assert refused.status_code == 422
    assert "The partner is missing." in words(refused)
    assert "Line 2 cannot be entered. Correct it or untick it." in words(refused)
    assert re.findall(r'name="([^"]*)"[^>]*\bautofocus\b', refused.content.decode()) == ["name-2-2"]
    assert section.entries.count() == 6

    told = words(take(browser, section, refused, name_2_2="Max O'Neill"))
    assert listed(section) == ["Hanna Brandt & Karl Fischer", "Kate Ludwig & Max O'Neill"]
    assert "2 pairs entered." in told


def test_a_line_that_is_not_ticked_is_left_out(browser, section):
    page = paste(browser, section, "Hanna Brandt & Karl Fischer\nKate Ludwig")

    take(browser, section, page, take_2=[])

    assert listed(section) == ["Hanna Brandt & Karl Fischer"]
    page = paste(browser, section, "Kate Ludwig")
    assert "No line is ticked." in words(take(browser, section, page, take_1=[]))


def test_a_list_pasted_again_leaves_out_who_is_there(browser, section):
    page = paste(browser, section, "Anna North1, Bob South1\nIda Stein, Otto Stein")

    assert "Anna North1 is on the list already." in words(page)
    take(browser, section, page)
    assert listed(section) == ["Ida Stein & Otto Stein"]


def test_what_was_pasted_can_be_changed_once_more(browser, section):
    page = paste(browser, section, "Ida & Otto <Stein>")
    assert '<textarea name="pairs" hidden>Ida &amp; Otto &lt;Stein&gt;' in page.content.decode()

    back = browser.post(
        reverse("add-list", args=[section.code]), {"pairs": "Ida & Otto <Stein>", "edit": "1"}
    )

    assert back.status_code == 200
    assert "Ida &amp; Otto &lt;Stein&gt;</textarea>" in back.content.decode()
    assert '<details class="panel" open>' in back.content.decode()


def test_a_csv_file_in_windows_letters_is_read(browser, section):
    text = "Nr;Spieler 1;Spieler 2\n1;Groß, Jürgen;Weiß, Änne\n"
    file = SimpleUploadedFile("paare.csv", text.encode("cp1252"))

    page = paste(browser, section, file=file)

    assert "The heading is left out." in words(page)
    take(browser, section, page)
    assert section.entries.get(position=7).names == "Jürgen Groß & Änne Weiß"


def test_people_of_the_club_are_recognised_and_others_marked_new(browser, section, club):
    Person.objects.bulk_create(
        Person(club=club, name=name, search=searchable(name))
        for name in ("Hans Müller", "Uta Winter", "Joachim Schmidt", "Anna Schmidt")
    )

    page = paste(browser, section, "Müller H. / Winter, Uta\nSchmidt; Karl Neuling")

    assert "Several players match: Anna Schmidt, Joachim Schmidt" in words(page)
    take(browser, section, page, name_2_1="Joachim Schmidt")
    assert listed(section) == ["Hans Müller & Uta Winter", "Joachim Schmidt & Karl Neuling"]
    assert Person.objects.filter(club=club, name="Hans Müller").count() == 1


def test_another_clubs_people_are_not_recognised(browser, section, carol):
    Person.objects.create(club=carol.clubs.get(), name="Hans Müller")

    page = paste(browser, section, "Müller H., Uta Winter")

    assert "What is the first name?" in words(page)
    assert "Hans" not in page.content.decode().split("<tbody>")[1].split("</table>")[0]


def test_an_empty_list_and_a_huge_file_are_refused(browser, section):
    assert "Type or paste at least one line." in words(paste(browser, section, "  \n"))
    assert "There is no name in this list." in words(paste(browser, section, "Name; Name"))
    huge = SimpleUploadedFile("huge.csv", b"a,b\n" * 20_000)
    assert "too big" in words(paste(browser, section, file=huge))
    workbook = SimpleUploadedFile("pairs.xlsx", b"PK\x03\x04" + bytes(range(256)) * 4)
    assert "Save the list as CSV" in words(paste(browser, section, file=workbook))
    assert section.entries.count() == 6


def test_a_list_of_thousands_of_lines_is_refused_before_it_is_read(browser, section, monkeypatch):
    monkeypatch.setattr(listing, "_ListReader", None)
    for file in (None, SimpleUploadedFile("long.csv", b"A B;C D\n" * 6_000)):
        page = paste(browser, section, "A B, C D\n" * 5_000, file)

        assert "0 lines; at most 300 can be taken at once." in words(page)
        assert len(page.content) < 200_000
    monkeypatch.undo()
    fields = {"name": "x", "date": "2026-11-24", "starts_at": "19:00", "fewest_boards": "24"}
    fields |= {"most_boards": "28", "minutes_per_board": "7", "pairs": "A B, C D\n" * 301}
    assert "301 lines" in words(browser.post(reverse("new-session"), fields))


def test_somebody_twice_is_named_at_the_line(browser, section):
    page = paste(browser, section, "Hanna Brandt & Karl Fischer\nIda Z, Otto Z")

    answer = take(browser, section, page, name_2_2="bob south2")

    assert answer.status_code == 422
    assert "bob south2 is on the list already." in words(answer)
    assert section.entries.count() == 6


def test_81_pairs_are_taken_at_once(browser, club, alice):
    section = section_with(0, club=club, by=alice)
    text = "\n".join(f"{n};Nord{n}, Anna;Süd{n}, Karl" for n in range(1, 82))

    page = paste(browser, section, text)

    assert "81 lines: 81 clear, 0 to look at." in words(page)
    take(browser, section, page)
    assert section.entries.count() == 81
    assert section.entries.last().names == "Anna Nord81 & Karl Süd81"


def test_more_than_a_section_has_room_for_is_refused(browser, section):
    text = "\n".join(f"Anna Ost{n}, Karl West{n}" for n in range(1, 116))

    answer = take(browser, section, paste(browser, section, text))

    assert answer.status_code == 422
    assert "120 pairs are the most a section can have." in words(answer)
    assert section.entries.count() == 6


def test_teams_of_four_to_six_and_single_players_are_read(browser, club, alice):
    teams = section_with(0, club=club, by=alice, contest="teams")
    text = "Anna Ost, Bob Nord, Cleo Berg, Dan Tal\nEva Ost; Fred Nord; Gil Berg; Hal Tal; Ian See; Jo Au"
    take(browser, teams, paste(browser, teams, text))
    assert [len(entry.players) for entry in teams.entries.all()] == [4, 6]
    six = teams.entries.last()
    edit = reverse("edit-pair", args=[teams.code, six.pk])
    assert 'value="Jo Au"' in browser.get(edit).content.decode()
    fields = ("first", "second", "third", "fourth", "fifth", "sixth")
    names = [person.name for person in six.players]
    browser.post(edit, dict(zip(fields, [*names[:5], "Jon Au"], strict=True)))
    assert teams.entries.last().players[5].name == "Jon Au"

    single = section_with(0, club=club, by=alice, contest="individual")
    take(browser, single, paste(browser, single, "Müller, Hans\n2. Uta Winter"))
    assert listed(single, 0) == ["Hans Müller", "Uta Winter"]


def test_a_list_that_comes_when_the_session_has_begun_is_refused(browser, section, alice, club):
    page = paste(browser, section, "Ida Stein, Otto Stein")
    Section.objects.filter(pk=section.pk).update(round=1)

    answer = take(browser, section, page)

    assert answer.status_code == 422
    assert "The session has begun" in words(answer)


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"line": ["x", "²", "-1"]},
        {"line": 1},
        {"line": 1, "take-1": 1},
        {"line": 1, "clear-1": 1, "name-1-1": "A\x00B", "name-1-2": "C D"},
        {"line": 1, "clear-1": 1, "name-1-1": "x" * 61, "name-1-2": "C D"},
        {"line": 1, "clear-1": 1, "name-1-1": "C D", "name-1-2": "c d"},
    ],
)
def test_nonsense_instead_of_a_list_is_told_and_takes_nothing(browser, section, sent):
    answer = browser.post(reverse("take-list", args=[section.code]), sent)

    assert answer.status_code == 422
    assert section.entries.count() == 6


def test_one_pair_entered_from_a_list_is_one_pair(browser, section):
    told = words(take(browser, section, paste(browser, section, "Hanna Brandt & Karl Fischer")))

    assert "1 pair entered." in told
    assert "7 pairs 3½ tables" in told


def test_a_pair_can_be_corrected_and_withdrawn(browser, section):
    entry = section.entries.first()

    browser.post(
        reverse("edit-pair", args=[section.code, entry.pk]),
        {"first": "Anna Nordstrom", "second": "Bob South1"},
    )
    browser.post(reverse("withdraw", args=[section.code, section.entries.last().pk]))

    assert section.entries.first().names == "Anna Nordstrom & Bob South1"
    assert [entry.position for entry in section.entries.all()] == [1, 2, 3, 4, 5]


def test_a_substitute_keeps_the_seat_during_the_evening(browser, skip_section):
    entry = skip_section.entries.get(contestant=9)

    browser.post(
        reverse("edit-pair", args=[skip_section.code, entry.pk]),
        {"first": "New Player", "second": entry.players[1].name},
    )

    assert skip_section.entries.get(contestant=9).names.startswith("New Player & ")


def test_nobody_is_added_or_withdrawn_after_the_start(browser, skip_section):
    answer = add(browser, skip_section, "Eve Adams", "Max Late")
    browser.post(reverse("withdraw", args=[skip_section.code, skip_section.entries.first().pk]))

    assert "The session has begun" in words(answer)
    assert skip_section.entries.count() == 16


def test_when_the_pairs_change_the_movement_is_made_anew_or_given_up(browser, club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)

    add(browser, section, "Eve Adams", "Max Late")
    section = Section.objects.get(pk=section.pk)
    assert section.movement is None  # 9 tables: no skip
    assert not section.entries.exclude(contestant=None).exists()

    section = section_with(15, "skip-mitchell", club=club, by=alice)
    service.add_pairs(section, [("Eve Black", "Max Black")], by=alice)
    section = Section.objects.get(pk=section.pk)
    assert (section.movement.tables, section.entries.filter(contestant=None).count()) == (8, 0)
    assert not section.movement.movement.has_sit_out


def test_two_pairs_change_seats(browser, club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)
    names = {entry.contestant: entry.names for entry in section.entries.all()}

    browser.post(reverse("swap", args=[section.code]), {"one": 1, "other": 12})

    swapped = {entry.contestant: entry.names for entry in section.entries.all()}
    assert swapped == names | {1: names[12], 12: names[1]}


def test_a_pair_takes_the_free_seat_and_the_half_table_is_where_it_sat(browser, club, alice):
    section = section_with(17, "mitchell", club=club, by=alice)
    address = reverse("entries", args=[section.code])
    assert '<input type="hidden" name="table"' not in markup(browser.get(address))

    page = browser.get(address, {"move": 4})
    assert '<input type="hidden" name="table" value="9">' in markup(page)
    browser.post(reverse("swap", args=[section.code]), {"one": 4, "table": 9, "line": "ew"})

    labels = Section.objects.get(pk=section.pk).movement.movement
    assert (labels.contestant("NS 4"), labels.contestant("EW 9")) == (None, 17)
    facts = AuditRecord.objects.filter(action="section.free_seat").get().facts
    assert (facts["seat"], facts["left"]) == ("EW 9", "NS 4")


@pytest.mark.parametrize(
    "answers",
    [
        {},
        {"one": 1},
        {"one": 1, "other": 99},
        {"one": "x", "other": 2},
        {"one": 1, "table": 1, "line": "ew"},
        {"one": 1, "table": 1, "line": "<"},
    ],
)
def test_a_nonsense_swap_changes_nothing(browser, club, alice, answers):
    section = section_with(16, "skip-mitchell", club=club, by=alice)
    before = dict(section.entries.values_list("pk", "contestant"))

    browser.post(reverse("swap", args=[section.code]), answers)

    assert dict(section.entries.values_list("pk", "contestant")) == before


def test_the_same_seed_draws_the_same_seats(browser, club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)
    seats = reverse("seat", args=[section.code])

    browser.post(seats, {"method": "random"})
    section.refresh_from_db()
    drawn = dict(section.entries.values_list("pk", "contestant"))
    browser.post(seats, {"method": "order"})
    in_order = dict(section.entries.values_list("pk", "contestant"))
    browser.post(seats, {"method": "repeat", "seed": section.seed})

    assert dict(section.entries.values_list("pk", "contestant")) == drawn
    assert drawn != in_order
    page = browser.get(reverse("entries", args=[section.code]))
    assert f"Seats drawn with seed {section.seed}" in words(page)


def test_moving_works_without_javascript(browser, club, alice):
    section = section_with(15, "skip-mitchell", club=club, by=alice)

    page = browser.get(reverse("entries", args=[section.code]), {"move": 3}).content.decode()

    # with each of the others, and the free seat
    assert page.count('name="one" value="3"') == 14 + 1
    assert "Free seat" in page


def test_suggestions_know_the_usual_partner_and_who_is_here(browser, section):
    answer = browser.get(
        reverse("suggestions", args=[section.code]),
        {"q": "bob s", "partner": "", "field": "second"},
    )
    assert answer.content.decode().count("already entered") == 6

    tomorrow = section_with(0, club=section.club)
    answer = browser.get(
        reverse("suggestions", args=[tomorrow.code]), {"q": "", "partner": "anna north3"}
    )
    assert 'data-name="Bob South3"' in answer.content.decode()
    assert "usually plays with anna north3" in words(answer)


def test_another_clubs_people_are_never_suggested(browser, section, carol):
    section_with(3, club=carol.clubs.get(), by=carol)
    Person.objects.create(club=carol.clubs.get(), name="Secret Person")

    answer = browser.get(reverse("suggestions", args=[section.code]), {"q": "secret"})

    assert "Secret Person" not in answer.content.decode()


def test_an_unchanged_poll_asks_only_who_it_is(browser, section, django_assert_num_queries):
    section.refresh_from_db()
    address = f"{reverse('entries', args=[section.code])}?v={section.shown}"

    with django_assert_num_queries(4):  # session, user, section, membership
        assert browser.get(address).status_code == 204


def test_names_are_text_whatever_is_in_them(browser, section):
    add(browser, section, "<b>Bold</b> <script>", 'O\'Neill "Max" & <i>')

    page = browser.get(reverse("entries", args=[section.code])).content.decode()

    assert "&lt;b&gt;Bold&lt;/b&gt; &lt;script&gt;" in page
    assert "<b>Bold" not in page
    answer = browser.get(reverse("suggestions", args=[section.code]), {"q": "<b>"})
    assert "<b>Bold" not in answer.content.decode()


@pytest.mark.parametrize("typed", ["¨", "´", "\x00", "%", "x" * 500, "’"])
def test_anything_may_be_typed_into_a_name(browser, section, typed):
    address = reverse("suggestions", args=[section.code])

    assert browser.get(address, {"q": typed, "partner": typed}).status_code == 200


@pytest.mark.parametrize("name", ["¨", "\x07", "A\x00B"])
def test_a_name_without_a_letter_or_with_signs_nobody_types_is_refused(browser, section, name):
    assert add(browser, section, name, "Eve Adams").status_code == 422
    assert add(browser, section, "Eve Adams", name).status_code == 422
    assert section.entries.count() == 6


@pytest.mark.parametrize("move", ["²", "x", "-1", "99", "999999999999", ""])
def test_moving_nobody_is_no_fault(browser, club, alice, move):
    section = section_with(6, "mitchell", club=club, by=alice)

    answer = browser.get(reverse("entries", args=[section.code]), {"move": move})

    assert answer.status_code == 200


def test_an_address_may_hold_anything(browser):
    for code in ("A%00B", "%C2%B2", "x" * 300):
        for page in ("", "?v=1", "?v=%C2%B2"):
            assert browser.get(f"/s/{code}/entries/{page}").status_code == 404


def test_a_new_name_is_offered_last_as_a_new_one(browser, section):
    answer = browser.get(reverse("suggestions", args=[section.code]), {"q": " anna  north1 x "})
    assert 'data-name="anna north1 x"' in answer.content.decode()
    assert "new: joins the roster" in words(answer)

    known = browser.get(reverse("suggestions", args=[section.code]), {"q": "ANNA NORTH1"})
    assert "new: joins the roster" not in words(known)


def test_a_wrong_seed_is_answered_beside_the_field(browser, club, alice):
    section = section_with(6, "mitchell", club=club, by=alice)
    before = dict(section.entries.values_list("pk", "contestant"))

    for seed, sentence in (
        ("four", "A seed is a number, such as 4711."),
        ("", "Type the seed of the draw to repeat."),
        ("0", "greater than or equal to 1"),
        ("9" * 30, "less than or equal to 2000000000"),
    ):
        answer = browser.post(
            reverse("seat", args=[section.code]), {"method": "repeat", "seed": seed}
        )
        assert answer.status_code == 422
        assert sentence in words(answer)
        assert f'value="{seed}"' in answer.content.decode() or not seed

    assert dict(section.entries.values_list("pk", "contestant")) == before


def test_addresses_of_forms_lead_back_to_the_entries(browser, section):
    for name in ("add-pair", "add-list", "take-list", "seat"):
        answer = browser.get(reverse(name, args=[section.code]))
        assert answer.headers["Location"] == reverse("entries", args=[section.code])


def test_a_pair_that_costs_the_movement_says_so(browser, club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)

    add(browser, section, "Eve Adams", "Max Late")

    page = words(browser.get(reverse("entries", args=[section.code])))
    assert (
        "Skip Mitchell is not possible with this number of entries. Choose the movement again."
        in page
    )


def test_a_pair_that_fits_the_movement_needs_no_words(browser, club, alice):
    section = section_with(15, "skip-mitchell", club=club, by=alice)

    add(browser, section, "Eve Adams", "Max Late")

    assert "is not possible with this number" not in words(
        browser.get(reverse("entries", args=[section.code]))
    )


def test_whoever_asked_to_stay_and_moves_is_named(browser, club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)
    section.entries.filter(position__in=[1, 2]).update(must_stay_seated=True)

    page = words(browser.get(reverse("entries", args=[section.code])))

    assert "Anna North2 & Bob South2 asked to stay seated, and EW 1 moves." in page.replace(
        "&amp;", "&"
    )
    assert page.count("asked to stay seated") == 1


def test_a_pair_taken_off_by_somebody_else_is_no_longer_changed(browser, section):
    entry = section.entries.last()
    edit, withdraw = (
        reverse(name, args=[section.code, entry.pk]) for name in ("edit-pair", "withdraw")
    )
    service.withdraw_pair(entry, by=None)

    for answer in (
        browser.get(edit, follow=True),
        browser.post(edit, {"first": "A B", "second": "C D"}, follow=True),
        browser.post(withdraw, follow=True),
    ):
        assert answer.redirect_chain == [(reverse("entries", args=[section.code]), 302)]
        assert "Somebody else has taken this pair off the list." in words(answer)


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"first": "", "second": "C D"}, "A name is missing."),
        ({"first": "x" * 10_000, "second": "C D"}, "at most 60 characters"),
        ({"first": "Bob South2", "second": "C D"}, "Bob South2 is on the list already."),
        ({"first": "A B", "second": "a  B"}, "the same name twice"),
    ],
)
def test_wrong_corrections_are_refused_and_kept(browser, section, answers, sentence):
    first = section.entries.first()

    answer = browser.post(reverse("edit-pair", args=[section.code, first.pk]), answers)

    assert answer.status_code == 422
    assert sentence in words(answer)
    assert f'value="{answers["second"]}"' in answer.content.decode()
    assert section.entries.first().names == "Anna North1 & Bob South1"


@pytest.mark.parametrize("pairs", [0, 1, 2])
def test_too_few_pairs_are_guided_not_refused(browser, club, alice, pairs):
    section = section_with(pairs, club=club, by=alice)

    answer = browser.get(reverse("entries", args=[section.code]))

    assert "A movement needs at least 3 pairs: two tables, one of them half." in words(answer)
    assert "Choose the movement" not in words(answer)


def test_3_and_30_tables_cost_the_same_queries(
    browser, club, alice, django_assert_num_queries, django_assert_max_num_queries
):
    small = section_with(6, "mitchell", club=club, by=alice)
    large = section_with(60, "skip-mitchell", club=club, by=alice, boards_per_round=1)

    with django_assert_max_num_queries(11) as counted:
        browser.get(reverse("entries", args=[small.code]))
    with django_assert_num_queries(len(counted)):
        browser.get(reverse("entries", args=[large.code]))


# -- two directors on one page ---------------------------------------------------------------------


def poll(browser, section, version, started="0"):
    address = reverse("entries", args=[section.code])
    return browser.get(address, {"v": version, "started": started}, headers={"HX-Request": "true"})


def test_a_poll_brings_the_list_and_the_buttons_but_not_the_form(browser, section, alice):
    seen = Section.objects.get(pk=section.pk).shown
    service.add_pairs(section, [("Eve Adams", "Max Late")], by=alice)

    answer = poll(browser, section, seen).content.decode()

    assert "Eve Adams &amp; Max Late" in answer
    assert re.search(r'id="standing" hx-swap-oob="true".*7 pairs', answer, re.S)
    assert f"v={seen + 1}&amp;started=0" in answer
    assert "First player" not in answer
    assert "Paste a list" not in answer


def test_a_poll_reloads_the_page_when_the_session_has_begun_or_is_taken_back(browser, club, alice):
    section = section_with(6, "mitchell", club=club, by=alice)
    seen = Section.objects.get(pk=section.pk).shown
    rounds.start_next_round(section, after=0, by=alice)
    assert poll(browser, section, seen).headers["HX-Refresh"] == "true"
    assert "HX-Refresh" not in poll(browser, section, seen, started="1").headers

    rounds.take_back_round(section, round=1, by=alice)
    assert poll(browser, section, seen, started="1").headers["HX-Refresh"] == "true"


def test_a_swap_on_the_page_brings_list_and_refusal_at_once(browser, club, alice):
    section = section_with(6, "mitchell", club=club, by=alice)
    address, htmx = reverse("swap", args=[section.code]), {"HX-Request": "true"}

    answer = browser.post(address, {"one": 1, "other": 4}, headers=htmx).content.decode()
    assert 'id="pairs"' in answer
    assert "First player" not in answer

    rounds.start_next_round(section, after=0, by=alice)
    refused = words(browser.post(address, {"one": 1, "other": 4}, headers=htmx))
    assert "The session has begun; this can only be changed before the start." in refused


def test_a_pasted_teams_name_is_kept_as_the_teams(browser, club, alice):
    section = section_with(0, contest="teams", club=club, by=alice)
    page = paste(
        browser,
        section,
        "Die Wölfe: Hanna Brandt, Karl Fischer, Ida Stein, Otto Stein\n"
        "Anna Hughes, Paul Lehmann, Ruth Turner, Mary Collins",
    )

    take(browser, section, page)

    assert [(entry.name, entry.players[0].name) for entry in section.entries.all()] == [
        ("Die Wölfe", "Hanna Brandt"),
        ("", "Anna Hughes"),
    ]
