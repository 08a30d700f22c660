"""The JSON and CSV forms: complete round trips, and named errors in files."""

import copy
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movements.engine import catalogue, laws
from movements.engine.changes import SatInEachOthersPlace
from movements.engine.changes.repairs.mistakes import continuations_after_mistake
from movements.engine.declarations import Exemption, Triangle
from movements.engine.errors import BadMovementFile
from movements.engine.fairness.chart import movement_chart
from movements.engine.files import document

REFERENCE = Path(__file__).parent.parent / "data" / "reference"
FILES = sorted(REFERENCE.glob("*.json"))


def data_of(name):
    return json.loads((REFERENCE / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture
def mitchell():
    return data_of("mitchell-5x5.bridgebuddy")


def complaint(data):
    """Return the complaint of the reader about a JSON object, with its place."""
    with pytest.raises(BadMovementFile) as caught:
        document.read_json(json.dumps(data))
    return str(caught.value)


def csv_complaint(text, **how):
    with pytest.raises(BadMovementFile) as caught:
        document.read_csv(text, **how)
    return str(caught.value)


# ── JSON ──


@pytest.mark.parametrize(
    "text",
    ["", "Mitchell", "{", '{"family": ', "\x00", "[" * 100_000, '{"a":' * 50_000, "9" * 5_000],
    ids=["empty", "words", "cut", "cut later", "zero byte", "deep list", "deep object", "long number"],
)  # fmt: skip
def test_what_is_no_json_is_refused(text):
    with pytest.raises(BadMovementFile) as caught:
        document.read_json(text)

    assert str(caught.value).startswith("file: this is no JSON (")


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e400"])
def test_a_number_that_is_none_is_refused_wherever_it_stands(mitchell, number):
    text = json.dumps(mitchell | {"source": {"page": "here"}}).replace('"here"', number)

    with pytest.raises(BadMovementFile) as caught:
        document.read_json(text)

    assert str(caught.value) == "file: this is no JSON (line 1, column 1)"


def test_of_two_values_of_a_key_neither_is_taken(mitchell):
    text = json.dumps(mitchell)
    twice = text.replace('"rounds":', '"rounds": 1, "rounds":', 1)

    with pytest.raises(BadMovementFile) as caught:
        document.read_json(twice)

    assert str(caught.value) == "file: key 'rounds' is there twice"
    with pytest.raises(BadMovementFile) as caught:
        document.read_csv('# {"tables": 1, "tables": 2}\nround,table,ns,ew,boards\n1,1,1,2,A\n')
    assert str(caught.value) == "row 1: key 'tables' is there twice"


@pytest.mark.parametrize("value", [None, True, 7, "Mitchell", [], [{}]])
def test_json_that_is_no_object_is_refused(value):
    assert complaint(value) == "file: a movement is a JSON object"


@pytest.mark.parametrize("key", document.NEEDED)
def test_missing_key_is_named(mitchell, key):
    del mitchell[key]

    assert complaint(mitchell) == f"file: key '{key}' is missing"


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("family", 3, "family: this should be text of up to 400 characters, not 3"),
        ("family", "a\nb", "family: this should be text of up to 400 characters, not 'a\\nb'"),
        ("contest", "duplicate", "contest: pairs, individual or teams"),
        ("tables", "5", "tables: this should be a whole number from 1 to 999, not '5'"),
        ("tables", True, "tables: this should be a whole number from 1 to 999, not True"),
        ("rounds", 0, "rounds: this should be a whole number from 1 to 999, not 0"),
        ("rounds", 10**9, "rounds: this should be a whole number from 1 to 999, not 1000000000"),
        ("rounds", 2.5, "rounds: this should be a whole number from 1 to 999, not 2.5"),
        ("copies", {"A": 1}, "copies: this should be a whole number from 1 to 999, not dict"),
        ("field", ["1"], "field: this should be an object with a list of labels for each field"),
        ("field", {}, "field: this should be an object with a list of labels for each field"),
        ("field", {"ns": 5}, "field: this should be a list, not 5"),
        ("field", {"ns": [1]}, "field: this should be text of up to 40 characters, not 1"),
        ("field", {"ns": []}, "field: a movement has 1 to 1000 contestants"),
        ("boards", "ABCDE", "boards: this should be a list, not 'ABCDE'"),
        ("boards", ["A", "B 1"], "boards: the name of a board set has no spaces"),
        ("boards", [""], "boards: this should be a list of up to 1000 names"),
        ("rows", {}, "rows: this should be a list, not dict"),
        ("rows", [None], "row 1: a row is a JSON object"),
        ("stands", [7], "stands 1: this should be a JSON object"),
        ("stands", [{}], "stands 1, round: this should be a whole number from 1 to 999, not None"),
        ("shared", [{"round": "all"}], "shared 1, tables: this should be a list, not None"),
        ("triangles", [{"teams": ["1"]}], "triangles 1, teams: '1' is not in the field"),
        ("exceptions", [{}], "exceptions 1, law: this should be text of up to 400 characters, not None"),
        (
            "exceptions",
            [{"law": "meet-twice", "max": 2, "why": "no"}],
            "exceptions 1, law: 'meet-twice' is none of the laws that may be broken"
            " (board-once, copies, draw, field, meet-once, present, structure, tables)",
        ),
        ("sitouts", "x", "sitouts: this should be a list, not 'x'"),
    ],
)  # fmt: skip
def test_wrong_value_is_named_with_its_place(mitchell, key, value, expected):
    mitchell[key] = value

    assert complaint(mitchell) == expected


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("round", "1", "row 7, round: this should be a whole number from 0 to 999, not '1'"),
        ("table", None, "row 7, table: this should be a whole number from 0 to 999, not None"),
        ("ns", "9", "row 7, ns: '9' is not in the field"),
        ("ew", ["9"], "row 7, ew: list is not in the field"),
        ("ew", "\ud800" * 90, f"row 7, ew: {repr(chr(0xD800) * 90)[:40]}… is not in the field"),
        ("boards", "A", "row 7, boards: this should be a list, not 'A'"),
        ("half", "first", "row 7, half: this should be a whole number from 1 to 999, not 'first'"),
    ],
)
def test_wrong_cell_is_named_with_its_row(mitchell, key, value, expected):
    mitchell["rows"][6][key] = value

    assert complaint(mitchell) == expected


