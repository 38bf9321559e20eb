"""What is drawn of the assignment `clinic`: mistakes, printed numbers, and the order of columns."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

import posenc
from grading.draw.plan import Plan, Words

BASES = range(11, 99)
# An order of columns: in words, for 0 and 1 at position 0, and in code, where a pair stands in a
# row, where sines and cosines stand in a table, and what makes it of an interleaved one.
LAYOUTS: dict[str, dict[str, Any]] = {
    "interleaved": {
        "layout": "interleaved",
        "beside": "sine beside cosine",
        "pair_t": "(sin t, cos t)",
        "row_r": "begin with sin r and cos r",
        "zero": "0, 1, 0, 1",
        "ten": "[0, 1] * 5",
        "ten_shown": "0 1 0 1 ...",
        "of_row": ":2",
        "of_b": ":2",
        "of_table": ":2",
        "targets": "made[:, 0::2], made[:, 1::2]",
        "waves": ("np.sin(angles)", "np.cos(angles)"),
        "joined": "np.stack([np.sin(angles), np.cos(angles)], -1).reshape({})",
        "own": "",
    },
    "crossed": {
        "layout": "each cosine just before its sine",
        "beside": "each cosine just before its sine",
        "pair_t": "(cos t, sin t)",
        "row_r": "begin with cos r and sin r",
        "zero": "1, 0, 1, 0",
        "ten": "[1, 0] * 5",
        "ten_shown": "1 0 1 0 ...",
        "of_row": "1::-1",
        "of_b": "1::-1",
        "of_table": "1::-1",
        "targets": "made[:, 0::2], made[:, 1::2]",
        "waves": ("np.cos(angles)", "np.sin(angles)"),
        "joined": "np.stack([np.cos(angles), np.sin(angles)], -1).reshape({})",
        "own": "{0} = {0}[..., np.arange({0}.shape[-1]) ^ 1]",
    },
    "halves": {
        "layout": "all sines before all cosines",
        "beside": "all sines before all cosines",
        "pair_t": "(sin t, cos t)",
        "row_r": "have sin r in column 0 and cos r in column 4",
        "zero": "0, 0, 1, 1",
        "ten": "[0] * 5 + [1] * 5",
        "ten_shown": "0 0 0 0 0 1 ...",
        "of_row": "::2",
        "of_b": "::4",
        "of_table": ":: table.shape[1] // 2",
        "targets": "made[:, : d_model // 2], made[:, d_model // 2 :]",
        "waves": ("np.sin(angles)", "np.cos(angles)"),
        "joined": "np.concatenate([np.sin(angles), np.cos(angles)], -1)",
        "own": "{0} = np.concatenate([{0}[..., 0::2], {0}[..., 1::2]], -1)",
    },
    "crossed halves": {
        "layout": "all cosines before all sines",
        "beside": "all cosines before all sines",
        "pair_t": "(cos t, sin t)",
        "row_r": "have cos r in column 0 and sin r in column 4",
        "zero": "1, 1, 0, 0",
        "ten": "[1] * 5 + [0] * 5",
        "ten_shown": "1 1 1 1 1 0 ...",
        "of_row": "2::-2",
        "of_b": "4::-4",
        "of_table": "table.shape[1] // 2 :: -table.shape[1] // 2",
        "targets": "made[:, : d_model // 2], made[:, d_model // 2 :]",
        "waves": ("np.cos(angles)", "np.sin(angles)"),
        "joined": "np.concatenate([np.cos(angles), np.sin(angles)], -1)",
        "own": "{0} = np.concatenate([{0}[..., 1::2], {0}[..., 0::2]], -1)",
    },
}
# What patient A may suffer from: in words, and a table of its own that shows it.
MISTAKES = {
    "positions": ("positions from 1", "posenc.sinusoidal(range(1, 10), 6)"),
    "order": ("positions in falling order", "right[::-1]"),
    "sides": ("sine and cosine on the wrong sides", "right[:, [1, 0, 3, 2, 5, 4]]"),
    "signs": ("cosines with a minus sign", "right * ([1, -1] * 3)"),
    "pairs": ("pairs from 1", "posenc.sinusoidal(9, 8)[:, 2:]"),
    "exponents": ("exponents twice as large", "posenc.sinusoidal(9, 6, base=10_000**2)"),
    "degrees": ("angles taken for degrees", "posenc.sinusoidal(np.radians(range(9)), 6)"),
}
KEEPING = [("positions", "sides"), ("positions", "signs"), ("order", "sides"), ("order", "signs")]
KINDS = ("base", "divided", "offset", "right")
HINTS = {
    "base": "How fast should {} fall from offset 0 to offset 1?",
    "divided": "How alike is an encoding to itself, in {}?",
    "offset": "How alike is an encoding to itself, in {}?",
    "right": "Work out one point of {} by the formula, at offset 10 for instance.",
}
NEXT = {64: "65th", 32: "33rd", 48: "49th", 96: "97th", 128: "129th"}

CHOICES: dict[str, Sequence[Any]] = {
    "columns": [*LAYOUTS],
    "mistakes": [
        ("positions", "pairs", "sides"),
        *(
            (*two[:place], other, *two[place:])
            for two in KEEPING
            for other in ("exponents", "degrees")
            for place in range(3)
        ),
    ],
    "start_base": [100, *BASES],
    "ten_base": [7, *BASES],
    "row_base": [100, *BASES],
    "mended": [
        "(40, 6, 625), (10, 64, 10_000), (5, 2, 3)",
        *(f"({a}, 8, {b}), (10, {a}, {b}_000), (6, 4, 5)" for a in (30, 32, 34, 36) for b in BASES),
    ],
    "base": [50, *range(20, 90)],
    "swapped": [(5, 7), *itertools.combinations(range(2, 12), 2)],
    # The row and the pair of a number that was mistyped, 1 for a cosine, and by how much.
    "typed": [(9, 0, 1, 0.2), *itertools.product(range(2, 12), (0, 1), (0, 1), (-0.2, 0.2))],
    "sign": [(3, 2), *itertools.product(range(2, 7), (2, 3))],
    "kinds": [
        KINDS,
        *(
            kinds
            for kinds in itertools.permutations(KINDS)
            if not any(one == other for one, other in zip(kinds, KINDS, strict=True))
        ),
    ],
    "width_c": [32, 24, 40, 48],
    "base_c": [1000, 300, 500, 700, 2000],
    "wrong_base": [30, 20, 40, 50, 60],
    "right_bases": ["2, 50, 10_000", *(f"3, {b}, {b}_000" for b in BASES)],
    "right_n": [200, *range(120, 200)],
    "swap": [(11, 44), *itertools.combinations(range(5, 58), 2)],
    "swap_base": [70, *BASES],
    "late": [20, *range(12, 26)],
    "late_base": [9, *BASES],
    "rows_d": [*NEXT],
    "slow": ["10_000", *(f"{b}_000" for b in BASES)],
    "fast": [10, *BASES],
    "batch_base": [100, *BASES],
    "offset": [3, 4, 5, 6, 7],
    "offset_base": [100, *BASES],
    "long_base": [100, *BASES],
}


def words(drawn: Words) -> Words | None:
    """What the patients suffer from; None if a mistake can't be seen in the numbers."""
    numbers, curves = _of_numbers(drawn), _of_curves(drawn)
    one, other = drawn["swap"]
    if numbers is None or curves is None or _chord(one, other) < 0.1:
        return None
    columns, rows = drawn["columns"], drawn["rows_d"]
    layout = LAYOUTS[columns]
    return {
        **{name: text for name, text in layout.items() if isinstance(text, str)},
        **_of_program(drawn),
        **numbers,
        **curves,
        "own_right": _own(columns, "right"),
        "own_right_in_loop": _own(columns, "right", 4),
        "own_table": _own(columns, "table"),
        "own_table_in_loop": _own(columns, "table", 4),
        "own_turned": _own(columns, "turned"),
        "own_back": _own(columns, "back"),
        "three": _rounded(columns, range(3)),
        "four": _rounded(columns, range(4)),
        "two": _rounded(columns, range(1, 3)),
        "swap_1": one,
        "swap_2": other,
        "late_1": drawn["late"] + 1,
        "joined_d": layout["joined"].format(f"{rows}, -1"),
        "joined_x": layout["joined"].format("x.shape[-2:]"),
        "last_row": rows - 1,
        "one_more": rows + 1,
        "six_more": rows + 6,
        "near_end": rows - 4,
        "past_end": rows + 11,
        "next_row": NEXT[rows],
        "offset_5": drawn["offset"] + 5,
    }


