"""Events, sessions, sections, the contestants in them, and the round being played."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import UTC, datetime, time, timedelta, tzinfo
from functools import cached_property
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from bridgebuddy.clubs.models import Club, CodesEnd, Person
from bridgebuddy.clubs.names import short_names, together
from bridgebuddy.clubs.public_names import words_let_be_seen
from movements.engine.boards import MatchBoards
from movements.engine.contest import Contest
from movements.engine.files import document
from movements.engine.model import Movement
from movements.fields import ContestField
from movements.models import StoredMovement

from .past import Import as Import
from .past import PastLine as PastLine
from .past import PastPlayer as PastPlayer
from .past import PastSession as PastSession

#: letters and digits nobody takes for another one: no 0/O, 1/I
CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 6
FEWEST_PAIRS, MOST_PAIRS = 3, 120  # 2 tables, one of them half; 60 tables


def new_code() -> str:
    """Return a code short enough to type and random enough not to be guessed."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


#: after so long without anything new a session is taken to be over
LONGEST_EVENING = timedelta(hours=8)
#: calendars end some time, and there is a week to add
FIRST_START, LAST_END = datetime(1, 1, 3, tzinfo=UTC), datetime(9999, 12, 1, tzinfo=UTC)
MORNING = time(8)


def end_of_code(at: datetime, wanted: str, zone: tzinfo) -> datetime:
    """When the code of a session that is over at some time ends: never within two hours, by the club's clock."""
    at = min(at, LAST_END)
    soon = at + timedelta(hours=2)
    match wanted:
        case CodesEnd.SOON:
            return soon
        case CodesEnd.WEEK:
            return at + timedelta(days=7)
    day = timezone.localdate(soon, zone)
    if timezone.localtime(soon, zone).time() > MORNING:
        day += timedelta(days=1)
    return timezone.make_aware(datetime.combine(day, MORNING), zone)


class Event(models.Model):
    """What the club calls it: "Tuesday Pairs". An event has sessions."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="events")
    name = models.CharField(_("name"), max_length=80)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="one_event_per_name")]

    def __str__(self) -> str:
        return self.name


class Session(models.Model):
    """One evening (or afternoon) of an event."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="sessions")
    date = models.DateField(_("date"))
    starts_at = models.TimeField(_("start"))
    fewest_boards = models.PositiveSmallIntegerField(_("boards, at least"), default=24)
    most_boards = models.PositiveSmallIntegerField(_("boards, at most"), default=28)
    minutes_per_board = models.PositiveSmallIntegerField(_("minutes per board"), default=7)
    #: whether all sections play by one clock, and the same deals; it matters where there are several
    common_clock = models.BooleanField(default=False)
    same_deals = models.BooleanField(default=True)
    #: what only a second press on the same form sends again; None where no form opened it
    once = models.CharField(max_length=64, unique=True, null=True, blank=True, editable=False)
    #: the session whose players play on in this one, and how many such sessions there are with this
    follows = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="followed_by"
    )
    number = models.PositiveSmallIntegerField(default=1)
    #: when it was deleted: a day later it is forgotten
    deleted_at = models.DateTimeField(null=True, editable=False, db_index=True)
    #: of a rehearsal, until when it is kept; and the newest person the club had before it
    rehearsal_until = models.DateTimeField(null=True, editable=False, db_index=True)
    newest_person = models.PositiveBigIntegerField(null=True, editable=False)

    #: how long what was deleted can be brought back, and a rehearsal be played
    KEPT_FOR = timedelta(days=1)

    class Meta:
        ordering = ["date", "starts_at", "pk"]

    def __str__(self) -> str:
        return f"{self.event.name}, {self.date}"

    @property
    def planned_start(self) -> datetime:
        """When it begins by the club's clock; to it hours may be added, whenever summer time ends."""
        by_clock = datetime.combine(self.date, self.starts_at, tzinfo=UTC)
        by_clock = max(FIRST_START, min(by_clock, LAST_END))
        return timezone.make_aware(by_clock.replace(tzinfo=None), self.event.club.zone).astimezone(
            UTC
        )

    @property
    def is_rehearsal(self) -> bool:
        return self.rehearsal_until is not None

    @property
    def kept_until(self) -> datetime | None:
        """When it will be forgotten, if it has been deleted."""
        return self.deleted_at + self.KEPT_FOR if self.deleted_at else None


class SeatingMethod(models.TextChoices):
    ORDER = "order", _("in order of entry")
    RANDOM = "random", _("at random")
    HAND = "hand", _("by hand")
    EVEN = "even", _("by strength")
    TURNS = "turns", _("evenly over the weeks")


