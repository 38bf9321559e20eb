"""What students read in a drawn assignment is what its tests and solutions do."""

import math
import re
from types import SimpleNamespace

import numpy as np
import pytest

from grading.draw import draw

from .submissions import source

SEEDS = [None, *range(20)]
OTHER = {"sines": "cosines", "cosines": "sines", "fastest": "slowest", "slowest": "fastest"}
WAVES = {"sines": np.sin, "cosines": np.cos, "sin": np.sin, "cos": np.cos}
COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven"]
PARTS = {"half": 2, "a third": 3, "a quarter": 4, "a fifth": 5, "a tenth": 10}

with_each_seed = pytest.mark.parametrize("seed", SEEDS)


def read(assignment, seed):
    """Cells by their names, and what they define."""
    notebook = source(assignment)
    if seed is not None:
        notebook = draw(notebook, assignment, seed)
    names = {}
    cells = {}
    for cell in notebook.cells:
        tag = cell.metadata.get("nbgrader", {})
        cells[tag.get("grade_id", cell.id)] = cell.source
        if cell.cell_type == "code" and not tag.grade:
            exec(cell.source, names)
    return cells, SimpleNamespace(**{name: names[name] for name in names if name[0] != "_"})


def found(pattern, text):
    """What the groups of a pattern match, in a text that it has to match."""
    match = re.search(pattern, text)
    assert match, (pattern, text)
    return match.groups() if len(match.groups()) > 1 else match[1]


def frequencies(d_model, base):
    return base ** (-np.arange(0, d_model, 2) / d_model)


def encoded(positions, d_model, base, first, speed="fastest"):
    """Rows in halves, the one that is said first and in the order that is said."""
    angles = np.asarray(positions)[..., np.newaxis] * frequencies(d_model, base)
    if speed == "slowest":
        angles = angles[..., ::-1]
    return np.concatenate([WAVES[first](angles), WAVES[OTHER[first]](angles)], axis=-1)


def close(one, other):
    return np.shape(one) == np.shape(other) and np.allclose(one, other, rtol=0, atol=1e-9)


def value(latex):
    """What a formula without letters but pi is worth."""
    text = re.sub(r"\\sqrt(\d)", r"math.sqrt(\1)", latex).replace("\\sin", "math.sin")
    return eval(re.sub(r"(\d*)\\pi", lambda pi: f"{pi[1] or 1}*math.pi", text), {"math": math})


@with_each_seed
def test_the_ladder_and_the_table_are_those_of_the_text(seed):
    cells, it = read("build", seed)
    first, speed = found(r"all (\w+), the (\w+) first, and then all", cells["build-11"])
    second, fast, slow = OTHER[first], speed[:4], OTHER[speed][:4]
    base = int(found(r"the base (\d+)\.", cells["build-4"]))
    right = frequencies(8, base)[:: 1 if speed == "fastest" else -1]
    assert close(it.by_hand, right)
    assert round(base**0.25) ** 4 == base
    assert f"the fourth root of {base}." in cells["build-by-hand-test"]
    for cell in ("build-4", "build-7"):
        assert found(r"the (\w+) first", cells[cell]) == speed
    assert close(it.ladder(6, 50), frequencies(6, 50)[:: 1 if speed == "fastest" else -1])
    base, part = found(
        r"base (\d+) and six columns, each dial turns ([a-z ]+) as fast", cells["build-ladder-test"]
    )
    assert PARTS[part] ** 3 == int(base)
    assert f"same(ladder(6, {base}), [" in cells["build-ladder-test"]
    said = found(r"still (.*) and (.*)\.\"", cells["build-ladder-test"])
    exponents = [eval(each) for each in ", ".join(said).split(", ")]
    assert close(exponents, np.array([0, -1 / 3, -2 / 3])[:: 1 if speed == "fastest" else -1])
    positions = np.array([3.5, -2, 0])
    assert close(it.table(positions, 8, 50), encoded(positions, 8, 50, first, speed))
    assert ("*halves*" in cells["build-11"]) == ((first, speed) == ("sines", "fastest"))
    assert f"and then all {second} in the same order" in cells["build-11"]
    assert f"## Build the table, {first} first" in cells["build-11"]
    assert f"all {first} before all {second}" in cells["build-table"]
    assert f"all {first} come first" in cells["build-table-shape-test"]
    assert f"All {first} come first, the {speed} at" in cells["build-library-test"]
    assert f"encoding, {first} first," in cells["build-class"]
    order = f"all {first} first, {fast} to {slow}, then all {second}, {fast} to {slow}."
    assert order in cells["build-library"]
    theirs = found(
        r"all \*(\w+)\* first, from the \*(\w+)\* dial to the (\w+), ", cells["build-19"]
    )
    assert f"then all {OTHER[theirs[0]]} in" in cells["build-19"]
    assert theirs[2] == OTHER[theirs[1]]
    assert theirs[:2] != (first, speed)
    rows = encoded(positions, 10, 50, *theirs[:2])
    assert close(it.from_library(rows), encoded(positions, 10, 50, first, speed))


