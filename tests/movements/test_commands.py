"""The engine on the command line: output and refusals."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

from movements.engine import catalogue
from movements.engine.files import document

ROOT = Path(__file__).parent.parent.parent
REFERENCE = ROOT / "tests" / "data" / "reference"
NAMES = [family.name for family in catalogue.FAMILIES]


def run(*arguments):
    """Return a function that runs a command: output, errors and exit code."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command(*arguments, stdout=out, stderr=err, no_color=True)
        code = 0
    except SystemExit as left:
        code = left.code
    return out.getvalue(), err.getvalue(), code


def process(*arguments):
    return subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, capture_output=True, text=True
    )


def usual_size(name):
    """A size and number of rounds of a family, near 8 tables."""
    family = catalogue.find_family(name)
    sizes = [t for t in range(1, 30) if family.possible_rounds(t)]
    tables = min(sizes, key=lambda size: abs(size - 8))
    return tables, family.default_rounds(tables) or max(family.possible_rounds(tables))


def built(name):
    tables, rounds = usual_size(name)
    return catalogue.build_movement(name, tables, rounds)


def wish(name, form):
    tables, rounds = usual_size(name)
    return (
        "movement", name, "--tables", str(tables), "--rounds", str(rounds), "--format", form,
    )  # fmt: skip


# ── printing a movement ──


def test_movement_is_a_line_for_each_round():
    out, err, code = run("movement", "share-and-relay", "--tables", "4")

    assert out == (
        "Share-and-Relay Mitchell: 4 tables, 4 rounds, 2 winners\n"
        "Pairs: NS 1-4, EW 1-4\n"
        "Board sets: A-D (one copy)\n"
        "Cells: NS-EW set\n"
        "Share: tables 1 and 4 share the boards\n"
        "\n"
        "Round  Table 1  Table 2  Stand  Table 3  Table 4\n"
        "1      1-1 A    2-2 B    C      3-3 D    4-4 A\n"
        "2      1-4 B    2-1 C    D      3-2 A    4-3 B\n"
        "3      1-3 C    2-4 D    A      3-1 B    4-2 C\n"
        "4      1-2 D    2-3 A    B      3-4 C    4-1 D\n"
    )
    assert (err, code) == ("", 0)


def test_half_table_says_who_sits_out():
    out, _, code = run("movement", "mitchell", "--tables", "3", "--missing", "EW 3")

    assert out.splitlines()[-4:] == [
        "Round  Table 1  Table 2  Table 3  Sits out",
        "1      1-1 A    2-2 B    3-– C    NS 3",
        "2      1-– B    2-1 C    3-2 A    NS 1",
        "3      1-2 C    2-– A    3-1 B    NS 2",
    ]
    assert code == 0


def test_draw_shows_matches_and_triangles():
    out, _, _ = run("movement", "team-round-robin", "--tables", "7")

    assert out.splitlines()[:5] == [
        "Round Robin: 7 teams, 6 rounds, one winner",
        "Teams: 1-7",
        "",
        "Round  Match 1  Match 2  Triangles",
        "1      7-4      6-5      1-2-3",
    ]


def test_rounds_not_yet_drawn_are_marked():
    out, _, _ = run("movement", "swiss", "--tables", "8", "--rounds", "3")

    assert out.splitlines()[-3:] == [
        "1              1-5      2-6      3-7      4-8",
        "2 drawn later",
        "3 drawn later",
    ]


def test_wide_movement_goes_on_below():
    out, _, _ = run("movement", "mitchell", "--tables", "25")

    heads = [line for line in out.splitlines() if line.startswith("Round")]
    assert len(heads) == 3
    assert all(len(line) <= 110 for line in out.splitlines())
    assert " ".join(heads).count("Table") == 25


def test_options_are_passed_on():
    out, _, _ = run(
        "movement", "triangle", "--tables", "3", "--option", "teams=4,9,12", "--format", "json"
    )

    built = catalogue.build_movement("triangle", 3, None, None, {"teams": ("4", "9", "12")})
    assert document.read_json(out).movement == built


def test_flag_may_stand_alone():
    alone = run("movement", "skip-mitchell", "--tables", "8", "--option", "revenge")
    spelled = run("movement", "skip-mitchell", "--tables", "8", "--option", "revenge=yes")

    assert alone == spelled
    assert "8 rounds" in alone[0]


@pytest.mark.parametrize("name", NAMES)
def test_json_of_every_family_is_the_movement(name):
    out, err, code = run(*wish(name, "json"))

    assert (err, code) == ("", 0)
    assert document.read_json(out).movement == built(name)


