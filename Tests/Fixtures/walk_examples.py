"""Makes the calls of docs/api/examples against a running installation, and compares what comes back.

walk_examples.py FOLDER DOOR    walks FOLDER/order through the gateway whose clients' door is at DOOR

Prints a line for each example that came out as it is written down, and ends with 1 at the first that did not.
docs/api/README.md says what the marks in an example mean.
"""

import itertools
import json
import pathlib
import re
import sys
import time

from google.protobuf import json_format

from assent.bus import BusClient, Contract, StatusCode, StatusError
from assent.calls import MethodOfService

TIMEOUT = 20
ELLIPSIS = "..."
ANY = {
    "<id>": r".+",
    "<text>": r".+",
    "<bytes>": r"[A-Za-z0-9+/]+=*",
    "<number>": r"-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?",
    "<time>": r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z",
}
DEVICE = {"kind": "device", "tenant": "clinic", "subject": "tablet-7", "device": "tablet-7"}
ERRORS_OF_EVERY_METHOD = {
    StatusCode.CANCELLED,
    StatusCode.INVALID_ARGUMENT,
    StatusCode.DEADLINE_EXCEEDED,
    StatusCode.PERMISSION_DENIED,
    StatusCode.RESOURCE_EXHAUSTED,
    StatusCode.ABORTED,
    StatusCode.UNIMPLEMENTED,
    StatusCode.INTERNAL,
    StatusCode.UNAVAILABLE,
    StatusCode.DATA_LOSS,
    StatusCode.UNAUTHENTICATED,
}
KNOWN_KEYS = {"caller", "request", "requests", "response", "responses", "responsesInAnyOrder", "status"}


class Mismatch(Exception):
    """An answer is not what its example says."""


def resolved(value, answers):
    """The value with every `$Example.path` replaced by what that example was answered."""
    if isinstance(value, dict):
        return {key: resolved(inner, answers) for key, inner in value.items()}
    if isinstance(value, list):
        return [resolved(inner, answers) for inner in value]
    if not isinstance(value, str) or not value.startswith("$"):
        return value
    name, *path = value[1:].split(".")
    try:
        found = answers[name]
        for step in path:
            found = found[int(step)] if isinstance(found, list) else found[step]
        return found
    except (KeyError, IndexError, ValueError, TypeError):
        raise Mismatch(f"{value} names nothing that was answered before") from None


