"""The library: open to all, true to the catalogue."""

import csv
import io
import json
import re

import pytest
from django.urls import reverse

from movements.engine import catalogue
from movements.engine.files import document
from movements.library.library import LibraryFilter, family_overview
from tests.markup import words

pytestmark = pytest.mark.django_db


def test_the_overview_has_a_row_for_every_family(client):
    page = client.get(reverse("library"), {"more": "on"})

    for family in catalogue.FAMILIES:
        assert f"/movements/{family.name}/" in page.content.decode(), family.name


def test_every_mark_of_the_overview_leads_to_a_page_that_exists(client):
    for row in family_overview(LibraryFilter(largest=9)):
        for tables, cell in row.cells:
            if cell:
                answer = client.get(reverse("movement", args=[row.family.name, tables]))
                assert answer.status_code == 200, (row.family.name, tables)


@pytest.mark.parametrize(
    ("query", "present", "absent"),
    [
        ({"contest": "teams"}, "team-awl", "mitchell"),
        ({"winners": "1"}, "howell", "skip-mitchell"),
        ({"no_sharing": "on"}, "skip-mitchell", "share-and-relay"),
        ({"no_stands": "on"}, "skip-mitchell", "howell"),
        ({"half": "on"}, "mitchell", "ns-rover"),
        ({"contest": "individual"}, "rainbow", "howell"),
    ],
)
def test_filters_show_what_they_say(client, query, present, absent):
    page = client.get(reverse("library"), query).content.decode()

    assert f"/movements/{present}/" in page
    assert f"/movements/{absent}/" not in page


def test_a_rover_is_apart_from_the_number_of_rounds(client):
    page = client.get(reverse("library"), {"pairs": "13"}).content.decode()

    cell = " ".join(page.partition("tables and a rover")[0].rpartition("<a")[2].split())
    assert re.search(r"<b>\d+(–\d+)?</b> <small> 6 $", f"{cell} ".replace("</b><", "</b> <"))


@pytest.mark.parametrize("query", [{"winners": "9"}, {"fewest": "x"}, {"contest": "<b>"}])
def test_nonsense_filters_show_everything(client, query):
    assert "/movements/mitchell/" in client.get(reverse("library"), query).content.decode()


def test_a_movements_page_says_how_it_goes_in_the_grids_own_words(client):
    page = words(client.get(reverse("movement", args=["skip-mitchell", 8])))

    assert "After rounds 1, 2, 3, 5, 6: East-West move up one table. Boards move down one." in page
    assert "After round 4: East-West move up TWO tables : this is the skip." in page
    assert "86 of 100" in page


def test_what_happens_after_two_rounds_is_said_of_both(client):
    page = client.get(
        "/movements/crisscross/8/", headers={"accept-language": "de"}
    ).content.decode()

    assert "Nach den Runden 2, 6" in page
    assert "Nach Runde 4" in page


def test_rounds_missing_pairs_and_options_are_obeyed(client):
    address = reverse("movement", args=["skip-mitchell", 8])

    page = words(client.get(address, {"rounds": "6", "missing": "EW 3", "option-skip": "2"}))

    assert "8 tables, 6 rounds" in page
    assert "After round 2: East-West move up TWO tables" in page
    assert "nobody" in page


@pytest.mark.parametrize(
    "query",
    [{"rounds": "99"}, {"missing": "EW 77"}, {"option-skip": "x"}, {"option-skip": "99"}],
)
def test_wrong_wishes_are_told_and_the_usual_is_shown(client, query):
    answer = client.get(reverse("movement", args=["skip-mitchell", 8]), query)

    assert answer.status_code in (200, 422)
    assert 'class="note bad"' in answer.content.decode()
    assert "Round by round" in words(answer)


def test_impossible_sizes_lead_to_possible_ones(client):
    answer = client.get(reverse("movement", args=["crisscross", 6]))

    assert answer.status_code == 404
    page = words(answer)
    assert "Crisscross Mitchell does not exist for 6 tables" in page
    assert "4 tables" in page
    assert "Skip Mitchell" in page


def test_unknown_families_are_not_found(client):
    assert client.get("/movements/foxtrot/5/").status_code == 404
    assert client.get("/movements/mitchell/9999/").status_code == 404


def test_downloads_come_back_as_the_same_movement(client):
    for family, tables in (("skip-mitchell", 8), ("howell", 5), ("scissors-mitchell", 6)):
        built = catalogue.build_movement(family, tables)
        as_json = client.get(reverse("download", args=[family, tables, "json"]))
        as_csv = client.get(reverse("download", args=[family, tables, "csv"]))

        assert document.read_movement(json.loads(as_json.content)).movement == built
        assert document.read_csv(as_csv.content.decode()).movement.seatings == built.seatings
        assert f"{family}-{tables}x" in as_json.headers["Content-Disposition"]
        assert list(csv.reader(io.StringIO(as_csv.content.decode())))


