"""Calls for the picture of the status page: status-load.py DOOR, until it is ended.

Some calls are quick, some slow, some fail; their number goes up and down."""

import itertools
import math
import sys
import threading
import time

if {"-h", "--help"} & set(sys.argv[1:]):
    sys.exit(print(__doc__))

sys.path.insert(0, "clients/python")

from assent.bus import BusClient, Contract, StatusError  # noqa: E402

CALLER = {"kind": "CALLER_KIND_DEVICE", "tenant": "clinic", "subject": "tablet-7", "device": "tablet-7"}


def main():
    contract = Contract.shared()
    request = contract.message("assent.interop.v1.UnaryCallRequest")
    render = contract.message("assent.signature.v1.RenderRequest")
    with BusClient([sys.argv[1]]) as client:
        interop = client.service("assent.interop.v1.InteropService")
        pictures = client.service("assent.signature.v1.RenderService")

        def call(method, message):
            try:
                method(message, timeout=10, caller=CALLER)
            except StatusError:
                pass

        def run(index):
            for count in itertools.count():
                call(interop.UnaryCall, request(response_size=100, sleep_ms=(index * 7 + count) % 40))
                if count % 5 == index:
                    name = {"text": "Zoë Müller"}
                    call(pictures.Render, render(typed=name))
                time.sleep(0.02 + 0.02 * math.sin(time.monotonic() / 3 + index))

        threads = [threading.Thread(target=run, args=(index,), daemon=True) for index in range(5)]
        for thread in threads:
            thread.start()
        threads[0].join()


main()
