"""Matching of names in another program's files with the roster: by number, name and nickname."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from bridgebuddy.clubs.models import Club, Person, searchable
from bridgebuddy.clubs.people.federation_numbers import NotANumber, stored_number
from bridgebuddy.clubs.people.names import split_name
from bridgebuddy.events.listing import LineQuestion, RosterNames, read_list
from bridgebuddy.events.names import problem_of_name
from bridgebuddy.events.services.lifecycle.forgetting import NOBODY
from bridgebuddy.scoring.rules.past.model import ImportedLine, ImportedPlayer, is_nobody

#: short forms of first names, with their full forms
SHORT_FOR = {
    "bill": "william",
    "will": "william",
    "bob": "robert",
    "rob": "robert",
    "dick": "richard",
    "tom": "thomas",
    "jim": "james",
    "jimmy": "james",
    "jack": "john",
    "mike": "michael",
    "dave": "david",
    "steve": "stephen",
    "chris": "christopher",
    "tony": "anthony",
    "andy": "andrew",
    "ted": "edward",
    "ed": "edward",
    "joe": "joseph",
    "pat": "patricia",
    "liz": "elizabeth",
    "betty": "elizabeth",
    "sue": "susan",
    "maggie": "margaret",
    "peggy": "margaret",
    "kate": "katherine",
    "cathy": "catherine",
    "jenny": "jennifer",
    "hans": "johannes",
    "hannes": "johannes",
    "klaus": "nikolaus",
    "toni": "anton",
    "sepp": "josef",
    "fritz": "friedrich",
    "heinz": "heinrich",
    "uli": "ulrich",
    "wolf": "wolfgang",
    "rolf": "rudolf",
    "rudi": "rudolf",
    "willi": "wilhelm",
    "gabi": "gabriele",
    "sigi": "siegfried",
    "bernd": "bernhard",
    "gerd": "gerhard",
    "gitta": "brigitte",
    "uschi": "ursula",
    "ulla": "ursula",
    "lisa": "elisabeth",
    "moni": "monika",
    "steffi": "stefanie",
    "susi": "susanne",
    "conny": "cornelia",
}
#: the name that a BridgeBuddy writes for a deleted person
FORGOTTEN = re.compile(rf"{re.escape(NOBODY)}\d+")
#: the most possible people
MOST = 4
BETWEEN = re.compile(r"\s*[&/;+]\s*|\s+(?:and|und)\s+|\s+[-–]\s+", re.IGNORECASE)


@dataclass(frozen=True)
class NameMatch:
    """An imported name, matched with a person of the roster or with a new person called `name`.

    `asked` marks a doubtful match: one of `others`, or a new person.
    """

    written: str
    number: str
    name: str
    person: Person | None = None
    others: tuple[Person, ...] = ()
    asked: bool = False
    #: read from the name alone, not found by the number
    is_by_name: bool = False
    #: a deleted person of the other installation, who matches no person here
    is_forgotten: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """Return the name and number as written in the file, which identify the match."""
        return self.written, self.number

    @property
    def has_lost_words(self) -> bool:
        """Return whether the matched name lacks words of the written one, such as a title."""
        written, read = (
            Counter(re.findall(r"\w{2,}", searchable(name))) for name in (self.written, self.name)
        )
        return self.is_by_name and bool(written - read)


class NameMatching:
    """Matches the names in imported rankings with the people of a club's roster."""

    def __init__(self, club: Club, sessions: Iterable[Iterable[ImportedLine]]) -> None:
        self.club = club
        self.sessions = [list(lines) for lines in sessions]

    @cached_property
    def roster(self) -> frozenset[Person]:
        """Return the people of the roster with whom names can be matched."""
        return frozenset(self._people)

    @cached_property
    def _people(self) -> list[Person]:
        """Return the people of the club's roster with whom names are matched, anonymous ones left out."""
        return list(self.club.known_people)

    @cached_property
    def _roster_names(self) -> RosterNames:
        """Return the names of the roster in the form needed to read typed lists."""
        return RosterNames([person.name for person in self._people])

    @cached_property
    def _by_name(self) -> dict[str, Person]:
        """Return the people by their searchable name."""
        return {person.search: person for person in self._people}

    @cached_property
    def _by_number(self) -> dict[str, Person]:
        """Return the people by their number at the national federation."""
        return {
            _plain_number(person.national_number): person
            for person in self._people
            if person.national_number
        }

    @cached_property
    def first_occurrences(self) -> dict[tuple[str, str], ImportedPlayer]:
        """Return the first row entry of each player in the files, by name and number."""
        by_key: dict[tuple[str, str], ImportedPlayer] = {}
        for line in (line for lines in self.sessions for line in lines):
            for player in self.players(line):
                by_key.setdefault((player.name, player.national), player)
        return by_key

    @cached_property
    def matches_by_key(self) -> dict[tuple[str, str], NameMatch]:
        """Return a match for each name in the files, in order of first occurrence."""
        by_key = {key: self._match_player(player) for key, player in self.first_occurrences.items()}
        self._prevent_double_matches(by_key)
        return {key: named_person for key, named_person in by_key.items() if named_person.name}

    def _prevent_double_matches(self, matches: dict[tuple[str, str], NameMatch]) -> None:
        """Prevent that two names in one session are matched with the same person.

        If two names there would match one person, the one spelled differently becomes doubtful.
        """
        for lines in self.sessions:
            keys = {
                (player.name, player.national) for line in lines for player in self.players(line)
            }
            self._keep_only_best_match(matches, sorted(keys))
            sure = {matches[key].person for key in keys if not matches[key].asked}
            for key in keys:
                match = matches[key]
                if match.asked and match.person is not None and match.person in sure:
                    others = tuple(dict.fromkeys((*match.others, match.person)))
                    matches[key] = replace(match, person=None, others=others)

    @staticmethod
    def _keep_only_best_match(
        matches: dict[tuple[str, str], NameMatch], keys: Iterable[tuple[str, str]]
    ) -> None:
        """If several names in a session match one person, ask the user about all but the best match."""
        names: defaultdict[Person, list[NameMatch]] = defaultdict(list)
        for whom in map(matches.__getitem__, keys):
            if whom.person is not None and not whom.asked:
                names[whom.person].append(whom)
        for person, every in names.items():
            theirs = min(
                every,
                key=lambda entry: (not entry.number, searchable(entry.written) != person.search),
            )
            for question in every:
                if searchable(question.written) != searchable(theirs.written):
                    matches[question.key] = replace(
                        question, name=question.written, person=None, others=(person,), asked=True
                    )

    @cached_property
    def doubtful_names(self) -> list[NameMatch]:
        """Return the matches about which the user must decide."""
        return [question for question in self.matches_by_key.values() if question.asked]

    @cached_property
    def shortened_names(self) -> list[NameMatch]:
        """Return the certain matches that lack words of the written name."""
        return [
            whom for whom in self.matches_by_key.values() if whom.has_lost_words and not whom.asked
        ]

    def players(self, line: ImportedLine) -> tuple[ImportedPlayer, ...]:
        """Return the players in a row of a ranking; names written as one text are divided."""
        return self._divided_names(line.joined) if line.joined else line.players

    def _divided_names(self, joined: str) -> tuple[ImportedPlayer, ...]:
        """Return the players whose names are joined in one text ("Smith & Jones")."""
        if cached := self._cached_divisions.get(joined):
            return cached
        parts = [part for part in BETWEEN.split(joined) if part.strip()]
        people = 4 if len(parts) > 2 else 2
        names: tuple[str, ...] = tuple(parts)
        if len(parts) == 2:  # "Hans & Eva Müller", "Müller, Hans / Klein, Eva"
            lines = read_list(joined, people, self._roster_names).entries
            names = lines[0].names if lines and all(lines[0].names) else names
        players = tuple(ImportedPlayer(name.strip()) for name in names if not is_nobody(name))
        self._cached_divisions[joined] = players
        return players

    @cached_property
    def _cached_divisions(self) -> dict[str, tuple[ImportedPlayer, ...]]:
        """Return the cache of joined names that have been divided already."""
        return {}

    def _match_player(self, player: ImportedPlayer) -> NameMatch:
        """Return the match of a player: by number, by name, or doubtful with similar names."""
        if FORGOTTEN.fullmatch(player.name):
            return NameMatch(player.name, player.national, player.name, is_forgotten=True)
        number, name = number_or_nothing(player.national), player.name
        has_number = self._by_number.get(_plain_number(number)) if number else None
        is_theirs = has_number is not None and _share_a_word(has_number.name, name)
        if has_number is not None and is_theirs:
            return NameMatch(player.name, player.national, has_number.name, has_number)
        name, questions = self._name_as_read(name)
        if problem_of_name(name):
            return NameMatch(player.name, player.national, "")
        same = self._by_name.get(searchable(name))
        if has_number is not None:  # a name change, or another person's number
            others = tuple(part for part in (has_number, same) if part)
            return NameMatch(player.name, player.national, name, others[0], others, asked=True)
        if same is not None:
            others_number = number and same.national_number and _plain_number(same.national_number)
            if others_number and others_number != _plain_number(number):
                return NameMatch(player.name, player.national, name, None, (same,), asked=True)
            is_sure = not any(question.kind == "several" for question in questions)
            others = () if is_sure else self._possible_people(questions, name)
            by_name = NameMatch(player.name, player.national, name, same, others, is_by_name=True)
            return replace(by_name, asked=not is_sure)
        others = self._possible_people(questions, name)
        person = others[0] if others else None
        match = NameMatch(player.name, player.national, name, person, others, is_by_name=True)
        return replace(match, asked=bool(others))

    def _name_as_read(self, name: str) -> tuple[str, tuple[LineQuestion, ...]]:
        """Return a name in the roster's spelling, and what is unclear about it."""
        lines = (
            read_list(name, 1, self._roster_names).entries if any(map(str.isalpha, name)) else ()
        )
        if not lines or not lines[0].names or not lines[0].names[0]:
            return name, ()
        understood = lines[0].names[0]
        is_only_turned = "," not in name and sorted(understood.split()) == sorted(name.split())
        if is_only_turned and searchable(understood) not in self._by_name:
            understood = " ".join(name.split())  # the file's order of names is kept
        return understood, lines[0].questions

    def _possible_people(self, questions: Iterable[LineQuestion], name: str) -> tuple[Person, ...]:
        """Return the people whom a doubtful name may mean: similar names, other forms of a first name."""
        names = [person for question in questions for person in question.who.split(", ")]
        similar = [
            self._by_name[searchable(name)] for name in names if searchable(name) in self._by_name
        ]
        forename, surname = (searchable(part) for part in split_name(name))
        for called in self._roster_names.by_surname.get(surname, ()):
            if _is_short_for(forename, searchable(split_name(called)[0])):
                similar.append(self._by_name[searchable(called)])
        return tuple(dict.fromkeys(similar))[:MOST]


def _plain_number(number: str) -> str:
    """Return a number without separators and leading zeros."""
    return re.sub(r"[\W_]", "", number).casefold().lstrip("0")


def number_or_nothing(number: str) -> str:
    """Return a federation number in its stored form; empty if it is invalid."""
    try:
        return stored_number(number)
    except NotANumber:
        return ""


def _share_a_word(first: str, second: str) -> bool:
    """Return whether two names have a word in common."""
    return bool(
        set(re.split(r"\W+", searchable(first))) & set(re.split(r"\W+", searchable(second))) - {""}
    )


def _is_short_for(name: str, other_name: str) -> bool:
    """Return whether two first names may belong to one person, as "Bob" and "Robert".

    >>> _is_short_for("bill", "william"), _is_short_for("a", "anna"), _is_short_for("anne", "hanna")
    (True, True, False)
    """
    first, second = sorted((name.strip(". "), other_name.strip(". ")), key=len)
    if not first or first == second:
        return False
    begins = len(first) != 2 and second.startswith(first)
    return begins or SHORT_FOR.get(first, first) == SHORT_FOR.get(second, second)
