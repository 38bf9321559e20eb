"""Lead a class from its roster to its grades, and grade what nobody has to trust."""
