import unittest

from assent import Contract, Options, StatusCode, StatusError
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

    def test_a_call_that_instances_were_lost_with_is_not_tried_again(self):
        error = StatusError(StatusCode.UNAVAILABLE, metadata=[("lost-instances", "5")])
        self.assertEqual(error.lost_instances, 5)
        self.assertEqual(self._attempts(error), 1)