@pytest.mark.parametrize("name", NAMES)
def test_csv_of_every_family_has_its_seatings(name):
    out, err, code = run(*wish(name, "csv"))

    movement = built(name)
    assert (err, code) == ("", 0)
    rows = list(csv.DictReader(io.StringIO(out)))
    in_triangles = sum(len(triangle.rounds) for triangle in movement.triangles)
    assert len(rows) == len(movement.seatings) + in_triangles
    assert document.read_csv(out, movement.contest).movement.seatings == movement.seatings


@pytest.mark.parametrize("name", NAMES)
def test_text_of_every_family_names_every_set_and_round(name):
    out, err, code = run(*wish(name, "text"))

    movement = built(name)
    assert (err, code) == ("", 0)
    assert out.startswith(catalogue.family_title(name))
    assert set(movement.sets) <= set(out.replace(",", " ").split())
    starts = {line.split()[0] for line in out.splitlines() if line}
    assert {str(round) for round in range(1, movement.rounds + 1)} <= starts


# ── the list ──


def test_list_has_every_family_with_its_options():
    out, err, code = run("movement", "--list")

    assert (err, code) == ("", 0)
    heads = [line.split(":")[0] for line in out.splitlines() if not line.startswith(" ")]
    assert heads == NAMES
    for family in catalogue.FAMILIES:
        assert f"{family.name}: {family.title} ({family.contest}, " in out
        for option in family.options:
            assert f"  --option {option.name}=…: {option.help} (" in out
    assert "  tables: 4, 6, 8 … 60\n" in out
    assert "  teams: 4, 6-60\n" in out


def test_list_as_json_promises_what_the_catalogue_does():
    out, _, code = run("movement", "--list", "--format", "json")

    listed = json.loads(out)
    assert code == 0
    assert [family["name"] for family in listed] == NAMES
    for entry, family in zip(listed, catalogue.FAMILIES, strict=True):
        assert [size["tables"] for size in entry["sizes"]] == [
            tables for tables in range(1, 200) if family.possible_rounds(tables)
        ]
        assert entry["sizes"][0]["rounds"] == list(
            family.possible_rounds(entry["sizes"][0]["tables"])
        )


def test_list_as_json_says_which_sizes_a_choice_gives():
    out, _, _ = run("movement", "--list", "--format", "json")

    rover = next(family for family in json.loads(out) if family["name"] == "ns-rover")
    base, revenge = rover["options"]
    on_relay = next(s for s in base["sizes"]["share-and-relay"] if s["tables"] == 8)
    assert on_relay == {"tables": 8, "rounds": list(range(2, 9)), "usual": 8}
    assert revenge["sizes"] == {}


def test_list_as_csv_has_a_row_for_each_family_and_size():
    out, _, _ = run("movement", "--list", "--format", "csv")

    rows = list(csv.DictReader(io.StringIO(out)))
    rings = [row for row in rows if row["name"] == "team-rings"]
    assert [(row["tables"], row["rounds"], row["usual"]) for row in rings] == [
        ("5", "4", "4"),
        ("9", "8", "8"),
    ]


# ── saying no ──


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("", "Name a family of movements, or --list to see them all."),
        ("mitchell", "Say how many tables with --tables."),
        ("team-awl", "Say how many teams with --tables."),
        (
            "mitchel --tables 5",
            "There is no movement called 'mitchel'. `--list` shows them all. "
            "Did you mean mitchell?",
        ),
        (
            "skip-mitchell --tables 5",
            "Skip Mitchell needs an even number of tables; you asked for 5. Mitchell works with 5.",
        ),
        (
            "mitchell --tables 6",
            "Mitchell needs an odd number of tables, or at most 3 rounds; you asked for 6. "
            "Skip Mitchell and Share-and-Relay Mitchell work with 6.",
        ),
        (
            "new-england-relay --tables 9",
            "New England Relay needs an even number of teams; you asked for 9. "
            "American Whist works with 9.",
        ),
        (
            "team-round-robin --tables 5",
            "Round Robin needs an even number of teams, or an odd one from 7; you asked for 5. "
            "Team Rings and American Whist work with 5.",
        ),
        (
            "mitchell --tables 5 --rounds 9",
            "Mitchell with 5 tables can have 2 to 5 rounds; you asked for 9.",
        ),
        (
            "skip-mitchell --tables 8 --rounds 0",
            "Skip Mitchell with 8 tables can have 2 to 7 rounds; you asked for 0.",
        ),
        (
            "team-awl --tables 15 --rounds 3",
            "American Whist with 15 teams can have an even number of rounds, 2 to 14; "
            "you asked for 3.",
        ),
        (
            "triangle --tables 3 --rounds 3",
            "Triangle with 3 teams can have 2 or 4 rounds; you asked for 3.",
        ),
        (
            "skip-mitchell --tables 8 --option skip=7",
            "Skip Mitchell: skip=7 is not possible. Possible: 3 to 4.",
        ),
        (
            "skip-mitchell --tables 8 --option skip=late",
            "Skip Mitchell: skip=late is not possible. Possible: a number.",
        ),
        (
            "skip-mitchell --tables 8 --option jump=4",
            "Skip Mitchell: jump=4 is not possible. Possible: skip, revenge.",
        ),
        (
            "mitchell --tables 5 --option skip=1",
            "Mitchell: skip=1 is not possible. Possible: no options.",
        ),
        (
            "mitchell --tables 5 --missing EW9",
            "Mitchell: nobody is called 'EW9' in this movement.",
        ),
        (
            "team-awl --tables 9 --missing 3",
            "American Whist has no half table: nobody can be missing.",
        ),
    ],
)
def test_refusal_is_one_sentence(arguments, sentence):
    assert run("movement", *arguments.split()) == ("", f"{sentence}\n", 2)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("tables", ["-1", "0", "1", "7", "8", "1000"])
