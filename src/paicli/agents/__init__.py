"""Agents: the ReAct loop, and plans whose tasks it carries out."""

from paicli.agents.plan_execute import PlanExecuteAgent
from paicli.agents.react import Agent

__all__ = ["Agent", "PlanExecuteAgent"]
