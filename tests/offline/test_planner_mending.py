"""What the planner does about errors, refusals, warnings, and the request's own settings."""

from __future__ import annotations

import datetime as dt
import json
import sys

import pytest

from agentlib.offline.dates import stated_day
from agentlib.offline.planner import plan

TODAY = dt.date(2026, 12, 1)


def tool(name, description, properties=None, required=None):
    properties = properties or {}
    parameters = {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
    }
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}


TEXT = {"type": "string"}
WEATHER = tool("get_weather", "Weather of a city.", {"city": {"type": "string", "description": "city"}})
LIST = tool("list_dir", "List the entries of a directory.", {"path": TEXT})
READ = tool("read_file", "Read a text file.", {"path": TEXT})
WRITE = tool("write_file", "Write text to a file.", {"path": TEXT, "content": TEXT})
PAY = tool("pay_bill", "Pay a bill.", {"bill_id": {"type": "integer"}})


def ask(text, tools, done=(), **more):
    """The reply after calls already made: done holds (name, arguments, result)."""
    messages = [{"role": "user", "content": text}]
    for number, (name, arguments, result) in enumerate(done):
        raw = arguments if isinstance(arguments, str) else json.dumps(arguments)
        call = {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": raw}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": result})
    return plan({"messages": messages, "tools": tools, **more}, today=TODAY)


PARIS = ("get_weather", {"city": "Paris"})
MENDS = [
    ("made-up tool", "weather_now", {"city": "Paris"}, "Error: there is no tool named 'weather_now'. The tools there are: get_weather.", PARIS),
    ("broken JSON", "get_weather", '{"city": "Par', "Error: get_weather: the arguments must be one JSON object, but the JSON breaks.", PARIS),
    ("wrong key", "get_weather", {"town": "Paris"}, "Error: get_weather: unknown parameter 'town'. Parameters: city.", PARIS),
    ("extra key", "get_weather", {"city": "Paris", "mood": 1}, "Error: get_weather: unknown parameter 'mood'.", PARIS),
    ("wrong type", "get_weather", {"city": 5}, "Error: get_weather: city must be string, not 5.", PARIS),
    ("nothing sent", "get_weather", {}, "Error: get_weather: city is missing.", PARIS),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "error", "want"), [m[1:] for m in MENDS], ids=[m[0] for m in MENDS])
def test_a_spoilt_call_is_sent_again_as_it_was_meant(name, arguments, error, want):
    reply = ask("What is the weather in Paris?", [WEATHER], [(name, arguments, error)])
    assert reply.calls == [want]


def test_an_unknown_name_is_mended_from_the_list_in_the_message():
    error = "Error: there is no tool named 'get_weather'. The tools there are: get_weathers, list_dir."
    reply = ask("What is the weather in Paris?", [WEATHER], [(*PARIS, error)])
    assert reply.calls == [("get_weathers", {"city": "Paris"})]


def test_a_city_without_data_becomes_the_closest_one_offered():
    error = "Error: get_weather failed: ValueError: no data for 'Pariss'. Cities with data: London, Paris."
    reply = ask("What is the weather in Pariss?", [WEATHER], [("get_weather", {"city": "Pariss"}, error)])
    assert reply.calls == [PARIS]


def test_a_type_named_in_the_message_is_kept_to():
    scale = tool("scale", "Scale a drawing by a factor.", {"factor": {}})
    error = "Error: scale failed: TypeError: factor must be a number, not '3'"
    reply = ask("Scale the drawing by the factor 3", [scale], [("scale", {"factor": "3"}, error)])
    assert reply.calls == [("scale", {"factor": 3})]


def test_the_same_failing_call_is_made_at_most_twice():
    error = "Error: get_weather failed: TimeoutError: no answer within 30 s"
    once = ask("What is the weather in Paris?", [WEATHER], [(*PARIS, error)])
    twice = ask("What is the weather in Paris?", [WEATHER], [(*PARIS, error), (*PARIS, error)])
    assert once.calls == [PARIS] and twice.calls == []
    assert "failed" in twice.content and "no answer" in twice.content


