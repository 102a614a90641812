"""Visits without a connection against the vectors that every language's clients are tested against."""

import base64
import json
import pathlib
import unittest

from google.protobuf import symbol_database
from google.protobuf.json_format import ParseDict

from assent.account.v1.sync_pb2 import ItemOutcome, QueueItem
from assent.consent.v1.screen_pb2 import ConsentScreen, SignaturePlace
from assent.consent.v1.session_pb2 import ChosenRecord, FlowAction, OfflineBundle
from assent.consent.v1.session_service_pb2 import SubmitOfflineWalkRequest
from assent.signature.v1 import signature_service_pb2  # noqa: F401
from assent.offline import OfflineQueue, OfflineWalk, notice

VECTORS = json.loads((pathlib.Path(__file__).parents[2] / "vectors" / "offline.json").read_text())


def names(items):
    return [f"{item.person_id}/{item.item_id}" for item in items]


class OfflineTests(unittest.TestCase):
    def test_walks(self):
        for vector in VECTORS["walks"]:
            walk = OfflineWalk(
                ParseDict(vector["bundle"], OfflineBundle()), vector["session_id"], vector["subject_id"])
            for index, step in enumerate(vector["steps"]):
                with self.subTest(vector["name"], step=index):
                    done = walk.act(ParseDict(step["does"], FlowAction()))
                    self.assertEqual(done, not step.get("refused", False))
                    self.assertEqual(walk.screen.id, step["shows"])
                    if "screen" in step:
                        self.assertEqual(walk.screen, ParseDict(step["screen"], ConsentScreen()))
                    self.assertEqual(walk.has_ended, step.get("ended", False))
                    if "place" in step:
                        self.assertEqual(walk.place, ParseDict(step["place"], SignaturePlace()))
            chosen = [ParseDict(record, ChosenRecord()) for record in vector["record_ids"]]
            self.assertEqual(walk.submission(chosen), ParseDict(vector["submits"], SubmitOfflineWalkRequest()))

    def test_requests(self):
        for vector in VECTORS["requests"]:
            service, name = vector["method"].split("/")
            kind = symbol_database.Default().pool.FindServiceByName(service).FindMethodByName(name).input_type
            request = ParseDict(vector["request"], kind._concrete_class())
            with self.subTest(vector["method"]):
                self.assertEqual(base64.b64encode(request.SerializeToString()).decode(), vector["binary"])

    def test_queues(self):
        self.assertGreater(len(VECTORS["queues"]), 3)
        for vector in VECTORS["queues"]:
            queue, grants = OfflineQueue(), dict(vector["grants"])
            for index, step in enumerate(vector["steps"]):
                with self.subTest(vector["name"], step=index):
                    self.take(step, queue, grants)

    def take(self, step, queue, grants):
        for item in step.get("notes", []):
            queue.note(ParseDict(item, QueueItem()))
        grants.update(step.get("signs_in", {}))
        if step.get("begins"):
            queue.begin()
        if "sends" in step:
            part = queue.next(grants)
            found = None if part is None else {"items": names(part.items), "grants": list(part.grants)}
            self.assertEqual(found, step["sends"])
        outcomes = [ParseDict(outcome, ItemOutcome()) for outcome in step.get("gets", [])]
        queue.take(outcomes)
        if "shows" in step:
            self.assertEqual(dict(zip(names(outcomes), map(notice, outcomes))), step["shows"])
        if "keeps" in step:
            self.assertEqual(names(queue.kept), step["keeps"])


if __name__ == "__main__":
    unittest.main()
