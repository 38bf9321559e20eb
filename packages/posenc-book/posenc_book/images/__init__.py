"""Figures and pictures: their data, their stills, their files."""
