"""Makes sites of a study through an installation, each under an idempotency key, until standard input ends.

changes.py HTTP-ADDRESS KEY STUDY

A call that was not answered, or was with UNAVAILABLE, is repeated under its key. Callers keep their connections. Then
it prints how many calls there were, how many repeats, and how long the slowest call took in seconds; and fails unless
all that was acknowledged is there, and nothing else.
"""

import http.client
import json
import sys
import threading
import time

ADDRESS, KEY, STUDY = sys.argv[1:]
CALLERS = 12
isOver = threading.Event()
lock = threading.Lock()
created, faults, repeats, slowest = set(), [], 0, 0.0


class Caller:
    def __init__(self, number):
        self.number, self.connection = number, None

    def attempt(self, method, body, key=None):
        """The status and what came with it; None if nothing was answered."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection(ADDRESS, timeout=40)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"}
        if key:
            headers["Idempotency-Key"] = key
        try:
            self.connection.request("POST", f"/assent.consent.v1.StudyService/{method}", json.dumps(body), headers)
            answer = self.connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException) as fault:
            self.connection.close()
            self.connection = None
            return None, repr(fault)

    def run(self):
        number = 0
        while not isOver.is_set():
            number += 1
            self.create(f"site-{self.number}-{number}")
            time.sleep(0.02)

    def create(self, name):
        global repeats, slowest
        began, status, told = time.monotonic(), None, None
        while time.monotonic() < began + 30:
            site = {"studyId": STUDY, "siteId": name, "name": name}
            status, told = self.attempt("CreateSite", {"site": site}, f"key-{name}")
            if status is not None and status != 503:
                break
            with lock:
                repeats += 1
                print(f"{name}: {told}", file=sys.stderr)
            time.sleep(0.05)
        with lock:
            slowest = max(slowest, time.monotonic() - began)
            if status == 200:
                created.add(name)
            else:
                faults.append(f"{name}: {status} {told}")

    def sites(self):
        found, token = [], ""
        while True:
            status, page = self.attempt("ListSites", {"studyId": STUDY, "pageSize": 1000, "pageToken": token})
            assert status == 200, (status, page)
            found += [site["siteId"] for site in page.get("sites", [])]
            token = page.get("nextPageToken", "")
            if not token:
                return found


status, told = Caller(0).attempt("CreateStudy", {"study": {"studyId": STUDY, "name": STUDY}})
assert status == 200, (status, told)
threads = [threading.Thread(target=Caller(number).run) for number in range(CALLERS)]
for thread in threads:
    thread.start()
print("calling", flush=True)
sys.stdin.read()
isOver.set()
for thread in threads:
    thread.join()
assert not faults, faults[:5]
found = Caller(0).sites()
assert sorted(found) == sorted(created), (len(found), len(created), sorted(set(found) ^ created)[:5])
print(len(created), repeats, round(slowest, 2), flush=True)
