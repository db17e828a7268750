"""ChatServer: a real HTTP server on loopback that speaks chat-completions, with scripted answers and strict checks."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from paicli.memory.tokens.estimate import EstimatingCounter
from paicli.testing.replies import Answer, HttpError, Json, Performance, perform
from paicli.testing.strictness import NO_RULES, Rules, objection

Responder = Callable[[Json], Answer]
Replies = Iterable[Answer | Responder] | Responder
KEEP_ALIVE_SECONDS = 0.05
MODEL = "scripted"


class ChatServer:
    """Answers `POST /v1/chat/completions`, streamed or not, and `GET /v1/models`, on a free port of 127.0.0.1.

    What no provider would take is answered by 400 and noted in `violations`; so is a request for which no reply is left.

    Args:
        replies: Answers in order (see `paicli.testing.replies`), or functions of the request's body that return one;
            or a single such function, which answers all requests.
        rules: How picky it is.
        models: Further fields of the model in `/models`, `{"context_length": 8192}`.

    >>> with ChatServer(["hello"]) as server:
    ...     server.base_url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(
        self, replies: Replies = (), *, rules: Rules = NO_RULES, models: Mapping[str, Any] | None = None
    ) -> None:
        self.rules = rules
        self.models = {"id": MODEL, "object": "model", **(models or {})}
        self.requests: list[Json] = []
        """The bodies of all chat requests, in order, those that were refused included."""
        self.headers: list[dict[str, str]] = []
        """The headers of the same requests, names in lower case."""
        self.violations: list[str] = []
        self.disconnects = 0
        """How often a client left before its answer was complete."""
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._script = replies if callable(replies) else deque(replies)
        self._http: ThreadingHTTPServer | None = None
        self._thread: threading.Thread | None = None

    @property
    def base_url(self) -> str:
        """The address to give to a client."""
        if self._http is None:
            raise RuntimeError("ChatServer is not running: use it in a with statement, or call start().")
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def start(self) -> Self:
        """Starts listening and returns itself."""
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def close(self) -> None:
        """Stops listening; answers under way are cut."""
        self.stopping.set()
        if self._http and self._thread:
            self._http.shutdown()
            self._http.server_close()
            self._thread.join()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def answer(self, body: Json, headers: Mapping[str, str]) -> Answer:
        """Notes the request and returns what to answer."""
        refusal = self._refusal(body, headers)
        with self._lock:
            self.requests.append(body)
            self.headers.append(dict(headers))
            if refusal:
                return refusal
            script = self._script
            if isinstance(script, deque):
                if not script:
                    self.violations.append(f"no reply left for request {len(self.requests)}")
                    return _error(400, "the script has no reply left")
                script_answer = script.popleft()
            else:
                script_answer = script
        return script_answer(body) if callable(script_answer) else script_answer

    def count_disconnect(self) -> None:
        """Notes that a client left early."""
        with self._lock:
            self.disconnects += 1

    def refuses_key(self, headers: Mapping[str, str]) -> bool:
        """Returns whether a key is needed and another one, or none, was sent."""
        return bool(self.rules.key) and headers.get("authorization") != f"Bearer {self.rules.key}"

    def _refusal(self, body: Json, headers: Mapping[str, str]) -> HttpError | None:
        if self.refuses_key(headers):
            return _error(401, "Incorrect API key provided", code="invalid_api_key")
        reason = objection(body, self.rules)
        if reason:
            if not reason.endswith("stream_options"):
                self.violations.append(reason)
            return _error(400, reason)
        window, size = self.rules.context_window, _size(body)
        if window is not None and size > window:
            text = f"This model's maximum context length is {window} tokens. However, you requested {size} tokens."
            return _error(400, text, code="context_length_exceeded")
        return None


def _size(body: Json) -> int:
    return EstimatingCounter().count(body["messages"], body.get("tools") or ())


def _error(status: int, message: str, *, code: str = "invalid_request") -> HttpError:
    return HttpError(status, {"error": {"message": message, "type": "invalid_request_error", "code": code}})


