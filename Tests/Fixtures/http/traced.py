"""Makes one call, in the trace that the environment names."""

import json
import os
import unittest
import urllib.request


class Traced(unittest.TestCase):
    def test_call(self):
        headers = {
            "Content-Type": "application/json",
            "Authorization": f"Bearer {os.environ['ASSENT_KEY']}",
        }
        if parent := os.environ["TRACEPARENT"]:
            headers["Traceparent"] = parent
        address = f"{os.environ['ASSENT_ADDRESS']}/assent.interop.v1.InteropService/UnaryCall"
        request = urllib.request.Request(address, b'{"responseSize": 1}', headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            self.assertEqual(json.load(answer)["payload"]["body"], "AA==")
