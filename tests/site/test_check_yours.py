"""The pages that readers give something of their own: it is diagnosed, drawn, or stopped."""

import io
import json

import numpy as np
import pytest
from playwright.sync_api import expect
from reader import errors_in, violations

import posenc

LOOP = "def table(n, d):\n    while True:\n        pass"


@pytest.fixture(scope="module")
def tab(browser, address):
    """The page, opened once: its Python is what takes time."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    errors, page = errors_in(context), context.new_page()
    page.goto(f"{address}book/check-yours.html")
    yield page
    context.close()
    assert errors == []


def paste(tab, text):
    tab.locator("#check-a").fill(text)
    tab.get_by_role("button", name="Check", exact=True).click()


def drop(tab, name, content):
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    tab.locator("#check-a-file").set_input_files(file)


def heading(tab):
    return tab.locator("#answer h2")


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def test_a_click_names_the_mistake_and_the_line_to_change(tab):
    tab.get_by_role("button", name="an exponent with 2i twice").click()
    expect(heading(tab)).to_have_text("Wrong: The exponent is doubled")
    expect(heading(tab)).to_be_focused()
    expect(tab.locator(".tool-mend ins")).to_have_text("angle = pos / 10000 ** (i / d_model)")
    maps = [tab.get_by_role("img", name=f"{name}: ") for name in ("Yours", "Right", "Difference")]
    assert "3,038 of 3,200 entries are off" in maps[2].get_attribute("aria-label")
    assert all(map_.locator("path").count() > 10 for map_ in maps)
    why = tab.locator(".tool-why")
    expect(why.get_by_text("Why it matters.")).to_be_hidden()
    why.get_by_text("Why", exact=True).press("Enter")
    expect(why.get_by_text("Why it matters.")).to_be_visible()
    expect(why.locator("code").first).to_have_text("2 * i")
    link = heading(tab).get_by_role("link", name="The exponent is doubled")
    assert link.get_attribute("href") == "mistakes.html#mistake-doubled-exponent"
    assert violations(tab) == []


def test_files_are_read_where_they_are(tab):
    drop(tab, "mine.NPY", npy(posenc.sinusoidal(range(1, 5001), 64).astype("f4")))
    expect(heading(tab)).to_contain_text("Wrong: Positions do not start at 0")
    drop(tab, "config.json", json.dumps(GEMMA).encode())
    expect(heading(tab)).to_have_text("A configuration of gemma3_text")
    expect(tab.locator(".model-said")).to_contain_text("Layer 5 alone sees everything")
    link = tab.get_by_role("link", name="Draw it beside another model")
    assert "#config=%7B%22model_type" in link.get_attribute("href")
    header = {"wpe.weight": {"dtype": "F32", "shape": [2000, 16], "data_offsets": [0, 128_000]}}
    table = posenc.sinusoidal(2000, 16, base=500).astype("<f4").tobytes()
    head = json.dumps(header).encode()
    drop(tab, "a.safetensors", len(head).to_bytes(8, "little") + head + table)
    expect(heading(tab)).to_contain_text("Wrong: The frequencies fall with another base")


def test_what_runs_for_ever_is_stopped(tab):
    paste(tab, LOOP)
    expect(tab.locator("#check-yours [role=status]")).to_have_text("Looking")
    tab.get_by_role("button", name="Stop").click()
    expect(heading(tab)).to_have_text("Stopped")
    paste(tab, "import torch")
    expect(tab.locator("#answer")).to_contain_text("Line 1: import torch")
    expect(tab.locator("#answer")).to_contain_text("A browser can't run torch.")
    tab.get_by_role("button", name="two that differ").click()
    expect(tab.locator("#answer tr").last).to_have_text("layoutinterleavedhalves")


GEMMA = {
    "model_type": "gemma3_text", "num_hidden_layers": 6, "hidden_size": 64, "head_dim": 16,
    "num_attention_heads": 4, "max_position_embeddings": 1000, "sliding_window": 100,
    "sliding_window_pattern": 6, "rope_theta": 1e6, "rope_local_base_freq": 1e4,
}  # fmt: skip


@pytest.mark.parametrize("page", ["check-yours", "draw-a-model"])
def test_without_a_server_or_scripts_pages_name_the_command(folding, site, page):
    for scripts in (True, False):
        context = folding.new_context(java_script_enabled=scripts)
        tab = context.new_page()
        tab.goto((site / f"book/{page}.html").as_uri())
        if page == "check-yours":
            expect(tab.locator("form.tool")).to_be_hidden()
            expect(tab.locator("#check-else")).to_contain_text("posenc-clinic")
        elif scripts:  # what needs no Python is drawn all the same
            tab.get_by_role("button", name="llama4_text").click()
            expect(heading(tab)).to_have_text("llama4_text")
            expect(tab.locator(".model-said")).to_have_text(
                "Every fourth layer sees everything and has no positions; "
                "the others see chunks of 8,192 tokens and rotate."
            )
            assert tab.url.endswith("#model=llama4_text")
            tab.locator("summary", has_text="Or paste a config.json").click()
            tab.locator("#config").fill("{}")
            tab.get_by_role("button", name="Draw").click()
        expect(tab.locator("main")).to_contain_text("posenc-clinic")
        context.close()


def test_address_carries_what_is_drawn(browser, address):
    tab = browser.new_page()
    tab.goto(f"{address}book/draw-a-model.html")
    expect(heading(tab)).to_have_text("gemma3_text")
    expect(tab.locator(".model-said")).to_have_text(
        "Every sixth layer sees everything and turns slowly; "
        "the others see a window of 4,096 tokens and turn fast."
    )
    tab.get_by_label("Beside it").fill("mpt")
    tab.keyboard.press("Enter")
    expect(heading(tab)).to_have_text(["gemma3_text", "mpt"])
    expect(tab.locator(".model-said").last).to_contain_text("No layer rotates")
    assert tab.url.endswith("#model=gemma3_text&with=mpt")
    tab.go_back()
    expect(heading(tab)).to_have_text("gemma3_text")
    tab.goto(f"{address}book/draw-a-model.html#config={json.dumps(GEMMA)}&with=mpt")
    expect(heading(tab)).to_have_text(["gemma3_text", "mpt"])
    strips = tab.locator("figure.model").first
    assert strips.locator(".model-layer").count() == 6
    expect(strips).to_contain_text("5 layers, window of 100 tokens, RoPE, base 10,000")
    assert strips.locator("circle").count() == 16
    assert violations(tab) == []
    tab.context.close()
