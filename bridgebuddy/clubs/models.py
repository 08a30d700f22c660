"""Clubs, the people on their rosters, and their directors."""

from __future__ import annotations

import base64
import unicodedata
from datetime import date, tzinfo
from typing import Any, ClassVar, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .membership_models import Invitation as Invitation
from .membership_models import Membership as Membership
from .people.categories import LENGTH as CATEGORIES_LENGTH
from .people.federation_numbers import LENGTH as NUMBER_LENGTH
from .people.names import clean_text, is_visible_letter, surname_first, surname_of
from .people.public_names import PublicName, show_public_name
from .roles import Rights, join_roles
from .roles import Role as Role
from .server_models import AttemptCount as AttemptCount
from .server_models import Upkeep as Upkeep

FOLDED_LENGTH = 120
MOST_STRENGTH = 9999


def searchable(name: str) -> str:
    """Return a name as the column for searching stores it: without accents, capitals and repeated spaces.

    Accents and invisible characters alone leave nothing. The result is cut to the column, because one letter may
    expand to a whole word.

    >>> searchable("  Jürgen  O'Neill "), searchable("\u200b\u2060")
    ("jurgen o'neill", '')
    """
    decomposed = unicodedata.normalize("NFKD", name.replace("ß", "ss"))
    bare = "".join(
        c for c in decomposed if not unicodedata.combining(c) and c != "\0" and is_visible_letter(c)
    ).casefold()
    return " ".join(bare.split())[:FOLDED_LENGTH].rstrip()


#: end of the address of accounts without an address; it cannot receive mail
TRIAL = "@trial.invalid"


class UserManager(DjangoUserManager["User"]):
    """Manager of user accounts, which are identified by an e-mail address."""

    def create_user(  # type: ignore[override]  # there is no user name
        self, email: str, password: str | None = None, **fields: Any
    ) -> User:
        """Create a user with an e-mail address, and a password or none."""
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(  # type: ignore[override]  # there is no user name
        self, email: str, password: str | None = None, **fields: Any
    ) -> User:
        """Create a user with all permissions of Django."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractUser):
    """A user account, mostly of a director. Players need no account."""

    username = None  # type: ignore[assignment]  # Django's way to have none
    email = models.EmailField(_("e-mail address"), unique=True)
    #: empty: the browser's language
    language = models.CharField(_("language"), max_length=7, blank=True, default="")
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = UserManager()  # type: ignore[misc]  # AbstractUser's is Django's own

    @property
    def is_trial_user(self) -> bool:
        """Return whether this account was created for trying a made-up session, without an e-mail address."""
        return self.email.endswith(TRIAL)

    def __str__(self) -> str:
        """Return the name for the history: never a whole e-mail address."""
        return self.get_full_name() or self.email.partition("@")[0]


class PaperSize(models.TextChoices):
    """A club's paper size for printed sheets."""

    A4 = "a4", _("A4")
    LETTER = "letter", _("US Letter")


class StandTerm(models.TextChoices):
    """The club's term for the place where a board set waits between rounds: relay or bye-stand."""

    STAND = "stand", _("stand")
    RELAY = "relay", _("relay")
    BYE_STAND = "bye-stand", _("bye-stand")


class CodeExpiry(models.TextChoices):
    """The choices of when a session's code stops showing players' names on phones."""

    SOON = "soon", _("two hours after the end")
    MORNING = "morning", _("the next morning")
    WEEK = "week", _("a week after the end")


class ResultEntryMethod(models.TextChoices):
    """The choices of how results are entered: by phones at the tables, or by the director."""

    PHONES = "phones", _("on phones")
    SLIPS = "slips", _("on slips")
    BOTH = "both", _("both")


class SitOutSide(models.TextChoices):
    """The choices of which direction sits out at a half table; the stored value is the other direction."""

    BETTER = "", _("the line that waits less")
    NORTH_SOUTH = "ew", _("N-S sits out")
    EAST_WEST = "ns", _("E-W sits out")


class Weekday(models.IntegerChoices):
    """The weekday on which a club mostly plays, numbered as in Python."""

    MONDAY = 0, _("Monday")
    TUESDAY = 1, _("Tuesday")
    WEDNESDAY = 2, _("Wednesday")
    THURSDAY = 3, _("Thursday")
    FRIDAY = 4, _("Friday")
    SATURDAY = 5, _("Saturday")
    SUNDAY = 6, _("Sunday")


