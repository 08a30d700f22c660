"""A sample of the sweep (`make sweep`) through everything that may be asked of the catalogue."""

from movements.engine import catalogue

from .sweep import Ask, fault, sample, ways


def test_whatever_is_asked_is_built_lawfully_as_promised_or_refused_with_a_sentence():
    asked = [ask for family in catalogue.FAMILIES for ask in sample(family, seed=12, count=12)]

    faults = [f"{ask}: {problem}" for ask in asked if (problem := fault(ask))]

    assert len(asked) == 12 * len(catalogue.FAMILIES)
    assert faults == []


def test_the_sweep_asks_for_every_value_of_every_option():
    for family in catalogue.FAMILIES:
        asked = [options for options in ways(family, 8) if len(options) == 1]
        for option in family.options:
            if option.kind == "choice":
                for choice in option.choices:
                    assert {option.name: choice} in asked


def test_a_movement_that_breaks_a_promise_or_a_law_is_reported(monkeypatch):
    skip = catalogue.find_family("skip-mitchell")
    broken = catalogue.build_movement("mitchell", 8, 4)
    ask = Ask(skip, 8)
    assert fault(ask) is None

    monkeypatch.setattr(catalogue, "build_movement", lambda *_: broken)

    assert fault(ask) == "promised [2, 3, 4, 5, 6, 7], usually 7, but built 4"
