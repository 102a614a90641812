"""Envelopes as ZeroMQ messages, and the numbers of docs/bus-protocol.md."""

import enum

from .contract import Contract

LARGEST_INLINE_PAYLOAD = 1024
LARGEST_PAYLOAD = 65_536
MOST_ENVELOPES = 256
FULL_MESSAGE = 8192
"""A message with so many bytes takes no further envelope."""
LARGEST_MESSAGE = 33_554_432
FIRST_WINDOW = 65_536
DEFAULT_TIMEOUT = 30.0
DEFAULT_PING_INTERVAL = 0.5


class Type(enum.IntEnum):
    HELLO = 1
    HELLO_ACK = 2
    HELLO_REQUEST = 3
    CREDIT = 4
    OPEN = 5
    DATA = 6
    WINDOW = 7
    HALF_CLOSE = 8
    STATUS = 9
    CANCEL = 10
    REJECT = 11
    PING = 12
    PONG = 13
    GOAWAY = 14
    BYE = 15


def envelope(type, **fields):
    return Contract.shared().envelope(type=int(type), **fields)


class Message:
    """A ZeroMQ message that is being put together."""

    def __init__(self):
        self._envelopes = Contract.shared().envelopes()
        self._size = 0
        self._payload = None

    def add(self, envelope):
        added = self._envelopes.envelopes.add()
        added.CopyFrom(envelope)
        if len(added.payload) > LARGEST_INLINE_PAYLOAD:
            self._payload = added.payload
            added.ClearField("payload")
            added.payload_follows = True
        self._size += added.ByteSize()

    @property
    def is_full(self):
        is_long = self._size >= FULL_MESSAGE or len(self._envelopes.envelopes) == MOST_ENVELOPES
        return is_long or self._payload is not None

    @property
    def frames(self):
        """None while there is no envelope."""
        if not self._envelopes.envelopes:
            return None
        first = self._envelopes.SerializeToString()
        return [first] if self._payload is None else [first, self._payload]


def parsed(frames):
    """The envelopes of a ZeroMQ message, up to the first that is none."""
    try:
        envelopes = list(Contract.shared().envelopes.FromString(frames[0]).envelopes)
    except Exception:  # protobuf's implementations raise errors of different classes
        return []
    if len(envelopes) > MOST_ENVELOPES or any(envelope.payload_follows for envelope in envelopes[:-1]):
        return []
    if not envelopes or len(frames) != (2 if envelopes[-1].payload_follows else 1):
        return []
    if envelopes[-1].payload_follows:
        envelopes[-1].payload = frames[1]
    return envelopes
