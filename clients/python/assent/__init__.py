"""Assent for Python: clients over HTTP and over the bus, and workers.

The bus needs pyzmq: `pip install assent[bus]`.
"""

from typing import TYPE_CHECKING, Any

from .calls import Caller, Options
from .contract import Contract, Kind, Method
from .http import Client
from .status import KeyRefused, RoleRefused, StatusCode, StatusError, Unreachable
from .threads import AsyncClient

if TYPE_CHECKING:
    from .bus import BusClient, CurveKeys, ServiceWorker, Worker

_OF_THE_BUS = ("BusClient", "CurveKeys", "ServiceWorker", "Worker")

__all__ = [
    "AsyncClient", "BusClient", "Caller", "Client", "Contract", "CurveKeys", "KeyRefused", "Kind", "Method", "Options",
    "RoleRefused", "ServiceWorker", "StatusCode", "StatusError", "Unreachable", "Worker",
]


def __getattr__(name: str) -> Any:
    # Loaded when they are used: who calls over HTTP has no pyzmq.
    if name not in _OF_THE_BUS:
        raise AttributeError(f"module 'assent' has no attribute '{name}'")
    from . import bus

    return getattr(bus, name)