def test_an_action_is_not_repeated_after_a_timeout():
    error = "Error: pay_bill failed: TimeoutError"
    reply = ask("Pay bill 7", [PAY], [("pay_bill", {"bill_id": 7}, error)])
    assert reply.calls == [] and "failed" in reply.content


def test_calls_spoilt_every_time_end_in_words():
    error = "Error: get_weather: unknown parameter 'x'."
    done = [("get_weather", {"city": "Paris", "x": 1}, error)] * 20
    assert ask("What is the weather in Paris?", [WEATHER], done).calls == []


REFUSALS = [
    "Error: write_file was refused by the person, and was not run. Do not try this call again.",
    "Error: The user denied this action.",
    "The user refused.",
    "Denied.",
    "Error: write_file needs the permission file:write, which user 'ann' does not have.",
    "用户拒绝了这次调用",
    '{"status": "denied", "reason": "not allowed by the user"}',
]


@pytest.mark.parametrize("text", REFUSALS)
def test_a_refusal_ends_the_task(text):
    arguments = {"path": "a.txt", "content": "x"}
    reply = ask("Write 'x' to a.txt, then read b.txt", [WRITE, READ], [("write_file", arguments, text)])
    assert reply.calls == [] and "write_file" in reply.content


def test_a_refused_connection_is_no_refusal():
    error = "Error: get_weather failed: ConnectionError: connection refused"
    assert ask("What is the weather in Paris?", [WEATHER], [(*PARIS, error)]).calls == [PARIS]


LOOPS = [
    "Error: Loop: the same call 3 times in a row. This call was not run.",
    "Warning: this is a loop, the same call again and again.",
]


@pytest.mark.parametrize("text", LOOPS)
def test_a_loop_warning_ends_the_calls(text):
    reply = ask("What is the weather in Paris and Rome?", [WEATHER], [(*PARIS, text)])
    assert reply.calls == [] and reply.content


def test_another_file_taken_is_said():
    missing = "Error: read_file failed: FileNotFoundError: [Errno 2] No such file or directory: 'note.txt'"
    done = [
        ("read_file", {"path": "note.txt"}, missing),
        ("list_dir", {"path": "."}, "data.csv\nnotes.txt"),
        ("read_file", {"path": "notes.txt"}, "Buy milk"),
    ]
    assert ask("Read note.txt", [LIST, READ], done[:1]).calls == [("list_dir", {"path": "."})]
    assert ask("Read note.txt", [LIST, READ], done[:2]).calls == [("read_file", {"path": "notes.txt"})]
    answer = ask("Read note.txt", [LIST, READ], done).content
    assert "There is no note.txt; I took notes.txt." in answer and "Buy milk" in answer


def test_an_unlike_file_is_not_taken():
    missing = "Error: read_file failed: FileNotFoundError: 'foo.txt'"
    done = [("read_file", {"path": "foo.txt"}, missing), ("list_dir", {"path": "."}, "poem.txt\nsub/")]
    reply = ask("Read foo.txt", [LIST, READ], done)
    assert reply.calls == [] and "failed" in reply.content


def test_parallel_calls_can_be_switched_off():
    text = "What is the weather in Paris and Tokyo?"
    assert len(ask(text, [WEATHER]).calls) == 2
    assert ask(text, [WEATHER], parallel_tool_calls=False).calls == [PARIS]
    second = ask(text, [WEATHER], [(*PARIS, "sunny")], parallel_tool_calls=False)
    assert second.calls == [("get_weather", {"city": "Tokyo"})]


def test_tool_choice_none_is_text_only():
    reply = ask("What is the weather in Paris?", [WEATHER], tool_choice="none")
    assert reply.calls == [] and reply.content


def test_tool_choice_required_calls_something():
    assert ask("Hello", [WEATHER, LIST], tool_choice="required").calls
    assert ask("Sing!", [WEATHER, LIST], tool_choice="required").calls


def test_a_named_tool_is_the_one_called():
    choice = {"type": "function", "function": {"name": "read_file"}}
    reply = ask("What is the weather in Paris?", [WEATHER, READ], tool_choice=choice)
    assert [name for name, _ in reply.calls] == ["read_file"]


