"""A session scored a second time, from the laws alone: every result against every other, nothing shared
with the product but the document. Pairs and individuals, across the field, without groups or matches.
"""

from __future__ import annotations

import json
from fractions import Fraction as F

IMP_STEPS = [
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
]
VULNERABLE = {
    "N": (2, 4, 5, 7, 10, 12, 13, 15),
    "E": (3, 4, 6, 7, 9, 10, 13, 16),
}
NO_VALUE = object()


def contract_score(board: int, contract: str, declarer: str, tricks: int) -> int:
    """Law 77, written out."""
    vulnerable = (board - 1) % 16 + 1 in VULNERABLE["N" if declarer in "NS" else "E"]
    level, strain, times = int(contract[0]), contract[1], 2 ** contract.count("x")
    needed = level + 6
    if tricks < needed:
        down = needed - tricks
        if times == 1:
            lost = down * (100 if vulnerable else 50)
        else:
            steps = [200] + [300] * 12 if vulnerable else [100, 200, 200] + [300] * 10
            lost = sum(steps[:down]) * times // 2
        points = -lost
    else:
        trick = 20 if strain in "CD" else 30
        odd = (trick * level + (10 if strain == "N" else 0)) * times
        points = odd + (50 if times == 2 else 100 if times == 4 else 0)
        points += 50 if odd < 100 else 500 if vulnerable else 300
        points += {6: 500, 7: 1000}.get(level, 0) + (
            {6: 250, 7: 500}.get(level, 0) if vulnerable else 0
        )
        extra = trick if times == 1 else (50 * times) * (2 if vulnerable else 1)
        points += (tricks - needed) * extra
    return points if declarer in "NS" else -points


def imps(difference: int) -> int:
    count = sum(abs(difference) >= step for step in IMP_STEPS)
    return count if difference >= 0 else -count


def half_away(value: F, middle: int = 0) -> F:
    """Round to a whole number, an exact half away from the middle."""
    low = value.numerator // value.denominator
    rest = value - low
    if rest == F(1, 2):
        return F(low if value < middle else low + 1)
    return F(low + (rest > F(1, 2)))


