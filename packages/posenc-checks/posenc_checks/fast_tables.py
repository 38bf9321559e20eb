"""Check a table doubled by its last step, and one row by doublings (*fast-tables*)."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from posenc._layout import to_layout
from posenc._table import sinusoidal
from posenc_checks._answer import Answer, Array, NotYet, array, close, forbid, right
from posenc_checks._judge import Mistake, Results, Truth, judge, same, shown

__all__ = ["double_table", "single_row"]

Hands = NDArray[np.complex128]
FORBIDDEN = {"posenc", "sinusoidal", "sin", "cos", "tan", "exp"}


def double_table(answer: Answer) -> None:
    """Check `double_table(table, row)`: n positions become 2n, by additions and products alone.

    Parameters
    ----------
    answer : callable
        `double_table(table, row)`, which gets positions 0 ... n-1 in an array of shape (n, d_model)
        and position n as a row of shape (d_model,), and returns an array of shape (2n, d_model).

    Raises
    ------
    NotYet
        If a table is wrong. The message names the first entry that differs and the likely mistake.

    Examples
    --------
    >>> double_table(lambda table, row: np.concatenate([table, table]))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: With 5 rows given, row 5 has 0 in column 0; it should have \
-0.9589. Your new rows repeat the old: turn each on by as many places as there are rows.
    """
    sizes = (5, 6, 10_000.0), (1, 2, 10_000.0), (16, 64, 100.0), (300, 8, 1e6)
    tables = [sinusoidal(n + 1, d_model, base=base) for n, d_model, base in sizes]
    cases = [(whole[:-1].copy(), whole[-1].copy()) for whole in tables]
    judge(
        answer,
        _doubled(_turned),
        cases,
        DOUBLINGS,
        name="double_table",
        describe_difference=_entry,
        observe=lambda found: _halves(found, [_doubled(_turned)(*case) for case in cases]),
        fallback_hint="Do one new number by hand.",
    )
    forbid(answer, FORBIDDEN | {"complex", "complex128"}, "sums and products of real numbers do.")
    right(
        "One new row of sines and cosines has doubled the table; you never asked for a frequency, "
        "a base or a position."
    )


def _turned(table: Array, row: Array) -> Array:
    """The rows of a table, each turned on by a row: their angles are added."""
    z: Hands = -1j * np.ascontiguousarray(table).view(complex) * row.view(complex)
    return z.view(float)


def _doubled(new: Callable[[Array, Array], Any]) -> Truth:
    return lambda table, row: np.concatenate([table, new(table, row)])


def _summed(*signs: int) -> Truth:
    """New rows by both formulas, with other signs or factors of their four products."""
    ss, sc, cc, cs = signs

    def new(table: Array, row: Array) -> Array:
        sines, cosines, s, c = table[:, ::2], table[:, 1::2], row[::2], row[1::2]
        pairs = ss * sines * c + sc * cosines * s, cc * cosines * c + cs * sines * s
        return to_layout(np.concatenate(pairs, axis=1), "halves", "interleaved")

    return _doubled(new)


BACK = "Your new rows step back: angles should add up. Look at the signs of both formulas."
MISSING = "A product is missing: the sine and the cosine of a sum have two each."
DOUBLINGS: list[Mistake] = [
    (lambda table, row: sinusoidal(2 * len(table), table.shape[1]),
     "That is the table of base 10000, whatever rows are given: make the new rows from those."),
    (lambda table, row: np.concatenate([table, _turned(table, row)], axis=1),
     "The new rows stand beside the old ones: put them below."),
    (_doubled(lambda table, row: to_layout(
        _turned(*(to_layout(one, "halves", "interleaved") for one in (table, row))),
        "interleaved", "halves")),
     "You take the columns for halves: here each sine stands beside its cosine."),
    (_turned, "You give the new rows alone: put the old ones before them."),
    (lambda table, row: _doubled(_turned)(table, row)[1:], "Row 0 is missing."),
    (_doubled(lambda table, row: _turned(table[1:], row)),
     "Each old row should make a new one, row 0 included."),
    (lambda table, row: np.concatenate([_turned(table, row), table]), "The old rows come first."),
    (_doubled(lambda table, row: table),
     "Your new rows repeat the old: turn each on by as many places as there are rows."),
    (_doubled(lambda table, row: _turned(table, table[-1])),
     "Your first new row is the last old one once more: begin with p(n)."),
    (_doubled(lambda table, row: _turned(table, row)[::-1]), "Your new rows are in reverse order."),
    (_summed(1, -1, 1, 1), BACK),
    (_summed(-1, 1, 1, 1), BACK),
    (_summed(1, 1, 1, 1), "Your sines are right: look at the sign in the cosine of a sum."),
    (_summed(1, -1, 1, -1), "Your cosines are right: look at the sign in the sine of a sum."),
    (_summed(1, 1, -1, 1), "Your sines are right, and your cosines have the opposite sign."),
    (_summed(1, 0, 1, 0), MISSING),
    (_summed(1, 1, 1, 0), f"Your sines are right. {MISSING}"),
    (_summed(1, 0, 1, -1), f"Your cosines are right. {MISSING}"),
    (_doubled(lambda table, row: table + row),
     "You add the row itself: that adds sines, and angles are to be added. What is the sine of a "
     "sum of two angles?"),
    (_doubled(lambda table, row: table * row),
     "You multiply sines by sines and cosines by cosines: what is the sine of a sum?"),
    (_doubled(lambda table, row: _turned(table, row).reshape(len(table), -1, 2)[..., ::-1]
              .reshape(table.shape)),
     "Sines and cosines have changed places in your new rows: even columns hold sines."),
    (_doubled(lambda table, row: to_layout(_turned(table, row), "interleaved", "halves")),
     "All sines come first in your new rows: put each beside its cosine."),
]  # fmt: skip


def _entry(found: Array, expected: Array, table: Array, _: Array) -> str:
    row, j = np.argwhere(~np.isclose(found, expected, rtol=1e-9, atol=1e-9))[0]
    one, other = shown(found[row, j], expected[row, j])
    given = f"With {len(table)} row{'s' * (len(table) > 1)} given"
    return f"{given}, row {row} has {one} in column {j}; it should have {other}."


def _halves(found: Results, expected: Results) -> str:
    """Say what is right, or comes twice, in all tables up to the first that can't be had."""
    pairs = list(zip(found, expected, strict=False))
    if any(one.shape != other.shape for one, other in pairs):
        return ""
    if not close(found[0][:5], expected[0][:5]):
        return "The first 5 rows of your table should be the ones that were given."
    if close(found[0][5], found[0][4]):
        return "Your row 5 is row 4 once more: the new rows should begin with p(5)."
    for kind, start in (("sines", 0), ("cosines", 1)):
        if all(close(one[:, start::2], other[:, start::2]) for one, other in pairs):
            return f"Your {kind} are right: look at the other formula."
    return ""


