"""grpcio's clients of reflection and health against a gateway.

reflection_and_health.py TARGET TOKEN
"""

import pathlib
import sys

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

TARGET, TOKEN = sys.argv[1:3]
INTEROP = "assent.interop.v1.InteropService"
contract = descriptor_pb2.FileDescriptorSet.FromString(
    (pathlib.Path(__file__).parents[3] / "proto/assent.binpb").read_bytes())


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def services():
    return {f"{file.package}.{service.name}": service for file in contract.file for service in file.service}


def check_database(channel):
    """By the former name, as most tools still ask, without a key: the client is on the gateway's machine."""
    database = ProtoReflectionDescriptorDatabase(channel)
    expect(sorted(database.get_services()) == sorted(services()), "every service is listed")
    pool = descriptor_pool.DescriptorPool(database)
    for name, service in services().items():
        found = pool.FindServiceByName(name)
        expect([m.name for m in found.methods] == [m.name for m in service.method], f"methods of {name}")
    expect(pool.FindMessageTypeByName("assent.interop.v1.MixedMessage.Item"), "a nested message")
    numbers = database.FindAllExtensionNumbers("google.protobuf.MethodOptions")
    expect(50003 in numbers, "our options are extensions")
    try:
        pool.FindServiceByName("assent.signature.v1.Telepathy")
        sys.exit("a service was found that nobody has")
    except KeyError:
        pass


def check_version_1(channel):
    ask = channel.stream_stream(
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
        response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
    )
    questions = [
        reflection_pb2.ServerReflectionRequest(file_containing_symbol=f"{INTEROP}.EmptyCall"),
        reflection_pb2.ServerReflectionRequest(file_by_filename="no/such.proto"),
    ]
    found, missing = ask(iter(questions), timeout=10)
    file = descriptor_pb2.FileDescriptorProto.FromString(found.file_descriptor_response.file_descriptor_proto[0])
    expect(file.package == "assent.interop.v1", "the file of a method")
    expect(missing.error_response.error_code == grpc.StatusCode.NOT_FOUND.value[0], "a file that is not there")


def check_rights(channel):
    """A key is believed before the machine is: one without the right is refused."""
    ask = channel.stream_stream(
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", request_serializer=bytes, response_deserializer=bytes)
    try:
        list(ask(iter([b""]), metadata=[("authorization", f"Bearer {TOKEN}")], timeout=10))
        sys.exit("a device was let in")
    except grpc.RpcError as error:
        expect(error.code() == grpc.StatusCode.PERMISSION_DENIED, error)


def check_health(channel):
    health = health_pb2_grpc.HealthStub(channel)
    for name in ["", INTEROP]:
        answer = health.Check(health_pb2.HealthCheckRequest(service=name), timeout=10)
        expect(answer.status == health_pb2.HealthCheckResponse.SERVING, f"'{name}' is served")
    watch = health.Watch(health_pb2.HealthCheckRequest(service="no.such.Service"), timeout=10)
    expect(next(watch).status == health_pb2.HealthCheckResponse.SERVICE_UNKNOWN, "an unknown service")
    watch.cancel()


with grpc.insecure_channel(TARGET) as channel:
    check_database(channel)
    check_version_1(channel)
    check_rights(channel)
    check_health(channel)