def test_row_without_a_side_is_refused(mitchell):
    del mitchell["rows"][2]["ew"]

    assert complaint(mitchell) == "row 3, ew: this is missing"


def test_half_of_a_partnership_is_refused():
    rainbow = data_of("rainbow-5x5.wikipedia")
    rainbow["rows"][0]["s"] = None

    assert complaint(rainbow) == "row 1, ns: two partners or nobody"


def test_triangle_of_two_teams_is_refused():
    draw = data_of("round-robin-7.peach")
    draw["triangles"][1]["teams"] = ["1", "4"]

    assert complaint(draw) == "triangles 2, teams: a triangle has three teams"


def test_25000_rows_are_too_many(mitchell):
    mitchell["rows"] *= 1000

    assert complaint(mitchell) == "rows: up to 20000 rows"


def test_table_with_too_many_parts_in_a_round_is_refused(mitchell):
    mitchell["rows"] += [dict(mitchell["rows"][0]) for _ in range(24)]

    assert complaint(mitchell) == "rows: round 1 table 1 has more than 24 rows"


def test_crowd_at_one_table_is_checked_in_good_time(mitchell):
    mitchell["tables"] = 800
    mitchell["rows"] = [
        {"round": 1, "table": 1 + place % 800, "ns": "1", "ew": "1", "boards": ["A"]}
        for place in range(16_000)
    ]

    violations = laws.find_violations(document.read_movement(mitchell).movement)

    assert {violation.law for violation in violations} >= {"one-place", "board-once", "copies"}
    assert len(violations) < 40_000


def test_byte_order_mark_does_no_harm(mitchell):
    read = document.read_json("\ufeff" + json.dumps(mitchell))

    assert read.movement == catalogue.build_movement("mitchell", 5)


def test_single_players_of_two_fields_in_each_others_seats_are_written_by_their_own_and_read_again():
    rainbow = catalogue.build_movement("rainbow", 5)
    [happened] = continuations_after_mistake(rainbow, 1, SatInEachOthersPlace(1, 1, 7))
    written = document.MovementDocument(happened.movement)

    rows = document.movement_dict(written)["rows"]

    assert [(row["n"], row["s"]) for row in rows[:2]] == [("S2", "1"), ("2", "N1")]
    assert document.read_json(document.write_json(written)).movement == happened.movement
    table = document.read_csv(document.write_csv(happened.movement, is_complete=True))
    assert table.movement.seatings == happened.movement.seatings


