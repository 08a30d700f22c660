"""The club's logo on its cards: uploaded in the settings, embedded in the sheets."""

import base64
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from bridgebuddy.clubs import logos
from bridgebuddy.clubs.logos import LARGEST, NotALogo, prepared_logo
from bridgebuddy.clubs.models import ClubLogo
from bridgebuddy.printing.rendering.pdf import FetchRefused, embedded_picture
from tests.factories import ClubFactory, section_with
from tests.signing_in import asks_to_sign_in

from .conftest import picture


def upload(browser, club, data: bytes, name: str = "logo.png"):
    file = SimpleUploadedFile(name, data, content_type="image/png")
    return browser.post(f"/clubs/{club.pk}/logo/", {"logo": file})


@pytest.fixture
def logo(club):
    image, type_ = prepared_logo(picture())
    return ClubLogo.objects.create(club=club, image=image, type=type_)


# ── the upload ──


@pytest.mark.parametrize(("kind", "type_"), [("PNG", "image/png"), ("JPEG", "image/jpeg")])
@pytest.mark.django_db
def test_a_png_or_jpeg_is_kept(signed_in, alice, club, kind, type_):
    response = upload(signed_in(alice), club, picture(kind))

    assert (response.status_code, response["Location"]) == (302, f"/clubs/{club.pk}/paper/")
    kept = ClubLogo.objects.get(club=club)
    assert kept.type == type_
    assert Image.open(io.BytesIO(bytes(kept.image))).format == kind


@pytest.mark.django_db
def test_another_logo_takes_the_place_of_the_first(signed_in, alice, club, logo):
    upload(signed_in(alice), club, picture("JPEG"))

    assert [item.type for item in ClubLogo.objects.all()] == ["image/jpeg"]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "This file is empty. Choose another."),
        (b"\x89PNG\r\n\x1a\n broken", "This is not a PNG or JPEG picture."),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "This is not a PNG or JPEG picture."),
        (picture("GIF"), "This is not a PNG or JPEG picture."),
        (picture() + bytes(500_000), "This picture is larger than 500 kB."),
        (picture(size=(4001, 3000)), "This picture is too wide and high. Make it smaller."),
    ],
    ids=["empty", "broken", "svg", "gif", "large", "many pixels"],
)
@pytest.mark.django_db
def test_what_is_no_logo_is_said_beside_the_field(signed_in, alice, club, data, sentence):
    response = upload(signed_in(alice), club, data)

    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert not ClubLogo.objects.exists()


@pytest.mark.django_db
def test_no_file_at_all_is_said_too(signed_in, alice, club):
    response = signed_in(alice).post(f"/clubs/{club.pk}/logo/")

    assert response.status_code == 422
    assert "Choose a picture first." in response.content.decode()


@pytest.mark.django_db
def test_only_a_director_of_the_club_changes_its_logo(client, signed_in, bob, carol, club, logo):
    for browser in (signed_in(bob), signed_in(carol)):
        assert upload(browser, club, picture("JPEG")).status_code == 404
        assert browser.post(f"/clubs/{club.pk}/logo/remove/").status_code == 404
    assert asks_to_sign_in(upload(client, club, picture("JPEG")))
    assert asks_to_sign_in(client.post(f"/clubs/{club.pk}/logo/remove/"))

    assert ClubLogo.objects.get().type == "image/png"


@pytest.mark.django_db
def test_a_logo_can_be_removed(signed_in, alice, club, logo):
    browser = signed_in(alice)
    assert "data:image/png;base64," in browser.get(f"/clubs/{club.pk}/paper/").content.decode()

    browser.post(f"/clubs/{club.pk}/logo/remove/")

    assert "data:image" not in browser.get(f"/clubs/{club.pk}/paper/").content.decode()
    assert not ClubLogo.objects.exists()


def test_a_large_picture_is_made_smaller_and_nothing_else_in_the_file_is_kept():
    data, _type = prepared_logo(picture(size=(3000, 1000)) + b"<script>secret</script>")

    assert Image.open(io.BytesIO(data)).size == (800, 267)
    assert b"secret" not in data
    assert LARGEST == (800, 400)


def test_a_picture_that_unpacks_to_very_much_is_refused():
    with pytest.raises(NotALogo):
        prepared_logo(picture(size=(20_000, 4_000)))


def test_a_picture_of_exactly_the_largest_size_is_taken(monkeypatch):
    monkeypatch.setattr(logos, "MOST_PIXELS", 200)

    assert prepared_logo(picture(size=(20, 10)))
    with pytest.raises(logos.TooManyPixels):
        prepared_logo(picture(size=(20, 11)))


# ── the sheets ──


@pytest.mark.django_db
def test_a_sheet_has_its_own_clubs_logo_and_no_other(job, club, alice):
    section = section_with(4, "howell", club=club, by=alice)
    theirs, type_ = prepared_logo(picture("JPEG"))
    ClubLogo.objects.create(club=ClubFactory(), image=theirs, type=type_)
    assert job(section).logo_rule == ""

    own, type_ = prepared_logo(picture())
    ClubLogo.objects.create(club=club, image=own, type=type_)

    assert "data:image/png" in job(section).logo_rule


@pytest.mark.django_db
def test_previews_have_the_logo_from_a_style_sheet(client, signed_in, alice, carol, club, logo):
    section = section_with(10, "mitchell", club=club, by=alice)
    address = f"/s/{section.code}/print/logo.css"

    text = signed_in(alice).get(f"/s/{section.code}/print/table-cards.html").content.decode()
    style = signed_in(alice).get(address)

    assert f'<link rel="stylesheet" href="{address}">' in text
    assert "<style" not in text
    assert style["Content-Type"] == "text/css"
    assert style.content.decode().startswith(
        '.logo { background-image: url("data:image/png;base64,'
    )
    assert signed_in(carol).get(address).status_code == 404
    assert asks_to_sign_in(client.get(address))


@pytest.mark.django_db
def test_without_a_logo_there_is_no_style_sheet_of_one(signed_in, alice, skip_section):
    browser = signed_in(alice)

    assert browser.get(f"/s/{skip_section.code}/print/logo.css").status_code == 404
    text = browser.get(f"/s/{skip_section.code}/print/table-cards.html").content.decode()
    assert "logo" not in text


# ── the fetcher ──


def address(type_: str, data: bytes) -> str:
    return f"data:{type_};base64,{base64.b64encode(data).decode()}"


@pytest.mark.parametrize(("kind", "type_"), [("PNG", "image/png"), ("JPEG", "image/jpeg")])
def test_a_picture_within_the_sheet_is_taken(kind, type_):
    assert embedded_picture(address(type_, picture(kind))) == (picture(kind), type_)


@pytest.mark.parametrize(
    "refused",
    [
        address("image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        address("image/png", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        address("image/png", picture("JPEG")),
        address("text/css", b"p { color: red }"),
        "data:image/png," + "A" * 20,
        "data:image/png;base64,not base64",
        "data:image/png;charset=x;base64,AAAA",
        "data:,text",
    ],
)
def test_everything_else_within_a_sheet_is_refused(refused):
    with pytest.raises(FetchRefused):
        embedded_picture(refused)
