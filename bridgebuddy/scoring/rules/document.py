"""Reading of the session's document: from JSON to values, with every reference checked.

Raises `ScoringError` with the path of the first error, or `ImpossibleOutcomes` with all outcomes that are impossible
at a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from bridgebuddy.deals.rules.hands import hands_of_deal
from movements.engine.contest import Contest

from . import laws, outcomes
from .errors import ImpossibleOutcomes, ScoringError
from .model import (
    Contestant,
    ContestantKey,
    Deal,
    Departure,
    Earlier,
    InPercent,
    InPoints,
    Match,
    Penalty,
    Play,
    Section,
    Session,
    SitOut,
    Stage,
    Unit,
)
from .profile import Profile, read_profile, read_scale
from .reading import DocumentNode, first_repeated_value, load_document

_SEATS = ("n", "s", "e", "w")


def read_document(text: str) -> tuple[Session, Profile]:
    """Parse a session document. Return the session to be scored, and its scoring profile."""
    node = load_document(text)
    node.keys(
        *("name", "contest", "profile", "stage", "sections", "contestants", "plays"),
        *("sit_outs", "deals", "penalties", "matches"),
    )
    contest = Contest(node["contest"].one_of(*Contest))
    return _DocumentReader(node, contest).session(), read_profile(node["profile"], contest)


class _DocumentReader:
    """Reads a session from a JSON document and checks it."""

    def __init__(self, node: DocumentNode, contest: Contest) -> None:
        self.node = node
        self.contest = contest
        self.sections: dict[str, Section] = {}
        self.contestants: dict[ContestantKey, Contestant] = {}

    def session(self) -> Session:
        """Return the session; raise `ScoringError` with the path of the first error."""
        node = self.node
        self.sections = self._read_sections()
        self.contestants = {contestant.who: contestant for contestant in self._read_contestants()}
        plays = tuple(
            self._read_play(index, play_node) for index, play_node in enumerate(node["plays"])
        )
        session = Session(
            name=node["name"].text(""),
            contest=self.contest,
            sections=tuple(self.sections.values()),
            contestants=tuple(self.contestants.values()),
            plays=plays,
            sit_outs=tuple(map(self._read_sit_out, node["sit_outs"])),
            deals=tuple(map(self._read_deal, node["deals"])),
            penalties=tuple(map(self._read_penalty, node["penalties"])),
            matches=tuple(
                self._read_match(index, match_node)
                for index, match_node in enumerate(node["matches"])
            ),
            stage=self._read_stage(node["stage"]),
        )
        check_no_repeated_plays(session)
        if refused := laws.impossible_outcomes(session):
            raise ImpossibleOutcomes([error for _, error in refused])
        return session

    # ── sections and contestants ──

    def _read_sections(self) -> dict[str, Section]:
        """Return the sections by name."""
        sections = [self._read_section(section_node) for section_node in self.node["sections"]] or [
            Section("A")
        ]
        if twice := first_repeated_value([section.name for section in sections]):
            self.node["sections"].raise_error(f"section {twice} stands there twice")
        return {section.name: section for section in sections}

    def _read_section(self, node: DocumentNode) -> Section:
        """Return the section that a node describes."""
        node.keys("section", "winners", "expected", "deals")
        return Section(
            node["section"].label("A"),
            node["winners"].one_of(1, 2, 4),
            node["expected"].optional_whole_number(minimum=1),
            node["deals"].optional_text(),
        )

    def _read_section_name(self, node: DocumentNode) -> str:
        """Return the name in a node, which must be that of a section in the document."""
        name = node["section"]
        if name.is_absent and len(self.sections) == 1:
            return next(iter(self.sections))
        if name.text() not in self.sections:
            name.raise_error(f"there is no section {name.text()}")
        return name.text()

    def _read_contestants(self) -> Iterator[Contestant]:
        """Yield the contestants of the document."""
        seen = set()
        for node in self.node["contestants"]:
            node.keys(
                *(
                    "label",
                    "section",
                    "field",
                    "names",
                    "pairs",
                    "seed",
                    "stratum",
                    "points",
                    "lot",
                ),
                *("categories", "handicap", "recent", "earlier", "standing", "left"),
            )
            contestant = ContestantKey(self._read_section_name(node), node["label"].label())
            if contestant in seen:
                node["label"].raise_error(f"{contestant.label} stands there twice")
            seen.add(contestant)
            fields = self.sections[contestant.section].fields
            left = node["left"]
            if not left.is_absent:
                left.keys("after_round", "listed")
            points = node["points"]
            yield Contestant(
                who=contestant,
                field=self._field_name(node["field"], fields),
                names=tuple(name_node.text() for name_node in node["names"]),
                pairs=node["pairs"].texts(),
                seed=node["seed"].optional_whole_number(),
                lot=node["lot"].optional_whole_number(),
                stratum=node["stratum"].optional_whole_number(minimum=1),
                points=(
                    points.numbers()
                    if isinstance(points.value, list | tuple) or points.is_absent
                    else (points.number(),)
                ),
                categories=node["categories"].texts(),
                handicap=node["handicap"].numbers(),
                recent=node["recent"].numbers(),
                earlier=tuple(map(self._earlier_result, node["earlier"])),
                standing=node["standing"].boolean(True),
                left=(
                    None
                    if left.is_absent
                    else Departure(left["after_round"].whole(minimum=0), left["listed"].boolean())
                ),
            )

    def _field_name(self, node: DocumentNode, fields: tuple[str, ...]) -> str:
        """Return a contestant's direction ("NS", "EW" …), which the document omits if there is only one ranking."""
        if node.is_absent and len(fields) > 1:
            node.raise_error(f"is missing: {' or '.join(fields)}")
        if not node.is_absent and node.text() not in fields:
            node.raise_error(f"{node.text()!r} is not {' or '.join(fields)}")
        return node.text(fields[0])

    def _earlier_result(self, node: DocumentNode) -> Earlier:
        """Return a contestant's result of an earlier session."""
        node.keys("percent", "boards", "score", "max", "vps", "imps")
        kinds = ({"percent", "boards"}, {"score", "max", "boards"}, {"vps"}, {"imps"})
        keys = {key for key, value in node.value.items() if value is not None}
        if keys not in kinds:
            node.raise_error("is not percent and boards, score, max and boards, vps, or imps")
        figures = {key: node[key].ratio() for key in node.value if key in keys}
        for key in ("boards", "max"):
            if figures.get(key, 1) <= 0:
                node[key].raise_error("is not more than 0")
        match figures:
            case {"percent": percent, "boards": boards}:
                return InPercent(percent, boards, 100 * boards)
            case {"score": score, "max": top, "boards": boards}:
                return InPercent(100 * score / top, boards, top)
        [points] = figures.values()
        return InPoints(points)

    def _contestant_label(self, section: str, node: DocumentNode) -> str:
        """Return the label in a node, which must be that of a contestant in the section."""
        if ContestantKey(section, node.label()) not in self.contestants:
            node.raise_error(f"there is no contestant {node.label()} in section {section}")
        return node.label()

    # ── plays ──

    def _read_play(self, index: int, node: DocumentNode) -> Play:
        """Return the play with this index from its node."""
        seats = _SEATS if self.contest.plays_alone else ("ns", "ew")
        node.keys(
            *("section", "round", "table", "board", *seats, "ns_pair", "ew_pair"),
            *("group", "deals", "outcome", "aside"),
        )
        section = self._read_section_name(node)
        sitting = [self._contestant_label(section, node[seat]) for seat in seats]
        if twice := first_repeated_value(sitting):
            node.raise_error(f"{twice} sits there twice")
        half = len(sitting) // 2
        group = node["group"]
        return Play(
            index=index,
            section=section,
            round=node["round"].optional_whole_number(minimum=1),
            table=node["table"].optional_whole_number(minimum=1),
            board=node["board"].whole(minimum=1),
            ns=tuple(sitting[:half]),
            ew=tuple(sitting[half:]),
            outcome=outcomes.read_or_refuse(node["outcome"]),
            ns_pair=node["ns_pair"].optional_text(),
            ew_pair=node["ew_pair"].optional_text(),
            group=None if group.is_absent else str(group.value),
            deals=node["deals"].optional_text(),
            aside=node["aside"].boolean(),
        )

    # ── the rest ──

    def _read_sit_out(self, node: DocumentNode) -> SitOut:
        """Return the sit-out that a node describes."""
        node.keys("section", "round", "contestant", "boards", "reason")
        section = self._read_section_name(node)
        return SitOut(
            ContestantKey(section, self._contestant_label(section, node["contestant"])),
            node["round"].optional_whole_number(minimum=1),
            node["boards"].whole_numbers(minimum=1),
            node["reason"].one_of("planned", "missing"),
        )

    def _read_deal(self, node: DocumentNode) -> Deal:
        """Return the deal that a node describes."""
        node.keys("section", "board", "pbn", "dd")
        section = None if node["section"].is_absent else self._read_section_name(node)
        dd = node["dd"].value
        pbn = node["pbn"].text()
        if hands_of_deal(pbn) is None:
            node["pbn"].raise_error("is no deal of 52 cards")
        return Deal(
            section, node["board"].whole(minimum=1), pbn, dd if isinstance(dd, dict) else None
        )

    def _read_penalty(self, node: DocumentNode) -> Penalty:
        """Return the penalty or bonus that a node describes."""
        node.keys(
            *("section", "contestant", "board", "round", "unit", "amount"),
            *("kind", "reason", "by"),
        )
        section = self._read_section_name(node)
        if node["unit"].is_absent:
            node["unit"].raise_error("is missing")
        return Penalty(
            ContestantKey(section, self._contestant_label(section, node["contestant"])),
            read_unit(node["unit"]),
            node["amount"].number(),
            node["board"].optional_whole_number(minimum=1),
            node["round"].optional_whole_number(minimum=1),
            node["kind"].text(""),
            node["reason"].text(""),
            node["by"].text(""),
            node.path,
        )

    def _read_match(self, index: int, node: DocumentNode) -> Match:
        """Return the match with this index from its node."""
        node.keys(
            *("section", "round", "rounds", "home", "away", "boards", "deals", "half", "vp"),
            *("carry", "stanza", "given", "provisional", "void", "missing", "wrong_seats", "aside"),
        )
        section = self._read_section_name(node)
        home = self._contestant_label(section, node["home"])
        away = None if node["away"].is_absent else self._contestant_label(section, node["away"])
        if home == away:
            node["away"].raise_error(f"{home} plays nobody but itself")
        given, void = node["given"], node["void"]
        if not given.is_absent:
            given.keys("home", "away")
        if not void.is_absent:
            void.keys("home", "away")
        return Match(
            index=index,
            section=section,
            round=node["round"].whole(minimum=1),
            home=home,
            away=away,
            boards=node["boards"].whole_numbers(minimum=1),
            rounds=node["rounds"].whole_numbers(minimum=1),
            deals=node["deals"].optional_text(),
            half=node["half"].boolean(),
            vp=read_scale(node["vp"]),
            carry=node["carry"].number(Fraction(0)),
            stanza=node["stanza"].optional_whole_number(minimum=1),
            given=None if given.is_absent else (given["home"].number(), given["away"].number()),
            provisional=node["provisional"].boolean(),
            void=None
            if void.is_absent
            else (outcomes.read_award(void["home"]), outcomes.read_award(void["away"])),
            missing=node["missing"].optional_one_of("home", "away"),
            wrong_seats=node["wrong_seats"].optional_one_of("sides", "director"),
            aside=node["aside"].boolean(),
        )

    def _read_stage(self, node: DocumentNode) -> Stage | None:
        """Return the rules by which the next round is drawn; None without any."""
        if node.is_absent:
            return None
        node.keys(
            *(
                "kind",
                "rounds",
                "boards",
                "first",
                "seed",
                "odd",
                "ignore_before",
                "behind",
                "late",
            ),
            *("stationary", "balance", "exchange", "qualifiers", "carry"),
            *("danish", "chart", "compact", "through"),
        )
        exchange = []
        for pair in node["exchange"]:
            names = pair.texts()
            if len(names) != 2:
                pair.raise_error("is not two contestants")
            exchange.append((names[0], names[1]))
        behind = node["behind"]
        return Stage(
            kind=node["kind"].one_of("swiss", "round-robin", "knock-out"),
            rounds=node["rounds"].optional_whole_number(minimum=1),
            boards=node["boards"].optional_whole_number(minimum=1),
            first=node["first"].one_of("slide", "fold", "random"),
            seed=node["seed"].optional_whole_number(),
            odd=node["odd"].one_of("bye", "triangle", "long-triangle"),
            ignore_before=node["ignore_before"].optional_whole_number(minimum=1),
            behind=int(behind.boolean())
            if isinstance(behind.value, bool)
            else behind.whole(0, minimum=0),
            late=node["late"].one_of("wait", "last-complete", "provisional"),
            stationary=node["stationary"].texts(),
            balance=node["balance"].boolean(),
            exchange=tuple(exchange),
            qualifiers=node["qualifiers"].optional_whole_number(minimum=2),
            carry=node["carry"].optional_number(),
            danish=node["danish"].boolean(),
            chart=node["chart"].boolean(),
            compact=node["compact"].boolean(),
            through=tuple(round.texts() for round in node["through"]),
        )


def read_unit(node: DocumentNode) -> Unit:
    """Return the unit of a penalty from its node. Raises `ScoringError`."""
    return node.one_of("top", "percent", "matchpoints", "imps", "vps")  # type: ignore[no-any-return]


def check_no_repeated_plays(session: Session) -> None:
    """Raise `ScoringError` if two plays have the same place, or a contestant plays a board twice in a round."""
    seen: dict[tuple[object, ...], int] = {}
    for play in session.plays:
        if play.round is None or play.table is None:
            continue
        place = (play.section, play.round, play.table, play.board, play.ns, play.ew)
        if place in seen:
            raise ScoringError(f"plays[{play.index}]", f"is plays[{seen[place]}] once more")
        seen[place] = play.index
