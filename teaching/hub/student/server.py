"""Start a student's server without what it would load and never use."""

import sys

# jsonschema takes this one, if it is there, to check addresses with letters beyond ASCII. It
# compiles a grammar on import: more than a second of CPU for each student who arrives.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]

from jupyterhub.singleuser import main  # noqa: E402

if __name__ == "__main__":
    main()
