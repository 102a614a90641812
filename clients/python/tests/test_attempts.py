import unittest

from assent import Contract, KeyRefused, Options, StatusCode, StatusError, Unreachable
from assent.calls import repeated

METHODS = Contract.shared().service("assent.interop.v1.InteropService")


class AttemptTests(unittest.TestCase):
    def _attempts(self, error, key="k"):
        attempts = []

        def fail(options, attempt):
            attempts.append(attempt)
            raise error

        with self.assertRaises(StatusError):
            repeated(fail, METHODS["UnaryCall"], Options(idempotency_key=key))
        return len(attempts)

    def test_a_call_under_a_key_is_tried_five_times(self):
        self.assertEqual(self._attempts(StatusError(StatusCode.UNAVAILABLE, metadata=[("retry-after-ms", "1")])), 5)
        self.assertEqual(self._attempts(StatusError(StatusCode.UNAVAILABLE), key=""), 1)

    def test_a_call_has_one_budget_of_attempts_those_of_gateways_included(self):
        for left, attempts in [("0", [1]), ("1", [1, 5]), ("3", [1, 3, 4, 5]), ("4", [1, 2, 3, 4, 5])]:
            made = []

            def fail(options, attempt):
                made.append(attempt)
                told = [("attempts-left", left)] if len(made) == 1 else []
                raise StatusError(StatusCode.UNAVAILABLE, metadata=[*told, ("retry-after-ms", "1")])

            with self.subTest(left=left), self.assertRaises(StatusError):
                repeated(fail, METHODS["UnaryCall"], Options(idempotency_key="k"))
            self.assertEqual(made, attempts)

    def test_where_time_is_over_within_a_repeat_the_error_says_why_there_was_one(self):
        late = StatusError(StatusCode.DEADLINE_EXCEEDED, "too long")
        busy = StatusError(StatusCode.UNAVAILABLE, "the disk is full")
        error = self._error_after(busy, late)
        self.assertEqual((error.code, error.message), (busy.code, busy.message))
        away = self._error_after(Unreachable("nothing answers"), late)
        self.assertIs(type(away), StatusError)
        self.assertFalse(away.not_started)
        self.assertEqual(self._error_after(late).code, StatusCode.DEADLINE_EXCEEDED)

    def _error_after(self, *errors):
        """How a keyed call ends of which the attempts end in this way, the last of them again and again."""
        remaining = list(errors)

        def fail(options, attempt):
            error = remaining[0] if len(remaining) == 1 else remaining.pop(0)
            error.metadata = [("retry-after-ms", "1")]
            raise error

        with self.assertRaises(StatusError) as caught:
            repeated(fail, METHODS["UnaryCall"], Options(idempotency_key="k"))
        return caught.exception

    def test_a_call_of_which_an_earlier_attempt_may_have_run_is_not_said_to_have_not_started(self):
        begun = StatusError(StatusCode.UNAVAILABLE, "the connection was lost")
        for last, kind in [
            (Unreachable("nothing answers"), StatusError),
            (StatusError(StatusCode.UNAVAILABLE, "no instance", not_started=True), StatusError),
            (KeyRefused(StatusCode.UNAUTHENTICATED, "the key was removed", not_started=True), KeyRefused),
        ]:
            for errors in ([begun, last], [begun, Unreachable("nothing answers"), last]):
                with self.subTest(last=last, attempts=len(errors)):
                    error = self._error_after(*errors)
                    self.assertFalse(error.not_started)
                    self.assertIs(type(error), kind)
                    self.assertEqual((error.code, error.message), (last.code, last.message))
                    self.assertEqual(error.metadata, last.metadata)

    def test_a_call_of_which_no_attempt_has_begun_has_not_started(self):
        refused = StatusError(StatusCode.UNAVAILABLE, "no instance", not_started=True)
        error = self._error_after(refused, Unreachable("nothing answers"))
        self.assertIsInstance(error, Unreachable)
        self.assertTrue(error.not_started)
