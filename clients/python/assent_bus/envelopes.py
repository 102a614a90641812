"""Envelopes as ZeroMQ messages, and the numbers of docs/bus-protocol.md."""

import enum

from .contract import Contract

LARGEST_INLINE_PAYLOAD = 1024
LARGEST_PAYLOAD = 65_536
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


def frames(envelope):
    """The frames of a ZeroMQ message: a large payload stands in a frame of its own."""
    if len(envelope.payload) <= LARGEST_INLINE_PAYLOAD:
        return [envelope.SerializeToString()]
    payload = envelope.payload
    envelope.ClearField("payload")
    envelope.payload_follows = True
    return [envelope.SerializeToString(), payload]


def parsed(frames):
    """The envelope of a ZeroMQ message; None when it is none."""
    try:
        envelope = Contract.shared().envelope.FromString(frames[0])
    except Exception:  # protobuf's implementations raise errors of different classes
        return None
    if len(frames) != (2 if envelope.payload_follows else 1):
        return None
    if envelope.payload_follows:
        envelope.payload = frames[1]
    return envelope
