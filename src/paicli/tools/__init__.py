"""What the agent can do besides talking: files, a shell, new projects, each behind a guard."""

from __future__ import annotations

from paicli.tools.guard import Action, Approval, Ask, Guard, Reason
from paicli.tools.registry import Toolbox, ToolOutcome, default_tools
from paicli.tools.tool import Tool, checked

__all__ = [
    "Tool",
    "Toolbox",
    "ToolOutcome",
    "default_tools",
    "checked",
    "Guard",
    "Approval",
    "Action",
    "Reason",
    "Ask",
]
