"""What is said of an answer that is right but for one expression, and what is left alone."""

import ast
import itertools
import math
import re
import sys

import numpy as np
import pytest

import posenc_checks as checks
from posenc import frequencies, rotation, similarity, sinusoidal
from posenc_checks import _single_edit
from posenc_checks._ast_edits import edits
from posenc_checks._single_edit import slip


def share(n, m):
    return (n + 2 * m) / np.sqrt(n * m)


def fits(answer, right=share):
    return all(np.isclose(answer(n, m), right(n, m)) for n, m in ((1, 2), (3, 4), (7, 30)))


def whole(n, m):
    return (n + 2 * m) // np.sqrt(n * m)


def ungrouped(n, m):
    return n + 2 * m / np.sqrt(n * m)


def minus(n, m):
    return (n - 2 * m) / np.sqrt(n * m)


def upside_down(n, m):
    return np.sqrt(n * m) / (n + 2 * m)


def one_more(n, m):
    return (n + 2 * m + 1) / np.sqrt(n * m)


def other_argument(n, m):
    return (n + 2 * m) / np.sqrt(n * n)


def with_a_line_too_many(n, m):
    total = n + 2 * m
    total += m
    return total / np.sqrt(n * m)


def ends_at_once(n, m):  # noqa: RET503 - which is what this is about
    total = n
    for _ in range(2):
        total += m
        return total / np.sqrt(n * m)


def of_one_size(n, m):
    return (n + 2 * m) / np.sqrt(n * 30)


SLIPS = [
    (of_one_size, "30 is right for one size alone, and `m` for all"),
    (whole, "`//` drops decimals that are needed"),
    (ungrouped, "parentheses are missing"),
    (minus, "Look at `n - 2 * m`: a sign is wrong"),
    (upside_down, "its two sides have changed places"),
    (one_more, "Look at `n + 2 * m + 1`: `1` is too much"),
    (other_argument, "Look at `n * n`: `n` is not what belongs there"),
    (with_a_line_too_many, "Look at `total += m`: the line is too much"),
    (ends_at_once, "Look at `return`: it ends the loop in its first round"),
]


@pytest.mark.parametrize(("answer", "said"), SLIPS)
def test_the_expression_with_whose_edit_all_is_right_is_named(answer, said):
    assert not fits(answer)
    told = slip(answer, fits)
    assert said in told
    assert told.endswith(_single_edit.TRIED)


def line_bias(slopes, n, m):
    distance = np.arange(m - n, m)[:, None] - np.arange(m)
    return np.where(distance <= 0, -slopes[:, None, None] * distance, -np.inf)


def base_for(wavelength, d_model):
    return (wavelength / (2 * np.pi)) ** (d_model / d_model - 2)


def causal_bias(n, m):
    return np.triu(np.full((m, n), -np.inf), k=m - n + 1)


def masked_softmax(scores, mask):
    seen = np.where(mask, scores, -np.inf)
    weights = np.exp(seen - seen.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1)


