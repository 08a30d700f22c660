"""Which cards are no longer right after a change of the movement."""

from dataclasses import replace

import pytest
from bridgebuddy.printing.changes import Changes, NoSuchVersion, changed_since

from bridgebuddy.events.models import Section, SectionMovement
from movements.engine import catalogue
from movements.engine.draws import Draw, with_draw
from movements.engine.model import Field, Movement, Seating
from movements.services import store

from .conftest import section_playing

pytestmark = pytest.mark.django_db


@pytest.fixture
def change():
    """Let a section play another movement from a round on, everybody keeping their label."""

    def change_to(section: Section, movement: Movement, from_round: int) -> None:
        labels = section.movement.labels
        entries = {entry: labels.label(entry.contestant) for entry in section.entries.all()}
        section.movement = store(movement, boards_per_round=section.boards_per_round)
        section.save()
        SectionMovement.objects.create(
            section=section,
            movement=section.movement,
            version=section.movements.count() + 1,
            from_round=from_round,
        )
        for entry, label in sorted(entries.items(), key=lambda item: -item[0].contestant):
            entry.contestant = movement.contestant(label)
            entry.save()

    return change_to


def with_turned(movement: Movement, round: int, *tables: int) -> Movement:
    """Return a movement in which some tables are arrow-switched in one round."""
    turned = {movement.at(round, table) for table in tables}
    return replace(
        movement, seatings=tuple(s.turned() if s in turned else s for s in movement.seatings)
    )


def with_late_pair(movement: Movement) -> Movement:
    """Return a movement with a pair NS 9 that comes too late, and takes the place of NS 2 in round 5."""
    ns, ew = movement.fields
    moved = tuple(
        Seating(
            s.round,
            s.table,
            9 if (s.round, s.table) == (5, 2) else s.ns,
            s.ew + 1,
            s.sets,
        )
        for s in movement.seatings
    )
    return replace(movement, fields=(Field("ns", (*ns.labels, "9")), ew), seatings=moved)


def labels(section: Section, changes: Changes) -> list[str]:
    return [section.movement.labels.label(number) for number in sorted(changes.contestants)]


def test_nothing_has_changed_since_the_present_version(skip_section):
    assert changed_since(skip_section, 1) == Changes()


def test_a_version_there_never_was_is_refused(skip_section):
    with pytest.raises(NoSuchVersion):
        changed_since(skip_section, 2)


def test_two_turned_tables_change_four_cards_and_where_people_come_from(skip_section, change):
    movement = skip_section.movement.movement
    change(skip_section, with_turned(movement, 7, 1, 2), 7)

    changes = changed_since(skip_section, 1)

    # East-West of table 1 come from table 8, whose card says that they sit the other way round
    assert labels(skip_section, changes) == ["NS 1", "NS 2", "EW 2", "EW 3"]
    assert changes.tables == {1, 2, 8}
    assert changes.boards == {*range(19, 25)}


def test_a_late_pair_changes_no_card_but_those_it_meets(skip_section, change):
    change(skip_section, with_late_pair(skip_section.movement.movement), 5)

    changes = changed_since(skip_section, 1)

    against = skip_section.movement.movement.at(5, 2).ew
    assert labels(skip_section, changes) == [
        "NS 2",
        "NS 9",
        skip_section.movement.labels.label(against),
    ]
    assert changes.tables == {2}


def test_several_versions_are_compared_from_the_first_change_on(skip_section, change):
    change(skip_section, with_late_pair(skip_section.movement.movement), 5)
    change(skip_section, with_turned(skip_section.movement.movement, 7, 1, 2), 7)

    assert changed_since(skip_section, 2).tables == {1, 2, 8}
    assert labels(skip_section, changed_since(skip_section, 2)) == ["NS 1", "NS 2", "EW 2", "EW 3"]
    assert "NS 9" in labels(skip_section, changed_since(skip_section, 1))


def test_a_change_taken_back_leaves_nothing_to_print(skip_section, change):
    movement = skip_section.movement.movement
    change(skip_section, with_turned(movement, 7, 1, 2), 7)
    change(skip_section, movement, 7)

    assert changed_since(skip_section, 1) == Changes()


def test_only_the_cards_that_changed_are_printed(pdf, alice, skip_section, change):
    change(skip_section, with_turned(skip_section.movement.movement, 7, 1, 2), 7)

    guides = pdf(alice, skip_section, "guide-cards.pdf?since=1")
    tables = pdf(alice, skip_section, "table-cards.pdf?since=1")

    assert len(guides.pages) == 1
    text = guides.pages[0].extract_text()
    assert [text.count(f"{line} {n}\n") for line, n in (("NS", 1), ("NS", 2), ("NS", 3))] == [1, 1, 0]  # fmt: skip
    assert text.count("version 2") == 4
    assert len(tables.pages) == 3


def test_what_hangs_on_a_wall_is_printed_whole(pdf, alice, skip_section, change):
    change(skip_section, with_turned(skip_section.movement.movement, 7, 1, 2), 7)

    slips, poster, labels = (
        pdf(alice, skip_section, f"{sheet}.pdf?since=1")
        for sheet in ("score-slips", "poster", "board-labels")
    )

    assert len(slips.pages) == 2
    assert poster.pages[0].extract_text().count("EW") >= 8
    assert labels.pages[0].extract_text().count("Boards") == 8


def test_the_page_offers_earlier_versions_once_there_are_any(
    signed_in, alice, skip_section, change
):
    browser = signed_in(alice)
    address = f"/s/{skip_section.code}/print/"
    assert 'name="since"' not in browser.get(address).content.decode()

    change(skip_section, with_turned(skip_section.movement.movement, 7, 1, 2), 7)

    text = browser.get(address).content.decode()
    assert '<option value="1">Changed since version 1</option>' in text
    assert '<option value="2">' not in text.split('name="since"')[1].split("</select>")[0]


@pytest.mark.parametrize(
    ("since", "sentence"),
    [
        ("2", "There is no such version. Choose one."),
        ("one", "There is no such version. Choose one."),
    ],
)
def test_a_version_that_cannot_be_compared_is_said_beside_the_field(
    signed_in, alice, skip_section, change, since, sentence
):
    response = signed_in(alice).get(f"/s/{skip_section.code}/print/guide-cards.pdf?since={since}")

    assert (response.status_code, sentence in response.content.decode()) == (422, True)


def test_where_no_card_changed_the_page_says_so(signed_in, alice, skip_section, change):
    change(skip_section, skip_section.movement.movement, 5)

    response = signed_in(alice).get(f"/s/{skip_section.code}/print/guide-cards.pdf?since=1")

    assert response.status_code == 422
    assert "No card has changed since then. Print everything." in response.content.decode()


def test_a_draw_changes_the_cards_of_all_teams_and_of_their_tables(club, change):
    movement = catalogue.build("swiss", 7)
    section = section_playing(club, movement, 4)
    matches = ((1, 5), (2, 6))
    change(section, with_draw(movement, Draw(matches, triangles=((3, 4, 7),))), 2)

    found = changed_since(section, 1)

    everybody = frozenset(range(1, 8))
    assert found == Changes(tables=everybody, contestants=everybody)
