"""Events, sessions, sections, the contestants in them, and the round being played."""

from __future__ import annotations

from bridgebuddy.events.imports import Import as Import
from bridgebuddy.events.imports import PastLine as PastLine
from bridgebuddy.events.imports import PastPlayer as PastPlayer
from bridgebuddy.events.imports import PastSession as PastSession

from .entries import Entry as Entry
from .entries import EntryPerson as EntryPerson
from .entries import Play as Play
from .own_movements import ClubMovement as ClubMovement
from .sections import Section as Section
from .sections import SectionMovement as SectionMovement
from .sessions import CODE_ALPHABET as CODE_ALPHABET
from .sessions import CODE_LENGTH as CODE_LENGTH
from .sessions import CONTESTS as CONTESTS
from .sessions import FEWEST as FEWEST
from .sessions import FEWEST_PAIRS as FEWEST_PAIRS
from .sessions import MOST_PAIRS as MOST_PAIRS
from .sessions import Event as Event
from .sessions import SeatingMethod as SeatingMethod
from .sessions import Session as Session
from .sessions import end_of_code as end_of_code
from .sessions import new_code as new_code
