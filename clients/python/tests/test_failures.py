import asyncio
import gc
import re
import sys
import threading
import time
import unittest

from assent.bus import StatusCode, StatusError, Worker
from assent.bus.envelopes import Type, envelope
from assent.common.v1.error_info_pb2 import ErrorInfo
from assent.interop.v1.interop_pb2 import EmptyCallResponse, Payload, StreamingOutputCallResponse
from assent.metadata import LARGEST
from gateway_stub import PATIENCE, Gateways

SERVICE = "assent.interop.v1.InteropService"


class Handlers:
    def __init__(self):
        self.ending = None
        self.closed = threading.Event()

    def EmptyCall(self, request, context):
        self.ending(context)
        return EmptyCallResponse()

    def StreamingOutputCall(self, request, context):
        try:
            while True:
                yield StreamingOutputCallResponse(payload=Payload(body=bytes(1000)))
        finally:
            self.closed.set()


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
        ack = {"session": 5, "gateway": "a1", "version": 1, "ping_ms": 60_000}
        self._gateways.send(envelope(Type.HELLO_ACK, session=5, hello_ack=ack), 0)

    def _status(self, number):
        return StatusCode(self._ending(number).status_code)

    def _ending(self, number, request=b""):
        until = time.monotonic() + PATIENCE
        while self._gateways.credit[0] < number and time.monotonic() < until:
            self._gateways.settle(0, 0.01)
        opening = envelope(
            Type.OPEN, session=5, call_id=number, method=f"/{SERVICE}/EmptyCall", remaining_ms=5000,
            carries_message=True, payload=request,
        )
        self._gateways.send(opening, 0)
        status = self._gateways.expect(Type.STATUS, 0)
        self.assertEqual(status.call_id, number)
        return status

    def _check_rule(self, status, code, rule):
        """The status has the form that Assent's own services give to every error."""
        [detail] = status.status_details
        self.assertEqual(detail.type_name, "assent.common.v1.ErrorInfo")
        info = ErrorInfo.FromString(detail.value)
        self.assertEqual((StatusCode(status.status_code), info.rule, info.field), (code, rule, ""))
        self.assertEqual(status.status_message, f"{rule}: {info.message}")

    def test_a_cancelled_handler_that_yields_is_closed(self):
        gc.disable()
        self.addCleanup(gc.enable)
        opening = envelope(
            Type.OPEN, session=5, call_id=1, method=f"/{SERVICE}/StreamingOutputCall", remaining_ms=5000,
            carries_message=True,
        )
        self._gateways.send(opening, 0)
        # It fills the window, and waits at its `yield`.
        self._gateways.stream(1, 65536, 0)
        self.assertFalse(self._handlers.closed.is_set())
        self._gateways.send(envelope(Type.CANCEL, session=5, call_id=1), 0)
        self.assertTrue(self._handlers.closed.wait(PATIENCE))

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

    def test_of_an_unexpected_error_the_caller_gets_a_rule_and_an_id_that_the_log_has(self):
        def mishap(context):
            raise ValueError("Ana's words")

        for number, (ending, story) in enumerate([
            (mishap, "an unexpected error"),
            (lambda context: refuse(metadata=[("who", "Zoë")]), "the handler's outcome cannot be sent"),
        ], 1):
            with self.subTest(story):
                self._handlers.ending = ending
                with self.assertLogs("assent", "ERROR") as logged:
                    status = self._ending(number)
                self._check_rule(status, StatusCode.INTERNAL, "internal_error")
                pattern = f"internal_error: {story}; the service's log has it under ([0-9a-f]{{16}})"
                said = re.fullmatch(pattern, status.status_message)
                self.assertIsNotNone(said, status.status_message)
                self.assertIn(said[1], logged.output[0])
                self.assertNotIn("Ana", status.status_message)

    def test_a_request_that_cannot_be_read_breaks_a_rule(self):
        status = self._ending(1, request=b"\xff")
        self._check_rule(status, StatusCode.INVALID_ARGUMENT, "bad_request")
        self.assertIn("cannot be read", status.status_message)

    def test_a_handler_that_names_a_rule_gives_its_error_the_form_of_a_service(self):
        self._handlers.ending = lambda context: refuse(rule="unknown_thing")
        status = self._ending(1)
        self._check_rule(status, StatusCode.NOT_FOUND, "unknown_thing")
        self.assertEqual(status.status_message, "unknown_thing: not here")
        self.assertEqual(StatusError(5, "not here", rule="unknown_thing").rule, "unknown_thing")
