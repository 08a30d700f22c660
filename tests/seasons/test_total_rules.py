"""Every row of the rules for totals: its sum, its sentences, its calculation and the result still needed."""

import datetime
import re
from fractions import Fraction
from statistics import median

import pytest
from django.urls import reverse
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from bridgebuddy.seasons.championship_views import ChampionshipView
from bridgebuddy.seasons.models import Championship
from bridgebuddy.seasons.queries.championships import ChampionshipTable
from bridgebuddy.seasons.rules import model
from bridgebuddy.seasons.rules.projections import value_needed, weakest_counting
from bridgebuddy.seasons.rules.standing import fewest_values, line_of
from bridgebuddy.seasons.rules.totals import RULES
from bridgebuddy.seasons.words import not_counted, rounding_sentence, rule_text, total_explanation

every_rule = pytest.mark.parametrize("name", RULES)
amounts = st.integers(0, 400).map(lambda number: Fraction(number, 4))


def values_of(numbers):
    days = (datetime.date(2026, 1, 1) + datetime.timedelta(days=n) for n in range(len(numbers)))
    return [
        model.SessionValue(model.Session(str(n), day, ()), Fraction(number))
        for n, (day, number) in enumerate(zip(days, numbers, strict=True))
    ]


def rules_of(name, **numbers):
    rule = RULES[name]
    used = {"each": 2} if rule.uses_each else {}
    return model.Championship("", rule=name, **used, **numbers)


def calculated(steps):
    """Return the value of the last calculation of some steps, in the signs that pages show."""
    if " · " in steps[-1]:
        return median(Fraction(number.replace("÷", "/")) for number in steps[-1].split(" · "))
    text = steps[-1] if steps[-1].startswith("=") else " ".join(steps)
    text = text.lstrip("= ").replace("÷", "/").replace("−", "-")
    assert re.fullmatch(r"[-\d. +/()]+", text), text
    return eval(re.sub(r"[\d.]+", lambda number: f"Fraction('{number[0]}')", text))


@every_rule
@settings(max_examples=60, deadline=None, derandomize=True)
@given(numbers=st.lists(amounts, min_size=2, max_size=8), best=st.none() | st.integers(1, 5))
def test_the_calculation_shown_gives_the_total(name, numbers, best):
    championship = Championship(name="", rule=name, best=best)
    rules = rules_of(name, best=best if RULES[name].keeps_best else None)
    line = line_of(rules, ("A",), values_of(numbers))

    *steps, total = total_explanation(championship, line)

    shown = RULES[name].steps(line.counted, str)
    assert calculated([step.replace("/", "÷") for step in shown]) == line.total
    assert len(steps) == len(shown)
    assert total.startswith("= ")
    assert total.endswith(" %") == RULES[name].is_on_scale


@every_rule
@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    numbers=st.lists(amounts, min_size=1, max_size=7),
    goal=amounts,
    times=st.integers(1, 3),
    best=st.none() | st.integers(1, 4),
)
def test_the_value_needed_is_the_smallest_that_reaches_the_goal(name, numbers, goal, times, best):
    rules = rules_of(name, best=best if RULES[name].keeps_best else None)
    line = line_of(rules, ("A",), values_of(numbers))

    needed = value_needed(rules, line, goal, times)

    def total_with(value):
        return line_of(rules, ("A",), values_of([*numbers, *[value] * times])).total

    if not RULES[name].is_linear:
        assert needed is None
        return
    if needed is None:
        assert total_with(Fraction(100)) < goal
        return
    assert total_with(needed) >= goal
    if needed > 0:
        assert total_with(needed) == goal
        assert total_with(needed - Fraction(1, 1000)) < goal


@every_rule
def test_the_sentence_of_a_rule_has_the_numbers_that_it_uses(name):
    rule = RULES[name]
    text = rule_text(Championship(name="", rule=name, best=17, least=13, each=11))

    assert ("17" in text) == rule.keeps_best
    assert ("11" in text) == rule.uses_each
    assert "13" in text
    assert "%(" not in text
    without = rule_text(Championship(name="", rule=name))
    assert str(fewest_values(rules_of(name))) in without
    assert "None" not in without


