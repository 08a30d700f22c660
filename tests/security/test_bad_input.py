"""Input that once was answered with 5xx, or that would have fooled a reader."""

import io
import json
import subprocess
import sys

import pytest
from django.core.mail.backends.base import BaseEmailBackend
from django.urls import reverse
from PIL import Image

from bridgebuddy.clubs.models import Person, searchable
from bridgebuddy.events.names import LineProblem, problem_of_name
from movements.engine import catalogue
from movements.engine.files.document import MovementDocument, write_json
from tests.factories import section_with

pytestmark = pytest.mark.django_db

ZERO_WIDTH = "\u200b\u200d\u2060\ufeff\u3164"
OVERRIDE = "\u202e"


@pytest.mark.parametrize("name", ["tables", "rounds"])
@pytest.mark.parametrize("number", ["²", "٣", "①", "-1", "1e3", "\x00", "9" * 400])
def test_a_number_nobody_counts_with_is_no_number(client, name, number):
    for address in ("/movements/", "/movements/mitchell/7/", "/movements/howell/4/"):
        assert client.get(address, {name: number}).status_code in (200, 422)


@pytest.mark.parametrize("where", ["a", "home", "a.b", "//evil.example", "\\evil", "javascript:x"])
def test_a_language_page_leads_back_to_addresses_alone(client, alice, signed_in, where):
    answer = client.get("/p/language/en/", {"next": where})
    own = signed_in(alice).post(reverse("own-language"), {"language": "en", "next": where})

    assert answer.headers["Location"] == reverse("code")
    assert own.headers["Location"] == reverse("home")


@pytest.mark.parametrize("charset", ["utf-16", "utf-7", "utf-32", "cp037", "idna", "nonsense"])
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data"])
@pytest.mark.parametrize("address", ["/accounts/login/", "/p/", "/p/AAAAAA/?v=7", "/nowhere/"])
def test_a_form_in_other_letters_is_told_so(client, address, kind, charset):
    kind = f"{kind}; boundary=b; charset={charset}"

    for method in ("POST", "GET"):
        answer = client.generic(method, address, b"login=a&password=b", content_type=kind)
        assert answer.status_code == 415
        assert "not in UTF-8" in answer.content.decode()


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", '"utf-8"', "utf8", "us-ascii", ""])
def test_a_form_that_says_it_is_in_utf_8_is_read(client, charset):
    kind = f"application/x-www-form-urlencoded; charset={charset}"

    answer = client.post("/accounts/login/", "login=a&password=b", content_type=kind)

    assert answer.status_code == 200


class Away(BaseEmailBackend):
    def send_messages(self, messages):
        raise ConnectionRefusedError(111, "Connection refused")


@pytest.mark.parametrize("email", ["alice@example.org", "nobody@example.org"])
def test_a_mail_server_that_is_away_is_said_whoever_asks(client, alice, settings, email):
    settings.HAS_MAIL = True
    settings.EMAIL_BACKEND = f"{__name__}.Away"

    answer = client.post(reverse("account_reset_password"), {"email": email})

    assert answer.status_code == 422
    assert "The e-mail server does not answer." in answer.content.decode()


def test_redis_needs_nothing_that_is_not_installed():
    program = (
        "import os; os.environ.update(CACHE_URL='redis://127.0.0.1:1/0', SECRET_KEY='x');"
        "import django; from django.conf import settings;"
        "os.environ['DJANGO_SETTINGS_MODULE'] = 'bridgebuddy.settings'; django.setup();"
        "from django.core.cache import caches; caches['default']._cache.get_client();"
        "print(type(caches['default']).__mro__[1].__name__)"
    )

    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert (said.stdout, said.returncode) == ("RedisCache\n", 0), said.stderr


