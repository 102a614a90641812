"""A client: calls through any of several gateways."""

import dataclasses
import itertools
import threading
import time
import uuid
from collections.abc import Mapping

import zmq

from .call import Call
from ..calls import Caller, Service, repeated
from ..contract import Contract
from .envelopes import Type, envelope
from .link import Link
from ..status import Unreachable

ROLE_CLIENT = 1


class BusClient:
    """Makes calls: `BusClient(["ipc:///run/assent/bus/clients"]).service("assent.interop.v1.InteropService")`.

    `caller` says whom the calls are made for, `tenant` alone that they are a service's own in that tenant. Both count
    where this peer may vouch for others, as on a private bus.
    """

    def __init__(self, gateways, *, keys=None, tenant="", caller=None, contract=None):
        self._caller = caller or (Caller(tenant) if tenant else None)
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
        """Gives the answer, and the call."""

        def once(options, attempt):
            call = self.start(method, request, options, attempt=attempt)
            return call.result(), call

        return repeated(once, method, options)

    def start(self, method, request, options, attempt=1):
        """Opens a call of any kind; `request` is None where the method takes a stream of them."""
        call = self._new_call(method, options.timeout)
        caller = options.caller or self._caller
        fields = caller if caller is None or isinstance(caller, Mapping) else caller.fields
        try:
            call.open(request, attempt=attempt, options=dataclasses.replace(options, caller=fields))
        except BaseException:
            call.cancel()
            raise
        return call

    def _new_call(self, method, timeout):
        deadline = time.monotonic() + timeout
        with self._changed:
            while (session := self._session()) is None:
                refusals = [link.refusal for link in self._links if link.refusal is not None]
                if len(refusals) == len(self._links) or not self._changed.wait(deadline - time.monotonic()):
                    raise self._why_there_is_no_session(refusals)
            call = Call(session, next(self._numbers), method, deadline - time.monotonic())
            session.calls[call.number] = call
            return call

    def _why_there_is_no_session(self, refusals):
        """Says of each gateway what is wrong; a gateway that answers and refuses tells more than one that is away."""
        words = "; ".join(link.trouble if link.refusal is None else link.refusal.message for link in self._links)
        if not refusals:
            return Unreachable(words)
        return type(refusals[0])(refusals[0].code, words, not_started=True)

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
