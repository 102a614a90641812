"""The client and the worker against the golden vectors that every language's clients are tested against."""

import pathlib
import queue
import tempfile
import threading
import time
import unittest

from assent.bus import BusClient, Contract, CurveKeys, StatusCode, StatusError, Worker
from assent.bus.envelopes import Message, Type, parsed
from assent.bus.streams import Incoming, Outgoing
from gateway_stub import PATIENCE, Gateways
from vectors import Script, built, entries, octets, written

SERVICE = "assent.interop.v1.InteropService"


class MessageTests(unittest.TestCase):
    def test_messages(self):
        for vector in entries("messages", "messages"):
            with self.subTest(vector["name"]):
                described = vector["envelopes"]
                if isinstance(described, dict):
                    described = [described["envelope"]] * described["times"]
                envelopes = [built(fields) for fields in described]
                frames = [octets(frame) for frame in vector["frames"]]
                read = parsed(frames)
                for found in read:
                    found.DiscardUnknownFields()
                    found.payload_follows = False
                # A difference of large payloads is better not printed.
                self.assertTrue(read == envelopes)
                if vector["canonical"]:
                    message = Message()
                    for envelope in envelopes:
                        message.add(envelope)
                    self.assertTrue(message.frames == frames)


class StreamTests(unittest.TestCase):
    def test_senders(self):
        for vector in entries("streams", "senders"):
            with self.subTest(vector["name"]):
                outgoing = Outgoing()
                for step in vector["steps"]:
                    if "puts" in step:
                        outgoing.put(octets(step["puts"]))
                    elif "window" in step:
                        outgoing.raise_limit(step["window"])
                    else:
                        self._check_chunks(outgoing, step["sends"])

    def _check_chunks(self, outgoing, expected):
        chunks = list(iter(outgoing.next_chunk, None))
        if expected is None:
            self.assertEqual(chunks, [])
            return
        self.assertEqual(chunks[0][0], expected["offset"])
        self.assertEqual(b"".join(chunk for _, chunk in chunks), octets(expected["bytes"]))

    def test_receivers(self):
        for vector in entries("streams", "receivers"):
            with self.subTest(vector["name"]):
                incoming, granted = Incoming(), 65_536
                for step in vector["steps"]:
                    if "gets" in step:
                        self._check_chunk(incoming, step)
                    elif "window" in step:
                        self.assertTrue(step["window"][0] <= granted <= step["window"][1], granted)
                    else:
                        message = incoming.pop()
                        self.assertEqual(message, None if step["reads"] is None else octets(step["reads"]))
                    granted = incoming.raised_window() or granted

    def _check_chunk(self, incoming, step):
        chunk = step["gets"]
        if "fault" not in step:
            incoming.take(chunk["offset"], octets(chunk["bytes"]))
            return
        with self.assertRaises(StatusError) as caught:
            incoming.take(chunk["offset"], octets(chunk["bytes"]))
        self.assertEqual(caught.exception.code.name, step["fault"])


class KeyFileTests(unittest.TestCase):
    def test_key_files(self):
        for vector in entries("keys", "files"):
            with self.subTest(vector["name"]), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "own.key"
                path.write_text(vector["text"])
                if vector.get("fault"):
                    self.assertRaises(KeyError, CurveKeys.read, path, "gateway")
                else:
                    keys = CurveKeys.read(path, "gateway")
                    self.assertEqual((keys.public.decode(), keys.secret.decode()), (vector["public"], vector["secret"]))


class Conversation:
    """One conversation of a party with gateways of the test's own."""

    def __init__(self, test, vector):
        self._test = test
        self._vector = vector
        self.gateways = Gateways(vector["gateways"])
        self._script = Script(test)

    def run(self):
        if self._vector.get("established"):
            for link in range(self._vector["gateways"]):
                self._sends({"type": "HELLO", "hello": {"epoch": "new"}}, link)
                ack = {"session": 5 + link, "gateway": f"a{link}", "version": 1, "ping_ms": 500}
                self._gets({"type": "HELLO_ACK", "session": 5 + link, "hello_ack": ack}, link)
        for number, step in enumerate(self._vector["steps"]):
            with self._test.subTest(self._vector["name"], step=number):
                link = step.get("link", 0)
                [(name, value)] = [(name, value) for name, value in step.items() if name != "link"]
                getattr(self, f"_{name}")(value, link)

    def _sends(self, fields, link):
        found = self.gateways.expect(Type[fields["type"]], link)
        self._script.compare(fields, found, link)

    def _gets(self, fields, link):
        self.gateways.send(built(fields, self._script.numbers), link)

    def _passes_ms(self, milliseconds, link):
        self.gateways.settle(link, milliseconds / 1000)

    def _silent(self, kind, link):
        self._test.assertNotIn(Type[kind], self.gateways.kinds(link))

    def _streams(self, expected, link):
        number = self._script.numbers.get(expected["call_id"], expected["call_id"])
        content = octets(expected["bytes"])
        self._test.assertEqual(self.gateways.stream(number, len(content), link), content)


