"""Draws in a field through an installation and watches it, until standard input ends.

watching.py HTTP-ADDRESS KEY

A stream that ends is begun anew, after the version that it had got to. Then it prints how many points were drawn and
how many streams that took, and fails unless the watcher was told of each point, once.
"""

import http.client
import json
import struct
import sys
import threading
import time

ADDRESS, KEY = sys.argv[1:]
SERVICE = "/assent.signature.v1.SignatureService/"
LAST = 0x02
isOver = threading.Event()
drawn, seen, streams, faults = [], [], 0, []


def send(method, kind, body, **headers):
    """A connection on which a request was sent, and its response."""
    connection = http.client.HTTPConnection(ADDRESS, timeout=30)
    named = {"Content-Type": kind, "Authorization": f"Bearer {KEY}", **headers}
    connection.request("POST", SERVICE + method, body, named)
    return connection, connection.getresponse()


def call(method, body):
    _, response = send(method, "application/json", json.dumps(body))
    told = json.loads(response.read())
    assert response.status == 200, told
    return told["view"]


def stream(method, request, **headers):
    """Yields the messages of the answer; the last one may have an `error`."""
    data = json.dumps(request).encode()
    connection, response = send(method, "application/connect+json", struct.pack(">BI", 0, len(data)) + data, **headers)
    try:
        assert response.status == 200, (response.status, response.read())
        while len(head := response.read(5)) == 5:
            flags, length = struct.unpack(">BI", head)
            message = json.loads(response.read(length))
            yield message
            if flags & LAST:
                return
        yield {"error": {"code": "unavailable", "message": "the connection ended"}}
    finally:
        connection.close()


def append(field, version, piece, key):
    """The field's version with the piece; repeats the call until it is answered."""
    for _ in range(100):
        request = {"fieldId": field, "expectedVersion": version, "pieces": [piece]}
        messages = list(stream("AppendStrokes", request, **{"Idempotency-Key": key}))
        if "error" not in messages[-1]:
            return messages[0]["view"]["version"]
        assert messages[-1]["error"]["code"] == "unavailable", messages
        time.sleep(0.02)
    raise AssertionError("no answer")


def watch(field, version):
    global seen, streams
    try:
        while True:
            streams += 1
            for message in stream("WatchField", {"fieldId": field, "afterVersion": version}):
                if "error" in message:
                    assert message["error"]["code"] == "unavailable", message
                if "view" in message:
                    version = message["view"]["version"]
                    told = [time for piece in message.get("pieces", []) for time in piece.get("timeMs", [])]
                    seen = ([] if message.get("reset") else seen) + told
    except Exception as fault:
        faults.append(repr(fault))


reference = {
    "subjectId": "p-1", "studyId": "load", "siteId": "berlin", "sessionId": "visit", "signatureId": "participant",
    "documentId": "consent", "documentVersion": 1}
view = call("CreateField", {"reference": reference, "settings": {"header": "Signature"}})
field = view["fieldId"]
view = call("TapField", {"fieldId": field, "expectedVersion": view["version"]})
threading.Thread(target=watch, args=(field, view["version"]), daemon=True).start()
threading.Thread(target=lambda: (sys.stdin.read(), isOver.set()), daemon=True).start()
print("calling", flush=True)
version = view["version"]
while not isOver.is_set():
    number = len(drawn)
    piece = {"beginsStroke": number == 0, "x": [10 + number % 500], "y": [100], "timeMs": [number * 20]}
    version = append(field, version, piece, f"piece-{number}")
    drawn.append(number * 20)
    time.sleep(0.02)
end = time.monotonic() + 20
while len(seen) < len(drawn) and not faults and time.monotonic() < end:
    time.sleep(0.05)
assert not faults, faults
assert seen == drawn, (len(seen), len(drawn))
print(len(drawn), streams, flush=True)
