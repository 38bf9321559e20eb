"""What IPython runs as the kernel starts."""

import re

import js  # type: ignore[import-not-found]
import pyodide_js  # type: ignore[import-not-found]
from pyodide.code import run_js  # type: ignore[import-not-found]

get_ipython().Completer.use_jedi = False  # type: ignore[name-defined]  # noqa: F821 (it is not there)
# Without this, WebKit can't end a kernel that is busy: see live/page/worker.mjs.
if re.search("AppleWebKit(?!.*Chrome)", js.navigator.userAgent):
    pyodide_js.setInterruptBuffer(run_js('({ get 0() { return JSON.parse("0"); }, set 0(_) {} })'))
del re, js, pyodide_js, run_js
