"""Pages of table money: content and actions of directors, treasurers and players."""

import re
from datetime import timedelta
from io import BytesIO

import pytest
from django.urls import reverse
from pypdf import PdfReader

from bridgebuddy.clubs.models import Membership, Person
from bridgebuddy.director.money.months import month_csv
from bridgebuddy.money.models import MoneyEntry, MoneySettings
from bridgebuddy.money.queries.accounts import account_of, accounts_with_balances, balance_of
from bridgebuddy.money.queries.months import MoneyMonth
from bridgebuddy.money.rules.ledger import EntryKind
from bridgebuddy.money.services.accounts import store_payment
from bridgebuddy.money.services.payments import record_payment
from bridgebuddy.money.services.settings import store_settings, turn_off
from bridgebuddy.publication.own.links import give_address, page_code
from tests.factories import UserFactory, section_to_enter, section_with

from .test_payments import due_of, dues_of

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def words(answer):
    """Return the text of a page without tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def money_address(section, page=""):
    return f"/s/{section.code}/money/{page}"


@pytest.fixture
def page(signed_in, alice):
    return signed_in(alice)


@pytest.fixture
def treasurer(club):
    user = UserFactory(email="treasurer@example.org")
    Membership.objects.create(club=club, user=user, is_treasurer=True)
    return user


def test_the_list_ticks_the_rest_of_a_table_with_one_press(page, section):
    answer = page.get(money_address(section))
    rest = re.search(r'name="rest"\s+value="([\d,]+)"', answer.content.decode())[1]

    shown = page.post(money_address(section), {"rest": rest, "key": "k"}, headers=HTMX)

    assert dues_of(section).people_paid_by(EntryKind.CASH) == 4
    assert "all paid" in words(shown)
    assert "<html" not in shown.content.decode()


def test_a_tick_without_a_script_leads_back_to_the_same_order(page, section, person):
    anna = person("Anna North1")
    sent = {"tick": f"{anna.pk}:account:0", "key": "k", "by": "name"}

    answer = page.post(money_address(section), sent)

    assert (answer.status_code, answer.url) == (302, f"{money_address(section)}?by=name")
    assert due_of(section, anna).payment.kind is EntryKind.ACCOUNT


def test_the_page_of_the_later_names_the_first(page, section, alice, person):
    anna = person("Anna North1")
    record_payment(section.session, anna.pk, EntryKind.CASH, seen=0, key="a", by=alice)

    answer = page.post(
        money_address(section), {"tick": f"{anna.pk}:account:0", "key": "k"}, headers=HTMX
    )

    assert re.search(r"alice ticked Anna North1 at \d\d:\d\d: cash", words(answer))
    assert MoneyEntry.objects.count() == 2


def test_the_filled_button_follows_the_state(page, section, alice):
    assert "Show the 8 not yet paid" in words(page.get(money_address(section)))

    for due in dues_of(section).people:
        record_payment(section.session, due.person.pk, EntryKind.CASH, seen=0, key="", by=alice)
    paid = page.get(money_address(section)).content.decode()
    assert re.search(r'class="btn primary big" href="/s/\w+/money/sheet/\?open=count#count"', paid)

    page.post(
        money_address(section, "count/"),
        {"at_start": "40", "piece-5000": "1", "rest": "33", "after": "0"},
    )
    counted = page.get(money_address(section)).content.decode()
    assert re.search(r'class="btn primary big" href="/s/\w+/money/sheet.pdf"', counted)


def test_a_refused_count_is_shown_again_above_the_sheet(page, section, alice):
    asked = page.get(money_address(section, "count/"), follow=True)
    assert asked.redirect_chain == [(f"{money_address(section, 'sheet/')}?open=count#count", 302)]
    assert "Save the count" in words(asked)

    answer = page.post(
        money_address(section, "count/"), {"at_start": "x", "rest": "3", "after": "0"}
    )

    assert answer.status_code == 422
    assert answer.templates[0].name == "director/money/sheet.html"
    assert 'value="x"' in answer.content.decode()
    assert "Print the sheet" not in words(answer)


@pytest.mark.parametrize("tick_sent", ["", "x", "1:cash", "1:gold:0", "99999999999999999:cash:0"])
def test_rubbish_is_no_payment(page, section, tick_sent):
    answer = page.post(money_address(section), {"tick": tick_sent, "key": "k"})

    assert answer.status_code == 302
    assert not MoneyEntry.objects.exists()


def test_the_sheet_is_one_page_with_sums_that_add_up(page, section, alice, person):
    for due in dues_of(section).people[:5]:
        record_payment(section.session, due.person.pk, EntryKind.CASH, seen=0, key="", by=alice)
    store_payment(person("Anna North1"), 5000, session=section.session, key="p", by=alice)
    page.post(
        money_address(section, "count/"),
        {
            "at_start": "40",
            "piece-5000": "2",
            "rest": "14.00",
            "reason": "wrong change",
            "after": "0",
        },
    )

    answer = page.get(money_address(section, "sheet.pdf"))

    assert answer["Content-Type"] == "application/pdf"
    pdf = PdfReader(BytesIO(answer.content))
    text = " ".join(pdf.pages[0].extract_text().split())
    assert len(pdf.pages) == 1
    dues = dues_of(section)
    expected = 4000 + 5000 + dues.sums.cash
    assert f"{expected / 100:.2f}" in text
    assert "114.00" in text
    assert "wrong change" in text
    assert f"\u2212{(expected - 11400) / 100:.2f}" in text


def test_a_large_evening_still_has_one_sheet(page, club, alice, settings_of_money):
    section = section_with(16, "skip-mitchell", round=1, club=club, by=alice)
    section.session.date = club.today
    section.session.save()
    for due in dues_of(section).people[:10]:
        store_payment(due.person, 1000, session=section.session, key="", by=alice)

    pdf = PdfReader(BytesIO(page.get(money_address(section, "sheet.pdf")).content))

    assert len(pdf.pages) == 1
    assert "and 24 more" in " ".join(pdf.pages[0].extract_text().split())


def test_the_month_on_paper_has_the_amounts_of_the_file(page, section, club, alice, person):
    for due in dues_of(section).people[:3]:
        record_payment(section.session, due.person.pk, EntryKind.CASH, seen=0, key="", by=alice)
    store_payment(person("Anna North1"), 5000, session=section.session, key="p", by=alice)
    page.post(money_address(section, "count/"), {"at_start": "40", "rest": "104.50", "after": "0"})
    asked = f"?month={club.today:%Y-%m}"

    pdf = PdfReader(BytesIO(page.get(reverse("print-money-month", args=[club.pk]) + asked).content))
    file = page.get(reverse("money-file", args=[club.pk]) + asked).content.decode()

    settings = MoneySettings.objects.get(club=club)
    assert file == month_csv(MoneyMonth(club, settings, club.today.replace(day=1)))
    text = " ".join(pdf.pages[0].extract_text().split())
    amounts = re.findall(r"-?\d+\.\d\d", file)
    assert {"43.00", "50.00"} <= set(amounts)
    assert {amount for amount in amounts if amount.replace("-", "\u2212") not in text} == set()
    assert len(pdf.pages) == 1
    assert section.session.event.name in text


@pytest.mark.parametrize("name", ["money-month", "money-file", "print-money-month"])
@pytest.mark.parametrize("month", ["x", "2026-13", "0000-01", "1999-12", "9999-12"])
def test_a_month_that_cannot_be_is_not_found(page, club, settings_of_money, name, month):
    assert page.get(reverse(name, args=[club.pk]), {"month": month}).status_code == 404


def test_a_treasurer_finds_the_list_of_today_before_the_start(
    signed_in, club, alice, settings_of_money, treasurer
):
    today, other = (section_to_enter(club, alice) for _ in range(2))
    other.session.date = today.session.date.replace(year=2040)
    other.session.save()
    browser, prices = signed_in(treasurer), reverse("club-money", args=[club.pk])

    shown = browser.get(prices).content.decode()

    assert money_address(today) in shown
    assert money_address(other) not in shown
    assert browser.get(money_address(today)).status_code == 200
    MoneySettings.objects.update(since=club.today + timedelta(days=1))
    assert money_address(today) not in browser.get(prices).content.decode()


def test_the_number_of_queries_does_not_grow_with_people(page, club, alice, settings_of_money):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    counts = []
    for pairs in (4, 12):
        section = section_with(pairs, "howell", round=1, club=club, by=alice)
        section.session.date = club.today
        section.session.save()
        for due in dues_of(section).people[:3]:
            record_payment(section.session, due.person.pk, EntryKind.CASH, seen=0, key="", by=alice)
        page.get(money_address(section))
        with CaptureQueriesContext(connection) as captured:
            page.get(money_address(section))
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_the_prices_of_a_session_are_changed_and_the_note_says_who_keeps_theirs(
    page, section, alice, person
):
    record_payment(
        section.session, person("Anna North1").pk, EntryKind.CASH, seen=0, key="a", by=alice
    )

    sent = {"members": "6,50", "visitors": "9", "youth": "0"}
    answer = page.post(money_address(section, "prices/"), sent, follow=True)

    assert "1 person has paid already and keeps the price." in words(answer)
    assert dues_of(section).sums.missing == 6 * 650 + 900


def test_fields_of_amounts_have_the_decimal_sign_of_the_language(page, section):
    for language, price in (("en", "5.00"), ("de", "5,00")):
        answer = page.get(
            money_address(section, "prices/"), headers={"accept-language": language}, follow=True
        )
        fields = re.findall(r'<input[^>]*name="members"[^>]*>', answer.content.decode())
        assert f'value="{price}"' in fields[0], language


def test_accounts_are_listed_by_surname(page, club, alice, section):
    for name in ("Zoe Adler", "Anton Berg", "Berta Abel"):
        anna = Person.objects.create(club=club, name=name)
        store_payment(anna, 500, key=name, by=alice)

    listed = [account.person.name for account, _ in accounts_with_balances(club)]
    shown = words(page.get(f"/clubs/{club.pk}/money/accounts/"))

    assert listed == ["Berta Abel", "Zoe Adler", "Anton Berg"]
    assert shown.index("Abel, Berta") < shown.index("Adler, Zoe") < shown.index("Berg, Anton")


def test_helpers_tick_and_treasurers_keep_accounts(signed_in, section, club, treasurer, person):
    helper = UserFactory(email="helper@example.org")
    Membership.objects.create(club=club, user=helper, is_helper=True)
    anna = person("Anna North1")
    accounts = f"/clubs/{club.pk}/money/accounts/"
    by_helper, by_treasurer = signed_in(helper), signed_in(treasurer)

    assert by_helper.get(money_address(section)).status_code == 200
    assert by_helper.get(accounts).status_code == 404
    assert by_helper.get(money_address(section, "prices/")).status_code == 404
    assert by_treasurer.get(money_address(section)).status_code == 200
    assert by_treasurer.get(money_address(section, "prices/"), follow=True).status_code == 200
    for address in (accounts, f"{accounts}{anna.pk}/", f"/clubs/{club.pk}/money/"):
        assert by_treasurer.get(address, follow=True).status_code == 200
    assert by_treasurer.get(f"/s/{section.code}/desk/").status_code == 404


def test_another_club_reads_and_changes_nothing(signed_in, section, club, carol, person):
    anna, stranger = person("Anna North1"), signed_in(carol)

    assert stranger.get(f"/clubs/{club.pk}/money/accounts/{anna.pk}/").status_code == 404
    other = carol.clubs.get()
    MoneySettings.objects.create(club=other, is_on=True, currency="EUR")
    sent = {"do": "pay-in", "amount": "5", "box": "cash", "key": "k"}
    answer = stranger.post(f"/clubs/{other.pk}/money/accounts/{anna.pk}/", sent)

    assert answer.status_code == 404
    assert account_of(anna) is None


def test_an_account_is_paid_in_corrected_and_paid_out(page, section, club, person):
    anna = person("Anna North1")
    address = f"/clubs/{club.pk}/money/accounts/{anna.pk}/"
    box = str(section.session_id)

    page.post(address, {"do": "pay-in", "amount": "50", "box": box, "key": "a"})
    page.post(address, {"do": "correct", "amount": "-3.50", "reason": "counted twice", "key": "b"})
    page.post(address, {"do": "pay-out", "amount": "6.50", "box": "cash", "key": "c"})

    assert balance_of(account_of(anna)) == 4000
    assert dues_of(section).cash_received == 5000
    shown = words(page.get(address, follow=True))
    assert "Anna North1 has €40.00" in shown
    assert "counted twice" in shown
    without = page.post(address, {"do": "correct", "amount": "1", "reason": "", "key": "d"})
    assert without.status_code == 422
    assert balance_of(account_of(anna)) == 4000


def test_amounts_are_typed_as_people_write_them(page, section, club, person):
    anna = person("Anna North1")
    address = f"/clubs/{club.pk}/money/accounts/{anna.pk}/"

    for number, text in enumerate(("5", "5,5", "5.05 €")):
        page.post(address, {"do": "pay-in", "amount": text, "box": "cash", "key": str(number)})
    for text in ("five", "1.234", "5.055", "-5", "0", ""):
        sent = {"do": "pay-in", "amount": text, "box": "cash", "key": f"no{text}"}
        assert page.post(address, sent).status_code == 422

    assert balance_of(account_of(anna)) == 500 + 550 + 505


def test_a_currency_without_cents_has_whole_numbers(page, section, club, alice, person):
    store_settings(club, {"currency": "JPY", "members": 1200, "visitors": 2000}, by=alice)
    record_payment(
        section.session, person("Anna North1").pk, EntryKind.CASH, seen=0, key="a", by=alice
    )

    shown = words(page.get(money_address(section)))
    sheet = words(page.get(money_address(section, "sheet/")))
    refused = page.post(money_address(section, "prices/"), {"members": "1200.5"})

    assert "¥1,200" in shown
    assert "1,200.00" not in sheet
    assert refused.status_code == 422


def test_money_is_off_until_a_club_turns_it_on(page, club, alice):
    section = section_with(4, "howell", round=1, club=club, by=alice)

    assert "Table money is turned off" in words(page.get(money_address(section)))
    assert f"/s/{section.code}/money/" not in page.get(f"/s/{section.code}/desk/").content.decode()
    page.post(f"/clubs/{club.pk}/money/prices/", {"do": "on"})
    assert MoneySettings.objects.get(club=club).is_on


def test_an_open_list_is_read_as_a_whole_page_once_money_is_off(page, section, club, alice):
    turn_off(club, by=alice)

    poll = page.get(money_address(section), {"v": "old", "by": "table"}, headers=HTMX)

    assert poll.headers["HX-Refresh"] == "true"
    assert poll.content == b""


def test_turning_off_shows_the_balances_first(page, section, club, alice, person):
    store_payment(person("Anna North1"), 5000, key="a", by=alice)
    address = f"/clubs/{club.pk}/money/prices/"

    asked = page.post(address, {"do": "off"})
    assert "Anna North1 €50.00" in words(asked)
    assert MoneySettings.objects.get(club=club).is_on

    page.post(address, {"do": "off", "sure": "on"})
    assert not MoneySettings.objects.get(club=club).is_on
    assert "€50.00" in words(
        page.get(f"/clubs/{club.pk}/money/accounts/{person('Anna North1').pk}/", follow=True)
    )
    assert page.get(f"/clubs/{club.pk}/money/").status_code == 200


def test_a_deleted_session_asks_about_its_payments(page, section, alice, person):
    anna, name = person("Anna North1"), section.session.event.name
    record_payment(section.session, anna.pk, EntryKind.ACCOUNT, seen=0, key="a", by=alice)
    address = f"/s/{section.code}/delete/"

    undecided = page.post(address, {"name": name})
    assert undecided.status_code == 422
    assert "Decide what happens to the payments." in words(undecided)
    wrong_name = page.post(address, {"name": "another", "money": "refund"})
    assert (wrong_name.status_code, balance_of(account_of(anna))) == (422, -500)

    assert page.post(address, {"name": name, "money": "refund"}).status_code == 302
    assert balance_of(account_of(anna)) == 0


def test_a_player_sees_the_own_balance_and_nobody_else_s(client, section, alice, person):
    anna, other = person("Anna North1"), person("Anna North2")
    store_payment(anna, 5000, key="a", by=alice)
    store_payment(other, 7700, key="b", by=alice)

    own = words(client.get(f"/me/{page_code(give_address(anna, by=None))}/"))
    assert "Table money: €50.00" in own
    assert "77.00" not in own
    turn_off(section.club, by=alice)
    assert "€50.00" not in words(client.get(f"/me/{page_code(give_address(anna, by=None))}/"))


def test_the_data_of_a_person_and_a_club_include_the_money(page, section, club, alice, person):
    anna = person("Anna North1")
    store_payment(anna, 5000, key="a", by=alice)

    own = page.get(f"/clubs/{club.pk}/players/{anna.pk}/data.json").json()["tables"]["money"]
    tables = page.get(f"/clubs/{club.pk}/data.json").json()["tables"]

    assert (own[0]["kind"], own[0]["balance"]) == ("pay-in", "50.00")
    assert [row["amount"] for row in tables["money_entries"]] == [5000]
    assert "key" not in tables["money_entries"][0]
    assert len(tables["price_list"]) == len(tables["money_accounts"]) == 1


def test_the_page_before_forgetting_says_the_balance(page, section, club, alice, person):
    store_payment(person("Anna North1"), 5000, key="a", by=alice)

    shown = page.get(f"/clubs/{club.pk}/players/{person('Anna North1').pk}/anonymise/", follow=True)

    assert "The account has €50.00." in words(shown)


def test_german_amounts_and_words(page, section, club, alice, person, two_languages):
    store_payment(person("Anna North1"), 5000, key="a", by=alice)

    shown = page.get(money_address(section), headers={"accept-language": "de"})

    assert "Mitglieder 5,00" in words(shown)
    assert "Noch nicht" in words(shown)


def test_somebody_without_an_account_is_found_by_name(page, section, club):
    eve = Person.objects.create(club=club, name="Eve Elsewhere")

    answer = page.get(f"/clubs/{club.pk}/money/accounts/find/", {"person": eve.pk})

    assert answer.url == f"/clubs/{club.pk}/money/accounts/?open=account&person={eve.pk}#account"
    nobody = page.get(f"/clubs/{club.pk}/money/accounts/find/", {"person": "x"})
    assert nobody.url == f"/clubs/{club.pk}/money/accounts/"


def test_an_open_list_is_fetched_again_only_after_a_payment(page, section):
    version = page.get(money_address(section)).context["version"]
    poll = {"v": version}
    assert page.get(money_address(section), poll, headers=HTMX).status_code == 204

    rest = re.search(
        r'name="rest"\s+value="([\d,]+)"', page.get(money_address(section)).content.decode()
    )
    page.post(money_address(section), {"rest": rest[1], "key": "k"}, headers=HTMX)

    answer = page.get(money_address(section), poll, headers=HTMX)
    assert (answer.status_code, "all paid" in words(answer)) == (200, True)
