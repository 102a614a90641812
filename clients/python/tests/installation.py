"""Where the gateways under test are, and what their peers prove themselves with: the environment says it."""

import os

from assent.bus import CurveKeys


def _list(variable):
    return [entry for entry in os.environ.get(variable, "").split(",") if entry]


CLIENTS_DOORS = _list("ASSENT_CLIENTS_DOORS")
SERVICES_DOORS = _list("ASSENT_SERVICES_DOORS")
GATEWAY_PROCESSES = [int(process) for process in _list("ASSENT_GATEWAY_PROCESSES")]


def _keys(variable):
    """The keys in the file that a variable names; None where gateways are reached by sockets on this machine."""
    path = os.environ.get(variable)
    return None if path is None else CurveKeys.read(path, os.environ["ASSENT_GATEWAY_KEY"])


CLIENT_KEYS = _keys("ASSENT_CLIENT_KEY_FILE")
WORKER_KEYS = _keys("ASSENT_WORKER_KEY_FILE")
