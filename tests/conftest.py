"""Where this file is, pytest looks for modules that tests of several folders import."""
