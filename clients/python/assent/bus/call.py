"""A call from the caller's side."""

from . import metadata
from .envelopes import LARGEST_PAYLOAD, Type, envelope
from .exchange import Exchange
from ..status import StatusCode, StatusError


class Call(Exchange):
    """A call under way. Iterate over it for a stream of answers; `result()` gives a single one."""

    def __init__(self, session, number, method, timeout):
        super().__init__(session, number, timeout)
        self.method = method
        self.initial_metadata = []
        """The worker's first metadata: there with the first answer, or at the end."""
        self.trailing_metadata = []
        """The worker's last metadata: there when the call has ended."""
        self._last_answer = None
        self._is_open = False

    # For the calling program.

    def send(self, request):
        """Sends one of a stream of requests; waits while the worker's window is full."""
        self._send_message(request.SerializeToString())

    def done_sending(self):
        """Says that no further request comes."""
        with self._changed:
            if not self._is_finished:
                self._emit(envelope(Type.HALF_CLOSE))

    def result(self):
        """The single answer of a unary or client streaming call."""
        answer = self._receive_answer()
        if answer is None:
            raise StatusError(StatusCode.INTERNAL, f"{self.method.path} ended without an answer")
        self._wait_for_end()
        return answer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.cancel()

    def __iter__(self):
        return self

    def __next__(self):
        answer = self._receive_answer()
        if answer is None:
            raise StopIteration
        return answer

    def cancel(self):
        """Says that nobody waits for the outcome any longer."""
        with self._changed:
            self._give_up(StatusError(StatusCode.CANCELLED, "the caller has cancelled the call"))

    # For the client.

    def open(self, request, *, attempt, options):
        """Sends OPEN, and the one request of a method that takes one."""
        encoded = None if request is None else request.SerializeToString()
        opening = envelope(
            Type.OPEN,
            method=self.method.path,
            remaining_ms=max(1, int(self.remaining() * 1000)),
            attempt=attempt,
            idempotency_key=options.idempotency_key or "",
            waits_for_ready=options.waits_for_ready,
            caller=options.caller,
        )
        metadata.write(options.metadata, opening)
        if encoded is not None and len(encoded) <= LARGEST_PAYLOAD:
            opening.payload = encoded
            opening.carries_message = True
            encoded = None
        if encoded is not None:
            # Refused before OPEN when it is larger than any message may be.
            self._outgoing.put(encoded)
        with self._changed:
            if not self._is_finished:
                self._emit(opening)
                self._is_open = True
        if encoded is not None:
            self._send_waiting()
            self.done_sending()

    def received_first_metadata(self, envelope):
        if not self.initial_metadata:
            self.initial_metadata = metadata.read(envelope)

    def received_status(self, received):
        with self._changed:
            if self._is_finished:
                return
            self.trailing_metadata = metadata.read(received)
            if received.status_code == 0 and self._incoming.is_inside_message:
                message = "the stream of answers ends in the middle of a message"
                self._finish(StatusError(StatusCode.INTERNAL, message))
                return
            if received.status_code == 0:
                self._last_answer = received.payload if received.carries_message else None
                self._finish(None)
                return
            details = [(detail.type_name, detail.value) for detail in received.status_details]
            self._finish(
                StatusError(
                    received.status_code,
                    received.status_message,
                    not_started=received.not_started,
                    metadata=self.trailing_metadata,
                    details=details,
                )
            )

    def lost(self):
        """The session is over: nobody will hear of the outcome, and a call that was opened may have run."""
        with self._changed:
            if not self._is_finished:
                message = "the connection to the gateway was lost"
                self._finish(StatusError(StatusCode.UNAVAILABLE, message, not_started=not self._is_open))

    # How a call ends.

    def _give_up(self, error):
        if not self._is_finished:
            if self._is_open:
                self._emit(envelope(Type.CANCEL))
            self._finish(error)

    def _passed_deadline(self):
        self._give_up(StatusError(StatusCode.DEADLINE_EXCEEDED, f"{self.method.path} took too long"))

    def _finish(self, failure):
        self._is_finished = self._other_side_is_done = True
        self._failure = failure
        self.session.calls.pop(self.number, None)
        self._changed.notify_all()

    def _receive_answer(self):
        encoded = self._receive_message()
        if encoded is None:
            encoded, self._last_answer = self._last_answer, None
        return None if encoded is None else self.method.answer.FromString(encoded)

    def _wait_for_end(self):
        with self._changed:
            while not self._is_finished:
                self._wait()
            if self._failure is not None:
                raise self._failure
