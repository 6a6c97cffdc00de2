"""The README's scripts print the README's transcripts."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


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


def test_the_assistant_prints_its_transcript(tmp_path):
    script = block("python", "reminder_tools")
    assert len(script.splitlines()) <= 30
    (tmp_path / "assistant.py").write_text(script, encoding="utf-8")
    transcript = block("text", "$ python assistant.py")
    runs = re.findall(r'^\$ python (assistant\.py) "(.*)"\n((?:[^$].*\n)+)', transcript, re.M)
    assert len(runs) == 2
    for name, task, said in runs:
        command = [sys.executable, "-X", "utf8", name, task]
        found = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8")
        assert (found.stdout, found.stderr) == (said, "")


def test_the_minutes_are_the_lessons_own():
    listed = re.findall(r"\(lessons/(\d\d_\w+\.ipynb)\) \|.*\| (\d+) \|", README)
    assert listed
    for name, minutes in listed:
        first = "".join(
            json.loads((ROOT / "lessons" / name).read_text("utf-8"))["cells"][0]["source"]
        )
        assert re.search(r"\*\*(\d+) minutes\.?\*\*", first)[1] == minutes, name
