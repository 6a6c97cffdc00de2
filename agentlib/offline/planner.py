"""The scripted model: a Chat Completions request in, text or calls out. No state, no network."""

from __future__ import annotations

import datetime as dt
import json
import re
from dataclasses import dataclass, field
from typing import Any

from agentlib.offline import answering
from agentlib.offline.carrying import left_out
from agentlib.offline.history import Record, Turn, read_history
from agentlib.offline.reading import error_of, look_up, parsed, trouble_of
from agentlib.offline.references import Outcome
from agentlib.offline.relative import now_of
from agentlib.offline.toolview import ToolView, view
from agentlib.offline.verdicts import verdict
from agentlib.offline.words import is_chinese
from agentlib.offline.work import Work

_WHO = re.compile(
    r"\b(?:who|what) (?:are|r) (?:you|u)\b|\bare you (?:an?|the) |\bwhat(?:'s| is) your name"
    r"|which model"
    r"|你是谁|你是什么|你叫什么|介绍一下你自己|什么模型", re.I
)  # fmt: skip
_HELLO = re.compile(
    r"^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|你好|您好|嗨|早上好)(?:\s+there)?\W*$",
    re.I,
)
_THANKS = re.compile(
    r"^\W*(?:(?:ok|great|good|perfect|nice)\W+)?(?:thanks?(?: you)?(?: (?:very|so) much"
    r"| a lot)?|thx|多谢|谢谢你?|感谢)\W*$",
    re.I,
)


@dataclass(frozen=True)
class Reply:
    """What the model says: text, or calls as (name, arguments)."""

    content: str | None
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)


def plan(request: dict[str, Any], *, today: dt.date | None = None) -> Reply:
    """The reply to a Chat Completions request: always the same for the same request and day."""
    turn = read_history(request.get("messages") or [])
    tools = [view(t) for t in request.get("tools") or [] if isinstance(t, dict)]
    lang = "zh" if is_chinese(turn.text) else "en"
    choice = request.get("tool_choice") or "auto"
    if (chat := _small_talk(turn, lang, tools)) and choice in ("auto", "none"):
        return Reply(_shaped(chat, request, turn))
    if choice == "none" or not tools:
        barred = choice == "none" and bool(tools or request.get("tools"))
        return Reply(_shaped(_from_records(turn, lang, barred), request, turn))
    now = now_of(turn.system, today)
    work = Work(turn, tools, now, lang, _forced(choice, tools), choice == "required")
    work.run()
    if work.ready:
        calls = work.ready if request.get("parallel_tool_calls") is not False else work.ready[:1]
        return Reply(None, calls)
    return Reply(_shaped(_answer(work), request, turn))


def _forced(choice: Any, tools: list[ToolView]) -> ToolView | None:
    if not isinstance(choice, dict):
        return None
    name = (choice.get("function") or {}).get("name")
    return next((t for t in tools if t.name == name), None)


def _small_talk(turn: Turn, lang: str, tools: list[ToolView]) -> str | None:
    if turn.records:
        return None
    if _WHO.search(turn.text) and len(turn.text) < 120:
        return answering.who(lang, [t.name for t in tools])
    if _THANKS.match(turn.text) or _HELLO.match(turn.text):
        return answering.greeting(lang, bool(_THANKS.match(turn.text)))
    return None


def _from_records(turn: Turn, lang: str, barred: bool = False) -> str:
    """An answer without tools: what this turn's calls said, or the honest sentence."""
    if not turn.records and barred:
        return answering.barred(lang)
    if not turn.records:
        return answering.no_tool(lang, [turn.text.strip()[:120]], [])
    many = len(turn.records) > 1
    return " ".join(_record_sentence(r, lang, many) for r in turn.records if r.result is not None)


def _record_sentence(record: Record, lang: str, many: bool) -> str:
    if trouble := trouble_of(record.result or ""):
        return answering.failed(lang, record.name, trouble.message, trouble.kind == "denied")
    return answering.says(lang, record.name, record.arguments, record.result or "", many)


