"""The two directions of a call's stream: messages behind their lengths, offsets and windows. No threads, no sockets."""

import collections

from .envelopes import FIRST_WINDOW, LARGEST_CHUNK, LARGEST_MESSAGE, LARGEST_WINDOW
from ..status import StatusCode, StatusError

LENGTH_SIZE = 4


class Outgoing:
    """Cuts messages into chunks that keep within the receiver's window."""

    def __init__(self):
        self._waiting = collections.deque()
        self._offset = 0
        self._limit = FIRST_WINDOW

    def put(self, message):
        if len(message) > LARGEST_MESSAGE:
            raise StatusError(
                StatusCode.RESOURCE_EXHAUSTED,
                f"a message has {len(message)} bytes; at most {LARGEST_MESSAGE} can be sent",
            )
        self._waiting.append(memoryview(len(message).to_bytes(LENGTH_SIZE, "big") + message))

    def raise_limit(self, limit):
        self._limit = max(self._limit, limit)

    @property
    def is_empty(self):
        return not self._waiting

    def next_chunk(self):
        """The offset and the bytes of the next chunk; None when nothing may be sent now."""
        size = min(LARGEST_CHUNK, self._limit - self._offset)
        if not self._waiting or size <= 0:
            return None
        rest = self._waiting.popleft()
        chunk = bytes(rest[:size])
        if len(rest) > size:
            self._waiting.appendleft(rest[size:])
        offset = self._offset
        self._offset += len(chunk)
        return offset, chunk


class Incoming:
    """Puts messages together from chunks, and says how far the sender may go."""

    def __init__(self):
        self._bytes = bytearray()
        self._consumed = 0
        self._limit = FIRST_WINDOW

    def take(self, offset, chunk):
        """Adds a chunk. An error says that the sender broke the rules, and ends the call."""
        expected = self._consumed + len(self._bytes)
        if offset != expected:
            raise StatusError(StatusCode.INVALID_ARGUMENT, f"a chunk begins at {offset} instead of {expected}")
        if offset + len(chunk) > self._limit:
            raise StatusError(
                StatusCode.RESOURCE_EXHAUSTED, f"a chunk goes beyond the window, which ends at {self._limit}"
            )
        self._bytes += chunk
        if (size := self._size_under_way()) is not None and size > LARGEST_MESSAGE:
            raise StatusError(
                StatusCode.RESOURCE_EXHAUSTED, f"a message has {size} bytes; at most {LARGEST_MESSAGE} are taken"
            )

    def pop(self):
        """The next message; None when it has not come in whole."""
        size = self._size_under_way()
        if size is None or len(self._bytes) < LENGTH_SIZE + size:
            return None
        message = bytes(self._bytes[LENGTH_SIZE : LENGTH_SIZE + size])
        del self._bytes[: LENGTH_SIZE + size]
        self._consumed += LENGTH_SIZE + size
        return message

    @property
    def is_inside_message(self):
        """Whether what has come ends before its last message does."""
        place = 0
        while place + LENGTH_SIZE <= len(self._bytes):
            place += LENGTH_SIZE + int.from_bytes(self._bytes[place : place + LENGTH_SIZE], "big")
        return place != len(self._bytes)

    def raised_window(self):
        """The window's new end, when it is time to tell the sender; otherwise None."""
        whole = self._consumed + LENGTH_SIZE + (self._size_under_way() or 0)
        received = self._consumed + len(self._bytes)
        # A message must arrive completely, however large it is, but not all of it may be on its way at once.
        end = max(self._consumed + FIRST_WINDOW, min(whole, received + LARGEST_WINDOW))
        # A small raise would cost an envelope; but a sender that has reached the window must never wait for one.
        is_small = end - self._limit < FIRST_WINDOW // 2
        if end <= self._limit or (is_small and self._limit > received):
            return None
        self._limit = end
        return end

    def _size_under_way(self):
        if len(self._bytes) < LENGTH_SIZE:
            return None
        return int.from_bytes(self._bytes[:LENGTH_SIZE], "big")
