"""Agent: the ReAct loop. Think, call tools, read their results, until there is an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paicli.agents.events import (
    Answered,
    Emit,
    Interrupted,
    Noticed,
    Recalled,
    Remembered,
    TextDelta,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
    ignore,
)
from paicli.agents.prompt import agent_prompt
from paicli.errors import ContextOverflow, StreamBroken
from paicli.llm.model import ChatModel, Delta, OnDelta
from paicli.memory.language import Language
from paicli.memory.manager import MemoryManager
from paicli.memory.message import INTERRUPTED_RESULT, Message, Reply, ToolCall
from paicli.tools.registry import Toolbox

CONTEXT_TOKENS = 500
"""The room for long-term memory in a request (the article's)."""
MAX_STEPS = 50
_INTERRUPTED: dict[Language, str] = {"zh": "[已中断]", "en": "[interrupted]"}
_OUT_OF_STEPS: dict[Language, str] = {
    "zh": "已经走了 {steps} 步还没有完成，先停在这里。说“继续”就接着做。",
    "en": "Stopped after {steps} steps without finishing. Say “go on” to continue.",
}


class Agent:
    """Answers the user with a model, tools and a memory.

    Args:
        model: Thinks.
        memory: Remembers; the agent hands messages in and gets context out.
        tools: What the model may call; none where None.
        prompt: The system prompt; the one of `language` where None.
        emit: Is told what happens.
        language: The language of the agent's own words.
    """

    def __init__(
        self,
        model: ChatModel,
        memory: MemoryManager,
        tools: Toolbox | None = None,
        *,
        prompt: str | None = None,
        emit: Emit = ignore,
        language: Language = "zh",
    ) -> None:
        self.max_steps = MAX_STEPS
        self.out_of_steps = False
        self._model = model
        self._memory = memory
        self._tools = tools or Toolbox()
        self._prompt = prompt if prompt is not None else agent_prompt(language)
        self._emit = emit
        self._language = language

    def run(self, text: str) -> str:
        """Answers what the user says, and returns the answer.

        Whatever happens, the history stays valid. On KeyboardInterrupt what was shown is kept, marked as interrupted,
        and the interrupt passes on.

        Raises:
            MessageTooLarge: The text does not fit the model's window; nothing was taken.
            ModelError: No answer could be had.
        """
        self._memory.prepare(self._prompt, self._schemas())
        block = self._memory.context_block(text, CONTEXT_TOKENS)
        entry = self._memory.add_user_message(text)
        self._tell_notices()
        if block:
            self._emit(Recalled(block))
        kept = self._memory.remember_statement(entry)
        if kept:
            self._emit(Remembered(kept))
        return self._answer(block.text)

    def run_task(self, text: str, max_tokens: int) -> str:
        """Carries out a task that is not the user's own words: nothing of it is kept as a fact; else as `run`.

        Args:
            text: The task.
            max_tokens: The room for long-term memory in the system message.
        """
        self._memory.prepare(self._prompt, self._schemas())
        block = self._memory.context_block(text, max_tokens)
        self._memory.add_user_message(text)
        return self._answer(block.text)

    def _answer(self, block: str) -> str:
        self.out_of_steps = False
        for _ in range(self.max_steps):
            reply = self._ask(block)
            self._memory.add_assistant_message(reply.text, reply.tool_calls, reply.thinking)
            if not reply.tool_calls:
                self._tell_notices()
                self._emit(Answered(reply.text))
                return reply.text
            self._run_tools(reply.tool_calls)
        self.out_of_steps = True
        text = _OUT_OF_STEPS[self._language].format(steps=self.max_steps)
        self._memory.add_assistant_message(text)
        self._emit(TextDelta(text))
        self._emit(Answered(text))
        return text

    def _ask(self, block: str) -> Reply:
        shown: list[str] = []

        def show(delta: Delta) -> None:
            if delta.thinking:
                self._emit(ThinkingDelta(delta.thinking))
            if delta.text:
                shown.append(delta.text)
                self._emit(TextDelta(delta.text))

        try:
            reply = self._call(block, show)
        except (KeyboardInterrupt, StreamBroken) as error:
            self._keep_interrupted("".join(shown))
            if isinstance(error, KeyboardInterrupt):
                self._emit(Interrupted("".join(shown)))
            raise
        usage = reply.usage
        if usage:
            self._memory.record_token_usage(usage.input_tokens, usage.output_tokens, estimated=usage.estimated)
        return reply

    def _call(self, block: str, show: OnDelta) -> Reply:
        """Calls the model; where it turns out to have a smaller window, once more with a request that fits."""
        try:
            return self._model.chat(self._messages(block), tools=self._tools.specs(), on_delta=show)
        except ContextOverflow:
            if self._model.context_window >= self._memory.budget.context_window:
                raise
            self._memory.resize(self._model.context_window)
            return self._model.chat(self._messages(block), tools=self._tools.specs(), on_delta=show)

    def _messages(self, block: str) -> Sequence[Message]:
        return self._memory.request(self._prompt, self._schemas(), self._model.quirks, block)

    def _schemas(self) -> list[dict[str, Any]]:
        return [spec.schema() for spec in self._tools.specs()]

    def _run_tools(self, calls: Sequence[ToolCall]) -> None:
        """Runs the calls in order; where the user stops one, it and the rest get an "interrupted" result."""
        for index, call in enumerate(calls):
            self._emit(ToolStarted(call))
            try:
                outcome = self._tools.run(call)
            except KeyboardInterrupt:
                for unanswered in calls[index:]:
                    self._memory.add_tool_result(unanswered.name, INTERRUPTED_RESULT, call_id=unanswered.id)
                self._emit(Interrupted(""))
                raise
            self._memory.add_tool_result(call.name, outcome.text, call_id=call.id)
            self._emit(ToolFinished(call, outcome))

    def _keep_interrupted(self, shown: str) -> None:
        if shown.strip():
            self._memory.add_assistant_message(f"{shown}\n{_INTERRUPTED[self._language]}")

    def _tell_notices(self) -> None:
        for notice in self._memory.take_notices():
            self._emit(Noticed(notice))
