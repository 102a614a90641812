"""A worker: serves methods to any number of gateways."""

import collections
import threading
import uuid

import zmq

from ..contract import Contract
from .context import Context
from .credit import Promise, raises
from .envelopes import DEFAULT_TIMEOUT, Type, envelope
from .link import Link
from ..status import StatusCode, StatusError

ROLE_WORKER = 2


class Worker:
    """Runs handlers: `Worker(["ipc:///run/assent/bus/services"], {"assent.interop.v1.InteropService": handlers})`.

    `handlers` has a method for each method of the service that it serves, named as in the contract. A handler takes the
    request, or an iterator of requests, and a `Context`; it returns the answer, or yields answers. A StatusError that
    it raises is the outcome of the call.
    """

    def __init__(self, gateways, services, *, slots=4, prefetch=1, keys=None, contract=None):
        contract = contract or Contract.shared()
        self._offered = {name: self._handled(contract.service(name), handlers) for name, handlers in services.items()}
        self._methods = {
            method.path: (method, getattr(services[name], method.name))
            for name, methods in self._offered.items()
            for method in methods
        }
        self._slots = slots
        self._prefetch = prefetch
        self._instance = str(uuid.uuid4())
        self._changed = threading.Condition()
        self._waiting = collections.deque()
        self._running = set()
        self._promises = {}  # by session
        self._progress = 0
        self._is_stopping = False
        self._context = zmq.Context()
        self._links = [Link(self._context, gateway, self, number, keys) for number, gateway in enumerate(gateways)]
        self._threads = [threading.Thread(target=self._run, name=f"assent-bus slot {n}", daemon=True) for n in range(slots)]
        for thread in self._threads + self._links:
            thread.start()

    @staticmethod
    def _handled(methods, handlers):
        return [method for method in methods.values() if hasattr(handlers, method.name)]

    def wait_until_ready(self, timeout=DEFAULT_TIMEOUT):
        """Waits until a gateway gives this worker calls."""
        with self._changed:
            self._changed.wait_for(lambda: self._promises or all(link.refusal for link in self._links), timeout)
            if not self._promises:
                raise self._links[0].refusal or StatusError(StatusCode.DEADLINE_EXCEEDED, "no gateway answered in time")

    def stop(self):
        """Takes nothing new, hands back what has not begun, lets single answers end, ends streams, and leaves."""
        with self._changed:
            self._is_stopping = True
            waiting, running = list(self._waiting), list(self._running)
            self._waiting.clear()
            sessions = list(self._promises)
            self._changed.notify_all()
        for session in sessions:
            session.send(envelope(Type.GOAWAY))
        for call in waiting:
            call.reject()
        for call in running:
            if call.method.kind.streams_answers or call.method.kind.streams_requests:
                call.end(StatusError(StatusCode.UNAVAILABLE, "the worker is stopping"))
        for thread in self._threads:
            thread.join()
        for session in sessions:
            session.send(envelope(Type.BYE))
        for link in self._links:
            link.close()
        self._context.term()

    # Called by links, on their threads.

    def hello(self):
        opening = envelope(Type.HELLO, credit=self._slots + self._prefetch)
        hello = opening.hello
        hello.role, hello.instance, hello.slots, hello.prefetch = ROLE_WORKER, self._instance, self._slots, self._prefetch
        for name, methods in self._offered.items():
            service = hello.services.add(name=name)
            for method in methods:
                service.methods.add(
                    name=method.name, kind=int(method.kind), idempotency=method.idempotency, roles=method.roles
                )
        return opening

    def load(self):
        return len(self._running), len(self._waiting), self._progress

    def began(self, session):
        with self._changed:
            self._promises[session] = Promise(self._slots + self._prefetch)
            self._changed.notify_all()

    def ended(self, session):
        with self._changed:
            self._promises.pop(session, None)
            calls = [] if session is None else list(session.calls.values())
            self._waiting = collections.deque(call for call in self._waiting if call.session is not session)
            self._changed.notify_all()
        for call in calls:
            call.cancelled("the connection to the gateway was lost")
        self._raise_credit()

    def pinged(self, session, load):
        with self._changed:
            if (promise := self._promises.get(session)) is not None:
                promise.demand = load.waiting
        self._raise_credit()

    def received(self, session, received):
        if received.type == Type.OPEN:
            self._open(session, received)
            return
        call = session.calls.get(received.call_id)
        if call is None:
            return  # Its handler has ended.
        if received.type == Type.DATA:
            call.received_data(received)
        elif received.type == Type.WINDOW:
            call.received_window(received)
        elif received.type == Type.HALF_CLOSE:
            call.received_half_close()
        elif received.type == Type.CANCEL:
            call.cancelled("the caller has cancelled the call")

    def _open(self, session, opening):
        with self._changed:
            promise = self._promises.get(session)
            if promise is None or not promise.takes():
                return  # The gateway had no credit for it.
        found = self._methods.get(opening.method)
        if found is None:
            session.send(
                envelope(
                    Type.STATUS,
                    call_id=opening.call_id,
                    status_code=int(StatusCode.UNIMPLEMENTED),
                    status_message=f"{opening.method} is not served here",
                )
            )
            self._ended(session)
            return
        call = Context(session, opening, *found)
        session.calls[call.number] = call
        with self._changed:
            if not self._is_stopping:
                self._waiting.append(call)
                self._changed.notify_all()
                return
        call.reject()

    # Slots.

    def _run(self):
        while (call := self._next()) is not None:
            try:
                call.run()
            finally:
                with self._changed:
                    self._running.discard(call)
                    self._progress += 1
                self._ended(call.session)

    def _next(self):
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_stopping)
            if self._is_stopping:
                return None
            call = self._waiting.popleft()
            self._running.add(call)
            return call

    def _ended(self, session):
        """A call of the session is here no more."""
        with self._changed:
            if (promise := self._promises.get(session)) is not None:
                promise.open -= 1
        self._raise_credit()

    def _raise_credit(self):
        with self._changed:
            if self._is_stopping or not self._promises:
                return
            taken = len(self._running) + len(self._waiting)
            free = max(0, self._slots - taken)
            ahead = max(0, self._prefetch - max(0, taken - self._slots))
            for session, credit in raises(self._promises, free, ahead):
                # Under the lock, so that a later number never overtakes an earlier one.
                session.send(envelope(Type.CREDIT, credit=credit))
