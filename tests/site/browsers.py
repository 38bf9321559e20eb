"""Drive Firefox and WebKitGTK, each by the protocol that it speaks itself.

Firefox speaks WebDriver BiDi over a socket, WebKitGTK's driver WebDriver over HTTP. Both are W3C
standards, carry JSON, and describe keys and clicks alike, so little code serves both. Playwright
brings a WebKit of its own, and needs a newer Firefox than the extended support release; Selenium
needs a driver for Firefox that Debian doesn't have.
"""

import base64
import contextlib
import io
import json
import os
import re
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

import psutil
import websocket
from PIL import Image
from reader import Quiet

SIZE = {"width": 1280, "height": 900}
KEYS = {"Control": 0xE009, "Enter": 0xE007, "Escape": 0xE00C, "Left": 0xE012, "Right": 0xE014}
TIMEOUT = 120  # seconds, for a busy machine

# WebKit reports no errors of a page to its driver, so the page has to record them.
RECORDER = """window.wrong = [];
addEventListener("error", ({ target, message }) => {
  wrong.push(target === window ? message : `did not load: ${target.src ?? target.href}`);
}, true);
addEventListener("unhandledrejection", ({ reason }) => wrong.push(String(reason)));
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
  wrong.push(`violates the policy: ${violatedDirective} ${blockedURI}`);
});
console.error = (...words) => wrong.push(words.join(" "));
"""


class Failed(Exception):  # noqa: N818
    """A browser could not do what it was asked."""