CONTESTS = (
    (Contest.PAIRS, _("Pairs")),
    (Contest.INDIVIDUAL, _("Single players")),
    (Contest.TEAMS, _("Teams of four")),
)
#: how few entries make an evening
FEWEST = {Contest.PAIRS: FEWEST_PAIRS, Contest.INDIVIDUAL: 4, Contest.TEAMS: 2}


class Section(models.Model):
    """A group of tables with a movement of its own, and the round it is in.

    Three counters grow with what is done: `plan` with what a decision depends on (rounds, movement,
    people), and only it can refuse a live change; `shown` with everything a page shows, and pages poll
    with the one they show; `results` with what was scored.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="sections")
    name = models.CharField(max_length=4, default="A")
    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    #: the one before it, by which directors whose page is open are led on
    former_code = models.CharField(
        max_length=CODE_LENGTH, blank=True, editable=False, db_index=True
    )
    #: when it was given, if not with the section; and when it opens nothing any more
    code_given_at = models.DateTimeField(null=True, editable=False)
    code_ends_at = models.DateTimeField(null=True, editable=False)
    plan = models.PositiveIntegerField(default=1)
    shown = models.PositiveIntegerField(default=1)
    results = models.PositiveIntegerField(default=1)
    contest = ContestField(choices=CONTESTS, default=Contest.PAIRS)

    movement = models.ForeignKey(
        StoredMovement, models.PROTECT, null=True, blank=True, related_name="sections"
    )
    #: the movement as it was before its arrows were switched; None where they are not
    unswitched = models.ForeignKey(
        StoredMovement, models.PROTECT, null=True, blank=True, related_name="+"
    )
    #: the family's own choices with which the movement was chosen
    movement_options = models.JSONField(default=dict, blank=True)
    boards_per_round = models.PositiveSmallIntegerField(null=True)
    total_boards = models.PositiveSmallIntegerField(null=True)
    #: of drawn matches of teams: which numbers boards have, and whether all tables have the same deals
    match_boards = models.JSONField(default=dict, blank=True, editable=False)
    missing_line = models.CharField(max_length=2, default="ew")  # which line has the half table
    seating = models.CharField(
        max_length=6, choices=SeatingMethod.choices, default=SeatingMethod.ORDER
    )
    seed = models.PositiveIntegerField(null=True)

    #: what level matches were gone on with: the round, both entries, the first board and the last
    extra_boards = models.JSONField(default=list, blank=True, editable=False)
    round = models.PositiveSmallIntegerField(default=0)  # 0: not started
    round_started_at = models.DateTimeField(null=True)
    #: None while paused or before the start; at the end the clock stays as it stood, for undo
    clock_ends_at = models.DateTimeField(null=True)
    clock_left = models.DurationField(null=True)  # what was left when it was paused
    #: by round, for undo: when it began, the seconds left when the next one began, whether it was paused
    clocks_before = models.JSONField(default=dict, blank=True, editable=False)
    finished_at = models.DateTimeField(null=True)
    break_after = models.PositiveSmallIntegerField(null=True)  # a round, with a break behind it
    break_minutes = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "name"], name="one_section_per_name")
        ]

    def __str__(self) -> str:
        return f"{self.session} {self.name}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if kwargs.get("update_fields") is None:
            self.code_ends_at = self.end_of_code()
        super().save(*args, **kwargs)

    @property
    def people_an_entry(self) -> int:
        """How many people enter together."""
        return self.contest.people

    @property
    def fewest_entries(self) -> int:
        """How many entries a movement needs at least."""
        return FEWEST[self.contest]

    @property
    def stored(self) -> StoredMovement:
        """The movement, for whoever has asked already whether there is one: else `AssertionError`."""
        assert self.movement is not None, "pages ask whether there is a movement first"
        return self.movement

    def end_of_code(self) -> datetime:
        """When the code ends, as the club wants it; a session that nobody ends is over some time, too."""
        at = self.finished_at
        if at is None:
            at = max(self.session.planned_start, timezone.now()) + LONGEST_EVENING
        return end_of_code(max(at, self.code_given_at or at), self.club.codes_end, self.club.zone)

    @property
    def has_code_ended(self) -> bool:
        return self.code_ends_at is None or self.code_ends_at <= timezone.now()

    def touch(self) -> None:
        """Count something that is shown: every open page will fetch itself anew. Saves the section."""
        self.shown += 1
        self.save()

    def replan(self) -> None:
        """Count something that decisions depend on, which is shown too. Saves the section."""
        self.plan += 1
        self.touch()

    @property
    def club(self) -> Club:
        return self.session.event.club

    @cached_property
    def letter(self) -> str:
        """Its name where its session has other sections too; empty where it is the only one."""
        has_others: bool | None = getattr(self, "has_others", None)  # read along, see `sections()`
        if has_others is None:
            has_others = self.session.sections.exclude(pk=self.pk).exists()
        return self.name if has_others else ""

    @property
    def is_started(self) -> bool:
        return self.round > 0

    @property
    def can_switch_arrows(self) -> bool:
        """Whether arrow-switches are of use: pairs play, and no round waits for a draw."""
        movement = self.movement
        return (
            movement is not None and self.contest.fills_a_side and not movement.is_drawn_as_played
        )

    @property
    def is_finished(self) -> bool:
        return self.finished_at is not None

    @property
    def is_running(self) -> bool:
        return self.is_started and not self.is_finished

    @property
    def rounds(self) -> int:
        """How many rounds the session has; where it was ended early, those that were begun."""
        planned = self.movement.rounds if self.movement else 0
        return min(self.round, planned) if self.is_finished else planned

    def is_over(self, round: int) -> bool:
        """Whether a round has been played, by all of its tables."""
        return self.is_finished or round < self.round

    @property
    def is_last_round(self) -> bool:
        return self.movement is not None and self.round == self.rounds

    @property
    def boards_of_matches(self) -> MatchBoards:
        """Which boards the drawn matches of teams have."""
        return MatchBoards(self.boards_per_round or 0, **self.match_boards)

    @property
    def has_duplicated_matches(self) -> bool:
        """Whether all matches of a round have the same deals."""
        return bool(self.match_boards.get("is_duplicated"))

    def gone_on(self, round: int, teams: Collection[int]) -> list[dict[str, Any]]:
        """How a level match of two teams (their entries) was gone on with in a round, decision by decision."""
        return [
            one
            for one in self.extra_boards
            if one["round"] == round and set(one["teams"]) == set(teams)
        ]

    def extra_boards_of(self, round: int, teams: Collection[int]) -> list[range]:
        """The boards that two teams (their entries) play more in a round, decision by decision."""
        return [range(one["boards"][0], one["boards"][1] + 1) for one in self.gone_on(round, teams)]

    @property
    def break_length(self) -> timedelta:
        return timedelta(minutes=self.break_minutes)

    @property
    def next_round(self) -> int:
        return self.round + 1

    @property
    def is_clock_paused(self) -> bool:
        return self.clock_left is not None and not self.is_finished

    @property
    def time_left(self) -> timedelta | None:
        """What the clock shows; negative when the round is over time; None before the start and at the end."""
        if self.is_finished:
            return None
        if self.clock_left is not None:
            return self.clock_left
        return self.clock_ends_at - timezone.now() if self.clock_ends_at else None

    @property
    def shown_round(self) -> int:
        """The round pages are about: the one being played, the first before the start."""
        return self.round or 1

    def seats(self) -> dict[str, list[int | None]]:
        """Everybody's places now, as a version of the movement keeps them."""
        return {str(entry.pk): [entry.contestant, *entry.times] for entry in self.entries.all()}

    @property
    def spaced_code(self) -> str:
        """The code in two groups, as people read it out."""
        return f"{self.code[:3]} {self.code[3:]}"

    @cached_property
    def round_length(self) -> timedelta:
        """How long a round takes: boards times minutes a board; by one clock, of those who play most."""
        boards = self.boards_per_round or 0
        if self.session.common_clock:
            others = self.session.sections.exclude(pk=self.pk).filter(finished_at=None)
            most = others.aggregate(most=models.Max("boards_per_round"))["most"] or 0
            boards = max(boards, most) if boards else 0
        return timedelta(minutes=boards * self.session.minutes_per_board)