def single_row(answer: Answer) -> None:
    """Check `single_row(t, start, rows)`: row t alone, from row `start` and rows of factors.

    Parameters
    ----------
    answer : callable
        `single_row(t, start, rows)`, which gets a complex `start` of shape (d_model / 2,), sine
        plus 1j times cosine, and in `rows`, of shape (m, d_model / 2), the factors w(1), w(2),
        w(4), ...; it returns a complex array of the shape of `start`.

    Raises
    ------
    NotYet
        If a row is wrong. The message names the likely mistake, or the first pair that differs.

    Examples
    --------
    >>> single_row(lambda t, start, rows: start * rows.prod(axis=0))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: For t = 22, begun at position 0, your row is that of position \
63. You take all factors: which does t, in binary, want?
    """
    cases = []
    for t, begin, m, d_model in (
        (22, 0, 6, 6), (1, 0, 6, 6), (0, 3, 6, 8), (13, -7, 4, 2), (100_000, 0, 17, 64),
    ):  # fmt: skip
        rows = -1j * sinusoidal([2**q for q in range(m)], d_model).view(complex)  # (m, d_model / 2)
        cases.append((t, sinusoidal([begin], d_model).view(complex)[0], rows))
    judge(
        answer,
        _picked(_digit),
        cases,
        ROWS,
        name="single_row",
        describe_difference=_reached,
        observe=_stretched,
        parse_result=_complex,
        fallback_hint="Write t in binary, and see which factors you took.",
    )
    forbid(answer, FORBIDDEN, "the row is right, and products of what is given make it.")
    _count(answer, *cases[-1])
    right(
        "Any row, however far, costs one product for each 1 in its number. That is how to reach a "
        "place in the table without walking there."
    )


class _Counted(np.ndarray):
    """An array that keeps the names of the functions of NumPy's that work on it."""

    names: ClassVar[list[str]] = []

    def __array_ufunc__(self, ufunc: Any, method: Any, *inputs: Any, **kwargs: Any) -> Any:
        self.names.append(ufunc.__name__)
        plain = [np.asarray(one) if isinstance(one, _Counted) else one for one in inputs]
        if "out" in kwargs:
            kwargs["out"] = tuple(np.asarray(one) for one in kwargs["out"])
        made = getattr(ufunc, method)(*plain, **kwargs)
        return made.view(_Counted) if isinstance(made, np.ndarray) else made


def _count(answer: Answer, t: int, start: Hands, rows: Hands) -> None:
    """Raise NotYet if a row is a power of a factor, or takes more products than factors."""
    _Counted.names.clear()
    answer(t, start.copy(), rows.copy().view(_Counted))
    if "power" in _Counted.names or "float_power" in _Counted.names:
        raise NotYet("The row is right, but you take a power: products of the factors make it.")
    if (count := _Counted.names.count("multiply")) > 2 * len(rows):
        raise NotYet(f"Row {t} is right, after {count} products: its binary digits want 6.")


