import pathlib
import tempfile
import unittest

import zmq

from assent_bus import Client, Contract, CurveKeys, StatusCode, StatusError

from installation import CLIENT_KEYS, CLIENTS_DOORS


class CurveKeysTests(unittest.TestCase):
    def test_reads_what_assent_keys_writes(self):
        public, secret = zmq.curve_keypair()
        gateway, _ = zmq.curve_keypair()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "kiosk.key"
            path.write_bytes(b"public " + public + b"\nsecret " + secret + b"\n")
            self.assertEqual(CurveKeys.read(path, gateway.decode()), CurveKeys(public, secret, gateway))

    @unittest.skipIf(CLIENT_KEYS is None, "needs a gateway on TCP: ASSENT_CLIENT_KEY_FILE names the client's keys")
    def test_a_key_that_is_not_listed_opens_nothing(self):
        public, secret = zmq.curve_keypair()
        with Client(CLIENTS_DOORS, keys=CurveKeys(public, secret, CLIENT_KEYS.gateway)) as stranger:
            health = stranger.service("grpc.health.v1.Health")
            with self.assertRaises(StatusError) as caught:
                health.Check(Contract.shared().message("grpc.health.v1.HealthCheckRequest")(), timeout=1)
        self.assertEqual(caught.exception.code, StatusCode.DEADLINE_EXCEEDED)
