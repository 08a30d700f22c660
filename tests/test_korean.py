"""Players' pages in Korean, and no further demands on a partial language."""

import re

import pytest
from babel.messages import Catalog
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.management.commands.check_translations import (
    FOR_PLAYERS,
    keep_earlier_date,
    problems_of,
    uncollected_calls,
)
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup.switches import switch_arrows
from bridgebuddy.scoring.services import publishing
from bridgebuddy.seasons.models import Championship
from bridgebuddy.table_phones.services import claims
from bridgebuddy.table_phones.services.claims import NewClaim
from movements.switches.choices import switch_choices
from tests.factories import section_with
from tests.seasons.evenings import evening as evening_played
from tests.table_phones.tapping import Phone, with_phones
from tests.test_german import words_of

pytestmark = pytest.mark.django_db

LATIN = re.compile(r"[A-Za-z]{3,}")
#: names, and what is called the same everywhere
KEPT = re.compile(
    r"(Anna|Bob) (North|South)\d+|(North|South)\d+|Tuesday Pairs|BridgeBuddy|English|Deutsch|Club \d+"
    r"|testserver|Lindenhof Bridge Club|[A-Z2-9]{3} [A-Z2-9]{3}"
)


@pytest.fixture
def phone(settings):
    settings.LANGUAGES = [("en", "English"), ("de", "German"), ("ko", "Korean")]
    return Client(headers={"accept-language": "ko"})


@pytest.fixture(
    params=[
        {"pairs": 5},
        {"pairs": 15, "family": "skip-mitchell"},
        {"pairs": 15, "family": "skip-mitchell", "round": 4},
        {"pairs": 12, "family": "share-and-relay", "round": 2},
        {"pairs": 12, "family": "scissors-mitchell", "round": 3},
        {"pairs": 10, "family": "howell", "round": 9},
    ],
    ids=["no movement", "start", "skip", "stands and shares", "parts", "last round"],
)
def evening(request, club, alice):
    club.language = "ko"
    club.save()
    return section_with(club=club, by=alice, **request.param)


def not_korean(browser, address):
    response = browser.get(address)
    assert '<html lang="ko"' in response.content.decode()
    return [text for text in words_of(response) if LATIN.search(KEPT.sub("", text))]


def test_phones_and_the_room_display_speak_korean(phone, evening):
    assert not_korean(phone, "/p/") == []
    assert not_korean(phone, f"/p/{evening.code}/") == []
    assert not_korean(phone, f"/p/{evening.code}/room/") == []
    assert not_korean(phone, f"/p/{evening.code}/99/") == []
    if evening.movement:
        for number in evening.entries.values_list("contestant", flat=True):
            label = evening.movement.without_seatings.label(number).replace(" ", "")
            assert not_korean(phone, f"/p/{evening.code}/{label}/") == []


@pytest.mark.parametrize("level", ["rounds", "room", "tables"])
def test_turned_boards_are_told_in_korean(phone, club, alice, monkeypatch, level):
    monkeypatch.setattr("movements.switches.choices.TRIALS", 2_000)
    cache.clear()
    club.language = "ko"
    club.save()
    evening = section_with(10, "mitchell", boards_per_round=5, club=club, by=alice)
    choices = switch_choices(evening.movement)
    choice = next(choice for choice in choices if choice.level == level)
    switch_arrows(evening, choice, of=evening.movement_id, by=alice)
    first = min(turn.round for turn in choice.turns)

    evening.refresh_from_db()
    for after in range(max(1, first - 1)):
        rounds.start_next_round(evening, after=after, by=alice)

    assert not_korean(phone, f"/p/{evening.code}/room/") == []
    assert not_korean(phone, f"/p/{evening.code}/1/") == []


@pytest.mark.parametrize("sheet", ["table-cards", "guide-cards"])
def test_cards_speak_korean(phone, alice, evening, sheet):
    phone.force_login(alice)
    about_the_preview = {"Preview", "Back to printing", "Open as PDF", "Table cards", "Guide cards"}

    if evening.movement:
        found = not_korean(phone, f"/s/{evening.code}/print/{sheet}.html")
        titles = {text for text in found if text.partition(" · ")[0] in about_the_preview}
        assert set(found) - titles == set()


def test_a_tables_phone_speaks_korean_from_the_card_to_the_stored_board(phone, club, alice):
    club.language = "ko"
    club.save()
    evening = with_phones(
        section_with(10, "mitchell", round=2, club=club, by=alice), asks_lead=True
    )
    at = reverse("table", args=[evening.code, 1])
    plays = list(evening.plays.filter(round=2, table=1, taken_back_at=None))
    board = f"{at}board/{plays[0].pk}/"
    scorer = Phone(evening)
    scorer.browser = phone
    assert not_korean(phone, at) == []
    scorer.scan(1)
    assert not_korean(phone, at) == []
    scorer.tap("남북")
    four = {"contract": "4S", "declarer": "S", "tricks": 10, "lead": "DK"}
    claims.submit_claim(evening, NewClaim(plays[1].pk, "ew", four, 0))
    claims.submit_claim(evening, NewClaim(plays[2].pk, "ns", four, 0))
    claims.submit_claim(evening, NewClaim(plays[2].pk, "ew", {**four, "tricks": 9}, 0))

    for address in (
        *(at, board, f"{board}?level=4&strain=S&by=S", f"{board}?level=4&strain=S&by=S&lead=-"),
        *(f"{board}?unplayed=1", f"{at}?whose=", f"{at}?before="),
        *(f"{at}board/{play.pk}/check/" for play in plays[1:]),
        f"{at}board/{plays[1].pk}/",
    ):
        assert (address, not_korean(phone, address)) == (address, [])
    scorer.open(at)
    scorer.tap("디렉터 부르기")
    assert not_korean(phone, at) == []


