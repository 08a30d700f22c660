"""The ways in which a test drives a page of an engine: Playwright, WebDriver, WebDriver BiDi, and QtWebKit's program."""

from __future__ import annotations

import base64
import json
import subprocess
from contextlib import suppress

from playwright.sync_api import Error, Page
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from websocket import WebSocketException, create_connection

from .phone import PATIENCE, EngineError

#: keys by their names, as both WebDriver protocols write them
KEYS = {"Enter": Keys.ENTER, "Tab": Keys.TAB}


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
        driver.set_script_timeout(PATIENCE)

    def open(self, address: str) -> None:
        with suppress(WebDriverException):
            self._driver.get(address)

    def run(self, script: str) -> object:
        try:
            return self._driver.execute_script(f"return {script};")
        except WebDriverException as error:
            raise EngineError(str(error)) from error

    def press(self, *keys: str) -> None:
        """Press keys: characters, or names in `KEYS`."""
        actions = ActionChains(self._driver)
        actions.send_keys(*(KEYS.get(key, key) for key in keys)).perform()


class BidiEngine:
    """A window of Firefox, over its own WebDriver BiDi socket: no driver program is needed.

    A window and no tab: a page in a tab behind others takes itself for hidden, and asks for nothing new.
    """

    def __init__(self, socket: BidiSocket) -> None:
        self._socket = socket
        container = socket.ask("browser.createUserContext")["userContext"]
        window = socket.ask("browsingContext.create", type="window", userContext=container)
        self._window = window["context"]

    def open(self, address: str) -> None:
        with suppress(EngineError):
            self._socket.ask(
                "browsingContext.navigate", context=self._window, url=address, wait="none"
            )

    def run(self, script: str) -> object:
        answer = self._socket.ask(
            "script.evaluate",
            expression=f"JSON.stringify({script})",
            target={"context": self._window},
            awaitPromise=False,
        )
        if answer["type"] == "exception":
            raise EngineError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"].get("value") or "null")

    def press(self, *keys: str) -> None:
        """Press keys: characters, or names in `KEYS`."""
        strokes = [
            {"type": kind, "value": KEYS.get(key, key)}
            for key in keys
            for kind in ("keyDown", "keyUp")
        ]
        keyboard = {"type": "key", "id": "keyboard", "actions": strokes}
        self._socket.ask("input.performActions", context=self._window, actions=[keyboard])

    def print(self) -> bytes:
        """Return the page as Firefox prints it: a PDF on A4."""
        paper = {"width": 21.0, "height": 29.7}
        printed = self._socket.ask("browsingContext.print", context=self._window, page=paper)
        return base64.b64decode(printed["data"])


class BidiSocket:
    """A session of WebDriver BiDi: requests and their answers."""

    def __init__(self, address: str) -> None:
        try:
            self._socket = create_connection(
                f"{address}/session", timeout=PATIENCE, suppress_origin=True
            )
        except WebSocketException as error:
            raise EngineError(str(error)) from error
        self._number = 0
        self.ask("session.new", capabilities={})

    def ask(self, method: str, **params: object) -> dict:
        """Return the result of a command. Raises `EngineError`."""
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
