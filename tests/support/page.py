"""The page of ``gpu-wordle serve`` in a real browser, used like a person."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any

from support.browser import Browser, browser

STANDS = (
    "const open = document.querySelector('nav [aria-current]')?.dataset.view;"
    "return open !== undefined && document.querySelector('main').dataset.view === open"
    " && !document.querySelector('.spinner, [aria-busy]')"
)
"""Script that tells whether the requested view is there and nothing is being computed."""
REFUSED = "the server responded with a status of 400"
"""Message of browsers for a refused question, which some tests expect."""


class Page:
    """The page at an address; ``browser`` shows it."""

    def __init__(self, opened: Browser, address: str) -> None:
        self.browser, self.address = opened, address
        self.driver = opened.driver
        self.asked: list[str] = []
        self.driver.set_script_timeout(60)

    def show(self, state: str, width: int = 1280, scheme: str = "light") -> None:
        """Open the page in a state, such as ``#explore?guess=salet``, and wait for it."""
        self.leave()
        self.browser.open(self.address + state, width, scheme)
        self.settle()

    def leave(self) -> None:
        """Leave the page, and store its requests in ``asked``."""
        self.asked += self.browser.requests()
        self.driver.get("about:blank")

    def settle(self) -> None:
        """Wait until the view is there and nothing is being computed."""
        self.browser.wait(lambda: self.browser.run(STANDS))

    @property
    def state(self) -> str:
        """Return the part of the address after the page's own."""
        return str(self.driver.current_url).removeprefix(self.address)

    def texts(self, selector: str) -> list[str]:
        """Return the texts of elements."""
        return self.browser.texts(selector)

    def click(self, selector: str, containing: str = "") -> None:
        """Click the first such element that contains a text, once one is visible."""
        found = []

        def is_seen() -> bool:
            each = self.browser.all(selector)
            found[:] = [e for e in each if e.is_displayed() and containing in e.text]
            return bool(found)

        self.browser.wait(is_seen, f"nothing in sight is {selector} and holds {containing!r}")
        found[0].click()

    def type(self, *keys: str) -> None:
        """Press keys, one after another, wherever the focus is."""
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def write(self, selector: str, text: str) -> None:
        """Replace the text of a field by typing."""
        (field,) = self.browser.all(selector)
        field.clear()
        field.send_keys(text)

    def tab_to(self, selector: str, most: int = 60) -> None:
        """Press the tab key until such an element has the focus."""
        script = "return document.activeElement.matches(arguments[0])"
        for _ in range(most):
            if self.browser.run(script, selector):
                return
            self.type("\ue004")
        raise AssertionError(f"the tab key does not reach {selector}")

    def barriers(self, within: str = "html") -> list[str]:
        """Return the barriers to accessibility that axe finds, each with its first element."""
        self.browser.run(files("axe_core_python").joinpath("axe.min.js").read_text("utf-8"))
        script = "axe.run(arguments[0]).then(arguments[arguments.length - 1])"
        found: dict[str, Any] = self.driver.execute_async_script(script, within)
        return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found["violations"]]

    def complaints(self) -> list[str]:
        """Return the messages of the console, except for refused questions."""
        return [said for said in self.browser.complaints() if REFUSED not in said]


@contextmanager
def opened_page(address: str, downloads: Path) -> Iterator[Page]:
    """Yield the page in a browser that sends no other requests and reports no errors."""
    with browser(downloads) as opened:
        page = Page(opened, address)
        yield page
        page.leave()
        own = (address, "data:", "blob:", "about:")
        assert [url for url in page.asked if not url.startswith(own)] == []
        assert page.complaints() == []


class _Quiet(SimpleHTTPRequestHandler):
    """A server of a folder's files, without a log."""

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@contextmanager
def file_host(folder: Path) -> Iterator[str]:
    """Yield the address of a plain file server."""
    host = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=host.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{host.server_port}/"
    finally:
        host.shutdown()
        host.server_close()
        thread.join()