def test_no_size_of_any_family_ends_in_a_traceback(name, tables):
    out, err, code = run("movement", name, "--tables", tables)

    assert (code, bool(out), bool(err)) in ((0, True, False), (2, False, True))
    assert err.count("\n") == (code == 2)


def test_refusal_of_the_real_command_has_no_prefix_and_no_traceback():
    refused = process("movement", "skip-mitchell", "--tables", "5")

    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == (
        "Skip Mitchell needs an even number of tables; you asked for 5. Mitchell works with 5.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--tables five", "Argument --tables: invalid int value: 'five'."),
        (
            "--tables 5 --format pdf",
            "Argument --format: invalid choice: 'pdf' (choose from 'text', 'json', 'csv').",
        ),
        ("--tables 5 --loud", "Unrecognized arguments: --loud."),
    ],
)
def test_wrong_argument_is_refused_with_one_sentence(arguments, sentence):
    refused = process("movement", "mitchell", *arguments.split())

    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == f"{sentence}\n"


def test_real_commands_understand_each_other():
    printed = process("movement", "mitchell", "--tables", "5", "--format", "json")
    checked = subprocess.run(
        [sys.executable, "manage.py", "checkmovement", "-"],
        cwd=ROOT, input=printed.stdout, capture_output=True, text=True,
    )  # fmt: skip

    assert (printed.returncode, printed.stderr) == (0, "")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.startswith("Mitchell, 5 tables, 5 rounds (5 tables, 5 rounds): lawful\n")


def test_reader_who_has_seen_enough_gets_no_traceback():
    command = f"{sys.executable} manage.py movement --list --format json | head -n 1"

    seen = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True)

    assert (seen.stdout, seen.stderr) == ("[\n", "")


# ── checking a movement ──


@pytest.fixture
def file(tmp_path):
    """Write data as a movement's file and return its path."""

    def written(data, name="movement.json"):
        path = tmp_path / name
        path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
        return str(path)

    return written


@pytest.fixture
def mitchell():
    text = (REFERENCE / "mitchell-5x5.bridgebuddy.json").read_text(encoding="utf-8")
    return json.loads(text)


@pytest.mark.parametrize("path", sorted(REFERENCE.glob("*.json")), ids=lambda path: path.stem)
def test_printed_movement_is_lawful(path):
    out, err, code = run("checkmovement", str(path))

    assert (err, code) == ("", 0)
    assert out.splitlines()[0].endswith(": lawful")


def test_lawful_movement_comes_with_its_fairness(file, mitchell):
    out, _, code = run("checkmovement", file(mitchell), "--format", "json")

    assert code == 0
    assert json.loads(out) == {
        "family": "mitchell",
        "errors": 0,
        "warnings": 0,
        "violations": [],
        "balance": {
            "score": 100,
            "word": "very even",
            "luck": 0.0,
            "largest_luck": 0.0,
            "fields": [
                {"field": line, "quality": 100.0, "mean": 5.0, "sd": 0.0, "minimum": 5.0, "maximum": 5.0}
                for line in ("ns", "ew")
            ],
        },
    }  # fmt: skip


