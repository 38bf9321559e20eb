"""What the kernel calls when a cell says %pip."""

REASON = (
    "Nothing can be installed here, and nothing needs to be: "
    "numpy, matplotlib, plotly and posenc are ready to import."
)


async def get_transformed_code(_: list[str]) -> str:
    """The code that such a line runs instead."""
    return f"print({REASON!r})\n"