class Club(models.Model):
    """A bridge club with its settings."""

    name = models.CharField(_("name of the club"), max_length=80)
    paper = models.CharField(
        _("paper"), max_length=6, choices=PaperSize.choices, default=PaperSize.A4
    )
    stand_word = models.CharField(
        _("the place where boards wait is called"),
        max_length=9,
        choices=StandTerm.choices,
        default=StandTerm.STAND,
    )
    #: empty: the reader's own
    language = models.CharField(
        _("language of paper and room display"), max_length=7, blank=True, default=""
    )
    numbers_in_hundreds = models.BooleanField(
        _("pairs are numbered 101, 102 … (North-South) and 201, 202 … (East-West)"),
        default=False,
        help_text=_(
            "Instead of NS 3 and EW 3, on every page and card. With one winner for all it stays"
            " 1, 2, 3 … Phones find both."
        ),
    )
    phones_show_names = models.BooleanField(_("phones show opponents’ names"), default=True)
    room_sounds = models.BooleanField(
        _("the room display sounds a gong and speaks the call"), default=False
    )
    phones_show_later_rounds = models.BooleanField(
        _("phones show all later rounds"),
        default=True,
        help_text=_("Otherwise they show the round being played and the next one."),
    )
    #: months after which the names of people that no longer play are forgotten; None: never
    names_kept_for = models.PositiveSmallIntegerField(null=True, blank=True)
    #: for people that have not chosen themselves
    public_names = models.CharField(
        _("Names on pages that everybody can read"),
        max_length=8,
        choices=PublicName.choices,
        default=PublicName.FULL,
        help_text=_(
            "A player’s own choice is entered on the player’s page in the list of players."
        ),
    )
    privacy_contact = models.CharField(
        _("Contact for questions about stored data"),
        max_length=200,
        blank=True,
        default="",
        help_text=_("A name with an address or a telephone number. Everybody can read it."),
    )
    codes_end = models.CharField(
        _("codes for phones end"),
        max_length=7,
        choices=CodeExpiry.choices,
        default=CodeExpiry.MORNING,
        help_text=_("Afterwards nobody can read the names by a code."),
    )
    #: name in the database of time zones; empty: the server's
    time_zone = models.CharField(
        _("time zone"),
        max_length=40,
        blank=True,
        default="",
        help_text=_("The club’s clocks show this time."),
    )
    #: default of a new session; empty: as the one before it
    results_come = models.CharField(
        _("Results come"), max_length=6, choices=ResultEntryMethod.choices, blank=True, default=""
    )
    table_sees = models.CharField(
        _("After a board a table sees"), max_length=10, blank=True, default=""
    )
    usual_day = models.PositiveSmallIntegerField(
        _("We play mostly on"), choices=Weekday.choices, null=True, blank=True
    )
    usual_start = models.TimeField(_("Usual start"), null=True, blank=True)
    usual_boards = models.PositiveSmallIntegerField(
        _("Boards"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(96)]
    )
    usual_minutes = models.PositiveSmallIntegerField(
        _("Minutes a board"),
        null=True,
        blank=True,
        validators=[MinValueValidator(3), MaxValueValidator(15)],
    )
    half_table = models.CharField(
        _("Half a table"), max_length=2, choices=SitOutSide.choices, blank=True, default=""
    )
    #: number of the club with its federation
    federation_number = models.CharField(
        _("number of the club"), max_length=NUMBER_LENGTH, blank=True, default=""
    )
    shows_numbers = models.BooleanField(
        _("numbers of members are in files that everybody may read"), default=False
    )
    own_pages_on_sheets = models.BooleanField(
        _("printed score sheets have the codes of players’ own pages"), default=False
    )
    #: a federation, by the name of its preset
    scoring_rules = models.CharField(_("Scoring"), max_length=8, blank=True, default="")
    #: the scale of masterpoints of new sessions; empty: none
    masterpoint_scale = models.CharField(_("Masterpoints"), max_length=24, blank=True, default="")
    #: columns of the list of members, by their keys; None: those that the club has values for
    member_columns = models.JSONField(null=True, blank=True, editable=False)
    #: for an invented club, tried without an account: when it is forgotten, and the account with it
    trial_until = models.DateTimeField(null=True, editable=False, db_index=True)
    members = models.ManyToManyField(User, through="Membership", related_name="clubs")
    #: the rights of the page's reader, for its links; all where a page has not asked for them
    rights = Rights()

    def __str__(self) -> str:
        return self.name

    @property
    def is_shown_to_helper(self) -> bool:
        """Return whether the user reading the page is not a director of this club, and so sees fewer links."""
        return not self.rights.direct

    @property
    def zone(self) -> tzinfo:
        """Return the club's time zone, or the server's if it has none or an unknown one."""
        try:
            return ZoneInfo(self.time_zone or settings.TIME_ZONE)
        except (ZoneInfoNotFoundError, ValueError):
            return timezone.get_default_timezone()

    @property
    def today(self) -> date:
        """Return the current day in the club's time zone."""
        return timezone.localdate(timezone=self.zone)

    @property
    def known_people(self) -> models.QuerySet[Person]:
        """Return the people of the roster that have not been made anonymous."""
        return self.people.filter(anonymous_since=None)