def _picked(chosen: Callable[..., Any], begin: bool = True) -> Truth:
    """Row t as a product of the factors that `chosen(q, t, m, length of t)` takes."""

    def row(t: int, start: Hands, rows: Hands) -> Array:
        product = start.copy() if begin else np.ones_like(start)
        for q, factor in enumerate(rows):
            if chosen(q, t, len(rows), t.bit_length()):
                product = product * factor
        return product.view(float)

    return row


def _digit(q: int, t: int, *_: int) -> bool:
    return q >= 0 and t >> q & 1 == 1


def _made(change: Callable[[Hands], Hands]) -> Truth:
    return lambda *case: np.ascontiguousarray(change(_picked(_digit)(*case).view(complex))).view(
        float
    )


WRONG_END = "You read t in binary from the wrong end: w(1) belongs to the last digit."
ZEROS = "You take the factors where t, in binary, has a 0: take them where it has a 1."
ROWS: list[Mistake] = [
    (_picked(lambda q, t, m, n: _digit(m - 1 - q, t)), f"{WRONG_END} You begin with zeros."),
    (_picked(lambda q, t, m, n: _digit(n - 1 - q, t)), WRONG_END),
    (_picked(lambda q, t, m, n: not _digit(q, t)), ZEROS),
    (_picked(lambda q, t, m, n: q < n and not _digit(q, t)), ZEROS),
    (_picked(lambda q, t, m, n: True), "You take all factors: which does t, in binary, want?"),
    (_picked(lambda q, t, m, n: False), "That is `start` itself: does your result ever change?"),
    (_picked(lambda q, t, m, n: _digit(q - 1, t)),
     "Each of your factors is one too far along: w(1) belongs to the last digit of t."),
    (_picked(lambda q, t, m, n: _digit(q + 1, t)),
     "Each of your factors is one too early: w(1) belongs to the last digit of t."),
    (_picked(lambda q, t, m, n: _digit(q, t) and not t % 2**q), "You stop after the first 1 of t."),
    (_picked(lambda q, t, m, n: q < n),
     "You take a factor for each digit of t, in binary: a 0 takes none."),
    (_picked(lambda q, t, m, n: q < n - 1 and _digit(q, t)), "You leave out the first digit of t."),
    (_picked(lambda q, t, m, n: (t + 1) % 2 ** (q + 1) == 0),
     "You stop at the last 0 of t, in binary: a 0 takes no factor, and other digits follow."),
    (_picked(lambda q, t, m, n: q < t), "You take a factor for each step: each is worth 2^q."),
    (_picked(_digit, begin=False), "The factors are right, but row 0 is missing: use `start`."),
    (lambda t, start, rows: _picked(_digit)(t, np.full_like(start, 1j), rows),
     "You begin at position 0, wherever `start` stands."),
    (lambda t, start, rows: (start + rows.T @ [t >> q & 1 for q in range(len(rows))]).view(float),
     "You add the factors: they turn a hand when they are multiplied."),
    (_made(np.conj), "Your cosines have the opposite sign."),
    (_made(lambda z: 1j * np.conj(z)), "Sine and cosine have changed places."),
    (_made(lambda z: 1j * z), "You have a factor 1j too much: w(k) has it already."),
]  # fmt: skip


def _reached(found: Array, expected: Array, t: int, start: Hands, _: Hands) -> str:
    """Say which position a row belongs to, or where it differs."""
    table = sinusoidal(np.arange(-99, 200), 2 * len(start))
    at, begin = (
        [pos - 99 for pos, row in enumerate(table) if same(one, row)]
        for one in (found, start.view(float))
    )
    said = f"For t = {t}, begun at position {begin[0]}, "
    if at:
        return f"{said}your row is that of position {at[0]}."
    j = int((~np.isclose(found, expected, rtol=1e-9, atol=1e-9)).argmax())
    one, other = shown(found[j], expected[j])
    return f"{said}the {('sine', 'cosine')[j % 2]} of pair {j // 2} is {one}; it should be {other}."


def _stretched(found: Results) -> str:
    for one in found:
        if abs((length := float(abs(one.view(complex)[0]))) - 1) > 1e-9:
            return f"Your first hand has the length {length:.4f}, and a turn leaves it 1."
    return ""


def _complex(value: Any, should: Array, what: str, _: bool) -> Array:
    if not isinstance(value, np.ndarray) or value.dtype.kind != "c":
        raise NotYet(f"{what} should be an array of complex numbers, one for each pair.")
    shape = (should.size // 2,)
    both = array(value.real, shape, what), array(value.imag, shape, what)
    return np.ravel(both, order="F")
