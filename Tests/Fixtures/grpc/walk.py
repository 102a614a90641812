"""Makes the calls of a list by PyPI's grpcio, and writes down what came of each.

walk.py TARGET CALLS OUTCOMES

A line of CALLS is a method's path, "unary" or "stream", a credential or "-", and the request in base64. A line of
OUTCOMES is a status code, and message and answer in base64, or "-". A stream's answer is its first message.
"""

import base64
import sys

import grpc

TARGET, CALLS, OUTCOMES = sys.argv[1:4]


def outcome(channel, path, kind, credential, request):
    metadata = [] if credential == "-" else [("authorization", f"Bearer {credential}")]
    call = channel.unary_stream(path) if kind == "stream" else channel.unary_unary(path)
    try:
        answer = call(request, metadata=metadata, timeout=60)
        if kind == "stream":
            first = next(iter(answer), b"")
            answer.cancel()
            return 0, "", first
        return 0, "", answer
    except grpc.RpcError as error:
        return error.code().value[0], error.details() or "", b""


def text(content):
    return base64.b64encode(content).decode() or "-"


with grpc.insecure_channel(TARGET) as channel, open(CALLS) as calls, open(OUTCOMES, "w") as outcomes:
    for line in calls:
        path, kind, credential, request = line.split()
        content = b"" if request == "-" else base64.b64decode(request)
        code, message, answer = outcome(channel, path, kind, credential, content)
        print(code, text(message.encode()), text(answer), file=outcomes)
