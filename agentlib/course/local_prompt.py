"""Tool calls for a very small model: a prompt with examples, a grammar, and the way back.

It writes calls as Python does, `read_file(path="a.txt")`, for of such it has seen many; the grammar
(llama.cpp's GBNF) lets it write nothing else. An answer is a call, too: `say(text="...")`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from agentlib.offline.samples import sample, type_of

Tools = list[dict[str, Any]]
SAY = "say"
_BASE = r"""
string ::= "\"" ([^"\\\x00-\x1F] | "\\" ["\\/bfnrt])* "\""
integer ::= "-"? ("0" | [1-9] [0-9]*)
number ::= integer ("." [0-9]+)?
boolean ::= "true" | "false"
value ::= string | number | boolean | "null" | array | object
array ::= "[" (value (", " value)*)? "]"
object ::= "{" (string ": " value (", " string ": " value)*)? "}"
"""
_EXAMPLE = {"path": "a.txt", "file": "a.txt", "city": "Paris", "url": "https://example.com"}
_GREETING = [("user", "Hello!"), ("assistant", f'{SAY}(text="Hello! What can I do?")')]
_RESULT = [("user", "Result: 7 cups"), ("assistant", f'{SAY}(text="The result is: 7 cups")')]
_TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
ANSWER = {"name": SAY, "description": "Tell the user the answer.", "parameters": _TEXT}


def write_grammar(tools: Tools, forced: bool) -> str:
    """The GBNF grammar of one call of one of the tools, or, unless `forced`, of an answer."""
    functions = [tool["function"] for tool in tools] + ([] if forced else [ANSWER])
    rules = [f"t{i} ::= {_call(function)}" for i, function in enumerate(functions)]
    names = " | ".join(f"t{i}" for i in range(len(functions)))  # GBNF's names know no "_"
    return "\n".join([f"root ::= {names}", *rules]) + _BASE


def _call(function: dict[str, Any]) -> str:
    parameters = function.get("parameters") or {}
    properties = parameters.get("properties") or {}
    required = [name for name in parameters.get("required") or () if name in properties]
    inside = ' ", " '.join(_argument(name, properties[name]) for name in required)
    left = [_argument(name, rule) for name, rule in properties.items() if name not in required]
    if required:
        inside += "".join(f' (", " {part})?' for part in left)
    elif left:  # each may follow only the one before it, so that no comma comes first
        rest = ""
        for part in reversed(left[1:]):
            rest = f' (", " {part}{rest})?'
        inside = f"({left[0]}{rest})?"
    return f'{json.dumps(function["name"] + "(")} {inside} ")"'


def _argument(name: str, rule: Any) -> str:
    rule = rule if isinstance(rule, dict) else {}
    if rule.get("enum"):
        value = "(" + " | ".join(json.dumps(json.dumps(each)) for each in rule["enum"]) + ")"
    else:
        kind = type_of(rule)
        value = kind if kind in ("string", "integer", "number", "boolean") else "value"
    return f"{json.dumps(name + '=')} {value}"


def write_prompt(messages: list[dict[str, Any]], tools: Tools) -> str:
    """The conversation in the model's own form (ChatML), with an example for each tool."""
    if not tools:
        return _chat_form([turn for message in messages for turn in _turns(message, plain=True)])
    functions = [tool["function"] for tool in tools]
    listed = "\n".join(map(_signature, functions))
    turns = [("system", f"You call functions. Functions:\n{listed}"), *_GREETING]
    for function in functions:
        turns += _example(function)
    if messages[-1]["role"] == "tool":  # before that, it makes the model answer and not call
        turns += _RESULT
    turns += [turn for message in messages for turn in _turns(message)]
    return _chat_form(turns)


def _chat_form(turns: list[tuple[str, str]]) -> str:
    body = "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n" for role, text in turns)
    return f"{body}<|im_start|>assistant\n"


def _signature(function: dict[str, Any]) -> str:
    properties = (function.get("parameters") or {}).get("properties") or {}
    inside = ", ".join(f"{name}: {type_of(rule) or 'any'}" for name, rule in properties.items())
    return f"{function['name']}({inside}) # {_first_sentence(function)}"


def _first_sentence(function: dict[str, Any]) -> str:
    words = " ".join((function.get("description") or function["name"]).split())
    return re.split(r"(?<=[.!?。])\s", words)[0]


def _example(function: dict[str, Any]) -> list[tuple[str, str]]:
    parameters = function.get("parameters") or {}
    properties = parameters.get("properties") or {}
    given = {}
    for name in parameters.get("required") or ():
        value = sample(properties.get(name) or {"type": "string"}, parameters)
        given[name] = _EXAMPLE.get(name, f"some {name}") if value == "example" else value
    said = ", ".join(str(value) for value in given.values())
    asked = _first_sentence(function).rstrip(".") + (f": {said}" if said else "")
    return [("user", asked), ("assistant", write_call(function["name"], given))]


def write_call(name: str, arguments: dict[str, Any]) -> str:
    """`name(key="value", ...)`, values as JSON."""
    pairs = (f"{key}={json.dumps(v, ensure_ascii=False)}" for key, v in arguments.items())
    return f"{name}({', '.join(pairs)})"


def _turns(message: dict[str, Any], plain: bool = False) -> Iterable[tuple[str, str]]:
    role, content = message["role"], message.get("content")
    if not isinstance(content, str):
        content = " ".join(part.get("text", "") for part in content or ())
    if role == "tool":
        yield "user", f"Result: {content[:1500]}"
    elif role != "assistant":
        yield ("user" if role == "user" else "system"), content
    elif calls := message.get("tool_calls"):
        for call in (call["function"] for call in calls):
            try:
                yield "assistant", write_call(call["name"], json.loads(call["arguments"] or "{}"))
            except (ValueError, AttributeError):  # it was refused then; its result says so
                yield "assistant", f"{call['name']}({call['arguments']})"
    else:
        yield "assistant", content if plain else write_call(SAY, {"text": content})


def read_call(text: str) -> tuple[str, dict[str, Any]]:
    """The name and the arguments. ValueError: it broke off in the middle."""
    name, _, rest = text.strip().partition("(")
    arguments, decoder = {}, json.JSONDecoder()
    while match := re.match(r"(?:, )?([^=()\s]+)=", rest):
        value, end = decoder.raw_decode(rest, match.end())
        arguments[match[1]], rest = value, rest[end:]
    if rest != ")":
        raise ValueError(f"the call broke off: {text[:200]}")
    return name, arguments