def compare(expected, actual, place):
    """Ends with a Mismatch that says where the first difference is."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in expected.keys() - {ELLIPSIS}:
            if key not in actual:
                raise Mismatch(f"{place}.{key} is missing")
            compare(expected[key], actual[key], f"{place}.{key}")
        further = sorted(actual.keys() - expected.keys())
        if further and ELLIPSIS not in expected:
            raise Mismatch(f"{place} has further fields: {', '.join(further)}")
    elif isinstance(expected, list) and isinstance(actual, list):
        is_open = expected[-1:] == [ELLIPSIS]
        shown = expected[:-1] if is_open else expected
        if len(actual) < len(shown) or len(actual) > len(shown) and not is_open:
            raise Mismatch(f"{place} has {len(actual)} elements, and not {len(shown)}")
        for index, inner in enumerate(shown):
            compare(inner, actual[index], f"{place}[{index}]")
    elif isinstance(expected, str) and expected in ANY:
        if not re.fullmatch(ANY[expected], str(actual)) or isinstance(actual, (dict, list, bool)):
            raise Mismatch(f"{place} is {shown_briefly(actual)}, which is no {expected}")
    elif type(expected) is not type(actual) and not {type(expected), type(actual)} <= {int, float}:
        raise Mismatch(f"{place} is {shown_briefly(actual)}, and not {shown_briefly(expected)}")
    elif expected != actual:
        raise Mismatch(f"{place} is {shown_briefly(actual)}, and not {shown_briefly(expected)}")


def compare_in_any_order(expected, actual, place):
    """Each answer is one of those that are left of the expected ones."""
    waiting = list(expected)
    for index, answer in enumerate(actual):
        if (found := next((one for one in waiting if matches(one, answer)), None)) is None:
            raise Mismatch(f"{place}[{index}] is none of those expected: {shown_briefly(answer)}")
        waiting.remove(found)
    if waiting:
        raise Mismatch(f"{place} lacks {shown_briefly(waiting)}")


def matches(expected, actual):
    try:
        compare(expected, actual, "")
        return True
    except Mismatch:
        return False


def shown_briefly(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 400 else text[:400] + "…"


class Walk:
    """The calls made so far, with what they were answered."""

    def __init__(self, client, contract, folder):
        self.client = client
        self.contract = contract
        self.folder = folder
        self.answers = {}

    def run(self, path):
        """Makes the call of one example, `<service>/<Method>[-<variant>]`."""
        example = json.loads((self.folder / f"{path}.json").read_text())
        if unknown := sorted(example.keys() - KNOWN_KEYS):
            raise Mismatch(f"the example has {', '.join(unknown)}, which this walk does not know")
        service, name = path.split("/")
        method = self.contract.service(service)[name.split("-")[0]]
        expected = resolved(example, self.answers)
        answers, status = self.call_patiently(method, expected)
        # A later example refers to the last answer; in a stream by its place.
        self.answers[name] = answers if method.kind.streams_answers else (answers or [None])[0]
        if (wanted := expected.get("status")) is not None:
            compare(wanted, self.shown_status(status), "status")
            if status is not None and status.code not in method.errors | ERRORS_OF_EVERY_METHOD:
                raise Mismatch(f"the contract does not list {status.code.name} for this method")
        elif status is not None:
            raise Mismatch(f"the call ended {status}")
        if "responsesInAnyOrder" in expected:
            compare_in_any_order(expected["responsesInAnyOrder"], answers, "responses")
        elif method.kind.streams_answers:
            compare(expected.get("responses", []), answers, "responses")
        elif status is None:
            if "response" not in expected:
                raise Mismatch("the example has no response")
            compare(expected["response"], answers[0], "response")

    def call_patiently(self, method, example):
        """The same as call, again for as long as the answer asks to try again and the example expects another one."""
        end = time.monotonic() + TIMEOUT
        while True:
            answers, status = self.call(method, example)
            is_early = status is not None and "status" not in example and status.message.endswith("; try again shortly")
            if not is_early or time.monotonic() > end:
                return answers, status
            time.sleep(0.05)

    def call(self, method, example):
        """The answers as JSON has them, and the error that ended the call."""
        key = "requests" if method.kind.streams_requests else "request"
        if key not in example:
            raise Mismatch(f"the example has no {key}")
        requests = [self.message(method.request, request) for request in self.listed(example[key])]
        wanted = example.get("responses", [])
        count = len(wanted) - 1 if wanted[-1:] == [ELLIPSIS] else None
        caller = {**DEVICE, **example["caller"]} if "caller" in example else DEVICE
        caller = {**caller, "kind": f"CALLER_KIND_{caller['kind'].upper()}"}
        made, answers = MethodOfService(self.client, method), []
        options = {"timeout": TIMEOUT, "caller": caller, "waits_for_ready": True}
        try:
            if method.kind.streams_requests:
                call = made(**options)
                for request in requests:
                    call.send(request)
                if count is None:
                    call.done_sending()
                received = itertools.islice(call, count) if method.kind.streams_answers else [call.result()]
            elif method.kind.streams_answers:
                call = made(requests[0], **options)
                received = itertools.islice(call, count)
            else:
                received = [made(requests[0], **options)]
            for answer in received:
                shown = json_format.MessageToDict(answer)
                # Where a step takes long, a sync tells how far it is meanwhile.
                if method.name == "Sync" and shown.keys() == {"progress"}:
                    continue
                answers.append(shown)
            if count is not None:
                call.cancel()
        except StatusError as error:
            return answers, error
        return answers, None

    def message(self, message_class, written):
        message = json_format.ParseDict(written, message_class())
        try:
            compare(json_format.MessageToDict(message), written, "request")
        except Mismatch as mismatch:
            raise Mismatch(f"the request is not in the form that answers have: {mismatch}") from None
        return message

    def shown_status(self, status):
        if status is None:
            return {}
        shown = {"code": StatusCode(status.code).name, "message": status.message}
        if status.details:
            shown["details"] = [self.shown_detail(name, encoded) for name, encoded in status.details]
        return shown

    def shown_detail(self, name, encoded):
        return {"@type": name, **json_format.MessageToDict(self.contract.message(name).FromString(encoded))}

    @staticmethod
    def listed(value):
        return value if isinstance(value, list) else [value]


def main(folder, door):
    folder = pathlib.Path(folder)
    lines = [line.split("#")[0].strip() for line in (folder / "order").read_text().splitlines()]
    with BusClient([door]) as client:
        walk = Walk(client, Contract.shared(), folder)
        for path in filter(None, lines):
            try:
                walk.run(path)
            except (Mismatch, OSError, ValueError, KeyError, json_format.ParseError) as problem:
                sys.exit(f"✗ {path}: {problem}")
            print(f"✓ {path}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
