"""Reading lists in the clubs' own formats: entries and questions."""

import pytest

from bridgebuddy.clubs.people.names import split_name
from bridgebuddy.events.listing import LineDoubt, RosterNames, read_list
from bridgebuddy.events.names import LineProblem

CLUB = RosterNames(
    [
        *("Hans Müller", "Uta Winter", "Renate Reid", "Hanna Brandt", "Karl Fischer"),
        *("Joachim Schmidt", "Anna Schmidt", "Heike Weber", "Hugo Weber", "Jan van den Berg"),
    ]
)


def names_in(text, people=2, known=CLUB):
    return [line.names for line in read_list(text, people, known).entries]


def questions_in(text, people=2, known=CLUB):
    return [
        [question.kind for question in line.questions]
        for line in read_list(text, people, known).entries
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Müller, Hans; Winter, Uta",
        "Müller, Hans - Winter, Uta",
        "Müller, Hans / Winter, Uta",
        "Müller, Hans & Winter, Uta",
        "Müller, Hans und Winter, Uta",
        "Müller, Hans\tWinter, Uta",
        "Müller, Hans, Winter, Uta",
        "1. Hans Müller - Uta Winter",
        "1 Hans Müller - Uta Winter",
        "1;Hans Müller;Uta Winter",
        "1,Hans Müller,Uta Winter",
        "1;Hans Müller;4711;Uta Winter;4712",
        "#3: Hans Müller und Uta Winter",
        "Müller H. / Winter U.",
        "H. Müller, U. Winter",
        "Müller Hans, Winter Uta",
        "MÜLLER Hans; WINTER Uta",
        "Müller;Hans;Winter;Uta",
        "Hans;Müller;Uta;Winter",
        '"Müller, Hans";"Winter, Uta"',
        '7,"Müller, Hans","Winter, Uta"',
        "Müller/Winter",
        "hans MULLER, UTA winter",
    ],
)
def test_hans_mueller_is_hans_mueller_however_he_is_written(line):
    assert names_in(line) == [("Hans Müller", "Uta Winter")]
    assert questions_in(line) == [[]]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Jan van den Berg", ("Jan", "van den Berg")),
        ("Elisabeth-Charlotte Müller-Lüdenscheidt", ("Elisabeth-Charlotte", "Müller-Lüdenscheidt")),
        ("Maria de la Cruz", ("Maria", "de la Cruz")),
        ("Karl Maria von Weber", ("Karl Maria", "von Weber")),
        ("Sean O'Neill jun.", ("Sean", "O'Neill jun.")),
        ("van den Berg", ("", "van den Berg")),
        ("Cher", ("", "Cher")),
        ("", ("", "")),
    ],
)
def test_a_surname_keeps_what_belongs_to_it(name, parts):
    assert split_name(name) == parts


@pytest.mark.parametrize(
    ("heading", "line"),
    [
        ("Nr;Spieler 1;Spieler 2", "1;Müller, Hans;Winter, Uta"),
        ("No,Name", "1,Hans Müller / Uta Winter"),
        ("Nr.\tName\tVorname\tName\tVorname", "1\tMüller\tHans\tWinter\tUta"),
        ("Vorname;Nachname;Vorname;Nachname", "Hans;Müller;Uta;Winter"),
        ("Nr,Name 1,DBV-Nr,Name 2,DBV-Nr,Verein", "1,Hans Müller,12,Uta Winter,13,BC Köln"),
        ("Tisch;Spieler/in 1;Spieler/in 2;Bemerkung", "3;Hans Müller;Uta Winter;zahlt später"),
        ("Paar", "Hans Müller und Uta Winter"),
    ],
)
def test_a_heading_says_what_the_columns_are(heading, line):
    listing = read_list(f"{heading}\n{line}", 2, CLUB)

    assert [entry.names for entry in listing.entries] == [("Hans Müller", "Uta Winter")]
    assert (listing.heading_line_count, listing.doubtful) == (1, ())


def test_names_that_fill_two_lines_of_words_stay_whole():
    assert names_in(
        "van den Berg, Jan; Müller-Lüdenscheidt, Elisabeth\nde la Cruz, Ana / Voss, Ulf"
    ) == [
        ("Jan van den Berg", "Elisabeth Müller-Lüdenscheidt"),
        ("Ana de la Cruz", "Ulf Voss"),
    ]


