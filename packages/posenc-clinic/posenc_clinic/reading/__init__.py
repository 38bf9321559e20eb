"""Reading: the arrays in whatever people have in hand, by name, and how they were found.

`tables_of` sorts: files go to `formats`, state dicts to `find_tensors`, functions and modules to
`table_from_callable`, with the arguments that `calls` makes up and what `rotations` makes of
vectors, and arrays to `table_from_array`.
"""
