"""A client over HTTP: the Connect protocol with protobuf, on the standard library."""

from __future__ import annotations

import base64
import http.client
import json
import socket
import ssl
import struct
import threading
import time
import urllib.parse
from collections.abc import Iterator
from typing import Any

from .calls import Options, Service, repeated
from .contract import Contract, Kind, Method
from .status import StatusCode, StatusError, Unreachable, status_error

_CODES = {
    400: StatusCode.INTERNAL, 401: StatusCode.UNAUTHENTICATED, 403: StatusCode.PERMISSION_DENIED,
    404: StatusCode.UNIMPLEMENTED, 429: StatusCode.UNAVAILABLE, 502: StatusCode.UNAVAILABLE,
    503: StatusCode.UNAVAILABLE, 504: StatusCode.UNAVAILABLE,
}
"""What an answer means that is not a gateway's, such as a proxy's."""
_END = 2
_LARGEST_FRAME = 64 << 20


class Client:
    """Makes calls: `Client("http://127.0.0.1:8080", key="ak_…").service("assent.consent.v1.StudyService")`.

    Any number of threads may use one client; each has a connection of its own.
    """

    def __init__(
        self, url: str, *, key: str = "", contract: Contract | None = None, tls: ssl.SSLContext | None = None
    ) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"'{url}' is no address of a gateway, such as https://assent.example")
        self._host, self._path = parts.hostname, parts.path.rstrip("/")
        self._port = parts.port or (443 if parts.scheme == "https" else 80)
        self._tls = (tls or ssl.create_default_context()) if parts.scheme == "https" else None
        self._key = key
        self._contract = contract or Contract.shared()
        self._own = threading.local()
        self._connections: set[http.client.HTTPConnection] = set()
        self._lock = threading.Lock()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes all connections; calls under way end."""
        with self._lock:
            connections, self._connections = self._connections, set()
        for connection in connections:
            connection.close()

    def service(self, name: str) -> Service:
        """An object with a method for each method of a service."""
        return Service(self, self._contract.service(name))

    # Calls.

    def unary(self, method: Method, request: Any, options: Options) -> tuple[Answered, Any]:
        """Gives what came with the answer, and the answer."""
        return repeated(lambda options, attempt: self._once(method, request, options), method, options)

    def start(self, method: Method, request: Any, options: Options) -> Stream:
        """Opens a stream of answers. Streams of requests need HTTP/2, or the bus."""
        if method.kind != Kind.SERVER_STREAMING:
            raise TypeError(f"{method.path} takes a stream of requests, which HTTP/1.1 does not carry: use the bus or gRPC")
        headers = self._headers(options, "application/connect+proto")
        encoded = request.SerializeToString()
        body = struct.pack(">BI", 0, len(encoded)) + encoded
        connection = self._connect(options.timeout)
        answer = self._exchange(connection, method, body, headers, options.timeout)
        if answer.status != 200:
            raise _error(answer, answer.read())
        return Stream(self, connection, answer, method, time.monotonic() + options.timeout)

    def _once(self, method: Method, request: Any, options: Options) -> tuple[Answered, Any]:
        headers = self._headers(options, "application/proto")
        connection = getattr(self._own, "connection", None)
        if connection is None or connection not in self._connections:
            connection = self._own.connection = self._connect(options.timeout)
        answer = self._exchange(connection, method, request.SerializeToString(), headers, options.timeout)
        try:
            body = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self._drop(connection)
            raise _broken(error) from error
        if answer.will_close:
            self._drop(connection)
        if answer.status != 200:
            raise _error(answer, body)
        return Answered(answer.getheaders()), method.answer.FromString(body)

    def _headers(self, options: Options, content_type: str) -> dict[str, str]:
        headers = {
            "content-type": content_type, "connect-protocol-version": "1",
            "connect-timeout-ms": str(max(1, int(options.timeout * 1000))),
        }
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        if options.idempotency_key:
            headers["idempotency-key"] = options.idempotency_key
        for name, value in dict(options.metadata).items():
            text = base64.b64encode(value).decode().rstrip("=") if isinstance(value, bytes) else value
            headers[name.lower()] = text
        return headers

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        if timeout <= 0:
            raise StatusError(StatusCode.DEADLINE_EXCEEDED, "there was no time left for the call", not_started=True)
        connection: http.client.HTTPConnection
        if self._tls is not None:
            connection = http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._tls)
        else:
            connection = http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        try:
            connection.connect()
        except TimeoutError as error:
            raise Unreachable(f"nothing answers at {self._host}:{self._port} in time") from error
        except (OSError, UnicodeError) as error:
            raise Unreachable(f"nothing answers at {self._host}:{self._port}: {error}") from error
        if connection.sock is not None:
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self._lock:
            self._connections.add(connection)
        return connection

    def _exchange(
        self, connection: http.client.HTTPConnection, method: Method, body: bytes, headers: dict[str, str], timeout: float
    ) -> http.client.HTTPResponse:
        try:
            if connection.sock is not None:
                connection.sock.settimeout(max(timeout, 0.001))
            connection.request("POST", self._path + method.path, body, headers)
            return connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            self._drop(connection)
            raise _broken(error) from error

    def _drop(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            self._connections.discard(connection)
        connection.close()


class Answered:
    """What came with an answer."""

    def __init__(self, headers: list[tuple[str, str]]) -> None:
        pairs = [(name.lower(), value) for name, value in headers]
        self.initial_metadata = [pair for pair in pairs if not pair[0].startswith("trailer-")]
        self.trailing_metadata = [(name[8:], value) for name, value in pairs if name.startswith("trailer-")]


class Stream:
    """A stream of answers: iterate over it, or use it in a `with` that ends it early."""

    def __init__(
        self, client: Client, connection: http.client.HTTPConnection, answer: http.client.HTTPResponse, method: Method,
        deadline: float,
    ) -> None:
        self._client, self._connection, self._answer = client, connection, answer
        self._method, self._deadline = method, deadline
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
        except (OSError, http.client.HTTPException) as error:
            self.cancel()
            raise _broken(error) from error
        if not flags & _END:
            return self._method.answer.FromString(body)
        self.cancel()
        end = json.loads(body or b"{}")
        if "error" in end:
            metadata = [(name, value) for name, values in end.get("metadata", {}).items() for value in values]
            raise _connect_error(end["error"], metadata)
        raise StopIteration

    def cancel(self) -> None:
        """Ends the stream; the service is told by the connection's end."""
        self._is_ended = True
        self._client._drop(self._connection)

    def _frame(self) -> tuple[int, bytes]:
        flags, length = struct.unpack(">BI", self._exactly(5))
        if length > _LARGEST_FRAME:
            raise http.client.HTTPException(f"a frame of {length} bytes is more than {_LARGEST_FRAME}")
        return flags, self._exactly(length)

    def _exactly(self, count: int) -> bytes:
        if self._connection.sock is not None:
            self._connection.sock.settimeout(max(self._deadline - time.monotonic(), 0.001))
        body = self._answer.read(count)
        if len(body) < count:
            raise http.client.IncompleteRead(body, count - len(body))
        return body


