"""A key that was removed from the list."""
import os
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from door import *


class Removed(unittest.TestCase):
    def test_it_is_refused_soon(self):
        limit = time.monotonic() + 10
        while (status := call("EmptyCall", {}).status) == 200:
            self.assertLess(time.monotonic(), limit)
            time.sleep(0.05)
        self.assertEqual(status, 401)


if __name__ == "__main__":
    unittest.main()