def test_a_forced_call_made_once_is_answered():
    done = [(*PARIS, "sunny")]
    reply = ask("What is the weather in Paris?", [WEATHER], done, tool_choice="required")
    assert reply.calls == [] and "sunny" in reply.content


def test_json_is_answered_where_json_is_asked_for():
    done = [(*PARIS, '{"city": "Paris", "temperature": 12}')]
    schema = {
        "type": "object",
        "properties": {"city": TEXT, "temperature": {"type": "number"}, "notes": {"type": "array"}},
    }
    wanted = {"type": "json_schema", "json_schema": {"name": "w", "schema": schema}}
    reply = ask("What is the weather in Paris? Answer in JSON.", [WEATHER], done, response_format=wanted)
    assert json.loads(reply.content) == {"city": "Paris", "temperature": 12, "notes": []}
    plain = ask("Weather in Paris, as json", [WEATHER], done, response_format={"type": "json_object"})
    assert json.loads(plain.content)["results"] == [{"city": "Paris", "temperature": 12}]


def test_results_are_told_even_when_the_last_request_has_no_tools():
    assert "sunny" in ask("What is the weather in Paris?", [], [(*PARIS, "sunny")]).content


def test_a_plain_question_without_tools_is_answered_honestly():
    reply = ask("Who wrote Hamlet?", [])
    assert "scripted model" in reply.content and "OPENAI_API_KEY" in reply.content


def test_content_may_be_a_list_of_parts():
    parts = [{"type": "text", "text": "What is the weather"}, {"type": "text", "text": "in Paris?"}]
    assert ask(parts, [WEATHER]).calls == [PARIS]


def test_a_truncated_result_is_called_truncated():
    text = "x" * 900 + "\n[truncated: first 900 of 5,000 characters]"
    answer = ask("Read a.txt", [READ], [("read_file", {"path": "a.txt"}, text)]).content
    assert "truncated" in answer and len(answer) < 700


def test_the_question_sets_the_language():
    answer = ask("巴黎天气怎么样？", [WEATHER], [("get_weather", {"city": "巴黎"}, "晴")]).content
    assert "结果" in answer and "says" not in answer


def test_the_same_request_gives_the_same_reply_and_stays_untouched():
    messages = [{"role": "user", "content": "What is the weather in Paris and Tokyo?"}]
    request = {"messages": messages, "tools": [WEATHER, READ]}
    before = json.dumps(request)
    assert plan(request, today=TODAY) == plan(request, today=TODAY)
    assert json.dumps(request) == before


@pytest.mark.parametrize("odd", [[], [{"role": "system", "content": "x"}], [{"role": "user", "content": ""}],
                                 [{"role": "user", "content": "???"}], [{"role": "assistant", "content": "hi"}]])  # fmt: skip
def test_odd_histories_get_an_answer(odd):
    reply = plan({"messages": odd, "tools": [WEATHER]}, today=TODAY)
    assert reply.content is not None or reply.calls


ODD_SCHEMAS = [
    {},
    {"type": "object"},
    {"type": "object", "properties": {"x": {}}, "required": ["x"]},
    {"type": "object", "properties": {"x": {"type": ["string", "null"]}}, "required": ["x", "gone"]},
    {"type": "object", "properties": {"x": {"type": "string", "pattern": "["}}, "required": ["x"]},
    {"type": "object", "properties": {"x": {"$ref": "#/$defs/X"}}, "$defs": {"X": {"$ref": "#/$defs/X"}}},
    {"type": "object", "properties": {"x": {"anyOf": [{"type": "null"}, {"type": "integer"}]}}, "required": ["x"]},
    {"type": "object", "properties": {"x": {"enum": [1, None, "a"]}}, "required": ["x"]},
    {"type": "object", "properties": {"x": True}, "required": ["x"]},
    {"type": "object", "properties": {"x": {"type": "array", "items": {"type": "object", "properties": {"y": TEXT}}}}, "required": ["x"]},
]  # fmt: skip


