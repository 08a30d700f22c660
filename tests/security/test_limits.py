"""Rate limits: exact under load, and without harm to other users."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.test import Client
from django.urls import reverse

from bridgebuddy.clubs.models import AttemptCount
from bridgebuddy.clubs.sign_in import accounts, limits
from bridgebuddy.clubs.sign_in.limits import AttemptLimit, network_of
from bridgebuddy.events import code_limits as codes
from tests.factories import UserFactory, section_with

RIGHT = "right horse battery"
ELSEWHERE = "198.51.100.7"
A_LIMIT = AttemptLimit("of a test", 60, 600)


def sign_in(browser, email="alice@example.org", password="wrong", **more):
    return browser.post(reverse("account_login"), {"login": email, "password": password}, **more)


def gets_in(browser, email="alice@example.org", **more):
    return sign_in(browser, email, RIGHT, **more).status_code == 302


def in_threads(do, times, threads=16):
    """Do something so often, in so many threads at once."""

    def alone(number):
        try:
            return do(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(alone, range(times)))


# ── exact ──


@pytest.mark.django_db(transaction=True)
def test_sixteen_threads_have_as_many_tries_as_one():
    refused = in_threads(lambda _: A_LIMIT.count("somebody"), 200)

    assert refused.count(False) == 60


@pytest.fixture
def few(monkeypatch):
    """Limit the wrong codes to six; the tests do not depend on the number."""
    for name in ("STRANGERS", "PHONE"):
        limit = AttemptLimit(getattr(codes, name).name, 6, 600)
        monkeypatch.setattr(codes, name, limit)
    monkeypatch.setattr(
        codes, "TURN", AttemptLimit(codes.TURN.name, 0, 1)
    )  # it is always another one's


def guess(browser, times=6, first=0):
    """Try a number of wrong codes; return the answers."""
    numbers = range(first, first + times)
    return [browser.get(f"/p/AAAA{n:02}/").status_code for n in numbers]


@pytest.mark.django_db(transaction=True)
def test_sixteen_threads_are_told_of_as_many_codes_as_one_that_they_are_wrong(few):
    told = in_threads(lambda n: Client().get(f"/p/AAA{n + 200}/").status_code, 32)

    assert (told.count(404), told.count(429)) == (6, 26)


@pytest.mark.django_db(transaction=True)
def test_two_processes_count_together(settings):
    program = (
        "import django; django.setup();"
        "from bridgebuddy.clubs.sign_in.limits import AttemptLimit;"
        "print([AttemptLimit('of a test', 60, 600).count('somebody') for _ in range(50)].count(False))"
    )
    told = connection.settings_dict
    if connection.vendor == "sqlite":
        address = f"sqlite:///{told['NAME']}"
    else:
        who = f"{told['USER']}:{quote(told['PASSWORD'])}" if told["PASSWORD"] else told["USER"]
        address = f"postgres://{who}@{told['HOST']}:{told['PORT']}/{told['NAME']}"
    environment = {
        "DATABASE_URL": address,
        "SECRET_KEY": settings.SECRET_KEY,
        "DJANGO_SETTINGS_MODULE": "bridgebuddy.settings",
    }

    both = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]

    assert sum(int(item.communicate()[0]) for item in both) == 60


@pytest.mark.django_db
def test_tries_are_forgotten_when_their_time_is_over(monkeypatch):
    now = 1_000_000
    monkeypatch.setattr(limits.time, "time", lambda: now)
    for _ in range(60):
        assert not A_LIMIT.count("somebody")
    assert A_LIMIT.is_reached("somebody")
    assert A_LIMIT.count("somebody")

    now += 600

    assert not A_LIMIT.is_reached("somebody")
    assert not A_LIMIT.count("somebody")
    A_LIMIT.count("another")
    now += 601
    A_LIMIT.count("a third")
    assert AttemptCount.objects.count() == 1


# ── whoever else is there ──


@pytest.mark.django_db
def test_three_hundred_and_twenty_other_addresses_push_no_limit_out(few, skip_section):
    guess(Client())

    for n in range(320):
        codes.STRANGERS.count(f"10.1.{n // 250}.{n % 250}")
    cache.clear()

    assert Client().get(f"/p/{skip_section.code}/").status_code == 429


@pytest.mark.django_db
def test_all_addresses_of_a_line_are_one_network(few, skip_section):
    for n in range(6):
        Client(REMOTE_ADDR=f"2001:db8:1:2:{n:x}::1").get(f"/p/AAAA{n:02}/")

    same, other = Client(REMOTE_ADDR="2001:db8:1:2:ffff::9"), Client(REMOTE_ADDR="2001:db8:1:3::1")

    assert same.get(f"/p/{skip_section.code}/").status_code == 429
    assert other.get(f"/p/{skip_section.code}/").status_code == 200


@pytest.mark.django_db
def test_all_networks_of_a_site_have_twice_as_many_guesses_together(few, skip_section):
    right = f"/p/{skip_section.code}/"
    told = [
        Client(REMOTE_ADDR=f"2001:db8:1:{n:x}::1").get(f"/p/AAAA{n:02}/").status_code
        for n in range(12)  # the first network has the address of the site
    ]
    same, other = Client(REMOTE_ADDR="2001:db8:1:ffff::1"), Client(REMOTE_ADDR="2001:db8:2:1::1")

    assert told == [404] * 12
    assert same.get(right).status_code == 429
    assert other.get(right).status_code == 200


@pytest.mark.django_db
def test_a_phone_known_from_last_week_gets_in_whatever_strangers_type(
    few, club, alice, skip_section
):
    phone, tonight = Client(), section_with(6, club=club, by=alice)
    phone.get(f"/p/{skip_section.code}/")
    guess(Client())

    assert Client().get(f"/p/{tonight.code}/").status_code == 429
    assert phone.get(f"/p/{tonight.code}/").status_code == 200


@pytest.fixture
def turns(few, monkeypatch):
    """Return a function that waits a second: after six wrong codes a network has one attempt a second."""
    now = [1_800_000_000]
    monkeypatch.setattr(limits.time, "time", lambda: now[0])
    monkeypatch.setattr(codes, "TURN", AttemptLimit("a turn", 1, 1))

    def later():
        now[0] += 1

    return later


@pytest.mark.django_db
def test_one_phones_wrong_codes_keep_nobody_of_the_wi_fi_out_for_long(turns, skip_section):
    guess(Client())
    address = f"/p/{skip_section.code}/"
    phones = [Client() for _ in range(5)]
    waited = []

    for phone in phones:
        answer = phone.get(address)
        seconds = 0
        while answer.status_code == 429:
            assert answer.headers["Refresh"] == str(codes.SECONDS_TO_NEXT)
            assert "This page tries again by itself" in answer.content.decode()
            turns()
            seconds += 1
            answer = phone.get(address)
        waited.append(seconds)

    assert waited == [0, 1, 1, 1, 1]
    assert [phone.get(address).status_code for phone in phones] == [200] * 5  # known from now on


@pytest.mark.django_db
def test_who_guesses_on_hears_of_one_code_a_second_whether_it_is_right_or_wrong(
    turns, skip_section
):
    guess(Client())
    told = []

    for second in range(3):
        told += guess(Client(), 4, first=10 + 4 * second)
        told.append(Client().get(f"/p/{skip_section.code}/").status_code)
        turns()

    assert told == [404, 429, 429, 429, 429] * 3


@pytest.mark.django_db
def test_a_table_of_a_right_code_is_no_way_round_the_turns(turns, skip_section):
    guess(Client())
    guess(Client(), 1, first=50)

    assert Client().get(f"/p/{skip_section.code}/table/1/").status_code == 429


@pytest.mark.django_db
def test_a_club_that_reads_an_old_code_off_a_poster_is_not_locked_out(few, skip_section):
    told = [Client().get("/p/", {"code": typed}).status_code for typed in ["AAAAAA", "aaa aaa"] * 5]

    assert told == [404] * 10
    assert Client().get(f"/p/{skip_section.code}/").status_code == 200


@pytest.mark.django_db
def test_a_known_phone_has_no_more_tries_than_a_stranger(few, skip_section):
    phone = Client()
    phone.get(f"/p/{skip_section.code}/")

    assert guess(phone, 8) == [404] * 6 + [429] * 2
    assert phone.get(f"/p/{skip_section.code}/").status_code == 200


@pytest.mark.django_db
def test_one_right_code_is_not_worth_any_number_of_phones(few, skip_section, monkeypatch):
    monkeypatch.setattr(codes, "PHONES", AttemptLimit(codes.PHONES.name, 10, 600))
    told = []

    for phone in range(3):
        monkeypatch.setattr("django.core.signing.time.time", lambda at=phone: 1.8e9 + at)
        browser = Client()
        browser.get(f"/p/{skip_section.code}/")
        told += guess(browser, 4, first=4 * phone)  # the same ones again would not count

    assert (told.count(404), told.count(429)) == (10, 2)


# ── passwords ──


@pytest.mark.django_db
def test_wrong_passwords_lock_nobody_out_elsewhere(alice):
    for _ in range(12):
        answer = sign_in(Client())
    assert "Too many failed login attempts" in answer.content.decode()

    assert not gets_in(Client())
    assert gets_in(Client(REMOTE_ADDR=ELSEWHERE))


@pytest.mark.django_db
def test_wrong_passwords_from_every_address_do_not_lock_a_director_out(alice):
    for n in range(12):
        sign_in(Client(REMOTE_ADDR=f"10.0.0.{n}"))

    assert gets_in(Client())


@pytest.mark.django_db
def test_a_browser_known_to_a_director_is_let_in_whatever_others_try_in_the_same_club(alice):
    laptop = Client()
    assert gets_in(laptop)
    laptop.post(reverse("account_logout"))

    for _ in range(15):
        sign_in(Client())

    assert not gets_in(Client())
    assert gets_in(laptop)


@pytest.mark.django_db
def test_a_known_browser_is_counted_too(alice):
    laptop = Client()
    gets_in(laptop)
    laptop.post(reverse("account_logout"))

    for _ in range(11):
        sign_in(laptop)

    assert not gets_in(laptop)


@pytest.mark.django_db
def test_who_types_the_password_wrong_locks_out_nobody_else_of_the_club(alice):
    UserFactory(email="dan@example.org")
    for _ in range(15):
        sign_in(Client())

    assert gets_in(Client(), "dan@example.org")


@pytest.mark.django_db
def test_many_accounts_cannot_be_tried_from_one_network(alice, monkeypatch):
    few = AttemptLimit(accounts.PASSWORDS_OF_NETWORK.name, 5, 600)
    monkeypatch.setattr(accounts, "PASSWORDS_OF_NETWORK", few)
    for n in range(5):
        sign_in(Client(), f"somebody{n}@example.org")

    assert not gets_in(Client())


@pytest.mark.django_db
def test_right_passwords_are_no_tries(alice):
    for _ in range(12):
        assert gets_in(Client())


@pytest.mark.django_db(transaction=True)
def test_sixteen_threads_try_no_more_passwords_than_one(alice):
    pages = in_threads(lambda _: sign_in(Client()).content.decode(), 24)

    assert len([page for page in pages if "not correct" in page]) == accounts.PASSWORDS.most


@pytest.mark.django_db
def test_nobodys_mailbox_is_filled(alice, mailoutbox, settings):
    settings.HAS_MAIL = True
    for n in range(12):
        browser = Client(REMOTE_ADDR=f"10.0.0.{n}")
        answer = browser.post(reverse("account_reset_password"), {"email": "alice@example.org"})
        assert answer.status_code == 302

    assert len(mailoutbox) == accounts.MAILS.most


@pytest.mark.django_db
@pytest.mark.parametrize("name", accounts.FORMS)
def test_forms_are_not_taken_without_end(name, monkeypatch):
    monkeypatch.setitem(accounts.FORMS, name, AttemptLimit(name, 3, 600))

    answers = [
        Client().post(reverse(name), {"email": f"x{n}@example.org"}).status_code for n in range(5)
    ]

    assert answers.count(429) == 2
    assert Client().get(reverse(name)).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("name", accounts.OWN_FORMS)
def test_nobody_finds_a_password_by_a_browser_that_is_signed_in(
    name, alice, signed_in, monkeypatch
):
    monkeypatch.setitem(accounts.OWN_FORMS, name, AttemptLimit(name, 3, 600))
    browser = signed_in(alice)

    answers = [browser.post(reverse(name), {"password": "x"}).status_code for _ in range(5)]

    assert answers.count(429) == 2


# ── the wrong people's cost ──


@pytest.mark.django_db
def test_a_full_disk_is_not_taken_for_too_many_tries(few, skip_section, monkeypatch):
    def full(*_):
        raise DatabaseError("database or disk is full")

    class Full:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        execute = full

    monkeypatch.setattr(limits, "connection", type("", (), {"cursor": lambda self: Full()})())

    assert guess(Client(), 8) == [404] * 8
    assert Client().get(f"/p/{skip_section.code}/").status_code == 200


# ── hops ──


@pytest.mark.parametrize("hops", [0, 1, 9])
@pytest.mark.parametrize("said", ["", "203.0.113.5", "a, b, c", ",,,"])
@pytest.mark.django_db
def test_a_wrong_number_of_hops_is_no_error(client, settings, alice, hops, said):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = hops
    headers = {"X-Forwarded-For": said}

    assert client.get("/p/AAAAAA/", headers=headers).status_code == 404
    assert sign_in(client, headers=headers).status_code == 200
    assert gets_in(client, headers=headers)


def test_only_trusted_proxies_are_believed(rf, settings):
    asked = rf.get("/", headers={"X-Forwarded-For": "1.1.1.1, 2.2.2.2"}, REMOTE_ADDR="10.0.0.1")

    networks = []
    for hops in range(4):
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = hops
        networks.append(network_of(asked))

    assert networks == ["10.0.0.1", "2.2.2.2", "1.1.1.1", "10.0.0.1"]


@pytest.mark.parametrize(("proxies", "starts"), [(None, False), ("1", True), ("0", True)])
def test_https_without_the_number_of_proxies_does_not_start(proxies, starts):
    environment = {**os.environ, "HTTPS": "true", "SECRET_KEY": "x"}
    environment.pop("ALLAUTH_TRUSTED_PROXY_COUNT", None)
    if proxies is not None:
        environment["ALLAUTH_TRUSTED_PROXY_COUNT"] = proxies

    said = subprocess.run(
        [sys.executable, "-c", "import bridgebuddy.settings"],
        env=environment,
        capture_output=True,
        text=True,
    )

    assert (said.returncode == 0) is starts
    assert ("Set ALLAUTH_TRUSTED_PROXY_COUNT" in said.stderr) is not starts
