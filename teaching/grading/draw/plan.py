"""What of an assignment is drawn, and where it stands in the notebook."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Words = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """What of an assignment is drawn, and where it stands.

    Attributes
    ----------
    choices
        By its name, the published value of each thing that is drawn, and then the others.
    words
        What else follows from a choice of values, such as answers, by its name; or None if the
        values don't go together.
    places
        By the name of the cell, each text that changes, with `<name>` for what is drawn. It stands
        in the cell once.
    """

    choices: Mapping[str, Sequence[Any]]
    words: Callable[[Words], Words | None]
    places: Mapping[str, Sequence[str]]
