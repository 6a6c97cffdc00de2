"""What URLs, paths, quotes, numbers and names look like in a text."""

from __future__ import annotations

import re

QUOTE = re.compile(
    r"```(?:\w*\n)?(?P<a>.+?)```|`(?P<b>[^`]+)`|\"(?P<c>[^\"]+)\"|“(?P<d>[^”]+)”|‘(?P<e>[^’]+)’"
    r"|「(?P<f>[^」]+)」|《(?P<h>[^》]+)》|(?<![A-Za-z0-9])'(?P<g>(?:[^'\n]|'(?=[A-Za-z]))+)'(?![A-Za-z0-9])",
    re.DOTALL,
)
URL = re.compile(r"(?:https?|ftp)://[^\s\"'<>，。；）)]+", re.IGNORECASE)
EMAIL = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
PATH = re.compile(
    r"(?<![A-Za-z0-9_])(?:(?:~|\.{1,2})?/(?:[A-Za-z0-9_.-]+/?)*"
    r"|[A-Za-z0-9_-]+(?:/[A-Za-z0-9_.-]+)+/?"
    r"|[A-Za-z0-9_-]+/(?=[\s,.;，。]|$)"
    r"|[\u3400-\u9fffA-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.(?!com\b|org\b"
    r"|net\b)[A-Za-z][A-Za-z0-9]{0,4})"
    r"(?![A-Za-z0-9_@])"
)
HERE = re.compile(
    r"\b(?:(?:the|this|my|our)\s+)?(?:(?:current|working|this|present)\s+)+"
    r"(?:working\s+)?(?:folder|directory|dir)\b|\bthis (?:folder|directory)\b|\bhere\b"
    r"|(?:当前|这个|本|此)(?:工作)?(?:目录|文件夹)(?:下|里)?",
    re.IGNORECASE,
)
PARENT = re.compile(
    r"(?<![\w./])\.\.(?![\w./])|\b(?:the )?parent (?:folder|directory)\b|上级(?:目录|文件夹)",
    re.IGNORECASE,
)
FOLDER = re.compile(
    r"\b(?:folder|directory)\s+(?:called |named )?(?!of\b|in\b|and\b|to\b|is\b|for\b|with\b"
    r"|then\b|please\b|exists?\b|has\b|at\b)"
    r"(?P<a>[A-Za-z0-9_][A-Za-z0-9_.-]*)|\bfile (?:called|named)\s+(?P<c>[A-Za-z0-9_][\w.-]*)"
    r"|(?<![A-Za-z0-9_.-])(?P<b>(?!(?:the|an?|my|this|that|new|parent)\b)"
    r"[A-Za-z0-9_][A-Za-z0-9_.-]*)\s*(?:folder|directory|目录|文件夹)",
    re.IGNORECASE,
)
NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.])(?<![A-Za-z0-9]-)[-+]?(?:\d{1,3}(?:,\d{3})+"
    r"|\d+)(?:\.\d+)?(?![A-Za-z0-9_]*[A-Za-z]\d|\.\d)"
)
EXPRESSION = re.compile(r"[-(]*\d[\d.]*\)*(?:\s*(?:\*\*|//|[-+*/×÷^%])\s*[-(]*\d[\d.]*\)*)+")
TIMES = re.compile(r"(?<=\d)x(?=\d)|(?<=\d )x(?= \d)")
SIGNS = {
    "plus": "+", "minus": "-", "times": "*", "multiplied by": "*", "divided by": "/",
    "加上": "+", "加": "+", "减去": "-", "减": "-", "乘以": "*", "乘": "*", "除以": "/",
}  # fmt: skip
SIGN_OF = SIGNS | {s: s for s in "+-*/"} | {
    "add": "+", "sum": "+", "addition": "+", "加法": "+", "subtract": "-", "subtraction": "-",
    "减法": "-", "sub": "-", "multiply": "*", "multiplication": "*", "product": "*", "乘法": "*",
    "mul": "*", "×": "*", "x": "*", "divide": "/", "division": "/", "除法": "/", "除": "/",
    "div": "/", "÷": "/", "power": "**", "pow": "**", "^": "**", "**": "**",
    "to the power of": "**",
    "modulo": "%", "mod": "%", "%": "%",
}  # fmt: skip
SPOKEN = re.compile(
    rf"(\d+(?:\.\d+)?)\s*({'|'.join(SIGNS)})\s*(\d+(?:\.\d+)?)(?!\s*(?:{'|'.join(SIGNS)}))",
    re.IGNORECASE,
)
PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*(?:%|percent)\s+of\s+(\d+(?:\.\d+)?)", re.IGNORECASE)
NAME = re.compile(r"\b[A-Z][\w'’-]*(?:\s+(?:de|of|the|van|von|la)?\s*[A-Z][\w'’-]*)*")
ABBREVIATIONS = {"e.g", "i.e", "a.m", "p.m", "etc.", "vs."}


JOINT = re.compile(
    r"\s*(?:,?\s*\b(?:and|or|vs\.?|versus|with|plus)\b|[,&+、，]|和|与|跟|及|以及"
    r"|还有)\s*(?:(?:and|in|the|for|of|at|\w+ (?:of|in|for))\s+)*",
    re.I,
)


UNIT_NAME = re.compile(
    r"(?:USD|EUR|GBP|JPY|CNY|CHF|RMB|[KMG]B|KM|KG|CM|MM|ML|Euros?|Dollars?)\b\s*"
)
VERB_LIKE = re.compile(
    r"\s+(?:an?|the|my|all|this|these|every|each|it|me|two|three|\d|['\"“`])", re.IGNORECASE
)
NO_FOLDER = {"new", "same", "parent", "home", "root", "empty", "other", "sub-", "a"}
LEADING = {"the", "a", "of", "i", "what", "in", "is", "how", "please", "and", "can", "could"}
MONEY = re.compile(
    r"\s*(?:[$€£¥]|(?:USD|EUR|GBP|JPY|CNY|CHF|RMB)\b|(?:dollar|euro|pound|yuan)s?\b|美元|美金"
    r"|欧元|英镑|日元|人民币|元|块)",
    re.I,
)
CURRENCY = re.compile(
    r"\b(?:USD|EUR|GBP|JPY|CNY|CHF)\b|\b(?:dollar|euro|pound)s?\b"
    r"|美元|美金|欧元|英镑|日元|人民币"
)
