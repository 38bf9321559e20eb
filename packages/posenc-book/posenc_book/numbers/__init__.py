"""Numbers in prose, and the cells that print them."""
