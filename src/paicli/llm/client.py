"""OpenAICompatibleModel: a `ChatModel` over every endpoint that speaks chat-completions."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from paicli.errors import ContextOverflow, EmptyReply, ModelNotConfigured
from paicli.llm.endpoint import CONNECT_SECONDS, clean_base_url, connect, shown_url
from paicli.llm.exchange import Exchange
from paicli.llm.failures import Caller
from paicli.llm.form import Form, find_form
from paicli.llm.key import clean_key
from paicli.llm.model import OnDelta, ToolSpec
from paicli.llm.presets import DEFAULT_WINDOW, Preset, quirks_for
from paicli.llm.retry import Backoff
from paicli.llm.window import ask_models
from paicli.memory.message import Message, Quirks, Reply, render
from paicli.memory.notice import Notice

if TYPE_CHECKING:
    from openai import OpenAI

QUESTION_SECONDS = 5.0
"""How long a server may take to tell of its models."""
PROBE_TOKENS = 16


class OpenAICompatibleModel:
    """A model behind an OpenAI-compatible endpoint. Opens nothing before the first call; safe for threads.

    Args:
        preset: What is known of the provider.
        api_key: The key; empty where the endpoint needs none.
        base_url: Another address than the preset's.
        model: Another model than the preset's.
        context_window: Tokens it takes, where the user knows better.
        backoff: How often and when a failed call is tried again.

    Raises:
        ConfigError: The key or the address can't be one.
        ModelNotConfigured: The provider needs a key and there is none.
    """

    def __init__(
        self,
        preset: Preset,
        *,
        api_key: str = "",
        base_url: str | None = None,
        model: str | None = None,
        context_window: int | None = None,
        backoff: Backoff | None = None,
    ) -> None:
        self.preset = preset
        self.base_url = clean_base_url(base_url or preset.base_url)
        if not api_key.strip() and preset.key_variables and self.base_url == preset.base_url:
            raise ModelNotConfigured(reason=f"{preset.label} needs a key in {preset.key_variable} or PAICLI_API_KEY")
        self._key = clean_key(api_key) if api_key.strip() else ""
        self._model = model or preset.default_model
        self._window = context_window or preset.window_of(self._model)
        self._learnt_window: int | None = None
        self._backoff = backoff or Backoff()
        self._lock = threading.Lock()
        self._client: OpenAI | None = None
        self._users = 0
        self._is_closed = False
        self._asked = False
        self._learnt_form: Form | None = None
        self._notices: list[Notice] = []

    @property
    def name(self) -> str:
        """The model's name; the preset's while the server has not been asked for one."""
        return self._model or self.preset.name

    @property
    def endpoint(self) -> str:
        """The address, for people to read."""
        return shown_url(self.base_url)

    @property
    def context_window(self) -> int:
        """Tokens the model takes, as far as known: what an overflow taught, was given, a preset or the server told."""
        return self._learnt_window or self._window or DEFAULT_WINDOW

    @property
    def quirks(self) -> Quirks:
        """What the provider wants otherwise than others, as far as known: by the model's name, or from a refusal."""
        return self._form.quirks

    @property
    def _form(self) -> Form:
        preset = self.preset
        return self._learnt_form or Form(quirks_for(preset, self.name), preset.stream_usage, preset.limit_field)

    def chat(
        self,
        messages: Sequence[Message],
        *,
        purpose: str = "chat",  # noqa: ARG002  # for those who count; the provider is not told
        tools: Sequence[ToolSpec] = (),
        on_delta: OnDelta | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """Returns the answer; see `ChatModel.chat`. Waits and tries again where that can help.

        Raises:
            ModelError: One of its subclasses says what went wrong. KeyboardInterrupt closes the connection and passes.
        """
        self.warm_up()
        asked = _Asked(tuple(messages), tuple(tools), max_tokens)
        return self._backoff.run(lambda attempt: self._attempt(asked, on_delta, attempt))

    def probe(self) -> None:
        """Makes a tiny call, to see whether the endpoint takes the key and the account can pay.

        Raises:
            ModelError: `KeyRejected`, `NoBalance`, `ModelUnreachable` … as `chat`; nothing is tried twice.
        """
        self.warm_up()
        with suppress(EmptyReply):  # a model that thinks has used up its few tokens: it works all the same
            self._attempt(_Asked((Message("user", "Hi"),), (), PROBE_TOKENS), None, 1)

    def warm_up(self) -> None:
        """Loads the client, and asks the server for what neither the user nor a preset knows. Fails silently."""
        with self._client_in_use() as client:
            with self._lock:
                if self._asked or (self._model and self._window):
                    return
                self._asked = True
            self._ask(client)

    def take_notices(self) -> list[Notice]:
        """Returns what should be told since the last call: `window-unknown`, `window-learnt`."""
        with self._lock:
            notices, self._notices = self._notices, []
        return notices

    def close(self) -> None:
        """Closes the connections, as soon as no call of another thread uses them. It may be used again afterwards."""
        with self._lock:
            self._is_closed = True
            client = self._idle_client()
        if client:
            client.close()

    @contextmanager
    def _client_in_use(self) -> Iterator[OpenAI]:
        """Gives the client, and keeps it open until the block ends."""
        import_module("openai")  # takes a second: nobody should wait for the lock meanwhile
        with self._lock:
            if self._client is None:
                seconds = self.preset.first_token_seconds
                self._client = connect(self.base_url, key=self._key, answer_seconds=seconds)
            client = self._client
            self._users += 1
        try:
            yield client
        finally:
            with self._lock:
                self._users -= 1
                idle = self._idle_client() if self._is_closed else None
            if idle:
                idle.close()

    def _idle_client(self) -> OpenAI | None:
        """Takes the client out where nobody uses it. The lock is held."""
        if self._users:
            return None
        client, self._client = self._client, None
        return client

    def _ask(self, client: OpenAI) -> None:
        from openai import APIConnectionError, AuthenticationError, OpenAIError

        def get(address: str) -> Any:  # noqa: ANN401  # JSON
            try:
                return json.loads(client.with_options(timeout=QUESTION_SECONDS).get(address, cast_to=str))
            except (APIConnectionError, AuthenticationError):
                raise
            except (OpenAIError, ValueError):
                return None

        try:
            model, window = ask_models(get, self.base_url, self._model)
        except (APIConnectionError, AuthenticationError):  # the call itself will tell
            with self._lock:
                self._asked = False
            return
        with self._lock:
            self._model, self._window = self._model or model, self._window or window
            if self._window is None:
                self._notices.append(Notice("window-unknown", {"model": self.name, "window": DEFAULT_WINDOW}))

    def _attempt(self, asked: _Asked, on_delta: OnDelta | None, attempt: int) -> Reply:
        form = self._form
        try:
            with self._client_in_use() as client:
                exchange = Exchange(client, self._caller(attempt), on_delta)
                reply, taken = find_form(form, lambda form: asked.body(self.name, form), exchange.run)
        except ContextOverflow as error:
            self._learn(error)
            raise
        if taken != form:
            with self._lock:
                self._learnt_form = taken
        return reply

    def _caller(self, attempt: int) -> Caller:
        return Caller(
            endpoint=self.endpoint,
            key=self._key,
            model=self.name,
            window=self.context_window,
            connect_seconds=CONNECT_SECONDS,
            answer_seconds=self.preset.first_token_seconds,
            idle_seconds=self.preset.idle_seconds,
            attempts=attempt,
        )

    def _learn(self, error: ContextOverflow) -> None:
        """Takes over the window that an overflow names, if it is smaller than what was thought."""
        window = error.values.get("named_window")
        with self._lock:
            if isinstance(window, int) and window < self.context_window:
                self._learnt_window = window
                self._notices.append(Notice("window-learnt", {"model": self.name, "window": window}))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a call asks for, in no form yet."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    max_tokens: int | None

    def body(self, model: str, form: Form) -> dict[str, Any]:
        """Returns the request in a form."""
        messages = [_sendable(message) for message in render(self.messages, form.quirks)]
        body: dict[str, Any] = {"model": model, "messages": messages}
        if self.tools:
            body["tools"] = [tool.schema() for tool in self.tools]
        if self.max_tokens:
            body[form.limit_field] = self.max_tokens
        return body | ({"stream_options": {"include_usage": True}} if form.asks_usage else {})


def _sendable(value: Any) -> Any:  # noqa: ANN401  # JSON
    """Returns the value with lone surrogates replaced in its texts: they have no form in UTF-8."""
    if isinstance(value, str):
        if value.isascii():
            return value
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {key: _sendable(inner) for key, inner in value.items()}
    return [_sendable(inner) for inner in value] if isinstance(value, list) else value
