"""A prediction counts: what would give it away is covered until its reader has chosen an answer."""

import pytest
from reader import KINDS, until, violations, without_ring
from test_site import CHAPTERS

BOXES = ".admonition:has(> .admonition-title:text-is('Predict'))"
# What each box covers, as a reader meets it: words and pictures, in the order of the page.
COVERED = """boxes => {
  const covered = [...document.querySelectorAll('.covered')];
  const outputs = [...document.querySelectorAll('.cell_output:not(.live-output)')];
  const before = (one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
  return boxes.map((box, at) => {
    const own = (one) => before(box, one) && !(boxes[at + 1] && before(boxes[at + 1], one));
    return {
      outputs: covered.filter((one) => own(one) && one.matches('.cell_output')).length,
      first: outputs.find((one) => before(box, one)).matches('.covered'),
      words: covered.filter((one) => own(one) && one.matches('p')).length,
    };
  });
}"""
# The parts of what is covered that can be seen or reached, or take room; and the bars that are not
# low, one to a box.
OPEN = """covered => covered.flatMap((one) => {
  const parts = [one, ...one.querySelectorAll('*')];
  if (one.getBoundingClientRect().height) return [one.outerHTML.slice(0, 100)];
  return parts.filter((part) => part.checkVisibility({ visibilityProperty: true }))
    .map((part) => part.outerHTML.slice(0, 100));
})"""
MISFITS = """lids => lids.filter((lid) => {
  const { height } = lid.getBoundingClientRect();
  const seen = lid.checkVisibility() && !lid.closest('details:not([open])');
  return seen && (height > 90 || lid.scrollWidth > lid.clientWidth);
}).map((lid) => lid.outerHTML.slice(0, 200))"""


# The rule of what is covered is the page's: the sweep asks it of all chapters.
@pytest.mark.parametrize(
    "page", [pytest.param(one, marks=() if one in KINDS else pytest.mark.sweep) for one in CHAPTERS]
)
def test_predictions_cover_what_gives_them_away(newcomer, page):
    tab = newcomer(page)
    boxes = tab.locator(BOXES)
    asked = boxes.evaluate_all(COVERED)
    assert asked
    for box in asked:
        assert box["first"], "the first output below the box is covered"
        assert 1 <= box["outputs"] <= 4
        assert box["words"] <= 1
    covered = tab.locator(".covered")
    assert sum(box["outputs"] + box["words"] for box in asked) == covered.count()
    assert covered.evaluate_all(OPEN) == []
    assert tab.locator(".tag_opening .covered").count() == 0, "it is shown at the top: tag another"
    assert tab.locator(".cover").evaluate_all(MISFITS) == []
    buttons = tab.get_by_role("button", name="Show me", exact=False)
    assert buttons.count() == tab.locator(".cover").count() == boxes.count()


@pytest.mark.parametrize("page", [page for page in KINDS if page in CHAPTERS])
def test_a_keyboard_answer_uncovers_and_is_remembered(newcomer, page):
    tab = newcomer(page, viewport={"width": 390, "height": 844})
    assert tab.locator(".cover").evaluate_all(MISFITS) == []
    count = tab.locator(BOXES).count()
    all_covered = tab.locator(".covered").element_handles()
    for at in range(count):
        box = tab.locator(BOXES).nth(at)
        covered = tab.locator(".covered")
        before = covered.count()
        answers = box.locator("details")
        chosen = answers.nth(at % answers.count())
        chosen.locator("summary").focus()
        tab.keyboard.press("Enter" if at % 2 else "Space")
        reply = chosen.locator(".sd-summary-content")
        reply.wait_for(state="visible")
        assert reply.inner_text().startswith(("Yes", "No"))
        assert box.locator("details[open]").count() == 1
        assert covered.count() < before
        mark = "getComputedStyle(one.querySelector('.sd-summary-text'), '::after').content"
        shown = chosen.evaluate(f"one => {mark}")
        assert ("✓" in shown) == reply.inner_text().startswith("Yes")
        others = answers.nth((at + 1) % answers.count())
        others.locator("summary").click()
        assert box.get_by_text("(your choice)").count() == 1, "the first one counts"
    assert tab.locator(".cover").count() == 0
    for one in all_covered:  # or it is a tick beside its line
        assert one.is_visible() or one.query_selector(".tick").is_visible()

    tab.reload()
    assert tab.locator(".cover").count() == 0
    for at in range(count):
        answers = tab.locator(BOXES).nth(at).locator("details")
        chosen = answers.nth(at % answers.count())
        assert "(your choice)" in chosen.locator("summary").inner_text()
    assert tab.get_by_text("(your choice)").count() == count
    if stock := tab.locator("#take-stock").count():
        right = tab.locator(BOXES).locator(".chosen.right").count()
        assert tab.locator(".tally").inner_text() == f"You foresaw {right} of {count}."
    assert tab.locator(".tally").count() == stock


