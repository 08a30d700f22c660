"""Public names follow the owner's or the club's choice: on every public page, past sessions included."""

import pytest
from django.urls import reverse

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.people.public_names import text_with_public_names, use_public_names
from bridgebuddy.events.models import Entry
from bridgebuddy.events.services.play import people
from bridgebuddy.events.services.roster import merge_people
from bridgebuddy.scoring.files.exports import exported_file
from bridgebuddy.scoring.services import publishing
from tests.factories import PersonFactory
from tests.scoring.test_tonight import scored_section
from tests.security import rights

pytestmark = pytest.mark.django_db
EVENINGS = [(8, "howell", "pairs"), (8, "individual", "individual"), (8, "swiss", "teams")]
#: nobody else is called like this
NAME, WORDS = "Wilhelmine Zacharias", ("Wilhelmine", "Zacharias")


@pytest.fixture
def hidden(club, alice):
    """Return an evening by contest, its public address, and the player with a rare name."""

    def evening(count, family, contest):
        section = scored_section(count, family, contest=contest, club=club, by=alice)
        entry = section.entries.order_by("position").first()
        somebody = entry.players[0]
        somebody.name = NAME
        somebody.save()
        if contest == "teams":
            Entry.objects.filter(pk=entry.pk).update(name="Zacharias and friends")
        return section, publishing.publish_results(section, by=alice).token, somebody

    return evening


def everything_public(client, section, token):
    """Return all public pages of a session by address; new public addresses are included by themselves."""
    known = {"token": token, "section": section.name, "round": 1, "number": 1}
    found = {}
    for name, pattern in rights.patterns().items():
        if not str(pattern.pattern).startswith(("r/", "api/v1/results/")):
            continue
        for entry in section.entries.order_by("position")[:4]:
            labels = {"label": entry.contestant, "home": 1, "away": 2, "format": "pbn"} | known
            keys = {key: labels[key] for key in pattern.pattern.converters}
            if (address := reverse(name, kwargs=keys)) in found:
                continue  # the same for everybody
            answer = client.get(address)
            if answer.status_code == 200:
                found[address] = answer.content.decode()
    files = ["pbn"] + (["bridgewebs"] if section.contest == "pairs" else [])
    return found | {name: exported_file(section, name).decode("latin-1") for name in files}


@pytest.mark.parametrize(("count", "family", "contest"), EVENINGS)
@pytest.mark.parametrize("by_club", [True, False])
def test_who_is_not_to_be_read_is_nowhere_in_public(
    client, hidden, count, family, contest, by_club
):
    section, token, somebody = hidden(count, family, contest)
    before = everything_public(client, section, token)
    if by_club:
        section.club.public_names = "none"
        section.club.save()
    else:
        somebody.public_name = "none"
        somebody.save()

    after = everything_public(client, section, token)

    assert any("Zacharias" in text for text in before.values())
    assert before.keys() == after.keys()
    assert [where for where, text in after.items() if any(word in text for word in WORDS)] == []
    assert any("Guest" in text for text in after.values())
    if not by_club:
        assert any("Anna North2" in text for text in after.values())


@pytest.mark.parametrize(
    ("name", "team", "hidden"),
    [
        ("Sona O", "O Tigers", "Guest Tigers"),
        ("Mei Li", "Li Tigers", "Guest Tigers"),
        ("Mei Li", "MEI and LI's Tigers, Lisa", "Guest and Guest's Tigers, Lisa"),
        ("Jo Ott", "Team Jo Ott", "Team Guest Guest"),
        ("Hanna M. van den Berg", "Berg van den Hanna", "Guest van den Guest"),
        ("Anna Müller-Lüdenscheidt", "Lüdenscheidt and friends", "Guest and friends"),
        ("김 철수", "김 Tigers", "Guest Tigers"),
        ("김 철수", "철수팀", "Guest팀"),
        ("김철수", "철수 Tigers, 김치", "Guest Tigers, 김치"),
        ("이 순", "순 이", "Guest Guest"),
    ],
)
def test_no_part_of_a_hidden_name_stands_in_a_teams_name(club, name, team, hidden):
    PersonFactory(club=club, name=name, public_name="none")

    with use_public_names(club):
        assert text_with_public_names(team, Person.objects.all()) == hidden


def test_a_short_surname_is_not_in_a_published_list(client, club, alice):
    section = scored_section(8, "swiss", contest="teams", club=club, by=alice)
    entry = section.entries.order_by("position").first()
    Person.objects.filter(pk=entry.players[0].pk).update(name="Mei Li", public_name="none")
    Entry.objects.filter(pk=entry.pk).update(name="Li Tigers")
    token = publishing.publish_results(section, by=alice).token

    pages = everything_public(client, section, token).values()

    assert any("Guest Tigers" in page for page in pages)
    assert not any("Li Tigers" in page for page in pages)


def test_initials_and_who_has_agreed(client, hidden):
    section, token, somebody = hidden(8, "howell", "pairs")
    section.club.public_names = "initials"
    section.club.save()
    somebody.public_name = "full"
    somebody.save()

    page = client.get(reverse("public-results", args=[token])).content.decode()

    assert NAME in page
    assert "B. S." in page
    assert "South2" not in page


def test_a_substitute_is_hidden_as_well(client, hidden, club, alice):
    section, token, _ = hidden(8, "howell", "pairs")
    people.add_substitute(section.entries.first(), 2, "Xaver Quast", from_round=2, by=alice)
    Person.objects.filter(name="Xaver Quast").update(public_name="none")

    assert not any("Quast" in text for text in everything_public(client, section, token).values())


def test_the_club_reads_and_hands_out_whole_names(hidden, signed_in, alice):
    section, _, somebody = hidden(8, "howell", "pairs")
    somebody.public_name = "none"
    somebody.save()

    page = signed_in(alice).get(reverse("ranking", args=[section.code])).content.decode()

    assert NAME in page
    assert "Zacharias" in exported_file(section, "usebio").decode()


def test_a_director_says_it_on_a_players_page(hidden, signed_in, alice):
    section, _, somebody = hidden(8, "howell", "pairs")
    address = reverse("edit-player", args=[section.club.pk, somebody.pk])

    signed_in(alice).post(address, {"name": NAME, "strength": "", "public_name": "initials"})

    assert Person.objects.get(pk=somebody.pk).public_name == "initials"


def test_of_two_who_are_one_the_wish_holds_that_shows_less(club, alice):
    stays = PersonFactory(club=club, public_name="full")
    goes = PersonFactory(club=club, public_name="none")

    assert merge_people(stays, goes, by=alice).public_name == "none"


def test_nobody_is_kept_under_what_everybody_reads(club):
    PersonFactory(club=club, name=NAME, public_name="none")

    with use_public_names(club):
        somebody = Person.objects.get()
        assert somebody.name == "Guest"
        with pytest.raises(ValueError, match="for everybody"):
            somebody.save()

    assert Person.objects.get().name == NAME


def test_who_is_not_to_be_read_is_not_found_by_name(client, hidden):
    _, token, somebody = hidden(8, "howell", "pairs")
    find = reverse("public-find", args=[token])
    assert client.get(find, {"name": "Zacharias"}).status_code == 302
    somebody.public_name = "none"
    somebody.save()

    answer = client.get(find, {"name": "Zacharias"})

    assert answer.status_code == 200
    assert "No player here is called" in answer.content.decode()
