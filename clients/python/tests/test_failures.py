import asyncio
import sys
import time
import unittest

from assent.bus import StatusCode, StatusError, Worker
from assent.bus.envelopes import Type, envelope
from assent.interop.v1.interop_pb2 import EmptyCallResponse
from assent.metadata import LARGEST
from gateway_stub import PATIENCE, Gateways

SERVICE = "assent.interop.v1.InteropService"


class Handlers:
    def __init__(self):
        self.ending = None

    def EmptyCall(self, request, context):
        self.ending(context)
        return EmptyCallResponse()


def refuse(**more):
    raise StatusError(StatusCode.NOT_FOUND, "not here", **more)


def cancel():
    raise asyncio.CancelledError


class FailingHandlerTests(unittest.TestCase):
    """However a handler fails, its call has an outcome, and its slot serves the next one."""

    def setUp(self):
        self._gateways = Gateways(1)
        self.addCleanup(self._gateways.close)
        self._handlers = Handlers()
        worker = Worker(self._gateways.addresses, {SERVICE: self._handlers}, slots=1, prefetch=0)
        self.addCleanup(worker.stop)
        self._gateways.expect(Type.HELLO, 0)
        ack = {"session": 5, "gateway": "a1", "version": 1, "ping_ms": 500}
        self._gateways.send(envelope(Type.HELLO_ACK, session=5, hello_ack=ack), 0)

    def _status(self, number):
        until = time.monotonic() + PATIENCE
        while self._gateways.credit[0] < number and time.monotonic() < until:
            self._gateways.settle(0, 0.01)
        opening = envelope(
            Type.OPEN, session=5, call_id=number, method=f"/{SERVICE}/EmptyCall", remaining_ms=5000, carries_message=True
        )
        self._gateways.send(opening, 0)
        status = self._gateways.expect(Type.STATUS, 0)
        self.assertEqual(status.call_id, number)
        return StatusCode(status.status_code)

    def test_what_cannot_be_sent_ends_the_call_and_not_the_slot(self):
        endings = [
            lambda context: refuse(metadata=[("who", "Zoë")]),
            lambda context: refuse(metadata=[("who-bin", "text")]),
            lambda context: refuse(details=[("a.B", "text")]),
            lambda context: context.trailing_metadata.append(("who", "Zoë")),
            lambda context: refuse(metadata=[("who", "a" * LARGEST)]),
            lambda context: context.trailing_metadata.append(("who", "a" * LARGEST)),
            lambda context: context.initial_metadata.append(("who", "a" * LARGEST)),
            lambda context: sys.exit(),
            lambda context: cancel(),
        ]
        for number, ending in enumerate(endings, 1):
            with self.subTest(number):
                self._handlers.ending = ending
                with self.assertLogs("assent", "ERROR"):
                    self.assertEqual(self._status(number), StatusCode.INTERNAL)
        self._handlers.ending = lambda context: None
        self.assertEqual(self._status(len(endings) + 1), StatusCode.OK)