class ClientConversation(Conversation):
    def __init__(self, test, vector):
        super().__init__(test, vector)
        self._client = BusClient(self.gateways.addresses)
        self._outcomes = {}
        self._streams_of_calls = {}

    def close(self):
        self._client.close()
        self.gateways.close()

    def _calls(self, wish, link):
        method = getattr(self._client.service(SERVICE), wish["method"])
        request = method.method.request.FromString(octets(wish.get("request", "")))
        options = {"timeout": wish.get("timeout_ms", 10_000) / 1000, "idempotency_key": wish.get("key", "")}
        outcome = self._outcomes[wish["name"]] = queue.Queue()
        if method.method.kind.streams_requests:
            call = self._streams_of_calls[wish["name"]] = method(**options)
            threading.Thread(target=self._read, args=(call, outcome), daemon=True).start()
        elif method.method.kind.streams_answers:
            call = method(request, **options)
            threading.Thread(target=self._read, args=(call, outcome), daemon=True).start()
        else:
            threading.Thread(target=self._ask, args=(method, request, options, outcome), daemon=True).start()

    def _ask(self, method, request, options, outcome):
        try:
            answer, call = method.with_call(request, **options)
            outcome.put((StatusCode.OK, [answer], call))
        except StatusError as error:
            outcome.put((error.code, [], error))

    def _read(self, call, outcome):
        answers = []
        try:
            answers.extend(call)
            outcome.put((StatusCode.OK, answers, call))
        except StatusError as error:
            outcome.put((error.code, answers, error))

    def _sends_message(self, wish, link):
        call = self._streams_of_calls[wish["name"]]
        call.send(call.method.request.FromString(octets(wish["message"])))

    def _half_closes(self, name, link):
        self._streams_of_calls[name].done_sending()

    def _outcome(self, expected, link):
        code, answers, ending = self._outcomes[expected["name"]].get(timeout=PATIENCE)
        self._test.assertEqual(code.name, expected["code"])
        if "answers" in expected:
            encoded = [answer.SerializeToString() for answer in answers]
            self._test.assertEqual(encoded, [octets(answer) for answer in expected["answers"]])
        for entry in expected.get("initial_metadata", {}).items():
            self._test.assertIn(entry, ending.initial_metadata)
        trailing = ending.metadata if isinstance(ending, StatusError) else ending.trailing_metadata
        for entry in expected.get("trailing_metadata", {}).items():
            self._test.assertIn(entry, trailing)


class ScriptedHandlers:
    """Handlers that begin when they are called, and end when a conversation says how."""

    def __init__(self):
        self.begun = queue.Queue()

    def EmptyCall(self, request, context):
        return self._handle(request, context)

    def UnaryCall(self, request, context):
        return self._handle(request, context)

    def StreamingInputCall(self, requests, context):
        return context.method.answer(aggregated_payload_size=sum(len(request.payload.body) for request in requests))

    def _handle(self, request, context):
        ending = queue.Queue()
        self.begun.put((request.SerializeToString(), ending))
        while True:
            try:
                answer = ending.get_nowait()
            except queue.Empty:
                context.sleep(0.01)
                continue
            if isinstance(answer, StatusError):
                raise answer
            encoded, context.initial_metadata = answer
            return context.method.answer.FromString(encoded)


class WorkerConversation(Conversation):
    def __init__(self, test, vector):
        super().__init__(test, vector)
        self._handlers = ScriptedHandlers()
        self._worker = Worker(
            self.gateways.addresses, {SERVICE: self._handlers}, slots=vector["slots"], prefetch=vector["prefetch"]
        )
        self._endings = {}
        self._stopping = threading.Thread(target=self._worker.stop)

    def close(self):
        for ending in self._endings.values():
            ending.put(StatusError(StatusCode.CANCELLED, "the test is over"))
        if self._stopping.ident is None:
            self._stopping.start()
        self._stopping.join()
        self.gateways.close()

    def _starts(self, expected, link):
        request, self._endings[expected["name"]] = self._handlers.begun.get(timeout=PATIENCE)
        self._test.assertEqual(request, octets(expected["request"]))

    def _returns(self, handler, link):
        answer = octets(handler["answer"]), list(handler.get("initial_metadata", {}).items())
        self._endings.pop(handler["name"]).put(answer)

    def _fails(self, handler, link):
        details = [(detail["type_name"], octets(detail["value"])) for detail in handler.get("details", [])]
        error = StatusError(StatusCode[handler["code"]], written(handler["message"]), details=details)
        self._endings.pop(handler["name"]).put(error)

    def _credit(self, bounds, link):
        until = time.monotonic() + PATIENCE
        while self.gateways.credit[link] < bounds[0] and time.monotonic() < until:
            self.gateways.settle(link)
        self.gateways.settle(link)
        self._test.assertTrue(bounds[0] <= self.gateways.credit[link] <= bounds[1], self.gateways.credit)

    def _stops(self, _, link):
        self._stopping.start()


class ConversationTests(unittest.TestCase):
    def test_clients(self):
        self._converse(ClientConversation, "clients")

    def test_workers(self):
        self._converse(WorkerConversation, "workers")

    def _converse(self, kind, file):
        for vector in entries(file, "conversations"):
            conversation = kind(self, vector)
            try:
                conversation.run()
            finally:
                conversation.close()
