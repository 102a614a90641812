"""What calls have in common, whatever carries them: options, methods as Python methods, when a call is repeated."""

from __future__ import annotations

import dataclasses
import random
import time
import uuid
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from .contract import Kind, Method
from .metadata import Metadata, checked
from .status import StatusCode, StatusError, Unreachable

DEFAULT_TIMEOUT = 30.0
ATTEMPTS = 5
FIRST_PAUSE = 0.05

Result = TypeVar("Result")


@dataclasses.dataclass(frozen=True)
class Caller:
    """Whom calls are made for. Believed only from peers that may vouch for others: at the services' door, on ipc."""

    tenant: str
    subject: str = ""
    kind: str = "service"
    """person, device, service or operator."""
    grants: tuple[str, ...] = ()
    """A person's roles and where, such as "coordinator@heart/berlin"."""
    device: str = ""

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of an assent.bus.v1.Caller."""
        return {
            "kind": f"CALLER_KIND_{self.kind.upper()}", "tenant": self.tenant, "subject": self.subject,
            "device": self.device, "grants": list(self.grants),
        }


@dataclasses.dataclass(frozen=True)
class Options:
    """What a call is made with, besides its request."""

    timeout: float = DEFAULT_TIMEOUT
    """Seconds, for all attempts together. Of these there are five at most, those that gateways make included."""
    metadata: Metadata = ()
    """Pairs, or a dict. A key that ends in -bin has bytes for its value."""
    idempotency_key: str | None = None
    """Names the call's effect, in all its attempts. Drawn by the client where the method may not be repeated; an empty
    one forbids repeats."""
    waits_for_ready: bool = False
    """Wait for an instance of the service instead of failing when there is none. Over the bus."""
    caller: Caller | Mapping[str, Any] | None = None
    """Whom the call is made for, where it is not the client's own caller. Over the bus."""


def repeated(call: Callable[[Options, int], Result], method: Method, options: Options) -> Result:
    """Calls, and calls again where that can do no harm and may help, within the deadline and under the same key."""
    deadline = time.monotonic() + options.timeout
    may_have_run = False
    cause: StatusError | None = None
    attempt = 1
    while True:
        try:
            return call(dataclasses.replace(options, timeout=deadline - time.monotonic()), attempt)
        except StatusError as error:
            may_have_run = may_have_run or not error.not_started
            if cause is None or error.code != StatusCode.DEADLINE_EXCEEDED:
                # Where time is over within a repeat, why there was one says more.
                cause = error
            if error.attempts_left is not None:
                # The gateway has repeated the call by itself.
                attempt = max(attempt, ATTEMPTS - error.attempts_left)
            pause = _pause(error, method, options, attempt)
            if pause is None or time.monotonic() + pause >= deadline:
                if may_have_run and cause.not_started:
                    raise _of_a_call_that_may_have_run(cause) from cause
                if cause is not error:
                    raise cause from error
                raise
        attempt += 1
        time.sleep(pause)


def _of_a_call_that_may_have_run(error: StatusError) -> StatusError:
    """The error of an attempt that has not begun, as that of a call of which another attempt may have run."""
    kind = StatusError if isinstance(error, Unreachable) else type(error)
    return kind(error.code, error.message, metadata=error.metadata, details=error.details)


def _pause(error: StatusError, method: Method, options: Options, attempt: int) -> float | None:
    """How long to wait before another attempt; None when there is to be none."""
    if attempt >= ATTEMPTS:
        return None
    # A gateway also ends calls that have begun with RESOURCE_EXHAUSTED.
    if error.code not in (StatusCode.UNAVAILABLE, StatusCode.RESOURCE_EXHAUSTED):
        return None
    if not (error.not_started or method.may_repeat or options.idempotency_key):
        return None
    # Without a hint, waiting does not help where a bound is reached.
    if error.retry_after is not None or error.code == StatusCode.RESOURCE_EXHAUSTED:
        return error.retry_after
    return FIRST_PAUSE * 2 ** (attempt - 1) * random.uniform(0.5, 1)


class Service:
    """A service's methods as Python methods: `service.EmptyCall(request, timeout=2)`."""

    def __init__(self, client: Any, methods: Mapping[str, Method]) -> None:
        for name, method in methods.items():
            setattr(self, name, MethodOfService(client, method))

    def __getattr__(self, name: str) -> MethodOfService:
        raise AttributeError(f"the service has no method '{name}'")


class MethodOfService:
    """Unary methods give the answer. Server streaming methods give a call to iterate over; the other two, a call to
    `send` to."""

    def __init__(self, client: Any, method: Method) -> None:
        self._client = client
        self.method = method

    def __call__(self, request: Any = None, **options: Any) -> Any:
        if self.method.kind == Kind.UNARY:
            return self.with_call(request, **options)[0]
        return self._client.start(self.method, self._checked(request), self._options(options))

    def with_call(self, request: Any, **options: Any) -> tuple[Any, Any]:
        """The answer of a unary call and the call, for those who want its metadata."""
        return self._client.unary(self.method, self._checked(request), self._options(options))

    def _checked(self, request: Any) -> Any:
        if (request is None) != self.method.kind.streams_requests:
            raise TypeError(f"{self.method.path} takes {'its requests by send()' if request else 'one request'}")
        return request

    def _options(self, given: Mapping[str, Any]) -> Options:
        options = Options(**given)
        # Read once, whatever it is: attempts repeat it.
        options = dataclasses.replace(options, metadata=checked(options.metadata))
        if options.idempotency_key is None and not self.method.may_repeat:
            # By default every mutation has a key, so that it may be tried again after a fault.
            options = dataclasses.replace(options, idempotency_key=str(uuid.uuid4()))
        return options
