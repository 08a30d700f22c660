"""Sheets are printed where nothing of ours is in reach."""

import io

import pytest
from pypdf import PdfReader

from bridgebuddy.printing.rendering import print_process
from tests.operations.test_confined import landlock


@pytest.fixture(autouse=True)
def ends():
    yield
    print_process._end_print_processes()


def words(pdf):
    return " ".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


def test_a_sheet_is_printed_as_it_is_here_and_the_process_prints_the_next_one_too():
    first = print_process.render_pdf("<p>One")
    process = print_process._presses[0].process
    second = print_process.render_pdf("<p>Two", "<p>Three")

    assert (words(first), words(second)) == ("One", "Two Three")
    assert print_process._presses[0].process is process


def test_what_is_wrong_with_a_sheet_is_in_our_log(weasyprint_log):
    print_process.render_pdf("<p style='colour: red'>misspelt")

    assert ["colour" in line for line in weasyprint_log] == [True]
    weasyprint_log.clear()


def test_a_sheet_that_asks_for_another_file_is_printed_without_it(weasyprint_log):
    pdf = print_process.render_pdf('<img src="file:///etc/passwd">there')

    assert words(pdf) == "there"
    assert ["file:///etc/passwd" in line for line in weasyprint_log] == [True]
    weasyprint_log.clear()


def test_a_process_that_is_killed_is_followed_by_another():
    print_process.render_pdf("<p>One")
    print_process._presses[0].process.kill()
    print_process._presses[0].process.wait()

    with pytest.raises(print_process.NotPrinted):
        print_process.render_pdf("<p>Two")

    assert words(print_process.render_pdf("<p>Three")) == "Three"


@pytest.mark.skipif(not landlock(), reason="this kernel has no Landlock")
def test_the_process_reads_neither_database_nor_settings_nor_network(monkeypatch, tmp_path):
    """Python runs in it as a hole in a library would let a stranger run it."""
    secret = tmp_path / "bridgebuddy.sqlite3"
    secret.write_text("everybody")
    monkeypatch.setenv("SECRET_KEY", "of cards")
    inside = tmp_path / "inside.py"
    inside.write_text(
        f"""
import json, os, socket, sys
from bridgebuddy.printing.rendering import pdf, print_process
def tries(html):
    found = [name for name in os.environ if "KEY" in name or "DATABASE" in name]
    for what in (
        lambda: open({str(secret)!r}).read(),
        lambda: open({str(print_process.ROOT / "var")!r} + "/secret-key").read(),
        lambda: open("/proc/%d/environ" % os.getppid()).read(),
        lambda: open("/etc/passwd").read(),
        lambda: socket.socket(),
        lambda: os.kill(os.getppid(), 0),
        lambda: open({str(tmp_path)!r} + "/new", "w"),
    ):
        try:
            found.append(str(what())[:20])
        except OSError:
            pass
    return json.dumps(found).encode()
usual = pdf.render_pdf
pdf.render_pdf = lambda html: tries(html) if html == "try" else usual(html)
print_process.main()
"""
    )
    program = print_process.subprocess.Popen
    monkeypatch.setattr(
        print_process.subprocess,
        "Popen",
        lambda command, **more: program([command[0], str(inside)], **more),
    )
    monkeypatch.setenv("PYTHONPATH", str(print_process.ROOT))

    assert print_process.render_pdf("try") == b"[]"
