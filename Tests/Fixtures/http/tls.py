"""The HTTP door over TLS."""
import http.client
import os
import ssl
import sys
import unittest
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from door import *


def connect_securely():
    trust = ssl.create_default_context(cafile=os.environ["CERTIFICATE"])
    return http.client.HTTPSConnection(ADDRESS.hostname, ADDRESS.port, timeout=20, context=trust)


class Tls(unittest.TestCase):
    def test_calls_over_tls(self):
        connection = connect_securely()
        for size in [1, 500_000, 3]:
            response = call("UnaryCall", {"responseSize": size}, connection=connection)
            self.assertEqual(response.status, 200)
        self.assertGreaterEqual(connection.sock.version(), "TLSv1.2")

    def test_old_versions_are_refused(self):
        def handshake(version):
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.load_verify_locations(os.environ["CERTIFICATE"])
            # Debian's OpenSSL speaks TLS 1.0 and 1.1 at this level only.
            context.set_ciphers("DEFAULT@SECLEVEL=0")
            context.minimum_version = context.maximum_version = version
            with context.wrap_socket(raw(), server_hostname=ADDRESS.hostname) as connection:
                return connection.version()

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            self.assertEqual(handshake(ssl.TLSVersion.TLSv1_2), "TLSv1.2")
            for version in [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1]:
                # The server's alert, and not an error of this client alone.
                self.assertRaisesRegex(OSError, "alert|reset|EOF|UNEXPECTED", handshake, version)

    def test_plain_callers_get_nothing(self):
        connection = raw()
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\n\r\n")
        self.assertNotIn(b"HTTP/1.1 200", read_all(connection))

    def test_an_address_that_opens_connections_without_end(self):
        # It may open 25 at once and five a second. A connection that is let in is closed after 75 s.
        opened = [raw(source="127.0.0.3") for _ in range(300)]
        self.assertGreater(sum(is_closed(connection, 0.2) for connection in opened), 100)
        self.assertEqual(call("EmptyCall", {}, connection=connect_securely()).status, 200)


if __name__ == "__main__":
    unittest.main()
