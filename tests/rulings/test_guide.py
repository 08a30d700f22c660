"""The guide to rulings: every way through the twelve subjects, its words and its laws."""

import re
from itertools import chain

import pytest
from django.utils import translation

from bridgebuddy.director.results.corrections.ruling_forms import AWARDS, KINDS, WHY_NOT
from bridgebuddy.rulings.guide import (
    FinalStep,
    Question,
    answers_of_step,
    find_place,
    steps_of_subject,
)
from bridgebuddy.rulings.subjects import SUBJECTS, find_subject
from bridgebuddy.rulings.subjects.common import fault_question

from .laws_of_2017 import citable_laws

MOST_WORDS, MOST_OF_A_SENTENCE = 110, 20
#: "A help in our words …", on every screen
WORDS_OF_THE_NOTE = 21
SLUG = re.compile(r"[a-z]+(-[a-z]+)*")
SENTENCE_ENDS = re.compile(r"(?<=[.?!:])[”“]?\s+")
ALL = [(subject, place) for subject in SUBJECTS for place in steps_of_subject(subject)]
by_subject = pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)


def texts_of(step):
    """Return all texts of a screen, without the laws."""
    texts = [step.title]
    if isinstance(step, FinalStep):
        texts += chain.from_iterable((line.text, line.note) for line in step.lines)
        texts.append(step.hint)
    elif step.warning:
        texts += [step.warning.text, step.warning.note]
    texts += chain.from_iterable((answer.text, answer.note) for answer in answers_of_step(step))
    return [str(text) for text in texts if text]


def laws_of(step):
    """Return all laws that a screen cites."""
    lines = step.lines if isinstance(step, FinalStep) else [step.warning] if step.warning else []
    return [law for part in [*lines, *answers_of_step(step)] for law in part.numbers]


def words(texts):
    return sum(len(text.split()) for text in texts)


def test_the_subjects_stand_in_the_order_of_the_card():
    assert [subject.name for subject in SUBJECTS] == [
        *("lead", "bid", "call", "revoke", "card", "explanation"),
        *("hesitation", "claim", "board", "count", "unfinished", "slow"),
    ]


def test_there_are_twelve_subjects_with_their_own_names():
    assert len(SUBJECTS) == 12
    assert len({subject.name for subject in SUBJECTS}) == 12
    assert [find_subject(subject.name) for subject in SUBJECTS] == list(SUBJECTS)
    assert find_subject("unknown") is None


@by_subject
def test_every_step_has_its_own_address(subject):
    names = [place.step.name for place in steps_of_subject(subject)]

    assert len(names) == len(set(names))
    assert all(SLUG.fullmatch(name) for name in names)
    assert all(find_place(subject, name).step.name == name for name in names)
    assert find_place(subject, "unknown") is None


@by_subject
def test_every_way_ends_in_an_action_that_names_its_law(subject):
    for place in steps_of_subject(subject):
        if answers_of_step(place.step):
            continue
        end = place.step

        assert isinstance(end, FinalStep), place.step.name
        assert any(line.numbers for line in end.lines), end.name


@by_subject
def test_every_step_leads_back_to_the_first_question(subject):
    for place in steps_of_subject(subject):
        walked = subject.first
        for before, answer in place.way:
            assert before is walked
            assert answer in answers_of_step(walked)
            walked = answer.then

        assert walked is place.step


@by_subject
def test_a_question_has_several_different_answers(subject):
    for place in steps_of_subject(subject):
        if isinstance(place.step, Question):
            texts = [str(answer.text) for answer in place.step.answers]

            assert len(texts) == len(set(texts)) >= 2, place.step.name


@pytest.mark.parametrize("language", ["en", "de"])
@by_subject
def test_a_screen_is_short(subject, language):
    with translation.override(language):
        for place in steps_of_subject(subject):
            texts = texts_of(place.step)

            assert words(texts) + WORDS_OF_THE_NOTE <= MOST_WORDS, place.step.name
            for sentence in chain.from_iterable(SENTENCE_ENDS.split(text) for text in texts):
                assert len(sentence.split()) <= MOST_OF_A_SENTENCE, sentence


@by_subject
def test_every_law_exists(subject):
    known = citable_laws()

    for place in steps_of_subject(subject):
        assert set(laws_of(place.step)) - known == set(), place.step.name


