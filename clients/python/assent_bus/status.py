"""How calls end."""

import enum


class StatusCode(enum.IntEnum):
    """gRPC's codes."""

    OK = 0
    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16

    @classmethod
    def _missing_(cls, value):
        # An unknown code means only that the call failed.
        return cls.UNKNOWN if isinstance(value, int) else None


class StatusError(Exception):
    """A call that failed, or was to fail: handlers raise it too."""

    def __init__(self, code, message="", *, not_started=False, metadata=(), details=()):
        super().__init__(f"{StatusCode(code).name}: {message}")
        self.code = StatusCode(code)
        self.message = message
        self.not_started = not_started
        """No handler has seen the call."""
        self.metadata = list(metadata)
        """The trailing metadata, as pairs."""
        self.details = list(details)
        """Pairs of a message type's name and an encoded message."""

    @property
    def retry_after(self):
        """How many seconds the other side asks to wait before another try; None when it does not."""
        text = dict(self.metadata).get("retry-after-ms", "")
        return int(text) / 1000 if text.isdecimal() else None
