"""A worker as a program of its own: settings, start and stop."""

from __future__ import annotations

import argparse
import os
import signal
from collections.abc import Sequence
from typing import ClassVar

from .link import CurveKeys
from .worker import Worker


def _usual(name: str) -> str | None:
    """What the environment says for a setting."""
    return os.environ.get("ASSENT_" + name.upper().replace("-", "_"))


class ServiceWorker:
    """The base class of a worker for one service. A subclass names the service and has its methods:

        class Health(ServiceWorker):
            service = "grpc.health.v1.Health"

            def Check(self, request, context):
                return HealthCheckResponse(status=1)

        if __name__ == "__main__":
            Health().main()
    """

    service: ClassVar[str] = ""
    """The full name of the service."""
    slots: ClassVar[int] = 4
    """How many calls are handled at a time, each on a thread."""

    def started(self) -> None:
        """Called when a gateway gives this worker calls."""
        print("ready", flush=True)

    def serve(self, gateways: Sequence[str], *, keys: CurveKeys | None = None, slots: int | None = None) -> Worker:
        """Starts the worker in this process; `stop()` of the result ends it."""
        return Worker(gateways, {self.service: self}, slots=slots or self.slots, keys=keys)

    def main(self, arguments: Sequence[str] | None = None) -> None:
        """Runs until SIGTERM or SIGINT, then finishes what it has begun."""
        parser = self._parser()
        given = parser.parse_args(arguments)
        named = given.services_door or [_usual("services-door") or ""]
        doors = [door.strip() for doors in named for door in doors.split(",") if door.strip()]
        if not doors:
            if not given.bus_folder:
                parser.error("name --services-door or --bus-folder")
            doors = [f"ipc://{given.bus_folder}/services"]
        keys = CurveKeys.read(given.bus_key_file, given.gateway_key) if given.bus_key_file else None
        # Blocked before the first thread starts, so that no thread receives it.
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGINT])
        worker = self.serve(doors, keys=keys, slots=given.slots)
        try:
            worker.wait_until_ready()
            self.started()
            signal.sigwait([signal.SIGTERM, signal.SIGINT])
        finally:
            worker.stop()

    @classmethod
    def _parser(cls) -> argparse.ArgumentParser:
        parser = argparse.ArgumentParser(description=f"Serves {cls.service}.")
        parser.add_argument(
            "--services-door", action="append", help="the services' doors of gateways, with commas between; may be repeated"
        )
        parser.add_argument(
            "--bus-folder",
            default=_usual("bus-folder"),
            help="the folder of a private bus's sockets, used where no door is named",
        )
        parser.add_argument("--bus-key-file", default=_usual("bus-key-file"), help="the keys of this worker")
        parser.add_argument("--gateway-key", default=_usual("gateway-key"), help="the gateways' public key")
        parser.add_argument("--slots", type=int, default=cls.slots, help="how many calls are handled at a time")
        return parser
