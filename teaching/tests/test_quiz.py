"""A quiz has each question once, marks it as the checker does, and names no other host."""

import html
import re
import zipfile
from xml.etree import ElementTree

from grading.quiz import RIGHT
from posenc_book.edition.questions import read

from .submissions import ROOT, command


def test_a_quiz_marks_right_answers_right_and_foreseen_ones_wrong(tmp_path):
    assert command("quiz", tmp_path / "quiz.zip").code == 0
    with zipfile.ZipFile(tmp_path / "quiz.zip") as packed:
        names = [name for name in packed.namelist() if name.endswith(".xml")]
        *_, quiz = [ElementTree.fromstring(packed.read(name)) for name in names]
    items = quiz.findall(".//{*}item")
    assert sorted(item.get("title") for item in items) == sorted(read(ROOT))
    for item in items:
        question = read(ROOT)[item.get("title")]
        text = html.unescape("".join(each.text for each in item.iterfind(".//{*}mattext")))
        assert not re.search(r"\}(`|<code>)|//|src=|\$", text), text
        assert text.count(r"\(") == len(re.findall(r"\$.+?\$", str(question))), text
        [right] = item.iterfind(".//{*}setvar/..")
        if "choices" in question:
            labels = item.findall(".//{*}response_label")
            marked = [each.get("ident") == right.findtext(".//{*}varequal") for each in labels]
            assert marked == [reply.startswith(RIGHT) for _, reply in question["choices"]]
        else:
            least, most = (float(right.findtext(f".//{{*}}{end}")) for end in ("vargte", "varlte"))
            assert least <= question["right"] <= most
            assert not any(least <= number <= most for number, _ in question["wrong"])
