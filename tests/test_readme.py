"""The README's script prints the README's transcript."""

import os
import re
import subprocess
import sys
from pathlib import Path

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def block(language: str, holds: str) -> str:
    blocks = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    (found,) = [text for text in blocks if holds in text]
    return found


def test_the_script_prints_the_transcript(tmp_path):
    script = block("python", "count_words")
    assert len(script.splitlines()) <= 30
    (tmp_path / "words.py").write_text(script, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("Buy milk and bread.\nCall Ann.\n", encoding="utf-8")
    found = subprocess.run(
        [sys.executable, "words.py"], cwd=tmp_path, capture_output=True, text=True, env=os.environ
    )
    assert found.stderr == ""
    assert found.stdout == block("text", "count_words")
