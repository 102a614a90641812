"""The interoperability cases over Connect, and over gRPC-Web where it is offered, by the package connectrpc."""
import os
import sys
import unittest

from connectrpc import client, code, errors, method
from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from door import KEY, ROOT

SERVICE = "assent.interop.v1.InteropService"
POOL = descriptor_pool.DescriptorPool()


def load():
    files = descriptor_pb2.FileDescriptorSet()
    with open(os.path.join(ROOT, "proto/assent.binpb"), "rb") as file:
        files.ParseFromString(file.read())
    for file in files.file:
        POOL.Add(file)
    return POOL.FindServiceByName(SERVICE)


METHODS = {item.name: item for item in load().methods}


def kind(name):
    return message_factory.GetMessageClass(POOL.FindMessageTypeByName(f"assent.interop.v1.{name}"))


def info(name):
    item = METHODS[name]
    stream = method.StreamType.UNARY
    if item.client_streaming:
        stream = method.StreamType.CLIENT_STREAM
    elif item.server_streaming:
        stream = method.StreamType.SERVER_STREAM
    return method.MethodInfo(
        name=name, service_name=SERVICE, input=message_factory.GetMessageClass(item.input_type),
        output=message_factory.GetMessageClass(item.output_type),
        idempotency_level=method.IdempotencyLevel.UNKNOWN, stream_type=stream)


class Cases:
    def setUp(self):
        self.client = client.ConnectClientSync(os.environ["ASSENT_ADDRESS"], codec=self.codec())
        self.headers = {"authorization": f"Bearer {KEY}"}
        self.addCleanup(self.client.close)

    def unary(self, name, request, **more):
        return self.client.execute_unary(request=request, method=info(name), headers=self.headers, **more)

    def test_empty_unary(self):
        self.assertEqual(self.unary("EmptyCall", kind("EmptyCallRequest")()), kind("EmptyCallResponse")())

    def test_large_unary(self):
        request = kind("UnaryCallRequest")(response_size=314_159, payload={"body": b"\0" * 271_828})
        self.assertEqual(len(self.unary("UnaryCall", request).payload.body), 314_159)

    def test_client_streaming(self):
        make = kind("StreamingInputCallRequest")
        requests = (make(payload={"body": b"\0" * size}) for size in [27_182, 8, 1_828, 45_904])
        answer = self.client.execute_client_stream(
            request=requests, method=info("StreamingInputCall"), headers=self.headers)
        self.assertEqual(answer.aggregated_payload_size, 74_922)

    def test_server_streaming(self):
        sizes = [31_415, 9, 2_653, 58_979]
        request = kind("StreamingOutputCallRequest")(response_parameters=[{"size": size} for size in sizes])
        answers = self.client.execute_server_stream(
            request=request, method=info("StreamingOutputCall"), headers=self.headers)
        self.assertEqual([len(answer.payload.body) for answer in answers], sizes)

    def test_status_code_and_message(self):
        for message in ["test status message", "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n"]:
            request = kind("UnaryCallRequest")(response_status={"code": 2, "message": message})
            with self.assertRaises(errors.ConnectError) as caught:
                self.unary("UnaryCall", request)
            self.assertEqual((caught.exception.code, caught.exception.message), (code.Code.UNKNOWN, message))

    def test_status_of_a_stream(self):
        request = kind("StreamingOutputCallRequest")(
            response_parameters=[{"size": 1}], response_status={"code": 9, "message": "enough"})
        answers = self.client.execute_server_stream(
            request=request, method=info("StreamingOutputCall"), headers=self.headers)
        with self.assertRaises(errors.ConnectError) as caught:
            list(answers)
        self.assertEqual(caught.exception.code, code.Code.FAILED_PRECONDITION)

    def test_unimplemented(self):
        with self.assertRaises(errors.ConnectError) as caught:
            self.unary("UnimplementedCall", kind("UnimplementedCallRequest")())
        self.assertEqual(caught.exception.code, code.Code.UNIMPLEMENTED)

    def test_timeout(self):
        with self.assertRaises(errors.ConnectError) as caught:
            self.unary("UnaryCall", kind("UnaryCallRequest")(sleep_ms=20_000), timeout_ms=100)
        self.assertEqual(caught.exception.code, code.Code.DEADLINE_EXCEEDED)


class InProtobuf(Cases, unittest.TestCase):
    codec = staticmethod(google_protobuf_binary_codec)


class InJSON(Cases, unittest.TestCase):
    codec = staticmethod(google_protobuf_json_codec)


if __name__ == "__main__":
    unittest.main()