def offset_agreed(said, words):
    n = len(words)
    shares = [(said[:, k:] == words[:, : words.shape[1] - k]).mean() for k in range(n // 2 + 1)]
    return int(np.argmax(shares))


def move_back(rows, k):
    turned = k * frequencies(rows.shape[1])
    cosines, sines = rows[:, 0::2], rows[:, 1::2]
    first = sines * np.cos(turned) - cosines * np.sin(turned)
    return np.stack([first, cosines * np.cos(turned) + sines * np.sin(turned)], -1).reshape(
        rows.shape
    )


def put_back(rows, order):
    result = np.zeros_like(rows)
    for i in range(len(order) - 1):
        result[order[i]] = rows[i]
    return result


def entry(pos, j, d_model):
    return math.sin(pos / 1_000 ** ((j - j % 2) / d_model) + j % 2 * math.pi / 2)


def way_back(d_model):
    j = np.arange(d_model)
    return j // 2 + j % 2 * (d_model // 2) + 1


def next_positions(mask, more):
    return mask.sum(axis=0, keepdims=True) + np.arange(more)


def stands_at(row, d_model):
    pairs = np.reshape(row, (-1, 2))
    omega = frequencies(d_model)[: len(pairs)]
    slow = 2 * np.pi / omega > 100
    return (np.arctan2(pairs[:, 0], pairs[:, 1]) % (2 * np.pi) / omega)[slow]


def thermometer(pos, width):
    return (pos > np.arange(width)).astype(int)


def read_bits(rows):
    return rows @ (2 ^ np.arange(rows.shape[-1]))


def turns_by(pos, d_model, base):
    return pos * base ** (-2.0 * np.arange(d_model // 2) // d_model) / (2 * np.pi)


def read_clock(shown):
    angles = np.arange(10_000)[:, None] * frequencies(12)
    table = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    return int(abs(table - shown).max(axis=0).argmin())


def positions_needed(d_model, base):
    return int(np.ceil(1.5 * np.pi / frequencies(d_model, base=base)).sum()) + 1


def decode_step(words, past, mask):
    new = words + sinusoidal(mask.sum(axis=1), words.shape[1])
    return np.concatenate([past, new], axis=1)


def ppmi_of(counts):
    expected = np.outer(counts.sum(1), counts.sum(0)) // counts.sum()
    times = np.divide(counts, expected, out=np.ones(expected.shape), where=expected > 0)
    return np.log(np.maximum(times, 1))


def decode(heard, words, places):
    gaps = ((words[:, None] - places - heard) ** 2).sum(-1)
    return divmod(int(gaps.argmin()), len(places))


def look_back(n, k, d_model):
    queries = sinusoidal(n, d_model)
    return queries @ (queries @ rotation(k, d_model).T).T / np.sqrt(n)


def single_row(t, start, rows):
    for place, factor in enumerate(rows):
        if t >> place & 1:
            start = start * factor.conj()
    return start


def gram_from_row(row):
    t = np.arange(len(row))
    return row[len(row) - 1 - abs(t[:, None] - t)]


def mean_similarity(n, d_model):
    k = np.arange(1, n)
    return (n + 2 * (k * similarity(k, d_model)).sum()) / n**2


def first_rise(d_model, base):
    curve = abs(similarity(np.arange(2000), d_model, base=base))
    return int(np.argmax(np.diff(curve) > 0))


def cosines_first(k, d_model):
    angles = k * frequencies(2 * d_model)
    cosines, sines = np.diag(np.cos(angles)), np.diag(np.sin(angles))
    return np.block([[cosines, -sines], [sines, cosines]])


# Answers as they were typed, which no checker foresees.
WRONG = {
    "base_for": [
        (base_for, "Look at `d_model / d_model - 2`: parentheses are missing"),
    ],
    "causal_bias": [(causal_bias, "`m` and `n` have changed places")],
    "cosines_first": [(cosines_first, "Look at `2 * d_model`: `2` is too much")],
    "decode": [(decode, "Look at `words[:, None] - places`: a sign is wrong")],
    "decode_step": [(decode_step, "it needs another axis|needs another axis")],
    "entry": [(entry, "1000 is too little")],
    "first_rise": [(first_rise, "`abs` is too much")],
    "gram_from_row": [(gram_from_row, "`len(row) - 1` is too much")],
    "line_bias": [(line_bias, "Look at `distance <= 0`: the test is the wrong way round")],
    "look_back": [(look_back, "Look at `np.sqrt(n)`: `n` is not what belongs there")],
    "masked_softmax": [(masked_softmax, "its result has lost an axis: see `keepdims`")],
    "mean_similarity": [(mean_similarity, "in reverse order")],
    "move_back": [(move_back, "have changed places")],
    "next_positions": [(next_positions, "that is not the axis")],
    "offset_agreed": [(offset_agreed, "Look at `len(words)`")],
    "positions_needed": [(positions_needed, "`sum` should be `max`")],
    "ppmi_of": [(ppmi_of, "`//` drops decimals that are needed")],
    "put_back": [(put_back, "Look at `len(order) - 1`: `1` is too much")],
    "read_bits": [(read_bits, "`^` is no power in Python")],
    "read_clock": [(read_clock, "that is not the axis")],
    "single_row": [(single_row, "`.conj` is too much")],
    "stands_at": [(stands_at, "100 is twice what belongs there")],
    "thermometer": [(thermometer, "`pos` needs another axis")],
    "turns_by": [(turns_by, "`//` drops decimals that are needed")],
    "way_back": [(way_back, "`1` is too much")],
}


@pytest.mark.parametrize(
    ("name", "answer", "said"), [(name, *one) for name, those in WRONG.items() for one in those]
)
def test_an_answer_that_no_checker_foresees_is_told_its_slip(name, answer, said, says):
    told = says(getattr(checks, name), answer)
    assert said in told or re.search(said, told), told


def test_nothing_is_said_of_what_no_single_edit_mends():
    assert slip(lambda n, m: 5, fits) == ""


def test_nothing_is_said_of_functions_whose_source_is_not_to_be_had():
    kept = 3

    def keeps(n, m):
        return n - kept * m

    space = {}
    exec("def made(n, m):\n    return n // m\n", space)
    for answer in (keeps, space["made"], np.hypot, fits.__call__, int):
        assert slip(answer, lambda edited: True) == ""


def test_each_edit_is_taken_back():
    source = """
def answer(rows, k):
    total = rows.sum(axis=0)
    for row in rows[::-1]:
        if not k < 3:
            total = total - abs(row @ rows.T) * 2 ** -k // 3
    return np.concatenate([total, rows[:, 1]]) if k else [total, k]
"""
    function = ast.parse(source).body[0]
    before = ast.unparse(function)
    made = set()
    for _ in edits(function):
        made.add(ast.unparse(ast.fix_missing_locations(function)))
    assert before not in made
    assert len(made) > 100
    assert ast.unparse(function) == before


def endless(n, m):
    while n > m:
        n -= 1
    return n


def test_an_edit_that_never_ends_is_given_up(monkeypatch):
    monkeypatch.setattr(_single_edit, "EACH", 0.02)
    assert slip(endless, lambda edited: edited(1, 2) == "never") == ""


def of_an_endless_sequence(n, m):
    return np.argsort(np.r_[n:m])


def test_an_edit_that_never_ends_elsewhere_is_given_up(monkeypatch):
    monkeypatch.setattr(_single_edit, "EACH", 0.05)
    assert slip(of_an_endless_sequence, lambda edited: edited(1, 2) is None) == ""


def huge(n, m):
    return 10**n**2 + n


def test_an_edit_that_would_fill_the_memory_is_given_up():
    assert slip(huge, lambda edited: edited(10**6, 2) == 3) == ""


def many(n, m):
    return np.arange(n + m)


@pytest.mark.skipif(sys.platform != "linux", reason="a limit of memory: run the tests on Linux")
def test_an_edit_that_needs_much_memory_is_given_up(monkeypatch):
    monkeypatch.setattr(_single_edit, "MEMORY", 2**26)
    made = []

    def fits(edited):
        made.append(edited(10**4, 10**4).nbytes)
        return False

    assert slip(many, fits) == ""
    assert 0 < max(made) < 2**26  # and not the 800 MB of 10,000 squared


def lists(n, m):
    found = []
    for k in range(n):
        row = [k, m]
        found.append(row)
    return np.array(found)


def test_no_list_is_put_into_itself():
    assert slip(lists, lambda edited: edited(4, 5).shape == (5, 2)).count("Look at `range(n)`") == 1
    assert slip(lists, lambda edited: edited(4, 5) is None) == ""


def shouting(n, m):
    print("said")
    return n // m


def test_what_an_edited_answer_prints_is_not_shown(capsys):
    assert slip(shouting, lambda edited: edited(1, 2) == 0.5)
    assert capsys.readouterr().out == ""


def test_an_edited_answer_leaves_the_variables_around_it_alone():
    space = globals()
    before = [*space]
    slip(whole, fits)
    assert [*itertools.filterfalse(before.__contains__, space)] == []