def _answer(work: Work) -> str:
    """The final text: what was done, left out, refused or lacking, step by step."""
    lang, names = work.lang, [t.name for t in work.tools]
    good = [o for o in work.outcomes if o.state == "ok"]
    parts = [verdict(lang, work.turn.text, good, work.given(good))]
    told: list[tuple[str, Any, str]] = []
    decided = {o.step.condition for o in work.outcomes if o.step.condition and o.name}
    for outcome in work.outcomes:
        key = (outcome.name, outcome.arguments, outcome.result)
        other_way = outcome.state == "skipped" and outcome.step.condition in decided
        if not other_way and (not outcome.name or key not in told):
            parts.append(_sentence(outcome, lang, [o.name for o in good].count(outcome.name) > 1))
        told.append(key)
    if work.halted:
        parts += [_record_sentence(r, lang, True) for r in _unreported(work)]
    parts = [p for p in parts if p]
    untooled = [o.step.text for o in work.outcomes if o.state == "untooled"]
    wishes = [w for w in untooled if _is_wish(w)]
    kept = [o.step.text for o in work.outcomes if o.state == "forbidden"]
    if kept and not parts and not work.asks and not untooled:
        return answering.kept(lang, kept)
    if not parts and not work.asks:
        reports = [o.step.text for o in work.outcomes if o.state == "report"]
        return answering.no_tool(
            lang, wishes or untooled + reports or [work.turn.text[:120]], names
        )
    if wishes:
        parts.append(answering.no_tool(lang, wishes, names, honest=False))
    return (" " if lang == "en" else "").join([*parts, *work.asks[:1]])


def _sentence(outcome: Outcome, lang: str, many: bool) -> str:
    """What one step came to; "" for a step that needs no words of its own."""
    step, state = outcome.step, outcome.state
    if state == "ok":
        said = answering.says(lang, outcome.name, outcome.arguments or {}, outcome.result, many)
        return f"{outcome.message} {said}".strip()
    if state in ("failed", "denied"):
        return answering.failed(lang, outcome.name, outcome.message, state == "denied")
    if state == "declined":
        return answering.left(lang, outcome.name)
    if state == "part":
        return left_out(lang, step.text)
    if state == "stopped":
        return answering.stopped(lang, step.text)
    if state in ("skipped", "unknown"):
        known = state == "skipped"
        return answering.skipped(lang, step.condition or "", step.text, known, step.negated)
    return ""


def _unreported(work: Work) -> list[Record]:
    told = {o.result for o in work.outcomes}
    return [
        r for r in work.turn.records if r.result is not None and not r.used and r.result not in told
    ][-1:]


def _is_wish(text: str) -> bool:
    """True for an instruction or a question, False for a mere statement ("I live in Paris")."""
    if _THANKS.match(text) or _HELLO.match(text):
        return False
    return not re.match(
        r"\W*(?:i|i'm|my|we|our|the|this|it|there|ok|so|sorry)\b|\W*(?:我(?!想|要)|我们)",
        text,
        re.I,
    )


def _shaped(text: str, request: dict[str, Any], turn: Turn) -> str:
    """The text, or JSON where the request asks for JSON."""
    wanted = request.get("response_format") or {}
    kind = wanted.get("type") if isinstance(wanted, dict) else None
    if kind not in ("json_object", "json_schema"):
        return text
    results = [parsed(r.result) for r in turn.records if r.result and error_of(r.result) is None]
    if kind == "json_object":
        content: Any = {"answer": text, **({"results": results} if results else {})}
    else:
        schema = (wanted.get("json_schema") or {}).get("schema") or {}
        content = _by_schema(schema, results, text)
    return json.dumps(content, ensure_ascii=False)


def _by_schema(schema: dict[str, Any], results: list[Any], text: str) -> Any:
    """A value that fits the schema: keys found in results, the text for strings, else empty."""
    properties = schema.get("properties") or {}
    filled = {}
    for name, inner in properties.items():
        kind = inner.get("type") if isinstance(inner, dict) else "string"
        value = look_up(results, name)
        if kind == "object":
            value = _by_schema(inner, results, text)
        elif value is None:
            empty = {"array": [], "integer": 0, "number": 0, "boolean": False, "null": None}
            value = (inner.get("enum") or [None])[0] or empty.get(kind, text)
        filled[name] = value
    return filled
