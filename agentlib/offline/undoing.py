"""Tools that undo, remove or give away: chosen only where the task says so in a verb of its own."""

from __future__ import annotations

import re

_OPENS = {
    "undo": re.compile(
        r"(?:cancel|delete|remove|erase|drop|clear|wipe|purge|destroy|discard|revoke|undo|revert"
        r"|unset|uninstall|unsubscribe|rm|trash|refund|reimburse)(?:l?ed|l?ing|e?s)?\b"
        r"|取消|删除|删掉|移除|清空|清除|撤销|撤回|注销|作废|退款|退钱",
        re.IGNORECASE,
    ),
    "give": re.compile(r"(?:transfer|remit|wire)s?\b|转账|汇款", re.IGNORECASE),
}
_SAID = {
    "undo": re.compile(
        r"\b(?:cancel|delet|remov|eras|drop|clear|wip(?:e|ing)|purg|destroy|discard|revok|undo"
        r"|revert|unset|uninstall|unsubscrib|trash|refund|reimburs|abort|scrap|dismiss|withdraw"
        r"|return|get(?:ting)? rid|throw|call(?:ed)? off|cross|clean|empt(?:y|ies)|stop|kill"
        r"|terminat)\w*|\brm\b|\b(?:money|pay|give)\b.*\bback\b"
        r"|\btak(?:e|ing)\b.*\b(?:off|away|out)\b|\b(?:no longer|not|n't) (?:need|want)\b"
        r"|取消|删|移除|去掉|清空|清除|清理|清掉|撤|扔|丢|抹|退|注销|作废|停|不要了|不需要了",
        re.IGNORECASE,
    ),
    "give": re.compile(
        r"\b(?:transfer|remit|wir(?:e|ing)|send|pay|give|mov(?:e|ing)|put)\w*|转|汇|付|给|打款|还",
        re.IGNORECASE,
    ),
}


def undoing(name: str, description: str) -> str:
    """What a tool does by its name's or its description's first word: "undo", "give" or ""."""
    spoken = re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]", " ", name)
    for kind, opens in _OPENS.items():
        if opens.match(spoken) or opens.match(description.strip()):
            return kind
    return ""


def is_asked(kind: str, text: str) -> bool:
    """Whether a text asks for a tool of this kind; any text does for a harmless one ("")."""
    return not kind or bool(_SAID[kind].search(text))
