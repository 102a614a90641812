import concurrent.futures
import unittest

from assent.bus import BusClient, StatusCode, StatusError
from assent.bus.envelopes import LARGEST_MESSAGE, Type, envelope
from assent.calls import Options
from assent.interop.v1.interop_pb2 import StreamingOutputCallRequest, UnaryCallRequest
from assent.metadata import LARGEST
from gateway_stub import PATIENCE, Gateways

SERVICE = "assent.interop.v1.InteropService"


class CallTests(unittest.TestCase):
    def setUp(self):
        self._gateways = Gateways(1)
        self.addCleanup(self._gateways.close)
        self._client = BusClient(self._gateways.addresses)
        self.addCleanup(self._client.close)
        self._gateways.expect(Type.HELLO, 0)
        ack = {"session": 5, "gateway": "a1", "version": 1, "ping_ms": 60_000}
        self._gateways.send(envelope(Type.HELLO_ACK, session=5, hello_ack=ack), 0)
        self._interop = self._client.service(SERVICE)

    def test_a_call_that_fails_while_it_is_opened_leaves_nothing_behind(self):
        faults = [
            (ValueError, {}, {"metadata": [("who", "Zoë")]}),
            (ValueError, {}, {"metadata": [("who", "a" * LARGEST)]}),
            (Exception, {}, {"caller": {"nobody": 1}}),  # protobuf's implementations raise errors of different classes
            (StatusError, {"payload": {"body": bytes(LARGEST_MESSAGE)}}, {}),
        ]
        for kind, fields, options in faults:
            with self.subTest(options), self.assertRaises(kind):
                self._interop.UnaryCall(UnaryCallRequest(**fields), timeout=5, **options)
        [link] = self._client._links
        self.assertEqual(link.session.calls, {})
        self.assertEqual(self._gateways.kinds(0), [])

    def test_a_call_whose_session_ends_before_it_was_opened_has_not_started(self):
        for is_open in (False, True):
            with self.subTest(is_open=is_open):
                call = self._client._new_call(self._interop.UnaryCall.method, 5)
                if is_open:
                    call.open(UnaryCallRequest(), attempt=1, options=Options())
                call.lost()
                if not is_open:
                    call.open(UnaryCallRequest(), attempt=1, options=Options())
                with self.assertRaises(StatusError) as caught:
                    call.result()
                self.assertEqual(caught.exception.code, StatusCode.UNAVAILABLE)
                self.assertEqual(caught.exception.not_started, not is_open)

    def test_a_stream_that_is_left_early_is_cancelled(self):
        with self._interop.StreamingOutputCall(StreamingOutputCallRequest()) as call:
            self._gateways.expect(Type.OPEN, 0)
        self._gateways.expect(Type.CANCEL, 0)
        with self.assertRaises(StatusError) as caught:
            next(call)
        self.assertEqual(caught.exception.code, StatusCode.CANCELLED)


class SeveralAttemptsTests(unittest.TestCase):
    def test_a_call_that_a_lost_gateway_had_may_have_run_whatever_the_next_one_says(self):
        gateways = Gateways(2)
        self.addCleanup(gateways.close)
        client = BusClient(gateways.addresses)
        self.addCleanup(client.close)
        interop = client.service(SERVICE)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            self._open_session(gateways, 0)
            outcome = pool.submit(interop.UnaryCall, UnaryCallRequest(), timeout=PATIENCE)
            self.assertEqual(gateways.expect(Type.OPEN, 0).attempt, 1)
            self._open_session(gateways, 1)
            gateways.send(envelope(Type.BYE, session=5), 0)
            opening = gateways.expect(Type.OPEN, 1)
            self.assertEqual(opening.attempt, 2)
            status = {"call_id": opening.call_id, "status_code": StatusCode.RESOURCE_EXHAUSTED, "not_started": True}
            gateways.send(envelope(Type.STATUS, session=6, **status), 1)
            error = outcome.exception()
        self.assertEqual(error.code, StatusCode.RESOURCE_EXHAUSTED)
        self.assertFalse(error.not_started)

    def _open_session(self, gateways, link):
        gateways.expect(Type.HELLO, link)
        ack = {"session": 5 + link, "gateway": f"a{link}", "version": 1, "ping_ms": 60_000}
        gateways.send(envelope(Type.HELLO_ACK, session=5 + link, hello_ack=ack), link)
