"""Notices to exactly those players whose plan a live change alters."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.db.models import Q
from django.test import Client

from bridgebuddy.clubs.models import Club, User
from bridgebuddy.events.models import Section, SectionMovement
from bridgebuddy.events.services.play import changes, rounds
from bridgebuddy.events.services.play.changes import ArrivingEntry
from movements.engine.catalogue import build_movement
from movements.engine.changes import Change, LengthChanges, PairArrives, PairLeaves
from movements.engine.drawing.draws import Draw
from movements.engine.drawing.open_rounds import apply_draw
from movements.engine.files.document import MovementDocument, movement_dict
from movements.engine.model import Seating
from movements.models import SeatingRow, StoredMovement
from movements.services import store_movement
from tests.factories import section_with
from tests.markup import markup

from .reading import HTMX, player, words
from .test_player import play

pytestmark = pytest.mark.django_db
Edit = Callable[[SeatingRow], None]


def change(section: Section, edit: Edit, from_round: int = 5) -> StoredMovement:
    """Give a section the next version of its movement, with the rows from a round on edited."""
    old = section.movement
    new = StoredMovement.objects.get(pk=old.pk)
    new.pk = None
    new.save()
    for row in old.rows.all():
        row.pk, row.movement = None, new
        if row.round >= from_round:
            edit(row)
        row.save()
    seatings = tuple(
        Seating(row.round, row.table, row.ns, row.ew, tuple(row.sets.split()))
        for row in new.rows.all()
    )
    if section.contest == "pairs":
        new.document = movement_dict(MovementDocument(replace(old.movement, seatings=seatings)))
        new.save()
        new = StoredMovement.objects.get(pk=new.pk)
    adopt(section, new, from_round)
    return new


def adopt(section: Section, new: StoredMovement, from_round: int) -> None:
    SectionMovement.objects.create(
        section=section,
        movement=new,
        version=section.movements.count() + 1,
        from_round=from_round,
    )
    section.movement = new
    section.touch()


def exchange(one: int, other: int) -> Edit:
    """Let two N-S pairs exchange their tables."""
    places = {one: other, other: one}

    def edit(row: SeatingRow) -> None:
        row.ns = places.get(row.ns, row.ns)

    return edit


def in_round_five(edit: Edit) -> Edit:
    return lambda row: edit(row) if row.round == 5 else None


def notice(client: Client, section: Section, label: str) -> str:
    """Return the words of the notice; empty without one."""
    page = player(client, section, label).content.decode()
    match = re.search(r'<section class="note changed".*?</section>', page, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", match[0]).split()) if match else ""


def marked(client: Client, section: Section, label: str) -> list[str]:
    """The rounds that are marked in the list."""
    page = markup(player(client, section, label))
    return re.findall(r'<tr class="\w* new"[^>]*><td>(\d+)<small>new</small>', page)


def confirm_notice(client: Client, section: Section, label: str) -> None:
    """Press "I have read this"."""
    page = player(client, section, label).content.decode()
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\d+)">', page))
    answer = client.post(f"/p/{section.code}/{label}/read/", sent)
    assert answer.headers["Location"] == f"/p/{section.code}/{label}/"


def test_who_moves_is_told_where_and_nobody_else_is_told_anything(client, skip_section):
    change(skip_section, exchange(3, 6))

    assert notice(client, skip_section, "NS3") == (
        "New plan: in round 5 you sit North-South at table 6. "
        "3 rounds are different. They are marked in the list. I have read this"
    )
    assert marked(client, skip_section, "NS3") == ["5", "6", "7"]
    assert [notice(client, skip_section, f"NS{n}") for n in (1, 2, 4, 5, 7, 8)] == [""] * 6


def test_a_sit_out_is_told_and_that_the_rest_stays(client, skip_section):
    @in_round_five
    def send_out(row):
        row.ns = None if row.ns == 3 else row.ns

    change(skip_section, send_out)

    assert notice(client, skip_section, "NS3") == (
        "New plan: in round 5 you sit out. All your other rounds stay the same. I have read this"
    )
    assert marked(client, skip_section, "NS3") == ["5"]


def test_other_people_at_the_same_table_and_other_boards_are_told_too(client, skip_section):
    @in_round_five
    def edit(row):
        row.ew = {9: 10, 10: 9}.get(row.ew, row.ew)
        row.sets = "A" if row.table == 1 else row.sets

    meets = {r.ew: f"NS{r.ns}" for r in skip_section.movement.rows.filter(round=5)}
    change(skip_section, edit)

    assert notice(client, skip_section, meets[9]).startswith(
        "New plan: in round 5 you have other opponents at table 6. All your other"
    )
    assert notice(client, skip_section, "NS1").startswith(
        "New plan: in round 5 you play boards 1–3. All your other"
    )


def test_half_a_sit_out_is_told(client, skip_section):
    @in_round_five
    def edit(row):
        if row.ns == 3:
            row.parts, row.part = 2, 1

    change(skip_section, edit)

    assert notice(client, skip_section, "NS3").startswith(
        "New plan: in round 5 you sit out half the round. All your other"
    )


def test_an_arrow_switch_says_the_new_line(client, skip_section):
    @in_round_five
    def turn(row):
        row.ns, row.ew = row.ew, row.ns

    change(skip_section, turn)

    assert notice(client, skip_section, "NS3").startswith(
        "New plan: in round 5 you sit East-West at table 3."
    )


def test_what_was_read_is_not_told_again_but_the_next_change_is(client, skip_section):
    change(skip_section, exchange(3, 6))
    other_phone = Client()

    confirm_notice(client, skip_section, "NS3")

    assert (notice(client, skip_section, "NS3"), marked(client, skip_section, "NS3")) == ("", [])
    assert notice(client, skip_section, "NS6") != ""
    assert notice(other_phone, skip_section, "NS3") != ""
    change(skip_section, exchange(3, 7), from_round=6)
    assert notice(client, skip_section, "NS3").startswith(
        "New plan: in round 6 you sit North-South at table 7. 2 rounds"
    )


def test_a_change_to_others_leaves_an_unread_notice_standing(client, skip_section):
    change(skip_section, exchange(3, 6))
    told = notice(client, skip_section, "NS3")

    change(skip_section, exchange(1, 2), from_round=6)

    assert notice(client, skip_section, "NS3") == told


def test_a_change_taken_back_is_news_only_to_who_has_read_of_it(client, skip_section):
    first = skip_section.movement
    change(skip_section, exchange(3, 6))
    reader = Client()
    confirm_notice(reader, skip_section, "NS3")

    adopt(skip_section, first, from_round=5)

    assert notice(client, skip_section, "NS3") == ""
    assert notice(reader, skip_section, "NS3").startswith(
        "New plan: in round 5 you sit North-South at table 3. 3 rounds"
    )


def test_what_is_over_is_no_news(client, skip_section, alice):
    change(skip_section, in_round_five(exchange(3, 6)))
    rounds.start_next_round(skip_section, after=4, by=alice)
    assert notice(client, skip_section, "NS3") != ""

    rounds.start_next_round(skip_section, after=5, by=alice)
    assert notice(client, skip_section, "NS3") == ""


def test_nothing_is_told_after_the_end(client, skip_section, alice):
    change(skip_section, exchange(3, 6))

    rounds.finish_session(skip_section, round=4, by=alice)

    assert notice(client, skip_section, "NS3") == ""


def test_a_club_that_hides_later_rounds_tells_of_a_change_when_it_comes_near(
    client, skip_section, alice
):
    Club.objects.update(phones_show_later_rounds=False)
    change(skip_section, exchange(3, 6), from_round=6)
    assert notice(client, skip_section, "NS3") == ""

    rounds.start_next_round(skip_section, after=4, by=alice)
    skip_section.refresh_from_db()

    assert notice(client, skip_section, "NS3").startswith("New plan: in round 6")
    assert marked(client, skip_section, "NS3") == ["6"]


def test_who_came_later_has_no_older_plan(client, skip_section):
    def seat_newcomer(row):
        row.ew = 17 if row.ew == 9 else row.ew

    new = change(skip_section, lambda row: None)
    for row in new.rows.filter(round__gte=5):
        seat_newcomer(row)
        row.save()
    new.fields = {"ns": new.fields["ns"], "ew": [*new.fields["ew"], "9"]}
    new.save()
    newcomer = skip_section.entries.get(contestant=9)
    skip_section.entries.filter(pk=newcomer.pk).update(contestant=17)
    first = skip_section.movements.get(version=1)
    first.seats.pop(str(newcomer.pk), None)
    first.save()

    page = player(client, skip_section, "EW9")

    assert page.status_code == 200
    assert notice(client, skip_section, "EW9") == ""


def test_the_draw_of_a_swiss_round_is_no_change(client):
    swiss = build_movement("swiss", 8, None, None, {"contest": "pairs"})
    section = play(section_with(0), swiss, 3, 2)
    SectionMovement.objects.create(section=section, movement=section.movement, version=1)
    draw = Draw(matches=((1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11, 12), (13, 14), (15, 16)))

    adopt(section, store_movement(apply_draw(swiss, draw), boards_per_round=3), from_round=2)

    assert "Then Table 1 North-South Boards 4–6 against 2" in words(player(client, section, "1"))
    assert notice(client, section, "1") == ""


def test_a_poll_brings_the_notice_and_then_costs_one_query_again(
    client, skip_section, django_assert_num_queries
):
    address, version = f"/p/{skip_section.code}/NS3/", skip_section.shown
    change(skip_section, exchange(3, 6))

    poll = client.get(address, {"v": version}, headers=HTMX)

    assert "New plan: in round 5 you sit North-South at table 6." in words(poll)
    assert '<div id="notice" role="status"' in poll.content.decode()
    with django_assert_num_queries(1):
        again = client.get(address, {"v": skip_section.shown}, headers=HTMX)
    assert (again.status_code, again.cookies.output()) == (204, "")


def test_a_change_costs_a_section_s_first_phone_a_query_more_and_no_other(
    client, skip_section, django_assert_num_queries
):
    player(client, skip_section, "NS3")
    change(skip_section, exchange(3, 6))

    with django_assert_num_queries(9):  # the older plan's rows beside eight
        player(client, skip_section, "NS3")
    with django_assert_num_queries(2):
        player(client, skip_section, "NS6")


def test_the_form_cannot_be_sent_from_elsewhere_and_names_only_what_is_here(skip_section, alice):
    phone = Client(enforce_csrf_checks=True)
    new = change(skip_section, exchange(3, 6))
    entry = skip_section.entries.get(contestant=3).pk
    address = f"/p/{skip_section.code}/NS3/read/"
    sent = {"entry": entry, "movement": new.pk}
    assert phone.post(address, sent).status_code == 403
    page = player(phone, skip_section, "NS3").content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
    elsewhere = section_with(6, "mitchell")
    for wrong in (
        {"entry": elsewhere.entries.first().pk},
        {"movement": elsewhere.movement_id},
        {"movement": "x"},
        {"movement": 10**30},
        {"entry": ""},
    ):
        assert phone.post(address, {**sent, **wrong, "csrfmiddlewaretoken": token}).cookies == {}
        assert notice(phone, skip_section, "NS3") != ""

    phone.post(address, {**sent, "csrfmiddlewaretoken": token})

    assert notice(phone, skip_section, "NS3") == ""


def test_reading_in_a_session_nobody_knows_asks_for_the_code(client):
    assert client.post("/p/AAAAAA/NS3/read/").status_code == 404
    assert client.get("/p/AAAAAA/NS3/read/").status_code == 405


def test_a_phone_remembers_its_last_dozen_marks(client, skip_section):
    change(skip_section, exchange(3, 6))
    entry_pks = list(skip_section.entries.order_by("pk").values_list("pk", flat=True))
    for pk in entry_pks[:13]:
        client.post(
            f"/p/{skip_section.code}/NS3/read/", {"entry": pk, "movement": skip_section.movement_id}
        )

    mark = client.get("/p/").wsgi_request.get_signed_cookie("read")

    assert mark == "-".join(f"{pk}.{skip_section.movement_id}" for pk in entry_pks[12:0:-1])


def live(section: Section, wanted: Change, by: User, newcomer: ArrivingEntry | None = None) -> None:
    """Make the best proposal for a change the section's movement, as the desk does."""
    way = changes.change_options(section, wanted)[0]
    changes.take_proposal(section, way, wanted, plan=section.plan, by=by, newcomer=newcomer)
    section.refresh_from_db()


