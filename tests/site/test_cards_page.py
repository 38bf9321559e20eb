"""Cards open without a script. With one they count what a reader knew, for that reader alone."""

from functools import partial

import pytest
from reader import turn, violations, without_ring
from test_site import CHAPTERS

PAGE = CHAPTERS[4]
STORED = "() => Object.fromEntries(Object.entries(localStorage))"
# The narrower side of each button of the cards.
SIDES = """buttons => buttons.map((button) => {
  const { width, height } = button.getBoundingClientRect();
  return Math.min(width, height);
})"""


@pytest.fixture
def opened(newcomer):
    """Open a page with cards for the first time."""
    return partial(newcomer, PAGE)


def card(tab, at):
    return tab.locator("details.card").nth(at)


def choose(tab, at, label):
    """Open a card by keyboard, and press one of its buttons so."""
    card(tab, at).locator("summary").focus()
    tab.keyboard.press("Enter")
    button = card(tab, at).get_by_role("button", name=label)
    button.wait_for(state="visible")
    button.focus()
    tab.keyboard.press("Space")
    assert button.get_attribute("aria-pressed") == "true"


def said(tab):
    return tab.locator(".cards-known").get_by_role("status").inner_text()


def test_a_choice_persists(opened):
    tab = opened()
    assert tab.locator("details.card").count() == 3
    assert not tab.get_by_role("button", name="I knew it").first.is_visible()
    assert said(tab) == ""
    assert tab.evaluate(STORED) == {}
    choose(tab, 0, "I knew it")
    choose(tab, 1, "Not yet")
    choose(tab, 2, "Not yet")
    assert said(tab) == "1 of 3 known; kept in this browser only."
    stored = tab.evaluate(STORED)
    assert sorted(stored.values()) == ["I knew it", "Not yet", "Not yet"]

    tab.reload()
    assert said(tab) == "1 of 3 known; kept in this browser only."
    assert "(known)" in card(tab, 0).locator("summary").inner_text()
    assert "(known)" not in card(tab, 1).locator("summary").inner_text()
    choose(tab, 1, "I knew it")
    assert said(tab) == "2 of 3 known; kept in this browser only."
    assert tab.evaluate(STORED).keys() == stored.keys()


def test_forget_forgets(opened):
    tab = opened()
    forget = tab.get_by_role("button", name="Forget")
    assert not forget.is_visible()
    choose(tab, 0, "I knew it")
    forget.focus()
    tab.keyboard.press("Enter")
    assert tab.evaluate(STORED) == {}
    assert said(tab) == "Forgotten."
    assert not forget.is_visible()
    assert tab.evaluate("document.activeElement.matches('.card > summary')")
    assert "(known)" not in card(tab, 0).locator("summary").inner_text()
    tab.reload()
    assert said(tab) == ""


def test_a_browser_that_keeps_nothing_says_so(opened):
    refuse = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });"
    tab = opened(script=refuse)
    choose(tab, 0, "I knew it")
    assert said(tab) == "1 of 3 known; kept until you leave this page."


def test_axe_passes_and_buttons_have_rings(opened):
    tab = opened(color_scheme="light", viewport={"width": 390, "height": 844})
    choose(tab, 0, "I knew it")
    choose(tab, 1, "Not yet")
    assert violations(tab) == []
    assert without_ring(tab)[0] == []
    buttons = tab.locator(":is(.card-choice, .cards-known) button:visible")
    assert buttons.count() == 5
    assert min(buttons.evaluate_all(SIDES)) >= 24
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    turn(tab, "dark")
    assert violations(tab, colours=True) == []
