"""The invented club in each language: its name, its director, its members and what its events are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_noop

Pair = tuple[str, str]


@dataclass(frozen=True)
class ClubWords:
    """The invented names and texts of a demo club in one language; pairs are listed strongest first."""

    name: str
    director: tuple[str, str]
    pairs: Sequence[Pair]
    teams: Sequence[str]
    tuesday: str
    friday: str
    swiss: str
    individual: str
    cross_imps: str
    tonight: str
    team_match: str
    championship: str
    handicap_cup: str
    reason_of_chart: str


ENGLISH = ClubWords(
    name="Riverside Bridge Club",
    director=("Helen", "Marsh"),
    pairs=(
        ("David Turner", "Ruth Bennett"),
        ("Margaret Hughes", "Peter Collins"),
        ("Richard Hollis", "Jean Hollis"),
        ("Susan Clarke", "John Whitfield"),
        ("Geoffrey Tate", "Anil Kapoor"),
        ("Patricia Evans", "Michael Shaw"),
        ("Martin Ashby", "Carol Ashby"),
        ("Christine Ward", "Alan Foster"),
        ("Eleanor Grant", "Stephen Rowe"),
        ("Colin Ferris", "Sheila Ferris"),
        ("Janet Palmer", "Brian Cooper"),
        ("Wendy Langley", "Dorothy Pike"),
        ("Nigel Braddock", "Judith Braddock"),
        ("Linda Harris", "Sean O'Neill"),
        ("Frances Irving", "Hugh Mortimer"),
        ("Trevor Lyle", "Maureen Lyle"),
        ("Gillian Webb", "Kenneth Dale"),
        ("Barbara Stone", "Philip Yates"),
        ("Rosemary Finch", "Arthur Bell"),
        ("Douglas Quinn", "Valerie Quinn"),
        ("Angela Norris", "Raymond Holt"),
        ("Marion Slater", "Leonard Fry"),
        ("Joyce Kendall", "Stanley Moore"),
        ("Beryl Archer", "Edwin Cross"),
    ),
    teams=("Kingfishers", "Weirside", "Old Mill", "Bridge End", "Ferrymen", "Towpath"),
    tuesday="Tuesday Pairs",
    friday="Friday Teams",
    swiss="Swiss Teams",
    individual="Individual",
    cross_imps="Friday Cross-IMPs",
    tonight=gettext_noop("Open Pairs"),  # visitors read it in their language
    team_match="Teams of Four",
    championship="Club Championship",
    handicap_cup="Handicap Cup",
    reason_of_chart=gettext_noop("Everybody meets everybody."),
)

GERMAN = ClubWords(
    name="Bridgeclub Lindenhof",
    director=("Anna", "Weber"),
    pairs=(
        ("Hanna Brandt", "Karl Fischer"),
        ("Ingrid Lehmann", "Klaus Richter"),
        ("Werner Albrecht", "Gudrun Albrecht"),
        ("Monika Vogel", "Heinz Krause"),
        ("Elisabeth Koch", "Dieter Sommer"),
        ("Barbara Neumann", "Jürgen Wolf"),
        ("Rainer Petersen", "Silke Petersen"),
        ("Helga Zimmermann", "Ernst Bauer"),
        ("Gisela Hartmann", "Rolf Busch"),
        ("Ursula Seidel", "Manfred Otto"),
        ("Georg Lindner", "Marianne Lindner"),
        ("Sabine Engel", "Thomas Reuter"),
        ("Renate Jahn", "François Ebert"),
        ("Hildegard Kaiser", "Brigitte Thiel"),
        ("Uwe Hansen", "Karin Hansen"),
        ("Annemarie Graf", "Gerhard Lorenz"),
        ("Volker Dietrich", "Erika Schuster"),
        ("Rosemarie Beck", "Wolfgang Pohl"),
        ("Horst Winkler", "Edith Winkler"),
        ("Christa Ludwig", "Günter Simon"),
        ("Irmgard Böhm", "Siegfried Arnold"),
        ("Peter Nowak", "Ilse Nowak"),
        ("Waltraud Franke", "Eberhard Roth"),
        ("Gerda Schubert", "Alfred Haas"),
    ),
    teams=("Eisvögel", "Mühlentor", "Alte Post", "Lindenallee", "Schleusenwärter", "Uferweg"),
    tuesday="Dienstagsturnier",
    friday="Teamliga",
    swiss="Schweizer Teams",
    individual="Individual",
    cross_imps="Cross-IMPs am Freitag",
    tonight="Offenes Paarturnier",
    team_match="Teamturnier",
    championship="Clubmeisterschaft",
    handicap_cup="Handicap-Pokal",
    reason_of_chart="Jedes Paar trifft jedes andere.",
)

WORDS = {"en": ENGLISH, "de": GERMAN}


def teams_of(words: ClubWords, first_pair: int, count: int) -> list[tuple[str, str, str, str]]:
    """Return `count` teams of four, each of two pairs of the list, from `first_pair` (0 is the strongest) on."""
    pairs = words.pairs[first_pair : first_pair + 2 * count]
    return [(*pairs[i], *pairs[i + count]) for i in range(count)]
