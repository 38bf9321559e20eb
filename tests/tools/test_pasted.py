"""What the page "Check yours" answers, asked without a browser."""

import json
import sys

import numpy as np
import pytest

import posenc
from posenc_book.live.in_pyodide import mend, pasted
from posenc_book.live.in_pyodide.check_yours import answer
from posenc_book.live.in_pyodide.lazy_files import reading_lazily
from posenc_clinic import diagnose

LOOP = """
def positional_encoding(length, d_model):
    table = np.zeros((length, d_model))
    for pos in range(length):
        for i in range(0, d_model, 2):
            table[pos, i] = np.sin(pos / 10000 ** ({first}))
            table[pos, i + 1] = np.cos(pos / 10000 ** ({second}))
    return table
"""
RIGHT = LOOP.format(first="i / d_model", second="i / d_model")


def ask(*parts):
    (said,) = answer(json.dumps(parts))._repr_mimebundle_().values()
    return json.loads(said)


def shape(found):
    return np.shape(found["reports"][0]["picture"]["maps"][0]["values"])


def names(found):
    return [each["mistake"] for report in found["reports"] for each in report["findings"]]


@pytest.mark.parametrize(
    ("first", "second", "mistakes", "lines"),
    [
        ("2 * i / d_model", "2 * i / d_model", ["doubled-exponent"], [6, 7]),
        ("i / d_model", "(i + 1) / d_model", ["odd-denominators"], [7]),
        ("(2 * i) / d_model", "(2 * (i + 1)) / d_model", ["doubled-exponent"], [6, 7]),
        ("-i / d_model", "-i / d_model", ["rising-frequencies"], [6, 7]),
    ],
)
def test_lines_to_change_make_the_table_right(first, second, mistakes, lines):
    source = LOOP.format(first=first, second=second)
    found = ask({"text": source})
    assert found["verdict"] == "wrong"
    assert names(found)[:1] == mistakes
    assert [change["line"] for change in found["mend"]] == lines
    for change in found["mend"]:
        assert change["before"] in source
        source = source.replace(change["before"], change["after"])
    assert ask({"text": source})["verdict"] == "right"


def test_no_line_is_named_that_would_not_help():
    source = "def f(n, d):\n    return np.roll(posenc.sinusoidal(n, d, base=77), 1, axis=0)"
    assert ask({"text": f"import posenc\n{source}"})["mend"] == []
    found = diagnose(posenc.sinusoidal(50, 64, base=500))
    assert mend.search("def f(n, d):\n    return np.ones((n, d))", "f", found) == []


def test_picture_has_the_entries_that_are_off():
    table = posenc.sinusoidal(900, 128)
    table[700, 3] = 5
    found = ask({"text": np.array2string(table, threshold=sys.maxsize, separator=",")})
    picture = found["reports"][0]["picture"]
    assert "rows 698 to 745 of 900, and 66 of 128 columns" in picture["said"]
    assert (
        "1 of 115,200 entries is off. Row 700, column 3 holds 5, where −0.99 belongs"
        in picture["said"]
    )
    assert [(each["name"], each["seen"].split(":")[0]) for each in picture["maps"]] == [
        (name, name) for name in ("Yours", "Right", "Difference")
    ]
    mine, right, apart = (np.array(each["values"]) for each in picture["maps"])
    assert (mine.shape, mine[2, 3], apart[2, 3]) == ((48, 66), 1, 1)
    assert np.argwhere(apart).tolist() == np.argwhere(mine != right).tolist() == [[2, 3]]
    off = ask({"text": RIGHT.replace("/ 10000", "/ 500")})["reports"][0]["picture"]
    expected = np.abs(posenc.sinusoidal(50, 64) - posenc.sinusoidal(50, 64, base=500)) > 1e-12
    assert f"{expected.sum():,} of 3,200 entries are off" in off["maps"][2]["seen"]
    assert not np.any(off["maps"][2]["values"], where=~expected[:48])


TABLE = posenc.sinusoidal(12, 8).round(4)
LINES = [[f"{value}" for value in row] for row in TABLE]


