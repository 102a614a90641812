"""Calls over HTTP against a real gateway with InteropService: `http_calls.py URL KEY`."""

import asyncio
import json
import socket
import sys
import threading

from assent import AsyncClient, Client, KeyRefused, StatusCode, StatusError, Unreachable
from assent.interop.v1.interop_pb2 import EchoStatus, ResponseParameters, StreamingOutputCallRequest, UnaryCallRequest

URL, KEY = sys.argv[1:3]
SERVICE = "assent.interop.v1.InteropService"


def failure(call, *arguments, **options):
    try:
        call(*arguments, **options)
    except StatusError as error:
        return error
    raise AssertionError("the call should have failed")


def sizes(*values):
    return StreamingOutputCallRequest(response_parameters=[ResponseParameters(size=value) for value in values])


def calls():
    with Client(URL, key=KEY) as client:
        interop = client.service(SERVICE)
        answer, call = interop.UnaryCall.with_call(UnaryCallRequest(response_size=3), timeout=20)
        assert answer.payload.body == bytes(3), answer
        assert dict(call.initial_metadata)["content-type"] == "application/proto"
        with interop.StreamingOutputCall(sizes(1, 100_000, 7)) as answers:
            assert [len(part.payload.body) for part in answers] == [1, 100_000, 7]
        refused = failure(
            interop.UnaryCall, UnaryCallRequest(response_status=EchoStatus(code=5, message="not here")))
        assert refused.code == StatusCode.NOT_FOUND and "not here" in refused.message, refused
        late = failure(interop.UnaryCall, UnaryCallRequest(sleep_ms=60_000), timeout=0.3)
        assert late.code == StatusCode.DEADLINE_EXCEEDED, late
        assert interop.UnaryCall(UnaryCallRequest(response_size=1)).payload.body == bytes(1), "the client goes on"
        threads = [
            threading.Thread(target=interop.UnaryCall, args=[UnaryCallRequest(response_size=size)]) for size in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def keys_and_addresses():
    with Client(URL, key="ak_00000000_wrong") as stranger:
        assert isinstance(failure(stranger.service(SERVICE).UnaryCall, UnaryCallRequest()), KeyRefused)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
    with Client(address, key=KEY) as lost:
        error = failure(lost.service(SERVICE).UnaryCall, UnaryCallRequest(), timeout=0.5)
        assert isinstance(error, Unreachable) and "nothing answers at" in error.message, error


class LossyServer:
    """Answers with an error twice, then as the gateway does: with an empty message."""

    def __init__(self, code, status):
        import http.server

        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                self.rfile.read(int(self.headers["content-length"]))
                outer.keys.append(self.headers["idempotency-key"])
                is_lost = len(outer.keys) < 3
                body = json.dumps({"code": code, "message": "lost"}).encode() if is_lost else b""
                self.send_response(status if is_lost else 200)
                self.send_header("content-type", "application/json" if is_lost else "application/proto")
                self.send_header("retry-after-ms", "5")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words):
                pass

        self.keys = []
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"


def attempts(code, status):
    lossy = LossyServer(code, status)
    with Client(lossy.url) as client:
        client.service(SERVICE).UnaryCall(UnaryCallRequest())
        assert len(lossy.keys) == 3 and len(set(lossy.keys)) == 1 and lossy.keys[0], lossy.keys
        lossy.keys.clear()
        error = failure(client.service(SERVICE).UnaryCall, UnaryCallRequest(), idempotency_key="")
        assert error.code.name == code.upper() and lossy.keys == [None], "without a key there is one attempt"
    lossy.server.shutdown()
    lossy.server.server_close()


async def awaited():
    async with AsyncClient(Client(URL, key=KEY)) as client:
        interop = client.service(SERVICE)
        answers = await asyncio.gather(*(interop.UnaryCall(UnaryCallRequest(response_size=size)) for size in range(10)))
        assert [len(answer.payload.body) for answer in answers] == list(range(10))
        parts = [len(part.payload.body) async for part in interop.StreamingOutputCall(sizes(3, 1, 2))]
        assert parts == [3, 1, 2]


calls()
keys_and_addresses()
attempts("unavailable", 503)
attempts("resource_exhausted", 429)
asyncio.run(awaited())
print("all calls are as they should be")
