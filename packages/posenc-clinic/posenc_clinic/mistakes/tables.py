"""What became of a table after it was computed. No recipe has to explain it."""

import numpy as np
from numpy.typing import NDArray

from posenc_clinic.fitting.fitted_table import FittedTable
from posenc_clinic.fitting.table_model import Array
from posenc_clinic.mistakes.mistake import Mistake, lengths


def where_not_finite(table: Array) -> str:
    """Describe how many values are not finite, and which is the first."""
    bad = np.argwhere(~np.isfinite(table))  # (bad values, 2)
    many = f"{len(bad)} of {table.size} values are NaN or infinite"
    return f"{many}; the first is in row {bad[0][0]}, column {bad[0][1]}."


def _repetition(fitted: FittedTable) -> str:
    row, block = fitted.axes[0], fitted.view.period
    if fitted.view.repeat > 1:
        return f"Each {row} comes {fitted.view.repeat} times in succession."
    return f"{row.capitalize()} {block} is {row} 0 again, and so on."


def _constant_rows(fitted: FittedTable) -> NDArray[np.intp]:
    blank = fitted.blank_rows
    return blank[1:] if blank.size and fitted.view.kept_for_pads(blank[0]) else blank


def _blank_entry(fitted: FittedTable) -> tuple[int, int]:
    row = int(_constant_rows(fitted)[-1])
    return row, int(np.abs(fitted.view.table[row] - fitted.reference_table[row]).argmax())


def _worst_entry(
    fitted: FittedTable, across: NDArray[np.intp], rows: int | None = 64
) -> tuple[int, int]:
    """The entry of these columns, in the first rows, that is farthest from the right one."""
    miss = np.abs(fitted.view.table[:rows, across] - fitted.reference_table[:rows, across])
    row, place = np.unravel_index(int(np.nan_to_num(miss, posinf=0).argmax()), miss.shape)
    return int(row), int(across[place])


def _listed(name: str, places: NDArray[np.intp]) -> str:
    """Name some rows or columns, if they are several: "They are rows 3, 5 and 9."."""
    if places.size == 1:
        return ""
    first = [str(place) for place in places[: 3 if places.size > 4 else 4]]
    last = f"{places.size - 3} more" if places.size > 4 else first.pop()
    return f"They are {name}s {', '.join(first)} and {last}."


