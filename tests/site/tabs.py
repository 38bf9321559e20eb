"""Tabs of a browser, and what goes wrong in them."""

import contextlib


def errors_in(context):
    """The errors in the tabs of a context from now on: a list that grows."""
    errors = []
    context.on("weberror", lambda one: errors.append(str(one.error)))
    context.on("console", lambda said: said.type == "error" and errors.append(said.text))
    return errors


@contextlib.contextmanager
def tabs(browser, url):
    """Yield a function that opens pages, each for a reader of its own.

    When they are closed, nothing has gone wrong in any of them.
    """
    opened = []

    def go(page, **how):
        context = browser.new_context(**how)
        opened.append((context, errors_in(context)))
        tab = context.new_page()
        tab.goto(f"{url}{page}.html")
        return tab

    yield go
    for context, _ in opened:
        context.close()
    assert [error for _, errors in opened for error in errors] == []