def test_the_library_needs_no_queries_for_strangers(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        client.get(reverse("library"))
        client.get(reverse("movement", args=["howell", 6]))


def test_the_published_version_stays_beside_the_better_one_and_is_marked(client):
    address = reverse("movement", args=["partial-howell", 6])

    best = words(client.get(address))
    published = words(client.get(address, {"option-version": "published"}))

    assert "Versions the best known : 91 of 100, even as published : 72 of 100, uneven" in best
    assert "Three-quarter Howell as published 6 tables, 8 rounds" in published
    assert "Three-quarter Howell as published" not in best


def test_where_there_is_one_version_none_is_listed(client):
    pages = [client.get(reverse("movement", args=["howell", tables])) for tables in (3, 6)]

    assert ["Versions" in words(page) for page in pages] == [False, False]


@pytest.mark.parametrize(
    ("family", "tables", "query", "rounds"),
    [
        ("appendix-mitchell", 15, {"option-base": "11"}, 11),
        ("scrambled-mitchell", 14, {"option-base": "web"}, 13),
        ("barometer", 4, {"option-base": "howell"}, 7),
        ("two-stanza", 9, {"option-stanzas": "3"}, 9),
        ("ns-rover", 8, {"option-base": "share-and-relay"}, 8),
        ("two-way-rover", 6, {"option-base": "share-and-relay"}, 6),
        ("skip-mitchell", 10, {"option-revenge": "yes"}, 10),
        ("swiss", 16, {"option-contest": "pairs"}, 7),
        ("individual", 1, {"option-out": "1"}, 5),
    ],
)
def test_a_movements_page_goes_by_its_options(client, family, tables, query, rounds):
    page = client.get(reverse("movement", args=[family, tables]), query)

    assert (page.status_code, page.context["movement"].rounds) == (200, rounds)
    assert rounds in page.context["legal_rounds"]
    options = page.context["family"].sizes_with(
        {option.name: option.read(query[f"option-{option.name}"])
         for option in page.context["family"].options if f"option-{option.name}" in query}
    )  # fmt: skip
    assert page.context["sizes"] == [size for size in options if size <= 40]
    file = client.get(reverse("download", args=[family, tables, "json"]), query)
    assert json.loads(file.content)["rounds"] == rounds


def test_other_sizes_keep_the_options_of_the_page(client):
    page = client.get(reverse("movement", args=["two-stanza", 9]), {"option-stanzas": "3"})

    assert 'href="/movements/two-stanza/15/?option-stanzas=3"' in page.content.decode()


def test_rounds_that_an_option_does_not_allow_are_refused_beside_the_usual_ones(client):
    page = client.get(
        reverse("movement", args=["barometer", 4]), {"option-base": "howell", "rounds": "3"}
    )

    assert page.status_code == 422
    assert "Barometer Mitchell can have 7 rounds here." in words(page)
    assert page.context["movement"] == catalogue.build_movement(
        "barometer", 4, options={"base": "howell"}
    )


def test_a_size_that_exists_only_in_another_way_leads_there(client):
    page = client.get(reverse("movement", args=["two-stanza", 9]))

    assert page.status_code == 404
    assert "In another way it does exist:" in words(page)
    assert 'href="/movements/two-stanza/9/?option-stanzas=3"' in page.content.decode()


def test_a_contest_of_teams_is_downloaded_by_its_teams(client):
    page = client.get(reverse("movement", args=["team-round-robin", 8])).content.decode()

    assert "/movements/team-round-robin/8.json" in page


def test_who_says_how_many_pairs_reads_what_they_can_play(client):
    page = client.get(reverse("library"), {"pairs": "15"})

    assert list(page.context["tables"]) == [8]
    cells = [(row.family, cell) for row in page.context["rows"] for _tables, cell in row.cells]
    assert cells
    assert all(
        family.contest == "pairs"
        and (family.takes_missing_pair, cell.tables) in ((True, 8), (False, 7))
        for family, cell in cells
    )


def test_literature_on_fairness_is_named_beside_the_figures(client):
    page = words(client.get(reverse("movement", args=["howell", 6])))

    assert "Literature on fairness: J. Manning, “Competition, balance and arrow-switching”;" in page
    assert "R. Moore, “Too many arrow-switches spoil the balance”" in page
    assert "Literature" not in words(client.get(reverse("movement", args=["team-round-robin", 4])))


def test_an_odd_number_of_pairs_is_offered_rovers_at_one_table_fewer(client):
    odd, even = (client.get(reverse("library"), {"pairs": pairs}) for pairs in ("15", "16"))
    address = reverse("movement", args=["ew-rover", 7])

    assert "7 tables and a rover" in words(odd)
    assert f'href="{address}"' in odd.content.decode()
    assert "ew-rover" not in even.content.decode()