@pytest.mark.parametrize(
    "text",
    [
        repr(TABLE),
        str(TABLE),
        f"tensor({TABLE.tolist()}, dtype=torch.float64)",
        repr(posenc.sinusoidal(12, 8).astype("f4")),
        str(posenc.sinusoidal(12, 8)),
        "\n".join(map(" ".join, LINES)),
        "a\tb\tc\td\te\tf\tg\th\n" + "\n".join(map("\t".join, LINES)),
        "\n".join(f"{at}, {', '.join(row)}" for at, row in enumerate(LINES)),
        "\n".join(";".join(row).replace(".", ",") for row in LINES),
    ],
)
def test_tables_are_read_as_they_are_printed(text):
    found = ask({"text": text})
    assert (found["verdict"], shape(found)) == ("right", (12, 8))


def test_several_definitions_are_a_choice_and_helpers_come_last():
    source = f"def helper(x):\n    return x\n{RIGHT}\npe = helper(positional_encoding(9, 4))[None]"
    found = ask({"text": source})
    assert found["names"] == ["pe", "positional_encoding", "helper"]
    assert (found["choice"], shape(found)) == ("pe", (9, 4))
    again = ask({"text": source, "choice": "positional_encoding"})
    assert shape(again) == (48, 64)  # of 50 rows
    module = f"{RIGHT}\nclass Add:\n    def forward(self, x):\n"
    module += "        return x + positional_encoding(*x.shape[-2:])"
    assert ask({"text": module})["choice"] == "Add"
    assert ask({"text": module})["verdict"] == "right"
    assert ask({"text": "np.outer(np.arange(9), np.ones(4))"})["verdict"] == "unknown"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "There is nothing to read"),
        ("import torch", "save the numbers and drop the file here"),
        ("a = input()", "nobody answers input() here"),
        ("x = 5", "This code defines no function, class or array"),
        ("def f(n, d)\n  pass", "Line 1: def f(n, d)"),
        ("def f(n, d):\n    return 1 / 0", "Line 2: return 1 / 0"),
        ("raise SystemExit", "SystemExit"),
        ("\x00\x01", "This is no text"),
        ("[[0, 1], [1, 0]]", "at least 3 rows"),
        ("[[0. 1. ... 1.]\n ...\n [1. 0. ... 0.]]", "printed in short"),
        ('{"model_type": "my-llama"}', "Source must be the configuration of a model"),
    ],
)
def test_what_can_not_be_read_is_said_with_its_line(text, said, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    found = ask({"text": text})
    assert found["kind"] == "error"
    told = f"{found['said']} Line {found.get('line')}: {found.get('code')} {found.get('hint')}"
    assert said in told


def test_prints_and_figures_of_pasted_code_are_dropped(capsys):
    code = f"import matplotlib.pyplot as plt\nimport pandas as pd\n{RIGHT}\nprint('much')\n"
    code += "plt.plot(positional_encoding(9, 4)); plt.show(); pd.DataFrame()"
    before = {name for name in pasted.DRAWS if name in sys.modules}
    assert ask({"text": code})["verdict"] == "right"
    assert capsys.readouterr() == ("", "")
    assert {name for name in pasted.DRAWS if name in sys.modules} == before


def test_files_are_read_by_parts(tmp_path):
    path = tmp_path / "a.npy"
    np.save(path, posenc.sinusoidal(50, 64, base=500))
    found = ask({"file": str(path)})
    assert names(found) == ["wrong-base"]
    with reading_lazily():
        array = np.load(path, mmap_mode="r")
        assert type(array).__name__ == "Lazy"
        assert array[:3].shape == (3, 64)
        assert np.array_equal(array, posenc.sinusoidal(50, 64, base=500))
    np.savez(tmp_path / "b.npz", one=np.eye(4), other=np.eye(5))
    found = ask({"file": str(tmp_path / "b.npz")})
    assert (found["kind"], found["names"]) == ("choose", ["one", "other"])
    found = ask({"file": str(tmp_path / "b.npz"), "choice": "other"})
    assert shape(found) == (5, 5)
    (tmp_path / "c.xyz").write_bytes(bytes(range(256)))
    assert "neither text nor" in ask({"file": str(tmp_path / "c.xyz")})["said"]


def test_two_are_compared_entry_by_entry():
    other = RIGHT.replace("10000", "500")
    found = ask({"text": RIGHT}, {"text": other})
    assert (found["kind"], found["same"]) == ("comparison", False)
    assert found["traits"] == [["base", "10,000", "500"]]
    assert "is in the second" in found["picture"]["said"]
    assert [each["name"] for each in found["picture"]["maps"]] == ["First", "Second", "Difference"]
    assert ask({"text": RIGHT}, {"text": RIGHT})["same"]
