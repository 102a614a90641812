"""Calls over HTTP/1.1: Connect and gRPC-Web by a client that is not ours."""
import base64
import gzip
import json
import os
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from door import *


def load_tests(loader, tests, pattern):
    only = os.environ.get("ONLY")
    names = [f"Calls.{name}" for name in only.split()] if only else []
    return loader.loadTestsFromNames(names, sys.modules[__name__]) if names else tests


class Calls(unittest.TestCase):
    def test_unary_json(self):
        response = call("UnaryCall", {"responseSize": 3})
        self.assertEqual(response.status, 200)
        self.assertEqual(json.loads(response.content)["payload"]["body"], "AAAA")
        self.assertEqual(response.getheader("cache-control"), "no-store")
        self.assertIn("r=", response.getheader("ratelimit"))

    def test_health_needs_no_key(self):
        connection = connect()
        connection.request("POST", "/grpc.health.v1.Health/Check", "{}", {"Content-Type": "application/json"})
        response = connection.getresponse()
        self.assertEqual((response.status, json.loads(response.read())), (200, {"status": "SERVING"}))

    def test_unary_proto(self):
        response = call("UnaryCall", b"\x08" + varint(1000), "application/proto")
        self.assertEqual(response.status, 200)
        self.assertIn(b"\0" * 1000, response.content)

    def test_many_calls_on_one_connection(self):
        connection = connect()
        for count in range(200):
            response = call("UnaryCall", {"responseSize": count % 7}, connection=connection)
            self.assertEqual(response.status, 200)
        connection.close()

    def test_calls_at_the_same_time(self):
        failures = []

        def work():
            connection = connect()
            for _ in range(50):
                if call("EmptyCall", b"", "application/proto", connection).status != 200:
                    failures.append(1)

        threads = [threading.Thread(target=work) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_pipelined(self):
        connection = raw()
        one = request_head("EmptyCall", 2) + b"{}"
        connection.sendall(one * 10)
        data = b""
        while data.count(b"HTTP/1.1 200") < 10:
            part = connection.recv(65536)
            self.assertTrue(part)
            data += part

    def test_large_both_ways(self):
        body = base64.b64encode(os.urandom(2_000_000)).decode()
        response = call("UnaryCall", {"responseSize": 2_500_000, "payload": {"body": body}})
        self.assertEqual(response.status, 200)
        self.assertEqual(len(base64.b64decode(json.loads(response.content)["payload"]["body"])), 2_500_000)

    def test_chunked_body(self):
        connection = connect()
        pieces = [b'{"resp', b'onseSize"', b": 3}"]
        connection.request(
            "POST", SERVICE + "UnaryCall", iter(pieces), {**headers(), "Transfer-Encoding": "chunked"},
            encode_chunked=True)
        self.assertEqual(connection.getresponse().status, 200)

    def test_gzip(self):
        body = gzip.compress(json.dumps({"responseSize": 100_000}).encode())
        response = call("UnaryCall", body, Content_Encoding="gzip", Accept_Encoding="gzip")
        self.assertEqual(response.getheader("content-encoding"), "gzip")
        self.assertLess(len(response.content), 2000)
        self.assertEqual(len(base64.b64decode(json.loads(unpacked(response))["payload"]["body"])), 100_000)

    def test_expect_continue(self):
        connection = raw()
        connection.sendall(request_head("EmptyCall", 2, Expect="100-continue"))
        self.assertTrue(connection.recv(1000).startswith(b"HTTP/1.1 100"))
        connection.sendall(b"{}")
        self.assertTrue(connection.recv(1000).startswith(b"HTTP/1.1 200"))

    def test_refused_before_the_body(self):
        connection = raw()
        head = request_head("EmptyCall", 10_000_000, Expect="100-continue").replace(KEY.encode(), b"ak_wrong")
        connection.sendall(head)
        self.assertTrue(connection.recv(1000).startswith(b"HTTP/1.1 401"))
        self.assertTrue(is_closed(connection, 5))

    def test_errors(self):
        response = call("UnaryCall", {"responseStatus": {"code": 5, "message": "gone"}})
        self.assertEqual(response.status, 404)
        self.assertEqual(json.loads(response.content), {"code": "not_found", "message": "gone"})
        response = call("UnaryCall", {"responseSiez": 1})
        self.assertEqual(response.status, 400)
        self.assertIn("line 1", json.loads(response.content)["message"])

    def test_other_verbs(self):
        for verb, status in [("GET", 405), ("HEAD", 405), ("PUT", 405), ("OPTIONS", 204)]:
            response = call("UnaryCall", None, verb=verb)
            self.assertEqual((verb, response.status), (verb, status))
            self.assertIn("POST", response.getheader("allow"))
        # What changes nothing can be asked by GET too.
        self.assertEqual(call("EmptyCall?encoding=json&message=%7B%7D", None, verb="GET").status, 200)
        self.assertEqual(call("EmptyCall", None, verb="GET").status, 400)

    def test_timeout(self):
        begun = time.monotonic()
        response = call("UnaryCall", {"sleepMs": 20_000}, Connect_Timeout_Ms="100")
        self.assertEqual(response.status, 504)
        self.assertLess(time.monotonic() - begun, 10)

    def test_server_stream(self):
        request = {"responseParameters": [{"size": 5}, {"size": 200_000}, {"size": 0, "intervalUs": 100_000}]}
        body = frame(json.dumps(request).encode())
        response = call("StreamingOutputCall", body, "application/connect+json")
        self.assertEqual(response.status, 200)
        found = frames(response.content)
        self.assertEqual([flags for flags, _ in found], [0, 0, 0, END])
        self.assertEqual(len(base64.b64decode(json.loads(found[1][1])["payload"]["body"])), 200_000)
        self.assertEqual(json.loads(found[3][1]), {})

    def test_stream_comes_as_it_is_made(self):
        request = {"responseParameters": [{"size": 1}, {"size": 1, "intervalUs": 30_000_000}]}
        body = frame(json.dumps(request).encode())
        connection = raw()
        begun = time.monotonic()
        connection.sendall(request_head("StreamingOutputCall", len(body), kind="application/connect+json") + body)
        data = b""
        while b"payload" not in data:
            data += connection.recv(1000)
        self.assertLess(time.monotonic() - begun, 25)
        connection.close()

    def test_large_stream(self):
        count = 300
        size = b"\x08" + varint(100_000)
        body = frame((b"\x0a" + varint(len(size)) + size) * count)
        response = call("StreamingOutputCall", body, "application/connect+proto")
        found = frames(response.content)
        self.assertEqual(len(found), count + 1)
        self.assertTrue(all(len(payload) > 100_000 for _, payload in found[:-1]))

    def test_client_stream(self):
        def pieces():
            for size in [1, 60_000, 0, 300_000]:
                body = base64.b64encode(b"x" * size).decode()
                yield frame(json.dumps({"payload": {"body": body}}).encode())
                time.sleep(0.02)

        connection = connect()
        connection.request(
            "POST", SERVICE + "StreamingInputCall", pieces(),
            {**headers("application/connect+json"), "Transfer-Encoding": "chunked"}, encode_chunked=True)
        response = connection.getresponse()
        found = frames(response.read())
        self.assertEqual(json.loads(found[0][1]), {"aggregatedPayloadSize": "360001"})
        self.assertEqual(found[1][0], END)

    def test_web(self):
        response = call("UnaryCall", frame(b"\x08" + varint(2000)), "application/grpc-web+proto", X_Grpc_Web="1")
        found = frames(response.content)
        self.assertEqual([flags for flags, _ in found], [0, TRAILERS])
        self.assertIn(b"\0" * 2000, found[0][1])
        self.assertEqual(found[1][1], b"grpc-status: 0\r\n")

    def test_web_text(self):
        body = base64.b64encode(frame(b"\x08" + varint(2000)))
        response = call("UnaryCall", body, "application/grpc-web-text")
        text, data = response.content, b""
        for start in range(0, len(text), 4):
            data += base64.b64decode(text[start : start + 4])
        self.assertEqual([flags for flags, _ in frames(data)], [0, TRAILERS])

    def test_a_caller_that_goes_cancels_its_call(self):
        before, open_before = cancelled_count(), measured("assent_gateway_open_calls")
        connection = raw()
        body = b'{"sleepMs": 30000}'
        connection.sendall(request_head("UnaryCall", len(body)) + body)
        self.wait_until(lambda: measured("assent_gateway_open_calls") > open_before)
        connection.close()
        self.wait_until(lambda: cancelled_count() > before)

    def wait_until(self, holds):
        limit = time.monotonic() + 30
        while not holds():
            self.assertLess(time.monotonic(), limit)
            time.sleep(0.05)

    def test_trace_context_goes_through(self):
        response = call("EmptyCall", {}, traceparent="00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        self.assertEqual(response.status, 200)


def measured(name, label=""):
    """The sum of a figure of the gateway's, of the rows with this label."""
    import urllib.request

    port = os.environ["ASSENT_OPERATIONS"]
    text = urllib.request.urlopen(f"http://{port}/metrics", timeout=10).read().decode()
    rows = [line for line in text.splitlines() if line.startswith(name) and label in line]
    return sum(float(row.split()[-1]) for row in rows)


def cancelled_count():
    return measured("assent_http_calls_total", "CANCELLED")


if __name__ == "__main__":
    unittest.main()