def test_row_in_which_nobody_sits_is_read_and_written_for_individuals():
    rainbow = data_of("rainbow-5x5.wikipedia")
    rainbow["rows"][0].update(n=None, s=None)

    read = document.read_movement(rainbow)

    assert read.movement.seatings[0].ns is None
    assert document.movement_dict(read)["rows"][0] == rainbow["rows"][0]


@st.composite
def damaged(draw):
    """A printed movement with a few values replaced, dropped or doubled somewhere inside."""
    name = draw(
        st.sampled_from(
            ["mitchell-5x5.bridgebuddy", "howell-3x5.wikipedia", "rainbow-5x5.wikipedia",
             "two-way-rover-4half-4r.wikipedia", "round-robin-7.peach", "triangle-3-teams.wikipedia",
             "ns-rover-skip-8-revenge.peach"]
        )
    )  # fmt: skip
    data = copy.deepcopy(data_of(name))
    junk = st.sampled_from(
        [None, True, -1, 0, 1, 2, 3, 1.5, "", "A", "1", "EW3", "\ud800", "x" * 99, [], ["A"], {}, [{}]]
    )  # fmt: skip
    for _ in range(draw(st.integers(1, 3))):
        place = data
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            inside = place[key]
            if isinstance(inside, dict | list) and inside and draw(st.integers(0, 3)):
                place = inside
                continue
            action = draw(st.sampled_from(["replace", "drop", "double"]))
            if action == "replace":
                place[key] = copy.deepcopy(draw(junk))
            elif action == "drop":
                del place[key]
            elif isinstance(place, list):
                place.append(copy.deepcopy(inside))
            break
    return data


@settings(deadline=None, derandomize=True, max_examples=400)
@given(damaged())
def test_damaged_file_is_refused_or_can_be_checked_printed_and_written(data):
    try:
        read = document.read_json(json.dumps(data))
    except BadMovementFile:
        return

    for violation in laws.find_violations(read.movement):
        violation.sentence(read.movement).encode("utf-8")
    document.contradicting_statements(data, read.movement)
    movement_chart(read.movement, "damaged").encode("utf-8")
    again = document.read_json(document.write_json(document.MovementDocument(read.movement)))
    assert again.movement == read.movement


@settings(deadline=None, derandomize=True, max_examples=200)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from([*document.NEEDED, "ns", "ew", "round"]), inner)
        ),
        max_leaves=12,
    )
)
def test_any_other_json_is_refused(value):
    with pytest.raises(BadMovementFile):
        document.read_json(json.dumps(value))


# ── what a document says and its rows do not bear out ──


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_printed_documents_do_not_contradict_themselves(path):
    data = json.loads(path.read_text(encoding="utf-8"))

    assert document.contradicting_statements(data, document.read_movement(data).movement) == ()


def test_contradictions_are_found():
    data = data_of("two-way-rover-4half-4r.wikipedia")
    data["winners"] = 2
    gone = data["sitouts"][0]["contestant"]
    data["sitouts"][0] = 5
    data["boards"].append("E1")
    split = next(row for row in data["rows"] if "half" in row)
    del split["half"]

    statements = document.contradicting_statements(data, document.read_movement(data).movement)

    assert statements == (
        "winners: there are 1, not 2",
        f"sitouts: round 1 half 1: {gone} sits out but is not listed",
        "sitouts: 5 is listed but does not",
        "boards: nobody plays E1",
        f"rows: round {split['round']} table {split['table']} has 2 rows but not their halves",
    )


# ── CSV ──


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_complete_csv_loses_nothing(path):
    movement = document.read_movement(json.loads(path.read_text(encoding="utf-8"))).movement

    written = document.write_csv(movement, is_complete=True)

    assert document.read_csv(written).movement == movement


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_plain_csv_keeps_seatings_fields_and_triangles(path):
    movement = document.read_movement(json.loads(path.read_text(encoding="utf-8"))).movement

    read = document.read_csv(document.write_csv(movement), movement.contest).movement

    assert read.seatings == movement.seatings
    assert read.fields == movement.fields
    assert read.triangles == movement.triangles
    assert read.rounds == movement.rounds
    assert set(read.sets) == set(movement.sets)


