"""What a shell and `man` know of `cutcard`, and what it answers to a name that is nearly right."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from controller.cli.main import COMMANDS, main


def completed(script: Path, *words: str) -> list[str]:
    """What bash offers for the last of these words."""
    line = " ".join(f"'{word}'" for word in words)
    tried = f"source {script}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _cutcard; echo ${{COMPREPLY[@]}}"
    done = subprocess.run(["bash", "-c", tried], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_bash_completes_commands_options_and_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "cutcard.bash"
    script.write_text(capsys.readouterr().out)
    assert completed(script, "cutcard", "ve") == ["verify"]
    assert completed(script, "cutcard", "staff", "a") == ["add"]
    assert "--config" in completed(script, "cutcard", "recall", "--")
    assert completed(script, "cutcard", "staff", "add", "--role", "fl") == ["floor"]


def test_every_command_has_a_manual_page(tmp_path: Path) -> None:
    assert main(["man", str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {"cutcard.1", *(f"cutcard-{name}.1" for name in COMMANDS)}
    recall = (tmp_path / "cutcard-recall.1").read_text()
    assert recall.startswith('.TH "CUTCARD-RECALL" 1')
    assert "\\-\\-last" in recall


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["verfy"], "there is no command 'verfy'; cutcard --help lists them. Did you mean verify?"),
        (["verify", "--cofig", "x"], "unrecognized arguments: --cofig Did you mean --config?"),
        (["staff", "ad", "sam"], "Did you mean add?"),
    ],
)
def test_a_name_that_is_nearly_right_is_answered_with_the_one_that_was_meant(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
