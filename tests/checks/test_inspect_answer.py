"""Code objects read for what an answer shows, also as Python 3.14 compiles them."""

import dis

import pytest

from posenc_checks import _inspect_answer


def answer(n, d):
    found = [0.0] * 7
    for k in range(1, 10):
        found.append(10_000 ** (2 * k / d) + 3 * n[4:2.5] + (True, 7)[k % 2])
    return found


CONSTANTS = [7, 10, 10_000, 3, 4, 2.5]


def test_the_numbers_of_a_function_are_those_its_code_loads_each_once():
    assert sorted(_inspect_answer.constants(answer)) == sorted(CONSTANTS)
    assert _inspect_answer.constants(print) == []


@pytest.fixture
def as_in_3_14(monkeypatch):
    """Small whole numbers in instructions of their own, and slices that are constants."""
    steps = [*dis.get_instructions(answer)]

    def compiled(code):
        for step in steps:
            if step.opcode in dis.hasconst and type(step.argval) is int and step.argval < 256:
                step = step._replace(opname="LOAD_SMALL_INT", opcode=-1)
            yield step
        yield next(
            step._replace(argval=slice(5, 2.5)) for step in steps if step.opcode in dis.hasconst
        )

    class Code:
        co_consts = (0.0, 10_000, slice(5, 2.5), None)

    monkeypatch.setattr(_inspect_answer.dis, "get_instructions", compiled)
    monkeypatch.setattr(_inspect_answer, "_code", lambda function: Code)


def test_small_numbers_count_that_stand_in_instructions_not_among_the_constants(as_in_3_14):
    assert sorted(_inspect_answer.constants(answer)) == sorted([*CONSTANTS, 5])