class SectionMovement(models.Model):
    """A movement a section has had: which one from which round on, and why it was changed.

    `seats` are everybody's places in it, so that a version can come back whole: by the entry's key
    its contestant, the first round it is there, and the round after which it left. `parent` is the
    version before the change (undo goes there), `redo` the version that was undone to come here, `holds`
    the version that an undo or redo has brought back. `way` names what was chosen and `decided_on` the
    plan it was chosen for: who presses twice is known by them.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="movements")
    movement = models.ForeignKey(StoredMovement, models.PROTECT, related_name="+")
    #: the movement by which people sit down, where boards are turned
    unswitched = models.ForeignKey(
        StoredMovement, models.PROTECT, null=True, blank=True, related_name="+"
    )
    version = models.PositiveIntegerField()  # 1, 2, 3 …: printed on the cards
    from_round = models.PositiveSmallIntegerField(default=1)
    reason = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    change = models.CharField(max_length=24, blank=True)  # "rover", "skip" …; "undo", "redo"
    facts = models.JSONField(default=dict)
    in_round = models.PositiveSmallIntegerField(default=0)  # the round in which it was made
    boards_per_round = models.PositiveSmallIntegerField(null=True)
    seats = models.JSONField(default=dict)
    parent = models.PositiveIntegerField(null=True)
    redo = models.PositiveIntegerField(null=True)
    holds = models.PositiveIntegerField(null=True)
    way = models.CharField(max_length=20, blank=True)  # a proposal's key, "undo" or "redo"
    decided_on = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["version"]
        constraints = [
            models.UniqueConstraint(fields=["section", "version"], name="one_movement_per_version")
        ]

    def __str__(self) -> str:
        return f"{self.section} version {self.version}: {self.movement}"


class Entry(models.Model):
    """A contestant in a section: a pair now, a team or a player where the contest is one.

    `contestant` is its number in the movement once it has a seat. While rounds are played, an entry
    without one waits to be seated.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="entries")
    position = models.PositiveSmallIntegerField()  # order of entry, from 1
    contestant = models.PositiveSmallIntegerField(null=True)
    first_round = models.PositiveSmallIntegerField(default=1)  # later where it came late
    left_after = models.PositiveSmallIntegerField(null=True)  # the last round it was there
    back_in = models.PositiveSmallIntegerField(null=True)  # the first it is there again
    must_stay_seated = models.BooleanField(_("must stay seated"), default=False)
    #: of a team: its name, where it has one, and the rounds in which its two pairs sit the other way
    NAME_LENGTH = 60
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    crossed_in = models.JSONField(default=list, blank=True)
    #: of a team that changes at half-time: by round the places of those who then sit N, S, E and W
    second_halves = models.JSONField(default=dict, blank=True)
    #: where an evening has read them along (`Prefetch`)
    links_read: list[EntryPerson]
    people = models.ManyToManyField(
        Person, through="EntryPerson", through_fields=("entry", "person"), related_name="entries"
    )

    #: what says in which rounds it is there, for one that neither comes late nor leaves
    ALL_EVENING: ClassVar[dict[str, int | None]] = {
        "first_round": 1,
        "left_after": None,
        "back_in": None,
    }

    class Meta:
        ordering = ["position"]
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["section", "contestant"], name="one_entry_per_seat"),
        ]

    def __str__(self) -> str:
        return self.names

    @property
    def team_name(self) -> str:
        """What a team is called: its name, or its first player's surname."""
        if self.name:
            return words_let_be_seen(self.name, (link.person for link in self.links))
        return next((person.surname for person in self.players), "")

    def halves_in(self, round: int, half: int = 1) -> tuple[list[Person], list[Person]]:
        """The two pairs of a team in a round, or after half-time: who sits N-S, and who sits E-W."""
        there = {link.position: link.person for link in self.links_in(round)}
        seats = self.section.contest.seats
        usual = range(1, 2 * seats + 1)
        then = self.second_halves.get(str(round), usual) if half == 2 else usual
        places = then if there.keys() >= set(then) else usual
        people = [there[place] for place in places if place in there]
        halves = people[:seats], people[seats:]
        return (halves[1], halves[0]) if round in self.crossed_in else halves

    @property
    def has_left(self) -> bool:
        return self.left_after is not None and self.back_in is None

    @property
    def times(self) -> list[int | None]:
        """What `ALL_EVENING` names, of this one."""
        return [getattr(self, name) for name in self.ALL_EVENING]

    def take_seat(self, contestant: int | None = None, *times: int | None) -> None:
        """Take a seat, or none, for the rounds in which it is there (all of them where not told)."""
        self.contestant = contestant
        told = dict(zip(self.ALL_EVENING, times, strict=False))
        for name, value in (self.ALL_EVENING | told).items():
            setattr(self, name, value)

    @property
    def links(self) -> list[EntryPerson]:
        """Who has its places, those of one place in the order of rounds: read along, or read now."""
        return self.links_read if self.are_links_read else list(self.entry_people.all())

    @property
    def are_links_read(self) -> bool:
        return "links_read" in self.__dict__

    def links_in(self, round: int) -> list[EntryPerson]:
        """Who has each place in a round, in order; of a team its reserves have those after the fourth."""
        places: dict[int, EntryPerson] = {}
        for link in self.links:
            if link.is_reserve and not link.is_there(round):
                continue
            if link.position not in places or link.from_round <= round:
                places[link.position] = link
        return list(places.values())

    def people_in(self, round: int) -> list[Person]:
        """The people who play for it in a round, in order; prefetch `entry_people__person` for lists."""
        return [link.person for link in self.links_in(round)]

    @cached_property
    def players(self) -> list[Person]:
        """The people who play for it now (in the first round before the start, in the last at the end)."""
        return self.people_in(self.section.shown_round)

    @property
    def names(self) -> str:
        """Both full names: "Hanna Brandt & Karl Fischer"."""
        return " & ".join(person.name for person in self.players)

    @property
    def shown_names(self) -> str:
        """The same as pages write them, a couple's surname once: "Ruth & Otto Klein"."""
        return together([person.name for person in self.players])

    @property
    def surnames(self) -> str:
        """What a small place shows: "Brandt & Fischer"."""
        names = [person.name for person in self.players]
        return together(names, short_names(names))


