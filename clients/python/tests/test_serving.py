import contextlib
import io
import os
import unittest
from unittest import mock

from assent import ServiceWorker


class Served(Exception):
    """Ends the worker's program where it would begin to serve."""


class Interop(ServiceWorker):
    service = "assent.interop.v1.InteropService"

    def serve(self, gateways, *, keys=None, slots=None):
        raise Served(gateways)


def doors(arguments, **environment):
    """The doors that the program dials."""
    with mock.patch.dict(os.environ, environment, clear=True), mock.patch("signal.pthread_sigmask"):
        try:
            Interop().main(arguments)
        except Served as served:
            return served.args[0]


class ServingTests(unittest.TestCase):
    def test_doors_are_named_by_flag_or_by_the_environment(self):
        two = ["tcp://a:5571", "tcp://b:5571"]
        self.assertEqual(doors([], ASSENT_SERVICES_DOOR="tcp://a:5571, tcp://b:5571"), two)
        self.assertEqual(doors(["--services-door", "tcp://a:5571,tcp://b:5571"]), two)
        self.assertEqual(doors(["--services-door", two[0], "--services-door", two[1]], ASSENT_SERVICES_DOOR="x"), two)
        self.assertEqual(doors([], ASSENT_BUS_FOLDER="/run/bus"), ["ipc:///run/bus/services"])
        self.assertEqual(doors(["--bus-folder", "/run/bus"], ASSENT_SERVICES_DOOR=two[0]), two[:1])

    def test_without_a_door_the_program_says_what_to_name(self):
        with contextlib.redirect_stderr(io.StringIO()) as said, self.assertRaises(SystemExit):
            doors([])
        self.assertIn("name --services-door or --bus-folder", said.getvalue())
