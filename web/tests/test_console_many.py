"""How soon pages of the console are usable where ten thousand people take part; long, so only with ASSENT_TEST_LONG."""

import concurrent.futures
import json
import os
import unittest

import installation
import studies
from test_console import Console

PEOPLE = int(os.environ.get("ASSENT_TEST_PEOPLE", "10000"))
MOST_MS = 300


@unittest.skipUnless(installation.IS_THERE and "ASSENT_TEST_LONG" in os.environ, "long")
class ConsoleManyTest(Console):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.assent.study("crowd", "Crowd")
        cls.assent.document("crowd", studies.document(
            "walk", "Walking", [("What", "<p>We count steps.</p>")], [studies.signature()],
            [studies.purpose("steps", "Counting steps")]))
        picture = studies.png()

        def record(number):
            request = {
                "studyId": "crowd", "subjectId": f"W-{number:05}", "documentId": "walk", "documentVersion": 1,
                "locale": "en", "signedAt": "2026-01-05T10:00:00Z", "scan": picture, "attestedBy": "setup"}
            return {"idempotencyKey": f"paper-{number}", "request": json.dumps(request),
                    "method": "assent.consent.v1.RecordService/CreatePaperRecord"}

        def batch(start):
            calls = [record(number) for number in range(start, min(start + 25, PEOPLE))]
            while calls:
                answers = cls.assent.call(
                    "GatewayService/Batch", {"calls": calls}, package="assent.gateway.v1")["answers"]
                refused = [(call, answer) for call, answer in zip(calls, answers) if answer.get("code")]
                # A server that has too much to do is asked again, under the same keys.
                assert all(answer["code"] in (4, 8, 14) for _, answer in refused), refused[0]
                calls = [call for call, _ in refused]

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(batch, range(0, PEOPLE, 25)))

    def test_pages_are_usable_at_once(self):
        page = self.enter("Reader", "admin@*", "coordinator@*", "publisher@*", "inspector@*")
        took = {}
        places = ("home", "people", "records", "records?state=in_force", f"person/W-{PEOPLE // 2:05}", "documents",
                  "document/walk", "trail", "study/crowd", "invitations", "staff")
        for _ in range(5):
            for place in places:
                time = page.evaluate("""async (hash) => {
                  const main = document.querySelector("main"), before = main.firstElementChild
                  const start = performance.now()
                  location.hash = hash
                  const stands = () => main.firstElementChild !== before && !main.hasAttribute("data-busy")
                  while (!stands() || !main.querySelector("h1")) {
                    await new Promise(requestAnimationFrame)
                  }
                  return performance.now() - start
                }""", f"#/{place}{'&' if '?' in place else '?'}study=crowd")
                took[place] = min(time, took.get(place, time))
        print({place: round(time) for place, time in took.items()})
        self.assertEqual({place: round(time) for place, time in took.items() if time > MOST_MS}, {})


if __name__ == "__main__":
    unittest.main()