def test_every_violation_is_printed(file, mitchell):
    mitchell["rows"][0]["ew"] = "2"

    out, err, code = run("checkmovement", file(mitchell))

    assert (err, code) == ("", 1)
    assert out.splitlines() == [
        "Mitchell, 5 tables, 5 rounds (5 tables, 5 rounds): unlawful",
        "error: one-place: round 1: table 1: EW 2 at tables 1, 2",
        "error: board-once: round 3: table 4: EW 2 set A in rounds 1, 3 at tables 1, 4",
        "error: meet-once: round 5: table 1: NS 1 and EW 2 in rounds 1, 5 at tables 1, 1",
        "error: document: sitouts: round 1: EW1 sits out but is not listed",
    ]


def test_violations_as_data_name_everything(file, mitchell):
    mitchell["rows"][5]["boards"] = ["A"]

    out, _, code = run("checkmovement", file(mitchell), "--format", "json")

    data = json.loads(out)
    assert code == 1
    assert data["balance"] is None
    assert data["errors"] == sum(v["severity"] == "error" for v in data["violations"])
    again = next(v for v in data["violations"] if v["contestants"] == ["NS 1"])
    assert (again["law"], again["round"], again["table"], again["sets"]) == (
        "board-once", 2, 1, ["A"],
    )  # fmt: skip


def test_warning_is_printed_but_lawful(file):
    out, _, code = run("movement", "new-england-relay", "--tables", "6", "--format", "json")

    out, _, code = run("checkmovement", file(out))

    assert out.splitlines()[:2] == [
        "New England Relay, 6 tables, 5 rounds (6 tables, 5 rounds): lawful",
        "warning: unequal-plays: set A, C, E",
    ]
    assert code == 0


def test_movement_is_read_from_the_standard_input(monkeypatch, mitchell):
    raw = io.BytesIO(json.dumps(mitchell).encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw))

    out, _, code = run("checkmovement", "-")

    assert out.splitlines()[0].endswith(": lawful")
    assert code == 0


def test_csv_is_checked_too(file):
    text = document.write_csv(catalogue.build_movement("mitchell", 5))
    unlawful = text.replace("1,1,,1,1,A", "1,1,,1,2,A")

    assert run("checkmovement", file(text, "fine.csv"))[2] == 0
    assert run("checkmovement", file(unlawful, "bad.csv"))[2] == 1
    assert run("checkmovement", file(text + "x,1,,1,1,A\n", "worse.csv"))[1:] == (
        f"{file('', 'worse.csv')}: row 27, column round: 'x' is no number up to 999.\n",
        2,
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[]", "file: a movement is a JSON object."),
        ("{}", "file: key 'family' is missing."),
        ("\ud800".encode("utf-8", "surrogatepass"), "this is no text in UTF-8."),
    ],
)
def test_unreadable_file_is_refused_with_one_sentence(tmp_path, text, problem):
    path = tmp_path / "movement.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())

    assert run("checkmovement", str(path)) == ("", f"{path}: {problem}\n", 2)


def test_missing_file_is_refused_with_one_sentence(tmp_path):
    path = tmp_path / "nowhere.json"

    assert run("checkmovement", str(path)) == ("", f"{path}: No such file or directory.\n", 2)


def test_name_that_cannot_be_printed_is_not(file, mitchell):
    mitchell["name"] = "\ud800"

    out, _, code = run("checkmovement", file(mitchell))

    assert out.splitlines()[0] == "Mitchell (5 tables, 5 rounds): lawful"
    assert code == 0


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (
            ("two-stanza", "--tables", "12", "--option", "stanzas=3"),
            "Two Stanza Mitchell: stanzas=3 is not possible. Possible: 2, 4, 6.",
        ),
        (
            ("two-stanza", "--tables", "12", "--option", "stanzas=0"),
            "Two Stanza Mitchell: stanzas=0 is not possible. Possible: 2, 4, 6.",
        ),
        (("mitchell", "--tables", "9", "--missing", ""), 'Say who is missing, as "EW 5" or "5".'),
        (
            ("MITCHELL", "--tables", "9"),
            "There is no movement called 'MITCHELL'. `--list` shows them all. Did you mean mitchell?",
        ),
        (
            ("Skip Mitchell", "--tables", "8"),
            "There is no movement called 'Skip Mitchell'. `--list` shows them all."
            " Did you mean skip-mitchell?",
        ),
        (
            ("ns-rover", "--tables", "12", "--option", "revenge=yes"),
            "Rover Mitchell, North-South: revenge=yes is not possible. Possible: no.",
        ),
        (
            ("barometer", "--tables", "4", "--rounds", "3", "--option", "base=howell"),
            "Barometer Mitchell with 4 tables can have 7 rounds; you asked for 3.",
        ),
    ],
)
def test_small_slips_are_answered_with_the_way_out(wish, sentence):
    assert run("movement", *wish) == ("", f"{sentence}\n", 2)
