"""The client over HTTP against servers that do only what a test tells them."""

import asyncio
import base64
import contextlib
import os
import socket
import struct
import threading
import time
import unittest

from assent import AsyncClient, Client, StatusCode, StatusError, Unreachable
from assent.interop.v1.interop_pb2 import StreamingOutputCallRequest, StreamingOutputCallResponse, UnaryCallRequest
from assent.metadata import LARGEST

SERVICE = "assent.interop.v1.InteropService"
PROTO, STREAM = "application/proto", "application/connect+proto"
MINUTE = 60
BUSY = 10
"""Seconds that a busy machine may take for what takes none; what these tests look for would take a minute."""


def answer(body=b"", kind=PROTO, status="200 OK", more=""):
    head = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n{more}\r\n"
    return head.encode() + body


def frame(content, flags=0):
    return struct.pack(">BI", flags, len(content)) + content


class Server:
    """Hands each request, as its lines and the socket, to a function of the test."""

    def __init__(self, test, handle):
        self.requests = []
        self._handle = handle
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()
        test.addCleanup(self._listening.close)

    def stop(self):
        """Takes no further connection. Closing the socket alone would not wake the thread that accepts them."""
        self._listening.shutdown(socket.SHUT_RDWR)

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self._serve, args=[self._listening.accept()[0]], daemon=True).start()

    def _serve(self, accepted):
        with contextlib.suppress(OSError), accepted, accepted.makefile("rb") as reader:
            while lines := self._lines(reader):
                reader.read(next(int(line[16:]) for line in lines if line.startswith("content-length: ")))
                self.requests.append(lines)
                self._handle(accepted)

    def _lines(self, reader):
        lines = []
        while (line := reader.readline().decode().strip()):
            name, _, value = line.partition(": ")
            lines.append(f"{name.lower()}: {value}")
        return lines


def sends(*parts, then=lambda: None):
    def handle(accepted):
        for part in parts:
            accepted.sendall(part)
        then()
    return handle


def failure(call, *arguments, **options):
    try:
        call(*arguments, **options)
    except StatusError as error:
        return error
    raise AssertionError("the call should have failed")


def files():
    return len(os.listdir("/proc/self/fd"))


