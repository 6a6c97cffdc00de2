"""The planner's texts: what results say, what failed, what is lacking, what the planner is."""

from __future__ import annotations

import re
from typing import Any

from agentlib.offline.reading import parsed

LONG = 400  # characters of a result that go into an answer

_LIVE = {
    "en": "To connect a live model, set OPENAI_API_KEY or OPENAI_BASE_URL.",
    "zh": "要连接真正的模型，请设置 OPENAI_API_KEY 或 OPENAI_BASE_URL。",
}
_WHO = {
    "en": "I am the scripted model inside agentlib, not a language model: I pick tools and fill in "
    "their arguments by fixed rules.",
    "zh": "我是 agentlib 里的脚本模型，不是语言模型：我按固定规则挑选工具并填写参数。",
}


def who(lang: str, tools: list[str]) -> str:
    """What the planner says it is."""
    return " ".join((_WHO[lang], _tools(lang, tools), _LIVE[lang])).replace("  ", " ")


def _tools(lang: str, tools: list[str]) -> str:
    if not tools:
        return "This request has no tools." if lang == "en" else "这个请求没有带任何工具。"
    names = ", ".join(tools)
    return f"The tools I have: {names}." if lang == "en" else f"我有的工具：{names}。"


def no_tool(lang: str, wishes: list[str], tools: list[str], honest: bool = True) -> str:
    """That nothing fits; with `honest`, also what the planner is and how to get a live model."""
    wish = "; ".join(w.strip(" .。?？") for w in wishes)
    if lang == "zh":
        first = f"没有合适的工具来做这件事：“{wish}”。"
    else:
        first = f'I have no tool that fits "{wish}".'
    if not honest:
        return f"{first} {_tools(lang, tools)}"
    return " ".join((first, _tools(lang, tools), _WHO[lang], _LIVE[lang]))


def barred(lang: str) -> str:
    """That tool_choice forbids calls this time."""
    if lang == "zh":
        return "这一次我不可以调用工具（tool_choice 是 none）。"
    return "I may not call a tool this time (tool_choice is none)."


def left(lang: str, tool: str) -> str:
    """That a call was not made because the user did not confirm it."""
    return f"好的，我没有调用 {tool}。" if lang == "zh" else f"All right, I did not call {tool}."


def kept(lang: str, forbidden: list[str]) -> str:
    """That nothing was done, since it was forbidden."""
    told = "; ".join(w.strip(" .。") for w in forbidden)
    return (
        f"好的，我没有做任何事：“{told}”。"
        if lang == "zh"
        else f'All right, I did nothing: "{told}".'
    )


def greeting(lang: str, thanks: bool) -> str:
    """A short answer to hello or thanks."""
    if thanks:
        return "You're welcome." if lang == "en" else "不客气。"
    return "Hello! What shall I do?" if lang == "en" else "你好！要我做什么？"


def ask(lang: str, tool: str, name: str, schema: dict[str, Any]) -> str:
    """The question for a required argument that the text does not hold."""
    told = str(schema.get("description") or "").rstrip(".。")
    choices = ", ".join(map(str, schema.get("enum") or []))
    label = name.replace("_", " ")
    if lang == "zh":
        about = f"（{told}）" if told else ""
        return f"我还需要 `{name}`{about}才能调用 {tool}：" + (
            f"可选 {choices}，要哪一个？" if choices else f"{label} 是什么？"
        )
    about = f" ({told})" if told else ""
    rest = f"which of {choices}?" if choices else f"which {label}?"
    return f"I need `{name}`{about} for {tool}: {rest}"


def ask_to_confirm(lang: str, tool: str, arguments: dict[str, Any]) -> str:
    """The question before a tool that its description keeps for confirmed requests."""
    what = phrase(arguments)
    if lang == "zh":
        return f"`{tool}` 需要你先确认（{what}）。要我继续吗？"
    return f"`{tool}` is only for confirmed requests ({what}). Shall I go ahead?"