def test_a_name_nobody_sees_is_no_name(club, alice, signed_in):
    section = section_with(0, club=club, by=alice)
    browser = signed_in(alice)

    answer = browser.post(
        reverse("add-pair", args=[section.code]), {"first": ZERO_WIDTH, "second": "Max Late"}
    )

    assert answer.status_code == 422
    assert problem_of_name(ZERO_WIDTH) == LineProblem.EMPTY_NAME
    assert not Person.objects.exists()
    for address in (reverse("new-club"), reverse("club-paper", args=[club.pk])):
        assert browser.post(address, {"name": ZERO_WIDTH, "paper": "a4"}).status_code == 422


def test_a_name_with_something_unseen_in_it_is_the_same_name():
    assert searchable(f"An{ZERO_WIDTH}na Brandt") == "anna brandt"


def test_a_name_turns_nothing_around(club, alice, signed_in):
    section = section_with(0, club=club, by=alice)
    browser = signed_in(alice)
    turned = f"{OVERRIDE}Anna Brandt"

    browser.post(reverse("add-pair", args=[section.code]), {"first": turned, "second": "Max Late"})
    browser.post(reverse("new-player", args=[club.pk]), {"name": f"Ida{OVERRIDE} Stein"})
    browser.post(
        reverse("club-paper", args=[club.pk]),
        {"name": f"Club{OVERRIDE}", "paper": "a4", "stand_word": "stand"},
    )
    browser.post(
        reverse("edit-session", args=[section.code]),
        {"name": f"Cup{OVERRIDE}", "date": "2027-03-01", "starts_at": "19:00"}
        | {"fewest_boards": 20, "most_boards": 24, "minutes_per_board": 7},
    )

    names = {person.name for person in Person.objects.all()}
    assert names == {"Anna Brandt", "Max Late", "Ida Stein"}
    club.refresh_from_db()
    section.session.event.refresh_from_db()
    assert club.name == "Club"
    assert section.session.__class__.objects.get(pk=section.session_id).event.name == "Cup"
    for address in ("desk", "entries", "edit-session"):
        page = browser.get(reverse(address, args=[section.code]), follow=True)
        assert OVERRIDE not in page.content.decode()


def test_a_movement_of_ones_own_may_number_a_pair_as_nobody_counts(club, alice, signed_in):
    document = json.loads(write_json(MovementDocument(catalogue.build_movement("mitchell", 5))))
    document["field"]["ew"][2] = "²"
    for row in document["rows"]:
        row["ew"] = "²" if row["ew"] == "3" else row["ew"]
    section = section_with(10, club=club, by=alice)
    browser = signed_in(alice)

    browser.post(reverse("import-movement"), {"name": "Ours", "text": json.dumps(document)})
    own = club.own_movements.get().pk
    browser.post(reverse("choose-movement", args=[section.code]), {"own": own, "boards": 2})

    for name in ("arrow-switches", "desk", "entries", "all-rounds", "print"):
        assert browser.get(reverse(name, args=[section.code])).status_code == 200, name


MEMORY = """
import io, threading, sys
from PIL import Image
from bridgebuddy.clubs.logos import prepared_logo
def now():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 // 2**20
pictures = []
for kind, mode in (("PNG", "RGBA"), ("JPEG", "RGB"), ("PNG", "L")):
    out = io.BytesIO()
    Image.new(mode, (4000, 3000), 3).save(out, kind)
    pictures.append(out.getvalue())
before = now()
threads = [
    threading.Thread(target=lambda: [prepared_logo(one) for one in pictures]) for _ in range(4)
]
for one in threads: one.start()
for one in threads: one.join()
print(now() - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_big_logos_give_their_memory_back():
    said = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True)

    assert int(said.stdout) < 30, said.stderr


def test_a_photograph_that_lies_on_its_side_stands_up():
    from bridgebuddy.clubs.logos import prepared_logo

    out, exif = io.BytesIO(), Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (4000, 2000), "red").save(out, "JPEG", exif=exif)

    kept = Image.open(io.BytesIO(prepared_logo(out.getvalue())[0]))

    assert kept.size == (200, 400)
