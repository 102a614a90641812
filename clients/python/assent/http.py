"""A client over HTTP: the Connect protocol with protobuf, on the standard library."""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import ssl
import struct
import threading
import time
import urllib.parse
import weakref
from collections.abc import Iterator
from typing import Any

from .calls import Options, Service, repeated
from .connection import Connection
from .contract import Contract, Kind, Method
from .metadata import checked
from .status import StatusCode, StatusError, Unreachable, status_error

_CODES = {
    400: StatusCode.INTERNAL, 401: StatusCode.UNAUTHENTICATED, 403: StatusCode.PERMISSION_DENIED,
    404: StatusCode.UNIMPLEMENTED, 429: StatusCode.UNAVAILABLE, 502: StatusCode.UNAVAILABLE,
    503: StatusCode.UNAVAILABLE, 504: StatusCode.UNAVAILABLE,
}
"""What an answer means that is not a gateway's, such as a proxy's."""
_UNARY, _STREAM = "application/proto", "application/connect+proto"
_END = 2
_LARGEST_FRAME = 64 << 20


class Client:
    """Makes calls: `Client("http://127.0.0.1:8080", key="ak_…").service("assent.consent.v1.StudyService")`.

    Any number of threads may use one client; each has a connection of its own.
    """

    def __init__(
        self, url: str, *, key: str | None = None, contract: Contract | None = None, tls: ssl.SSLContext | None = None
    ) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"'{url}' is no address of a gateway, such as https://assent.example")
        self._host, self._path = parts.hostname, parts.path.rstrip("/")
        self._port = parts.port or (443 if parts.scheme == "https" else 80)
        self._tls = (tls or ssl.create_default_context()) if parts.scheme == "https" else None
        self._key = (key or "").strip()  # A key from a file has a line's end.
        if not self._key.isascii() or not self._key.isprintable():
            raise ValueError("the key has characters in it that no key has")
        self._contract = contract or Contract.shared()
        self._own = threading.local()
        self._connections: weakref.WeakSet[Connection] = weakref.WeakSet()
        """Those that are held: by the thread whose calls they carry, or by a stream."""
        self._lock = threading.Lock()
        self._is_closed = False

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes all connections; calls under way end, and none begins any more."""
        with self._lock:
            self._is_closed = True
            connections = list(self._connections)
        for connection in connections:
            connection.end()

    def service(self, name: str) -> Service:
        """An object with a method for each method of a service."""
        return Service(self, self._contract.service(name))

    # Calls.

    def unary(self, method: Method, request: Any, options: Options) -> tuple[Any, Answered]:
        """Gives the answer, and what came with it."""
        return repeated(lambda options, attempt: self._once(method, request, options, attempt), method, options)

    def start(self, method: Method, request: Any, options: Options) -> Stream:
        """Opens a stream of answers. Streams of requests need HTTP/2, or the bus."""
        if method.kind != Kind.SERVER_STREAMING:
            raise TypeError(f"{method.path} takes a stream of requests, which HTTP/1.1 does not carry: use the bus or gRPC")
        deadline = time.monotonic() + options.timeout
        encoded = request.SerializeToString()
        body = struct.pack(">BI", 0, len(encoded)) + encoded
        connection = self._connect(deadline)
        try:
            answer = self._post(connection, method, body, options, _STREAM, deadline)
            if answer.status != 200:
                raise _error(answer, self._rest(connection))
            _check_type(answer, _STREAM)
        except BaseException:
            connection.end()
            raise
        return Stream(self, connection, method)

    def _once(self, method: Method, request: Any, options: Options, attempt: int) -> tuple[Any, Answered]:
        deadline = time.monotonic() + options.timeout
        body = request.SerializeToString()
        connection: Connection | None = getattr(self._own, "connection", None)
        if connection is None or not connection.is_open:
            connection = self._own.connection = self._connect(deadline)
        answer = self._post(connection, method, body, options, _UNARY, deadline, attempt)
        content = self._rest(connection)
        if answer.will_close:
            connection.end()
        if answer.status != 200:
            raise _error(answer, content)
        _check_type(answer, _UNARY)
        return _decoded(method, content), Answered(answer.getheaders())

    def _headers(self, options: Options, content_type: str, attempt: int) -> list[tuple[str, str]]:
        headers = [
            ("content-type", content_type), ("connect-protocol-version", "1"),
            ("connect-timeout-ms", str(max(1, int(options.timeout * 1000)))),
        ]
        if self._key:
            headers.append(("authorization", f"Bearer {self._key}"))
        if options.idempotency_key:
            headers.append(("idempotency-key", options.idempotency_key))
        if attempt > 1:
            headers.append(("grpc-previous-rpc-attempts", str(attempt - 1)))
        for name, value in checked(options.metadata):
            text = base64.b64encode(value).decode().rstrip("=") if isinstance(value, bytes) else value
            headers.append((name.lower(), text))
        return headers

    def _connect(self, deadline: float) -> Connection:
        if self._is_closed:
            raise _closed()
        if time.monotonic() >= deadline:
            raise StatusError(StatusCode.DEADLINE_EXCEEDED, "there was no time left for the call", not_started=True)
        try:
            connection = Connection(self._host, self._port, self._tls, deadline)
        except TimeoutError as error:
            raise Unreachable(f"nothing answers at {self._host}:{self._port} in time") from error
        except (OSError, UnicodeError) as error:
            raise Unreachable(f"nothing answers at {self._host}:{self._port}: {error}") from error
        with self._lock:
            self._connections.add(connection)
            if self._is_closed:
                raise _closed()
        return connection

    def _post(
        self, connection: Connection, method: Method, body: bytes, options: Options, content_type: str, deadline: float,
        attempt: int = 1,
    ) -> http.client.HTTPResponse:
        headers = self._headers(options, content_type, attempt)
        with self._explained():
            return connection.post(self._path + method.path, headers, body, deadline)

    def _rest(self, connection: Connection) -> bytes:
        with self._explained():
            return connection.rest()

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """What goes wrong with a connection, as a caller is to see it."""
        try:
            yield
        except (OSError, http.client.HTTPException) as error:
            if self._is_closed:
                raise _closed() from error
            raise _broken(error) from error


class Answered:
    """What came with an answer."""

    def __init__(self, headers: list[tuple[str, str]]) -> None:
        pairs = [_pair(name, value) for name, value in headers]
        self.initial_metadata = [pair for pair in pairs if not pair[0].startswith("trailer-")]
        self.trailing_metadata = [(name[8:], value) for name, value in pairs if name.startswith("trailer-")]


class Stream:
    """A stream of answers: iterate over it, or use it in a `with` that ends it early."""

    def __init__(self, client: Client, connection: Connection, method: Method) -> None:
        self._client, self._connection, self._method = client, connection, method
        self._is_ended = False

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self._is_ended:
            raise StopIteration
        try:
            flags, body = self._frame()
            if not flags & _END:
                return _decoded(self._method, body)
            failure = _error_at_end(body)
        except StatusError as error:
            if self._is_ended:
                raise StatusError(StatusCode.CANCELLED, "the caller has cancelled the call") from error
            self.cancel()
            raise
        self.cancel()
        if failure is not None:
            raise failure
        raise StopIteration

    def cancel(self) -> None:
        """Ends the stream; the service is told by the connection's end. Any thread may call this."""
        self._is_ended = True
        self._connection.end()

    def _frame(self) -> tuple[int, bytes]:
        with self._client._explained():
            flags, length = struct.unpack(">BI", self._connection.exactly(5))
            if length > _LARGEST_FRAME:
                raise http.client.HTTPException(f"a frame of {length} bytes is more than {_LARGEST_FRAME}")
            return flags, self._connection.exactly(length)


