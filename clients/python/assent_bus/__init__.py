"""Assent's bus for Python: a client and a worker, as docs/bus-protocol.md describes them."""

from .call import Call
from .client import Client
from .context import Context
from .contract import Contract, Kind, Method
from .link import CurveKeys
from .status import StatusCode, StatusError
from .worker import Worker

__all__ = ["Call", "Client", "Context", "Contract", "CurveKeys", "Kind", "Method", "StatusCode", "StatusError", "Worker"]
