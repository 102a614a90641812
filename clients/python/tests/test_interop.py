"""The client against a gateway with an InteropService behind it; ASSENT_CLIENTS_DOORS says where the gateway is."""

import time
import unittest

from assent.bus import BusClient, Contract, StatusCode, StatusError, Worker

from installation import CLIENT_KEYS, CLIENTS_DOORS
from interop_worker import InteropHandlers

SERVICE = "assent.interop.v1.InteropService"
SIZES = [31_415, 9, 2_653, 58_979]
METADATA = [("assent-echo-initial", "first"), ("assent-echo-trailing-bin", b"\xab\0\xab")]


def message(name, **fields):
    return Contract.shared().message(f"assent.interop.v1.{name}")(**fields)


def asking_for(*sizes, **fields):
    return message("StreamingOutputCallRequest", response_parameters=[{"size": size} for size in sizes], **fields)


def lengths(answers):
    return [len(answer.payload.body) for answer in answers]


@unittest.skipUnless(CLIENTS_DOORS, "needs a gateway: ASSENT_CLIENTS_DOORS names its clients' door, by one address or more")
class InteropTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = BusClient(CLIENTS_DOORS, keys=CLIENT_KEYS)
        cls.addClassCleanup(cls.client.close)
        cls.interop = cls.client.service(SERVICE)

    def assertFails(self, code, work):
        with self.assertRaises(StatusError) as caught:
            work()
        self.assertEqual(caught.exception.code, code, caught.exception)
        return caught.exception

    def test_empty_unary(self):
        self.assertEqual(self.interop.EmptyCall(message("EmptyCallRequest")), message("EmptyCallResponse"))

    def test_many_unary_calls(self):
        for size in range(500):
            answer = self.interop.UnaryCall(message("UnaryCallRequest", response_size=size))
            self.assertEqual(len(answer.payload.body), size)

    def test_unary_around_the_bounds_of_payloads(self):
        # Inline and in a second frame, whole and in chunks, within the first window and beyond it.
        for size in [1000, 1024, 1100, 65_536, 131_000, 131_072, 132_000, 1 << 20, 5 << 20]:
            request = message("UnaryCallRequest", response_size=size, payload={"body": bytes(size)})
            self.assertEqual(len(self.interop.UnaryCall(request).payload.body), size)

    def test_mixed_unary(self):
        mixed = message("MixedMessage", text="Grüße, 世界", values=[1.5, float("inf")], notes={"a": "b"}, group=7)
        self.assertEqual(self.interop.EchoMixed(message("EchoMixedRequest", message=mixed)).message, mixed)

    def test_server_streaming(self):
        self.assertEqual(lengths(self.interop.StreamingOutputCall(asking_for(*SIZES))), SIZES)

    def test_server_streaming_far_beyond_the_window(self):
        sizes = [10_000] * 200 + [1 << 20]
        self.assertEqual(lengths(self.interop.StreamingOutputCall(asking_for(*sizes))), sizes)

    def test_client_streaming(self):
        call = self.interop.StreamingInputCall()
        sizes = [*SIZES, 1 << 20]
        for size in sizes:
            call.send(message("StreamingInputCallRequest", payload={"body": bytes(size)}))
        call.done_sending()
        self.assertEqual(call.result().aggregated_payload_size, sum(sizes))

    def test_ping_pong(self):
        call = self.interop.FullDuplexCall()
        for size in SIZES:
            call.send(asking_for(size))
            self.assertEqual(lengths([next(call)]), [size])
        call.done_sending()
        self.assertEqual(list(call), [])

    def test_half_duplex(self):
        call = self.interop.HalfDuplexCall()
        for size in SIZES:
            call.send(asking_for(size))
        call.done_sending()
        self.assertEqual(lengths(call), SIZES)

    def test_empty_stream(self):
        call = self.interop.FullDuplexCall()
        call.done_sending()
        self.assertEqual(list(call), [])

    def test_status_code_and_message(self):
        text = "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n"
        status = {"code": int(StatusCode.ABORTED), "message": text}
        error = self.assertFails(
            StatusCode.ABORTED, lambda: self.interop.UnaryCall(message("UnaryCallRequest", response_status=status))
        )
        self.assertEqual(error.message, text)

    def test_status_after_a_stream(self):
        call = self.interop.StreamingOutputCall(asking_for(5, 6, response_status={"code": int(StatusCode.ABORTED)}))
        self.assertEqual(lengths([next(call), next(call)]), [5, 6])
        self.assertFails(StatusCode.ABORTED, lambda: next(call))

    def test_metadata(self):
        _, call = self.interop.EmptyCall.with_call(message("EmptyCallRequest"), metadata=METADATA)
        self.assertEqual((call.initial_metadata, call.trailing_metadata), (METADATA[:1], METADATA[1:]))

    def test_metadata_of_streams(self):
        call = self.interop.FullDuplexCall(metadata=METADATA)
        call.send(asking_for(10))
        call.done_sending()
        self.assertEqual(lengths(call), [10])
        self.assertEqual((call.initial_metadata, call.trailing_metadata), (METADATA[:1], METADATA[1:]))

    def test_deadline(self):
        begin = time.monotonic()
        request = message("UnaryCallRequest", sleep_ms=60_000)
        self.assertFails(StatusCode.DEADLINE_EXCEEDED, lambda: self.interop.UnaryCall(request, timeout=0.2))
        self.assertLess(time.monotonic() - begin, 30)

    def test_a_session_lives_while_nothing_but_pings_flow(self):
        # Longer than three intervals of pings; without a key the call would not survive the loss of a session.
        request = message("UnaryCallRequest", sleep_ms=2_500)
        self.interop.UnaryCall(request, idempotency_key="")

    def test_a_worker_is_refused_at_the_clients_door(self):
        worker = Worker(CLIENTS_DOORS, {SERVICE: InteropHandlers()}, keys=CLIENT_KEYS)
        self.addCleanup(worker.stop)
        self.assertFails(StatusCode.PERMISSION_DENIED, worker.wait_until_ready)

    def test_cancel_after_begin(self):
        call = self.interop.StreamingInputCall()
        call.cancel()
        self.assertFails(StatusCode.CANCELLED, call.result)

    def test_cancel_after_the_first_answer(self):
        call = self.interop.FullDuplexCall()
        call.send(asking_for(31_415))
        self.assertEqual(lengths([next(call)]), [31_415])
        call.cancel()
        self.assertFails(StatusCode.CANCELLED, lambda: next(call))

    def test_a_stream_that_is_left_early_is_cancelled(self):
        with self.interop.StreamingOutputCall(asking_for(*SIZES)) as call:
            self.assertEqual(lengths([next(call)]), SIZES[:1])
        self.assertNotIn(call.number, call.session.calls)

    def test_many_cancelled_calls_leave_the_worker_its_slots(self):
        for _ in range(50):
            self.interop.FullDuplexCall().cancel()
        self.test_empty_unary()

    def test_unimplemented(self):
        request = message("UnimplementedCallRequest")
        self.assertFails(StatusCode.UNIMPLEMENTED, lambda: self.interop.UnimplementedCall(request))

    def test_health_of_the_gateways_own_services(self):
        health = self.client.service("grpc.health.v1.Health")
        answer = health.Check(Contract.shared().message("grpc.health.v1.HealthCheckRequest")(service=SERVICE))
        self.assertEqual(answer.status, 1)
