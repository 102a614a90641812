"""Calls a gateway over HTTP and gRPC without pause, until standard input ends; then prints how each call ended.

steady.py HTTP-ADDRESS GRPC-ADDRESS KEY

One line for each call: door, kind, when it began and ended on the system's monotonic clock in nanoseconds, and its
code.
A call is made only once there is a connection: one that is refused was never a call.
"""

import http.client
import json
import pathlib
import struct
import sys
import threading
import time

import grpc

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "clients/python"))

from assent.bus import Contract  # noqa: E402

WEB, TARGET, KEY = sys.argv[1].removeprefix("http://"), *sys.argv[2:4]
SERVICE = "assent.interop.v1.InteropService"
METHODS = Contract.shared().service(SERVICE)
STREAM = [{"size": 100, "interval_us": 3000}] * 5
isOver = threading.Event()
outcomes = []


def note(door, kind, began, code):
    outcomes.append(f"{door} {kind} {began} {time.monotonic_ns()} {code}")


def message(name, **fields):
    return Contract.shared().message(f"assent.interop.v1.{name}")(**fields)


def steadily(work):
    """Runs `work` on a thread until the end."""
    def run():
        while not isOver.is_set():
            work()
    thread = threading.Thread(target=run)
    thread.start()
    return thread


class OverGRPC:
    def __init__(self):
        self.channel = grpc.insecure_channel(TARGET, options=[
            ("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 200),
            ("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0)])

    def method(self, name, kind):
        return getattr(self.channel, kind)(
            f"/{SERVICE}/{name}", request_serializer=METHODS[name].request.SerializeToString,
            response_deserializer=METHODS[name].answer.FromString)

    def make(self, kind, call):
        # Waits until there is a connection.
        try:
            grpc.channel_ready_future(self.channel).result(timeout=1)
        except grpc.FutureTimeoutError:
            return
        began = time.monotonic_ns()
        try:
            call(timeout=30, metadata=[("authorization", f"Bearer {KEY}")])
            note("grpc", kind, began, "OK")
        except grpc.RpcError as error:
            # What could not even be sent was not made.
            if "Connection refused" not in error.details():
                note("grpc", kind, began, error.code().name)

    def unary(self):
        request = message("UnaryCallRequest", sleep_ms=3)
        self.make("unary", lambda **rest: self.method("UnaryCall", "unary_unary")(request, **rest))

    def stream(self):
        request = message("StreamingOutputCallRequest", response_parameters=STREAM)

        def read(**rest):
            answers = list(self.method("StreamingOutputCall", "unary_stream")(request, **rest))
            assert len(answers) == len(STREAM), len(answers)

        self.make("stream", read)


class OverHTTP:
    def __init__(self):
        self.connection = None

    def post(self, kind, method, content_type, body, outcome):
        if self.connection is None:
            connection = http.client.HTTPConnection(WEB, timeout=40)
            try:
                connection.connect()
            except OSError:
                time.sleep(0.05)
                return
            self.connection = connection
        began = time.monotonic_ns()
        try:
            self.connection.request("POST", f"/{SERVICE}/{method}", body, {
                "Content-Type": content_type, "Authorization": f"Bearer {KEY}"})
            answer = self.connection.getresponse()
            code = outcome(answer.status, answer.read())
        except (OSError, http.client.HTTPException):
            # Clients of Connect say this when a connection is lost.
            self.connection.close()
            self.connection, code = None, "UNAVAILABLE"
        note("http", kind, began, code)

    def unary(self):
        def outcome(status, body):
            return "OK" if status == 200 else json.loads(body)["code"].upper()

        self.post("unary", "UnaryCall", "application/json", b'{"sleepMs": 3}', outcome)

    def stream(self):
        def outcome(status, body):
            place, end = 0, None
            while place < len(body):
                flags, length = struct.unpack_from(">BI", body, place)
                if flags & 2:
                    end = json.loads(body[place + 5:place + 5 + length])
                place += 5 + length
            return "OK" if "error" not in end else end["error"]["code"].upper()

        wish = json.dumps({"responseParameters": [{"size": 100, "intervalUs": 3000}] * 5}).encode()
        body = struct.pack(">BI", 0, len(wish)) + wish
        self.post("stream", "StreamingOutputCall", "application/connect+json", body, outcome)


if __name__ == "__main__":
    threads = []
    for door in (OverGRPC, OverHTTP):
        for _ in range(2):
            threads += [steadily(door().unary), steadily(door().stream)]
    print("calling", flush=True)
    sys.stdin.read()
    isOver.set()
    for thread in threads:
        thread.join()
    print("\n".join(outcomes), flush=True)
