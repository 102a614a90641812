"""Calls an installation over HTTP at a steady rate, through whichever gateway answers, as a patient caller does.

usage: compose-load.py KEY RATE SECONDS RESULT PORT...

Half of the calls create a site of the study `load` under an idempotency key, half draw a picture. A call that nobody
has answered, or whose answer says that it may be repeated, is repeated for up to 30 seconds. The ports are read again
from the file PORT when its name is a file's, since replicas come and go. Callers keep their connections. It ends after
SECONDS, or as soon as there is a file RESULT.end. RESULT gets JSON: calls, rate, failures, repeats, the names of the
sites that were created, and the seconds of the slowest call, from when it was due.
"""

import http.client
import json
import pathlib
import queue
import random
import secrets
import sys
import threading
import time

if {"-h", "--help"} & set(sys.argv[1:]):
    sys.exit(print(__doc__))
KEY, RATE, SECONDS, RESULT = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
PORTS = sys.argv[5:]
CALLERS = 128
# All calls here may be repeated after any outcome that leaves open whether they ran: they have a key, or change
# nothing.
REPEATABLE = {"unavailable", "resource_exhausted", "aborted", "deadline_exceeded"}
LINE = range(10, 390, 4)
DRAWING = {"strokes": [{"x": [*LINE], "y": [90 + x * x % 97 for x in LINE]}], "canvas": {"width": 400, "height": 200}}

# Makes this run's names and keys its own.
RUN = secrets.token_hex(3)
lock = threading.Lock()
result = {"calls": 0, "failures": [], "repeats": 0, "created": [], "slowest": 0.0}


class Ports:
    """Where gateways answer at present; a file of them is read again each tenth of a second."""

    def __init__(self):
        self.read_at, self.known = 0.0, PORTS

    def all(self):
        path = pathlib.Path(PORTS[0])
        if time.monotonic() > self.read_at + 0.1 and path.exists():
            self.read_at, self.known = time.monotonic(), path.read_text().split()
        return self.known


class Caller(threading.Thread):
    """Makes one call after the other, of those that are due."""

    def __init__(self):
        super().__init__(daemon=True)
        self.connections = {}
        self.start()

    def run(self):
        while (due := calls.get()) is not None:
            self.call(*due)

    def attempt(self, method, body, key):
        port = random.choice(ports.all())
        connection = self.connections.setdefault(port, http.client.HTTPConnection("127.0.0.1", int(port), timeout=10))
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}", "Connect-Timeout-Ms": "8000"}
        if key:
            headers["Idempotency-Key"] = key
        try:
            connection.request("POST", f"/{method}", json.dumps(body), headers)
            answer = connection.getresponse()
            content = json.loads(answer.read())
        except BaseException:
            self.connections.pop(port).close()
            raise
        return (None, content) if answer.status == 200 else (content.get("code", "?"), content)

    def call(self, number, due):
        name = f"site-{RUN}-{number}"
        if number % 2:
            method, key = "assent.consent.v1.StudyService/CreateSite", f"load-{RUN}-{number}"
            body = {"site": {"study_id": "load", "site_id": name, "name": name}}
        else:
            method, key = "assent.signature.v1.RenderService/Render", None
            # Each of another size, so that none comes from a cache.
            settings = {"format": "SIGNATURE_FORMAT_PNG", "width": 200 + number % 400, "height": 150}
            body = {"drawing": DRAWING, "settings": settings}
        outcome, content, repeats = "nobody answered", "", 0
        while time.monotonic() < due + 30:
            try:
                outcome, content = self.attempt(method, body, key)
                if outcome not in REPEATABLE:
                    break
                outcome = f"{outcome}: {content.get('message')}"
            except (OSError, http.client.HTTPException, ValueError) as error:
                outcome = repr(error)
            repeats += 1
            time.sleep(0.2)
        with lock:
            result["calls"] += 1
            result["repeats"] += repeats
            result["slowest"] = max(result["slowest"], round(time.monotonic() - due, 2))
            if outcome:
                result["failures"].append(f"{method}: {outcome}: {content}"[:300])
            elif key:
                result["created"].append(name)


ports, calls = Ports(), queue.SimpleQueue()
callers = [Caller() for _ in range(CALLERS)]
start = time.monotonic()
for number in range(int(RATE * SECONDS)):
    if number % 20 == 0 and pathlib.Path(f"{RESULT}.end").exists():
        break
    due = start + number / RATE
    time.sleep(max(0, due - time.monotonic()))
    calls.put((number, due))
lasted = time.monotonic() - start
for _ in callers:
    calls.put(None)
for caller in callers:
    caller.join()
result["rate"] = round(result["calls"] / lasted)
pathlib.Path(RESULT).write_text(json.dumps(result))
