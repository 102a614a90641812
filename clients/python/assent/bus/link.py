"""A connection to one gateway: its socket, sessions and pings, all on a thread of its own that runs no handlers."""

import collections
import dataclasses
import logging
import pathlib
import socket
import threading
import time

import zmq
import zmq.utils.monitor

from .envelopes import DEFAULT_PING_INTERVAL, LARGEST_MESSAGE, Message, Type, envelope, parsed
from ..status import KeyRefused, StatusCode, StatusError

log = logging.getLogger("assent")
SILENT_INTERVALS = 3
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 32.0
"""Between two times of asking a gateway that refuses."""
MESSAGES_AT_A_TIME = 100
CLOSING_TIME = 1.0
EVENTS = (
    zmq.EVENT_CONNECTED
    | zmq.EVENT_HANDSHAKE_SUCCEEDED
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
    | zmq.EVENT_DISCONNECTED
)


@dataclasses.dataclass(frozen=True)
class CurveKeys:
    """What a peer proves itself with over TCP: its own two keys and the gateway's public one, as zmq.curve_keypair
    writes them."""

    public: bytes
    secret: bytes
    gateway: bytes

    @classmethod
    def read(cls, path, gateway):
        """The keys in a file of `assent keys generate`; `gateway` is the gateway's public key as text."""
        lines = dict(line.split() for line in pathlib.Path(path).read_text("ascii").splitlines() if line)
        return cls(lines["public"].encode(), lines["secret"].encode(), gateway.encode())


class Session:
    """What HELLO and HELLO_ACK have begun. Its calls are over when it is."""

    def __init__(self, link, number):
        self.link = link
        self.number = number
        self.calls = {}
        self.takes_calls = True

    def send(self, envelope):
        envelope.session = self.number
        self.link.enqueue(envelope)


