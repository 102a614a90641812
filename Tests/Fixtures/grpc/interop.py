"""gRPC's interoperability cases with PyPI's grpcio as the client.

interop.py TARGET TOKEN [UNITTEST-OPTION…]
"""

import pathlib
import queue
import sys
import unittest

import grpc

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "clients/python"))

from assent.bus import Contract  # noqa: E402

TARGET, TOKEN = sys.argv[1:3]
SERVICE = "assent.interop.v1.InteropService"
METHODS = Contract.shared().service(SERVICE)
SIZES = [31_415, 9, 2_653, 58_979]
REQUEST_SIZES = [27_182, 8, 1_828, 45_904]
OPTIONS = [("grpc.max_receive_message_length", 64 << 20), ("grpc.max_send_message_length", 64 << 20)]
CREDENTIAL = ("authorization", f"Bearer {TOKEN}")
ECHO = [("assent-echo-initial", "first"), ("assent-echo-trailing-bin", b"\xab\0\xab")]


def message(name, **fields):
    return Contract.shared().message(f"assent.interop.v1.{name}")(**fields)


def asking_for(*sizes, **fields):
    return message("StreamingOutputCallRequest", response_parameters=[{"size": size} for size in sizes], **fields)


def lengths(answers):
    return [len(answer.payload.body) for answer in answers]


