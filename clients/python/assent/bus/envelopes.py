"""Envelopes as ZeroMQ messages, and the numbers of docs/bus-protocol.md."""

import enum

from ..contract import Contract

LARGEST_INLINE_PAYLOAD = 1024
LARGEST_PAYLOAD = 131_072
LARGEST_ENVELOPE = 98_304
"""Without its second frame."""
LARGEST_CHUNK = 65_536
MOST_ENVELOPES = 256
ENVELOPE_TAG = 0x0A
"""Of `Envelopes.envelopes`: field 1, of a stated length."""
FULL_MESSAGE = 8192
"""A message with so many bytes takes no further envelope."""
LONGEST_STATUS_MESSAGE = 8192
LARGEST_STATUS_CONTENT = 65_536
"""The details and metadata of a status together; of a detail its type and its value count, and 32."""
LARGEST_MESSAGE = 33_554_432
FIRST_WINDOW = 65_536
LARGEST_WINDOW = 524_288
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


def keep_to_bounds(status):
    """Cuts the message of a STATUS that is too long, and leaves details out that are too large: a gateway would drop
    the envelope, and a larger one costs the worker its connection."""
    text = status.status_message.encode()
    if len(text) > LONGEST_STATUS_MESSAGE:
        mark = "…"
        end = LONGEST_STATUS_MESSAGE - len(mark.encode())
        status.status_message = text[:end].decode(errors="ignore") + mark
    metadata = sum(len(entry.key) + len(entry.value) + 32 for entry in status.metadata)
    details = sum(len(detail.type_name.encode()) + len(detail.value) + 32 for detail in status.status_details)
    if metadata + details > LARGEST_STATUS_CONTENT:
        status.ClearField("status_details")
        if metadata > LARGEST_STATUS_CONTENT:
            status.ClearField("metadata")


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
    """The envelopes of a ZeroMQ message, up to the first that cannot be read or does not match the frames."""
    first, *payloads = frames
    if len(payloads) > 1:
        return []
    envelopes = []
    end = 0
    while end < len(first) and len(envelopes) < MOST_ENVELOPES:
        try:
            start, end = _next_envelope(first, end)
            envelope = Contract.shared().envelope.FromString(first[start:end])
        except Exception:  # protobuf's implementations raise errors of different classes
            break
        has_payload = bool(payloads) and end == len(first)
        if envelope.payload_follows != has_payload:
            break
        if has_payload:
            envelope.payload = payloads[0]
        if len(envelope.payload) > LARGEST_PAYLOAD:
            break
        envelopes.append(envelope)
    return envelopes


def _next_envelope(frame, place):
    """Where the element of `Envelopes.envelopes` that begins at `place` has its envelope: from where to where."""
    if frame[place] != ENVELOPE_TAG:
        raise ValueError(f"no envelope stands at byte {place}")
    length, start = 0, place + 1
    # Three bytes are enough for any length in a frame.
    for shift in (0, 7, 14):
        byte = frame[start]
        start += 1
        length |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
    if byte >= 0x80 or length > min(LARGEST_ENVELOPE, len(frame) - start):
        raise ValueError(f"the length at byte {place + 1} is wrong")
    return start, start + length
