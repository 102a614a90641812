"""A client: calls through any of several gateways."""

import dataclasses
import itertools
import threading
import time
import uuid

import zmq

from .call import Call
from .contract import Contract, Kind
from .envelopes import DEFAULT_TIMEOUT, Type, envelope
from .link import Link
from .status import StatusCode, StatusError

ROLE_CLIENT = 1
ATTEMPTS = 5
FIRST_PAUSE = 0.05


@dataclasses.dataclass(frozen=True)
class Options:
    """What a call is made with, besides its request."""

    timeout: float = DEFAULT_TIMEOUT
    metadata: object = ()
    """Pairs, or a dict. A key that ends in -bin has bytes for its value."""
    idempotency_key: str | None = None
    """Names the call's effect. Drawn by the client where the method may not be repeated; an empty one forbids repeats."""
    priority: int = 2
    """1 for batches, 2 for the usual, 3 when a person waits."""
    waits_for_ready: bool = False
    """Wait for an instance of the service instead of failing when there is none."""
    caller: object = None
    """Whom the call is made for, as a dict of an assent.bus.v1.Caller's fields. Believed only on the services' door and on ipc."""


class Client:
    """Makes calls: `Client(["ipc:///run/assent/bus/clients"]).service("assent.interop.v1.InteropService")`."""

    def __init__(self, gateways, *, keys=None, contract=None):
        self._contract = contract or Contract.shared()
        self._instance = str(uuid.uuid4())
        self._changed = threading.Condition()
        self._numbers = itertools.count(1)
        self._turns = itertools.count()
        self._context = zmq.Context()
        self._links = [Link(self._context, gateway, self, number, keys) for number, gateway in enumerate(gateways)]
        for link in self._links:
            link.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Cancels the calls under way, and leaves."""
        for link in self._links:
            if (session := link.session) is not None:
                for call in list(session.calls.values()):
                    call.cancel()
                session.send(envelope(Type.BYE))
            link.close()
        self._context.term()

    def service(self, name):
        """An object with a method for each method of a service."""
        return Service(self, self._contract.service(name))

    # Calls.

    def unary(self, method, request, options):
        """Calls, and calls again where that can do no harm, as long as the deadline allows. Gives the call, with its answer."""
        deadline = time.monotonic() + options.timeout
        for attempt in itertools.count(1):
            try:
                call = self.start(
                    method, request, dataclasses.replace(options, timeout=deadline - time.monotonic()), attempt=attempt
                )
                return call, call.result()
            except StatusError as error:
                may_repeat = error.not_started or method.may_repeat or bool(options.idempotency_key)
                pause = error.retry_after or FIRST_PAUSE * 2 ** (attempt - 1)
                if (
                    error.code != StatusCode.UNAVAILABLE
                    or not may_repeat
                    or attempt == ATTEMPTS
                    or time.monotonic() + pause >= deadline
                ):
                    raise
                time.sleep(pause)

    def start(self, method, request, options, attempt=1):
        """Opens a call of any kind; `request` is None where the method takes a stream of them."""
        call = self._new_call(method, options.timeout)
        call.open(request, attempt=attempt, options=options)
        return call

    def _new_call(self, method, timeout):
        deadline = time.monotonic() + timeout
        with self._changed:
            while (session := self._session()) is None:
                refusals = [link.refusal for link in self._links if link.refusal is not None]
                if len(refusals) == len(self._links):
                    raise refusals[0]
                if not self._changed.wait(deadline - time.monotonic()):
                    raise StatusError(StatusCode.DEADLINE_EXCEEDED, "no gateway could be reached in time")
            call = Call(session, next(self._numbers), method, deadline - time.monotonic())
            session.calls[call.number] = call
            return call

    def _session(self):
        """A session that takes calls; the gateways take turns."""
        sessions = [link.session for link in self._links]
        ready = [session for session in sessions if session is not None and session.takes_calls]
        return ready[next(self._turns) % len(ready)] if ready else None

    # Called by links, on their threads.

    def hello(self):
        hello = envelope(Type.HELLO)
        hello.hello.role = ROLE_CLIENT
        hello.hello.instance = self._instance
        return hello

    def load(self):
        return None

    def pinged(self, session, load):
        pass

    def began(self, session):
        with self._changed:
            self._changed.notify_all()

    def ended(self, session):
        with self._changed:
            calls = [] if session is None else list(session.calls.values())
            self._changed.notify_all()
        for call in calls:
            call.lost()

    def received(self, session, received):
        call = session.calls.get(received.call_id)
        if call is None:
            return  # The call was cancelled.
        if received.type == Type.DATA:
            call.received_first_metadata(received)
            call.received_data(received)
        elif received.type == Type.WINDOW:
            call.received_window(received)
        elif received.type == Type.STATUS:
            call.received_status(received)


class Service:
    """A service's methods as Python methods: `service.EmptyCall(request, timeout=2)`."""

    def __init__(self, client, methods):
        for name, method in methods.items():
            setattr(self, name, MethodOfService(client, method))


class MethodOfService:
    """Unary methods give the answer. Server streaming methods give a call to iterate over; the other two, a call to `send` to."""

    def __init__(self, client, method):
        self._client = client
        self.method = method

    def __call__(self, request=None, **options):
        if self.method.kind == Kind.UNARY:
            return self.with_call(request, **options)[1]
        return self._client.start(self.method, self._checked(request), self._options(options))

    def with_call(self, request, **options):
        """A unary call together with its answer, for those who want its metadata."""
        return self._client.unary(self.method, self._checked(request), self._options(options))

    def _checked(self, request):
        if (request is None) != self.method.kind.streams_requests:
            raise TypeError(f"{self.method.path} takes {'its requests by send()' if request else 'one request'}")
        return request

    def _options(self, options):
        options = Options(**options)
        if options.idempotency_key is None and not self.method.may_repeat:
            # By default every mutation has a key, so that the gateway may try again after a fault.
            options = dataclasses.replace(options, idempotency_key=str(uuid.uuid4()))
        return options
