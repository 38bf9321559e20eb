"""A browser is found, or missed in one sentence; one is fetched if that was asked for."""

import contextlib
import io
import os
import subprocess
import tarfile

import brotli
import pytest
from playwright.sync_api import Error

from posenc_book import assets
from posenc_book.images import browser


class Chromium:
    """A fake of Playwright's browser type, which starts only with the given options."""

    def __init__(self, **works_with):
        self.works_with, self.sandboxes = works_with, []

    def launch(self, args, chromium_sandbox, **options):
        assert "--no-sandbox" not in args
        self.sandboxes.append(chromium_sandbox)
        if self.works_with.items() <= options.items() and (self.works_with or not options):
            return "a browser"
        raise Error("not here")


@pytest.fixture(autouse=True)
def bare(monkeypatch, tmp_path):
    """A machine without any browser, on which no test may start a program."""
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("a program was started"))
    monkeypatch.setattr(browser.shutil, "which", lambda name: None)
    monkeypatch.setattr(browser, "OWN", tmp_path)
    monkeypatch.setattr(browser, "PACKED", tmp_path / "packed")
    monkeypatch.setattr(browser.os, "geteuid", lambda: 1000, raising=False)


@pytest.fixture
def offered(monkeypatch, tmp_path):
    """What stands in for the package of npm: a program that prints, a library and a font."""

    @contextlib.contextmanager
    def installed(locked, near):
        assert (locked / "package-lock.json").is_file()
        folder = tmp_path / "node_modules/@sparticuz/chromium/bin"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "chromium.br").write_bytes(brotli.compress(b"#!/bin/sh\n"))
        for archive, name in (
            ("swiftshader", "libEGL.so"),
            ("fonts", "fonts/Sans.ttf"),
            ("al2023", "lib/libnss3.so"),
        ):
            content = io.BytesIO()
            with tarfile.open(fileobj=content, mode="w") as files:
                files.addfile(tarfile.TarInfo(name))
            (folder / f"{archive}.tar.br").write_bytes(brotli.compress(content.getvalue()))
        yield tmp_path / "node_modules"

    monkeypatch.setattr(assets, "installed", installed)
    monkeypatch.setattr(browser, "HAS_PACKAGE", True)


def test_the_system_s_browser_comes_first(monkeypatch, offered):
    browser.fetch()
    monkeypatch.setattr(browser.shutil, "which", {"chromium": "/usr/bin/chromium"}.get)
    first = Chromium(executable_path="/usr/bin/chromium")
    assert browser.launch(first) == "a browser"
    assert len(first.sandboxes) == 1


def test_chrome_and_playwright_s_chromium_are_found():
    assert browser.launch(Chromium(channel="chrome")) == "a browser"
    assert browser.launch(Chromium()) == "a browser"


def test_missing_browser_is_reported():
    with pytest.raises(RuntimeError, match="`make browser` fetches one"):
        browser.launch(Chromium(channel="none"))


@pytest.mark.skipif(os.name == "nt", reason="no programs as on Linux: this is for Linux alone")
def test_a_fetched_browser_has_its_program_libraries_and_fonts(offered):
    browser.fetch()
    browser.fetch()  # once more, over the one before
    packed = browser.PACKED.resolve()
    assert os.access(packed / "chromium", os.X_OK)
    assert (packed / "libEGL.so").is_file()  # beside the program, which looks there
    assert (packed / "fonts/fonts/Sans.ttf").is_file()
    assert f"<dir>{packed}/fonts/fonts</dir>" in (packed / "fonts.conf").read_text("utf-8")
    (started,) = browser._packed()
    assert f"{packed}/libraries/lib" in started["env"]["LD_LIBRARY_PATH"].split(":")
    assert (packed / "libraries/lib/libnss3.so").is_file()
    assert browser.launch(Chromium(executable_path=packed / "chromium")) == "a browser"


def test_only_root_does_without_the_sandbox_at_once(monkeypatch):
    for user in (0, 1000):
        monkeypatch.setattr(browser.os, "geteuid", lambda user=user: user, raising=False)
        chromium = Chromium()
        browser.launch(chromium)
        assert set(chromium.sandboxes) == {user != 0}