@every_rule
def test_a_rule_speaks_german(name):
    championship = Championship(name="", rule=name, best=17, least=13, each=11)
    sentences = [RULES[name].label, RULES[name].sentence, rule_text(championship)]
    sentences += filter(None, [RULES[name].sentence_of_best, RULES[name].reason_omitted])

    with translation.override("de"):
        german = [translation.gettext(sentence) for sentence in sentences[:2]]
        german += [rule_text(championship), *map(translation.gettext, sentences[3:])]

    assert all(item != other for item, other in zip(sentences, german, strict=True))


@every_rule
def test_a_value_that_does_not_count_has_a_reason_and_only_then(name):
    rules = rules_of(name, best=2 if RULES[name].keeps_best else None)
    line = line_of(rules, ("A",), values_of([50, 40, 60, 30]))

    omits = any(not value.counts for value in line.values)

    assert omits == bool(not_counted(Championship(rule=name, best=2)))
    assert (weakest_counting(rules, line) is not None) == RULES[name].keeps_best


@pytest.mark.django_db
@every_rule
def test_a_rule_can_be_chosen_and_its_column_named(name, club):
    championship = Championship(club=club, name="Tuesdays", rule=name, best=3)
    championship.full_clean(exclude=["once"])
    championship.save()

    stored = Championship.objects.get()

    assert stored.get_rule_display() == RULES[name].label
    head = ChampionshipView(ChampionshipTable(stored)).totals_column_heading
    assert head == ("Best 3" if RULES[name].keeps_best else "Total")


def test_a_median_by_hand():
    three = line_of(rules_of("median"), ("A",), values_of([61, 40, 50]))
    four = line_of(rules_of("median"), ("A",), values_of([61, 40, 50, 55]))

    assert (three.total, four.total) == (50, Fraction(105, 2))
    assert total_explanation(Championship(rule="median"), four) == [
        "40.00 · 50.00 · 55.00 · 61.00",
        "= (50.00 + 55.00) ÷ 2",
        "= 52.50 %",
    ]


ROUNDED = "Values are shown rounded; sums and total are computed from the exact ones."


@pytest.mark.parametrize(
    ("values", "shown", "sentence"),
    [
        (["60.004", "59.604", "56.234"], "= 175.84 ÷ 3", ROUNDED),
        (["60.001", "59.601", "56.231"], "= 175.83 ÷ 3", ""),
        (["60", "59.6", "56.23"], "= 175.83 ÷ 3", ""),
    ],
)
def test_a_sum_that_is_not_that_of_the_rounded_values_says_so(values, shown, sentence):
    line = line_of(rules_of("mean"), ("A",), values_of([Fraction(value) for value in values]))
    championship = Championship(rule="mean")

    assert total_explanation(championship, line)[:2] == ["60.00 + 59.60 + 56.23", shown]
    assert rounding_sentence(championship, line) == sentence


@every_rule
def test_a_value_alone_is_explained_where_it_has_a_total(name):
    line = line_of(rules_of(name), ("A",), values_of([Fraction(55975, 1000) / 7]))
    championship = Championship(rule=name)

    assert bool(total_explanation(championship, line)) == (RULES[name].fewest <= 1)
    assert rounding_sentence(championship, line) == ""


def test_an_explanation_has_the_decimals_of_its_list():
    line = line_of(rules_of("mean"), ("A",), values_of([Fraction(55975, 1000)]))

    assert total_explanation(Championship(rule="mean"), line, 3) == ["55.975", "= 55.975 %"]


@pytest.mark.parametrize(
    ("name", "counts", "becomes"),
    [
        ("mean", "wins", "sum"),
        ("median", "evenings", "sum"),
        ("mean", "percentage", "mean"),
        ("drop", "wins", "drop"),
    ],
)
@pytest.mark.django_db
def test_counted_values_are_added_up(client, club, alice, name, counts, becomes):
    client.force_login(alice)
    address = reverse("new-championship", args=[club.pk])
    client.get(address, follow=True)
    sent = {"name": "T", "of": "pair", "which": "1", "counts": counts, "rule": name}
    sent |= {"best": "2", "least": "1", "each": "2", "whose": "seat", "change_over": "2"}

    client.post(address, sent)

    assert Championship.objects.get().rule == becomes