def phrase(value: Any, depth: int = 0) -> str:
    """A JSON value as words: `city: Beijing, condition: Sunny`."""
    if isinstance(value, dict):
        kept = {k: v for k, v in value.items() if v not in ("", None)} or value
        inner = ", ".join(f"{k}: {phrase(v, depth + 1)}" for k, v in kept.items())
        return f"({inner})" if depth else inner or "(empty)"
    if isinstance(value, list):
        shown = ("; " if any(isinstance(v, dict) for v in value) else ", ").join(
            phrase(v, depth + 1) for v in value
        )
        return shown or "(none)"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value).strip()


def shown(text: str, lang: str) -> str:
    """A result for an answer: JSON as a phrase, text in quotes, long ones shortened and said so."""
    value = parsed(text)
    quoted = isinstance(value, str)
    out = text.strip() if quoted else phrase(value)
    if not out:
        return "(empty)" if lang == "en" else "（空）"
    cut = ""
    if len(out) > LONG:
        total, out = len(out), out[:LONG].rstrip()
        cut = f" … ({total:,} characters in all)" if lang == "en" else f"……（共 {total} 个字符）"
    if "[truncated" in text or "truncated" in text[-200:]:
        cut += " (the result itself was truncated)" if lang == "en" else "（结果本身已被截断）"
    if not quoted:
        return out + cut
    return f"“{out}”{cut}" if lang == "zh" else f'"{out}"{cut}'


def says(lang: str, tool: str, arguments: dict[str, Any], result: str, many: bool) -> str:
    """One sentence for one good result; with `many`, the arguments tell calls apart."""
    label = tool
    if many and arguments:
        values = ", ".join(str(v) for v in arguments.values() if isinstance(v, str | int | float))
        label = f"{tool} ({values[:60]})" if values else tool
    body = shown(result, lang)
    end = "" if body.endswith((".", '."', "。", "”")) else "。" if lang == "zh" else "."
    return f"{label} 的结果：{body}{end}" if lang == "zh" else f"{label} says: {body}{end}"


def instead(lang: str, wanted: dict[str, Any], given: dict[str, Any]) -> str:
    """That another value was taken than the one asked for; "" where no words changed."""
    for name, value in wanted.items():
        other = given.get(name, value)
        if isinstance(value, str) and isinstance(other, str) and other != value:
            return (
                f"没有 {value}，我用了 {other}。"
                if lang == "zh"
                else f"There is no {value}; I took {other}."
            )
    return ""


def failed(lang: str, tool: str, message: str, denied: bool) -> str:
    """That a call failed or was refused, in the tool's own words."""
    message = (
        re.split(r"\s*(?:Do not|Don't) (?:try|call|repeat|send)\b", message)[0]
        if denied
        else message
    )
    short = re.sub(rf"^(?:{re.escape(tool)}(?: failed)?\s*:\s*)+", "", message.strip())[
        :300
    ].rstrip(".。 ")
    if denied and message.strip().startswith(tool):
        again = "我不会再试。" if lang == "zh" else "I did not try again."
        return f"{message.strip().rstrip('.。')}. {again}"
    if denied:
        return (
            f"{tool} 没有被允许：{short}。我不会再试。" if lang == "zh"
            else f"{tool} was not allowed: {short}. I did not try again."
        )  # fmt: skip
    return f"{tool} 失败了：{short}。" if lang == "zh" else f"{tool} failed: {short}."


def stopped(lang: str, step: str) -> str:
    """That a step was not begun after a refusal."""
    step = step.strip(" .。")
    return f"之后没有再做：{step}。" if lang == "zh" else f"I stopped there and did not do: {step}."


def skipped(lang: str, condition: str, step: str, known: bool, negated: bool = False) -> str:
    """That a step was left out, and why."""
    step = step.strip(" .。")
    if not known:
        return (
            f"我无法判断“{condition}”是否成立，所以没有执行：{step}。" if lang == "zh"
            else f'I could not tell whether "{condition}", so I left out: {step}.'
        )  # fmt: skip
    if lang == "zh":
        return f"条件“{condition}”{'成立' if negated else '不成立'}，所以没有执行：{step}。"
    truth = "is true" if negated else "is not true"
    return f'"{condition}" {truth}, so I left out: {step}.'
