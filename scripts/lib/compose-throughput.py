"""Draws pictures as fast as an installation answers, and counts them.

usage: compose-throughput.py KEY CALLERS RESULT PORT...

CALLERS draw one picture after the other, over connections that stay open, until there is a file RESULT.end. RESULT is
written each second: a line with the number of pictures of each second so far, and of failures. A call that may be
repeated is repeated, and is no failure.
"""

import http.client
import itertools
import json
import pathlib
import random
import sys
import threading
import time

KEY, CALLERS, RESULT, PORTS = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4:]
HEADERS = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}", "Connect-Timeout-Ms": "20000"}
LINE = range(10, 790, 4)
DRAWING = {"strokes": [{"x": [*LINE], "y": [90 + x * x % 297 for x in LINE]}], "canvas": {"width": 800, "height": 400}}
numbers, over, lock = itertools.count(), threading.Event(), threading.Lock()
counts, failures = [0], []


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
        except (OSError, http.client.HTTPException):
            connection = None
            continue
        with lock:
            if answer.status == 200:
                counts[-1] += 1
            elif json.loads(content).get("code") not in ("unavailable", "resource_exhausted"):
                failures.append(content.decode()[:200])


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