PHONE, DESK = ("templates/players/player.html", ""), ("templates/director/desk.html", "")


def catalogue(**messages):
    """Return a catalogue of sentences, each with its translation and where it stands."""
    made = Catalog()
    for sentence, (translation, *places) in messages.items():
        made.add(sentence, translation, locations=places)
    return made


def test_a_partial_catalogue_needs_what_players_see():
    found = catalogue(table=("", PHONE), both=("", DESK, PHONE), desk=("", DESK))

    assert problems_of("ko", found, found) == [
        "ko: untranslated: 'both'",
        "ko: untranslated: 'table'",
    ]


def test_a_new_file_of_a_place_is_covered_and_what_is_the_directors_there_is_not():
    found = catalogue(
        new=("", ("templates/tables/brand_new.html", "")),
        module=("", ("bridgebuddy/table_phones/brand_new.py", "")),
        choose=("", ("templates/printing/choose.html", "")),
    )

    assert problems_of("ko", found, found) == [
        "ko: untranslated: 'module'",
        "ko: untranslated: 'new'",
    ]


def test_a_partial_catalogue_needs_what_the_engine_marks_for_players():
    found = Catalog()
    skip = "movements/engine/families/mitchells/skip.py"
    found.add("Skip Mitchell", "", locations=[(skip, "")], auto_comments=[FOR_PLAYERS])
    found.add("an even number of tables", "", locations=[(skip, "")])

    assert problems_of("ko", found, found) == ["ko: untranslated: 'Skip Mitchell'"]


def test_a_whole_catalogue_needs_every_sentence():
    found = catalogue(table=("Tisch", PHONE), desk=("", DESK))

    assert problems_of("de", found, found) == ["de: untranslated: 'desk'"]


def test_a_translation_with_another_placeholder_is_told():
    found = Catalog()
    found.add("Round %(round)s", "Runde %(runde)s", locations=[PHONE], flags=["python-format"])

    (told,) = problems_of("de", found, found)
    assert told.startswith("de: placeholders: 'Round %(round)s': ")


@pytest.mark.parametrize("language", ["de", "ko"])
def test_new_and_gone_sentences_are_told_in_every_catalogue(language):
    before = catalogue(old=("alt", DESK), kept=("bleibt", PHONE))
    collected = catalogue(kept=("bleibt", PHONE), fresh=("", DESK))

    assert problems_of(language, before, collected) == [
        f"{language}: gone: 'old'",
        f"{language}: new: 'fresh'",
    ]


def test_a_guess_is_no_translation():
    guessed = catalogue(table=("Tafel", PHONE))
    guessed.get("table").flags.add("fuzzy")

    assert problems_of("de", guessed, guessed) == ["de: fuzzy: 'table'"]


def test_a_mark_under_a_name_that_nobody_collects_is_told(tmp_path):
    (tmp_path / "movements").mkdir()
    (tmp_path / "bridgebuddy").mkdir()
    (tmp_path / "bridgebuddy" / "pages.py").write_text(
        "from django.utils.translation import gettext as _\n"
        "from django.utils.translation import gettext_lazy as _lazy\n"
        "from django.utils.translation import ngettext, pgettext as _now\n"
    )

    assert list(uncollected_calls(tmp_path)) == ["bridgebuddy/pages.py: not collected: _now(…)"]


def test_collecting_nothing_new_changes_nothing(tmp_path):
    head = 'msgstr ""\n"POT-Creation-Date: 2026-11-{}\\n"\n"Language: de\\n"\n'
    po = tmp_path / "django.po"
    po.write_text(head.format("21 10:00+0100"), encoding="utf-8")

    before = head.format("02 09:30+0100")

    assert keep_earlier_date(before, po) == before


def test_published_lists_speak_korean(phone, club, alice):
    club.language = "ko"
    club.save()
    section = evening_played(club, alice, "2026-10-06")
    evening_played(club, alice, "2026-10-13")
    publishing.publish_results(section, by=alice)
    cup = Championship.objects.create(
        club=club, name="2026", of="player", least=1, published_at=timezone.now()
    )
    pages = [f"/r/{section.session.scoring.token}/", f"/c/{cup.token}/"]

    for page in pages:  # and every page of theirs that one leads to
        assert (page, not_korean(phone, page)) == (page, [])
        links = re.findall(r'href="(/[rc]/[^"#]+)"', phone.get(page).content.decode())
        pages += [link for link in dict.fromkeys(links) if link not in pages and "." not in link]
    assert len(pages) > 10