OF_TABLES = {
    "transposed": Mistake(
        what="Rows and columns are exchanged.",
        why="Added to a batch as it is, the table gives each token one function at all positions "
        "instead of all functions at its position. If the table is square, no check of the shape "
        "shows it.",
        remedy="Transpose it, so that positions run down and pairs across.",
        found=lambda fitted: fitted.view.transposed,
        detail=lambda fitted: (
            "Its {} columns are positions, and its {} rows are sines and cosines.".format(
                *fitted.view.table.shape
            )
        ),
    ),
    "not-finite": Mistake(
        what="Some values are not finite.",
        why="A single NaN spreads to every sum, product and mean that it enters.",
        remedy="Look for a division by 0 or an overflow where the first of them arises.",
        found=lambda fitted: not np.isfinite(fitted.view.table).all(),
        detail=lambda fitted: where_not_finite(fitted.view.as_given),
    ),
    "repeated-row-block": Mistake(
        what="Rows repeat exactly.",
        why="Repeated rows give different tokens the same position. This happens where the "
        "encoding runs along the batch, or where a short table is tiled. It is intended only "
        "where texts of one length are packed.",
        remedy="Let positions run along the axis of the tokens, and make the table as long as the "
        "text.",
        found=lambda fitted: fitted.view.period < len(fitted.view.table),
        detail=_repetition,
    ),
    "zeroed-first-row": Mistake(
        what="Row 0 is all zeros, as it is where that row is kept for padding.",
        why="This is a convention, not a mistake, where tokens are counted from 1 and padding "
        "takes row 0. Where tokens are counted from 0 it is a mistake, because the first token of "
        "every sentence then has no position.",
        remedy="Read the code that uses the table. If it counts tokens from 1, leave row 0 as it "
        "is. If it counts from 0, fill row 0 in (sines 0, cosines 1) and mask the padding "
        "instead.",
        found=lambda fitted: sum(map(fitted.view.kept_for_pads, fitted.blank_rows)),
        convention=True,
    ),
    "constant-row": Mistake(
        what="Whole rows are set to one value.",
        why="Every position has its sines and cosines. A row of one value encodes no position, so "
        "the token that gets it has none.",
        remedy="Compute that row like the others. If it was meant for padding, mask the padding "
        "instead.",
        found=lambda fitted: _constant_rows(fitted).size > 0,
        place=_blank_entry,
        detail=lambda fitted: _listed(fitted.axes[0], _constant_rows(fitted)),
        harm=lengths,
    ),
    "zero-column": Mistake(
        what="A column of zeros fills up an odd width.",
        why="The last column has no partner, so it belongs to no pair and no shift rotates it.",
        remedy="Choose an even d_model.",
        found=lambda fitted: fitted.padded,
        detail=lambda fitted: f"It is {fitted.axes[1]} {fitted.view.table.shape[1] - 1}.",
        harm=lengths,
    ),
    "unwritten-columns": Mistake(
        what="Some columns were never written: they are all zeros.",
        why="A pair with an empty column is not on the unit circle, so it has no direction and no "
        "shift rotates it.",
        remedy="Write sines to table[:, 0::2] and cosines to table[:, 1::2]. Look for one slice "
        "that is written twice, or for a loop that ends too early.",
        found=lambda fitted: fitted.zero_columns.size > 0,
        place=lambda fitted: _worst_entry(fitted, fitted.zero_columns),
        detail=lambda fitted: _listed(fitted.axes[1], fitted.zero_columns),
        harm=lengths,
    ),
    "growing-amplitude": Mistake(
        what="Values are multiplied by the position: they grow from row to row.",
        why="Late positions outgrow the embeddings that they are added to, and rows differ more "
        "in their length than in the angles of their pairs.",
        remedy="Use the position inside sine and cosine, and nowhere else.",
        found=lambda fitted: fitted.view.row_amplitude is not None,
        place=lambda fitted: _worst_entry(fitted, np.arange(fitted.view.table.shape[1]), None),
        harm=lengths,
    ),
    "cosine-of-sine": Mistake(
        what="Second columns hold the cosine of the sine, not of the angle.",
        why="Sines lie between -1 and 1, so their cosines stay above 0.54. A pair then leaves the "
        "unit circle, and no shift rotates it.",
        remedy="Keep the angles and take both functions of them, so that the sine does not "
        "overwrite what the cosine is taken of.",
        found=lambda fitted: fitted.view.cosine_of_sine_columns.size > 0,
        place=lambda fitted: _worst_entry(fitted, fitted.view.cosine_of_sine_columns),
        harm=lengths,
    ),
    "missing-column": Mistake(
        what="The number of columns is odd, so one column of a pair is missing.",
        why="The column that is left has no partner, so its pair is not on the unit circle and no "
        "shift rotates it.",
        remedy="Choose an even d_model.",
        found=lambda fitted: fitted.view.table.shape[1] % 2 and not fitted.padded,
        detail=lambda fitted: f"There are {fitted.view.table.shape[1]}.",
        harm=lengths,
    ),
}

# A report finds these two, and puts their evidence into words, by itself.
OTHER_RECIPE = Mistake(
    what="The table does not follow the recipe that was meant.",
    why="Weights trained with one recipe misread the table of another, even if that is right in "
    "itself.",
    remedy="Make the table by the recipe that the weights were trained with, or name the one that "
    "you mean, as in diagnose(table, recipe=...).",
    found=lambda fitted: False,
)

# The last resort.
NOT_AN_ENCODING = Mistake(
    what="Values follow no formula that is known here.",
    why="Without a formula, a table can't be checked or continued to other positions, and no "
    "theorem about shifts and distances holds for it.",
    remedy="If you know the formula, compute the table from it and compare both with "
    "posenc_clinic.compare. If training made these numbers, keep them with its weights.",
    found=lambda fitted: False,
)