def test_whoever_is_in_doubt_is_asked_about():
    text = """Nr;Spieler 1;Spieler 2
5;Thomas Alexander;Reid Renate
6;Schmidt;Anne Miller
7;Kate Ludwig
8;Weber H.;Ulf Voss
9;Zander Q.;Ulla Voss
10;Hans & Eva Berg
11;Hanns Müller;Otto Klein
12;Otto Klein;Ida Groß
13;Berg"""

    assert names_in(text) == [
        ("Thomas Alexander", "Renate Reid"),
        ("Joachim Schmidt", "Anne Miller"),
        ("Kate Ludwig", ""),
        ("Heike Weber", "Ulf Voss"),
        ("Q. Zander", "Ulla Voss"),
        ("Hans Berg", "Eva Berg"),
        ("Hanns Müller", "Otto Klein"),
        ("Otto Klein", "Ida Groß"),
        ("Berg", ""),
    ]
    kinds = questions_in(text)
    assert kinds[1:] == [
        [LineDoubt.SEVERAL],
        [LineProblem.TOO_FEW_NAMES],
        [LineDoubt.SEVERAL],
        [LineDoubt.INITIAL],
        [LineDoubt.SHARED],
        [LineDoubt.ALIKE],
        [LineDoubt.TWICE],
        [LineProblem.TOO_FEW_NAMES, LineDoubt.ALIKE],
    ]


def test_without_other_lines_two_first_names_are_asked_about():
    assert questions_in("Thomas Alexander; Renate Reid") == [[LineDoubt.SURNAME]]
    usual = "\n".join(f"Karl Xander{n}; Uta Zobel{n}" for n in range(3))
    assert questions_in(f"{usual}\nThomas Alexander; Renate Reid")[3] == []


def test_a_whole_list_with_surnames_first_is_turned_without_a_question():
    text = "Graf Eva, Klein Otto\nBerg Karl, Voss Uta\nHermann Peter, Xyz Abc"

    assert names_in(text, known=RosterNames()) == [
        ("Eva Graf", "Otto Klein"),
        ("Karl Berg", "Uta Voss"),
        ("Peter Hermann", "Abc Xyz"),
    ]
    assert questions_in(text, known=RosterNames())[:2] == [[], []]


def test_a_mixed_list_asks_where_the_surname_stands_first():
    text = "Eva Graf, Otto Klein\nKarl Berg, Voss Uta"

    assert names_in(text, known=RosterNames())[1] == ("Karl Berg", "Uta Voss")
    assert questions_in(text, known=RosterNames()) == [[], [LineDoubt.SURNAME]]


def test_the_partner_of_one_name_with_a_comma_is_missing():
    assert names_in("Müller, Hans") == [("Hans Müller", "")]
    assert questions_in("Müller, Hans") == [[LineProblem.TOO_FEW_NAMES]]


def test_of_single_players_a_comma_divides_one_name():
    text = "Müller, Hans\nvan den Berg, Jan\nKarl Klein\n3;Winter, Uta\n4. Weber, Heike"

    assert names_in(text, 1) == [
        ("Hans Müller",),
        ("Jan van den Berg",),
        ("Karl Klein",),
        ("Uta Winter",),
        ("Heike Weber",),
    ]
    assert questions_in(text, 1) == [[]] * 5
    assert questions_in("Hans Müller, Uta Winter", 1) == [[LineProblem.TOO_MANY_NAMES]]


def test_a_team_has_four_to_six():
    text = "Müller, Hans; Winter, Uta; Fischer, Karl; Brandt, Hanna; Reid, Renate\nA B, C D, E F"

    assert names_in(text, 4) == [
        ("Hans Müller", "Uta Winter", "Karl Fischer", "Hanna Brandt", "Renate Reid"),
        ("A B", "C D", "E F", ""),
    ]
    assert questions_in(text, 4) == [[], [LineProblem.TOO_FEW_NAMES]]
    seven = ", ".join(f"Ab{n} Cd{n}" for n in range(7))
    assert questions_in(seven, 4) == [[LineProblem.TOO_MANY_NAMES]]


def test_who_is_in_the_section_is_told():
    here = RosterNames(CLUB.names, frozenset({"hans muller", "uta winter"}))
    listing = read_list("Hans Müller, Uta Winter\nHans Müller, Karl Fischer", 2, here)

    assert [line.is_here for line in listing.lines] == [True, False]


def test_a_list_of_160_people_against_a_roster_of_2000_is_read_at_once():
    roster = RosterNames([f"Anna Nordmann{n}" for n in range(2000)])
    text = "\n".join(f"Nordman{n}, Anna; Nordmann{n + 500}, Anna" for n in range(81))

    assert len(read_list(text, 2, roster).entries) == 81


