"""The session's document: JSON in, values out, and every reference checked.

Raises `ScoringError` with the path of the first thing that is wrong, `ImpossibleOutcomes` with all
outcomes that no table can have had.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from movements.engine.contest import Contest

from . import laws
from .errors import ImpossibleOutcomes, ScoringError
from .model import (
    LINES,
    Artificial,
    Assigned,
    Award,
    Contestant,
    Contract,
    Deal,
    Left,
    Line,
    Match,
    NotPlayed,
    Outcome,
    Parts,
    PassedOut,
    Penalty,
    Pending,
    Play,
    Played,
    ScoreOnly,
    Section,
    Session,
    SitOut,
    Stage,
    Strain,
    Who,
)
from .profile import Profile, read_profile
from .reading import Node, first_twice, load

_CONTRACT = re.compile(r"([1-7])(NT?|[CDHS])(x{0,2})", re.IGNORECASE)
_CARD = re.compile(r"[SHDC](10|[2-9TJQKA])")
_MOST_PARTS = 5
_SEATS = ("n", "s", "e", "w")


def read_document(text: str) -> tuple[Session, Profile]:
    """Return the session and the profile of a document."""
    node = load(text)
    node.keys(
        *("name", "contest", "profile", "stage", "sections", "contestants", "plays"),
        *("sit_outs", "deals", "penalties", "matches"),
    )
    contest = Contest(node["contest"].one_of(*Contest))
    return _Reader(node, contest).session(), read_profile(node["profile"], contest)


class _Reader:
    def __init__(self, node: Node, contest: Contest) -> None:
        self.node = node
        self.contest = contest
        self.sections: dict[str, Section] = {}
        self.contestants: dict[Who, Contestant] = {}

    def session(self) -> Session:
        node = self.node
        self.sections = self._sections()
        self.contestants = {one.who: one for one in self._contestants()}
        plays = tuple(self._play(index, one) for index, one in enumerate(node["plays"]))
        session = Session(
            name=node["name"].text(""),
            contest=self.contest,
            sections=tuple(self.sections.values()),
            contestants=tuple(self.contestants.values()),
            plays=plays,
            sit_outs=tuple(map(self._sit_out, node["sit_outs"])),
            deals=tuple(map(self._deal, node["deals"])),
            penalties=tuple(map(self._penalty, node["penalties"])),
            matches=tuple(self._match(index, one) for index, one in enumerate(node["matches"])),
            stage=self._stage(node["stage"]),
        )
        self._check_places(session)
        if impossible := laws.impossible(session):
            raise ImpossibleOutcomes(impossible)
        return session

    # ── sections and contestants ──

    def _sections(self) -> dict[str, Section]:
        sections = [self._section(one) for one in self.node["sections"]] or [Section("A")]
        if twice := first_twice([one.name for one in sections]):
            self.node["sections"].fail(f"section {twice} stands there twice")
        return {one.name: one for one in sections}

    def _section(self, node: Node) -> Section:
        node.keys("section", "winners", "expected", "deals")
        return Section(
            node["section"].label("A"),
            node["winners"].one_of(1, 2, 4),
            node["expected"].optional_whole(least=1),
            node["deals"].optional_text(),
        )

    def _section_of(self, node: Node) -> str:
        name = node["section"]
        if name.is_absent and len(self.sections) == 1:
            return next(iter(self.sections))
        if name.text() not in self.sections:
            name.fail(f"there is no section {name.text()}")
        return name.text()

    def _contestants(self) -> Iterator[Contestant]:
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
            who = Who(self._section_of(node), node["label"].label())
            if who in seen:
                node["label"].fail(f"{who.label} stands there twice")
            seen.add(who)
            fields = self.sections[who.section].fields
            left = node["left"]
            if not left.is_absent:
                left.keys("after_round", "listed")
            points = node["points"]
            yield Contestant(
                who=who,
                field=self._field(node["field"], fields),
                names=tuple(one.text() for one in node["names"]),
                pairs=node["pairs"].texts(),
                seed=node["seed"].optional_whole(),
                lot=node["lot"].optional_whole(),
                stratum=node["stratum"].optional_whole(least=1),
                points=(
                    points.numbers()
                    if isinstance(points.value, list) or points.is_absent
                    else (points.number(),)
                ),
                categories=node["categories"].texts(),
                handicap=node["handicap"].numbers(),
                recent=node["recent"].numbers(),
                earlier=tuple(map(self._earlier, node["earlier"])),
                standing=node["standing"].flag(True),
                left=(
                    None
                    if left.is_absent
                    else Left(left["after_round"].whole(least=0), left["listed"].flag())
                ),
            )

    def _field(self, node: Node, fields: tuple[str, ...]) -> str:
        if node.is_absent and len(fields) > 1:
            node.fail(f"is missing: {' or '.join(fields)}")
        if not node.is_absent and node.text() not in fields:
            node.fail(f"{node.text()!r} is not {' or '.join(fields)}")
        return node.text(fields[0])

    def _earlier(self, node: Node) -> dict[str, Fraction]:
        node.keys("percent", "boards", "score", "max", "vps", "imps")
        kinds = ({"percent", "boards"}, {"score", "max", "boards"}, {"vps"}, {"imps"})
        if set(node.value) not in kinds:
            node.fail("is not percent and boards, score, max and boards, vps, or imps")
        return {key: node[key].number() for key in node.value}

    def _who(self, section: str, node: Node) -> str:
        if Who(section, node.label()) not in self.contestants:
            node.fail(f"there is no contestant {node.label()} in section {section}")
        return node.label()

    # ── plays ──

    def _play(self, index: int, node: Node) -> Play:
        seats = _SEATS if self.contest.plays_alone else ("ns", "ew")
        node.keys(
            *("section", "round", "table", "board", *seats, "ns_pair", "ew_pair"),
            *("group", "outcome"),
        )
        section = self._section_of(node)
        sitting = [self._who(section, node[seat]) for seat in seats]
        if twice := first_twice(sitting):
            node.fail(f"{twice} sits there twice")
        half = len(sitting) // 2
        group = node["group"]
        return Play(
            index=index,
            section=section,
            round=node["round"].optional_whole(least=1),
            table=node["table"].optional_whole(least=1),
            board=node["board"].whole(least=1),
            ns=tuple(sitting[:half]),
            ew=tuple(sitting[half:]),
            outcome=self._outcome(node["outcome"]),
            ns_pair=node["ns_pair"].optional_text(),
            ew_pair=node["ew_pair"].optional_text(),
            group=None if group.is_absent else str(group.value),
        )

    def _outcome(self, node: Node) -> Outcome:
        if node.is_absent:
            return None
        if not isinstance(node.value, dict):
            node.fail("is no object")
        for key, read in (
            ("contract", self._played),
            ("passed", self._passed),
            ("pending", self._pending),
            ("score", self._score),
            ("assigned", self._assigned),
            ("artificial", self._artificial),
            ("not_played", self._not_played),
        ):
            if key in node.value:
                return read(node)
        node.fail("says nothing of what came of the play")

    def _played(self, node: Node) -> Outcome:
        node.keys("contract", "declarer", "tricks", "lead")
        tricks = node["tricks"].whole(least=0)
        if tricks > 13:
            node["tricks"].fail(f"{tricks} is more than 13")
        lead = node["lead"].optional_text()
        if lead is not None and not _CARD.fullmatch(lead):
            node["lead"].fail(f"{lead!r} is no card")
        return (
            Played(
                self._contract(node["contract"]),
                node["declarer"].one_of("N", "E", "S", "W"),
                tricks,
                lead,
            )
            if not node["declarer"].is_absent
            else node["declarer"].fail("is missing")
        )

    def _contract(self, node: Node) -> Contract:
        found = _CONTRACT.fullmatch(node.text())
        if not found:
            node.fail(f"{node.text()!r} is no contract")
        strain: Strain = found[2][0].upper()  # type: ignore[assignment]
        return Contract(int(found[1]), strain, len(found[3]))

    def _passed(self, node: Node) -> Outcome:
        node.keys("passed")
        return PassedOut() if node["passed"].flag() else node["passed"].fail("is not true")

    def _pending(self, node: Node) -> Outcome:
        node.keys("pending")
        return Pending() if node["pending"].flag() else node["pending"].fail("is not true")

    def _score(self, node: Node) -> Outcome:
        node.keys("score", "beside")
        beside = node["beside"]
        if beside.is_absent:
            return ScoreOnly(node["score"].whole())
        beside.keys("contract", "declarer", "tricks", "lead")
        shown: dict[str, object] = {}
        if not beside["contract"].is_absent:
            shown["contract"] = self._contract(beside["contract"])
        if not beside["declarer"].is_absent:
            shown["declarer"] = beside["declarer"].one_of("N", "E", "S", "W")
        if not beside["tricks"].is_absent:
            shown["tricks"] = beside["tricks"].whole(least=0)
        if not beside["lead"].is_absent:
            shown["lead"] = beside["lead"].text()
        return ScoreOnly(node["score"].whole(), shown)

    def _assigned(self, node: Node) -> Outcome:
        node.keys("assigned")
        both = node["assigned"].keys("ns", "ew")
        ns = self._parts(both["ns"])
        return Assigned(ns, ns if both["ew"].is_absent else self._parts(both["ew"]))

    def _parts(self, node: Node) -> Parts:
        found: list[tuple[Fraction, int]] = []
        for part in node:
            if not isinstance(part.value, list) or len(part.value) != 2:
                part.fail("is not a weight and a score")
            weight, score = part
            found.append((_weight(weight), score.whole()))
        if not 1 <= len(found) <= _MOST_PARTS:
            node.fail(f"has {len(found)} parts, not 1 to {_MOST_PARTS}")
        if (total := sum(weight for weight, _ in found)) != 1:
            node.fail(f"weights add to {float(100 * total):g} %, not 100")
        return tuple(found)

    def _artificial(self, node: Node) -> Outcome:
        node.keys("artificial", "outside")
        both = node["artificial"].keys("ns", "ew")
        return Artificial(_award(both["ns"]), _award(both["ew"]), node["outside"].flag())

    def _not_played(self, node: Node) -> Outcome:
        node.keys("not_played", "side")
        reason = node["not_played"].one_of("time", "skipped", "sit-out", "missing", "cancelled")
        return NotPlayed(reason, node["side"].optional_one_of(*LINES))

    # ── the rest ──

    def _sit_out(self, node: Node) -> SitOut:
        node.keys("section", "round", "contestant", "boards", "reason")
        section = self._section_of(node)
        return SitOut(
            Who(section, self._who(section, node["contestant"])),
            node["round"].optional_whole(least=1),
            node["boards"].wholes(least=1),
            node["reason"].one_of("planned", "missing"),
        )

    def _deal(self, node: Node) -> Deal:
        node.keys("section", "board", "pbn", "dd")
        section = None if node["section"].is_absent else self._section_of(node)
        dd = node["dd"].value
        pbn = node["pbn"].text()
        if laws.hands(pbn) is None:
            node["pbn"].fail("is no deal of 52 cards")
        return Deal(
            section, node["board"].whole(least=1), pbn, dd if isinstance(dd, dict) else None
        )

    def _penalty(self, node: Node) -> Penalty:
        node.keys(
            *("section", "contestant", "board", "round", "unit", "amount"),
            *("kind", "reason", "by"),
        )
        section = self._section_of(node)
        if node["unit"].is_absent:
            node["unit"].fail("is missing")
        return Penalty(
            Who(section, self._who(section, node["contestant"])),
            node["unit"].one_of("top", "percent", "matchpoints", "imps", "vps"),
            node["amount"].number(),
            node["board"].optional_whole(least=1),
            node["round"].optional_whole(least=1),
            node["kind"].text(""),
            node["reason"].text(""),
            node["by"].text(""),
            node.path,
        )

    def _match(self, index: int, node: Node) -> Match:
        node.keys(
            *("section", "round", "rounds", "home", "away", "boards", "deals", "half", "vp"),
            *("carry", "stanza", "given", "provisional", "void", "missing", "wrong_seats"),
        )
        section = self._section_of(node)
        home = self._who(section, node["home"])
        away = None if node["away"].is_absent else self._who(section, node["away"])
        if home == away:
            node["away"].fail(f"{home} plays nobody but itself")
        given, void = node["given"], node["void"]
        if not given.is_absent:
            given.keys("home", "away")
        if not void.is_absent:
            void.keys("home", "away")
        return Match(
            index=index,
            section=section,
            round=node["round"].whole(least=1),
            home=home,
            away=away,
            boards=node["boards"].wholes(least=1),
            rounds=node["rounds"].wholes(least=1),
            deals=node["deals"].optional_text(),
            half=node["half"].flag(),
            carry=node["carry"].number(Fraction(0)),
            stanza=node["stanza"].optional_whole(least=1),
            given=None if given.is_absent else (given["home"].number(), given["away"].number()),
            provisional=node["provisional"].flag(),
            void=None if void.is_absent else (_award(void["home"]), _award(void["away"])),
            missing=node["missing"].optional_one_of("home", "away"),
            wrong_seats=node["wrong_seats"].optional_one_of("sides", "director"),
        )

    def _stage(self, node: Node) -> Stage | None:
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
        )
        exchange = []
        for pair in node["exchange"]:
            names = pair.texts()
            if len(names) != 2:
                pair.fail("is not two contestants")
            exchange.append((names[0], names[1]))
        behind = node["behind"]
        return Stage(
            kind=node["kind"].one_of("swiss", "round-robin", "knock-out"),
            rounds=node["rounds"].optional_whole(least=1),
            boards=node["boards"].optional_whole(least=1),
            first=node["first"].one_of("slide", "fold", "random"),
            seed=node["seed"].optional_whole(),
            odd=node["odd"].one_of("bye", "triangle", "long-triangle"),
            ignore_before=node["ignore_before"].optional_whole(least=1),
            behind=int(behind.flag())
            if isinstance(behind.value, bool)
            else behind.whole(0, least=0),
            late=node["late"].one_of("wait", "last-complete", "provisional"),
            stationary=node["stationary"].texts(),
            balance=node["balance"].flag(),
            exchange=tuple(exchange),
            qualifiers=node["qualifiers"].optional_whole(least=2),
            carry=node["carry"].optional_number(),
        )

    def _check_places(self, session: Session) -> None:
        """Nothing is played twice at one place, and nobody plays a board twice in a round."""
        places = [
            (one.section, one.round, one.table, one.board, one.ns, one.ew)
            for one in session.plays
            if one.round is not None and one.table is not None
        ]
        seen: dict[tuple[object, ...], int] = {}
        for index, place in enumerate(places):
            if place in seen:
                raise ScoringError(f"plays[{index}]", f"is plays[{seen[place]}] once more")
            seen[place] = index


def _weight(node: Node) -> Fraction:
    if isinstance(node.value, str):
        try:
            above, below = node.value.split("/")
            return Fraction(int(above), int(below))
        except (ValueError, ZeroDivisionError):
            node.fail(f"{node.value!r} is no fraction")
    value = node.number() / 100
    if not 0 < value <= 1:
        node.fail("is no share of 100 %")
    return value


def _award(node: Node) -> Award:
    if node.is_absent:
        return None
    if isinstance(node.value, str):
        return node.one_of("AVE+", "AVE", "AVE-")  # type: ignore[no-any-return]
    return node.number()


def other(line: Line) -> Line:
    """Return the side across."""
    return "ew" if line == "ns" else "ns"