@with_each_seed
def test_the_mistake_of_the_dials_and_the_odd_width_are_those_of_the_text(seed):
    cells, it = read("build", seed)
    dials = {"half the": 1 / 2, "twice the": 2, "a third of the": 1 / 3}
    factor = dials[found(r"each cosine uses (.*) frequency of its sine", cells["build-17"])]
    squares, angle, total = found(
        r"loses it: \$\\sin\^2 a \+ \\cos\^2\((.*)\)\$ is not .* \$a = (.*)\$ it is (.*)\.",
        cells["build-length"],
    )
    a = value(angle)
    assert eval(squares.replace("2a", "2 * a"), {"a": a}) == pytest.approx(factor * a)
    assert math.sin(a) ** 2 + math.cos(factor * a) ** 2 == pytest.approx(eval(total))
    assert abs(eval(total) - 1) > 0.1
    odd, named = found(r"Places\((\d+), [^\"]*\"(\w+) columns", cells["build-class-odd-test"])
    names = ["One", "Three", "Five", "Seven", "Nine", "Eleven", "Thirteen"]
    assert names[int(odd) // 2] == named
    with pytest.raises(ValueError, match="d_model"):
        it.Places(int(odd), 50)


@with_each_seed
def test_moves_are_those_of_the_text(seed):
    cells, it = read("understand", seed)
    first, second = found(r"all (\w+), then all (\w+)\.", cells["understand-2"])
    assert second == OTHER[first]
    assert ("*halves*" in cells["understand-2"]) == (first == "sines")
    assert f"all {first}, then all {second}." in cells["understand-table"]
    assert close(it.rows([2, 5], 6, 50), encoded([2, 5], 6, 50, first))
    sign = found(r"p\(t (.) k\)", cells["understand-5"])
    step = {"+": 1, "-": -1}[sign]
    moved = it.turn(1.5, 6, 50) @ it.rows([4], 6, 50)[0]
    assert close(moved, it.rows([4 + 1.5 * step], 6, 50)[0])
    assert ("row back by" in cells["understand-turn"]) == (step == -1)
    one, other = first[:3], second[:3]
    k = found(r"turn\((\d+), 2,", cells["understand-turn-one-test"])
    said = f"take ({one} t, {other} t) to ({one}(t {sign} {k}), {other}(t {sign} {k}))."
    assert said in cells["understand-turn-one-test"]
    here, there = found(r"Position (\d+) should become (\d+)", cells["understand-turn-many-test"])
    k = found(r"turn\((\d+), 6,", cells["understand-turn-many-test"])
    assert int(here) + step * int(k) == int(there)
    assert rf"p(t) = (\{one}\omega t, \{other}\omega t)" in cells["understand-10"]
    upper, lower = found(
        r"k & (-?)\\sin\\omega k \\\\ (-?)\\sin\\omega k &", cells["understand-rules"]
    )
    matrix = it.turn(1, 2, 50)
    assert [upper == "-", lower == "-"] == [matrix[0, 1] < 0, matrix[1, 0] < 0]
    corner = found(r"right one \$(.*?)\$;", cells["understand-rules"])
    terms = found(
        r"^(-?)\\cos\\omega a\\sin\\omega b (.) \\sin\\omega a\\cos.* = (-?)\\sin", corner
    )
    assert terms == (("-", "-", "-") if upper else ("", "+", ""))


@with_each_seed
def test_the_sine_alone_repeats_and_goes_on_as_the_solution_says(seed):
    cells, _ = read("understand", seed)
    half, words, steps = found(
        r"\\pi t / (\d+)\).* values (.*?) steps? on differ.*\$s\(t \+ (\d+)\)\$",
        cells["understand-12"],
    )
    assert COUNTS[int(steps)] == words
    solution = cells["understand-alone"]
    one, other, same = found(r"\$s\((\d+)\) = s\((\d+)\) = (.*?)\$\.", solution)

    def sine(t):
        return math.sin(math.pi * int(t) / int(half))

    assert sine(one) == pytest.approx(sine(other)) == pytest.approx(value(same))
    assert f"{words.capitalize()} step" in solution
    after = re.findall(r"s\((\d+)\) = \\sin\((.*?)\) = (.*?)\$", solution)
    assert [int(t) for t, _, _ in after] == [int(t) + int(steps) for t in (one, other)]
    for t, angle, worth in after:
        assert value(angle) == pytest.approx(math.pi * int(t) / int(half))
        assert value(worth) == pytest.approx(sine(t))
    assert abs(sine(after[0][0]) - sine(after[1][0])) > 0.1
    assert value(found(r"from (.*) it would have", solution).strip("$")) == pytest.approx(sine(one))
    angles = found(r"\\cos\((.*?)\) > 0\$ and \$\\cos\((.*?)\) < 0", solution)
    for t, angle in zip((one, other), angles, strict=True):
        assert value(angle) == pytest.approx(math.pi * int(t) / int(half))


@with_each_seed
def test_distances_and_twins_are_those_of_the_text(seed):
    cells, it = read("understand", seed)
    formula = found(r"returns (.*) from the frequencies", cells["understand-14"])
    square, share = r"\rVert^2" in formula, "d_{model}" in formula
    assert ("*square*" in formula, "as a share of the longest" in formula) == (square, share)
    words = "the " + "squared " * square + "relative " * share + "distance of two"
    assert f"Return {words}" in cells["understand-distance"]
    lengths = np.linalg.norm(it.rows([5, 8], 6, 50) - it.rows([3, 3], 6, 50), axis=1)
    right = (lengths / math.sqrt(12) if share else lengths) ** (2 if square else 1)
    assert close(it.distance(np.array([2, 5]), 6, 50), right)
    hint = found(r"2 sin\(a / 2\)\.(.*)\"", cells["understand-distance-test"])
    assert ("quare" in hint, "longest" in hint) == (square, share)
    low, high = found(r"`near` \$(<|\\le) k (<|\\le)\$ `far`", cells["understand-19"])
    stub = cells["understand-twin"]
    assert ("above near" in stub, "below far" in stub) == (low == "<", high == "<")
    counts = {
        (r"\le", r"\le"): "both ends count, and nothing before or after",
        (r"\le", "<"): "near counts, and far does not",
        ("<", r"\le"): "far counts, and near does not",
        ("<", "<"): "neither of the two counts",
    }
    assert f": {counts[low, high]}." in cells["understand-twin-ends-test"]
    for near, far in ((20, 44), (44, 80), (5, 9), (44, 88)):
        offsets = range(near + (low == "<"), far + (high != "<"))
        right = min(offsets, key=lambda k: it.distance(k, 2, 50))
        assert it.twin(near, far, 2, 50) == right
    near, far, said = found(
        r"twin\((\d+), (\d+), 2, \d+\) == (\d+)", cells["understand-twin-ends-test"]
    )
    left = range(int(near) + (low == "<"), int(far) + (high != "<"))
    assert ("only one offset is left" in cells["understand-twin-ends-test"]) == (len(left) == 1)
    assert int(said) in left


@with_each_seed
def test_heads_are_those_of_the_text(seed):
    cells, it = read("understand", seed)
    divisor = found(r"divided by \$(.*?)\$\.", cells["understand-23"])
    divide = {
        "d_{model}/2": ("d_model / 2", 8),
        "d_{model}": ("d_model", 16),
        r"\sqrt{d_{model}}": ("the root of d_model", 4),
    }
    named, by = divide[divisor]
    assert f"Divide by {named}, then" in cells["understand-head-values-test"]
    side = found(r"a (\w+) for each query", cells["understand-23"])
    assert f"a {side} for each query" in cells["understand-head"]
    scores = 3 * it.rows(np.arange(7) - 2, 16, 50) @ it.rows(np.arange(7), 16, 50).T / by
    weights = np.tril(np.exp(scores))
    weights /= weights.sum(axis=1, keepdims=True)
    assert close(it.head(7, 2, 3, 16, 50), weights if side == "row" else weights.T)
    assert f"of each {side} should" in cells["understand-head-sums-test"]
    above = "Above" if side == "row" else "Below"
    assert f"{above} the diagonal all" in cells["understand-head-mask-test"]
    assert f"{side} 1 has two equal" in cells["understand-head-mask-test"]
    aim = cells["understand-head-aim-test"]
    here, there, back = found(r"Position (\d+) should look at position (\d+), (\w+) back", aim)
    assert int(here) - int(there) == COUNTS.index(back) == int(found(r"head\(12, (\d+)", aim))
    start, back = found(r"From position (\d+) on, each should look (\w+) back", aim)
    assert int(start) == COUNTS.index(back) == int(found(r"head\(\d+, (\d+), 60", aim))
    n, k = map(int, found(r"head\((\d+), (\d+), ", cells["understand-29"]))
    places = " and ".join(", ".join(map(str, range(k))).rsplit(", ", 1))
    assert f"Positions {places} have no place {COUNTS[k]} back" in cells["understand-29"]
    assert n > k
    targets = " and ".join(", ".join(f"−{t}" for t in range(k, 0, -1)).rsplit(", ", 1))
    assert f"Their targets are {targets}, which" in cells["understand-nowhere"]


LAYOUTS = {  # where sine and cosine of pair i stand among 2h columns
    "interleaved": lambda i, h: (2 * i, 2 * i + 1),
    "each cosine just before its sine": lambda i, h: (2 * i + 1, 2 * i),
    "all sines before all cosines": lambda i, h: (i, h + i),
    "all cosines before all sines": lambda i, h: (h + i, i),
}


def laid_out(angles, layout, wave=np.cos):
    """Sines, and cosines or another wave, of an array of angles in the order that is said."""
    pairs = angles.shape[-1]
    made = np.zeros((*angles.shape[:-1], 2 * pairs))
    for i in range(pairs):
        sine, cosine = LAYOUTS[layout](i, pairs)
        made[..., sine], made[..., cosine] = np.sin(angles[..., i]), wave(angles[..., i])
    return made


@with_each_seed
def test_the_program_and_its_mistakes_are_those_of_the_text(seed):
    cells, it = read("clinic", seed)
    layout = found(r"with any base, (.*?)\. It runs", cells["clinic-4"])
    right = laid_out(np.arange(9)[:, np.newaxis] * frequencies(8, 50), layout)
    assert close(it.mended_a(9, 8, 50), right)
    beside = "sine beside cosine" if layout == "interleaved" else layout
    assert f"positions 0 to n - 1, {beside}." in cells["clinic-mended-a"]
    named = re.findall(r"`\"(\w+)\"`", cells["clinic-10"])
    described = re.split(r", (?:or )?", found(r": (.*)\.$", cells["clinic-10"]))
    has = dict(zip(named, described, strict=True))
    assert len(has) == 3
    texts = {
        "positions": "positions from 1",
        "order": "positions in falling order",
        "sides": "sine and cosine on the wrong sides",
        "signs": "cosines with a minus sign",
        "pairs": "pairs from 1",
        "exponents": "exponents twice as large",
        "degrees": "angles taken for degrees",
    }
    assert has.items() <= texts.items()

    def made(*mistakes):
        pos = np.arange(1, 10) if "positions" in mistakes else np.arange(9)
        pos = pos[::-1] if "order" in mistakes else pos
        i = np.arange(1, 5) if "pairs" in mistakes else np.arange(4)
        angles = pos[:, np.newaxis] / 50 ** (i / (2 if "exponents" in mistakes else 4))
        angles = np.radians(angles) if "degrees" in mistakes else angles
        table = laid_out(angles, layout, lambda a: (-1 if "signs" in mistakes else 1) * np.cos(a))
        columns = [LAYOUTS[layout](i, 4) for i in range(4)]
        if "sides" in mistakes:
            for sine, cosine in columns:
                table[:, [sine, cosine]] = table[:, [cosine, sine]]
        return table

    assert close(it.sick_a(9, 8, 50), made(*has))
    kept = [name for name in has if close(made(name) @ made(name).T, right @ right.T)]
    assert {*has} - {*kept} == {it.changes_distance}
    assert len(kept) == 2
    zeros = " ".join(f"{value:g}" for value in laid_out(np.zeros(5), layout))
    shown = found(r"ten columns is not (.*?) \.\.\.", cells["clinic-mended-a-start-test"])
    assert zeros.startswith(shown)


@with_each_seed
def test_the_numbers_and_their_lies_are_those_of_the_text(seed):
    cells, it = read("clinic", seed)
    layout = found(r"eight columns, (.*), rounded", cells["clinic-13"])
    base = int(found(r"base=(\d+)\)", cells["clinic-swapped-test"]))
    right = laid_out(np.arange(12)[:, np.newaxis] * frequencies(8, base), layout)
    assert it.base_b == base
    off = {(row, j) for row, j in np.argwhere(np.abs(it.b - right) > 6e-4)}
    one, other = it.swapped_b
    assert np.allclose(it.b[[one, other]], right[[other, one]], atol=6e-4)
    assert {(row, j) for row, j in off if row not in it.swapped_b} == it.lies_b
    column, row, times, pair = map(
        int,
        found(
            r"in column (\d) the sine .* at row (\d+) alone .*\\sin\((\d+)\\,\\omega_(\d)\)",
            cells["clinic-sign"],
        ),
    )
    assert (row, column) in it.lies_b
    assert row == times
    assert LAYOUTS[layout](pair, 4)[0] == column
    assert it.b[row, column] == pytest.approx(-right[row, column], abs=6e-4)
    (typed,) = it.lies_b - {(row, column)}
    assert abs(it.b[typed] + right[typed]) > 0.05
    (hand,) = [LAYOUTS[layout](i, 4) for i in range(4) if typed[1] in LAYOUTS[layout](i, 4)]
    assert abs(np.sum(it.b[typed[0], list(hand)] ** 2) - 1) > 0.05
    assert all(it.b[t, column] > 0 for t in range(1, 12) if t != row)
    sine, cosine = LAYOUTS[layout](0, 4)
    where = {
        (0, 1): "begin with sin r and cos r",
        (1, 0): "begin with cos r and sin r",
        (0, 4): "have sin r in column 0 and cos r in column 4",
        (4, 0): "have cos r in column 0 and sin r in column 4",
    }
    assert f"Row r should {where[sine, cosine]}:" in cells["clinic-swapped-test"]
    pair = "(sin t, cos t)" if sine < cosine else "(cos t, sin t)"
    assert f"position t is {pair}." in cells["clinic-37"]
    assert f"`(n, d_model)`, {layout}, whose" in cells["clinic-37"]
    table = laid_out(np.arange(30)[:, np.newaxis] * frequencies(6, 50), layout)
    table[[4, 9]] = table[[9, 4]]
    assert it.misplaced(table.round(2)) == [4, 9]


@with_each_seed
def test_the_curves_are_those_of_the_text(seed):
    cells, it = read("clinic", seed)
    d_model, base = map(int, found(r"`d_model` (\d+) and base (\d+)\.", cells["clinic-28"]))
    g = np.cos(np.arange(22)[:, np.newaxis] * frequencies(d_model, base)).mean(axis=1)
    hints = {
        "base": "How fast should {} fall from offset 0 to offset 1?",
        "divided": "How alike is an encoding to itself, in {}?",
        "offset": "How alike is an encoding to itself, in {}?",
        "right": "Work out one point of {} by the formula, at offset 10 for instance.",
    }
    curves = {"right": g[:-1], "offset": g[1:], "divided": g[:-1] / 2}
    for letter, kind in it.verdict.items():
        cell = cells[f"clinic-verdict-{letter.lower()}-test"]
        assert hints[kind].format(letter) in cell
        near = [name for name, c in curves.items() if np.allclose(c, it.curves[letter], atol=6e-4)]
        assert near == ([] if kind == "base" else [kind])
    assert {*it.verdict.values()} == {*hints}


@with_each_seed
def test_the_class_and_its_history_are_those_of_the_text(seed):
    cells, it = read("clinic", seed)
    layout = found(r"`offset \+ n - 1`, (.*)\.", cells["clinic-44"])
    right = laid_out(np.arange(300)[:, np.newaxis] * frequencies(4, 50), layout)
    x = np.zeros((3, 8, 4))
    assert close(it.Mended(4, 50)(x, offset=5), np.stack([right[5:13]] * 3))
    assert close(it.Sick(4, 50)(x[0]), right[:8])
    history = cells["clinic-history"]
    width, one, same, two = map(
        int, found(r"`Sick\((\d), (\d+)\)` and then `Sick\((\d), (\d+)\)`", history)
    )
    assert width == same
    it.Sick.tables.clear()
    assert close(it.Sick(width, one).table, it.Sick(width, two).table)
    rows = len(it.Sick(4, 50).table)
    sick = it.Sick(4, one)
    with pytest.raises(ValueError, match="broadcast"):
        sick(np.zeros((3, 2, 4)))
    last = int(found(r"first word gets row (\d+)", history))
    assert close(sick(np.zeros((1, 4)), offset=1), sick.table[[last]])
    said, following = map(int, found(r"There are (\d+) rows: the (\d+)(?:th|rd) word", history))
    assert (said, following) == (rows, rows + 1)
    assert f"`np.zeros(({rows + 1}, 4))` stops" in history
    offset = int(found(r"offset (\d+) with 8 words", history))
    assert offset < rows < offset + 8
    long = cells["clinic-mended-long-test"]
    assert int(found(r"Position (\d+) is not position 0", long)) == rows
    assert int(found(r"A text of (\d+) words", long)) > rows
    start, offset = found(r"range\((\d+), [^\"]*offset=(\d+)", long)
    assert int(start) == int(offset) < rows
    start, place = found(
        r"With offset=(\d+), the first word stands at position (\d+)",
        cells["clinic-mended-offset-test"],
    )
    assert start == place == found(r"range\((\d+),", cells["clinic-mended-offset-test"])
