"""Static files as they travel: small, whole, and asked for again only when they are others."""

import gzip
import re
from pathlib import Path

import brotli
import pytest
from django.conf import settings
from django.test import Client

from bridgebuddy.web.static_files import (
    ENCODINGS,
    MinifiedFile,
    compress_file,
    inline_imports,
    minify,
)

STATIC = Path(settings.BASE_DIR) / "static"
HTMX = "vendor/htmx-2.0.11.min.js"
UNPACK = {"gzip": gzip.decompress, "br": brotli.decompress}


def static_answer(name, **headers):
    return Client().get(f"/static/{name}", headers=headers)


def body(answer):
    return b"".join(answer)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_lies_beside_a_vendors_file_is_that_file(encoding):
    plain = (STATIC / HTMX).read_bytes()
    found = [
        UNPACK[encoding](path.read_bytes()) for path in STATIC.rglob(f"*{ENCODINGS[encoding]}")
    ]

    assert found == [plain]


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, deflate, br, zstd", "br"), ("gzip, deflate", "gzip"), ("identity", None)],
)
def test_a_browser_has_the_smallest_it_takes(accepted, encoding):
    answer = static_answer(HTMX, accept_encoding=accepted)

    content = body(answer)
    assert answer.get("Content-Encoding") == encoding
    assert answer["Content-Length"] == str(len(content))
    assert answer["Vary"] == "Accept-Encoding"
    assert UNPACK.get(encoding, bytes)(content) == (STATIC / HTMX).read_bytes()


def test_ours_travel_without_comments():
    answer = static_answer("css/phone.css", accept_encoding="gzip, br")

    css = gzip.decompress(body(answer)).decode()
    assert answer["Content-Encoding"] == "gzip"
    assert "/*" not in css
    assert css == minify("phone.css", inline_imports(str(STATIC / "css/phone.css"))).decode()


def test_a_sheet_comes_with_what_it_imports_and_is_another_when_that_changes(tmp_path):
    (tmp_path / "colours.css").write_text(":root { --ink: black; }")
    (tmp_path / "page.css").write_text(
        '/* of a page */\n@import "colours.css";\np { color: var(--ink); }'
    )
    page = str(tmp_path / "page.css")
    said = [("Last-Modified", "Fri, 27 Nov 2026 20:00:00 GMT")]

    first = MinifiedFile(page, said)
    (tmp_path / "colours.css").write_text(":root { --ink: white; }")
    compress_file.cache_clear()

    assert compress_file(page, "") == b":root{--ink:white}p{color:var(--ink)}"
    assert MinifiedFile(page, said).etag != first.etag


def test_whoever_has_a_file_is_not_sent_it_again():
    first = static_answer("js/phone.js", accept_encoding="gzip")

    again = static_answer("js/phone.js", accept_encoding="gzip", if_none_match=first["ETag"])

    assert (again.status_code, body(again)) == (304, b"")
    assert static_answer("js/phone.js", if_none_match='"another"').status_code == 200


def test_who_asks_only_for_the_head_has_no_body_and_nobody_sends_to_a_file():
    head = Client().head("/static/js/phone.js", headers={"accept-encoding": "gzip"})

    assert (head.status_code, body(head)) == (200, b"")
    assert int(head["Content-Length"]) > 1000
    assert Client().post("/static/js/phone.js").status_code == 405


@pytest.mark.parametrize("name", ["js/phone.js", "fonts/phone-400.woff2", "brand.svg"])
def test_no_file_is_taken_for_another_kind(name):
    assert static_answer(name)["X-Content-Type-Options"] == "nosniff"


def test_a_developer_has_the_files_as_they_are(settings):
    settings.DEBUG = True

    assert body(static_answer("js/phone.js")) == (STATIC / "js/phone.js").read_bytes()


def test_what_a_script_says_is_still_there():
    said = {path.name: path.read_bytes() for path in (STATIC / "js").glob("*.js")}

    for name, script in said.items():
        made = minify(name, script)
        assert len(made) <= len(script), name
        for quoted in (b"`", b"=>", b'"'):
            assert made.count(quoted) == without_comments(script).count(quoted), name


def without_comments(script):
    """A script without lines and ends of lines that are comments, as ours are written."""
    text = re.sub(rb"/\*.*?\*/", b"", script, flags=re.DOTALL)
    return re.sub(rb"(^|\s)//.*", b"", text)
