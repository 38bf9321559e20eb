"""A class list is read as platforms write it, and files are matched to it or are doubtful."""

import itertools

import pytest

from grading import roster

MOODLE = "First name,Surname,ID number,Email address\nAda,Lovelace,u1,ada@x.org\n,,,\n"
WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade\nParticipant 77,Ada Lovelace,ada@x.org,,\n"
)
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,build (12)\n"
    '    Points Possible,,,,,24\n"Lovelace, Ada",34,u1,ada,A,\n'
)
CLASSROOM = "Last Name,First Name,Email Address\nLovelace,Ada,ada@x.org\n"
OWN = "name;email\nAda Lovelace;ada@x.org\n"
CLASS = """name,email,number
Ada Lovelace,ada@x.org,34
Grace Hopper,grace@x.org,35
Mary Jane O'Neil,mj@x.org,36
Jörg Müller,joerg@x.org,37
王 小明,wang@x.org,38
Kim Lee,kim1@x.org,41
Kim Lee,kim2@x.org,42
"""


def written(folder, content, encoding="utf-8"):
    path = folder / "roster.csv"
    path.write_bytes(content.encode(encoding))
    return path


@pytest.fixture
def students(tmp_path):
    return roster.read(written(tmp_path, CLASS))


@pytest.mark.parametrize("content", [MOODLE, WORKSHEET, CANVAS, CLASSROOM, OWN])
def test_class_lists_of_each_platform_are_read(tmp_path, content):
    (ada,) = roster.read(written(tmp_path, content))
    assert (ada.id, ada.name) == ("ada", "Ada Lovelace")
    assert ada.email == ("" if content is CANVAS else "ada@x.org")
    assert (ada.number, ada.sis, ada.login) == {
        MOODLE: ("", "u1", ""),
        WORKSHEET: ("77", "", ""),
        CANVAS: ("34", "u1", "ada"),
    }.get(content, ("", "", ""))


def test_letters_survive_whatever_a_spreadsheet_saved(tmp_path):
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        text = "name\tmail\r\nJörg Müller\tj@x.org\r\n"
        found = roster.read(written(tmp_path, text, encoding))
        assert [student.name for student in found] == ["Jörg Müller"], encoding


def test_what_is_written_is_read_back(tmp_path, students):
    roster.write(students, tmp_path / "again.csv")
    assert roster.read(tmp_path / "again.csv") == students
    assert len({student.id for student in students}) == len(students)


def test_an_unusable_class_list_is_refused(tmp_path):
    for content, words in (
        ("", "is empty"),
        ("colour,size\nred,1\n", "has no column with names"),
        ("name,email\n", "names nobody"),
        ("\0\1\2name", "is no text"),
        ("name,email\n" + "x" * 200_000, "is no table"),
    ):
        with pytest.raises(roster.RosterError, match=words):
            roster.read(written(tmp_path, content))
    with pytest.raises(roster.RosterError, match="can't be read"):
        roster.read(tmp_path / "nowhere.csv")


CERTAIN = {
    "Ada Lovelace_12_assignsubmission_file/build.ipynb": "ada",
    "Ada Lovelace_12_assignsubmission_file_/build (1).ipynb": "ada",
    "Ada Lovelace_35_assignsubmission_file/build.ipynb": "ada",  # Moodle's number of the day
    "Lovelace Ada_12_assignsubmission_file_build.ipynb": "ada",
    "Participant_34_assignsubmission_file/build.ipynb": "ada",
    "lovelaceada_34_901_build-1.ipynb": "ada",
    "lovelaceada_LATE_34_901_build.ipynb": "ada",
    "oneilmaryjane_36_7_notebook.ipynb": "mj",
    "mullerjorg_37_7_build.ipynb": "joerg",
    "mu\u0308llerjo\u0308rg_37_7_build.ipynb": "joerg",
    "Kim Lee_42_assignsubmission_file/build.ipynb": "kim2",
    "leekim_41_3_build.ipynb": "kim1",
    "Grace Hopper - build.ipynb": "grace",
    "build - GRACE HOPPER.ipynb": "grace",
    "build_grace.ipynb": "grace",
    "grace@x.org.zip": "grace",
    "Downloads/grace/build.ipynb": "grace",
    "王 小明_9_assignsubmission_file/build.ipynb": "wang",
}
DOUBTFUL = {
    "Grace Hoper_9_assignsubmission_file/build.ipynb": ["grace"],
    "Zed Guest_34_assignsubmission_file/build.ipynb": ["ada"],
    "Kim Lee_9_assignsubmission_file/build.ipynb": ["kim1", "kim2"],
    "Kim Lee - build.ipynb": ["kim1", "kim2"],
    "ada - grace.ipynb": ["ada", "grace"],
    "build.ipynb": [],
    "build (1).ipynb": [],
    "hopegracie_35_3_build.ipynb": ["grace"],
}


def test_a_files_name_tells_whose_it_is(students):
    for path, student in CERTAIN.items():
        match = roster.recognised(path, students)
        assert match.certain, path
        assert match.certain.id == student, path


def test_a_doubtful_file_is_nobodys(students):
    for path, perhaps in DOUBTFUL.items():
        match = roster.recognised(path, students)
        assert match.certain is None, path
        assert [student.id for student in match.perhaps] == perhaps, path


def test_no_file_is_taken_for_another_students(students):
    shapes = (
        "{name}_{number}_assignsubmission_file/build.ipynb",
        "{last}{first}_{number}_77_build.ipynb",
        "{name} - build.ipynb",
        "{id}/build.ipynb",
    )
    for student, shape in itertools.product(students, shapes):
        words = student.name.lower().replace("'", "").split()
        path = shape.format(
            name=student.name, number=student.number, id=student.id,
            first="".join(words[:-1]), last=words[-1],
        )  # fmt: skip
        match = roster.recognised(path, students)
        assert match.certain == student or student in match.perhaps, path
        assert match.certain in (student, None), path


def test_a_name_does_nothing_to_a_terminal(tmp_path):
    (student,) = roster.read(written(tmp_path, "name\n\x1b[2J\x07Ada\u202e Lovelace\n"))
    assert student.name.isprintable()
