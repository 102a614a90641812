"""A connection to a gateway over HTTP/1.1: all that is done with it has one deadline, and any thread may end it."""

from __future__ import annotations

import contextlib
import http.client
import io
import socket
import ssl
import threading
import time
from collections.abc import Iterable, Iterator
from typing import Any


class Connection:
    """Used by one thread at a time, and ended by any. One that nobody holds any longer closes itself."""

    is_open = False

    def __init__(self, host: str, port: int, tls: ssl.SSLContext | None, deadline: float) -> None:
        self._in_use = threading.Lock()
        self._socket = _dialled(host, port, tls, deadline)
        self._timed = _TimedSocket(self._socket)
        if tls is None:
            self._http = http.client.HTTPConnection(host, port)
        else:
            self._http = http.client.HTTPSConnection(host, port, context=tls)
        self._http.sock = self._timed
        self._http.auto_open = 0
        self._answer: http.client.HTTPResponse | None = None
        self.is_open = True

    def __del__(self) -> None:
        if self.is_open:
            self.end()

    def post(
        self, path: str, headers: Iterable[tuple[str, str]], body: bytes, deadline: float
    ) -> http.client.HTTPResponse:
        """Sends a request, and gives the answer as far as its headers. What follows is read by the same deadline."""
        with self._used():
            self._timed.deadline = deadline
            self._http.putrequest("POST", path)
            for name, value in headers:
                self._http.putheader(name, value)
            self._http.putheader("content-length", str(len(body)))
            self._http.endheaders(body)
            self._answer = self._http.getresponse()
            return self._answer

    def rest(self) -> bytes:
        """What follows in the answer."""
        with self._used():
            return self._reader.read()

    def exactly(self, count: int) -> bytes:
        """So many of the bytes that follow."""
        with self._used():
            body = self._reader.read(count)
            if len(body) < count:
                raise http.client.IncompleteRead(body, count - len(body))
            return body

    def end(self) -> None:
        """Ends the connection, and wakes the thread that waits for it."""
        self.is_open = False
        with contextlib.suppress(OSError):  # The other side may have been first.
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
        # A thread that uses the connection closes it itself: under its feet the number could become another file's.
        if self._in_use.acquire(blocking=False):
            self._close()
            self._in_use.release()

    @property
    def _reader(self) -> http.client.HTTPResponse:
        assert self._answer is not None, "there is an answer once a request was sent"
        return self._answer

    @contextlib.contextmanager
    def _used(self) -> Iterator[None]:
        with self._in_use:
            try:
                yield
                if not self.is_open:
                    raise ConnectionAbortedError("the connection was ended")
            except BaseException:
                self.is_open = False
                self._close()
                raise

    def _close(self) -> None:
        if self._answer is not None:
            self._answer.close()
        self._http.close()
        self._socket.close()


def _dialled(host: str, port: int, tls: ssl.SSLContext | None, deadline: float) -> socket.socket:
    dialled = socket.create_connection((host, port), _until(deadline))
    try:
        dialled.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls is None:
            return dialled
        dialled.settimeout(_until(deadline))
        return tls.wrap_socket(dialled, server_hostname=host)
    except BaseException:
        dialled.close()
        raise


def _until(deadline: float) -> float:
    """The seconds that are left. A socket's own time is for each of its operations, and would begin anew with each."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("the deadline has passed")
    return left


class _TimedSocket:
    """What http.client needs of a socket, by a deadline."""

    def __init__(self, wrapped: socket.socket) -> None:
        self._wrapped = wrapped
        self.deadline = 0.0

    def sendall(self, content: Any) -> None:
        waiting = memoryview(content)
        while waiting:
            self.limit()
            waiting = waiting[self._wrapped.send(waiting) :]

    def makefile(self, _: str) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self, self._wrapped.makefile("rb", buffering=0)))

    def limit(self) -> None:
        self._wrapped.settimeout(_until(self.deadline))

    def close(self) -> None:
        self._wrapped.close()


class _TimedReader(io.RawIOBase):
    def __init__(self, timed: _TimedSocket, wrapped: Any) -> None:
        self._timed, self._wrapped = timed, wrapped

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Any:
        self._timed.limit()
        return self._wrapped.readinto(buffer)

    def close(self) -> None:
        self._wrapped.close()
        super().close()