def _usage(body: Json, performance: Performance) -> Json:
    sent, received = _size(body), max(1, EstimatingCounter().count_text(performance.generated))
    return {"prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received}


def _handler_of(chat_server: ChatServer) -> type[BaseHTTPRequestHandler]:
    """Returns the handler class of a server: `http.server` makes one object of it for each connection."""

    class Handler(_Handler):
        chat = chat_server

    return Handler


class _Handler(BaseHTTPRequestHandler):
    chat: ChatServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.chat.refuses_key(self._headers()):
            self._send(_error(401, "Incorrect API key provided", code="invalid_api_key"))
        elif self.path == "/v1/models":
            self._send(HttpError(200, {"object": "list", "data": [self.chat.models]}))
        else:
            self._send(_error(404, f"no such path: {self.path}"))

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path != "/v1/chat/completions":
            self._send(_error(404, f"no such path: {self.path}"))
            return
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            self._send(_error(400, "the body is no JSON object"))
            return
        try:
            self._play(body, self.chat.answer(body, self._headers()))
        except (BrokenPipeError, ConnectionResetError):
            self.chat.count_disconnect()

    def _headers(self) -> dict[str, str]:
        return {name.lower(): value for name, value in self.headers.items()}

    def _play(self, body: Json, answer: Answer) -> None:
        if isinstance(answer, HttpError):
            self._send(answer)
            return
        performance = perform(answer)
        if performance.slow and performance.slow.where == "headers":
            self.chat.stopping.wait(performance.slow.seconds)
        if body.get("stream"):
            self._stream(body, performance)
        else:
            self._send(HttpError(200, _completion(body, performance)))

    def _send(self, reply: HttpError) -> None:
        page = isinstance(reply.body, str)
        data = (str(reply.body) if page else json.dumps(reply.body, ensure_ascii=False)).encode()
        self._start(reply.status, "text/html" if page else "application/json", reply.headers)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _start(self, status: int, content_type: str, headers: Mapping[str, str] = {}) -> None:
        self.close_connection = True
        self.send_response(status)
        for name, value in {"content-type": f"{content_type}; charset=utf-8", "connection": "close", **headers}.items():
            self.send_header(name, value)

    def _stream(self, body: Json, performance: Performance) -> None:
        self._start(200, "text/event-stream", {"transfer-encoding": "chunked"})
        self.end_headers()
        for number, piece in enumerate(performance.chunks):
            if number == performance.breaks_after:
                break
            if number == 1 and performance.slow and performance.slow.where == "stream":
                self._wait(performance.slow.seconds, keep_alive=performance.slow.keep_alive)
            self._write_event(piece)
        else:
            self._finish(body, performance)
        if performance.breaks_after is None or performance.politely:
            self._write("")

    def _finish(self, body: Json, performance: Performance) -> None:
        if performance.tells_usage and (body.get("stream_options") or {}).get("include_usage"):
            self._write_event({"choices": [], "usage": _usage(body, performance)})
        self._write("data: [DONE]\n\n")

    def _wait(self, seconds: float, *, keep_alive: bool) -> None:
        while seconds > 0 and not self.chat.stopping.wait(min(seconds, KEEP_ALIVE_SECONDS)):
            seconds -= KEEP_ALIVE_SECONDS
            if keep_alive:
                self._write(": keep-alive\n\n")

    def _write_event(self, piece: Json | str) -> None:
        self._write(f"data: {piece if isinstance(piece, str) else json.dumps(piece, ensure_ascii=False)}\n\n")

    def _write(self, text: str) -> None:
        """Writes one chunk of the chunked transfer; an empty one ends it."""
        data = text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401  # the base class's signature
        """Says nothing: `violations` has what matters."""


def _completion(body: Json, performance: Performance) -> Json:
    choice = {"index": 0, "message": performance.message, "finish_reason": performance.finish_reason}
    completion: Json = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
        "choices": [choice],
    }
    return completion | ({"usage": _usage(body, performance)} if performance.tells_usage else {})