@pytest.mark.parametrize(
    "text",
    [
        "Die Wölfe: Anna Alt, Bea Berg, Karl Carl, Dora Dorn",
        "1. Die Wölfe : Anna Alt & Bea Berg, Karl Carl & Dora Dorn",
        "Die Wölfe: Anna Alt; Bea Berg; Karl Carl; Dora Dorn",
        "Team;Spieler 1;Spieler 2;Spieler 3;Spieler 4\nDie Wölfe;Anna Alt;Bea Berg;Karl Carl;Dora Dorn",
    ],
)
def test_a_teams_name_in_front_is_none_of_its_people(text):
    (line,) = read_list(text, 4).entries

    assert line.team == "Die Wölfe"
    assert line.names == ("Anna Alt", "Bea Berg", "Karl Carl", "Dora Dorn")


def test_pairs_have_no_team():
    (line,) = read_list("3: Anna Alt, Bea Berg").entries

    assert (line.team, line.names) == ("", ("Anna Alt", "Bea Berg"))


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("1. Evans, David (12345) & Shaw, Linda (23456)", ("David Evans", "Linda Shaw")),
        ("2) Dr. Otto Klein - Frau Ruth Klein", ("Otto Klein", "Ruth Klein")),
        ("3\tMary Fisher\t\tJohn Fisher", ("Mary Fisher", "John Fisher")),
        ("Karl Frey 1234567 / Hanna Brandt 7654321", ("Karl Frey", "Hanna Brandt")),
        ("Prof. Dr. Max Ward & Herr Alan Foster", ("Max Ward", "Alan Foster")),
        ("Jürgen von und zu Stein - Ida Gold", ("Jürgen von und zu Stein", "Ida Gold")),
        ("Mrs Ruth Klein & Dr Otto Klein", ("Ruth Klein", "Otto Klein")),
        ("Klein, Dr. Otto & Klein, Frau Ruth", ("Otto Klein", "Ruth Klein")),
        ("1 Ruth Klein\t2 Otto Klein", ("Ruth Klein", "Otto Klein")),
        ("Paar 3: Ann Cooper - Bob Miller", ("Ann Cooper", "Bob Miller")),
        ("12. Ann Cooper (EBU 123456) - Bob Miller [DBV-654]", ("Ann Cooper", "Bob Miller")),
        ("#4 David Evans #12345 + Linda Shaw #23456", ("David Evans", "Linda Shaw")),
        ("Anna Berg u. Peter Gold", ("Anna Berg", "Peter Gold")),
        ("N/S 1: Anna Berg, Peter Gold", ("Anna Berg", "Peter Gold")),
        ("OW 12 Anna Berg - Peter Gold", ("Anna Berg", "Peter Gold")),
        ("E-W; Anna Berg; Peter Gold", ("Anna Berg", "Peter Gold")),
    ],
)
def test_titles_numbers_and_empty_columns_are_no_part_of_a_name(line, names):
    [read] = read_list(line).entries

    assert (read.names, read.questions) == (names, ())


@pytest.mark.parametrize("line", ["=====================", "------", "12;;", "* * *"])
def test_a_line_without_a_letter_is_none(line):
    assert read_list(line).lines == ()


def test_a_partner_that_is_only_a_dash_is_missing():
    [read] = read_list("Cooper, Ann -").entries

    assert (read.names, read.problem) == (("Ann Cooper", ""), "too-few-names")


@pytest.mark.parametrize(
    "line",
    [
        "Tuesday evening, 24 November - entries",
        "note: the Millers come at 19:15",
        "Total: 8 pairs",
    ],
)
def test_a_line_that_is_a_note_is_not_taken_unless_somebody_says_so(line):
    [read] = read_list(line).entries

    assert read.is_note


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Anna Miller + Peter Miller (late)", "(late)"),
        ("Anna Miller, partner wanted", "partner wanted"),
        ("Anna Miller - Peter Gold come late", "come late"),
    ],
)
def test_what_may_be_a_remark_is_asked_about(line, said):
    [read] = read_list(line).entries

    assert [(question.kind, question.who) for question in read.questions] == [("brackets", said)]


def test_a_list_in_small_letters_has_no_remarks():
    [read] = read_list("anna miller - peter gold").entries

    assert read.questions == ()


@pytest.mark.parametrize("name", ["Phil Jones", "Nat Brown", "Mag Hall"])
def test_a_forename_is_no_title_unless_a_dot_says_so(name):
    forename, surname = name.split()

    assert read_list(f"{name}; Eva Klein").entries[0].names == (name, "Eva Klein")
    assert (
        read_list(f"Dr. {forename.lower()}. Eva {surname}; Otto Klein").entries[0].names[0]
        == f"Eva {surname}"
    )
