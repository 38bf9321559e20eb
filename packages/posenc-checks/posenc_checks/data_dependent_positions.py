"""Check the bias of forget gates (*data-dependent-positions*)."""

from collections.abc import Callable

import numpy as np

from posenc_checks._answer import Answer, Array, right
from posenc_checks._judge import Mistake, Truth, judge

__all__ = ["forgetting_bias"]


def forgetting_bias(answer: Answer) -> None:
    """Check `forgetting_bias(gates)`: what forget gates add to the scores of each query.

    Parameters
    ----------
    answer : callable
        `forgetting_bias(gates)`, which gets an array of gates between 0 and 1, of shape (heads, n),
        and returns an array of shape (heads, n, n).

    Raises
    ------
    NotYet
        With the first entry that is not right.

    Examples
    --------
    >>> forgetting_bias(lambda gates: np.zeros((*gates.shape, gates.shape[1])))
    Traceback (most recent call last):
        ...
    posenc_checks._answer.NotYet: forgetting_bias([[0.5, 0.9, 0.6]]) has 0 in head 0, query 0, \
key 1; it should have -inf. It is 0 everywhere: it should hide later keys and charge earlier ones.
    """
    rng = np.random.default_rng(0)
    gates = [np.array([[0.5, 0.9, 0.6]]), np.array([[0.9, 0.2, 0.7, 0.4], [0.3, 0.8, 0.99, 0.5]])]
    gates += [rng.uniform(0.05, 0.95, size=shape) for shape in ((1, 1), (3, 3), (2, 6), (4, 9))]
    cases = [(each,) for each in gates]
    judge(
        answer,
        _sums,
        cases,
        MISTAKES,
        name="forgetting_bias",
        describe_entry=PLACE,
        hint="Compute the row of query 2 by hand: which gates lie between?",
    )
    right(
        "The gate of a key's own token is not in its sum, because a token forgets what came before "
        "it; so the diagonal is 0."
    )


def _hiding(entry: Callable[[Array], Array], hidden: float = -np.inf) -> Truth:
    """Biases made by `entry(gates)`, (heads, n, n), with later keys hidden."""
    return lambda gates: np.where(np.tri(gates.shape[1], dtype=bool), entry(gates), hidden)


def _apart(steps: Array) -> Array:
    """What is summed up from each key, (columns), to each query, (rows)."""
    sums = np.cumsum(steps, axis=-1)
    return np.asarray(sums[..., :, np.newaxis] - sums[..., np.newaxis, :])


def _own(gates: Array) -> Array:
    """The logarithm of each key's own gate, as a row."""
    return np.asarray(np.log(gates)[:, np.newaxis, :])


def _newest(gates: Array) -> Array:
    """The logarithm of each query's own gate, as a column."""
    return np.asarray(np.log(gates)[:, :, np.newaxis])


def _all_between(gates: Array) -> Array:
    return _apart(np.log(gates))


PLACE = "head {0[0]}, query {0[1]}, key {0[2]}".format
_sums = _hiding(_all_between)
MISTAKES: list[Mistake] = [
    (_all_between, "Later keys are not hidden: add -inf there."),
    (_hiding(_all_between, 0), "A bias of 0 does not hide later keys: add -inf there."),
    (lambda gates: 0 * _all_between(gates),
     "It is 0 everywhere: it should hide later keys and charge earlier ones."),
    (_hiding(lambda gates: -_all_between(gates)),
     "Your biases are positive: the logarithm of a gate is negative, so take query minus key."),
    (_hiding(lambda gates: _all_between(gates) + _own(gates)),
     "You count the gate of the key's own token, too: begin with the token after it."),
    (_hiding(lambda gates: _all_between(gates) - _newest(gates)),
     "You leave out the gate of the query's own token: it belongs to the sum."),
    (_hiding(lambda gates: _own(gates) + 0 * _all_between(gates)),
     "Each key has only its own gate: sum up those after it, up to the query."),
    (_hiding(lambda gates: _apart(gates)), "You sum the gates: sum their logarithms."),
    (_hiding(lambda gates: np.exp(_all_between(gates)), 0),
     "These are products of gates, by which exponentials are multiplied: a bias is their log."),
    (lambda gates: np.where(
        np.tri(gates.shape[1], dtype=bool).T, _all_between(gates).swapaxes(1, 2), -np.inf),
     "Rows are queries and columns are keys: yours have changed places."),
    (_hiding(lambda gates: np.log(gates)[:, :, np.newaxis] - np.log(gates)[:, np.newaxis]),
     "You subtract two logarithms of gates: subtract two running sums of them."),
]  # fmt: skip
