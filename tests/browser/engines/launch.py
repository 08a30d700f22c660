"""Start browser engines: each function yields an engine, or raises `EngineMissing` with what must be installed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Error, Page
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.webkitgtk.service import Service as GtkService
from selenium.webdriver.wpewebkit.service import Service as WpeService
from websocket import WebSocketException, create_connection

from .phone import PATIENCE, Engine, EngineError

PACKED_CHROMIUM = Path(__file__).parents[3] / ".ci/node_modules/@sparticuz/chromium/bin/chromium.br"
UNPACK = """const { readFileSync, writeFileSync } = require("fs");
const [packed, to] = process.argv.slice(1);
writeFileSync(to, require("zlib").brotliDecompressSync(readFileSync(packed)), { mode: 0o755 });"""
MINI_BROWSERS = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"
QT_PROGRAM = Path(__file__).with_name("qtwebkit.py")


class EngineMissing(Exception):
    """An engine is not installed; the text says how to install it."""


def require(program: str | Path, how: str) -> str:
    """Return the path of a program. Raises `EngineMissing`."""
    path = shutil.which(str(program))
    if path is None:
        raise EngineMissing(f"{program} is missing: {how}")
    return path


class PlaywrightEngine:
    """An engine that Playwright drives."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def open(self, address: str) -> None:
        with suppress(Error):
            self._page.goto(address, wait_until="commit")

    def run(self, script: str) -> object:
        try:
            return self._page.evaluate(script)
        except Error as error:
            raise EngineError(str(error)) from error


class WebDriverEngine:
    """An engine that a WebDriver drives."""

    def __init__(self, driver: WebDriver) -> None:
        self._driver = driver

    def open(self, address: str) -> None:
        with suppress(WebDriverException):
            self._driver.get(address)

    def run(self, script: str) -> object:
        try:
            return self._driver.execute_script(f"return {script};")
        except WebDriverException as error:
            raise EngineError(str(error)) from error


class BidiEngine:
    """Firefox, over its own WebDriver BiDi socket: no driver program is needed."""

    def __init__(self, address: str) -> None:
        self._socket = create_connection(
            f"{address}/session", timeout=PATIENCE, suppress_origin=True
        )
        self._number = 0
        self._ask("session.new", capabilities={})
        self._tab = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def _ask(self, method: str, **params: object) -> dict:
        self._number += 1
        request = {"id": self._number, "method": method, "params": params}
        try:
            self._socket.send(json.dumps(request))
            answer = {}
            while answer.get("id") != self._number:
                answer = json.loads(self._socket.recv())
        except WebSocketException as error:
            raise EngineError(str(error)) from error
        if answer["type"] == "error":
            raise EngineError(f"{answer['error']}: {answer['message']}")
        return answer["result"]

    def open(self, address: str) -> None:
        with suppress(EngineError):
            self._ask("browsingContext.navigate", context=self._tab, url=address, wait="none")

    def run(self, script: str) -> object:
        answer = self._ask(
            "script.evaluate",
            expression=f"JSON.stringify({script})",
            target={"context": self._tab},
            awaitPromise=False,
        )
        if answer["type"] == "exception":
            raise EngineError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"].get("value") or "null")


class QtEngine:
    """QtWebKit, in a program of the system's Python that reads commands line by line."""

    def __init__(self, program: subprocess.Popen[str]) -> None:
        self._program = program

    def _ask(self, **command: str) -> object:
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._program.stdin.write(json.dumps(command) + "\n")
        self._program.stdin.flush()
        answer = self._program.stdout.readline()
        assert answer, "QtWebKit has ended"
        return json.loads(answer)

    def open(self, address: str) -> None:
        self._ask(open=address)

    def run(self, script: str) -> object:
        return self._ask(run=script)


@contextmanager
def chromium_92(chromium: Browser) -> Iterator[Engine]:
    node = require("node", "apt-get install nodejs")
    if not PACKED_CHROMIUM.exists():
        raise EngineMissing("Chromium 92 is missing: make .ci/node_modules/.installed")
    with TemporaryDirectory() as folder:
        program = Path(folder) / "chromium"
        subprocess.run([node, "-e", UNPACK, str(PACKED_CHROMIUM), str(program)], check=True)
        # one Playwright a process: the one that drives the Chromium of the other tests
        browser = chromium.browser_type.launch(
            executable_path=program, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        context = browser.new_context(viewport={"width": 375, "height": 667}, locale="en-GB")
        yield PlaywrightEngine(context.new_page())
        browser.close()


@contextmanager
def wpe_webkit(chromium: Browser) -> Iterator[Engine]:
    options = webdriver.WPEWebKitOptions()
    options.binary_location = require("cog", "apt-get install cog")
    options.set_capability("browserName", "cog")
    for argument in ("--automation", "--platform=headless"):
        options.add_argument(argument)
    service = WpeService(require("WPEWebDriver", "apt-get install wpewebkit-driver"))
    with webdriver.WPEWebKit(options=options, service=service) as driver:
        yield WebDriverEngine(driver)


@contextmanager
def webkit_gtk(chromium: Browser) -> Iterator[Engine]:
    service_program = require("WebKitWebDriver", "apt-get install webkit2gtk-driver")
    screen = require("Xvfb", "apt-get install xvfb")
    browsers = sorted(Path("/").glob(MINI_BROWSERS.lstrip("/")))
    if not browsers:
        raise EngineMissing("MiniBrowser is missing: apt-get install webkit2gtk-driver")
    options = webdriver.WebKitGTKOptions()
    options.binary_location = str(browsers[0])
    options.add_argument("--automation")
    command = [screen, "-displayfd", "1", "-screen", "0", "1024x800x24", "-nolisten", "tcp"]
    display = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert display.stdout is not None
        number = display.stdout.readline().strip()
        environment = {"DISPLAY": f":{number}", "PATH": "/usr/bin:/bin", "GDK_BACKEND": "x11"}
        service = GtkService(service_program, env=environment)
        with webdriver.WebKitGTK(options=options, service=service) as driver:
            yield WebDriverEngine(driver)
    finally:
        display.terminate()
        display.wait()


@contextmanager
def firefox(chromium: Browser) -> Iterator[Engine]:
    program = require("firefox-esr", "apt-get install firefox-esr")
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        (Path(profile) / "user.js").write_text('user_pref("intl.accept_languages", "en-GB");\n')
        command = [program, "--headless", "--no-remote", "--profile", profile]
        command += ["--remote-debugging-port", "0", "--width", "375", "--height", "667"]
        log = Path(profile) / "log"
        with log.open("w") as file:
            process = subprocess.Popen(command, stdout=file, stderr=file)
        try:
            yield BidiEngine(socket_address(log, process))
        finally:
            process.terminate()
            process.wait()


def socket_address(log: Path, process: subprocess.Popen[bytes]) -> str:
    """Wait until Firefox has written the address of its socket."""

    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends and process.poll() is None:
        if found := re.search(r"listening on (ws://\S+)\n", log.read_text()):
            return found[1]
        time.sleep(0.05)
    raise AssertionError(f"Firefox has opened no socket: {log.read_text()}")


@contextmanager
def qt_webkit(chromium: Browser) -> Iterator[Engine]:
    python = require("/usr/bin/python3", "apt-get install python3")
    known = subprocess.run([python, "-c", "import PyQt5.QtWebKitWidgets"], capture_output=True)
    if known.returncode:
        raise EngineMissing("QtWebKit is missing: apt-get install python3-pyqt5.qtwebkit")
    program = subprocess.Popen(
        [python, str(QT_PROGRAM)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield QtEngine(program)
    finally:
        program.terminate()
        program.wait()
