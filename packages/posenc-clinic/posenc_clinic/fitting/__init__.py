"""Fitting: one ladder of frequencies for a table, and what is unlike the paper's in it.

    preparation    ways to see a table, without its outliers; a `sample` of each
    recipes from   closed_forms, or estimate <- frequencies
    hypotheses     the same with round numbers (`round_numbers`), refined by `refine`
    fitted_table   one that fits

A recipe is the formula of `table_model`, with a setting for all that can go wrong in it.
"""
