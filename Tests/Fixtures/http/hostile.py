"""Hostile callers at the HTTP door: each is refused or ended, and an honest caller is answered throughout."""
import os
import select
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from door import *


class Hostile(unittest.TestCase):
    def tearDown(self):
        self.assertEqual(call("EmptyCall", {}).status, 200, "an honest caller is not answered")

    def status(self, data):
        connection = raw()
        connection.sendall(data)
        answer = read_all(connection)
        return int(answer.split(b" ")[1]) if answer.startswith(b"HTTP/1.") else None

    def test_malformed_requests(self):
        for data in [
            b"GARBAGE\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 64 + b"\r\n\r\n",
            b"POST / HTTP/1.1\r\nno colon here\r\n\r\n",
            b"POST / HTTP/9.9\r\nHost: x\r\n\r\n",
            b"POST / HTTP/1.1\r\n\r\n",
            b"POST " + SERVICE.encode() + b"EmptyCall HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
            b"POST " + SERVICE.encode() + b"EmptyCall HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n",
        ]:
            with self.subTest(data=data[:30]):
                self.assertIn(self.status(data), [400, 404, 413, 505, None])

    def test_large_heads(self):
        self.assertIn(self.status(b"POST /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n"), [414, None])
        many = b"".join(b"x-%d: %s\r\n" % (number, b"v" * 100) for number in range(400))
        self.assertIn(self.status(b"POST /a HTTP/1.1\r\nHost: x\r\n" + many + b"\r\n"), [431, 413, None])

    def test_a_head_that_drips_is_ended(self):
        connection = raw()
        connection.sendall(b"POST " + SERVICE.encode() + b"EmptyCall HTTP/1.1\r\nHost: x\r\n")
        begun, isOpen = time.monotonic(), True
        while isOpen and time.monotonic() - begun < 40:
            try:
                connection.sendall(b"x-a: b\r\n")
                time.sleep(0.5)
                connection.setblocking(False)
                try:
                    isOpen = connection.recv(100) != b""
                except BlockingIOError:
                    pass
                connection.setblocking(True)
            except ConnectionError:
                isOpen = False
        self.assertFalse(isOpen)

    @unittest.skipUnless(os.environ.get("ASSENT_TEST_LONG"), "a body has a minute")
    def test_a_body_that_drips_is_ended(self):
        connection = raw()
        connection.sendall(request_head("UnaryCall", 1000) + b"{")
        self.assertFalse(is_closed(connection, 5), "it is ended at once, before it could drip")
        begun = time.monotonic()
        try:
            while time.monotonic() - begun < 90:
                connection.sendall(b" ")
                if is_closed(connection, 0.5):
                    return
        except ConnectionError:
            return
        self.fail("a body has dripped for 90 seconds")

    def test_a_caller_that_sends_no_more_gets_its_answer(self):
        connection = raw()
        connection.sendall(request_head("EmptyCall", 2) + b"{}")
        connection.shutdown(socket.SHUT_WR)
        self.assertTrue(connection.recv(1000).startswith(b"HTTP/1.1 200"))

    @unittest.skipUnless(os.environ.get("ASSENT_TEST_LONG"), "a body has a minute")
    def test_half_closed_connections_are_ended(self):
        connection = raw()
        connection.sendall(request_head("UnaryCall", 2) + b"{")
        connection.shutdown(socket.SHUT_WR)
        self.assertTrue(is_closed(connection, 90), "it stays open, although nothing can come any more")

    def test_idle_connections(self):
        idle = [raw() for _ in range(500)]
        self.assertEqual(call("EmptyCall", {}).status, 200)
        for connection in idle:
            connection.close()

    def test_more_connections_than_allowed(self):
        honest = connect()
        self.assertEqual(call("EmptyCall", {}, connection=honest).status, 200)
        many = []
        for _ in range(700):
            try:
                many.append(raw(timeout=2))
            except OSError:
                break
        self.assertEqual(call("EmptyCall", {}, connection=honest).status, 200)
        self.assertTrue(is_closed(many[-1], 20), "one address takes all connections")
        elsewhere = connect(source="127.0.0.2")
        self.assertEqual(call("EmptyCall", {}, connection=elsewhere).status, 200)
        for connection in many:
            connection.close()
        limit = time.monotonic() + 20
        while time.monotonic() < limit:
            try:
                if call("EmptyCall", {}).status == 200:
                    return
            except OSError:
                time.sleep(0.2)
        self.fail("the door does not let anybody in any more")

    def test_callers_that_never_read(self):
        size = b"\x08" + varint(100_000)
        body = frame((b"\x0a" + varint(len(size)) + size) * 1000)
        deaf = []
        for _ in range(20):
            connection = raw()
            connection.sendall(
                request_head("StreamingOutputCall", len(body), kind="application/connect+proto") + body)
            deaf.append(connection)
        self.assertTrue(select.select(deaf, [], [], 20)[0], "nobody is answered")
        self.assertLess(settled(), MOST, "2 GB of answers wait for callers that do not read")
        for connection in deaf:
            connection.close()

    def test_a_body_longer_than_its_bound(self):
        connection = raw()
        connection.sendall(request_head("UnaryCall", 100 << 20))
        answer = connection.recv(1000)
        self.assertTrue(answer.startswith(b"HTTP/1.1 400"), answer[:100])

    def test_a_bomb(self):
        bomb = gzip.compress(b" " * (60 << 20), 9)
        response = call("UnaryCall", bomb, Content_Encoding="gzip")
        self.assertEqual(response.status, 400)
        self.assertIn(b"message_too_large", response.content)

    def test_deep_json(self):
        response = call("UnaryCall", b'{"payload":' * 100_000)
        self.assertIn(response.status, [400, 429])

    def test_resets_in_the_middle(self):
        body = b'{"responseSize": 1000000}'
        for _ in range(200):
            connection = raw()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.sendall(request_head("UnaryCall", len(body)) + body)
            connection.close()


# Of memory, for answers that nobody reads, and whatever else the gateway has.
MOST = 400 << 20


def settled():
    """The gateway's memory once it grows no more: by then it keeps of answers what it keeps at most."""
    last, now = 0, resident()
    while last + (1 << 20) < now < MOST:
        time.sleep(0.3)
        last, now = now, resident()
    return now


def resident():
    """The memory of the gateway, in bytes, by its own metrics."""
    import urllib.request

    text = urllib.request.urlopen(f"http://{os.environ['ASSENT_OPERATIONS']}/metrics", timeout=10).read().decode()
    rows = [line for line in text.splitlines() if line.startswith("process_resident_memory_bytes")]
    return float(rows[0].split()[-1])


if __name__ == "__main__":
    unittest.main()
