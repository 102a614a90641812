import pathlib
import tempfile
import unittest

import zmq

from assent_bus import CurveKeys


class CurveKeysTests(unittest.TestCase):
    def test_reads_what_assent_keys_writes(self):
        public, secret = zmq.curve_keypair()
        gateway, _ = zmq.curve_keypair()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "kiosk.key"
            path.write_bytes(b"public " + public + b"\nsecret " + secret + b"\n")
            self.assertEqual(CurveKeys.read(path, gateway.decode()), CurveKeys(public, secret, gateway))
