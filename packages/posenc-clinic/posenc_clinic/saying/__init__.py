"""Saying: what was found, in words.

`findings` makes a draft of a diagnosis and has rules that amend it; `report` writes it as text and
as HTML, whose code and numbers `typeset` sets.
"""
