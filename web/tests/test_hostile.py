"""What a page behind a link withstands: links that lead nowhere, frames, foreign pages, and whoever comes after."""

import datetime
import functools
import http.server
import json
import threading
import unittest
import urllib.error
import urllib.request

import installation
from walking import Walking

SERVICE = "assent.consent.v1.SessionService"


class Foreign(http.server.BaseHTTPRequestHandler):
    """Another site's pages, as a test writes them; notes what browsers tell it."""

    pages, heard = {}, []

    def do_GET(self):
        self.heard.append(dict(self.headers))
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(self.pages.get(self.path, "").encode())

    def log_message(self, *words):
        pass


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class HostileTest(Walking):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.assent = installation.Installation()
        cls.addClassCleanup(cls.assent.stop)
        cls.assent.samples()
        # A browser takes these for two sites.
        cls.address = f"http://localhost:{cls.assent.port}"
        cls.foreign = type("Here", (Foreign,), {"pages": {}, "heard": []})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(cls.foreign))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        cls.elsewhere = f"http://127.0.0.1:{server.server_port}"

    def invite(self, **more):
        made = self.assent.call("StudyService/CreateInvitation", {
            "invitation": {"flowId": "field-onboarding", **more}})
        return made["invitation"]

    def visit(self, link, allowed=("status of 4",), **options):
        return self.open(link.lstrip("/"), allowed=allowed, reduced_motion="reduce", **options)

    def says(self, page, words):
        page.get_by_text(words).first.wait_for()

    def test_links_that_lead_nowhere(self):
        mistyped = self.visit(self.invite()["link"][:-3] + "ZZZ")
        self.says(mistyped, "There is nothing behind this link.")
        revoked = self.invite()
        self.assent.call("StudyService/RevokeInvitation", {"code": revoked["code"]})
        self.says(self.visit(revoked["link"]), "This link was taken back.")
        soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=2)
        expired = self.invite(expiresAt=soon.isoformat().replace("+00:00", "Z"))
        used = self.invite()
        page = self.visit(used["link"])
        self.at(page, "instruction")
        self.press(page, "CANCEL")
        page.get_by_role("alertdialog").get_by_role("button", name="Yes").click()
        self.at(page, "plain", "!closed")
        self.says(self.visit(used["link"]), "This link was used, and what it led to has ended.")
        page.wait_for_timeout(2500)
        self.says(self.visit(expired["link"]), "This link has expired.")

    def test_no_other_site_can_show_a_page_in_a_frame(self):
        for path in ("/c", "/kit", "/verify/"):
            self.foreign.pages["/frame"] = f'<iframe src="{self.address}{path}"></iframe>'
            page = self.context().new_page()
            page.goto(f"{self.elsewhere}/frame")
            page.wait_for_timeout(500)
            inside, = [frame for frame in page.frames if frame.parent_frame]
            self.assertNotIn(str(self.assent.port), inside.url, path)
            self.assertEqual(inside.locator("main").count(), 0)

    def test_no_other_site_can_act_with_the_cookie(self):
        page = self.visit(self.invite()["link"])
        self.at(page, "instruction")
        view = page.evaluate("document.querySelector('assent-session').view")
        act = json.dumps({"sessionId": view["sessionId"], "expectedVersion": view.get("version", 0),
                          "action": {"kind": "ACTION_KIND_NEXT"}})
        self.foreign.pages["/act"] = f"""<script>
          const address = "{self.address}/{SERVICE}/ActOnSession", body = {json.dumps(act)}
          const tries = [["no-cors", "text/plain"], ["cors", "application/json"]].map(([mode, type]) =>
            fetch(address, {{ method: "POST", mode, credentials: "include", headers: {{ "content-type": type }}, body }})
              .catch(() => 0))
          Promise.all(tries).then(() => {{ document.title = "done" }})
        </script><form method="post" enctype="text/plain" action="{self.address}/{SERVICE}/ActOnSession">
        <input name='{act[:-1]},"x":"' value='"}}'></form>"""
        other = page.context.new_page()
        other.goto(f"{self.elsewhere}/act")
        self.until(other, "document.title === 'done'")
        other.evaluate("document.forms[0].submit()")
        other.wait_for_timeout(500)
        now = self.assent.call("SessionService/GetSession", {"sessionId": view["sessionId"]})["session"]
        self.assertEqual(now.get("version", 0), view.get("version", 0))

    def test_the_code_is_told_to_nobody(self):
        link = self.invite()["link"]
        code = link.split("#")[1]
        page = self.context().new_page()
        told = []
        page.on("request", lambda request: told.append((request.url, request.headers.get("referer") or "")))
        page.goto(self.address + link)
        self.at(page, "instruction")
        for url, referrer in told:
            self.assertNotIn(code, url.split("#")[0] + referrer)
        self.assertEqual([referrer for _, referrer in told if referrer], [])
        # Nor to the page that is visited next.
        self.foreign.heard.clear()
        page.evaluate("address => { location.href = address }", f"{self.elsewhere}/next")
        page.wait_for_url("**/next")
        # (For that page's own icon, the browser may name that page.)
        referrers = [headers.get("Referer", "") for headers in self.foreign.heard]
        self.assertEqual([each for each in referrers if each and not each.startswith(self.elsewhere)], [])
        self.assertEqual(page.evaluate("document.referrer"), "")

    def test_whoever_comes_after_finds_nothing(self):
        page = self.visit(self.invite()["link"])
        self.at(page, "instruction")
        title = page.locator("assent-session h1").text_content()
        page.get_by_role("button", name="Leave this page").click()
        self.says(page, "You have left.")
        page.goto(f"{self.elsewhere}/after")
        page.go_back()
        self.says(page, "To go on, open your link again.")
        self.assertEqual(page.get_by_text(title).count(), 0)
        page.reload()
        self.says(page, "To go on, open your link again.")
        kept = page.evaluate("""async () => [localStorage.length, sessionStorage.length, (await caches.keys()).length,
          (await indexedDB.databases()).length, document.cookie]""")
        self.assertEqual(kept, [0, 0, 0, 0, ""])
        self.assertEqual(page.context.cookies(), [])
        # No answer of a call may be kept by any cache.
        asked = urllib.request.Request(
            f"{self.address}/{SERVICE}/GetSession", b"{}", {"content-type": "application/json"})
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(asked)
        self.assertEqual(refused.exception.headers["cache-control"], "no-store")
        refused.exception.close()


if __name__ == "__main__":
    unittest.main()
