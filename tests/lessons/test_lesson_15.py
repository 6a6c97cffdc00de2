"""Lesson 15: its `choose` and the library's `connect` on one table; its measure counts rightly."""

import asyncio
from types import SimpleNamespace

import pytest
from lesson_code import definitions

from agentlib import connect
from agentlib.offline.server import running

LESSON = definitions("15")
NAMES = ["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"]


@pytest.fixture(autouse=True)
def no_setting(monkeypatch):
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


# ---- one setting

# key, address, model -> the address, the model, the key that is sent
SETTINGS = {
    "nothing": (None, None, None, "http://offline.invalid/v1/", "scripted-1", "offline"),
    "a model alone": (None, None, "m", "http://offline.invalid/v1/", "scripted-1", "offline"),
    "a key": ("k", None, None, "https://api.openai.com/v1/", "gpt-5-mini", "k"),
    "a key and a model": ("k", None, "m", "https://api.openai.com/v1/", "m", "k"),
    "an address": (None, "http://localhost:1/v1", "m", "http://localhost:1/v1/", "m", "not-needed"),
    "all": ("k", "http://localhost:1/v1", "m", "http://localhost:1/v1/", "m", "k"),
    "empty ones": ("", "", "", "http://offline.invalid/v1/", "scripted-1", "offline"),
}


def library_choose():
    return connect(check=False)


@pytest.mark.parametrize("choose", [LESSON.choose, library_choose])
@pytest.mark.parametrize(
    ("key", "address", "name", "where", "model", "sent"), SETTINGS.values(), ids=SETTINGS
)
def test_one_setting(choose, key, address, name, where, model, sent):
    with LESSON.setting(api_key=key, base_url=address, model=name):
        client, chosen = choose()
    assert (str(client.base_url), chosen, client.api_key) == (where, model, sent)


@pytest.mark.parametrize("choose", [LESSON.choose, connect])
def test_the_same_agent_over_a_socket(choose):
    from agentlib import Agent

    with (
        running(require_key="a-key") as address,
        LESSON.setting(base_url=address, api_key="a-key", model="scripted-1"),
    ):
        client, model = choose()
        run = Agent(client, model).run_sync("Who are you?")
    assert run.stopped == "answer" and "scripted" in run.text


def test_the_key_stays_out_of_what_is_said():
    """What the lesson prints of a refused key."""
    with (
        running(require_key="a-key") as address,
        LESSON.setting(base_url=address, api_key="sk-another"),
        pytest.raises(ConnectionError) as caught,
    ):
        connect()
    said = LESSON.first_words(caught.value)
    assert "OPENAI_API_KEY" in said
    assert "127.0.0.1" not in said and "sk-another" not in said


# ---- the measure


def run_of(text="", stopped="answer", calls=()):
    return SimpleNamespace(text=text, stopped=stopped, calls=list(calls))


@pytest.mark.parametrize(
    ("words", "text", "right"),
    [
        (("milk",), "There is milk.", True),
        (("milk", "eggs"), "There is milk.", False),
        ((), "", True),
    ],
)
def test_says(words, text, right):
    assert LESSON.says(*words)(run_of(text), None) is right


@pytest.mark.parametrize(
    ("wanted", "there", "right"),
    [
        ("milk", "milk", True),
        ("milk", "milk\n", False),
        ("milk", None, False),
        (None, None, True),
        (None, "milk", False),
        ("", "", True),
    ],
)
def test_file_is(tmp_path, wanted, there, right):
    if there is not None:
        (tmp_path / "note.txt").write_text(there)
    assert LESSON.file_is("note.txt", wanted)(run_of(), tmp_path) is right


def lesson(tasks=None, tools=None):
    """The lesson's definitions afresh, with the tools that a notebook cell lists."""
    from agentlib.builtin_tools import list_dir, read_file, write_file

    made = definitions("15", TOOLS=[list_dir, read_file, write_file])
    if tasks is not None:
        made.evaluate.__globals__["TASKS"] = tasks
    return made


def test_attempts_do_not_meet():
    """A file that one attempt wrote is not there for the next."""
    made = lesson()
    task = made.Task("Write 'x' to new.txt.", lambda run, folder: len(list(folder.iterdir())))
    client, model = connect(offline=True)

    async def twice():
        return [(await made.attempt(task, client, model))[1] for _ in range(2)]

    assert asyncio.run(twice()) == [len(made.FILES) + 1] * 2


@pytest.mark.parametrize(("quirks", "right"), [((), True), (("repeat_call",), False)])
def test_a_run_that_never_answers_is_wrong_whatever_the_check_says(quirks, right):
    made = lesson()
    task = made.Task("Read shopping.txt.", lambda run, folder: True)
    client, model = connect(quirks=quirks, offline=True)
    assert asyncio.run(made.attempt(task, client, model))[1] is right


def test_the_table_counts_what_it_says():
    made = lesson()
    nothing = made.Task("Read shopping.txt.", lambda run, folder: True)
    milk = made.Task("Read todo.txt.", made.says("milk"))
    made = lesson([nothing, milk])

    def moods(repeat):
        return connect(quirks=["repeat_call"] if repeat == 1 else [], offline=True)

    table = asyncio.run(made.evaluate(moods, repeats=2))
    assert [row[0] for row in table["Read shopping.txt."]] == [True, False]  # the second looped
    assert [row[0] for row in table["Read todo.txt."]] == [False, False]
    assert [row[3] for row in table["Read shopping.txt."]] == ["answer", "loop"]
    assert table["Read shopping.txt."][0][1] == 2  # steps: the call, the answer
    assert table["Read shopping.txt."][1][2] > table["Read shopping.txt."][0][2]  # tokens


def test_the_shown_share(capsys):
    rows = {"a": [(True, 2, 100, "answer"), (False, 4, 300, "loop")], "b": [(True, 1, 50, "")] * 2}
    LESSON.show(rows)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["a", "1/2", "3.0", "200"]
    assert lines[2].split() == ["b", "2/2", "1.0", "50"]
    assert lines[3] == "right: 75% of 4 attempts"


@pytest.mark.parametrize(
    ("sent", "made", "usd"),
    [(1_000_000, 0, 0.25), (0, 1_000_000, 2.0), (400_000, 100_000, 0.3), (0, 0, 0.0)],
)
def test_cost(sent, made, usd):
    usage = {"prompt_tokens": sent, "completion_tokens": made}
    assert LESSON.cost(usage) == pytest.approx(usd)
