"""The page behind a link: what it makes of the code, and what it says when a link leads nowhere."""

import json

from browser import PageTest

SERVICE = "assent.consent.v1.SessionService/"
SCREEN = {"id": "one", "kind": "SCREEN_KIND_FORM", "title": "May we call you?", "text": "It takes a minute.",
          "locale": "en", "requestedLocale": "en", "navigationBar": {}, "offered": []}
ELSEWHERE = {"id": "elsewhere", "kind": "SCREEN_KIND_PLAIN", "title": "Continued elsewhere", "text": "Open your link.",
             "locale": "en"}
OPENED = {"session": {"sessionId": "s-1", "version": 1, "screen": SCREEN}, "tenant": "acme", "browserId": "browser:1"}


class LinkTest(PageTest):
    def link(self, answers, hash="#acme.K7M2N4P9QX", allowed=("status of 4",), **options):
        """The page, with answers by their methods; each a body, or a rule that refuses. Also returns what was asked."""
        asked = []

        def answer(route):
            method = route.request.url.rsplit("/", 1)[-1]
            asked.append((method, json.loads(route.request.post_data or "{}"), route.request.headers))
            told = answers.get(method) or {"session": OPENED["session"]}
            told = told.pop(0) if isinstance(told, list) else told
            if isinstance(told, dict):
                return route.fulfill(json=told)
            code, message = told
            return route.fulfill(status=400, json={"code": code, "message": message})

        page = self.open("", allowed=allowed, **options)
        page.route(f"**/{SERVICE}*", answer)
        page.goto(f"{self.address}/c/{hash}")
        return page, asked

    def says(self, page, text):
        page.get_by_text(text).first.wait_for()

    def test_the_code_leaves_the_address_and_opens_the_session(self):
        page, asked = self.link({"OpenInvitation": OPENED, "LeaveSession": {"left": True}})
        self.says(page, "May we call you?")
        self.assertEqual(page.url, f"{self.address}/c/")
        page.go_back()
        self.assertNotIn("K7M2N4P9QX", page.url)
        page.go_forward()
        self.says(page, "May we call you?")
        method, request, headers = asked[0]
        self.assertEqual((method, request["link"]), ("OpenInvitation", "acme.K7M2N4P9QX"))
        self.assertEqual(headers["connect-protocol-version"], "1")
        self.assertNotIn("referer", headers)
        self.assertNotIn("authorization", headers)
        page.click("text=Leave this page")
        self.says(page, "You have left.")

    def test_without_a_code_the_cookie_goes_on(self):
        page, asked = self.link({"GetSession": {"session": OPENED["session"]}}, hash="")
        self.says(page, "May we call you?")
        self.assertEqual({method for method, _, _ in asked}, {"GetSession"})

    def test_a_browser_from_which_the_session_was_taken_over_says_so(self):
        page, _ = self.link({"GetSession": {"session": {"sessionId": "s-1", "screen": ELSEWHERE}}}, hash="")
        self.says(page, "Continued elsewhere")
        self.assertEqual(page.locator("assent-session").count(), 0)

    def test_links_that_lead_nowhere_say_why_in_the_browsers_language(self):
        for rule, code, words in (
            ("unknown_invitation", "not_found", "Hinter diesem Link ist nichts."),
            ("invitation_used_up", "failed_precondition", "Dieser Link wurde benutzt"),
            ("invitation_revoked", "failed_precondition", "Dieser Link wurde zurückgezogen."),
            ("invitation_expired", "failed_precondition", "Dieser Link ist abgelaufen."),
            ("too_many_attempts", "resource_exhausted", "Es waren zu viele Versuche."),
        ):
            with self.subTest(rule):
                page, _ = self.link({"OpenInvitation": (code, f"{rule}: link: so it is")}, locale="de-AT")
                self.says(page, words)
                self.assertEqual(page.evaluate("document.documentElement.lang"), "de")

    def test_the_second_thing_is_asked_for_and_asked_again(self):
        for field, typed, told in (
            ("told_code", "ab12", {"toldCode": "ab12"}),
            ("birth_date", "1990-04-13", {"birthDate": {"year": 1990, "month": 4, "day": 13}}),
        ):
            with self.subTest(field):
                refused = [("failed_precondition", f"challenge_{why}: {field} is so")
                           for why in ("missing", "wrong")]
                page, asked = self.link({"OpenInvitation": refused + [OPENED]})
                for _ in range(2):
                    page.fill("input", typed)
                    page.click("text=Continue")
                    self.until(page, "!document.querySelector('form') || document.querySelector('[role=status]')")
                    page.wait_for_timeout(200)
                self.says(page, "May we call you?")
                opened = [request for method, request, _ in asked if method == "OpenInvitation"]
                self.assertEqual({key: opened[-1][key] for key in told}, told)

    def test_a_server_that_is_away_can_be_tried_again(self):
        page, _ = self.link({"OpenInvitation": [("failed_precondition", "not_published: so"), OPENED]})
        self.says(page, "This cannot be shown now.")
        page.click("text=Try again")
        self.says(page, "May we call you?")

    def test_a_browser_without_cookies_says_so_and_opens_nothing(self):
        page, asked = self.link(
            {"OpenInvitation": OPENED}, script="Object.defineProperty(navigator, 'cookieEnabled', { get: () => false })")
        self.says(page, "This browser keeps no cookies")
        self.assertEqual(asked, [])

    def test_a_browser_that_keeps_nothing_else_opens_the_session(self):
        page, _ = self.link({"OpenInvitation": OPENED}, script="""
          IDBFactory.prototype.open = () => { throw new DOMException("", "SecurityError") }
          for (const name of ["localStorage", "sessionStorage", "caches"]) {
            Object.defineProperty(window, name, { get() { throw new DOMException("", "SecurityError") } })
          }""")
        self.says(page, "May we call you?")

    def test_old_browsers_and_those_without_javascript_get_a_sentence(self):
        page = self.context(java_script_enabled=False).new_page()
        page.goto(f"{self.address}/c/")
        self.assertIn("This page needs JavaScript.", page.inner_text("body"))
        self.assertFalse(page.is_visible("#old"))
        page, _ = self.link({"OpenInvitation": OPENED})
        self.says(page, "May we call you?")
        self.assertEqual(page.locator("#old").count(), 0)
