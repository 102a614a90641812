"""shared.py JOURNAL PID PID: calls through two gateways that share an address, of which the first is killed meanwhile.

Each call gets its answer, and each answered call stands in the journal of the service.
"""
import os
import pathlib
import signal
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../clients/python"))
from assent import Client
from assent.interop.v1.interop_pb2 import Payload, UnaryCallRequest

URL, KEY = os.environ["ASSENT_ADDRESS"], os.environ["ASSENT_KEY"]
# So many that they are spread over both gateways, but once in thirty thousand runs.
CALLERS = 16


def wait_until(condition):
    """Waits for what other threads bring about."""
    end = time.monotonic() + 30
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)


def connections(process):
    """How many connections of callers a gateway has."""
    port = f":{urllib.parse.urlsplit(URL).port:04X}"
    lines = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
    established = {words[9] for words in lines if words[1].endswith(port) and words[3] == "01"}
    files = []
    for file in pathlib.Path(f"/proc/{process}/fd").iterdir():
        try:
            files.append(os.readlink(file))
        except FileNotFoundError:
            pass
    return sum(file.startswith("socket:[") and file[8:-1] in established for file in files)


def main():
    journal, *gateways = sys.argv[1:]
    answered, faults = [], []
    is_over = threading.Event()

    def go_on_calling(interop, caller):
        number = 0
        while not is_over.is_set():
            name = f"{caller}-{number}"
            number += 1
            try:
                interop.UnaryCall(UnaryCallRequest(payload=Payload(body=name.encode()), sleep_ms=2))
                answered.append(name)
            except Exception as fault:
                faults.append(f"{name}: {fault}")

    with Client(URL, key=KEY) as client:
        interop = client.service("assent.interop.v1.InteropService")
        callers = [threading.Thread(target=go_on_calling, args=(interop, caller)) for caller in range(CALLERS)]
        for caller in callers:
            caller.start()
        wait_until(lambda: len(answered) > CALLERS and sum(map(connections, gateways)) == CALLERS)
        spread = [connections(gateway) for gateway in gateways]
        before = len(answered)
        os.kill(int(gateways[0]), signal.SIGKILL)
        wait_until(lambda: len(answered) > before + 4 * CALLERS)
        is_over.set()
        for caller in callers:
            caller.join()
    begun = set(pathlib.Path(journal).read_text().split())
    lost = [name for name in answered if name not in begun]
    assert not faults, faults[:5]
    assert not lost, lost[:5]
    assert sum(spread) == CALLERS and all(spread), spread
    assert len(answered) > before > 0, (before, len(answered))
    print("no answered call was lost")


main()
