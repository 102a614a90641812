"""Assent's bus: a client and a worker, as docs/bus-protocol.md describes them."""

from ..contract import Contract, Kind, Method
from ..status import StatusCode, StatusError
from .call import Call
from .client import BusClient
from .context import Context
from .link import CurveKeys
from .serving import ServiceWorker
from .worker import Worker

__all__ = [
    "BusClient", "Call", "Context", "Contract", "CurveKeys", "Kind", "Method", "ServiceWorker", "StatusCode",
    "StatusError", "Worker",
]