def _own(columns: str, name: str, indent: int = 0) -> str:
    """A line that puts the columns of an interleaved table in a layout's order."""
    line = LAYOUTS[columns]["own"].format(name)
    return f"\n{' ' * indent}{line}" if line else ""


def _in_order(table: Any, columns: str) -> Any:
    """An interleaved table in a layout's order."""
    order = np.arange(table.shape[-1])
    if "crossed" in columns:
        order ^= 1
    if "halves" in columns:
        order = np.concatenate([order[0::2], order[1::2]])
    return table[..., order]


def _rounded(columns: str, positions: range) -> str:
    """A small right table as a list, to two decimals."""
    # Two columns of halves would be interleaved as well.
    table = _in_order(
        posenc.sinusoidal(positions, 4 if "halves" in columns else 2, base=100), columns
    )
    rows = (", ".join(f"{value:g}" for value in row.round(2)) for row in table)
    return ", ".join(f"[{row}]" for row in rows)


def _chord(one: int, other: int) -> float:
    return float(abs(2 * np.sin((one - other) / 2)))


def _of_program(drawn: Words) -> Words:
    """Patient A's program, and its mistakes in words and as tables."""
    has, waves = drawn["mistakes"], LAYOUTS[drawn["columns"]]["waves"]
    angles = f"pos / base ** ({4 if 'exponents' in has else 2} * i / d_model)"
    sick = waves[::-1] if "sides" in has else waves
    if "signs" in has:
        sick = [f"-{wave}" if "cos" in wave else wave for wave in sick]
    names = [f'"{name}"' for name in has]
    return {
        "sick_pos": f"np.arange({'1, n + 1' if 'positions' in has else 'n'})"
        + ("[::-1]" if "order" in has else ""),
        "sick_i": f"np.arange({'1, d_model // 2 + 1' if 'pairs' in has else 'd_model // 2'})",
        "sick_angles": f"np.radians({angles})" if "degrees" in has else angles,
        "sick_waves": ", ".join(sick),
        "right_waves": ", ".join(waves),
        "changing": next(name for name in has if name not in itertools.chain(*KEEPING)),
        "choices": f"`{names[0]}`, `{names[1]}` or `{names[2]}`",
        "choices_said": "{}, {}, or {}".format(*(MISTAKES[name][0] for name in has)),
        "names": ", ".join(names),
        "variants": "".join(f'    "{name}": {MISTAKES[name][1]},\n' for name in has),
    }


