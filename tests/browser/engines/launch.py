"""Start browser engines. Each function yields what opens another phone in its engine: cookies and storage of its own.

It raises `EngineMissing` where the engine is not installed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from playwright.sync_api import Browser
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.webkitgtk.service import Service as GtkService
from selenium.webdriver.wpewebkit.service import Service as WpeService

from .drivers import BidiEngine, BidiSocket, PlaywrightEngine, QtEngine, WebDriverEngine
from .phone import PATIENCE, Engine, EngineError

PACKED_CHROMIUM = Path(__file__).parents[3] / ".ci/node_modules/@sparticuz/chromium/bin/chromium.br"
UNPACK = """const { readFileSync, writeFileSync } = require("fs");
const [packed, to] = process.argv.slice(1);
writeFileSync(to, require("zlib").brotliDecompressSync(readFileSync(packed)), { mode: 0o755 });"""
MINI_BROWSERS = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"
QT_PROGRAM = Path(__file__).with_name("qtwebkit.py")
SCREEN = {"viewport": {"width": 375, "height": 667}, "locale": "en-GB"}

Opener = Callable[[], Engine]
Launch = Callable[[Browser], AbstractContextManager[Opener]]
T = TypeVar("T")


class EngineMissing(Exception):
    """An engine is not installed; the text says how to install it."""

    def __init__(self, name: str, how: str, *packages: str) -> None:
        """`packages` are Debian's; there are none where the engine comes from npm."""
        super().__init__(f"{name} is missing: {how}")
        self.packages = packages

    @property
    def is_installable(self) -> bool:
        """Return whether this machine can install the engine and has not done so."""
        if not self.packages or os.geteuid() or not shutil.which("apt-get"):
            return False
        command = ["apt-get", "install", "--simulate", "-qq", *self.packages]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def require(program: str, package: str) -> str:
    """Return the path of a program. Raises `EngineMissing`."""
    path = shutil.which(program)
    if path is None:
        raise EngineMissing(program, f"apt-get install {package}", package)
    return path


def start(engine: Callable[[], T]) -> T:
    """Start an engine, once more where the first try fails: a busy machine may be too slow, or a port taken.

    Raises `EngineMissing` where the second try fails too: such a machine does not run this engine.
    """
    try:
        return engine()
    except (WebDriverException, EngineError, OSError):
        pass
    try:
        return engine()
    except (WebDriverException, EngineError, OSError) as broken:
        reason = str(broken).split("\n", 1)[0]
        raise EngineMissing("An engine that starts", f"it was tried twice ({reason})") from broken


@contextmanager
def chromium_now(chromium: Browser) -> Iterator[Opener]:
    with ExitStack() as stack:

        def open_phone() -> Engine:
            context = chromium.new_context(**SCREEN)
            stack.callback(context.close)
            return PlaywrightEngine(context.new_page())

        yield open_phone


@contextmanager
def chromium_92(chromium: Browser) -> Iterator[Opener]:
    node = require("node", "nodejs")
    if not PACKED_CHROMIUM.exists():
        raise EngineMissing("Chromium 92", "make .ci/node_modules/.installed")
    with TemporaryDirectory() as folder:
        program = Path(folder) / "chromium"
        subprocess.run([node, "-e", UNPACK, str(PACKED_CHROMIUM), str(program)], check=True)
        # one Playwright a process: the one that drives the Chromium of the other tests
        options = ["--headless", "--no-sandbox", "--disable-gpu"]
        launch = chromium.browser_type.launch
        browser = launch(executable_path=program, args=options, timeout=PATIENCE * 1000)
        with chromium_now(browser) as open_phone:
            yield open_phone
        browser.close()


