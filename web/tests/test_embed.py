"""samples/embed: a page of another origin, with a server of its own, in which a visitor consents."""

import os
import socket
import subprocess
import sys
import time
import unittest
import urllib.error
import urllib.request

import installation
from browser import ROOT, PageTest

SAMPLE = ROOT / "samples/embed"


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class EmbedTest(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        cls.address = f"http://localhost:{port}"
        cls.assent = installation.Installation(http_origins=cls.address)
        cls.addClassCleanup(cls.assent.stop)
        cls.assent.samples()
        cls.gateway = f"http://127.0.0.1:{cls.assent.port}"
        server = subprocess.Popen(
            [sys.executable, SAMPLE / "server.py", cls.gateway, "field-onboarding", str(port)],
            env={**os.environ, "ASSENT_KEY": cls.assent.keys["device"]}, stderr=subprocess.DEVNULL)
        cls.addClassCleanup(server.wait)
        cls.addClassCleanup(server.terminate)
        for _ in range(100):
            with socket.socket() as probe:
                probe.settimeout(1)
                if probe.connect_ex(("localhost", port)) == 0:
                    break
            time.sleep(0.1)

    def test_a_visitor_consents_in_the_apps_page(self):
        page = self.open("")
        sent = []
        page.on("request", lambda request: sent.append((request.url, request.headers)))
        session = page.locator("assent-session")
        for action in ("NEXT", "NEXT", "NEXT", "ALLOW", "NOT_NOW", "NEXT", "ALLOW", "ALLOW", "DONE"):
            session.locator(f"[data-action=ACTION_KIND_{action}]:not([inert] *)").last.click()
            self.until(page, "document.querySelector('assent-session').shadowRoot"
                             ".querySelectorAll('.screen').length === 1")
        page.get_by_text("You can go on in the app.").wait_for()
        calls = [headers for url, headers in sent if url.startswith(self.gateway)]
        self.assertGreater(len(calls), 5)
        for headers in calls:
            self.assertNotIn("cookie", headers)
            self.assertNotIn(self.assent.keys["device"], headers.get("authorization", ""))

    def test_the_token_is_good_for_one_session_at_one_origin(self):
        page = self.open("")
        self.until(page, "document.querySelector('assent-session').view")
        own = page.evaluate("document.querySelector('assent-session').token()")
        here = page.evaluate("document.querySelector('assent-session').view.sessionId")
        other = self.assent.start("field-onboarding")["sessionId"]
        for session, origin, is_good in ((here, self.address, True), (other, self.address, False),
                                         (here, "https://elsewhere.example", False), (here, "", False)):
            asked = urllib.request.Request(
                f"{self.gateway}/assent.consent.v1.SessionService/GetSession",
                f'{{"sessionId":"{session}"}}'.encode(),
                {"content-type": "application/json", "authorization": f"Bearer {own}", "origin": origin})
            try:
                urllib.request.urlopen(asked).close()
                admitted = True
            except urllib.error.HTTPError as problem:
                problem.close()
                admitted = False
            self.assertEqual(admitted, is_good, (session == here, origin))

    def test_a_reload_goes_on_with_the_visitors_session(self):
        page = self.open("")
        here = "document.querySelector('assent-session').view?.sessionId"
        self.until(page, here)
        began = page.evaluate(here)
        page.reload()
        self.until(page, here)
        self.assertEqual(page.evaluate(here), began)

    def test_whoever_was_given_no_cookie_gets_no_session(self):
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(urllib.request.Request(f"{self.address}/pass", b""))
        self.assertEqual(refused.exception.code, 400)
        refused.exception.close()

    def test_it_stays_as_short_as_it_is(self):
        self.assertLessEqual(len((SAMPLE / "index.html").read_text().splitlines()), 30)
        self.assertLessEqual(len((SAMPLE / "server.py").read_text().splitlines()), 49)


if __name__ == "__main__":
    unittest.main()
