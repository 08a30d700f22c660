"""Helpers of all pages: numbers and addresses in requests, caching of answers, and initials."""

import pytest
from django.http import HttpResponse

from bridgebuddy.web.http import mark_public, read_number
from bridgebuddy.web.language import return_address
from bridgebuddy.web.template_tags import initials


@pytest.mark.parametrize(
    ("asked", "number"),
    [("0", 0), ("100", 100), ("999", 999), ("1000", None), ("", None), (None, None), ("-1", None)],
)
def test_a_number_of_at_most_three_digits_is_read(asked, number):
    assert read_number(asked) == number


def test_a_page_can_read_longer_numbers():
    assert (read_number("12345", 5), read_number("123456", 5)) == (12345, None)


@pytest.mark.parametrize(
    ("is_secure", "address", "is_followed"),
    [
        (True, "https://testserver/s/ABC234/", True),
        (True, "/s/ABC234/", True),
        (True, "http://testserver/s/ABC234/", False),
        (True, "https://evil.example/s/ABC234/", False),
        (False, "http://testserver/s/ABC234/", True),
        (False, "https://testserver/s/ABC234/", True),
        (False, "home", False),
        (False, "", False),
    ],
)
def test_a_page_leads_back_to_addresses_of_this_server_only(rf, is_secure, address, is_followed):
    request = rf.get("/", secure=is_secure)

    assert return_address(request, address, "/law/") == (address if is_followed else "/law/")


@pytest.mark.parametrize(
    ("has_cookies", "status", "caches"),
    [
        (False, 200, {"public", "no-cache"}),
        (True, 200, {"private", "no-cache"}),
        (False, 404, {"private", "no-cache"}),
        (False, 503, {"private", "no-cache"}),
    ],
)
def test_shared_caches_store_only_pages_that_are_the_same_for_all(rf, has_cookies, status, caches):
    request = rf.get("/")
    request.COOKIES = {"language": "de"} if has_cookies else {}

    answer = mark_public(request, HttpResponse("page", status=status))

    assert set(answer.headers["Cache-Control"].split(", ")) == caches


def test_shared_caches_store_a_page_for_each_language(rf):
    answer = mark_public(rf.get("/"), HttpResponse("page"))

    assert answer.headers["Vary"] == "Accept-Language, Cookie"


@pytest.mark.parametrize(
    ("name", "letters"),
    [("Ann Brown", "AB"), ("Ann", "A"), ("Ann Mary Brown", "AB"), ("ann brown", "AB"), ("", "")],
)
def test_initials_are_those_of_the_first_and_the_last_name(name, letters):
    assert initials(name) == letters
