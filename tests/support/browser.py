"""A real browser without a screen, for the pages that the package writes."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

REQUIRED = "GPU_WORDLE_NEEDS_BROWSER"
"""Set where a missing browser is an error, not a reason to skip tests. .ci/run sets it."""
NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_S = 60.0
TOUCHED_WIDTH = 500
"""Screens narrower than this count as telephones."""


class Browser:
    """A page in Chromium; ``driver`` is Selenium's.

    It records every request of the page and all messages on the console.
    """

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, page: Path | str, width: int = 1280, scheme: str = "light") -> None:
        """Show a file or an address on a screen of this width, on a dark or light system."""
        address = page.as_uri() if isinstance(page, Path) else page
        self.look(width, scheme)
        self.requests()
        self.driver.get(address)
        # On a busy machine the driver may return while the page before is still there.
        is_there = "return location.href.split('#')[0] === arguments[0].split('#')[0]"
        is_whole = "document.readyState === 'complete'"
        self.wait(lambda: self.run(f"{is_there} && {is_whole}", address))

    def look(self, width: int, scheme: str) -> None:
        """Show the page on a screen of another size or scheme."""
        screen = {"width": width, "height": 900, "deviceScaleFactor": 1}
        command = self.driver.execute_cdp_cmd
        command("Emulation.setDeviceMetricsOverride", {**screen, "mobile": width < TOUCHED_WIDTH})
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            # the tests would look at a page that still moves
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        command("Emulation.setEmulatedMedia", {"features": features})

    def run(self, script: str, *arguments: Any) -> Any:
        """Return the result of a script run on the page."""
        return self.driver.execute_script(script, *arguments)

    def all(self, selector: str) -> list[Any]:
        """Return the elements that a CSS selector finds."""
        return self.driver.find_elements("css selector", selector)

    def texts(self, selector: str) -> list[str]:
        """Return the texts of those elements, even if they are out of sight."""
        script = "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)"
        return self.run(script, selector)

    def wait(self, happened: Callable[[], object], missed: str = "it did not happen") -> None:
        """Wait until something has happened; the test fails if it never does."""
        deadline = time.monotonic() + PATIENCE_S
        while not happened():
            assert time.monotonic() < deadline, missed
            time.sleep(0.05)

    def complaints(self) -> list[str]:
        """Return the messages of the console."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Return the requests since the last call, from the network log."""
        messages = [json.loads(e["message"])["message"] for e in self.driver.get_log("performance")]
        return [
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        ]


@contextmanager
def browser(downloads: Path) -> Iterator[Browser]:
    """Yield Chromium, which saves downloads in a folder.

    Without it the test is skipped, or fails.
    """
    program = next(filter(None, map(shutil.which, NAMES)), None)
    driver = shutil.which("chromedriver")
    missing = [name for name, path in (("chromium", program), ("chromedriver", driver)) if not path]
    if missing:
        reason = f"no {' and no '.join(missing)}; apt-get install chromium chromium-driver"
        if os.environ.get(REQUIRED):
            pytest.fail(reason)
        pytest.skip(reason)
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    opened = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield Browser(opened)
    finally:
        opened.quit()