class Interop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.channel = grpc.insecure_channel(TARGET, options=OPTIONS)
        cls.addClassCleanup(cls.channel.close)

    def method(self, name, kind="unary_unary", service=SERVICE):
        method = METHODS.get(name)
        call = getattr(self.channel, kind)(
            f"/{service}/{name}",
            request_serializer=method.request.SerializeToString if method else bytes,
            response_deserializer=method.answer.FromString if method else bytes,
        )

        def make(requests, *, metadata=(), with_call=False, **options):
            options.setdefault("timeout", 30)
            work = call.with_call if with_call else call
            return work(requests, metadata=[CREDENTIAL, *metadata], **options)

        return make

    def assertFails(self, code, work):
        with self.assertRaises(grpc.RpcError) as caught:
            work()
        self.assertEqual(caught.exception.code(), code, caught.exception)
        return caught.exception

    def test_empty_unary(self):
        self.assertEqual(self.method("EmptyCall")(message("EmptyCallRequest")), message("EmptyCallResponse"))

    def test_large_unary(self):
        for asked, sent in [(314_159, 271_828), (20 << 20, 3 << 20)]:
            request = message("UnaryCallRequest", response_size=asked, payload={"body": bytes(sent)})
            self.assertEqual(len(self.method("UnaryCall")(request).payload.body), asked)

    def test_unary_around_the_bounds_of_payloads(self):
        for size in [0, 1, 1000, 1024, 16_379, 16_384, 65_536, 131_000, 131_072, 132_000, 1 << 20]:
            request = message("UnaryCallRequest", response_size=size, payload={"body": bytes(size)})
            self.assertEqual(len(self.method("UnaryCall")(request).payload.body), size)

    def test_mixed_unary(self):
        mixed = message("MixedMessage", text="Grüße, 世界", values=[1.5, float("inf")], notes={"a": "b"}, group=7)
        answer = self.method("EchoMixed")(message("EchoMixedRequest", message=mixed))
        self.assertEqual(answer.message, mixed)

    def test_compressed_unary(self):
        for size in [10, 100_000, 5 << 20]:
            request = message("UnaryCallRequest", response_size=size, payload={"body": bytes(size)})
            answer = self.method("UnaryCall")(request, compression=grpc.Compression.Gzip)
            self.assertEqual(len(answer.payload.body), size)

    def test_compression_that_nobody_knows(self):
        work = self.method("EmptyCall")
        error = self.assertFails(
            grpc.StatusCode.UNIMPLEMENTED,
            lambda: work(message("EmptyCallRequest"), compression=grpc.Compression.Deflate))
        self.assertIn("deflate", error.details())

    def test_client_streaming(self):
        requests = (message("StreamingInputCallRequest", payload={"body": bytes(size)}) for size in REQUEST_SIZES)
        answer = self.method("StreamingInputCall", "stream_unary")(requests)
        self.assertEqual(answer.aggregated_payload_size, sum(REQUEST_SIZES))

    def test_client_streaming_far_beyond_the_window(self):
        requests = (message("StreamingInputCallRequest", payload={"body": bytes(100_000)}) for _ in range(300))
        answer = self.method("StreamingInputCall", "stream_unary")(requests)
        self.assertEqual(answer.aggregated_payload_size, 30_000_000)

    def test_compressed_client_streaming(self):
        requests = (message("StreamingInputCallRequest", payload={"body": bytes(size)}) for size in REQUEST_SIZES)
        answer = self.method("StreamingInputCall", "stream_unary")(requests, compression=grpc.Compression.Gzip)
        self.assertEqual(answer.aggregated_payload_size, sum(REQUEST_SIZES))

    def test_server_streaming(self):
        self.assertEqual(lengths(self.method("StreamingOutputCall", "unary_stream")(asking_for(*SIZES))), SIZES)

    def test_server_streaming_far_beyond_the_window(self):
        sizes = [10_000] * 500 + [1 << 20]
        self.assertEqual(lengths(self.method("StreamingOutputCall", "unary_stream")(asking_for(*sizes))), sizes)

    def test_ping_pong(self):
        waiting = queue.Queue()
        call = self.method("FullDuplexCall", "stream_stream")(iter(waiting.get, None))
        for size, filling in zip(SIZES, REQUEST_SIZES):
            waiting.put(asking_for(size, payload={"body": bytes(filling)}))
            self.assertEqual(lengths([next(call)]), [size])
        waiting.put(None)
        self.assertEqual(list(call), [])

    def test_half_duplex(self):
        requests = iter([asking_for(size) for size in SIZES])
        self.assertEqual(lengths(self.method("HalfDuplexCall", "stream_stream")(requests)), SIZES)

    def test_empty_stream(self):
        self.assertEqual(list(self.method("FullDuplexCall", "stream_stream")(iter([]))), [])

    def test_status_code_and_message(self):
        for text in ["test status message", "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n", "100 %"]:
            status = {"code": 2, "message": text}
            unary = self.assertFails(
                grpc.StatusCode.UNKNOWN,
                lambda: self.method("UnaryCall")(message("UnaryCallRequest", response_status=status)))
            self.assertEqual(unary.details(), text)
            request = message("StreamingOutputCallRequest", response_status=status)
            stream = self.assertFails(
                grpc.StatusCode.UNKNOWN,
                lambda: list(self.method("FullDuplexCall", "stream_stream")(iter([request]))))
            self.assertEqual(stream.details(), text)

    def test_status_after_stream(self):
        call = self.method("StreamingOutputCall", "unary_stream")(asking_for(5, 6, response_status={"code": 10}))
        self.assertEqual([len(next(call).payload.body), len(next(call).payload.body)], [5, 6])
        self.assertFails(grpc.StatusCode.ABORTED, lambda: next(call))

    def test_custom_metadata(self):
        _, call = self.method("EmptyCall")(message("EmptyCallRequest"), metadata=ECHO, with_call=True)
        self.assertIn(("assent-echo-initial", "first"), list(call.initial_metadata()))
        self.assertIn(("assent-echo-trailing-bin", b"\xab\0\xab"), list(call.trailing_metadata()))

    def test_metadata_of_streams(self):
        call = self.method("FullDuplexCall", "stream_stream")(iter([asking_for(10)]), metadata=ECHO)
        self.assertIn(("assent-echo-initial", "first"), list(call.initial_metadata()))
        self.assertEqual(lengths(call), [10])
        self.assertIn(("assent-echo-trailing-bin", b"\xab\0\xab"), list(call.trailing_metadata()))

    def test_timeout_on_sleeping_server(self):
        request = message("UnaryCallRequest", sleep_ms=60_000)
        self.assertFails(grpc.StatusCode.DEADLINE_EXCEEDED, lambda: self.method("UnaryCall")(request, timeout=0.1))

    def test_cancel_after_begin(self):
        call = self.method("StreamingOutputCall", "unary_stream")(asking_for(*[1] * 100_000))
        call.cancel()
        self.assertFails(grpc.StatusCode.CANCELLED, lambda: list(call))

    def test_cancel_after_first_response(self):
        call = self.method("StreamingOutputCall", "unary_stream")(asking_for(*[31_415] * 1000))
        next(call)
        call.cancel()
        self.assertFails(grpc.StatusCode.CANCELLED, lambda: list(call))

    def test_unimplemented(self):
        unimplemented = grpc.StatusCode.UNIMPLEMENTED
        self.assertFails(
            unimplemented, lambda: self.method("UnimplementedCall")(message("UnimplementedCallRequest")))
        error = self.assertFails(unimplemented, lambda: self.method("NoSuchMethod")(b""))
        self.assertIn("NoSuchMethod", error.details())
        self.assertFails(unimplemented, lambda: self.method("Anything", service="assent.interop.v1.NoSuchService")(b""))

    def test_many_at_once(self):
        calls = [
            self.method("StreamingOutputCall", "unary_stream")(asking_for(*[number] * 20)) for number in range(200)]
        for number, call in enumerate(calls):
            self.assertEqual(lengths(call), [number] * 20)

    def test_credentials(self):
        call = self.channel.unary_unary(f"/{SERVICE}/EmptyCall", request_serializer=bytes, response_deserializer=bytes)
        self.assertFails(grpc.StatusCode.UNAUTHENTICATED, lambda: call(b"", timeout=10))
        wrong = [("authorization", "Bearer ak_wrong")]
        self.assertFails(grpc.StatusCode.UNAUTHENTICATED, lambda: call(b"", metadata=wrong, timeout=10))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
