"""The lists of a season a second time, read off the document in another way: rows of a table, one person after the
other.
"""

from fractions import Fraction
from statistics import mean, median


def sessions_by_day(document):
    return sorted(document["sessions"], key=lambda session: session["date"])


def handicap_before(document, player, session_id, rule):
    """50 minus the mean of the last percentages of sessions before one; of all where it is None."""
    had = []
    for session in sessions_by_day(document):
        if session["id"] == session_id:
            break
        had += [Fraction(row["percentage"]) for row in session["rows"] if player in row["who"]]
    if len(had) < rule["least"]:
        return Fraction(0)
    return (50 - mean(had[-rule["last"] :])) * Fraction(rule["times"])


def amount(document, session, row, rules):
    """Return a row's amount from its session."""
    rows = session["rows"]
    match rules["counts"]:
        case "places":
            at_least_as_good = [r for r in rows if r["place"] <= row["place"]]
            level = [r for r in rows if r["place"] == row["place"]]
            worst = len(rows) + 1 - len(at_least_as_good)
            return Fraction(2 * worst + len(level) - 1, 2)
        case "wins":
            return Fraction(1 if row["place"] == 1 else 0)
        case "evenings":
            return Fraction(1)
        case key:
            value = Fraction(row[key])
    if rules["handicap"]:
        each = [
            handicap_before(document, person, session["id"], rules["handicap"])
            for person in row["who"]
        ]
        value += mean(each)
    return value


def mean_without_lowest(amounts, rules):
    out = (len(amounts) - rules["least"]) // rules["each"]
    return mean(sorted(amounts)[out:])


def improvement(amounts, rules):
    later = (len(amounts) + 1) // 2
    return mean(amounts[-later:]) - mean(amounts[:-later])


#: the total of somebody's values, oldest first, by each rule
TOTALS = {
    "mean": lambda amounts, rules: mean(sorted(amounts)[-rules["best"] :]),
    "sum": lambda amounts, rules: sum(sorted(amounts)[-rules["best"] :]),
    "drop": mean_without_lowest,
    "improved": improvement,
    "median": lambda amounts, rules: median(amounts),
}


def recount(document, rules):
    """Return totals and places, as {contestant: (total, place)}."""
    found = {}
    for session in sessions_by_day(document):
        for row in session["rows"]:
            whole = [(person,) for person in row["who"]]
            if rules["of"] == "pair":
                whole = [tuple(sorted(row["who"]))]
            for person in whole:
                found.setdefault(person, []).append(amount(document, session, row, rules))
    totals = {}
    for person, amounts in found.items():
        if len(amounts) < rules["least"]:
            continue
        totals[person] = TOTALS[rules["rule"]](amounts, rules)
    return {
        person: (total, 1 + sum(other > total for other in totals.values()))
        for person, total in totals.items()
    }
