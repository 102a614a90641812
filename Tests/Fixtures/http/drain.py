"""A gateway that is asked to end while it answers."""
import os
import signal
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from door import *


class Drain(unittest.TestCase):
    def test_the_call_under_way_is_answered_and_others_are_sent_elsewhere(self):
        answers = []
        caller = threading.Thread(target=lambda: answers.append(call("UnaryCall", {"sleepMs": 9000})))
        caller.start()
        time.sleep(0.5)
        os.kill(int(os.environ["GATEWAY"]), signal.SIGTERM)
        answered = []
        refused = call("EmptyCall", {})
        while refused.status == 200:
            answered.append(refused.getheader("connection"))
            time.sleep(0.05)
            refused = call("EmptyCall", {})
        # Before it refuses any, its clients have time to go elsewhere.
        self.assertGreater(answered.count("close"), 20)
        self.assertEqual((refused.status, refused.getheader("connection")), (503, "close"))
        caller.join()
        self.assertEqual(answers[0].status, 200)
        self.assertEqual(answers[0].getheader("connection"), "close")
        with self.assertRaises(OSError):
            for _ in range(100):
                call("EmptyCall", {})
                time.sleep(0.05)


if __name__ == "__main__":
    unittest.main()
