"""The looks of the site."""
