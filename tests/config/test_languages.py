"""The languages of the screens: a table is not started in one that nobody has words of."""

from __future__ import annotations

from pathlib import Path

from controller.config import ConfigError, read_config

TABLE = """
site = "a"
table = "b"
test = true
[rules]
ruleset = "bankers-ez-baccarat-panda-8"
[display]
"""


def judged(folder: Path, display: str) -> str:
    path = folder / "cutcard.toml"
    path.write_text(TABLE + display)
    try:
        read_config(path, files=True)
    except ConfigError as error:
        return str(error)
    return ""


def test_a_language_that_we_bring_may_be_chosen(tmp_path: Path) -> None:
    assert judged(tmp_path, 'language = "vi"\nother_languages = ["zh-Hant", "en"]\nlanguage_turn_s = 20\n') == ""


def test_a_language_without_words_is_named_with_those_that_there_are(tmp_path: Path) -> None:
    refused = judged(tmp_path, 'language = "ko"\nother_languages = ["fr"]\n')
    assert "there are no words of 'ko'" in refused and "there are no words of 'fr'" in refused
    assert "zh-Hans" in refused


def test_the_house_may_bring_a_language(tmp_path: Path) -> None:
    (tmp_path / "ko.ftl").write_text("page-language = 한국어\n")
    assert judged(tmp_path, f'language = "ko"\nwords = "{tmp_path}"\n') == ""