class Link:
    """Keeps a session with the gateway at an endpoint, and hands its envelopes to an owner.

    The owner has `hello()`, which gives the envelope to begin with, `began(session)`, `received(session, envelope)`,
    `ended(session)`, `pinged(session, load)` and `load()`, which gives what pings tell, or None. All are called on the
    link's thread.
    """

    def __init__(self, context, endpoint, owner, number, keys=None):
        self.session = None
        self.refusal = None
        """Why the gateway takes no session with us, as a StatusError."""
        self.trouble = f"nothing answers at {endpoint}"
        """What stands in the way of a session, in words."""
        self._endpoint = endpoint
        self._owner = owner
        self._number = number  # distinguishes a process's links to one gateway
        self._outbox = collections.deque()
        self._unsent = None  # the frames of a message for which there was no room
        self._wake_reader, self._wake_writer = socket.socketpair()
        self._wake_writer.setblocking(False)
        self._wake_reader.setblocking(False)
        self._closes_at = None
        self._epoch = 0
        self._hello = None  # the HELLO that waits for its answer
        self._pause = FIRST_PAUSE
        self._ping_interval = DEFAULT_PING_INTERVAL
        self._next_tick = float("inf")
        self._heard_at = 0.0
        self._socket = self._open_socket(context, keys)
        self._monitor = self._socket.get_monitor_socket(EVENTS)
        self._socket.connect(endpoint)
        self._thread = threading.Thread(target=self._run, name=f"assent-bus {endpoint}", daemon=True)

    def start(self):
        self._thread.start()

    def enqueue(self, envelope):
        """Sends an envelope; any thread may call this."""
        self._outbox.append(envelope)
        self._wake()

    def close(self):
        """Sends what is left, and ends the thread."""
        self._closes_at = time.monotonic() + CLOSING_TIME
        self._wake()
        self._thread.join()

    # The thread's loop.

    @staticmethod
    def _open_socket(context, keys):
        dealer = context.socket(zmq.DEALER)
        for option, value in [
            (zmq.IMMEDIATE, 1),
            (zmq.LINGER, 200),
            (zmq.RECONNECT_IVL, 250),
            (zmq.RECONNECT_IVL_MAX, 1000),
            (zmq.HEARTBEAT_IVL, 1000),
            (zmq.HEARTBEAT_TIMEOUT, 3000),
        ]:
            dealer.setsockopt(option, value)
        if keys is not None:
            dealer.curve_publickey, dealer.curve_secretkey, dealer.curve_serverkey = keys.public, keys.secret, keys.gateway
        return dealer

    def _run(self):
        poller = zmq.Poller()
        for source in (self._monitor, self._wake_reader):
            poller.register(source, zmq.POLLIN)
        while not self._is_closed():
            poller.register(self._socket, zmq.POLLIN | (zmq.POLLOUT if self._unsent or self._outbox else 0))
            wake_at = min(self._next_tick, self._closes_at or float("inf"))
            timeout = None if wake_at == float("inf") else max(0, wake_at - time.monotonic()) * 1000
            poller.poll(timeout)
            self._take_wakes()
            self._take_events()
            self._take_envelopes()
            if time.monotonic() >= self._next_tick:
                self._tick()
            self._flush()
        self._end_session()
        self._socket.disable_monitor()
        self._monitor.close(linger=0)
        self._socket.close()
        self._wake_reader.close()
        self._wake_writer.close()

    def _is_closed(self):
        return self._closes_at is not None and (not (self._unsent or self._outbox) or time.monotonic() >= self._closes_at)

    def _wake(self):
        try:
            self._wake_writer.send(b".")
        except OSError:
            pass  # Full: a wake-up is already pending. Closed: the thread has ended.

    def _take_wakes(self):
        try:
            self._wake_reader.recv(4096)
        except BlockingIOError:
            pass

    def _take_events(self):
        while self._monitor.poll(0):
            event = zmq.utils.monitor.recv_monitor_message(self._monitor)["event"]
            if event == zmq.EVENT_CONNECTED:
                self.trouble = f"something listens at {self._endpoint}, and does not answer as a gateway with this public key"
            elif event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                self.trouble = f"the gateway at {self._endpoint} has not answered yet"
                self._begin()
            elif event == zmq.EVENT_HANDSHAKE_FAILED_AUTH:
                self._key_refused()
            elif event in (zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL, zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL):
                self.trouble = f"the gateway at {self._endpoint} is another one than its public key says, or asks for keys"
            elif event == zmq.EVENT_DISCONNECTED:
                self._end_session()
                self._hello = None
                self._next_tick = float("inf")

    def _key_refused(self):
        """The gateway may list the key later: the socket goes on trying."""
        self.refusal = KeyRefused(
            StatusCode.UNAUTHENTICATED,
            f"the gateway at {self._endpoint} does not admit this key: it is not listed there, or it is listed with a role "
            "for the other door (clients dial 5570, services 5571)",
            not_started=True,
        )
        self._owner.ended(None)

    def _take_envelopes(self):
        for _ in range(MESSAGES_AT_A_TIME):
            try:
                frames = self._socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            for received in parsed(frames):
                self._receive(received)

    def _flush(self):
        while self._unsent or self._outbox:
            self._unsent = self._unsent or self._next_message()
            if self._unsent:
                try:
                    self._socket.send_multipart(self._unsent, zmq.NOBLOCK)
                except zmq.Again:
                    return
                self._unsent = None

    def _next_message(self):
        """The frames of a message with what waits; None when none of it is worth sending."""
        current = 0 if self.session is None else self.session.number
        message = Message()
        while self._outbox and not message.is_full:
            envelope = self._outbox.popleft()
            # Messages for an earlier session would only be dropped at the other end.
            if envelope.type == Type.HELLO or envelope.session == current:
                message.add(envelope)
        return message.frames

    # Sessions.

    def _begin(self):
        """Says HELLO, with an epoch greater than any before."""
        self._end_session()
        self._epoch = max(self._epoch + 1, int(time.time() * 1000))
        self._hello = self._owner.hello()
        self._hello.hello.epoch = self._epoch
        self._hello.hello.link = self._number
        self._hello.hello.oldest_version = self._hello.hello.newest_version = 1
        self._hello.hello.largest_message = LARGEST_MESSAGE
        self._say_hello()

    def _say_hello(self):
        self.enqueue(self._hello)
        self._next_tick = time.monotonic() + self._ping_interval

    def _receive(self, received):
        kind = received.type
        if kind == Type.HELLO_ACK:
            self._accept(received.hello_ack)
        elif kind == Type.HELLO_REQUEST:
            if self._hello is None:
                self._begin()
        elif kind == Type.GOAWAY and received.session == 0:
            self._refused(received)
        elif self.session is not None and received.session == self.session.number:
            self._heard_at = time.monotonic()
            self._receive_in_session(received)

    def _accept(self, ack):
        if self._hello is None:
            return  # The repeated answer to a HELLO that was sent twice.
        self._hello = None
        self.refusal = None
        self._pause = FIRST_PAUSE
        self._ping_interval = ack.ping_ms / 1000 or DEFAULT_PING_INTERVAL
        self._heard_at = time.monotonic()
        self._next_tick = self._heard_at + self._ping_interval
        self.session = Session(self, ack.session)
        self._owner.began(self.session)

    def _refused(self, received):
        if received.status_code == StatusCode.ALREADY_EXISTS:
            # Another link leads to the same gateway. The tick repeats the HELLO in case that link's session ends.
            return
        if self.refusal is None:
            log.warning("the gateway at %s takes no session with us: %s", self._endpoint, received.status_message)
        code = StatusCode(received.status_code)
        kind = KeyRefused if code == StatusCode.PERMISSION_DENIED else StatusError
        self.refusal = kind(code, received.status_message)
        # Sessions become free, and keys are listed again: the tick repeats the HELLO, with pauses that grow.
        self._next_tick = time.monotonic() + self._pause
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        self._owner.ended(None)

    def _receive_in_session(self, received):
        kind = received.type
        if kind == Type.PING:
            self._owner.pinged(self.session, received.load)
            self.session.send(self._sign_of_life(Type.PONG))
        elif kind == Type.BYE:
            if received.status_code:
                log.warning("the gateway at %s has ended the session: %s", self._endpoint, received.status_message)
            # The tick says HELLO again; saying it at once would ask a leaving gateway over and over.
            self._end_session()
        elif kind == Type.GOAWAY:
            self.session.takes_calls = False
        elif kind != Type.PONG:
            self._owner.received(self.session, received)

    def _tick(self):
        now = time.monotonic()
        self._next_tick = now + self._ping_interval
        if self._hello is not None:
            self._say_hello()
        elif self.session is None or now - self._heard_at >= SILENT_INTERVALS * self._ping_interval:
            self._begin()
        else:
            self.session.send(self._sign_of_life(Type.PING))

    def _sign_of_life(self, kind):
        sign = envelope(kind)
        load = self._owner.load()
        if load is not None:
            sign.load.busy, sign.load.waiting, sign.load.progress = load
        return sign

    def _end_session(self):
        session, self.session = self.session, None
        self._unsent = None
        if session is not None:
            session.takes_calls = False
            self._owner.ended(session)