def _broken(error: Exception) -> StatusError:
    if isinstance(error, TimeoutError):
        return StatusError(StatusCode.DEADLINE_EXCEEDED, "the answer did not come in time")
    return StatusError(StatusCode.UNAVAILABLE, f"the connection to the gateway broke: {error or type(error).__name__}")


def _error(answer: http.client.HTTPResponse, body: bytes) -> StatusError:
    metadata = [(name.lower().removeprefix("trailer-"), value) for name, value in answer.getheaders()]
    try:
        told = json.loads(body)
    except ValueError:
        told = None
    if isinstance(told, dict) and "code" in told:
        return _connect_error(told, metadata)
    code = _CODES.get(answer.status, StatusCode.UNKNOWN)
    return status_error(code, f"the answer is HTTP {answer.status} {answer.reason}", metadata=metadata)


def _connect_error(told: dict[str, Any], metadata: list[tuple[str, str]]) -> StatusError:
    name = "CANCELLED" if told["code"] == "canceled" else str(told["code"]).upper()
    code = StatusCode[name] if name in StatusCode.__members__ else StatusCode.UNKNOWN
    details = [
        (detail["type"], base64.b64decode(detail["value"] + "=" * (-len(detail["value"]) % 4)))
        for detail in told.get("details", []) if "type" in detail and "value" in detail
    ]
    return status_error(code, str(told.get("message", "")), metadata=metadata, details=details)
