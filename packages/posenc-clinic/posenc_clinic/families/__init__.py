"""Families: which tables are known, and how each is recognised.

`readings` lists them, from plain to far-fetched: tables of one ladder and its mistakes
(`one_ladder`), of several axes (`axes`), of one axis in another order (`along_rows`, by `waves`),
caches for rotations (`rope_caches`, `rope_bases`), `packed_positions`, `damaged` tables, and those
`without_ladder`. `biases` of attention are asked before all. What each has and who uses it stands
in `known_recipes`.
"""