def test_csv_has_a_row_for_each_seating():
    written = document.write_csv(catalogue.build_movement("mitchell", 3))

    assert written.splitlines()[:4] == [
        "round,table,half,ns,ew,boards",
        "1,1,,1,1,A",
        "1,2,,2,2,B",
        "1,3,,3,3,C",
    ]


def test_triangles_have_rows_of_their_own():
    written = document.write_csv(catalogue.build_movement("team-round-robin", 7))

    assert written.splitlines()[0] == "round,table,half,ns,ew,boards,triangle"
    assert written.splitlines()[-1] == "6,,,,,,1 6 7"


def test_open_rounds_survive_the_complete_csv():
    movement = catalogue.build_movement("swiss", 9, 4)

    read = document.read_csv(document.write_csv(movement, is_complete=True)).movement

    assert read == movement
    assert read.open_rounds == (2, 3, 4)


def test_copies_are_those_that_tables_want_at_one_time():
    text = "round,table,ns,ew,boards\n1,1,1,2,A\n1,2,3,4,A\n2,1,1,3,B\n2,2,2,4,C\n"

    read = document.read_csv(text).movement

    assert (read.copies, read.tables, read.rounds, read.sets) == (2, 2, 2, ("A", "B", "C"))
    assert [(field.name, field.labels) for field in read.fields] == [
        ("pairs", ("1", "2", "3", "4"))
    ]


HEAD = "round,table,half,ns,ew,boards\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "row 1: column round is missing"),
        ("round,table,ns\n1,1,1\n", "row 1: column ew is missing"),
        ("round,table,n,s,e\n1,1,1,2,3\n", "row 1: column w is missing"),
        (HEAD, "file: there are no rows"),
        (HEAD + "1,1,,1,1,A\n1,two,,2,2,B\n", "row 3, column table: 'two' is no number up to 999"),
        (HEAD + "1,1,,1,1,A\n,2,,2,2,B\n", "row 3, column round: '' is no number up to 999"),
        (HEAD + "1,1,a,1,1,A\n", "row 2, column half: 'a' is no number up to 999"),
        (HEAD + "-1,1,,1,1,A\n", "row 2, column round: '-1' is no number up to 999"),
        (HEAD + "1,1,,1\n", "row 2: there should be 6 cells"),
        (HEAD + "1,1,,1,1,A,B\n", "row 2: there should be 6 cells"),
        (HEAD + '1,1,,1,1,"A\n', "row 2: this is no CSV: look at its quotation marks"),
        ("# {\n" + HEAD + "1,1,,1,1,A\n", None),
        ("# []\n" + HEAD + "1,1,,1,1,A\n", "row 1: after # there should be a JSON object"),
        (
            '# {"field": {"ns": ["1"], "ew": ["1"]}}\n' + HEAD + "1,1,,1,1,A\n1,2,,2,1,B\n",
            "row 4, ns: '2' is not in the field",
        ),
    ],
)
def test_bad_csv_is_named_with_row_and_column(text, expected):
    complaint_text = csv_complaint(text)

    if expected is None:
        assert complaint_text.startswith("row 1: after # there should be JSON (")
    else:
        assert complaint_text == expected


def test_25000_rows_of_csv_are_too_many():
    text = HEAD + "1,1,,1,1,A\n" * 25_000

    assert csv_complaint(text) == "row 20002: up to 20000 rows"


@settings(deadline=None, derandomize=True, max_examples=300)
@given(st.integers(0, 400), st.text(max_size=8), st.integers(0, 12))
def test_damaged_csv_is_refused_or_can_be_checked(place, inserted, dropped):
    text = document.write_csv(document.read_movement(data_of("howell-3x5.wikipedia")).movement)

    try:
        read = document.read_csv(text[:place] + inserted + text[place + dropped :])
    except BadMovementFile:
        return

    laws.find_violations(read.movement)
    movement_chart(read.movement, "damaged").encode("utf-8")


def test_exemptions_and_triangles_come_back_from_json():
    movement = catalogue.build_movement("swiss", 7, 2, None, {"odd": "long-triangle"})

    data = document.movement_dict(document.MovementDocument(movement))
    read = document.read_movement(data).movement

    assert read.triangles == (Triangle((1, 2), (5, 6, 7)),)
    assert read.exemptions == (
        Exemption("structure", 0, "drawn when results are in", rounds=(2,)),
        Exemption("draw", 1, "not everybody meets everybody"),
    )