class Recount:
    """A second count of all scores, by play and side, and in total."""

    def __init__(self, text: str) -> None:
        self.document = json.loads(text, parse_float=F, parse_int=int)
        self.profile = self.document.get("profile", {})
        self.method = self.profile.get("method", "matchpoints")
        self.unequal = self.profile.get("unequal", "neuberg")
        self.is_mp = self.method == "matchpoints"
        self.plays = self.document["plays"]
        self.fates = [self.fate(play) for play in self.plays]
        self.judge_missing()
        self.judge_leavers()
        counts: dict[int, int] = {}
        self.scored: dict[int, list[int]] = {}
        self.waiting: set[int] = set()
        for index, (play, fate) in enumerate(zip(self.plays, self.fates, strict=True)):
            counts[play["board"]] = counts.get(play["board"], 0) + fate["expected"]
            if fate["kind"] == "scored":
                self.scored.setdefault(play["board"], []).append(index)
            elif fate["kind"] == "open":
                self.waiting.add(play["board"])
        self.expected = max(counts.values(), default=0)
        self.values = [
            [self.value(index, line) for line in (0, 1)] for index in range(len(self.plays))
        ]
        self.fill_averages()

    def sides(self, play: dict) -> tuple[list[str], list[str]]:
        if "n" in play:
            return [play["n"], play["s"]], [play["e"], play["w"]]
        return [play["ns"]], [play["ew"]]

    def fate(self, play: dict) -> dict:
        outcome = play.get("outcome")
        found = {"kind": "open", "expected": 1, "given": None, "parts": None, "due": True}
        if outcome is None or outcome.get("pending"):
            return found
        if "not_played" in outcome:
            reason = outcome["not_played"]
            found["kind"] = "none"
            found["expected"] = int(reason in ("time", "skipped"))
            found["due"] = reason != "cancelled"
        elif "artificial" in outcome:
            found["kind"] = "given"
            found["given"] = [outcome["artificial"].get("ns"), outcome["artificial"].get("ew")]
        else:
            found["kind"] = "scored"
            if "assigned" in outcome:
                ns = outcome["assigned"]["ns"]
                lists = [ns, outcome["assigned"].get("ew") or ns]
            elif outcome.get("passed"):
                lists = [[[100, 0]]] * 2
            elif "score" in outcome:
                lists = [[[100, outcome["score"]]]] * 2
            else:
                points = contract_score(
                    play["board"], outcome["contract"], outcome["declarer"], outcome["tricks"]
                )
                lists = [[[100, points]]] * 2
            # a result that counts alone is a whole one: numbers stay whole as long as they can
            found["parts"] = [
                [(1 if weight == 100 else F(weight) / 100, score) for weight, score in item]
                for item in lists
            ]
        return found

    def judge_missing(self) -> None:
        came = {
            contestant
            for play, fate in zip(self.plays, self.fates, strict=True)
            if fate["kind"] == "scored"
            for side in self.sides(play)
            for contestant in side
        }
        for play, fate in zip(self.plays, self.fates, strict=True):
            outcome = play.get("outcome") or {}
            if outcome.get("not_played") == "missing":
                away = 0 if outcome["side"] == "ns" else 1
                if set(self.sides(play)[away]) <= came:
                    fate |= {"kind": "given", "given": ["AVE+", "AVE+"]}
                    fate["given"][away] = "AVE-"

    def judge_leavers(self) -> None:
        for contestant in self.document["contestants"]:
            left = contestant.get("left")
            if not left:
                continue
            mine = [
                index
                for index, play in enumerate(self.plays)
                if any(contestant["label"] in side for side in self.sides(play))
                and (self.fates[index]["kind"] != "none" or self.fates[index]["expected"])
            ]
            done = [index for index in mine if self.has_played(index, contestant["label"], left)]
            if 2 * len(done) < len(mine):
                for index in mine:
                    self.fates[index] |= {"kind": "none", "expected": 0, "due": False}
                continue
            again = len(done) if left.get("listed") else 0
            for index in mine:
                is_later = self.plays[index]["round"] > left["after_round"]
                if self.fates[index]["kind"] != "open" or not is_later:
                    continue
                award, again = ("AVE-" if again else None), max(0, again - 1)
                sides = self.sides(self.plays[index])
                given = [award if side == [contestant["label"]] else "AVE+" for side in sides]
                self.fates[index] |= {
                    "kind": "given",
                    "expected": 0,
                    "given": given,
                    "own": {contestant["label"]: award},  # a partner is not at fault
                }

    def has_played(self, index: int, contestant: str, left: dict) -> bool:
        """Return whether a leaver has a score of a play: boards missed by coming late have none."""
        play, fate = self.plays[index], self.fates[index]
        if fate["kind"] not in ("scored", "given") or play["round"] > left["after_round"]:
            return False
        outcome = play.get("outcome") or {}
        if outcome.get("not_played") != "missing":
            return True
        return contestant not in self.sides(play)[0 if outcome["side"] == "ns" else 1]

    def value(self, index: int, line: int) -> tuple | None:
        """Value, top, and whether it makes an own average; None without a value."""
        fate = self.fates[index]
        if fate["kind"] != "scored":
            return None
        board = self.plays[index]["board"]
        others = [other for other in self.scored[board] if other != index]
        results, expected = len(others) + 1, self.expected
        is_waiting = board in self.waiting
        top = self.top(board)
        if expected < 2 or (self.is_mp and top == 0):
            return None
        if results == 1 and not (is_waiting and self.unequal != "own-tops"):
            if self.is_mp:
                return top * (F(6, 10) if expected > 2 else F(1, 2)), top, False
            return F(0), None, False
        sign = 1 if line == 0 else -1
        mine = fate["parts"][line]
        theirs = [part for other in others for part in self.fates[other]["parts"][line]]
        if self.is_mp:
            m = F(0)
            for weight, score in mine:
                m += weight * sum(
                    share * (2 if sign * score > sign * other else 1 if score == other else 0)
                    for share, other in theirs
                )
            if results == expected or self.unequal == "own-tops":
                return m, top, True
            if self.unequal == "proportion":
                return (m * top / (2 * (results - 1)) if results > 1 else top / 2), top, True
            if results in (2, 3) and 3 * results <= expected and not is_waiting:
                return top * (60 + 5 * (m - results + 1)) / 100, top, True
            return (m + 1) * expected / results - 1, top, True
        if self.method == "cross-imps":
            total = F(sum(w * share * imps(sign * (s - o)) for w, s in mine for share, o in theirs))
            if results < expected and self.unequal != "neuberg":
                return total / max(1, results - 1), None, True
            return total * expected / (results * (expected - 1)), None, True
        if results == 1:
            return F(0), None, True  # of a board that others are still to play
        datum = self.datum([*mine, *theirs], results, sign)
        return sum((w * imps(sign * s - datum) for w, s in mine), F(0)), None, True

    def datum(self, every: list, results: int, sign: int) -> int:
        """The mean without so many at each end, or the median; each result counted E / A times, or once."""
        how = self.profile.get("datum", {})
        as_played = (
            how.get("missing", "as-played" if self.unequal == "own-tops" else "") == "as-played"
        )
        whole = results if as_played else self.expected
        ordered = sorted((sign * score, weight * F(whole, results)) for weight, score in every)
        if how.get("kind") == "median":
            return self.rounded(self.median(ordered, F(whole)), sign)
        trim = 0 if results < 5 else 1 if results < 12 else 2
        while trim and 2 * trim >= whole:
            trim -= 1
        low, high = F(trim), F(whole - trim)
        total = mass = position = F(0)
        for score, many in ordered:
            kept = max(F(0), min(position + many, high) - max(position, low))
            total, mass, position = total + kept * score, mass + kept, position + many
        return self.rounded(total / mass, sign)

    def median(self, ordered: list, whole: F) -> F:
        """Half of the results are not above it, and half not below."""
        position, reached = F(0), []
        for score, many in ordered:
            position += many
            if many and position >= whole / 2:
                reached.append(score)
                if position > whole / 2 or len(reached) == 2:
                    break
        return F(sum(reached), len(reached))

    def rounded(self, datum: F, sign: int) -> int:
        """Round to tens; an exact five is rounded up for North-South, by choice."""
        halves = self.profile.get("datum", {}).get("halves", "away")
        nearest = int(10 * half_away(datum / 10))
        if datum % 10 != 5:
            return nearest
        up, down = int(datum + 5), int(datum - 5)
        if halves == "up":
            return up if sign == 1 else down
        return {"away": nearest, "towards": down if datum > 0 else up}[halves]

    def top(self, board: int) -> F:
        of = len(self.scored.get(board, [])) if self.unequal == "own-tops" else self.expected
        return F(max(0, 2 * (of - 1)))

    def fill_averages(self) -> None:
        first = [list(two) for two in self.values]
        for index, fate in enumerate(self.fates):
            if fate["kind"] != "given":
                continue
            for line, award in enumerate(fate["given"]):
                owners = self.sides(self.plays[index])[line]
                own = self.own_average(owners[0], first) if len(owners) == 1 else None
                self.values[index][line] = self.given(award, own, self.plays[index]["board"])
        self.first = first

    def own_average(self, contestant: str, values: list) -> F | None:
        total = of = F(0)
        for play, two in zip(self.plays, values, strict=True):
            for side, value in zip(self.sides(play), two, strict=True):
                if contestant in side and value and value[2]:
                    total, of = total + value[0], of + (value[1] if self.is_mp else 1)
        return (100 * total / of if self.is_mp else total / of) if of else None

    def given(self, award: object, own: F | None, board: int) -> tuple | None:
        if award is None:
            return None
        plus, minus, half = (F(60), F(40), F(50)) if self.is_mp else (F(3), F(-3), F(0))
        if own is not None:
            plus, minus = max(plus, own), min(minus, own)
        number = {"AVE+": plus, "AVE-": minus, "AVE": half}.get(award, award)
        if not self.is_mp:
            return F(number), None, False
        top = self.top(board)
        return (F(number) * top / 100, top, False) if top > 0 else None

    def sat_out(self, contestant: str) -> list[tuple]:
        """Return a contestant's scores of boards they sat out, or whose opponents never came."""
        percent = self.profile.get("sit_outs")
        if not isinstance(percent, int | F) or not self.is_mp:
            return []
        played = {play["board"] for play in self.plays}
        boards = [
            board
            for sit_out in self.document.get("sit_outs", [])
            if sit_out["contestant"] == contestant
            for board in sit_out["boards"]
            if board in played
        ]
        for play, fate in zip(self.plays, self.fates, strict=True):
            outcome = play.get("outcome") or {}
            is_missing = outcome.get("not_played") == "missing"
            if is_missing and fate["kind"] == "none" and fate["due"]:
                present = self.sides(play)[1 if outcome["side"] == "ns" else 0]
                boards += [play["board"]] * (contestant in present)
        found = [self.given(percent, None, board) for board in boards]
        return [value for value in found if value is not None]

    def total(self, contestant: str) -> tuple[F, F, int]:
        """Return total, top and boards of a contestant; averages use their own."""
        values = self.sat_out(contestant)
        for index, play in enumerate(self.plays):
            for line, side in enumerate(self.sides(play)):
                if contestant not in side:
                    continue
                value = self.values[index][line]
                if value is not None and self.fates[index]["kind"] == "given" and len(side) > 1:
                    own = self.fates[index].get("own", {})
                    award = own.get(contestant, self.fates[index]["given"][line])
                    value = self.given(
                        award, self.own_average(contestant, self.first), play["board"]
                    )
                if value is not None:
                    values.append(value)
        shares = [value[0] / value[1] for value in values if value[1]]
        self.mean_share = sum(shares, F(0)) / len(shares) if shares else F(0)
        total = sum((value[0] for value in values), F(0))
        return total, sum((value[1] or F(0) for value in values), F(0)), len(values)

    def figure(self, contestant: str) -> F | None:
        """The percentage, or the total in IMPs, with penalties."""
        total, top, boards = self.total(contestant)
        if not boards:
            return None
        percent, points, share = F(0), total, self.mean_share
        for penalty in self.document.get("penalties", []):
            if penalty["contestant"] != contestant:
                continue
            amount = F(penalty["amount"])
            if penalty["unit"] == "percent":
                percent += amount
            else:
                total += amount * top / boards if penalty["unit"] == "top" else amount
        if self.is_mp and self.profile.get("percentage") == "mean-of-boards":
            return 100 * share + 100 * (total - points) / top + percent
        return 100 * total / top + percent if self.is_mp else total
