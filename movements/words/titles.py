"""What the catalogue calls families, marked for translation.

The engine knows no languages, so its English is listed here once more; a test holds the list to
the catalogue.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop

TITLES = (
    gettext_noop("Mitchell"),
    gettext_noop("Skip Mitchell"),
    gettext_noop("Share-and-Relay Mitchell"),
    gettext_noop("Crisscross Mitchell"),
    gettext_noop("American Whist League"),
    gettext_noop("Two Stanza Mitchell"),
    gettext_noop("Scissors Mitchell"),
    gettext_noop("Web"),
    gettext_noop("Bowman"),
    gettext_noop("Double Web"),
    gettext_noop("Twin Mitchell"),
    gettext_noop("1½ Appendix Mitchell"),
    gettext_noop("Appendix Mitchell"),
    gettext_noop("Rover Mitchell, East-West"),
    gettext_noop("Rover Mitchell, North-South"),
    gettext_noop("Rover with party table"),
    gettext_noop("Barometer Mitchell"),
    gettext_noop("Howell"),
    gettext_noop("Three-quarter Howell"),
    gettext_noop("Hesitation Mitchell"),
    gettext_noop("Double Hesitation"),
    gettext_noop("Extended Hesitation"),
    gettext_noop("Scrambled Mitchell"),
    gettext_noop("Hybrid"),
    gettext_noop("Scissors Howell"),
    gettext_noop("Two-Way Rover"),
    gettext_noop("Two-Way Rover with party table"),
    gettext_noop("Rainbow individual"),
    gettext_noop("Shomate individual"),
    gettext_noop("Individual"),
    gettext_noop("Head-to-Head"),
    gettext_noop("Triangle"),
    gettext_noop("American Whist"),
    gettext_noop("New England Relay"),
    gettext_noop("Mitchell for Teams"),
    gettext_noop("Round Robin"),
    gettext_noop("Team Rings"),
    gettext_noop("Knock-out"),
    gettext_noop("Swiss"),
)
