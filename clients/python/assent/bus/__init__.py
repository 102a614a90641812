"""Assent's bus: a client and a worker, as docs/bus-protocol.md describes them."""

import importlib
from typing import TYPE_CHECKING, Any

from ..contract import Contract, Kind, Method
from ..status import StatusCode, StatusError

if TYPE_CHECKING:
    from .call import Call
    from .client import BusClient
    from .context import Context
    from .link import CurveKeys
    from .serving import ServiceWorker
    from .worker import Worker

_MODULES = {
    "BusClient": "client", "Call": "call", "Context": "context", "CurveKeys": "link", "ServiceWorker": "serving",
    "Worker": "worker",
}

__all__ = [
    "BusClient", "Call", "Context", "Contract", "CurveKeys", "Kind", "Method", "ServiceWorker", "StatusCode",
    "StatusError", "Worker",
]


def __getattr__(name: str) -> Any:
    # Loaded when they are used: the contract over HTTP needs the messages below this folder, and no pyzmq.
    if name not in _MODULES:
        raise AttributeError(f"module 'assent.bus' has no attribute '{name}'")
    return getattr(importlib.import_module(f".{_MODULES[name]}", __name__), name)
