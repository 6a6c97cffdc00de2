"""What a parameter's schema says it wants: one word for the kind of value."""

from __future__ import annotations

import re
from typing import Any

from agentlib.offline.words import words

_BY_NAME = {
    "url": "url uri link href website webpage endpoint 网址 链接",
    "email": "email mail emails 邮箱 邮件地址",
    "path": (
        "path paths file filename filepath files dir directory folder source destination "
        "src dst root 路径 文件名 目录"
    ),
    "phone": "phone tel telephone mobile cellphone 电话 手机 手机号",
    "command": "command cmd shell commands 命令",
    "place": (
        "city cities location place town country region destination origin area address "
        "state station airport 城市 地点 位置"
    ),
    "language": "language lang locale 语言",
    "currency": "currency currencies 货币 币种",
    "unit": "unit units 单位",
    "old": "old find before search_text original 原文",
    "new": "new replacement after replace 新",
    "content": (
        "content contents text body message msg note notes comment comments data "
        "description summary memo details 内容 正文 备注"
    ),
    "moment": (
        "when date day datetime time deadline due start end at until since hour from_date "
        "to_date begin 日期 时间"
    ),
    "expression": "expression expr formula calculation equation 表达式",
    "query": (
        "query q keyword keywords search term terms question topic queries phrase 关键词 问题"
    ),
    "title": (
        "title subject task todo label event heading headline what item reminder activity "
        "标题 主题 事项"
    ),
    "person": (
        "name person user username customer contact who guest author recipient recipients "
        "to employee owner assignee artist singer director composer author writer 姓名 "
        "名字 收件人"
    ),
    "id": "id ids number code no identifier sku isbn uuid ticker symbol 编号 单号 号码",
}
RECIPIENT = {"to", "cc", "bcc", "recipient", "recipients", "receiver", "contact", "addressee"}
_KINDS = {word: kind for kind, group in _BY_NAME.items() for word in group.split()}
_SURE = {"url", "email", "path", "command", "place", "moment", "language", "currency", "expression"}
SHAPES = {
    "ipv4": r"^\d{1,3}(?:\.\d{1,3}){3}$",
    "ipv6": r"^[0-9a-fA-F:]*:[0-9a-fA-F:]+$",
    "uuid": r"^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
    "hostname": r"^[a-z0-9-]+(?:\.[a-z0-9-]+)+$",
}
_FORMATS = {
    "date": "moment", "date-time": "moment", "time": "moment", "email": "email",
    "idn-email": "email",
    "uri": "url", "url": "url", "uri-reference": "url", "iri": "url", "path": "path",
}  # fmt: skip


def resolve(schema: Any, root: dict[str, Any], depth: int = 0) -> dict[str, Any]:
    """The schema with `$ref`, `anyOf`, `oneOf`, `allOf` reduced to what a value must look like."""
    if not isinstance(schema, dict) or depth > 8:
        return {}
    if isinstance(ref := schema.get("$ref"), str):
        target: Any = root
        for part in ref.lstrip("#/").split("/"):
            target = target.get(part, {}) if isinstance(target, dict) else {}
        rest = {k: v for k, v in schema.items() if k != "$ref"}
        return resolve({**(target if isinstance(target, dict) else {}), **rest}, root, depth + 1)
    for word in ("anyOf", "oneOf", "allOf"):
        branches = [b for b in schema.get(word) or [] if isinstance(b, dict)]
        useful = [b for b in branches if b.get("type") != "null"]
        if useful:
            rest = {k: v for k, v in schema.items() if k != word}
            return resolve({**rest, **useful[0]}, root, depth + 1)
    return schema


def type_of(schema: dict[str, Any]) -> str:
    """The JSON type wanted, the first one that is not null; "string" when nothing is said."""
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((k for k in kind if k != "null"), None)
    if kind is None and "properties" in schema:
        return "object"
    return "array" if kind is None and "items" in schema else kind or "string"


def hints_of(schema: dict[str, Any]) -> str:
    """All that a schema says in words or shows by example."""
    shown = [str(e) for e in schema.get("examples") or []] + [str(schema.get("example", ""))]
    return " ".join(
        [str(schema.get("description") or ""), *shown, str(schema.get("pattern") or "")]
    )


def kind_of(name: str, schema: dict[str, Any]) -> str:
    """What the parameter wants, in a word: by type, format, enum, pattern, name and description."""
    kind = type_of(schema)
    if schema.get("enum") or "const" in schema:
        return "enum"
    if kind in ("boolean", "array", "object", "integer", "number"):
        return "number" if kind == "integer" else kind
    if schema.get("format") in _FORMATS:
        return _FORMATS[schema["format"]]
    if schema.get("format") in SHAPES:
        return "pattern"
    return _kind_by_words(name, str(schema.get("description") or ""), _is_pattern(schema))


def _is_pattern(schema: dict[str, Any]) -> bool:
    try:
        return bool(re.compile(schema.get("pattern") or "").pattern)
    except (re.error, TypeError):  # a pattern that is none constrains nothing here
        return False


def _kind_by_words(name: str, description: str, pattern: bool) -> str:
    low = words(description)
    if re.search(r"e-?mail|邮箱|邮件地址", description, re.I) and _name_kind(name) in (
        None,
        "person",
        "place",
    ):
        return "email"
    found = _name_kind(name)
    if not found and re.match(r"起点|终点|出发|目的地|车站", description):
        found = "place"
    if pattern and found not in ("moment", "url", "email", "path"):
        return "pattern"
    if found:
        return found
    if re.match(r"[\u3400-\u9fff]{0,5}(?:号码?|编号|代码)(?![\u3400-\u9fff])", description):
        return "phone" if re.search(r"电话|手机", description) else "id"
    for word in low[:8]:  # an unspeaking name: what the description begins with decides
        if _KINDS.get(word) in _SURE or (len(name) < 3 and word in _KINDS):
            return _KINDS[word]
    return "string"


def _name_kind(name: str) -> str | None:
    parts = words(name.replace("_", " "))
    if len(parts) > 1 and parts[0] in ("old", "new"):
        return parts[0]
    for part in reversed(parts):
        if part in _KINDS:
            return _KINDS[part]
    return None
