import pathlib
import socket
import tempfile
import unittest

import zmq

from assent import BusClient, Contract, CurveKeys, KeyRefused, StatusCode, Unreachable

from installation import CLIENT_KEYS, CLIENTS_DOORS, WORKER_KEYS


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
        with BusClient(CLIENTS_DOORS, keys=CurveKeys(public, secret, CLIENT_KEYS.gateway)) as stranger:
            health = stranger.service("grpc.health.v1.Health")
            with self.assertRaises(KeyRefused) as caught:
                health.Check(Contract.shared().message("grpc.health.v1.HealthCheckRequest")(), timeout=10)
        self.assertEqual(caught.exception.code, StatusCode.UNAUTHENTICATED)
        self.assertIn("does not admit this key", caught.exception.message)

    @unittest.skipIf(WORKER_KEYS is None, "needs a gateway on TCP: ASSENT_WORKER_KEY_FILE names the worker's keys")
    def test_a_service_s_key_is_refused_at_the_clients_door_with_words_that_say_so(self):
        with BusClient(CLIENTS_DOORS, keys=WORKER_KEYS) as worker:
            with self.assertRaises(KeyRefused) as caught:
                check(worker, timeout=10)
        self.assertIn("role for the other door", caught.exception.message)

    @unittest.skipIf(CLIENT_KEYS is None, "needs a gateway on TCP: ASSENT_CLIENT_KEY_FILE names the client's keys")
    def test_another_gateway_than_its_public_key_says_is_not_taken_for_an_unreachable_one(self):
        other, _ = zmq.curve_keypair()
        keys = CurveKeys(CLIENT_KEYS.public, CLIENT_KEYS.secret, other)
        with BusClient(CLIENTS_DOORS, keys=keys) as client:
            with self.assertRaises(Unreachable) as caught:
                check(client, timeout=2)
        self.assertNotIn("nothing answers", caught.exception.message)

    @unittest.skipIf(WORKER_KEYS is None, "needs a gateway on TCP: ASSENT_WORKER_KEY_FILE names the worker's keys")
    def test_of_several_gateways_one_that_refuses_the_key_is_told_from_one_that_is_away(self):
        away = nobody_s_door()
        for doors in ([CLIENTS_DOORS[0], away], [away, CLIENTS_DOORS[0]]):
            with BusClient(doors, keys=WORKER_KEYS) as worker:
                with self.assertRaises(KeyRefused) as caught:
                    check(worker, timeout=5)
            self.assertIn("role for the other door", caught.exception.message)
            self.assertIn(f"nothing answers at {away}", caught.exception.message)
            self.assertTrue(caught.exception.not_started)

    def test_where_nothing_listens_is_unreachable(self):
        door = nobody_s_door()
        with BusClient([door]) as client:
            with self.assertRaises(Unreachable) as caught:
                check(client, timeout=0.5)
        self.assertIn(f"nothing answers at {door}", caught.exception.message)


def nobody_s_door():
    """An address at which nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{taken.getsockname()[1]}"


def check(client, timeout):
    health = client.service("grpc.health.v1.Health")
    return health.Check(Contract.shared().message("grpc.health.v1.HealthCheckRequest")(), timeout=timeout)