PAGE = "notebooks/beyond/learned-positions"
TOLD = "rows 32 to 63: 0 of 2048"  # by what is covered


def test_axe_passes_and_covers_have_rings(newcomer):
    tab = newcomer(PAGE, reduced_motion="reduce")
    assert tab.locator(".cover").count() == 1
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme)
        tab.locator(f"html[data-theme={theme}]").wait_for()
        assert violations(tab, colours=theme == "dark") == []
        assert without_ring(tab)[0] == []
        tab.keyboard.press("Escape")  # closes the note at what had the focus last
    tab.locator(BOXES).locator("summary").first.click()
    assert violations(tab) == []


def test_what_is_covered_is_not_reached_before_a_press(newcomer):
    tab = newcomer(PAGE)
    read = tab.locator("article").aria_snapshot
    assert TOLD not in read()
    assert "Predict: choose an answer" in read()
    tab.locator(BOXES).locator("summary").last.focus()
    reached = []
    for _ in range(12):
        tab.keyboard.press("Tab")
        reached.append(tab.evaluate("document.activeElement.closest('.covered, .cover') && "
                                    "document.activeElement.textContent"))  # fmt: skip
    assert [one for one in reached if one] == ["Show me"]
    tab.locator(".cover button").first.focus()
    tab.keyboard.press("Enter")
    assert tab.locator(".cover").count() == 0
    assert TOLD in read()
    assert tab.evaluate("document.activeElement.matches('.cell_output:has(img)')")
    tab.locator(BOXES).locator("summary").first.click()
    assert tab.get_by_text("(your choice)").count() == 0, "it was no prediction"
    tab.reload()
    assert tab.locator(".cover").count() == 0
    assert tab.get_by_text("(your choice)").count() == 0


def test_paper_shows_all(newcomer):
    tab = newcomer(PAGE)
    covered, lids, boxes = (tab.locator(one) for one in (".covered", ".cover", BOXES))
    assert (covered.count(), lids.count()) == (3, 1)
    tab.emulate_media(media="print")
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert all(one.is_visible() for one in covered.all())
    assert all(one.is_visible() for one in boxes.locator(".sd-summary-content").all())
    assert not lids.is_visible()
    assert TOLD in tab.locator("article").inner_text()
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    assert boxes.locator("details[open]").count() == 0
    assert (covered.count(), lids.count()) == (3, 1), "no answer was chosen"


def test_without_scripts_answers_open_beside_all_outputs(newcomer):
    tab = newcomer(PAGE, java_script_enabled=False)
    assert tab.locator(".cover, .covered").count() == 0
    for output in tab.locator(".cell_output:not(details *, .says-true)").all():
        assert output.is_visible()
    answer = tab.locator(BOXES).locator("details").first
    answer.locator("summary").click()
    until(tab, answer.locator(".sd-summary-content").is_visible)
