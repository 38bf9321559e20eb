"""Saying: what was found, in words.

`findings` makes a draft of a diagnosis, which the `rules` amend; `report` writes it as text and as
HTML, whose code and numbers `typeset` sets.
"""