class Recorded(Quiet):
    """Serves a site's pages, with the recorder as their first script."""

    def send_head(self):
        page = Path(self.translate_path(self.path))
        if page.name == "recorder.js":
            return self.send("text/javascript", RECORDER.encode())
        if page.suffix == ".html" and page.is_file():
            script = b'<head><script src="/recorder.js"></script>'
            return self.send("text/html", page.read_bytes().replace(b"<head>", script, 1))
        return super().send_head()

    def send(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return io.BytesIO(body)


class Browser:
    """One window of a browser."""

    def __init__(self):
        self.ends = contextlib.ExitStack()
        self.folder = Path(
            self.ends.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        )
        self.log = self.folder / "log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                self.command(), stdout=log, stderr=log, start_new_session=True
            )
        self.ends.callback(self.process.wait)
        self.ends.callback(os.killpg, self.process.pid, signal.SIGTERM)
        try:
            self.connect()
        except BaseException as error:
            error.add_note(self.log.read_text("utf-8", "replace")[-2000:])
            self.close()
            raise

    def close(self):
        self.ends.close()

    def problems(self):
        """The errors on this page; to ask another host is one, against the page's policy."""
        return self.evaluate("wrong")

    def until(self, find, what):
        """Wait until a function finds something, and return it; pages may load meanwhile."""
        end, found, why = time.monotonic() + TIMEOUT, None, ""
        while not found:
            assert time.monotonic() < end, f"not within {TIMEOUT} s: {what} {why}"
            time.sleep(0.05)
            try:
                found = find()
            except Failed as error:
                why = f"({error})"
        return found

    def wait(self, expression):
        self.until(lambda: self.evaluate(f"Boolean({expression})"), expression)

    def press(self, keys):
        """Press keys together, such as Control+k."""
        values = [chr(KEYS[key]) if key in KEYS else key for key in keys.split("+")]
        down = [{"type": "keyDown", "value": value} for value in values]
        up = [{"type": "keyUp", "value": value} for value in reversed(values)]
        self.act({"type": "key", "id": "keyboard", "actions": down + up})

    def write(self, text):
        for letter in text:
            self.press(letter)

    def place(self, selector):
        """Bring an element into view and return its edges: left, top, right, bottom.

        A page that shows all of it, and not under its bar, stays where it is under the pointer.
        """
        return self.evaluate(f"""(() => {{
          const element = document.querySelector({json.dumps(selector)});
          const before = element.getBoundingClientRect();
          if (before.top < 80 || before.bottom > innerHeight)
            element.scrollIntoView({{ block: "center", behavior: "instant" }});
          const {{ left, top, right, bottom }} = element.getBoundingClientRect();
          return [left, Math.max(top, 0), right, Math.min(bottom, innerHeight)];
        }})()""")

    def click(self, selector, press=True):
        """Move the pointer to an element, and press its button."""
        left, top, right, bottom = self.place(selector)
        at = {"x": round((left + right) / 2), "y": round((top + bottom) / 2), "duration": 0}
        steps = [{"type": "pointerMove", **at}]
        steps += [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp") if press]
        self.act({"type": "pointer", "id": "mouse", "actions": steps})

    def picture(self, selector):
        """Take a picture of an element, once it has come to rest."""

        def seen_twice():
            first = self.screenshot()
            time.sleep(0.2)
            return first if self.screenshot() == first else None

        edges = self.place(selector)
        window = base64.b64decode(self.until(seen_twice, f"{selector} comes to rest"))
        return Image.open(io.BytesIO(window)).convert("RGB").crop(edges)

    def load(self):
        """The CPU time that the browser takes, relative to a loop that runs meanwhile.

        However busy the machine, a loop in the browser gets about as much: 1.
        """

        def spent():
            first, seconds = psutil.Process(self.process.pid), {}
            for process in [first, *first.children(recursive=True)]:
                with contextlib.suppress(psutil.NoSuchProcess):
                    times = process.cpu_times()
                    seconds[process.pid] = times.user + times.system
            return seconds

        before, begin = spent(), time.thread_time()
        while time.thread_time() < begin + 1:
            pass
        after, end = spent(), time.thread_time()
        return sum(after[pid] - before[pid] for pid in before.keys() & after) / (end - begin)


class Firefox(Browser):
    """Firefox on a virtual screen, by WebDriver BiDi: headless, it has no WebGL."""

    NEEDS = (("firefox-esr", "firefox-esr"), ("xvfb-run", "xvfb"), ("xauth", "xauth"))

    def command(self):
        profile = self.folder / "profile"
        profile.mkdir()
        firefox = ["firefox-esr", "--no-remote", "--remote-debugging-port=0"]
        return ["xvfb-run", "-a", *firefox, "--profile", profile]

    def connect(self):
        said = re.compile(r"WebDriver BiDi listening on (\S+)")
        find = lambda: said.search(self.log.read_text("utf-8", "replace"))  # noqa: E731
        address = self.until(find, "Firefox listens")[1]
        self.socket = websocket.create_connection(
            f"{address}/session", timeout=TIMEOUT, suppress_origin=True
        )
        self.ends.callback(self.socket.close)
        self.sent = 0
        self.ask("session.new", capabilities={})
        self.tab = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.ask("browsingContext.setViewport", context=self.tab, viewport=SIZE)

    def ask(self, method, **params):
        self.sent += 1
        self.socket.send(json.dumps({"id": self.sent, "method": method, "params": params}))
        answer = json.loads(self.socket.recv())
        if "error" in answer:
            raise Failed(f"{method}: {answer['message']}")
        return answer["result"]

    def goto(self, address):
        self.ask("browsingContext.navigate", context=self.tab, url=address, wait="complete")

    def evaluate(self, expression):
        told = self.ask(
            "script.evaluate",
            expression=f"JSON.stringify(({expression}) ?? null)",
            target={"context": self.tab},
            awaitPromise=False,
        )
        if told["type"] == "exception":
            raise Failed(told["exceptionDetails"]["text"])
        return json.loads(told["result"]["value"])

    def act(self, source):
        self.ask("input.performActions", context=self.tab, actions=[source])

    def screenshot(self):
        return self.ask("browsingContext.captureScreenshot", context=self.tab)["data"]


class WebKit(Browser):
    """WebKitGTK's MiniBrowser on a virtual screen, by WebDriver."""

    NEEDS = (
        ("WebKitWebDriver", "webkit2gtk-driver"),
        ("xvfb-run", "xvfb"),
        ("xauth", "xauth"),
        ("dbus-run-session", "dbus"),
    )

    def command(self):
        return ["dbus-run-session", "--", "xvfb-run", "-a", "WebKitWebDriver", "--port=0"]

    def connect(self):
        port = self.until(self.port, "WebKit's driver listens")
        self.session = f"http://127.0.0.1:{port}/session"
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": {"args": ["--automation"]}}}
        self.session += "/" + self.ask("", capabilities=wanted)["sessionId"]
        self.ask("/window/rect", **SIZE)

    def port(self):
        for process in psutil.Process(self.process.pid).children(recursive=True):
            if process.name() == "WebKitWebDriver":
                for connection in process.net_connections("tcp4"):
                    return connection.laddr.port
        return None

    def ask(self, path, **params):
        data = json.dumps(params).encode() if params else None
        request = urllib.request.Request(self.session + path, data)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            with error:
                raise Failed(f"{path}: {json.load(error)['value']['message']}") from None

    def goto(self, address):
        self.ask("/url", url=address)

    def evaluate(self, expression):
        return self.ask("/execute/sync", script=f"return {expression}", args=[])

    def act(self, source):
        self.ask("/actions", actions=[source])

    def screenshot(self):
        return self.ask("/screenshot")
