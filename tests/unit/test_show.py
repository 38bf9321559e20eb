"""Figures to touch are asked for by name, with a state that they have."""

import json

import pytest

import posenc_figures
from posenc_figures import show


def test_kinds_have_flat_states():
    found = posenc_figures.kinds()
    assert "dials" in found
    for state in found.values():
        assert {*map(type, state.values())} <= {int, float, str, bool}
    scripts = {file.stem for file in posenc_figures.FOLDER.glob("*.js")}
    assert scripts == {*found, "parts"}


@pytest.mark.parametrize(
    ("says", "kind", "state"),
    [
        ("kind must be one of", "clocks", {}),
        ("its state has position, base", "dials", {"speed": 1}),
    ],
)
def test_what_there_is_not_is_refused(says, kind, state):
    with pytest.raises(ValueError, match=says):
        show(kind, **state)


def test_it_brings_what_a_page_and_jupyterlab_draw_from():
    shown = show("dials", data=["</script>"], position=7)._repr_mimebundle_()
    assert json.loads(json.dumps(shown[posenc_figures.MIME])) == {
        "kind": "dials",
        "state": {"position": 7},
        "data": ["</script>"],
    }
    assert shown["text/html"].count("</script>") == 2
    assert "define(" in shown["text/html"]
