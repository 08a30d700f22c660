"""Overload: forms go first, then polls without news, and pages come late but do come."""

from contextlib import ExitStack

from .servers import received, running
from .test_stopping import wait_until

#: a program with one thread, which is held until a file is there; polls of /news bring news
ONE_AT_A_TIME = """
import sys, time
from pathlib import Path
from bridgebuddy.operations.server import serve
from bridgebuddy.operations.request_priority import RequestQueue, defer_to_waiting_requests
asked, enough, queued = (Path(sys.argv[1]) / name for name in ("asked", "enough", "queued"))
append = RequestQueue.append

def noted(queue, channel):
    append(queue, channel)
    with queued.open("a") as told:
        told.write(".")

RequestQueue.append = noted

def application(environ, start_response):
    if environ["PATH_INFO"] == "/news":
        defer_to_waiting_requests(environ)
    with asked.open("a") as told:
        told.write(environ["PATH_INFO"])
    while not enough.exists():
        time.sleep(0.01)
    start_response("200 OK", [("Content-Length", "0")])
    return []

serve(application, host="127.0.0.1", port=0, threads=1,
      ready=lambda port: print(f"answers on :{port}", flush=True))
"""


def test_forms_go_first_then_polls_without_news_then_pages(tmp_path):
    asked, enough, queued = (tmp_path / name for name in ("asked", "enough", "queued"))
    wanted = ["GET /page", "GET /news?v=1", "GET /poll?v=1", "POST /form", "GET /last"]
    with running("-c", ONE_AT_A_TIME, str(tmp_path)) as server, ExitStack() as open_ones:

        def ask(what):
            request = f"{what} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            return open_ones.enter_context(server.connect(request.encode()))

        first = ask("GET /first")
        wait_until(asked.exists)
        waiting = [ask(what) for what in wanted]
        wait_until(lambda: len(queued.read_text()) == 1 + len(wanted))

        enough.touch()
        answers = [received(item)[:12] for item in (first, *waiting)]

    assert set(answers) == {b"HTTP/1.1 200"}
    assert asked.read_text() == "/first/form/poll/page/last/news"


def test_news_are_answered_at_once_where_nobody_waits(tmp_path):
    (tmp_path / "enough").touch()
    with running("-c", ONE_AT_A_TIME, str(tmp_path)) as server:
        assert server.ask("/news?v=1").startswith(b"HTTP/1.1 200")
