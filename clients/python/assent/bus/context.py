"""A call from the worker's side."""

import inspect
import logging
import secrets

from . import metadata
from .envelopes import DEFAULT_TIMEOUT, LARGEST_PAYLOAD, Type, envelope, keep_to_bounds
from .exchange import Exchange
from ..metadata import checked
from ..status import StatusCode, StatusError

log = logging.getLogger("assent")


class Context(Exchange):
    """What a handler may know and do besides its request and its answers."""

    def __init__(self, session, opening, method, handler):
        super().__init__(session, opening.call_id, (opening.remaining_ms or DEFAULT_TIMEOUT * 1000) / 1000)
        self.method = method
        self.metadata = metadata.read(opening)
        self.caller = opening.caller
        """Whom the gateway has verified."""
        self.attempt = opening.attempt
        self.idempotency_key = opening.idempotency_key
        self.initial_metadata = []
        """Goes ahead of the first answer."""
        self.trailing_metadata = []
        """Goes with the status."""
        self._handler = handler
        self._only_request = opening.payload if opening.carries_message else None
        self._other_side_is_done = opening.carries_message

    def sleep(self, seconds):
        """Waits, unless the call ends before: then it raises."""
        with self._changed:
            self._changed.wait_for(lambda: self._failure is not None, min(seconds, max(0, self.remaining())))
            if self._failure is None and self.remaining() <= 0:
                self._passed_deadline()
            self.check()

    def check(self):
        """Raises when nobody waits for this call any longer."""
        if self._failure is not None:
            raise self._failure

    # For the worker.

    def run(self):
        """Runs the handler, and sends the outcome unless nobody waits for it."""
        try:
            self.check()
            self._handle()
        except StatusError as error:
            self.end(error)
        except BaseException:  # also sys.exit() and the like: the slot is there for other calls
            self.end(self._logged("an unexpected error"))

    def reject(self):
        with self._changed:
            if self._failure is None:
                self._emit(envelope(Type.REJECT))
                self._finish(StatusError(StatusCode.UNAVAILABLE, "the call was handed back"))

    def received_half_close(self):
        with self._changed:
            self._other_side_is_done = True
            if self._incoming.is_inside_message:
                message = "the stream of requests ends in the middle of a message"
                self._give_up(StatusError(StatusCode.INVALID_ARGUMENT, message))
            self._changed.notify_all()

    def cancelled(self, message):
        with self._changed:
            if self._failure is None:
                self._finish(StatusError(StatusCode.CANCELLED, message))

    def end(self, error):
        """The call fails with this status, unless it has ended already."""
        with self._changed:
            self._give_up(error)

    def _handle(self):
        requests = self._requests() if self.method.kind.streams_requests else self._one_request()
        answers = self._handler(requests, self)
        if self.method.kind.streams_answers:
            self._send_all(answers if answers is not None else ())
            self._succeed()
            return
        if inspect.isgenerator(answers):
            raise TypeError(f"the handler of {self.method.path} yields, but the method has one answer")
        encoded = answers.SerializeToString()
        if len(encoded) > LARGEST_PAYLOAD or self.initial_metadata:
            # Initial metadata travels with DATA only.
            self._send_message(encoded)
            self._succeed()
        else:
            self._succeed(payload=encoded, carries_message=True)

    def _send_all(self, answers):
        try:
            for answer in answers:
                self._send_message(answer.SerializeToString())
        finally:
            # A generator whose call has ended is left at its `yield`: its own `finally` is to run now, and not when the
            # last reference to it goes, which the call's error would keep for a while.
            if inspect.isgenerator(answers):
                answers.close()

    def _one_request(self):
        encoded = self._only_request if self._only_request is not None else self._receive_message()
        if encoded is None:
            raise self._bad_request(f"{self.method.path} takes one request and got none")
        return self._decoded(encoded)

    def _requests(self):
        while (encoded := self._receive_message()) is not None:
            yield self._decoded(encoded)

    def _decoded(self, encoded):
        try:
            return self.method.request.FromString(encoded)
        except Exception as error:  # protobuf's implementations raise errors of different classes
            name = self.method.request.DESCRIPTOR.full_name
            raise self._bad_request(f"the request cannot be read: it is no {name}") from error

    @staticmethod
    def _bad_request(story):
        return StatusError(StatusCode.INVALID_ARGUMENT, story, rule="bad_request")

    def _send_message(self, encoded):
        with self._changed:
            if self.initial_metadata:
                # Refused before anything of the answer is put on its way.
                self._first_data_metadata, self.initial_metadata = checked(self.initial_metadata), []
        super()._send_message(encoded)

    # How a call ends.

    def _succeed(self, **answer):
        with self._changed:
            self.check()
            self._emit_status(envelope(Type.STATUS, **answer), self.trailing_metadata)
            self._finish(StatusError(StatusCode.CANCELLED, "the call has ended"))

    def _give_up(self, error):
        if self._failure is not None:
            return
        try:
            self._emit_failure(error, self.trailing_metadata)
        except Exception:
            # The handler's own words or metadata cannot be sent. Its caller still waits for an outcome.
            self._emit_failure(self._logged("the handler's outcome cannot be sent"), [])
        self._finish(error)

    def _logged(self, story):
        """Logs the exception that is being handled, under a new id. The status that the caller gets for it names the
        id, and nothing of the exception."""
        number = secrets.token_hex(8)
        log.exception("%s [%s]: %s", self.method.path, number, story)
        return StatusError(
            StatusCode.INTERNAL, f"{story}; the service's log has it under {number}", rule="internal_error"
        )

    def _emit_failure(self, error, trailing):
        status = envelope(Type.STATUS, status_code=int(error.code), status_message=error.message)
        for type_name, value in error.details:
            status.status_details.add(type_name=type_name, value=value)
        self._emit_status(status, [*checked(trailing), *checked(error.metadata)])

    def _passed_deadline(self):
        self._give_up(StatusError(StatusCode.DEADLINE_EXCEEDED, f"{self.method.path} took too long"))

    def _emit_status(self, status, trailing):
        metadata.write(trailing, status)
        keep_to_bounds(status)
        self._emit(status)

    def _finish(self, failure):
        self._failure = failure
        self.session.calls.pop(self.number, None)
        self._changed.notify_all()
