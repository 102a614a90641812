"""What a call is on either side: two streams, and threads that wait for them."""

import threading
import time

from . import metadata
from .envelopes import Type, envelope
from ..status import StatusError
from .streams import Incoming, Outgoing


class Exchange:
    """One call of a session. The link's thread hands in what arrives; other threads send, receive and wait."""

    def __init__(self, session, number, timeout):
        self.session = session
        self.number = number
        self.deadline = time.monotonic() + timeout
        self._changed = threading.Condition()
        self._incoming = Incoming()
        self._outgoing = Outgoing()
        self._other_side_is_done = False
        self._is_finished = False
        self._failure = None
        self._first_data_metadata = ()

    def remaining(self):
        """How many seconds are left before the deadline."""
        return self.deadline - time.monotonic()

    # Called on the link's thread with what arrives.

    def received_data(self, envelope):
        with self._changed:
            try:
                self._incoming.take(envelope.offset, envelope.payload)
                self._raise_window()
            except StatusError as error:
                self._give_up(error)
            self._changed.notify_all()

    def received_window(self, envelope):
        with self._changed:
            self._outgoing.raise_limit(envelope.offset)
            self._changed.notify_all()

    # Implemented by both kinds of calls.

    def _give_up(self, error):
        """Ends the call because of an error on this side, with the lock held."""
        raise NotImplementedError

    def _passed_deadline(self):
        """The deadline has come, with the lock held: ends the call."""
        raise NotImplementedError

    # For the threads that read and write.

    def _wait(self):
        """Waits for a change, with the lock held. At the deadline that is the end of the call."""
        remaining = self.remaining()
        if remaining <= 0:
            self._passed_deadline()
        else:
            self._changed.wait(remaining)

    def _send_message(self, encoded):
        """Sends a message as DATA, and waits for the window as often as that takes."""
        with self._changed:
            self._outgoing.put(encoded)
            self._send_waiting()

    def _send_waiting(self):
        """Sends what waits for the window."""
        with self._changed:
            while not self._outgoing.is_empty:
                if self._failure is not None:
                    raise self._failure
                if self._is_finished:
                    return  # The other side needs no further message.
                chunk = self._outgoing.next_chunk()
                if chunk is None:
                    self._wait()
                    continue
                data = envelope(Type.DATA, offset=chunk[0], payload=chunk[1])
                metadata.write(self._first_data_metadata, data)
                self._first_data_metadata = ()
                self._emit(data)

    def _receive_message(self):
        """The next message of the other side; None behind the last one."""
        with self._changed:
            while True:
                message = self._incoming.pop()
                if message is not None:
                    if not self._other_side_is_done:
                        self._raise_window()
                    return message
                if self._failure is not None:
                    raise self._failure
                if self._other_side_is_done:
                    return None
                self._wait()

    def _raise_window(self):
        end = self._incoming.raised_window()
        if end is not None:
            self._emit(envelope(Type.WINDOW, offset=end))

    def _emit(self, envelope):
        envelope.call_id = self.number
        self.session.send(envelope)
