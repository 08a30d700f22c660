"""The whole catalogue: every name of the command line, and any wish of any family is lawful or refused."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from movements.engine import catalogue, laws

NAMES = [
    "mitchell",
    "barometer",
    "skip-mitchell",
    "share-and-relay",
    "crisscross",
    "awl",
    "two-stanza",
    "scissors-mitchell",
    "ew-rover",
    "ns-rover",
    "rover-party",
    "whist-rover",
    "two-way-rover",
    "two-way-rover-party",
    "one-and-a-half-appendix",
    "appendix-mitchell",
    "twin-mitchell",
    "web",
    "bowman",
    "double-web",
    "two-copy-mitchell",
    "scrambled-mitchell",
    "hesitation",
    "double-hesitation",
    "extended-hesitation",
    "howell",
    "partial-howell",
    "rematch-howell",
    "scissors-howell",
    "hybrid",
    "rainbow",
    "shomate",
    "individual",
    "head-to-head",
    "triangle",
    "team-awl",
    "new-england-relay",
    "mitchell-teams",
    "team-round-robin",
    "team-rings",
    "knockout",
    "swiss",
]


@settings(deadline=None, derandomize=True, max_examples=400)
@given(st.data())
def test_whatever_any_family_promises_is_lawful(data):
    family = data.draw(st.sampled_from(catalogue.FAMILIES))
    sizes = [tables for tables in range(2, 41) if family.possible_rounds(tables)]
    tables = data.draw(st.sampled_from(sizes))
    rounds = data.draw(st.sampled_from(list(family.possible_rounds(tables))))
    movement = catalogue.build_movement(family.name, tables, rounds)
    missing = None
    if family.takes_missing_pair and rounds > 2:
        number = data.draw(st.sampled_from([None, *movement.contestants]))
        missing = movement.label(number) if number else None
    half = catalogue.build_movement(family.name, tables, rounds, missing)

    assert laws.find_errors(half) == ()
    assert len(half.contestants) == len(movement.contestants) - bool(missing)


@settings(deadline=None, derandomize=True, max_examples=400)
@given(
    st.sampled_from(catalogue.FAMILIES),
    st.integers(-3, 70),
    st.integers(-3, 80),
    st.text(max_size=6),
)
def test_any_wish_is_built_lawfully_or_refused_with_a_sentence(family, tables, rounds, missing):
    assume(not missing.isspace())
    refused = catalogue.find_refusal(family.name, tables, rounds, missing or None)
    if refused is not None:
        assert catalogue.explain_refusal(refused).endswith((".", "?"))
        return
    movement = catalogue.build_movement(family.name, tables, rounds, missing or None)
    assert rounds in family.possible_rounds(tables)
    assert [v for v in laws.find_errors(movement) if v.law != "field"] == []
