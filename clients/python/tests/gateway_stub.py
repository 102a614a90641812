"""Gateways that do only what a test tells them, and answer pings, over real sockets."""

import collections
import pathlib
import tempfile
import time

import zmq

from assent.bus.envelopes import Message, Type, envelope, parsed
from vectors import SIGNS_OF_LIFE

PATIENCE = 5.0
SETTLING = 0.1


class Gateways:
    """Sockets at which a client or worker under test meets the test."""

    def __init__(self, count):
        self._folder = tempfile.TemporaryDirectory()
        self._context = zmq.Context()
        self.addresses = [f"ipc://{pathlib.Path(self._folder.name) / str(number)}" for number in range(count)]
        self._routers = []
        for address in self.addresses:
            router = self._context.socket(zmq.ROUTER)
            router.setsockopt(zmq.LINGER, 0)
            router.bind(address)
            self._routers.append(router)
        self._peers = [None] * count
        self._unread = [collections.deque() for _ in range(count)]
        self.credit = [0] * count

    def close(self):
        for router in self._routers:
            router.close()
        self._context.term()
        self._folder.cleanup()

    def send(self, sent, link):
        message = Message()
        message.add(sent)
        self._routers[link].send_multipart([self._peers[link], *message.frames])

    def expect(self, kind, link):
        """The next envelope, which has to be of a kind. Signs of life and credit may come in between."""
        until = time.monotonic() + PATIENCE
        while True:
            while self._unread[link]:
                found = self._unread[link].popleft()
                if found.type == kind or found.type not in SIGNS_OF_LIFE:
                    return found
            self._take(link, until - time.monotonic())

    def stream(self, call, size, link):
        """The DATA of a call, put together, until `size` bytes have come."""
        until = time.monotonic() + PATIENCE
        while True:
            chunks = [each for each in self._unread[link] if each.type == Type.DATA and each.call_id == call]
            content = b"".join(chunk.payload for chunk in chunks)
            if len(content) >= size:
                rest = [each for each in self._unread[link] if each not in chunks]
                self._unread[link] = collections.deque(rest)
                return content
            self._take(link, until - time.monotonic())

    def kinds(self, link):
        """The kinds of what has come and was not expected yet, after a moment in which more could have come."""
        self.settle(link)
        return [Type(each.type) for each in self._unread[link]]

    def settle(self, link, seconds=SETTLING):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._take(link, until - time.monotonic(), is_needed=False)

    def _take(self, link, seconds, is_needed=True):
        router = self._routers[link]
        if not router.poll(max(0, seconds) * 1000):
            if is_needed:
                raise AssertionError("nothing more was sent")
            return
        self._peers[link], *frames = router.recv_multipart()
        for found in parsed(frames):
            if found.credit:
                self.credit[link] = found.credit
            if found.type == Type.PING:
                self.send(envelope(Type.PONG, session=found.session), link)
            else:
                self._unread[link].append(found)