@by_subject
def test_the_laws_of_the_tile_are_those_of_its_steps(subject):
    cited = {
        int(re.match(r"\d+", law)[0])
        for place in steps_of_subject(subject)
        for law in laws_of(place.step)
    }

    ends = {int(number) for number in re.findall(r"\d+", subject.laws)}
    assert ends <= cited


def test_the_list_of_laws_refuses_numbers_that_do_not_exist():
    known = citable_laws()

    assert {"1", "93", "50D2(a)", "50D2", "30B1(b)(ii)", "30B1(b)", "64"} <= known
    assert not {"0", "94", "50E4", "27B5", "64A3", "54F", "12C2(e)"} & known


def test_awards_fit_the_form_of_the_correction():
    awards = [place.step.award for _, place in ALL if isinstance(place.step, FinalStep)]
    kinds = {award.kind for award in awards if award}

    assert kinds == {"weighted", "average", "not_played", "result"}
    assert kinds - {"result"} <= set(KINDS)
    for award in filter(None, awards):
        assert (award.kind == "average") == bool(award.award_ns and award.award_ew)
        assert {award.award_ns, award.award_ew} <= {"", *AWARDS}
        assert (award.kind == "not_played") == (award.why_not in WHY_NOT)


@pytest.mark.parametrize(
    ("answer", "ns", "ew", "has_better", "has_worse"),
    [
        (0, "AVE-", "AVE+", True, True),
        (1, "AVE+", "AVE-", True, True),
        (2, "AVE-", "AVE-", False, True),
        (3, "AVE+", "AVE+", True, False),
        (4, "AVE", "AVE", False, False),
    ],
)
def test_averages_are_by_fault_and_say_whose_own_percentage_counts(
    answer, ns, ew, has_better, has_worse
):
    end = fault_question("x").answers[answer].then

    assert (end.award.award_ns, end.award.award_ew) == (ns, ew)
    texts = [str(line.text) for line in end.lines]
    assert ("A side with a better session keeps its own percentage." in texts) == has_better
    assert ("A side with a worse session keeps its own percentage." in texts) == has_worse


def test_paper_says_of_an_adjusted_score_which_result_to_look_for():
    adjusted = find_place(SUBJECTS[0], "opening-leave-helped").step
    other = find_place(SUBJECTS[0], "opening-leave").step

    assert adjusted.lines_on_paper == adjusted.lines[:1]
    assert len(adjusted.lines) > 1
    assert other.lines_on_paper == other.lines


@pytest.mark.parametrize(
    ("answers", "last", "law"),
    [
        # the twelve situations, one of each subject, as an index of answers
        (("lead", 0, 4), "opening-leave", "50D2(b)"),
        (("lead", 1), "face-down", "41A"),
        (("bid", 0, 1, 2), "other", "27B2"),
        (("bid", 0, 1, 0), "same", "27B1(a)"),
        (("bid", 0, 1, 2, 0), "other-harmed", "72C"),
        (("call", 1, 3), "pass-change", "26B"),
        (("call", 2, 3), "bid-change", "25B"),
        (("call", 4, 1), "forbidden-replaced", "36B4"),
        (("revoke", 1, 3, 0), "both-more", "64C2(b)"),
        (("revoke", 1, 2, 0), "again-more", "64C2(a)"),
        (("call", 2, 0, 1, 1), "bid-over-other", "31A2(b)"),
        (("call", 1, 0), "pass-right", "30A"),
        (("revoke", 1, 0, 0, 0), "two", "64A1"),
        (("revoke", 1, 0, 1), "one-partner", "64A2"),
        (("card", 1, 0), "minor", "50C"),
        (("explanation", 0, 0), "change", "21B1(a)"),
        (("hesitation", 1, 0, 0, 0), "used", "16B3"),
        (("claim", 0, 0, 0), "trump-out", "70C"),
        (("board", 0, 1), "board-new", "15B2"),
        (("count", 0, 2, 0), "over-fault-ns", "13D"),
        (("unfinished", 1), "begun", "8B1"),
        (("slow", 2), "penalty", "90B2"),
    ],
    ids=lambda value: "-".join(map(str, value)) if isinstance(value, tuple) else None,
)
def test_a_situation_ends_with_its_law(answers, last, law):
    name, *chosen = answers
    step = find_subject(name).first
    for index in chosen:
        step = answers_of_step(step)[index].then

    assert step.name == last
    assert law in laws_of(step)


