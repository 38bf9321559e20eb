"""Pairs that are alike beyond the template are found, and only these."""

import re

from .submissions import STUB, answered, command, hand_in, read

LADDER = """def ladder(d_model, base):
    made = []
    for {k} in range(d_model // 2):
        made.append(math.exp(-2 * {k} / d_model * math.log(base)))
    return np.array(made) if len(made) > 0 else np.zeros(0)"""
TABLE = """def table(positions, d_model, base):
    rows = np.zeros((len(positions), d_model))
    for at, place in enumerate(positions):
        for pair, speed in enumerate(ladder(d_model, base)):
            rows[at, pair] = math.sin(place * speed)
            rows[at, d_model // 2 + pair] = math.cos(place * speed)
    return rows"""
WORDS = "Each word that is new stands alone in its piece, hence it lands on the very first place."


def pairs(course):
    said = command("similar", course, "build")
    assert said.code == 0, said.err
    return said, re.findall(r"^(\w+) and (\w+): (\d+)% alike, in (.*)$", said.out, re.M)


def test_renamed_and_copied_answers_come_first(course):
    for number in range(8):
        own = {
            "build_table": f"def table(*a):\n    return {'+'.join(map(str, range(number, 30)))}",
            "build_offset": " ".join(f"word{number}{at}" for at in range(40)),
            "build_length": STUB,
        }
        hand_in(course, f"own{number}", "build", answered(course, "build", **own))
    copied = {"build_ladder": LADDER.format(k="i"), "build_table": TABLE, "build_offset": WORDS}
    hand_in(course, "one", "build", answered(course, "build", **copied))
    copied["build_ladder"] = LADDER.format(k="counter") + "  # my own idea"
    copied["build_table"] = TABLE.replace("place", "t").replace("rows", "result")
    hand_in(course, "two", "build", answered(course, "build", build_length=STUB, **copied))
    hand_in(course, "three", "build", answered(course, "build", build_offset=f"Well. {WORDS} Yes."))
    _, found = pairs(course)
    one, two, share, cells = found[0]
    assert {one, two} == {"one", "two"}
    assert int(share) > 80
    assert {"build-ladder", "build-table", "build-offset"} <= {*cells.split(", ")}
    ranked = [{*pair[:2]} for pair in found]
    assert {"one", "three"} in ranked
    assert not any(all(name.startswith("own") for name in pair) for pair in ranked[:2])


def test_a_shared_sentence_outweighs_a_right_line(course):
    for number in range(10):
        own = {"build_length": f"I {number}.", "build_offset": f"{number} is all I can say here."}
        if number < 4:
            own["build_offset"] = WORDS
        hand_in(course, f"s{number}", "build", answered(course, "build", **own))
    _, found = pairs(course)
    assert {one for pair in found for one in pair[:2]} == {"s0", "s1", "s2", "s3"}
    assert {pair[3] for pair in found} == {"build-offset"}


def test_short_answers_are_compared_whole(course):
    for student, short in (("ann", "It is so."), ("bob", "It is not."), ("cid", "It is so!")):
        hand_in(course, student, "build", answered(course, "build", build_length=short))
    hand_in(course, "dan", "build", answered(course, "build", build_length="It IS so ."))
    said, _ = pairs(course)
    assert "The same in every answer, 2 of the class: ann, dan\n" in said.out


def test_the_solution_and_the_class_come_first(course):
    for number in range(6):
        hand_in(course, f"right{number}", "build", answered(course, "build"))
    own = {"build_table": TABLE, "build_offset": WORDS, "build_class": STUB, "build_length": "I."}
    hand_in(course, "own", "build", answered(course, "build", **own))
    hand_in(course, "empty", "build", read(course / "release/build/build.ipynb"))
    (course / "submitted/broken/build").mkdir(parents=True)
    (course / "submitted/broken/build/build.ipynb").write_text("{")
    (course / "submitted/folder/build/build.ipynb").mkdir(parents=True)
    said, found = pairs(course)
    assert found == []
    those = ", ".join(f"right{number}" for number in range(6))
    assert f"As in the solution, 6 of the class: {those}\n" in said.out
    assert f"The same in every answer, 6 of the class: {those}\n" in said.out
    common = re.search("^Answers that are the same in more than half.*: (.*)$", said.out, re.M)[1]
    assert {"build-table", "build-class"} <= {*common.split(", ")}
