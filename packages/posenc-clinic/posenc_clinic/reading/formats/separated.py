"""Text files of rows, whose numbers are separated by commas, semicolons or tabs."""

import csv
from pathlib import Path

from posenc_clinic.reading.find_tensors import UnreadableError
from posenc_clinic.reading.table_from_array import Given


def rows(path: Path) -> Given:
    """Read rows of numbers, with or without a header or a column that numbers them."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        first = next((line for line in file if line.strip()), "")
        separator = next((each for each in ";\t" if each in first), ",")
        file.seek(0)
        lines = [line for line in csv.reader(file, delimiter=separator) if line]
    if not lines:
        raise UnreadableError("it is empty")
    if separator == ";":
        lines = [[value.replace(",", ".") for value in line] for line in lines]
    try:
        [float(value) for value in lines[0]]
    except ValueError:  # of a header
        lines = lines[1:]
    table = [[float(value) for value in line] for line in lines]
    numbers = [row[0] for row in table if len(row) > 2]
    if len(numbers) > 2 and numbers == [numbers[0] + at for at in range(len(table))]:
        said = "The first column of the file numbers its rows, and was left out."
        return Given([row[1:] for row in table], (said,))
    return Given(table)