@contextmanager
def wpe_webkit(chromium: Browser) -> Iterator[Opener]:
    browser = require("cog", "cog")
    driver = require("WPEWebDriver", "wpewebkit-driver")
    with ExitStack() as stack:

        def start_driver() -> webdriver.WPEWebKit:
            options = webdriver.WPEWebKitOptions()
            options.binary_location = browser
            options.set_capability("browserName", "cog")
            for argument in ("--automation", "--platform=headless"):
                options.add_argument(argument)
            return webdriver.WPEWebKit(options=options, service=WpeService(driver))

        yield lambda: WebDriverEngine(stack.enter_context(start(start_driver)))


@contextmanager
def webkit_gtk(chromium: Browser) -> Iterator[Opener]:
    driver = require("WebKitWebDriver", "webkit2gtk-driver")
    screen = require("Xvfb", "xvfb")
    browsers = sorted(Path("/").glob(MINI_BROWSERS.lstrip("/")))
    if not browsers:
        package = "webkit2gtk-driver"
        raise EngineMissing("MiniBrowser", f"apt-get install {package}", package)
    with ExitStack() as stack:
        number = stack.enter_context(display(screen))
        environment = {"DISPLAY": f":{number}", "PATH": "/usr/bin:/bin", "GDK_BACKEND": "x11"}

        def start_driver() -> webdriver.WebKitGTK:
            options = webdriver.WebKitGTKOptions()
            options.binary_location = str(browsers[0])
            options.add_argument("--automation")
            service = GtkService(driver, env=environment)
            return webdriver.WebKitGTK(options=options, service=service)

        yield lambda: WebDriverEngine(stack.enter_context(start(start_driver)))


@contextmanager
def display(screen: str) -> Iterator[str]:
    """Yield the number of a display without a screen."""
    command = [screen, "-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    with ended(
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    ) as xvfb:
        assert xvfb.stdout is not None
        yield xvfb.stdout.readline().decode().strip()


@contextmanager
def ended(process: subprocess.Popen) -> Iterator[subprocess.Popen]:
    """End a process when it is not needed any more."""
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def firefox(chromium: Browser) -> Iterator[Opener]:
    program = require("firefox-esr", "firefox-esr")
    with ExitStack() as stack:

        def start_firefox() -> BidiSocket:
            profile = stack.enter_context(TemporaryDirectory(ignore_cleanup_errors=True))
            return BidiSocket(stack.enter_context(firefox_with(program, Path(profile))))

        socket = start(start_firefox)
        yield lambda: BidiEngine(socket)


@contextmanager
def firefox_with(program: str, profile: Path) -> Iterator[str]:
    """Start Firefox and yield the address of its socket. Raises `EngineError` where it opens none."""
    (profile / "user.js").write_text('user_pref("intl.accept_languages", "en-GB");\n')
    command = [program, "--headless", "--no-remote", "--profile", str(profile)]
    command += ["--remote-debugging-port", "0", "--width", "375", "--height", "667"]
    log = profile / "log"
    with (
        log.open("w") as file,
        ended(subprocess.Popen(command, stdout=file, stderr=file)) as process,
    ):
        yield socket_address(log, process)


def socket_address(log: Path, process: subprocess.Popen) -> str:
    """Wait until Firefox has written the address of its socket."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends and process.poll() is None:
        if found := re.search(r"listening on (ws://\S+)\n", log.read_text()):
            return found[1]
        time.sleep(0.05)
    raise EngineError(f"Firefox has opened no socket: {log.read_text()}")


@contextmanager
def qt_webkit(chromium: Browser) -> Iterator[Opener]:
    package = "python3-pyqt5.qtwebkit"
    python = require("/usr/bin/python3", "python3")
    known = subprocess.run([python, "-c", "import PyQt5.QtWebKitWidgets"], capture_output=True)
    if known.returncode:
        raise EngineMissing("QtWebKit", f"apt-get install {package}", package)
    with ExitStack() as stack:

        def open_phone() -> Engine:
            program = subprocess.Popen(
                [python, str(QT_PROGRAM)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            return QtEngine(stack.enter_context(ended(program)))

        yield open_phone
