"""GatewayService/Batch over gRPC, in a trace.

batch.py TARGET TOKEN
"""

import json
import pathlib
import sys

import grpc

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "clients/python"))

from assent.bus import Contract  # noqa: E402

TARGET, TOKEN = sys.argv[1:3]
BATCH = Contract.shared().service("assent.gateway.v1.GatewayService")["Batch"]
INTEROP = "assent.interop.v1.InteropService"
METADATA = [
    ("authorization", f"Bearer {TOKEN}"),
    ("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
]


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def call(method, request):
    return {"method": method, "request": json.dumps(request)}


request = Contract.shared().message("assent.gateway.v1.BatchRequest")(
    calls=[
        call(f"{INTEROP}/EchoMixed", {"message": {"id": "first"}}),
        call(f"{INTEROP}/EchoMixed", {"message": {"id": "$0.message.id"}}),
        call(f"{INTEROP}/UnaryCall", {"responseStatus": {"code": 10, "message": "asked for"}}),
        call("assent.gateway.v1.GatewayService/ListInstances", {}),
    ])
with grpc.insecure_channel(TARGET) as channel:
    batch = channel.unary_unary(
        "/assent.gateway.v1.GatewayService/Batch",
        request_serializer=BATCH.request.SerializeToString, response_deserializer=BATCH.answer.FromString)
    answers = batch(request, metadata=METADATA, timeout=30).answers
    expect([answer.code for answer in answers] == [0, 0, 10, 7], f"each call has its own code: {answers}")
    expect(json.loads(answers[1].response) == {"message": {"id": "first"}}, "a later call refers to an earlier answer")
    expect(answers[2].message == "asked for", "and its own message")
    expect("ListInstances" in answers[3].message, "no call is above the caller's rights")
    # Anybody may send a batch; what is in it is decided call by call.
    answers = batch(request, timeout=30).answers
    expect([answer.code for answer in answers] == [16, 16, 16, 16], f"nothing goes without a key: {answers}")
