"""Exchange: one call of a model, from the request to the whole answer, or to the error that says why there is none."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from paicli.errors import ContextOverflow, EmptyReply, ModelError, RequestRefused, ServerFailed, StreamBroken
from paicli.llm.failures import Caller, failure_from, failure_of, one_line, parse_refusal, refusal_of, unreachable
from paicli.llm.model import Delta, OnDelta
from paicli.llm.stream import Assembly
from paicli.llm.watch import Watch
from paicli.memory.message import Reply, Usage
from paicli.memory.tokens.estimate import EstimatingCounter

if TYPE_CHECKING:
    from openai import OpenAI

WITHHELD = frozenset({"content_filter", "sensitive"})
FAILED = frozenset({"network_error", "error"})
OVERFLOWN = "model_context_window_exceeded"
"""Words of providers for why an answer ended: kept back, broken off, no room left."""


class Exchange:
    """Makes a call and reads its stream; `on_delta` is told each piece.

    Args:
        client: The connection.
        caller: Who asks, with the time limits.
        on_delta: What to tell the pieces of the answer; whatever it raises closes the connection and passes.
    """

    def __init__(self, client: OpenAI, caller: Caller, on_delta: OnDelta | None = None) -> None:
        self._client = client
        self._caller = caller
        self._on_delta = on_delta

    def run(self, fields: Mapping[str, Any]) -> Reply:
        """Returns the answer to a request, with its usage.

        Args:
            fields: The body of the request in the chat-completions format.

        Raises:
            ModelError: There is no usable answer.
        """
        from openai import OpenAIError

        create: Any = self._client.chat.completions.create
        try:
            stream = create(**fields, stream=True)
        except OpenAIError as error:
            raise failure_of(error, self._caller) from error
        assembly = Assembly()
        with stream:
            for delta in self._deltas(stream, assembly):
                if self._on_delta and (delta.text or delta.thinking):
                    self._on_delta(delta)
        return self._counted(self._checked(assembly), fields)

    def _deltas(self, stream: Any, assembly: Assembly) -> Iterator[Delta]:  # noqa: ANN401  # openai's Stream, or an older one
        kind = stream.response.headers.get("content-type", "")
        if "json" in kind or "html" in kind:
            yield assembly.feed(self._whole(stream.response, kind))
        else:
            yield from self._pieces(stream, assembly)
        yield assembly.finish()

    def _pieces(self, stream: Any, assembly: Assembly) -> Iterator[Delta]:  # noqa: ANN401  # as above
        from openai import OpenAIError

        pieces = iter(stream)
        transport_error = _transport_error_of(stream.response)  # older versions of the package let it through
        seconds = self._caller.answer_seconds
        with Watch(lambda: _hang_up(stream.response)) as watch:
            while True:
                try:
                    with watch.waiting(seconds):
                        piece = next(pieces, None)
                except (OpenAIError, transport_error, ValueError) as error:
                    if assembly.finish_reason:  # only the usage is missing
                        return
                    raise self._broken(error, assembly, watch) from error
                if piece is None:
                    break
                yield assembly.feed(piece)
                if assembly.started:
                    seconds = self._caller.idle_seconds
        if watch.expired or (assembly.started and not assembly.complete):
            raise self._broken(None, assembly, watch)

    def _whole(self, response: Any, kind: str) -> Any:  # noqa: ANN401  # an answer of httpx or httpx2; JSON
        """Returns the answer of a server that doesn't stream as if it were one piece of a stream."""
        try:
            text = response.read().decode("utf-8", "replace")
        except _transport_error_of(response) as error:
            raise unreachable(str(error), self._caller) from error
        with suppress(ValueError):
            answer = json.loads(text, object_hook=lambda fields: SimpleNamespace(**fields)) if "json" in kind else None
            for choice in getattr(answer, "choices", None) or ():
                choice.delta = getattr(choice, "message", None)
                return answer
        with suppress(ValueError):
            text = json.loads(text)
        raise failure_from(parse_refusal(response.status_code, text), self._caller)

    def _broken(self, error: Exception | None, assembly: Assembly, watch: Watch) -> ModelError:
        """Returns the error for a stream that ended too early; one before its first piece may be tried again."""
        from openai import APIConnectionError, APIError

        failure: ModelError
        if watch.expired:
            failure = unreachable(
                f"nothing arrived for {watch.seconds:g} s", self._caller, problem="no-answer", seconds=watch.seconds
            )
        elif isinstance(error, APIConnectionError):
            failure = failure_of(error, self._caller)
        elif isinstance(error, APIError):
            failure = failure_from(refusal_of(error), self._caller)
        elif isinstance(error, ValueError):
            failure = unreachable(f"a piece of the stream can't be read: {error}", self._caller)
        elif error is not None:
            failure = unreachable(str(error), self._caller)
        else:
            failure = unreachable("the stream ended without its last piece", self._caller)
        if not assembly.started:
            return failure
        assembly.finish()
        detail = str(failure.values["detail"])
        return StreamBroken(endpoint=self._caller.endpoint, detail=detail, partial=assembly.reply())

    def _checked(self, assembly: Assembly) -> Reply:
        reply, caller, reason = assembly.reply(), self._caller, assembly.finish_reason
        values = {"endpoint": caller.endpoint, "attempts": caller.attempts, "status": 200, "finish_reason": reason}
        detail = one_line(f"the answer ended with '{reason}'")
        if reason in FAILED:
            if assembly.started:
                raise StreamBroken(**values, detail=detail, partial=reply)
            raise ServerFailed(**values, detail=detail)
        if reply.text.strip() or reply.tool_calls:
            return reply
        if reason in WITHHELD:
            raise RequestRefused(**values, detail=f"the provider's filter kept the answer back ('{reason}')")
        if reason == OVERFLOWN:
            raise ContextOverflow(**values, detail=detail, window=caller.window, named_window=None)
        # Asking again won't help a model that has thought up to the limit of its answer.
        raise EmptyReply(**values, final=reason == "length", partial=reply)

    def _counted(self, reply: Reply, fields: Mapping[str, Any]) -> Reply:
        if reply.usage:
            return reply
        counter = EstimatingCounter()
        calls = "".join(call.name + call.arguments for call in reply.tool_calls)
        received = sum(counter.count_text(text) for text in (reply.thinking, reply.text, calls))
        sent = counter.count(fields["messages"], fields.get("tools") or ())
        return replace(reply, usage=Usage(sent, received, estimated=True))


def _transport_error_of(response: Any) -> type[Exception]:  # noqa: ANN401  # an answer of httpx or httpx2
    """Returns the base of the errors of the HTTP package that a response is from."""
    package = sys.modules[type(response).__module__.partition(".")[0]]
    error: type[Exception] = package.RequestError
    return error


def _hang_up(response: Any) -> None:  # noqa: ANN401  # an answer of httpx or httpx2
    """Ends the connection of a stream that another thread is waiting for: its read returns at once."""
    stream = response.extensions.get("network_stream")
    connection = stream.get_extra_info("socket") if stream else None
    if isinstance(connection, socket.socket):
        with suppress(OSError):
            # Not the method of an SSL socket, which would take the encryption away under the reader's feet.
            socket.socket.shutdown(connection, socket.SHUT_RDWR)
