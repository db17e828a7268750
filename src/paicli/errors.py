"""Every exception of paicli. Each has a code and values, so that an interface can word it in any language.

PaicliError
├── ConfigError                  a setting has a value that can't be used
├── StoreError                   the long-term memory
│   ├── StoreUnavailable         it can't be read or written
│   ├── StoreBusy                another process holds its lock for too long
│   ├── StoreReadOnly            nothing may be written
│   ├── UnknownEntry             no entry has this id
│   ├── AmbiguousEntry           several entries fit
│   ├── EmptyContent             there is nothing to store
│   ├── UnknownSession           no session has this id
│   ├── AmbiguousSession         several sessions fit
│   └── SessionRunning           another process has the session open
├── CompressionFailed            no usable summary; the history is as it was
├── MessageTooLarge              the newest user message alone does not fit the window
├── ModelError                   a model call
│   ├── ModelNotConfigured       no model or no key
│   ├── KeyRejected              401 and 403
│   ├── NoBalance                the account has no money left
│   ├── RateLimited              429
│   ├── ModelUnreachable         no connection, or no answer in time
│   ├── RequestRefused           400, 404, 422
│   │   └── ContextOverflow      the request is longer than the model's window
│   ├── ServerFailed             5xx
│   ├── StreamBroken             the answer broke off
│   └── EmptyReply               neither text nor a tool call
├── ToolError                    a tool can't do what it was asked
└── PlanInvalid                  a plan that can't be run
"""

from __future__ import annotations

from typing import Any, ClassVar


class PaicliError(Exception):
    """Base of all errors of paicli.

    Args:
        **values: What the sentence is about; they fill the class's `sentence` and stay readable as `values`.
    """

    code: ClassVar[str] = "error"
    sentence: ClassVar[str] = "{reason}"

    def __init__(self, **values: object) -> None:
        self.values = values
        super().__init__(self.sentence.format(**values))


class ConfigError(PaicliError):
    code = "config"
    sentence = "Setting '{key}' has value '{value}': {reason}."


class StoreError(PaicliError):
    code = "store"


class StoreUnavailable(StoreError):
    code = "store-unavailable"
    sentence = "The memory at '{place}' can't be used: {reason}. Nothing was saved."


class StoreBusy(StoreError):
    code = "store-busy"
    sentence = (
        "The memory at '{place}' is locked by another process for more than {seconds} s. Nothing was saved; try again."
    )


class StoreReadOnly(StoreError):
    code = "store-read-only"
    sentence = "The memory at '{place}' is open read-only: {reason}. Nothing was saved."


class UnknownEntry(StoreError):
    code = "unknown-entry"
    sentence = "No memory has the id '{entry_id}'. List them with: paicli memory list"


class AmbiguousEntry(StoreError):
    code = "ambiguous-entry"
    sentence = "'{entry_id}' fits {count} memories: {ids}. Give more of the id."


class EmptyContent(StoreError):
    code = "empty-content"
    sentence = "There is no text to remember in {value}."


class UnknownSession(StoreError):
    code = "unknown-session"
    sentence = "No session has the id '{session_id}'. List them with: paicli sessions list"


class AmbiguousSession(StoreError):
    code = "ambiguous-session"
    sentence = "'{session_id}' fits {count} sessions: {ids}. Give more of the id."


class SessionRunning(StoreError):
    code = "session-running"
    sentence = "The session '{session}' is open in another process. Leave it there first."


class CompressionFailed(PaicliError):
    code = "compression-failed"
    sentence = "The conversation was not compressed, and is as it was: {reason}."


class MessageTooLarge(PaicliError):
    code = "message-too-large"
    sentence = "This message has about {tokens} tokens; with a window of {window} at most {limit} fit. Shorten it, or put it into a file."


class ModelError(PaicliError):
    code = "model"


class ModelNotConfigured(ModelError):
    code = "model-not-configured"
    sentence = "No model is connected: {reason}."


class KeyRejected(ModelError):
    code = "key-rejected"
    sentence = "{endpoint} refused the key {key} (HTTP {status})."


class NoBalance(ModelError):
    code = "no-balance"
    sentence = "The key is right, but the account at {endpoint} has no balance left: {detail}"


class RateLimited(ModelError):
    code = "rate-limited"
    sentence = "{endpoint} is limiting requests (HTTP 429) and still did after {attempts} tries: {detail}"


class ModelUnreachable(ModelError):
    code = "model-unreachable"
    sentence = "No answer from {endpoint}: {detail}. Check the network, or the address with --base-url."


class RequestRefused(ModelError):
    code = "request-refused"
    sentence = "{endpoint} refused the request (HTTP {status}): {detail}"


class ContextOverflow(RequestRefused):
    code = "context-overflow"
    sentence = "The request is longer than the model's window of {window} tokens (HTTP {status}): {detail}"


class ServerFailed(ModelError):
    code = "server-failed"
    sentence = "{endpoint} failed (HTTP {status}) and still did after {attempts} tries: {detail}"


class StreamBroken(ModelError):
    code = "stream-broken"
    sentence = "The answer from {endpoint} broke off: {detail}"

    @property
    def partial(self) -> Any:  # noqa: ANN401  # a Reply of the memory, which this module doesn't know
        """The `Reply` as far as it came."""
        return self.values.get("partial")


class EmptyReply(ModelError):
    code = "empty-reply"
    sentence = "{endpoint} answered with neither text nor a tool call, {attempts} times."


class ToolError(PaicliError):
    code = "tool"


class PlanInvalid(PaicliError):
    code = "plan-invalid"
    sentence = "The plan can't be run: {reason}."
