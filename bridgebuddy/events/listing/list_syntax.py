"""Patterns of lists: dividers of names, numbers, and headings of columns."""

from __future__ import annotations

import re

NUMBERING = re.compile(
    r"^\s*(?:(?:(?:paar|pair|tisch|table)\s+)?#?\d{1,4}\s*[.):;,\t]"
    r"|(?:n[/-]?s|[eo][/-]?w)\s*(?:\d{1,3}\b\s*[.):;,\t]?|[.):;,\t]))\s*(?=\D)",
    re.IGNORECASE,
)

#: a number in front that is separated from the first name by a space only
NUMBER_IN_FRONT = re.compile(r"^\s*#?\d{1,3}\s+(?=[^\W\d_])")
NUMBER = re.compile(r"^[#+-]?\d[\d.,%/ ]*$|^[-–—]$")
COLUMNS = re.compile(r"[;\t]")
QUOTED = re.compile(r'(^|[;,\t])\s*"')
BETWEEN = re.compile(r"\s*[&/]\s*|\s+[-–—+]\s+|\s+(?:and|und|u\.|mit|with)\s+", re.IGNORECASE)

#: a noble name with a word that otherwise separates names
VON_UND_ZU = re.compile(r"\bvon und zu\b", re.IGNORECASE)

#: forms of address before a name; those that are forenames too (Phil, Nat, Mag) need their dot
TITLE = re.compile(
    r"^(?:(?:(?:dr|prof|dipl|frau|herrn?|hr|fr|mrs?|ms|miss|madame|mme)\b[.]?|(?:ing|med|jur|phil|rer|nat|mag)[.])"
    r"[ -]?)+"
    r"(?=[^\W\d_])",
    re.IGNORECASE,
)

#: a person's number: "(12345)", "[EBU 12345]", "#12345", "12345" behind the name
THEIR_NUMBER = re.compile(
    r"\s*[(\[]\s*(?:[^\W\d_]{2,4}\.?[ -]*)?#?\d[\d .-]*[)\]]|\s+#?\d{3,}$|^#?\d{4,}\s+"
)

WRITTEN_EMAIL = re.compile(r'[<(]?(?:mailto:)?([^\s<>(),;"@]{1,64}@[^\s<>(),;"@]{1,254})[>)]?')

#: least length of a lower-case word that may be a remark: "come late"
REMARK = 4
IN_BRACKETS = re.compile(r"\([^()]*[^\W\d_][^()]*\)")
LOOSE = " \t-–—=*•·|"
INITIAL = re.compile(r"^(?:[^\W\d_]\.?|[^\W\d_]{1,3}\.|[^\W\d_]\.-?[^\W\d_]\.)$")

#: a team's name, before those of its people: "The Wolves: Hanna Brandt, …"
TEAM_IN_FRONT = re.compile(r"^([^:;\t\",]+?)\s*:\s+(?=\S)")
TEAM_HEADING = re.compile(r"(team|mannschaft)s?( ?name)?")
FORENAME, SURNAME, NAME, TEAM, OTHER = "forename", "surname", "name", "team", "other"

#: headings of columns, as patterns of the whole cell without signs
HEADINGS = (
    (FORENAME, re.compile(r"(vor|ruf)name.*|(first|given|fore)\s?name.*")),
    (SURNAME, re.compile(r"(nach|zu|familien)name.*|(last|family|sur)\s?name.*")),
    (
        NAME,
        re.compile(
            r"(names?|namen|players?|partner(in)?|spieler(in)?( in)?|pairs?|paare?|teilnehmer(in)?"
            r"|team|mitspieler(in)?)( (name|of (the )?pair|der paare?))?( \d+| [a-f])?"
            r"|(name|namen) (und|and|of) .*|\d+ (spieler(in)?|player)"
        ),
    ),
    (
        OTHER,
        re.compile(
            r"(lfd |start|pair |paar|team |table |tisch|board|mitglieds?|member |dbv |ebu |acbl )?"
            r"(n[or]|nummer|number|pos|position|platz|rang|rank|id)( \d+)?|"
            r"(club|verein|ort|town|city|dbv|ebu|acbl|hcp|handicap|klasse|class|strength|stärke|telefon|phone"
            r"|e ?mail|mail|tisch|table|datum|date|linie|line|achse|ns|ew|ow|bemerkung|note|remarks?|punkte"
            r"|points?|startgeld|fee)( \d+)?|"
        ),
    ),
)