class ClubLogo(models.Model):
    """A club's logo. It has a table of its own because every page reads the club, but few need the logo."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="logo")
    image = models.BinaryField()
    type = models.CharField(max_length=10)  # "image/png" or "image/jpeg"

    def __str__(self) -> str:
        return f"{self.club}: {self.type}"

    @property
    def data_uri(self) -> str:
        """Return the logo as a data URI for an HTML `img`."""
        return f"data:{self.type};base64,{base64.b64encode(bytes(self.image)).decode()}"


class Person(models.Model):
    """A player on a club's roster. If two players have the same name, something must be added to one of them."""

    NAME_LENGTH = 60

    club = models.ForeignKey(Club, models.CASCADE, related_name="people")
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    search = models.CharField(max_length=FOLDED_LENGTH, editable=False)
    #: a class or a rating, higher is stronger; None if the club does not enter it
    strength = models.PositiveSmallIntegerField(
        _("strength"), null=True, blank=True, validators=[MaxValueValidator(MOST_STRENGTH)]
    )
    #: the person's number with the federation
    national_number = models.CharField(
        _("number of the federation"), max_length=NUMBER_LENGTH, blank=True, default=""
    )
    #: the person's number as a member of the club
    member_number = models.CharField(
        _("number as a member"), max_length=NUMBER_LENGTH, blank=True, default=""
    )
    #: a visitor's club
    other_club = models.CharField(_("other club"), max_length=60, blank=True, default="")
    #: words of the club, with commas between (`people/categories.py`): juniors, women
    categories = models.CharField(
        _("categories"), max_length=CATEGORIES_LENGTH, blank=True, default=""
    )
    #: public form of the name; empty: the club's default
    public_name = models.CharField(
        _("on pages that everybody can read"),
        max_length=8,
        choices=PublicName.choices,
        blank=True,
        default="",
    )
    #: full name of a person read for the public and shown in another form
    whole_name: str | None = None
    #: when the name was removed from all results: then the person is unknown
    anonymous_since = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["search"]
        verbose_name_plural = "people"
        constraints = [
            models.UniqueConstraint(fields=["club", "search"], name="one_person_per_name")
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the person, made searchable. Raises `ValueError` if a public name would replace the real one."""
        if self.whole_name is not None:
            raise ValueError("who was read for everybody has no name to be kept")
        self.name = clean_text(self.name)
        self.search = searchable(self.name)
        super().save(*args, **kwargs)

    @property
    def listed_name(self) -> str:
        """Return the name as lists show it: "Smith, John"."""
        return surname_first(self.name)

    @property
    def listed_order(self) -> str:
        """Return the key by which lists of people are sorted: the surname, then the first name."""
        return searchable(self.listed_name)

    @property
    def is_visitor(self) -> bool:
        """Return whether the person is from another club: the roster names that club, and no member number."""
        return bool(self.other_club and not self.member_number)

    @classmethod
    def from_db(cls, *read: Any, **how: Any) -> Self:
        """Read a person; on public pages with the public form of the name."""
        person: Self = super().from_db(*read, **how)
        show_public_name(person)
        return person

    @property
    def surname(self) -> str:
        """Return the surname with its particles ("van den Berg"), for narrow columns."""
        return surname_of(self.name)


class DistinctPeople(models.Model):
    """Two people with similar names that a director has marked as different, so that no merge is suggested."""

    one = models.ForeignKey(Person, models.CASCADE, related_name="+")
    other = models.ForeignKey(Person, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["one", "other"], name="two_people_once")]

    def __str__(self) -> str:
        return f"{self.one} and {self.other}"


class SecurityEvent(models.Model):
    """An event that affects access to a club, such as a sign-in or a changed role: see `security`."""

    class EventKind(models.TextChoices):
        """The kinds of security events, such as a sign-in or a changed role."""

        SIGN_IN = "sign-in", _("signed in")
        FAILED = "failed", _("wrong password or code")
        PASSWORD = "password", _("changed the password")
        INVITED = "invited", _("invited")
        JOINED = "joined", _("joined the club")
        ROLE = "role", _("gave other roles")
        REMOVED = "removed", _("removed from the club")
        PERSON = "person", _("connected an account with a player")
        CODE = "code", _("gave phones a new code")
        SECRETS = "secrets", _("gave all tables new codes")
        DIGITS = "digits", _("too many wrong digits at a table")
        FACTOR = "factor", _("signs in with a code from a phone as well from now on")
        NO_FACTOR = "nofactor", _("signs in with the password alone from now on")

    club = models.ForeignKey(Club, models.CASCADE, related_name="security_events")
    at = models.DateTimeField(auto_now_add=True)
    what = models.CharField(max_length=8, choices=EventKind.choices)
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    #: the account or the session concerned
    about = models.CharField(max_length=254, blank=True)
    #: the roles given, with commas between
    role = models.CharField(max_length=60, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["club", "-id"], name="security_by_club")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.what} {self.about}"

    @property
    def roles_text(self) -> str:
        """Return the names of the roles that the event gave, in the reader's language."""
        return join_roles(Role(role) for role in self.role.split(",") if role)
