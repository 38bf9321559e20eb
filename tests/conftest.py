"""Makes pytest look in this folder for modules that several folders' tests import."""
