"""A worker and a client with two gateways, one of which is killed."""

import collections
import os
import signal
import threading
import unittest

from assent.bus import BusClient, Contract, StatusCode, StatusError, Worker

from installation import CLIENT_KEYS, CLIENTS_DOORS, GATEWAY_PROCESSES, SERVICES_DOORS, WORKER_KEYS

SERVICE = "assent.interop.v1.InteropService"
CALLS_EACH = 10


def message(name, **fields):
    return Contract.shared().message(f"assent.interop.v1.{name}")(**fields)


class CountingHandlers:
    """Notes how often each call began, by its request's body, and answers when it is let."""

    def __init__(self):
        self.begun = collections.Counter()
        self.changed = threading.Condition()
        self.may_answer = threading.Event()

    def UnaryCall(self, request, context):
        with self.changed:
            self.begun[request.payload.body] += 1
            self.changed.notify_all()
        while not self.may_answer.is_set():
            context.sleep(0.02)
        return message("UnaryCallResponse")


class Caller(threading.Thread):
    """One call, on a thread of its own."""

    def __init__(self, interop, name, **options):
        super().__init__()
        self.outcome = None
        self._work = lambda: interop.UnaryCall(
            message("UnaryCallRequest", payload={"body": name}), timeout=60, **options
        )

    def run(self):
        try:
            self._work()
            self.outcome = StatusCode.OK
        except StatusError as error:
            self.outcome = error.code


@unittest.skipUnless(len(GATEWAY_PROCESSES) == 2, "needs two gateways: ASSENT_GATEWAY_PROCESSES tells their processes")
class SeveralGatewaysTests(unittest.TestCase):
    def test_calls_go_on_when_one_of_two_gateways_is_killed(self):
        handlers = CountingHandlers()
        worker = Worker(SERVICES_DOORS, {SERVICE: handlers}, slots=2 * CALLS_EACH, keys=WORKER_KEYS)
        self.addCleanup(worker.stop)
        client = BusClient(CLIENTS_DOORS, keys=CLIENT_KEYS)
        self.addCleanup(client.close)
        # The same worker is behind both gateways.
        handlers.may_answer.set()
        for door in CLIENTS_DOORS:
            with BusClient([door], keys=CLIENT_KEYS) as alone:
                alone.service(SERVICE).UnaryCall(message("UnaryCallRequest"), timeout=20, waits_for_ready=True)
        self.wait_for_both_sessions(client)
        handlers.may_answer.clear()
        handlers.begun.clear()

        interop = client.service(SERVICE)
        keyed = [Caller(interop, b"keyed %d" % number) for number in range(CALLS_EACH)]
        unkeyed = [Caller(interop, b"unkeyed %d" % number, idempotency_key="") for number in range(CALLS_EACH)]
        # One kind after the other: as the gateways take turns, each gets half of either.
        for kind, count in [(keyed, CALLS_EACH), (unkeyed, 2 * CALLS_EACH)]:
            for caller in kind:
                caller.start()
            with handlers.changed:
                handlers.changed.wait_for(lambda: len(handlers.begun) == count, 30)
        os.kill(GATEWAY_PROCESSES[0], signal.SIGKILL)
        # Keyed calls that were at the dead gateway begin again, through the other one.
        with handlers.changed:
            again = handlers.changed.wait_for(lambda: sum(handlers.begun.values()) > 2 * CALLS_EACH, 30)
        self.assertTrue(again, handlers.begun)
        handlers.may_answer.set()
        for caller in keyed + unkeyed:
            caller.join()

        self.assertEqual({caller.outcome for caller in keyed}, {StatusCode.OK})
        self.assertEqual(
            collections.Counter(caller.outcome for caller in unkeyed),
            {StatusCode.OK: CALLS_EACH // 2, StatusCode.UNAVAILABLE: CALLS_EACH // 2},
        )
        for name, count in handlers.begun.items():
            self.assertLessEqual(count, 2 if name.startswith(b"keyed") else 1, name)
        for _ in range(20):
            interop.UnaryCall(message("UnaryCallRequest"), idempotency_key="")

    def wait_for_both_sessions(self, client):
        """The gateways take turns, so that with two sessions two calls in a row reach both."""
        ready = threading.Event()
        for _ in range(1000):
            if all(link.session is not None for link in client._links):
                return
            ready.wait(0.02)
        self.fail("there is no session with both gateways")
