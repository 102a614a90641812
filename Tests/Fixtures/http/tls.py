"""The HTTP door over TLS."""
import http.client
import os
import ssl
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from door import *


class Tls(unittest.TestCase):
    def test_calls_over_tls(self):
        trust = ssl.create_default_context(cafile=os.environ["CERTIFICATE"])
        connection = http.client.HTTPSConnection(ADDRESS.hostname, ADDRESS.port, timeout=20, context=trust)
        for size in [1, 500_000, 3]:
            response = call("UnaryCall", {"responseSize": size}, connection=connection)
            self.assertEqual(response.status, 200)
        self.assertGreaterEqual(connection.sock.version(), "TLSv1.2")

    def test_plain_callers_get_nothing(self):
        connection = raw()
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\n\r\n")
        self.assertNotIn(b"HTTP/1.1 200", read_all(connection))


if __name__ == "__main__":
    unittest.main()
