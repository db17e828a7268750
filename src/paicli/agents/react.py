"""Agent: the ReAct loop. Think, call tools, read their results, until there is an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from paicli.agents.cost import usage_of
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
from paicli.errors import ContextOverflow, EmptyReply, StoreError, StreamBroken
from paicli.llm.model import ChatModel, Delta
from paicli.memory.entry import MemoryEntry
from paicli.memory.language import Language
from paicli.memory.manager import MemoryManager
from paicli.memory.message import INTERRUPTED_RESULT, Message, Reply, ToolCall
from paicli.memory.notice import Notice
from paicli.tools.registry import Toolbox

CONTEXT_TOKENS = 500
"""The room for long-term memory in a request (the article's)."""
MAX_STEPS = 50
INTERRUPTED: dict[Language, str] = {"zh": "[已中断]", "en": "[interrupted]"}
_OUT_OF_STEPS: dict[Language, str] = {
    "zh": "已经走了 {steps} 步还没有完成，先停在这里。说“继续”就接着做。",
    "en": "Stopped after {steps} steps without finishing. Say “go on” to continue.",
}


class Agent:
    """Answers the user with a model, tools and a memory. One answer at a time.

    Args:
        model: Thinks.
        memory: Remembers; the agent hands messages in and gets context out.
        tools: What the model may call; none where None.
        prompt: The system prompt; the one of `language` where None.
        emit: Is told what happens.
        language: The language of the agent's own words.

    >>> from paicli.memory import LongTermMemory, MemoryManager
    >>> from paicli.memory.stores.in_memory import InMemoryStore
    >>> from paicli.testing import ScriptedModel
    >>> model = ScriptedModel(["Maven it is."])
    >>> memory = MemoryManager(model, LongTermMemory(InMemoryStore()))
    >>> _ = memory.store_fact("The project is built with Maven")
    >>> Agent(model, memory, prompt="Be brief.").run("Which build tool does the project use?")
    'Maven it is.'
    >>> "The project is built with Maven" in model.requests[0].system
    True
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
        self._shown: list[str] = []
        self._open: list[ToolCall] = []
        self._said: MemoryEntry | None = None

    def run(self, text: str) -> str:
        """Answers what the user says, and returns the answer.

        Whatever happens, the history stays valid: what was shown of an answer that does not come to its end is kept,
        marked as interrupted, and calls without a result get one that says so. A text to which nothing at all came back is
        withdrawn, so that asking again does not ask twice. KeyboardInterrupt passes on.

        Raises:
            MessageTooLarge: The text does not fit the model's window.
            ModelError: No answer could be had.
        """
        with self._in_order():
            self._memory.prepare(self._prompt, self._schemas())
            block = self._memory.context_block(text, CONTEXT_TOKENS)
            self._said = hear(self._memory, text, self._emit)
            self._memory.place(block, text, self._model.quirks)
            if block:
                self._emit(Recalled(block))
            return self._answer()

    def run_task(self, text: str, *, about: str, max_tokens: int) -> str:
        """Carries out a task that is not the user's own words: nothing of it is kept as a fact; else as `run`.

        Args:
            text: The task, with all that belongs to it.
            about: What to recall for it.
            max_tokens: The room for long-term memory in the system message.
        """
        with self._in_order():
            self._memory.prepare(self._prompt, self._schemas())
            block = self._memory.context_block(about, max_tokens)
            self._said = self._memory.add_user_message(text)
            self._memory.place(block, about, self._model.quirks)
            return self._answer()

    @contextmanager
    def _in_order(self) -> Iterator[None]:
        """Leaves the history in order when the work ends before its time."""
        self._shown, self._open, self.out_of_steps = [], [], False
        self._said = None
        try:
            yield
        except BaseException as error:
            self._settle(error)
            raise
        finally:
            tell_notices(self._memory, self._emit)

    def _settle(self, error: BaseException) -> None:
        shown = "".join(self._shown)
        if shown.strip():
            self._memory.add_assistant_message(f"{shown}\n{INTERRUPTED[self._language]}")
        for call in self._open:
            self._memory.add_tool_result(call.name, INTERRUPTED_RESULT, call_id=call.id)
        if self._said and self._memory.withdraw(self._said):
            self._emit(Noticed(Notice("withdrawn")))
        if isinstance(error, KeyboardInterrupt):
            self._emit(Interrupted(shown))

    def _answer(self) -> str:
        for _ in range(self.max_steps):
            reply = self._ask()
            if not reply.tool_calls:
                return self._end(reply)
            self._shown, self._open = [], list(reply.tool_calls)
            self._memory.add_assistant_message(reply.text, reply.tool_calls, reply.thinking)
            self._run_tools(reply.tool_calls)
        self.out_of_steps = True
        text = _OUT_OF_STEPS[self._language].format(steps=self.max_steps)
        self._emit(TextDelta(text))
        return self._end(Reply(text))

    def _end(self, reply: Reply) -> str:
        self._shown = []
        self._memory.add_assistant_message(reply.text, thinking=reply.thinking)
        tell_notices(self._memory, self._emit)
        self._emit(Answered(reply.text))
        return reply.text

    def _ask(self) -> Reply:
        """Calls the model; where the request is longer than its window, once more with one that fits."""
        messages = self._messages()
        try:
            return self._call(messages)
        except ContextOverflow:
            window = self._smaller_window(messages)
            if window is None:
                raise
            self._memory.resize(window)
        return self._call(self._messages())

    def _smaller_window(self, messages: Sequence[Message]) -> int | None:
        """Returns the window to go on with after an overflow: the model's, if it learnt a smaller one.

        Else our count of the request is too low, and it is a quarter less than that; None where the request was so small
        that the count can't be that wrong.
        """
        known = self._memory.budget.context_window
        if self._model.context_window < known:
            return self._model.context_window
        sent = usage_of(messages, Reply(), self._schemas(), self._model.quirks).input_tokens
        return sent * 3 // 4 if sent > known // 3 else None

    def _call(self, messages: Sequence[Message]) -> Reply:
        try:
            reply = self._model.chat(messages, tools=self._tools.specs(), on_delta=self._show)
        except (KeyboardInterrupt, StreamBroken) as error:
            partial = error.partial if isinstance(error, StreamBroken) else None
            self._record(messages, partial or Reply("".join(self._shown)))
            raise
        self._record(messages, reply)
        if not reply.text.strip() and not reply.tool_calls:
            raise EmptyReply(endpoint=self._model.name, attempts=1)
        return reply

    def _show(self, delta: Delta) -> None:
        if delta.thinking:
            self._emit(ThinkingDelta(delta.thinking))
        if delta.text:
            self._shown.append(delta.text)
            self._emit(TextDelta(delta.text))

    def _record(self, messages: Sequence[Message], reply: Reply) -> None:
        usage = usage_of(messages, reply, self._schemas(), self._model.quirks)
        self._memory.record_token_usage(usage.input_tokens, usage.output_tokens, estimated=usage.estimated)
        if not usage.estimated:
            self._memory.learn_size(messages, self._schemas(), self._model.quirks, usage.input_tokens)

    def _messages(self) -> Sequence[Message]:
        messages = self._memory.request(self._prompt, self._schemas(), self._model.quirks)
        tell_notices(self._memory, self._emit)
        return messages

    def _schemas(self) -> list[dict[str, Any]]:
        return [spec.schema() for spec in self._tools.specs()]

    def _run_tools(self, calls: Sequence[ToolCall]) -> None:
        for call in calls:
            self._emit(ToolStarted(call))
            outcome = self._tools.run(call)
            del self._open[0]
            self._memory.add_tool_result(call.name, outcome.text, call_id=call.id)
            self._emit(ToolFinished(call, outcome))


def hear(memory: MemoryManager, text: str, emit: Emit) -> MemoryEntry:
    """Takes in what the user said, keeps at once what it asks to be remembered, and returns the message's entry.

    Raises:
        MessageTooLarge: It does not fit the model's window; nothing was taken.
    """
    entry = memory.add_user_message(text)
    tell_notices(memory, emit)
    try:
        kept = memory.remember_statement(entry)
    except StoreError as error:  # the answer does not depend on it
        emit(Noticed(Notice("not-remembered", {"reason": str(error)})))
        return entry
    if kept:
        emit(Remembered(kept))
    return entry


def tell_notices(memory: MemoryManager, emit: Emit) -> None:
    """Tells what the user should hear of."""
    for notice in memory.take_notices():
        emit(Noticed(notice))
