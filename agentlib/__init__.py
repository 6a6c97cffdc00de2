"""A small tool-calling agent over the OpenAI Chat Completions protocol; one module, one idea.

Importing this package loads none of its parts: each public name is imported when it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

_HOME = {
    "tool": "tools",
    "Tool": "tools",
    "ToolRegistry": "registry",
    "ToolCategory": "registry",
    "default_registry": "registry",
    "ToolCall": "results",
    "ToolResult": "results",
    "ExecutionStatus": "results",
    "truncate_output": "results",
    "ToolCallError": "errors",
    "ErrorCategory": "errors",
    "Executor": "executor",
    "Context": "context",
    "Agent": "agent",
    "Run": "agent",
    "Budget": "budget",
    "connect": "model",
    "normalize_messages": "messages",
    "batch_tool_messages": "messages",
    "unbatch_tool_messages": "messages",
    "trim_messages": "messages",
    "LoopDetector": "loops",
    "LoopDetectionConfig": "loops",
    "LoopVerdict": "loops",
    "safe_path": "sandbox.paths",
    "check_command": "sandbox.commands",
    "Sandbox": "sandbox.process",
    "SandboxResult": "sandbox.process",
    "Decision": "approvers",
    "ScriptedApprover": "approvers",
    "ConsoleApprover": "approvers",
    "DenyAll": "approvers",
    "ButtonApprover": "notebook.buttons",
}
__all__ = list(_HOME)
__version__ = "0.1.0"

if TYPE_CHECKING:
    from agentlib.agent import Agent, Run
    from agentlib.approvers import Decision, DenyAll, ScriptedApprover
    from agentlib.budget import Budget
    from agentlib.console import ConsoleApprover
    from agentlib.context import Context
    from agentlib.errors import ErrorCategory, ToolCallError
    from agentlib.executor import Executor
    from agentlib.loops import LoopDetectionConfig, LoopDetector, LoopVerdict
    from agentlib.messages import (
        batch_tool_messages,
        normalize_messages,
        trim_messages,
        unbatch_tool_messages,
    )
    from agentlib.model import connect
    from agentlib.notebook.buttons import ButtonApprover
    from agentlib.registry import ToolCategory, ToolRegistry, default_registry
    from agentlib.results import ExecutionStatus, ToolCall, ToolResult, truncate_output
    from agentlib.sandbox.commands import check_command
    from agentlib.sandbox.paths import safe_path
    from agentlib.sandbox.process import Sandbox, SandboxResult
    from agentlib.tools import Tool, tool


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'agentlib' has no attribute {name!r}")
    value = getattr(import_module(f"agentlib.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
