"""Mistakes that have a name, one entry each, in the order in which a diagnosis lists them.

Those of `tables`, `pairs` and `numbers` have a case in the clinic; `others` have none. What an
entry says is a `mistake`, what shows it in a table a `finding`, and `wrong_tables` have them on
purpose.
"""

from posenc_clinic.mistakes.numbers import OF_LADDERS, OF_NUMBERS
from posenc_clinic.mistakes.pairs import OF_PAIRS
from posenc_clinic.mistakes.tables import NOT_AN_ENCODING, OF_TABLES, OTHER_RECIPE

__all__ = ["CATALOGUE", "OF_RECIPES", "OF_TABLES"]

OF_RECIPES = OF_PAIRS | OF_LADDERS | OF_NUMBERS
LAST = {"other-recipe": OTHER_RECIPE, "not-an-encoding": NOT_AN_ENCODING}
CATALOGUE = OF_TABLES | OF_RECIPES | LAST