def _of_numbers(drawn: Words) -> Words | None:
    """Patient B's table; None if its base or a lie can't be found in it."""
    columns, base = drawn["columns"], drawn["base"]
    (one, other), (row, pair, side, by), (turned, slow) = (
        drawn[name] for name in ("swapped", "typed", "sign")
    )
    exact = posenc.sinusoidal(12, 8, base=base)
    places = [2 * pair + side, 2 * slow]  # as interleaved columns
    typed, sign = exact[row, places[0]] + by, exact[turned, places[1]]
    seen = (
        len({one, other, row, turned}) == 4
        and _chord(one, other) > 1.2
        and abs(typed) < 0.99
        and abs(typed**2 - exact[row, places[0]] ** 2) > 0.1
        and abs(typed + exact[row, places[0]]) > 0.1
        and sign > 0.15
        and round(float(np.arctan2(*exact[1, 6:].round(3)) ** (-8 / 6))) == base
        and all(
            abs(posenc.sinusoidal([1], 8, base=near) - exact[1]).max() > 6e-4 + 5e-4
            for near in (base - 1, base + 1)
        )
    )
    if not seen:
        return None
    table = exact.copy()
    table[row, places[0]], table[turned, places[1]] = typed, -sign
    table[[one, other]] = table[[other, one]]
    numbers = [f"{value:.3f}" for value in (_in_order(table, columns).round(3) + 0.0).ravel()]
    where = _in_order(np.arange(8), columns).tolist()
    return {
        "numbers": "\n".join(" ".join(numbers[at : at + 14]) for at in range(0, 96, 14)),
        "slow_sine": where.index(6),
        "slow_cosine": where.index(7),
        "sign_row": turned,
        "sign_column": where.index(2 * slow),
        "sign_pair": slow,
    }


def _of_curves(drawn: Words) -> Words | None:
    """Patient C's curves; None if two of them begin alike."""
    g = np.asarray(posenc.similarity(np.arange(22), drawn["width_c"], base=drawn["base_c"]))
    wrong = np.asarray(posenc.similarity(np.arange(21), drawn["width_c"], base=drawn["wrong_base"]))
    if abs(g[1] - wrong[1]) < 0.02:
        return None
    curves = {"base": wrong, "divided": g[:-1] / 2, "offset": g[1:], "right": g[:-1]}
    said: Words = {}
    for letter, kind in zip("ABCD", drawn["kinds"], strict=True):
        values = [f"{value:.3f}" for value in curves[kind].round(3) + 0.0]
        said[f"curve_{letter}"] = f'"{" ".join(values[:11])}"\n    " {" ".join(values[11:])}"'
        said[f"kind_{letter}"] = kind
        said[f"hint_{letter}"] = HINTS[kind].format(letter)
    return said


