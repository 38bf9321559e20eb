"""A browser is found, or missed in one sentence; none is installed without being asked for."""

import subprocess

import pytest
from playwright.sync_api import Error

from posenc_book.images import browser


class Chromium:
    """A fake of Playwright's browser type, which starts only with the given options."""

    def __init__(self, works_with=None):
        self.works_with, self.sandbox = works_with, None

    def launch(self, args, chromium_sandbox, **options):
        assert "--no-sandbox" not in args
        self.sandbox = chromium_sandbox
        if options == self.works_with:
            return "a browser"
        raise Error("not here")


@pytest.fixture(autouse=True)
def no_command(monkeypatch):
    """Fail a test that starts any program."""
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("a program was started"))


def on_path(monkeypatch, *programs):
    found = {name: f"/usr/bin/{name}" for name in programs}
    monkeypatch.setattr(browser.shutil, "which", found.get)


def test_the_system_s_browser_comes_first(monkeypatch):
    on_path(monkeypatch, "chromium")
    assert browser.launch(Chromium({"executable_path": "/usr/bin/chromium"})) == "a browser"


def test_chrome_and_playwright_s_chromium_are_found(monkeypatch):
    on_path(monkeypatch)
    for options in ({"channel": "chrome"}, {}):
        assert browser.launch(Chromium(options)) == "a browser"


def test_missing_browser_is_reported(monkeypatch):
    on_path(monkeypatch, "apt-get")
    with pytest.raises(RuntimeError, match="`make browser` fetches one"):
        browser.launch(Chromium())


def test_only_root_does_without_the_sandbox(monkeypatch):
    on_path(monkeypatch)
    for user in (0, 1000):
        chromium = Chromium({})
        monkeypatch.setattr(browser.os, "geteuid", lambda user=user: user, raising=False)
        browser.launch(chromium)
        assert chromium.sandbox == (user != 0), f"user {user}"
