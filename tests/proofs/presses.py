"""Press links and buttons on phones in Chromium, and count the presses that end in an error page.

    python -m tests.proofs.presses [PHONES]

Each phone presses four times: *Whose phone is this?*, the list, a pair's plan, and a session's code. It does so
straight at the server, behind nginx and behind Caddy as `deploy/` has them. 75 phones press 300 times at each.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Page, sync_playwright

from tests import prepared
from tests.operations.proxies import BEHIND_A_PROXY, caddy_before, nginx_before
from tests.security.servers import ROOT, Server, bridgebuddy

TABLES = 7
PRESSES = 4
WAYS = ("direct", "nginx", "caddy")


@contextmanager
def evening(folder: Path, **environment: str) -> Iterator[tuple[Server, dict[str, Any]]]:
    """Serve a session whose tables have phones; yield the server and the session's cookie."""
    own = {"DATABASE_URL": f"sqlite:///{folder / 'evening.sqlite3'}", "VAR_DIR": str(folder)}
    if prepared.made().exists():
        shutil.copy(prepared.made(), folder / "evening.sqlite3")
    made = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.load_tables", "1", str(TABLES), "3"],
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "bridgebuddy.settings",
            **own,
            **environment,
        },
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    with bridgebuddy(folder, with_jobs=False, **own, **environment) as server:
        yield server, json.loads(made.stdout)["rooms"][0]


@contextmanager
def way_to_server(way: str, folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Start an evening and the proxy before it; yield the address, and the session's cookie."""
    with ExitStack() as stack:
        behind = {} if way == "direct" else BEHIND_A_PROXY
        server, room = stack.enter_context(evening(folder, **behind))
        if way == "direct":
            yield f"http://localhost:{server.port}", room
        elif way == "nginx":
            proxy = nginx_before(server.port, folder=folder, https=True)
            yield stack.enter_context(proxy).address, room
        else:
            proxies = caddy_before(server.port, folder=folder)
            yield stack.enter_context(proxies)[0].address, room


def press(browser: Browser, address: str, room: dict[str, Any], phones: int) -> list[str]:
    """Let phones press; return the outcomes that are no page of ours."""
    errors = []
    for number in range(phones):
        context = browser.new_context(
            base_url=address, ignore_https_errors=True, service_workers="block"
        )
        errors += _presses_of_phone(context.new_page(), room, number)
        context.close()
    return errors


def _presses_of_phone(phone: Page, room: dict[str, Any], number: int) -> list[str]:
    table = 1 + number % TABLES
    phone.goto(f"/p/{room['code']}/table/{table}/key/{room['tables'][str(table)]['secrets'][0]}/")
    errors = [_press(phone, "whose phone", lambda: phone.locator("button.who").first.click())]
    for what, leads_to in (("list", f"/p/{room['code']}/"), ("plan", f"/p/{room['code']}/NS1/")):
        link = phone.locator(f"a[href='{leads_to}']").first
        if errors[-1]:  # the press before ended in an error page: go on from the list
            phone.goto(f"/p/{room['code']}/")
        errors.append(_press(phone, what, link.click))
    phone.goto("/p/")
    phone.locator("input[name=code]").fill(room["code"])
    errors.append(_press(phone, "code", lambda: phone.locator("main button[type=submit]").click()))
    return [error for error in errors if error]


def _press(phone: Page, what: str, click: Callable[[], None]) -> str:
    """Press a link or button that leaves the page; return the error of the next page, or ""."""
    try:
        with phone.expect_navigation() as coming:
            click()
    except Error as broken:
        return f"{what}: {broken.message.splitlines()[0]}"
    answer = coming.value
    is_ours = answer is not None and answer.ok and phone.locator("main#main").count() == 1
    return "" if is_ours else f"{what}: {answer.status if answer else 'no answer'}"


def main(phones: int) -> int:
    """Let phones press on every way; print and return the number of presses that ended in an error page."""
    failed = 0
    with sync_playwright() as playwright:
        chromium = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium"))))
        switches = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=chromium, args=switches)
        for way in WAYS:
            with (
                tempfile.TemporaryDirectory() as folder,
                way_to_server(way, Path(folder)) as (address, room),
            ):
                errors = press(browser, address, room, phones)
            failed += len(errors)
            print(f"{way}: {len(errors)} of {PRESSES * phones} presses ended in an error page")
            for error in errors[:5]:
                print(f"  {error}")
        browser.close()
    return failed


if __name__ == "__main__":
    sys.exit(1 if main(*[int(said) for said in sys.argv[1:]] or [75]) else 0)