class HTTPTests(unittest.TestCase):
    def _client(self, handle, **options):
        self.server = Server(self, handle)
        client = Client(self.server.url, **options)
        self.addCleanup(client.close)
        return client, client.service(SERVICE)

    # Whose answer it is.

    def test_a_page_of_somebody_else_is_no_answer(self):
        for body in (b"", b"<html>"):
            _, interop = self._client(sends(answer(body, "text/html; charset=utf-8")))
            for method, request in ((interop.UnaryCall, UnaryCallRequest()),
                                    (interop.StreamingOutputCall, StreamingOutputCallRequest())):
                error = failure(method, request)
                self.assertEqual(error.code, StatusCode.UNKNOWN)
                self.assertIn("text/html", error.message)

    def test_an_answer_that_cannot_be_read_is_an_error_of_the_call(self):
        _, interop = self._client(sends(answer(b"\xff")))
        self.assertEqual(failure(interop.UnaryCall, UnaryCallRequest()).code, StatusCode.INTERNAL)
        for content in (frame(b"\xff"), frame(b"{", flags=2)):
            client, interop = self._client(sends(answer(content, STREAM)))
            stream = interop.StreamingOutputCall(StreamingOutputCallRequest())
            self.assertEqual(failure(next, stream).code, StatusCode.INTERNAL)
            self.assertFalse(stream._connection.is_open)

    # Attempts.

    def test_a_call_that_was_sent_before_its_gateway_went_away_may_have_run(self):
        def leave(accepted):
            self.server.stop()
            raise ConnectionAbortedError("the gateway goes away before it answers")

        _, interop = self._client(leave)
        error = failure(interop.UnaryCall, UnaryCallRequest())
        self.assertEqual(len(self.server.requests), 1)
        self.assertIn("nothing answers at", error.message)
        self.assertFalse(error.not_started)
        self.assertNotIsInstance(error, Unreachable)
        later = failure(interop.UnaryCall, UnaryCallRequest(), idempotency_key="", timeout=1)
        self.assertIsInstance(later, Unreachable)
        self.assertTrue(later.not_started)

    # Deadlines.

    def test_an_answer_that_trickles_ends_at_its_deadline(self):
        def trickle(text):
            def handle(accepted):
                for byte in text:
                    accepted.sendall(bytes([byte]))
                    time.sleep(0.1)
            return handle

        for text in (answer(bytes(100)), answer(bytes(100))[:17] + b"x" * 100):
            _, interop = self._client(trickle(text))
            began = time.monotonic()
            error = failure(interop.UnaryCall, UnaryCallRequest(), timeout=0.5)
            self.assertEqual(error.code, StatusCode.DEADLINE_EXCEEDED)
            self.assertLess(time.monotonic() - began, 2)

    # Ends of calls.

    def test_closing_the_client_ends_its_calls(self):
        began = threading.Event()
        for method, request, parts in (
            ("UnaryCall", UnaryCallRequest(), []),
            ("UnaryCall", UnaryCallRequest(), [answer(bytes(100))[:-50]]),
            ("StreamingOutputCall", StreamingOutputCallRequest(), [answer(bytes(100), STREAM)[:-98]]),
        ):
            with self.subTest(method, parts=len(parts)):
                began.clear()
                client, interop = self._client(sends(*parts, then=lambda: (began.set(), time.sleep(MINUTE))))
                outcomes = []

                def call():
                    made = getattr(interop, method)
                    outcomes.append(failure(lambda: list(made(request))))

                thread = threading.Thread(target=call)
                thread.start()
                self.assertTrue(began.wait(BUSY))
                time.sleep(0.1)
                closing = time.monotonic()
                client.close()
                self.assertLess(time.monotonic() - closing, BUSY)
                thread.join(BUSY)
                self.assertEqual([outcome.code for outcome in outcomes], [StatusCode.CANCELLED])
                self.assertEqual(failure(interop.UnaryCall, UnaryCallRequest()).code, StatusCode.CANCELLED)

    def test_cancelling_a_task_holds_the_event_loop_up_for_nobody(self):
        head = answer(bytes(1 << 20), STREAM)[: -(1 << 20)]
        part = frame(StreamingOutputCallResponse().SerializeToString())

        def slow(accepted):
            time.sleep(0.5)
            sends(head, part)(accepted)

        for handle, delay in ((sends(head, part), 0.3), (slow, 0.05)):
            client, _ = self._client(handle)
            with self.subTest(delay=delay):
                self.assertLess(asyncio.run(self._longest_stall(client, delay)), BUSY)
                until = time.monotonic() + 5
                while any(each.is_open for each in list(client._connections)) and time.monotonic() < until:
                    time.sleep(0.05)
                self.assertFalse(any(each.is_open for each in list(client._connections)))

    async def _longest_stall(self, client, delay):
        async def read(interop):
            async for _ in interop.StreamingOutputCall(StreamingOutputCallRequest(), timeout=MINUTE):
                pass

        asynchronous = AsyncClient(client)
        task = asyncio.create_task(read(asynchronous.service(SERVICE)))
        ticks = [time.monotonic()]
        for tick in range(40):
            await asyncio.sleep(0.02)
            ticks.append(time.monotonic())
            if tick == int(delay / 0.02):
                task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        return max(later - earlier for earlier, later in zip(ticks, ticks[1:]))

    # Sockets.

    def test_threads_and_refused_streams_leave_no_socket_behind(self):
        refused = answer(b"", "text/html", "502 Bad Gateway")
        _, interop = self._client(sends(answer()))
        _, refusing = self._client(sends(refused))
        before = files()
        for _ in range(50):
            thread = threading.Thread(target=interop.UnaryCall, args=[UnaryCallRequest()])
            thread.start()
            thread.join()
            self.assertEqual(
                failure(refusing.StreamingOutputCall, StreamingOutputCallRequest()).code, StatusCode.UNAVAILABLE)
        until = time.monotonic() + 5  # until the server has noticed as well, which is in this process
        while files() > before + 5 and time.monotonic() < until:
            time.sleep(0.05)
        self.assertLessEqual(files(), before + 5)

    def test_calls_of_one_thread_share_a_connection(self):
        client, interop = self._client(sends(answer()))
        for _ in range(5):
            interop.UnaryCall(UnaryCallRequest())
        self.assertEqual(len(client._connections), 1)

    # Metadata.

    def test_every_pair_of_metadata_goes_out_with_every_attempt(self):
        lost = answer(b"{\"code\": \"unavailable\"}", "application/json", "503 Service Unavailable", "retry-after-ms: 1\r\n")
        answers = [lost, answer()]
        _, interop = self._client(lambda accepted: accepted.sendall(answers.pop(0)))
        interop.UnaryCall(UnaryCallRequest(), metadata=iter([("x-a", "1"), ("x-a", "2"), ("x-b-bin", b"\xff")]))
        self.assertEqual(len(self.server.requests), 2)
        for lines in self.server.requests:
            self.assertEqual([line for line in lines if line.startswith("x-a")], ["x-a: 1", "x-a: 2"])
            self.assertIn("x-b-bin: /w", lines)

    def test_metadata_of_a_wrong_kind_is_refused_by_its_key_and_spoils_no_later_call(self):
        _, interop = self._client(sends(answer()))
        for entry in (("who", "Zoë"), ("who", "a\r\nb"), ("who", b"bytes"), ("who-bin", "text"), ("Who-Bin", "text")):
            with self.assertRaisesRegex(ValueError, f"'{entry[0]}'"):
                interop.UnaryCall(UnaryCallRequest(), metadata=[entry])
            interop.UnaryCall(UnaryCallRequest(), idempotency_key="")

    def test_a_key_in_capitals_takes_bytes_as_well(self):
        _, interop = self._client(sends(answer()))
        interop.UnaryCall(UnaryCallRequest(), metadata=[("X-B-Bin", b"\xff")])
        self.assertIn("x-b-bin: /w", self.server.requests[0])

    def test_more_metadata_than_may_travel_is_refused_before_anything_is_sent(self):
        _, interop = self._client(sends(answer()))
        most = LARGEST - len("whow-bin") - 2 * 32
        with self.assertRaisesRegex(ValueError, "16385 bytes; at most 16384"):
            interop.UnaryCall(UnaryCallRequest(), metadata=[("who", ""), ("w-bin", bytes(most + 1))])
        self.assertEqual(self.server.requests, [])
        interop.UnaryCall(UnaryCallRequest(), metadata=[("who", ""), ("w-bin", bytes(most))])

    def test_bytes_in_an_answer_s_metadata_are_bytes(self):
        encoded = base64.b64encode(b"\xab\0").decode().rstrip("=")
        _, interop = self._client(sends(answer(more=f"trailer-echo-bin: {encoded}\r\n")))
        _, call = interop.UnaryCall.with_call(UnaryCallRequest())
        self.assertEqual(call.trailing_metadata, [("echo-bin", b"\xab\0")])

    def test_a_program_without_a_key_may_say_none(self):
        for key in (None, ""):
            _, interop = self._client(sends(answer()), key=key)
            interop.UnaryCall(UnaryCallRequest())
            self.assertFalse(any(line.startswith("authorization") for line in self.server.requests[0]))

    def test_a_key_from_a_file_may_have_a_line_s_end_and_never_gets_into_words(self):
        _, interop = self._client(sends(answer()), key="ak_secret\n")
        interop.UnaryCall(UnaryCallRequest())
        self.assertIn("authorization: Bearer ak_secret", self.server.requests[0])
        with self.assertRaises(ValueError) as caught:
            Client("http://127.0.0.1:1", key="ak_se\ncret")
        self.assertNotIn("ak_se", str(caught.exception))