@pytest.mark.parametrize("schema", ODD_SCHEMAS)
def test_odd_schemas_do_not_stop_it(schema):
    entry = {"type": "function", "function": {"name": "frobnicate", "parameters": schema}}
    for choice in ("auto", "required"):
        reply = ask("Frobnicate 'a' with 3 by 2026-12-01 at a@b.example", [entry], tool_choice=choice)
        assert reply.content is not None or reply.calls


def test_long_histories_are_read_in_linear_time():
    def calls(turns):
        """Function calls of one reply: work counted, not timed."""
        messages = []
        for number in range(turns):
            messages += [{"role": "user", "content": f"Weather in Paris, number {number}?"}]
            messages += [{"role": "assistant", "content": "sunny"}]
        messages.append({"role": "user", "content": "What is the weather in Tokyo?"})
        request = {"messages": messages, "tools": [WEATHER]}
        plan(request, today=TODAY)
        count = 0

        def tally(frame, event, argument):
            nonlocal count
            count += event == "call"

        sys.setprofile(tally)
        try:
            plan(request, today=TODAY)
        finally:
            sys.setprofile(None)
        return count

    assert calls(2000) < 11 * calls(200)


def test_a_file_spoken_of_is_looked_for():
    text = "Can you tell me what is in the notes file?"
    listed = ("list_dir", {"path": "."}, "data.csv\nnotes.txt")
    assert ask(text, [LIST, READ, WRITE]).calls == [("list_dir", {"path": "."})]
    assert ask(text, [LIST, READ, WRITE], [listed]).calls == [("read_file", {"path": "notes.txt"})]


def test_adding_to_a_file_keeps_what_is_in_it():
    text = "Add 'Pay rent' to notes.txt"
    read = ("read_file", {"path": "notes.txt"}, "Buy milk")
    assert ask(text, [READ, WRITE]).calls == [("read_file", {"path": "notes.txt"})]
    written = {"path": "notes.txt", "content": "Buy milk\nPay rent"}
    assert ask(text, [READ, WRITE], [read]).calls == [("write_file", written)]


def test_adding_to_a_file_that_is_not_there_makes_it():
    missing = "Error: read_file failed: FileNotFoundError: 'new.txt'"
    read = ("read_file", {"path": "new.txt"}, missing)
    reply = ask("Add 'Pay rent' to new.txt", [READ, WRITE], [read])
    assert reply.calls == [("write_file", {"path": "new.txt", "content": "Pay rent"})]


def test_the_branch_not_taken_is_no_news():
    text = "What is the weather in Paris? If it rains, read a.txt, otherwise read b.txt."
    done = [(*PARIS, "sunny"), ("read_file", {"path": "b.txt"}, "hats")]
    answer = ask(text, [WEATHER, READ], done).content
    assert "hats" in answer and "left out" not in answer


def test_tool_choice_none_is_said_to_be_the_reason():
    assert "tool_choice is none" in ask("What's the weather in Oslo?", [WEATHER], tool_choice="none").content


def test_a_good_result_of_a_call_with_a_number_as_text_is_not_asked_for_again():
    clear = tool("delete_older_than", "Delete notes older than a number of days.", {"days": {"type": "integer"}})
    reply = ask("Delete the notes older than 100 days.", [clear], [("delete_older_than", {"days": "100"}, "3 deleted")])
    assert reply.calls == [] and "3 deleted" in reply.content


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Today is Monday, 30 November 2026.", dt.date(2026, 11, 30)),
        ("Be brief. Today's date is 2026-11-30.", dt.date(2026, 11, 30)),
        ("The current date: November 30, 2026", dt.date(2026, 11, 30)),
        ("今天是2026年11月30日，星期一。", dt.date(2026, 11, 30)),
        ("The shop opened on 2026-11-30.", None),
        ("You are a helpful assistant.", None),
    ],
)
def test_the_system_message_may_state_the_day(text, day):
    assert stated_day(text) == day


def test_a_city_in_chinese_is_mended_to_the_english_name_offered():
    error = "Error: no data for 伦敦. Known cities: Paris, London, Rome."
    reply = ask("伦敦的天气怎么样？", [WEATHER], [("get_weather", {"city": "伦敦"}, error)])
    assert reply.calls == [("get_weather", {"city": "London"})]
