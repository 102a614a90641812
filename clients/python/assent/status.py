"""How calls end."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Any


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
    def _missing_(cls, value: object) -> StatusCode | None:
        # An unknown code means only that the call failed.
        return cls.UNKNOWN if isinstance(value, int) else None


_INFO = "assent.common.v1.ErrorInfo"


def _info() -> Any:
    """The class of the message that says to programs why a call failed."""
    from .contract import Contract

    return Contract.shared().message(_INFO)


class StatusError(Exception):
    """A call that failed, or was to fail: handlers raise it too.

    A handler that names a `rule` gives the error the form of Assent's own services: the message becomes
    "rule: message", and an `assent.common.v1.ErrorInfo` with both comes first among the details.
    """

    def __init__(
        self, code: int, message: str = "", *, rule: str = "", not_started: bool = False,
        metadata: Iterable[tuple[str, Any]] = (), details: Iterable[tuple[str, bytes]] = (),
    ) -> None:
        if rule:
            details = [(_INFO, _info()(rule=rule, message=message).SerializeToString()), *details]
            message = f"{rule}: {message}"
        super().__init__(f"{StatusCode(code).name}: {message}")
        self.code = StatusCode(code)
        self.message = message
        self.not_started = not_started
        """No handler has seen the call, in any attempt of it: whoever made it may make it again in any case."""
        self.metadata = list(metadata)
        """The trailing metadata, as pairs."""
        self.details = list(details)
        """Pairs of a message type's name and an encoded message."""

    @property
    def retry_after(self) -> float | None:
        """How many seconds the other side asks to wait before another try; None when it does not."""
        metadata = dict(self.metadata)
        for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
            text = metadata.get(name, "")
            if isinstance(text, str) and text.isdecimal():
                return int(text) / unit
        return None

    @property
    def attempts_left(self) -> int | None:
        """How many of the five attempts of a call are left that a service has had; None where no gateway says so. Only
        gateways repeat what a service has answered, so it is 0 then."""
        text = dict(self.metadata).get("attempts-left", "")
        return int(text) if isinstance(text, str) and text.isdecimal() else None

    @property
    def lost_instances(self) -> int:
        """How many instances of the service were lost while they had the call: it may be what ended them."""
        text = dict(self.metadata).get("lost-instances", "")
        return int(text) if isinstance(text, str) and text.isdecimal() else 0

    @property
    def rule(self) -> str:
        """The stable name of the rule that refused the call, such as "unknown_record"; empty when there is none."""
        for name, value in self.details:
            if name == _INFO:
                return str(_info().FromString(value).rule)
        return ""


class Unreachable(StatusError):
    """No gateway answers at the address: nothing listens, the name is unknown, or the network is down. Nothing has
    begun: a call of which an earlier attempt may have run ends with a StatusError that is UNAVAILABLE."""

    def __init__(self, message: str) -> None:
        super().__init__(StatusCode.UNAVAILABLE, message, not_started=True)


class KeyRefused(StatusError):
    """A gateway answers and does not take the key: it is unknown there, was removed, is a key for another door, or
    may not announce what its holder serves."""


class RoleRefused(StatusError):
    """A gateway knows the key or the token, and its holder may not do this."""


def status_error(
    code: int, message: str, *, metadata: Iterable[tuple[str, Any]] = (), details: Iterable[tuple[str, bytes]] = ()
) -> StatusError:
    """The error of the class that tells most."""
    kinds: dict[int, type[StatusError]] = {
        StatusCode.UNAUTHENTICATED: KeyRefused, StatusCode.PERMISSION_DENIED: RoleRefused,
    }
    return kinds.get(int(code), StatusError)(code, message, metadata=metadata, details=details)