def _check_type(answer: http.client.HTTPResponse, wanted: str) -> None:
    """A page of a proxy or a portal comes with 200 as well, and an empty one would be read as an empty answer."""
    found = str(answer.getheader("content-type", ""))
    if found.partition(";")[0].strip().lower() != wanted:
        raise StatusError(StatusCode.UNKNOWN, f"the answer is '{found[:80]}' and not '{wanted}': no gateway wrote it")


def _decoded(method: Method, content: bytes) -> Any:
    try:
        return method.answer.FromString(content)
    except Exception as error:  # protobuf's implementations raise errors of different classes
        raise StatusError(StatusCode.INTERNAL, f"the answer of {method.path} is malformed") from error


def _pair(name: str, value: str) -> tuple[str, str | bytes]:
    """A header as metadata."""
    name = name.lower()
    if not name.endswith("-bin"):
        return name, value
    try:
        return name, base64.b64decode(value + "=" * (-len(value) % 4))
    except ValueError:
        return name, value.encode("latin-1", "replace")


def _closed() -> StatusError:
    return StatusError(StatusCode.CANCELLED, "the client was closed")


def _broken(error: Exception) -> StatusError:
    if isinstance(error, TimeoutError):
        return StatusError(StatusCode.DEADLINE_EXCEEDED, "the answer did not come in time")
    return StatusError(StatusCode.UNAVAILABLE, f"the connection to the gateway broke: {error or type(error).__name__}")


def _error(answer: http.client.HTTPResponse, body: bytes) -> StatusError:
    metadata = [_pair(name.lower().removeprefix("trailer-"), value) for name, value in answer.getheaders()]
    try:
        told = json.loads(body)
    except ValueError:
        told = None
    if isinstance(told, dict) and "code" in told:
        return _connect_error(told, metadata)
    code = _CODES.get(answer.status, StatusCode.UNKNOWN)
    return status_error(code, f"the answer is HTTP {answer.status} {answer.reason}", metadata=metadata)


def _error_at_end(body: bytes) -> StatusError | None:
    """The error of which a stream's last frame tells."""
    try:
        end = json.loads(body or b"{}")
    except ValueError as error:
        raise StatusError(StatusCode.INTERNAL, "the end of the stream is malformed") from error
    if "error" not in end:
        return None
    metadata = [_pair(name, value) for name, values in end.get("metadata", {}).items() for value in values]
    return _connect_error(end["error"], metadata)


def _connect_error(told: dict[str, Any], metadata: list[tuple[str, str | bytes]]) -> StatusError:
    name = "CANCELLED" if told["code"] == "canceled" else str(told["code"]).upper()
    code = StatusCode[name] if name in StatusCode.__members__ else StatusCode.UNKNOWN
    details = [
        (detail["type"], base64.b64decode(detail["value"] + "=" * (-len(detail["value"]) % 4)))
        for detail in told.get("details", []) if "type" in detail and "value" in detail
    ]
    return status_error(code, str(told.get("message", "")), metadata=metadata, details=details)