def test_a_pair_that_leaves_is_told_nothing_and_its_opponents_that_they_sit_out(
    client, skip_section, alice
):
    meets = {
        row.round: row.ew
        for row in skip_section.movement.rows.filter(ns=3, round__gt=4).order_by("round")
    }

    live(skip_section, PairLeaves(3), alice)

    labels = skip_section.movement.without_seatings
    told = {
        round: notice(client, skip_section, labels.label(number).replace(" ", ""))
        for round, number in meets.items()
    }
    assert told == {
        round: f"New plan: in round {round} you sit out. "
        "All your other rounds stay the same. I have read this"
        for round in meets
    }
    gone = player(client, skip_section, "NS3")
    assert notice(client, skip_section, "NS3") == ""
    assert "Table 3 North-South Boards 16–18" in words(gone)
    assert "Then" not in words(gone)
    assert "You have withdrawn from this session." in words(gone)
    assert "5 withdrawn 6 withdrawn 7 withdrawn" in words(gone)


def test_a_late_pair_sees_its_own_evening_and_only_those_it_bumps_are_told(
    client, skip_section, alice
):
    before = {row.pk for row in skip_section.movement.rows.all()}
    live(skip_section, PairArrives(), alice, ArrivingEntry(("Ina Late", "Uwe Later")))
    late = skip_section.entries.get(first_round__gt=1)
    labels = skip_section.movement.without_seatings
    slugs = {n: labels.label(n).replace(" ", "") for n in labels.contestants}

    told = {slug for n, slug in slugs.items() if notice(client, skip_section, slug)}

    rows = skip_section.movement.rows.filter(round__gt=4).exclude(pk__in=before)
    theirs = rows.filter(Q(ns=late.contestant) | Q(ew=late.contestant))
    assert slugs[late.contestant] not in told
    assert 0 < len(told) <= 2 * theirs.count()
    page = words(player(client, skip_section, slugs[late.contestant]))
    assert "Round 4 of 7" in page
    assert "You are not playing yet You start at table" in page


def test_another_number_of_rounds_is_told_to_everybody(client, skip_section, alice):
    live(skip_section, LengthChanges(6), alice)

    assert {notice(client, skip_section, f"EW{n}") for n in range(1, 9)} == {
        "New plan: the session now has 6 rounds. I have read this"
    }


def test_a_change_undone_before_it_is_read_is_no_news(client, skip_section, alice):
    live(skip_section, PairLeaves(3), alice)

    changes.undo_change(skip_section, plan=skip_section.plan, by=alice)

    skip_section.refresh_from_db()
    labels = skip_section.movement.without_seatings
    assert {
        notice(client, skip_section, labels.label(n).replace(" ", "")) for n in labels.contestants
    } == {""}
