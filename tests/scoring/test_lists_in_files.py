"""Lists beside the main ones in files and on pages: strata, categories, handicaps; what BridgeWebs does not take; one form for
the numbers of a column.
"""

import csv
import io

import pytest
from django.urls import reverse

from bridgebuddy.scoring.files.exports import FORMATS, exported_session
from bridgebuddy.scoring.results.archived import session_tables
from bridgebuddy.scoring.results.classes import additional_rankings, class_columns
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules.past.tables import read_tables as read_table
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.classes import store_classes
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.templatetags.results import total
from tests.factories import director_of
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db


def scored_of(section):
    return ScoredSession(SessionSnapshot(section))


@pytest.mark.parametrize(
    ("number", "family", "contest"),
    [(6, "team-round-robin", "teams"), (12, "individual", "individual"), (8, "howell", "pairs")],
)
def test_bridgewebs_is_offered_for_pairs_and_explained_for_others(client, number, family, contest):
    section = scored_section(number, family, rounds=1, contest=contest)
    client.force_login(director_of(section.club))
    sentence = "The BridgeWebs table exists for pairs only."
    address = reverse("results-file", args=[section.code, "bridgewebs"])

    page = client.get(reverse("ranking", args=[section.code])).content.decode()
    answer = client.get(address)

    is_for_pairs = contest == "pairs"
    assert (sentence in page) is not is_for_pairs
    assert (address in page) is is_for_pairs
    if is_for_pairs:
        assert answer.status_code == 200
    else:
        assert answer["Location"] == reverse("ranking", args=[section.code])
        told = client.get(answer["Location"]).content.decode()
        assert told.count(sentence) == 2  # as a message, and among the files


def test_the_table_of_the_ranking_has_every_list_of_the_page():
    section = scored_section(8, "howell", rounds=7)
    keys = {entry.contestant: entry.pk for entry in section.entries.all()}
    classes = {
        keys[1]: {"stratum": 1, "categories": ["Juniors"], "handicap": "2.5"},
        keys[2]: {"stratum": 2, "handicap": "-1"},
        **{keys[number]: {"stratum": 2} for number in range(3, 9)},
    }
    store_classes(section, strata=["A", "B"], classes=classes, masterpoints="", by=None)
    scored = scored_of(section)

    text = FORMATS["ranking"].file(exported_session(scored)).decode("utf-8-sig")

    rows = list(csv.DictReader(io.StringIO(text)))
    lists = {row["group"]: [] for row in rows}
    for row in rows:
        lists[row["group"]].append(row)
    assert {name: len(found) for name, found in lists.items()} == {
        "": 8,
        "stratum A": 8,
        "stratum B": 7,
        "category Juniors": 1,
        "handicap": 8,
    }
    raw = {row["label"]: float(row["percent"]) for row in lists[""]}
    for row in lists["handicap"]:
        with_handicap = raw[row["label"]] + float(row["handicap"])
        assert float(row["percent"]) == pytest.approx(with_handicap, abs=0.005)
    [past] = read_table(text)
    assert [len(ranking.lines) for ranking in past.rankings] == [8]
    archived = session_tables(section.club)
    assert len(archived["standings"]) == 8
    assert len(archived["group_standings"]) == len(rows) - 8


def test_the_line_of_a_handicap_list_adds_up_on_the_page_and_in_public(client):
    section = scored_section(8, "howell", rounds=7)
    classes = {entry.pk: {"handicap": "6"} for entry in section.entries.all()}
    store_classes(section, strata=[], classes=classes, masterpoints="", by=None)
    client.force_login(director_of(section.club))
    token = publishing.publish_results(section, by=None).token

    [(title, ranking)] = additional_rankings(scored_of(section))
    [column] = class_columns(scored_of(section), ranking)

    assert (title, column.title, column.stays) == ("With handicap", "Handicap", True)
    assert {column.cell_of(standing) for standing in ranking.standings} == {"+6.00"}
    for address in (
        reverse("ranking", args=[section.code]),
        reverse("public-results", args=[token]),
    ):
        assert client.get(address).content.decode().count("+6.00") == 8


@pytest.mark.parametrize("method", ["cross-imps", "butler", "matchpoints"])
def test_totals_of_a_column_have_one_number_of_decimals(client, method):
    section = scored_section(8, "howell", rounds=7)
    publishing.set_scoring_profile(section, {"method": method}, by=None)
    client.force_login(director_of(section.club))
    scored = scored_of(section)
    [found] = scored.main_lists

    written = {total(standing.row.total, scored).partition(".")[2] for standing in found.standings}

    assert {len(decimals) for decimals in written} == {scored.total_places}
    assert scored.total_places == (2 if method == "cross-imps" else 0)
    page = client.get(reverse("ranking", args=[section.code])).content.decode()
    assert all(f">{total(standing.row.total, scored)}</td>" in page for standing in found.standings)