def test_three_presses_end_a_lead_out_of_turn_and_a_fourth_adjusts_the_score():
    subject = SUBJECTS[0]
    end = find_place(subject, "opening-leave")
    adjusted = find_place(subject, "opening-leave-helped")

    assert 1 + len(end.way) == 3
    assert 1 + len(adjusted.way) == 4
    assert adjusted.step.award.kind == "weighted"
    assert adjusted.laws[0] == "50E3"


def test_a_question_names_the_laws_of_the_answer_before_it():
    named = {
        (subject.name, place.step.name): place.laws
        for subject, place in ALL
        if isinstance(place.step, Question)
    }

    assert named["lead", "who"] == ()
    assert named["lead", "refused"] == ("56", "50D2")
    assert named["claim", "play-on"] != ()
    firsts = {(subject.name, subject.first.name) for subject in SUBJECTS}
    assert {place for place, laws in named.items() if not laws} >= firsts & set(named)


def test_every_artificial_score_says_which_side_gets_it():
    for _, place in ALL:
        end = place.step
        if isinstance(end, FinalStep) and end.award and end.award.kind == "average":
            ns, ew = end.award.award_ns, end.award.award_ew
            expected = {
                "ns": ("AVE-", "AVE+"),
                "ew": ("AVE+", "AVE-"),
                "both": ("AVE-", "AVE-"),
                "neither": ("AVE+", "AVE+"),
                "part": ("AVE", "AVE"),
            }

            assert (ns, ew) == expected[end.name.rsplit("-", 1)[1]]


def test_a_forced_pass_that_did_harm_counts_only_if_it_could_be_foreseen():
    """Law 72C: the offender could have been aware that the irregularity could well do damage."""
    asked = {
        str(answer.text)
        for _, place in ALL
        for answer in answers_of_step(place.step)
        if "72C" in answer.numbers
    }

    assert asked == {"The forced pass did harm that could be foreseen"}


def test_averages_name_each_percentage_that_replaces_them():
    """Law 12C2(c): not at fault above 60 %, or at fault below 40 %, a side keeps its percentage."""
    for _, place in ALL:
        end = place.step
        if isinstance(end, FinalStep) and end.award and end.award.kind == "average":
            given = {end.award.award_ns, end.award.award_ew}
            kept = {str(line.text) for line in end.lines if "12C2(c)" in line.numbers}

            assert kept == {
                f"A side with a {session} session keeps its own percentage."
                for average, session in (("AVE+", "better"), ("AVE-", "worse"))
                if average in given
            }, end.name


def test_playing_on_after_a_claim_is_agreed_before_the_director_is_called():
    """Law 68D2: a director rules by Law 70; the players can agree to play on only before calling."""
    asked = find_place(find_subject("claim"), "play-on").step

    assert str(asked.title) == "Did all four agree to play on before they called you?"
    assert asked.answers[0].numbers == ("68D2(a)", "70")


def test_lead_restrictions_spare_the_suits_that_the_offender_has_shown():
    """Law 26B means suits that were specified: a transfer specifies another suit than it names."""
    notes = {
        str(line.note)
        for _, place in ALL
        if isinstance(place.step, FinalStep)
        for line in place.step.lines
        if "26B" in line.numbers
    }

    assert notes == {"Not a suit that the offender has shown in the legal auction."}


def test_what_declarer_learned_by_a_wrong_lead_is_judged_by_law_16():
    """Law 55C of 2017 has no adjusted score of its own: Law 16 says when declarer may not use it."""
    back = find_place(find_subject("lead"), "declarer-other").step
    adjusted = find_place(find_subject("lead"), "declarer-gained")

    assert back.later.numbers == ("55C", "16")
    assert adjusted.laws[:2] == ("55C", "16")
    assert adjusted.step.award.kind == "weighted"


def test_a_refused_opening_lead_is_a_penalty_card_by_law_54d():
    for choice in ("opening-forbid", "opening-ask", "opening-leave"):
        cited = laws_of(find_place(find_subject("lead"), choice).step)

        assert "54D" in cited
        assert "56" not in cited
