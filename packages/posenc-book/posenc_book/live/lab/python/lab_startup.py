"""What IPython runs when the kernel starts."""

import re

import js  # type: ignore[import-not-found]
import pyodide_js  # type: ignore[import-not-found]
from pyodide.code import run_js  # type: ignore[import-not-found]

# Without this, WebKit can't terminate a busy kernel: see theme/live/worker.mjs.
if re.search("AppleWebKit(?!.*Chrome)", js.navigator.userAgent):
    pyodide_js.setInterruptBuffer(run_js('({ get 0() { return JSON.parse("0"); }, set 0(_) {} })'))
del re, js, pyodide_js, run_js
