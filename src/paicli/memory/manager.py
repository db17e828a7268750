"""MemoryManager: the façade. Hand messages in, get context out; budget, compression and retrieval happen inside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from paicli.memory import extractor as facts
from paicli.memory.budget import CONTEXT_WINDOW, TokenBudget
from paicli.memory.compression.compressor import ContextCompressor
from paicli.memory.context_block import ContextBlock, system_text
from paicli.memory.conversation import ConversationMemory, rounds
from paicli.memory.entry import FactKind, MemoryEntry, MemoryType, utc_now
from paicli.memory.extraction import FactExtraction
from paicli.memory.history_window import HistoryWindow
from paicli.memory.keeper import FactKeeper, Kept
from paicli.memory.language import Language
from paicli.memory.long_term import LongTermMemory
from paicli.memory.message import Message, Quirks, ToolCall, Usage, render
from paicli.memory.metering import MeteredModel
from paicli.memory.notice import Notice
from paicli.memory.protocols import Clock, Journal, LanguageModel, TokenCounter
from paicli.memory.recall_feed import SHORT_HISTORY_TOKENS, RecallFeed, id_in, mark_of
from paicli.memory.report import CompressionReport, Extraction, Status
from paicli.memory.retriever import MemoryRetriever
from paicli.memory.scope import Scopes
from paicli.memory.search.scoring import ScoredEntry
from paicli.memory.session.log import SessionLog
from paicli.memory.session.task_journal import TaskJournal
from paicli.memory.session_history import SessionHistory
from paicli.memory.shares import Shares, shares_of
from paicli.memory.tokens.estimate import EstimatingCounter, estimate_tokens
from paicli.memory.window import Fixed


class MemoryManager:
    """The memory of one session, short-term and long-term, as an agent sees it.

    Args:
        model: Writes summaries and finds facts; without one the history is only evicted, and facts come by rule.
        long_term: Where facts are kept; the configured place where None, opened when first needed.
        short_term_budget: Tokens for the history; what the window leaves where None.
        context_window: Tokens the model takes in all.
        scopes: The scopes in force; the user's alone where None.
        journal: Takes the records of the session; None keeps none.
        session: The session's id, noted with each fact.
        language: The language of headings; None follows the conversation.
        counter: Tells sizes in tokens.
        recall_threshold: From so many tokens of history on the system message stays as it is (`place`); None for never.
        clock: Tells the present moment.
    """

    def __init__(  # noqa: PLR0913 -- the first four are the article's, the rest by keyword
        self,
        model: LanguageModel | None = None,
        long_term: LongTermMemory | None = None,
        short_term_budget: int | None = None,
        context_window: int = CONTEXT_WINDOW,
        *,
        scopes: Scopes | None = None,
        journal: Journal | None = None,
        session: str = "",
        language: Language | None = None,
        counter: TokenCounter | None = None,
        recall_threshold: int | None = SHORT_HISTORY_TOKENS,
        clock: Clock = utc_now,
    ) -> None:
        self.budget = TokenBudget(context_window)
        self.long_term = long_term if long_term is not None else LongTermMemory()
        self.short_term = ConversationMemory(1 if short_term_budget is None else short_term_budget)
        self.scopes = scopes or Scopes()
        self.session = session
        self.last_receipt: ContextBlock | None = None
        self._counter = counter or EstimatingCounter()
        self._clock = clock
        self._language = language
        self._log = SessionLog(journal, clock)
        self._keeper = FactKeeper(self.long_term, self.scopes, session)
        self._retriever = MemoryRetriever(
            self.short_term,
            self.long_term,
            scopes=self.scopes,
            clock=clock,
            language=language,
            count=lambda text: max(self._counter.count_text(text), estimate_tokens(text)),
        )
        self._window = HistoryWindow(self.short_term, self.budget, self._counter, self._log, short_term_budget)
        self._extraction = FactExtraction(self._keeper, self._log.extracted)
        feed = RecallFeed(recall_threshold)
        self._history = SessionHistory(self.short_term, self._window, feed, self._log, self._extraction.add, clock)
        self.connect(model)

    def connect(self, model: LanguageModel | None, context_window: int | None = None) -> None:
        """Uses another model from now on, with its window in tokens where given."""
        self._model = model
        metered = MeteredModel(model, self._record_call) if model else None
        self._extraction.model = metered
        self._window.compression.compressor = ContextCompressor(metered) if metered else None
        self._window.compression.reset()
        self.resize(context_window or self.budget.context_window)

    def resize(self, context_window: int) -> None:
        """Uses a window of so many tokens from now on."""
        self.budget.context_window = context_window
        self._window.follow()
        self._extraction.max_piece_tokens = min(self._window.piece_tokens, facts.LONGEST_PIECE_TOKENS)

    def for_task(self, task: str) -> MemoryManager:
        """Returns a memory with a history of its own for one task of a plan; facts, budget and journal are shared."""
        journal = TaskJournal(self._log.journal, task) if self._log.journal else None
        memory = MemoryManager(
            self._model,
            self.long_term,
            context_window=self.budget.context_window,
            scopes=self.scopes,
            journal=journal,
            session=self.session,
            language=self._language,
            counter=self._counter,
            recall_threshold=self._history.feed.threshold,
            clock=self._clock,
        )
        memory.budget = memory._window.budget = self.budget
        return memory

    def add_user_message(self, text: str) -> MemoryEntry:
        """Takes what the user said, byte for byte; compresses or evicts where the history grows too large.

        Raises:
            MessageTooLarge: The message alone does not fit the window; it is not taken.
        """
        return self._history.add_user(text)

    def add_assistant_message(
        self, text: str = "", tool_calls: Sequence[ToolCall] = (), thinking: str = ""
    ) -> MemoryEntry | None:
        """Takes what the assistant said and called; None, and nothing taken, where it is neither."""
        return self._history.add_assistant(text, tool_calls, thinking)

    def add_tool_result(self, name: str, result: str, *, call_id: str = "", arguments: str = "") -> MemoryEntry:
        """Takes a tool's result. Without `call_id` it belongs to the oldest unanswered call of that tool.

        A result of more than a quarter of the conversation's budget is cut in the middle; the journal has all of it.
        """
        return self._history.add_result(name, result, call_id, arguments)

    def withdraw(self, entry: MemoryEntry) -> bool:
        """Takes the newest message back out of the history, if no answer has followed it; returns whether it did.

        The session's journal still has it; no facts are drawn out of it.
        """
        withdrawn = self._history.withdraw(entry)
        if withdrawn:
            self._extraction.drop(entry)
        return withdrawn

    def retrieve(self, query: str, limit: int = 5) -> list[MemoryEntry]:
        """Returns the entries of both memories that matter to a question, best first."""
        return self._retriever.retrieve(query, limit)

    def scored(self, query: str, limit: int = 5) -> list[ScoredEntry]:
        """Returns what `retrieve` returns, with scores and their parts."""
        return self._retriever.scored(query, limit)

    def build_context_for_query(self, query: str, max_tokens: int = 500) -> str:
        """Returns the text about long-term memory to inject for a question; empty where nothing is to be said."""
        return self.context_block(query, max_tokens).text

    def context_block(self, query: str, max_tokens: int = 500) -> ContextBlock:
        """Returns the block for a question, with the entries it is made of; it becomes the `last_receipt`."""
        self.last_receipt = self._retriever.context_block(query, min(max_tokens, self.budget.largest_block))
        return self.last_receipt

    def place(self, found: ContextBlock, query: str, quirks: Quirks = Quirks()) -> None:
        """Gives what was found for the newest question its place in the requests to come.

        While the history is short that is the block in the system message. Beyond that the system message stays as it
        is, and facts that the window does not hold yet follow the question as the result of a `recall` call; where the
        provider's quirks forbid that, the block is extended.
        """
        self._history.place(found, query, quirks, self._is_current)

    def prepare(self, prompt: str, tools: Sequence[Mapping[str, Any]] = ()) -> None:
        """Measures what system prompt and tool schemas take from the window."""
        self._window.prepare(prompt, tools)

    def request(
        self, prompt: str, tools: Sequence[Mapping[str, Any]] = (), quirks: Quirks = Quirks(), block: str | None = None
    ) -> list[Message]:
        """Returns the messages of the next model call; they fit the window, and the newest user message is whole.

        Args:
            prompt: The agent's own system prompt.
            tools: The schemas sent along, in the chat-completions form.
            quirks: What the provider wants otherwise.
            block: The text of `build_context_for_query`; what was last given a place where None.

        Raises:
            MessageTooLarge: The newest user message alone does not fit.
        """
        return self._window.request(Fixed(prompt, tools, quirks), self._history.feed.text if block is None else block)

    def shares(self, prompt: str, tools: Sequence[Mapping[str, Any]] = (), quirks: Quirks = Quirks()) -> Shares:
        """Returns how the window is shared out at the moment; the arguments are those of `request`."""
        self._window.prepare(system_text(prompt, "", self._history.feed.text), tools)
        fixed = Fixed(prompt, tools, quirks)
        return shares_of(fixed, list(self.short_term), self._history.feed.text, self.budget, self._counter)

    def compress_if_needed(self) -> CompressionReport | None:
        """Compresses the old rounds where the history takes more than 80 % of its budget; a failure changes nothing."""
        return self._window.compression.if_needed()

    def compress_now(self, focus: str = "") -> CompressionReport | None:
        """Compresses the old rounds because the user asks for it; None where there is too little.

        Raises:
            CompressionFailed: No model, or no usable summary; the history is as it was.
        """
        return self._window.compression.now(focus)

    def undo_compression(self) -> CompressionReport | None:
        """Takes the newest compression of this process back, and returns its report; None where there is none."""
        return self._window.compression.undo()

    def compress_in_background(self) -> None:
        """Has summaries written in a thread from now on; only a history that is nearly full waits for one."""
        self._window.compression.in_background = True

    def store_fact(self, text: str, *, kind: FactKind | None = None, scope: str | None = None) -> MemoryEntry:
        """Keeps what the user saves in so many words; returns the kept entry, which is on disk.

        Raises:
            StoreError: It could not be saved.
        """
        return self._keeper.store(text, kind=kind, scope=scope)

    def remember(self, text: str, *, kind: FactKind | None = None, scope: str | None = None) -> Kept:
        """Keeps what the user saves; for this session only where the disk takes nothing (`Kept.error` says why)."""
        return self._keeper.remember(text, kind=kind, scope=scope)

    def remember_statement(self, message: MemoryEntry | str) -> Kept | None:
        """Keeps what a user's message asks to be remembered (记一下 …, I prefer …), by rule; None where nothing."""
        entry = message if isinstance(message, MemoryEntry) else MemoryEntry(message, MemoryType.CONVERSATION)
        return self._keeper.remember_statement(entry)

    def extract_nothing(self) -> None:
        """Takes in what is said without a thought of facts from now on: those that the user asks for are kept, no more."""
        self._extraction.is_on = False

    @property
    def has_unextracted(self) -> bool:
        """Whether the user has said something since the last extraction."""
        return self._extraction.has_pending

    def extract_and_save_facts(self, deadline_seconds: float | None = None) -> Extraction:
        """Draws facts out of what was said since the last extraction, and keeps them.

        Args:
            deadline_seconds: Gives up after so long; what was said stays to be extracted.

        Raises:
            ModelError: The model could not be asked; what was said stays to be extracted.
            ExtractionFailed: Its replies could not be read; likewise.
        """
        return self._extraction.run(deadline_seconds)

    def extract_from(
        self, entries: Sequence[MemoryEntry], *, session: str = "", scopes: Scopes | None = None
    ) -> Extraction:
        """Draws facts out of the entries of another session, and keeps them in the scopes it had.

        Errors as `extract_and_save_facts`.
        """
        return self._extraction.run_on(entries, FactKeeper(self.long_term, scopes or self.scopes, session))

    def record_token_usage(
        self, input_tokens: int, output_tokens: int, *, purpose: str = "chat", estimated: bool = False
    ) -> None:
        """Takes a model call into account."""
        self._record_call(purpose, Usage(input_tokens, output_tokens, estimated=estimated))

    def learn_size(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]], quirks: Quirks, tokens: int
    ) -> None:
        """Has the token counter learn how many tokens a request really had, as its provider reports."""
        self._counter.learn(render(messages, quirks), tools, tokens)

    def restore(
        self,
        window: Sequence[MemoryEntry],
        waiting: Sequence[MemoryEntry] = (),
        pending: Iterable[tuple[Sequence[MemoryEntry], Scopes]] = (),
        block: Mapping[str, Any] | None = None,
    ) -> None:
        """Makes the history what it was in an earlier session.

        Args:
            window: What it held.
            waiting: What had left it and waits to be summarised.
            pending: What facts are still to be drawn out of, with the scopes that were in force when it was said.
            block: What the system message said of long-term memory: the `block` record of the transcript.
        """
        self.short_term.restore(window, waiting)
        self._window.compression.clear()
        self._history.feed.restore(block or {})
        for entries, scopes in pending:
            self._extraction.take_up(entries, FactKeeper(self.long_term, scopes, self.session))

    def clear(self) -> None:
        """Empties short-term memory. Extract first what should be kept."""
        self.short_term.clear()
        self._extraction.clear()
        self._window.compression.clear()
        self._history.feed.reset()
        self.last_receipt = None
        self._log.clear()

    def status(self) -> Status:
        """Returns the state of both memories and what the model calls have cost."""
        entries = list(self.short_term)
        return Status(
            short_term_tokens=self._window.tokens(),
            short_term_limit=self.short_term.max_tokens,
            entries=len(entries),
            rounds=len(rounds(entries)),
            waiting=len(self.short_term.compressed_summaries),
            facts=self.long_term.count(self.scopes.active),
            location=self.long_term.location,
            usage=self.budget.usage,
            by_purpose=dict(self.budget.by_purpose),
        )

    def system_status(self) -> str:
        """Returns the state of the memory in three lines, for people."""
        return str(self.status())

    def take_notices(self) -> list[Notice]:
        """Returns what the user should hear of since the last call."""
        return self._window.take_notices() + self.long_term.take_notices()

    def _is_current(self, mark: str) -> bool:
        """Returns whether a fact still applies here in the wording it had."""
        entry = self.long_term.get(id_in(mark))
        return entry is not None and self._applies(entry) and mark_of(entry) == mark

    def _applies(self, entry: MemoryEntry) -> bool:
        return entry.is_current(self._clock()) and entry.scope in self.scopes.active

    def _record_call(self, purpose: str, usage: Usage) -> None:
        self.budget.record_usage(usage.input_tokens, usage.output_tokens, purpose=purpose, estimated=usage.estimated)
        self._log.usage(purpose, usage)