class EntryPerson(models.Model):
    """A person's place in an entry, from a round and until one: a substitute has it for some rounds.

    The first places are seats; a team's reserves have those after the fourth, in rounds in which they
    rest, and whose seat they take rests there.
    """

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="entry_people")
    section = models.ForeignKey(Section, models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField()
    from_round = models.PositiveSmallIntegerField(default=1)
    until_round = models.PositiveSmallIntegerField(null=True)  # None: to the end
    #: whose place a substitute has; None where it is one's own
    plays_for = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["position", "from_round"]
        constraints = [
            models.UniqueConstraint(
                fields=["section", "person", "from_round"], name="nobody_plays_twice"
            ),
            models.UniqueConstraint(
                fields=["entry", "position", "from_round"], name="one_person_per_place"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.entry_id}"

    def is_there(self, round: int) -> bool:
        """Whether the person has the place in a round."""
        return self.from_round <= round and (self.until_round is None or round <= self.until_round)

    @property
    def is_all_evening(self) -> bool:
        return self.from_round == 1 and self.until_round is None

    @property
    def is_reserve(self) -> bool:
        """Whether who has the place rests."""
        return self.position > Contest.TEAMS.people

    @property
    def owner(self) -> Person:
        """Whose place it is, whoever has it."""
        return self.plays_for or self.person


class Play(models.Model):
    """A board at a table in a round, as it was played: written when the round begins.

    It names entries, whose numbers in the movement may change, and the people who sat there. An entry on
    one side alone waits at a half table. `turned` says that those who play the N-S cards sit E-W. Of a
    round whose start was taken back the plays are kept with `taken_back_at`, and come back with it; all
    others are history, and only what really happened instead amends them.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="plays")
    round = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField()
    part = models.PositiveSmallIntegerField(default=1)
    parts = models.PositiveSmallIntegerField(default=1)
    board = models.PositiveSmallIntegerField()
    ns = models.ForeignKey(Entry, models.RESTRICT, null=True, blank=True, related_name="+")
    ns2 = models.ForeignKey(Entry, models.RESTRICT, null=True, blank=True, related_name="+")
    ew = models.ForeignKey(Entry, models.RESTRICT, null=True, blank=True, related_name="+")
    ew2 = models.ForeignKey(Entry, models.RESTRICT, null=True, blank=True, related_name="+")
    #: who sat there; nobody where a team does not say which of its four
    north = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="+")
    south = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="+")
    east = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="+")
    west = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="+")
    turned = models.BooleanField(default=False)
    shares_with = models.CharField(max_length=60, blank=True)  # tables that passed it on, spaced
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["round", "table", "part", "board"]
        constraints = [
            models.UniqueConstraint(
                fields=["section", "round", "table", "part", "board"],
                condition=models.Q(taken_back_at=None),
                name="one_play_per_place",
            )
        ]

    def __str__(self) -> str:
        return f"round {self.round} table {self.table} board {self.board}"


class ClubMovement(models.Model):
    """A movement of the club's own, imported and checked."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="own_movements")
    name = models.CharField(_("name"), max_length=80)
    document = models.JSONField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="one_own_movement_per_name")
        ]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def movement(self) -> Movement:
        """The engine's value."""
        return document.from_dict(self.document).movement
