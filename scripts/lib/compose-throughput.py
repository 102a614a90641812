"""Draws pictures as fast as an installation answers, and counts them.

usage: compose-throughput.py KEY CALLERS RESULT PORT...

CALLERS draw one picture after the other, over connections that stay open, until there is a file RESULT.end. RESULT is
written each second, and at the end: the number of pictures of each second so far, and the failures. A call whose answer
says that it may be repeated is repeated, and is no failure; one that gets no answer is.
"""

import http.client
import itertools
import json
import pathlib
import random
import sys
import threading
import time

if {"-h", "--help"} & set(sys.argv[1:]):
    sys.exit(print(__doc__))
KEY, CALLERS, RESULT, PORTS = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4:]
HEADERS = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}", "Connect-Timeout-Ms": "20000"}
LINE = range(10, 790, 4)
DRAWING = {"strokes": [{"x": [*LINE], "y": [90 + x * x % 297 for x in LINE]}], "canvas": {"width": 800, "height": 400}}
numbers, over, lock = itertools.count(), threading.Event(), threading.Lock()
counts, failures = [0], []


def code(content):
    """The code of a refusal; None for what is none, such as a page of a proxy."""
    try:
        return json.loads(content).get("code")
    except (ValueError, AttributeError):
        return None


def caller():
    connection = None
    while not over.is_set():
        # Each of another size, so that none comes from a cache.
        settings = {"format": "SIGNATURE_FORMAT_PNG", "width": 900 + next(numbers) % 1000, "height": 500}
        body = json.dumps({"drawing": DRAWING, "settings": settings})
        try:
            if connection is None:
                connection = http.client.HTTPConnection("127.0.0.1", int(random.choice(PORTS)), timeout=30)
            connection.request("POST", "/assent.signature.v1.RenderService/Render", body, HEADERS)
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            connection = None
            with lock:
                failures.append(f"no answer: {error!r}")
            # Where nobody answers at all, a few callers say so often enough.
            time.sleep(0.2)
            continue
        with lock:
            if answer.status == 200:
                counts[-1] += 1
            elif code(content) not in ("unavailable", "resource_exhausted"):
                failures.append(f"{answer.status}: {content[:200]!r}")


threads = [threading.Thread(target=caller) for _ in range(CALLERS)]
for thread in threads:
    thread.start()
while not pathlib.Path(f"{RESULT}.end").exists():
    time.sleep(1)
    with lock:
        RESULT.write_text(json.dumps({"seconds": counts, "failures": failures}))
        counts.append(0)
over.set()
for thread in threads:
    thread.join()
RESULT.write_text(json.dumps({"seconds": counts[:-1], "failures": failures}))
