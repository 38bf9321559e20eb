"""A browser is found, or installed, or asked for in one sentence."""

import pytest
from playwright.sync_api import Error

from posenc_book.images import browser


class Chromium:
    """A fake of Playwright's browser type, which starts only with the given options."""

    def __init__(self, works_with=None):
        self.works_with, self.tried = works_with, []

    def launch(self, args, **options):
        self.tried.append(options)
        if options == self.works_with:
            return "a browser"
        raise Error("not here")


@pytest.fixture
def commands(monkeypatch):
    run = []
    monkeypatch.setattr(browser.subprocess, "run", lambda command, **_: run.append(command))
    return run


def on_path(monkeypatch, **programs):
    monkeypatch.setattr(browser.shutil, "which", lambda name: programs.get(name.replace("-", "_")))


def test_the_system_s_browser_is_used_and_nothing_installed(monkeypatch, commands):
    on_path(monkeypatch, chromium="/usr/bin/chromium")
    assert browser.launch(Chromium({"executable_path": "/usr/bin/chromium"})) == "a browser"
    assert commands == []


def test_chrome_is_found_even_if_it_is_not_on_the_path(monkeypatch, commands):
    on_path(monkeypatch)
    assert browser.launch(Chromium({"channel": "chrome"})) == "a browser"
    assert commands == []


def test_without_a_browser_it_tries_playwright_then_apt_and_then_says_what_to_install(
    monkeypatch, commands
):
    on_path(monkeypatch, apt_get="/usr/bin/apt-get")
    monkeypatch.setattr(browser.os, "geteuid", lambda: 0, raising=False)
    with pytest.raises(RuntimeError, match="install Chromium or Chrome"):
        browser.launch(Chromium())
    assert [command[-1] for command in commands] == ["chromium", "update", "chromium"]
    assert "playwright" in commands[0]
    assert commands[1][0] == commands[2][0] == "apt-get"


def test_apt_is_not_run_without_root_rights(monkeypatch, commands):
    on_path(monkeypatch, apt_get="/usr/bin/apt-get")
    monkeypatch.setattr(browser.os, "geteuid", lambda: 1000, raising=False)
    with pytest.raises(RuntimeError):
        browser.launch(Chromium())
    assert len(commands) == 1
