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
    def test_the_call_under_way_is_answered(self):
        answers = []
        caller = threading.Thread(target=lambda: answers.append(call("UnaryCall", {"sleepMs": 1500})))
        caller.start()
        time.sleep(0.5)
        os.kill(int(os.environ["GATEWAY"]), signal.SIGTERM)
        caller.join()
        self.assertEqual(answers[0].status, 200)
        self.assertEqual(answers[0].getheader("connection"), "close")
        with self.assertRaises(OSError):
            call("EmptyCall", {})


if __name__ == "__main__":
    unittest.main()
