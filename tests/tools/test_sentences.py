"""The mirror that shows authors how long their sentences are."""

from posenc_book.sentences import lengths, main


def test_sentences_are_counted_without_code_formulas_and_tables():
    text = """# A heading

One {term}`word <position>` and $x + y$ make five words. "Two of them," with a
line break and [a link](https://example.org). Is it?

| a | table |

- An item
- Another one. `code` is one word

```python
not.a = sentence
```
"""
    assert [*lengths(text)] == [7, 10, 2, 2, 6]


def test_each_page_has_a_line(tmp_path, capsys):
    (tmp_path / "page.md").write_text("A short one. " * 3 + "Words " * 30 + ".")
    main(tmp_path, ["page.md"])
    assert capsys.readouterr().out.splitlines()[1].split() == ["4", "9.8", "75%", "25%", "page.md"]
