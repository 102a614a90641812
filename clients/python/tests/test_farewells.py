import unittest

from assent import KeyRefused
from assent.bus import BusClient, Worker
from assent.bus.envelopes import Type, envelope
from assent.interop.v1.interop_pb2 import EmptyCallRequest
from gateway_stub import Gateways

SERVICE = "assent.interop.v1.InteropService"


class FarewellTests(unittest.TestCase):
    """What a gateway says with BYE, or when it takes no session, stands in the log."""

    def setUp(self):
        self._gateways = Gateways(1)
        self.addCleanup(self._gateways.close)

    def test_a_client_logs_why_its_session_ended(self):
        with BusClient(self._gateways.addresses):
            self._check_farewell()

    def test_a_worker_logs_why_its_session_ended(self):
        worker = Worker(self._gateways.addresses, {SERVICE: object()})
        self.addCleanup(worker.stop)
        self._check_farewell()

    def _check_farewell(self):
        self._gateways.expect(Type.HELLO, 0)
        ack = {"session": 5, "gateway": "a1", "version": 1, "ping_ms": 500}
        self._gateways.send(envelope(Type.HELLO_ACK, session=5, hello_ack=ack), 0)
        with self.assertLogs("assent", "WARNING") as logged:
            bye = envelope(Type.BYE, session=5, status_code=3, status_message="16 offences, the last of them: noise")
            self._gateways.send(bye, 0)
            self._gateways.expect(Type.HELLO, 0)
        self.assertEqual(len(logged.output), 1)
        self.assertIn("16 offences", logged.output[0])
        with self.assertNoLogs("assent", "WARNING"):
            self._gateways.send(envelope(Type.HELLO_ACK, session=6, hello_ack=dict(ack, session=6)), 0)
            self._gateways.send(envelope(Type.BYE, session=6), 0)
            self._gateways.expect(Type.HELLO, 0)

    def test_a_removed_key_is_told_as_such_and_logged_once(self):
        client = BusClient(self._gateways.addresses)
        self.addCleanup(client.close)
        refused = envelope(Type.GOAWAY, status_code=7, status_message="the key is not in the list")
        with self.assertLogs("assent", "WARNING") as logged:
            for _ in range(2):
                self._gateways.expect(Type.HELLO, 0)
                self._gateways.send(refused, 0)
            with self.assertRaises(KeyRefused):
                client.service(SERVICE).EmptyCall(EmptyCallRequest(), timeout=5)
        self.assertEqual(len(logged.output), 1)
        self.assertIn("the key is not in the list", logged.output[0])