PLACES = {
    "clinic-4": ["with any base, <layout>."],
    "clinic-a": [
        "pos = <sick_pos>[:, np.newaxis]",
        "i = <sick_i>\n",
        "angles = <sick_angles>\n",
        "<targets> = <sick_waves>",
    ],
    "clinic-mended-a": ["n - 1, <beside>.", "<targets> = <right_waves>"],
    "clinic-mended-a-start-test": [
        "mended_a(2, 4, <start_base>)",
        "[<zero>]), ",
        "mended_a(1, 10, <ten_base>), [<ten>])",
        "is not <ten_shown>",
    ],
    "clinic-mended-a-test": [
        "mended_a(2, 4, <row_base>)",
        "row[<of_row>]",
        "in (<mended>):",
        "posenc.sinusoidal(n, d_model, base=base)<own_right_in_loop>",
    ],
    "clinic-10": ["to <choices>: <choices_said>."],
    "clinic-distance": ['"<changing>"'],
    "clinic-distance-test": ["names = (<names>)", "variants = {\n<variants>}"],
    "clinic-13": ["columns, <layout>, rounded"],
    "clinic-b-numbers": ["<numbers>"],
    "clinic-base": ["b[1, <slow_sine>], b[1, <slow_cosine>]"],
    "clinic-base-test": ["base=base_b)[0]<own_right>"],
    "clinic-swapped": ["b[:, <of_b>]"],
    "clinic-swapped-test": [
        "base=<base>)<own_right>",
        "Row r should <row_r>:",
    ],
    "clinic-lies-typed-test": ["base=<base>)<own_right>"],
    "clinic-lies-sign-test": ["base=<base>)<own_right>"],
    "clinic-sign": [
        "column <sign_column> the sine",
        "row <sign_row> alone",
        r"$\sin(<sign_row>\,\omega_<sign_pair>)$",
    ],
    "clinic-28": ["`d_model` <width_c> and base <base_c>."],
    "clinic-c-numbers": [f'"{letter}": <curve_{letter}>,' for letter in "ABCD"],
    "clinic-verdict": [
        "{" + ", ".join(f'"{letter}": "<kind_{letter}>"' for letter in "ABCD") + "}"
    ],
    **{
        f"clinic-verdict-{letter.lower()}-test": [
            "<width_c>, base=<base_c>)",
            f'"<hint_{letter}>"',
        ]
        for letter in "ABCD"
    },
    "clinic-37": ["t is <pair_t>.", "d_model)`, <layout>, whose"],
    "clinic-misplaced": ["table[:, <of_table>]"],
    "clinic-misplaced-right-test": [
        "np.array([<three>])",
        "in (<right_bases>):",
        "sinusoidal(<right_n>, 6, base=base)<own_table_in_loop>",
    ],
    "clinic-misplaced-swap-test": [
        "four = [<four>]",
        "8, base=<swap_base>)<own_table>",
        "table[[<swap_1>, <swap_2>]] = table[[<swap_2>, <swap_1>]]",
        "== [<swap_1>, <swap_2>],",
    ],
    "clinic-misplaced-shift-test": [
        "np.array([<two>])",
        "sinusoidal(30, 4, base=<late_base>)",
        "table[<late>:] =",
        "range(<late_1>, 31), 4, base=<late_base>)<own_table>",
        "range(<late>, 30)",
        "From row <late> on",
        "sinusoidal(3, 4, base=<late_base>)<own_turned>",
        "range(0, -3, -1), 4, base=<late_base>)<own_back>",
    ],
    "clinic-d": ["np.arange(<rows_d>)", "<joined_d>"],
    "clinic-44": ["`offset + n - 1`, <layout>."],
    "clinic-mended": ["x + <joined_x>"],
    "clinic-mended-bases-test": [
        "Mended(4, <slow>), Mended(4, <fast>)",
        "in (<slow>, <fast>)])<own_right>",
    ],
    "clinic-mended-batch-test": [
        "Mended(4, <batch_base>)",
        "base=<batch_base>)] * batch)<own_right_in_loop>",
        "Mended(6, <batch_base>)",
    ],
    "clinic-mended-offset-test": [
        "Mended(4, <offset_base>)",
        "range(<offset>, <offset_5>), 6, base=<offset_base>)<own_right>",
        "With offset=<offset>, the first word stands at position <offset>.",
        "Mended(6, <offset_base>)",
        "offset=<offset>), right",
    ],
    "clinic-mended-long-test": [
        "Mended(4, <long_base>)",
        "np.zeros((<six_more>, 4))",
        "== (<six_more>, 4)",
        "text of <six_more> words",
        "range(<near_end>, <past_end>), 6, base=<long_base>)<own_right>",
        "Mended(6, <long_base>)",
        "offset=<near_end>)",
        "Position <rows_d> is not",
    ],
    "clinic-history": [
        "`Sick(4, <batch_base>)` and then `Sick(4, <fast>)`",
        "`Sick(4, <batch_base>)(",
        "gets row <last_row>.",
        "There are <rows_d> rows: the <next_row> word",
        "np.zeros((<one_more>, 4))",
        "offset <near_end> with",
    ],
}

PLAN = Plan(CHOICES, words, PLACES)
