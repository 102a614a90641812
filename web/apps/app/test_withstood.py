"""What the page of shared devices withstands: hostile names, floods, frames, and whoever comes after somebody."""

import http.server
import threading
import unittest

import installation
from devices import ACCOUNT, PASSCODE
from studies import CALLS, flow
from walking import Walking

HOSTILE = "<img src=x onerror=hit()><b>Ines</b>"


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class WithstoodTest(Walking):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.assent = installation.Installation(accounts=True)
        cls.addClassCleanup(cls.assent.stop)
        cls.address = f"http://localhost:{cls.assent.port}"
        cls.assent.study("choices", "Choices")
        cls.assent.flow(flow("calls", CALLS))
        cls.assent.call("AccountAdminService/SetAccountSettings", {"settings": {
            "selfRegistration": True, "visibleFields": ["PROFILE_FIELD_TITLE"]}}, package=ACCOUNT)

    def tablet(self, hear=lambda page: None, **options):
        page = self.open("c", allowed=("status of 4",), reduced_motion="reduce", **options)
        hear(page)
        link = self.assent.accounts("add-device", "Ward 3").split()[-1]
        page.goto(f"{self.address}/app#{link.split('#')[1]}")
        return page, page.locator("assent-accounts"), link.split("#")[1]

    def act(self, accounts, action):
        accounts.locator(f"[data-action=ACCOUNT_ACTION_{action}]").first.click()

    def join(self, page, accounts, name, look=lambda: None):
        for action in ("SWITCH", "ADD"):
            look()
            self.act(accounts, action)
        accounts.locator("#name").fill(name)
        look()
        self.act(accounts, "NEXT")
        for kind, action in (("SET_PASSCODE", "NEXT"), ("CONFIRM_PASSCODE", "SAVE")):
            accounts.locator(f"section[data-kind={kind}]").wait_for()
            accounts.locator("#passcode").fill(PASSCODE)
            self.act(accounts, action)
        accounts.locator("section[data-kind=RECOVERY_CODE]").wait_for()
        look()
        self.act(accounts, "DONE")
        accounts.locator("section[data-kind=SIGN_IN] #passcode").fill(PASSCODE)
        look()
        self.act(accounts, "SIGN_IN")
        page.get_by_role("heading", name="Waiting for You").wait_for()
        look()

    def test_names_are_words_and_never_markup(self):
        page, accounts, _ = self.tablet(script="window.hit = () => { window.isHit = true }")
        self.join(page, accounts, HOSTILE)
        self.assertEqual(page.locator("h1").text_content(), HOSTILE)
        page.get_by_role("button", name="Switch Person").click()
        accounts.locator("[part=person]").get_by_text(HOSTILE).wait_for()
        self.act(accounts, "SWITCH")
        accounts.locator("[part=item]").get_by_text(HOSTILE).wait_for()
        self.assertIsNone(page.evaluate("window.isHit ?? null"))
        self.assertEqual(accounts.locator("img[src=x]").count(), 0)

    def test_a_link_that_was_opened_here_before_changes_nothing(self):
        link = self.assent.call("StudyService/CreateInvitation", {"invitation": {"flowId": "calls"}})["invitation"]["link"]

        def visit(page):
            # The page behind links is there already: only the fragment changes.
            page.goto(f"{self.address}{link}")
            page.wait_for_url(f"{self.address}/c")
            self.at(page, "form")
        page, accounts, _ = self.tablet(visit)
        self.join(page, accounts, "Leila Haddad")
        page.reload()
        page.get_by_role("button", name="For Me").click()
        self.at(page, "form")

    def test_at_400_percent_nothing_scrolls_sideways(self):
        # 320 by 256 pixels are what 1280 by 1024 are then.
        page, accounts, _ = self.tablet(viewport={"width": 320, "height": 256})
        accounts.locator("section[data-kind=SIGN_IN]").wait_for()

        def look():
            self.assertEqual(page.evaluate("document.documentElement.scrollWidth"), 320)
        self.join(page, accounts, "Wolfeschlegelsteinhausenbergerdorff-Kowalczyk", look)
        page.get_by_role("button", name="For Me").click()
        self.at(page, "form")
        look()

    def test_the_code_is_told_to_nobody_and_whoever_comes_after_finds_nothing(self):
        told, answers = [], []

        def hear(page):
            page.on("request", lambda request: told.append((request.url, request.headers.get("referer") or "")))
            page.on("response", lambda answer: answers.append((answer.url, answer.headers.get("cache-control"))))
        page, accounts, code = self.tablet(hear)
        accounts.locator("section[data-kind=SIGN_IN]").wait_for()
        self.assertNotIn("#", page.url)
        for url, referrer in told:
            self.assertNotIn(code, url.split("#")[0] + referrer)
            self.assertEqual(referrer, "")
        self.join(page, accounts, "Samuel Otieno")
        own = page.get_by_role("heading", name="Begin a Consent")
        own.wait_for()
        page.get_by_role("button", name="Switch Person").click()
        accounts.locator("section[data-kind=SIGN_IN]").wait_for()
        for again in (lambda: page.go_back(), lambda: page.goto(f"{self.address}/app"), lambda: page.reload()):
            again()
            page.wait_for_timeout(500)
            self.assertEqual(own.count(), 0)
        page.goto(f"{self.address}/app")
        accounts.locator("section[data-kind=SIGN_IN]").wait_for()
        # Calls are kept by no cache; the tab has nothing of the person, and other storages no name.
        calls = {cache for url, cache in answers if "/assent." in url}
        self.assertEqual(calls, {"no-store"})
        kept = page.evaluate("""async () => {
          const names = await caches.keys(), all = []
          for (const name of names) for (const { url } of await (await caches.open(name)).keys()) all.push(url)
          return [all.filter((url) => url.includes("/assent.")), JSON.stringify(localStorage) + document.cookie,
            sessionStorage.length]
        }""")
        # But that something was kept, so that it is noticed when the browser has deleted that.
        self.assertEqual(kept, [[], '{"assent-offline":"kept"}', 0])

    def test_no_other_site_shows_it_and_without_javascript_it_says_so(self):
        class Foreign(http.server.BaseHTTPRequestHandler):
            def do_GET(here):
                here.send_response(200)
                here.send_header("content-type", "text/html")
                here.end_headers()
                here.wfile.write(f'<iframe src="{self.address}/app"></iframe>'.encode())

            def log_message(here, *words):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Foreign)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        page = self.context().new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        page.wait_for_timeout(500)
        inside, = [frame for frame in page.frames if frame.parent_frame]
        self.assertEqual(inside.locator("main").count(), 0)
        page = self.context(java_script_enabled=False).new_page()
        page.goto(f"{self.address}/app")
        self.assertIn("This page needs JavaScript.", page.inner_text("body"))


if __name__ == "__main__":
    unittest.main()
