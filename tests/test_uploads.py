"""Uploads have limits of size."""

import pytest

from bridgebuddy.web import uploads

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/accounts/login/", "/clubs/1/logo/", "/p/", "/nowhere/"])
def test_what_is_far_too_large_is_refused_unread(client, monkeypatch, address):
    monkeypatch.setattr(uploads, "MOST_BYTES", 1000)

    answer = client.generic(
        "POST", address, b"x" * 1001, content_type="multipart/form-data; boundary=b"
    )

    assert answer.status_code == 413
    assert "Go back and choose a smaller one." in answer.content.decode()
    assert answer.wsgi_request._read_started is False


def test_what_may_be_a_form_is_looked_at(client, monkeypatch):
    monkeypatch.setattr(uploads, "MOST_BYTES", 1000)

    answer = client.generic("POST", "/nowhere/", b"x" * 1000, content_type="text/plain")

    assert answer.status_code == 404
