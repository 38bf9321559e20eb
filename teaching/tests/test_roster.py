"""A class list is read as platforms write it, and files are matched to it or are doubtful."""

import datetime

import pytest

from grading import roster
from grading.submission import GradingError

# Class lists of one student, and what is read of them: email, number, SIS id, login.
LISTS = {
    "First name,Surname,ID number,Email address\nAda,Lovelace,u1,ada@x.org\n,,,\n": (
        *("ada@x.org", "", "u1", ""),  # Moodle
    ),
    "Identifier,Full name,Email address,Status\nParticipant 77,Ada Lovelace,ada@x.org,\n": (
        *("ada@x.org", "77", "", ""),  # Moodle's grading worksheet
    ),
    "Student,ID,SIS User ID,SIS Login ID,Section,build (12)\n    Points Possible,,,,,24\n"
    '"Lovelace, Ada",34,u1,ada,A,\n': ("", "34", "u1", "ada"),  # Canvas
    "Last Name,First Name,Email Address,build\nLovelace,Ada,ada@x.org,9\nDate,,,2027-01-15\n"
    ",Points,,24\n": ("ada@x.org", "", "", ""),  # Classroom
    "name;email\nAda Lovelace;ada@x.org\n": ("ada@x.org", "", "", ""),
}
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


def test_class_lists_of_each_platform_are_read(tmp_path):
    for content, found in LISTS.items():
        (ada,) = roster.read(written(tmp_path, content))
        assert (ada.id, ada.name) == ("ada", "Ada Lovelace"), content
        assert (ada.email, ada.number, ada.sis, ada.login) == found, content


def test_letters_survive_and_control_characters_do_not(tmp_path):
    text = "name\tmail\r\nJörg\x1b\x07 Müller\u202e\tj@x.org\r\n"
    for encoding in ("utf-8", "utf-8-sig", "cp1252"):
        listed = text.replace("\u202e", "") if encoding == "cp1252" else text
        (student,) = roster.read(written(tmp_path, listed, encoding))
        assert student.name.split() == ["Jörg", "Müller"], encoding


def test_what_is_written_is_read_back(tmp_path, students):
    roster.write(students, tmp_path / "again.csv")
    assert roster.read(tmp_path / "again.csv") == students
    assert len({student.id for student in students}) == len(students)


def test_times_come_from_a_worksheet_in_english_or_in_figures(tmp_path, students):
    head = "Identifier,Full name,Email address,Last modified (submission)\n"
    for text in (
        "15 January 2027, 6:00 PM",
        "Friday, 15 January 2027, 6:00 PM",
        "2027-01-15 18:00",
    ):
        sheet = written(tmp_path, f'{head}Participant 9,Kim Lee,kim2@x.org,"{text}"\n')
        kim = roster.updated(students, sheet)[-1]
        when = datetime.datetime(2027, 1, 15, 18).astimezone(datetime.UTC).isoformat()
        assert (kim.id, kim.number, kim.handed_in) == ("kim2", "9", when)
    for text, words in (("15.1.2027", "has a time '15.1.2027'"), ("-", "of nobody")):
        with pytest.raises(GradingError, match=words):
            roster.updated(students, written(tmp_path, f"{head}Participant 9,Ada Lovelace,,{text}"))


def test_an_unusable_class_list_is_refused(tmp_path):
    for content, words in (
        ("", "is empty"),
        ("colour,size\nred,1\n", "has no column with names"),
        ("name,email\n", "names nobody"),
        ("\0\1\2name", "is no text"),
        ("name,email\n" + "x" * 200_000, "is no table"),
    ):
        with pytest.raises(GradingError, match=words):
            roster.read(written(tmp_path, content))
    with pytest.raises(GradingError, match="can't be read"):
        roster.read(tmp_path / "nowhere.csv")


NAMED = {  # whose a file is, and who may be meant by a doubtful one
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
    for path, expected in NAMED.items():
        certain, perhaps = roster.recognised(path, students)
        assert (certain.id if certain else [each.id for each in perhaps]) == expected, path
