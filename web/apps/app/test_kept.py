"""What a browser keeps of the page of shared devices: what is said when it has deleted that, and newer programs."""

import hashlib
import http.client
import http.server
import pathlib
import re
import shutil
import tempfile
import threading
import unittest

import installation
from browser import BUILT
from sharing import Sharing


class Front(http.server.BaseHTTPRequestHandler):
    """The gateway, with the page of a folder in place of its own."""

    folder, port = BUILT, 0

    def do_GET(self):
        path = "app/index.html" if self.path == "/app" else self.path.lstrip("/")
        file = type(self).folder / path
        if not file.is_file():
            return self.answer(404, {}, b"")
        types = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
        self.answer(200, {"content-type": types.get(file.suffix, "application/json")}, file.read_bytes())

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        kept = {name: value for name, value in self.headers.items()
                if name.lower() not in ("connection", "accept-encoding")}
        connection.request("POST", self.path, body, kept)
        answer = connection.getresponse()
        self.answer(answer.status, {"content-type": answer.getheader("content-type", "")}, answer.read())
        connection.close()

    def answer(self, status, headers, content):
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *words):
        pass


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class KeptTest(Sharing):
    def delete(self, page, *names):
        """Deletes databases as a browser does that is short of room: while no page is open that uses them."""
        page.goto(f"{self.address}/sign")
        page.evaluate(
            """(names) => Promise.all(names.map((name) => new Promise((done) => {
              const asked = indexedDB.deleteDatabase(name)
              asked.onsuccess = asked.onerror = asked.onblocked = done
            })))""", list(names))
        page.goto(f"{self.address}/app")

    def prepared(self, page, name, passcode):
        self.join(page, name, passcode)
        self.sign_in(page, passcode)
        page.locator(".pane[data-prepared]").wait_for()
        page.get_by_role("button", name="Switch Person").click()
        self.view(page, "SIGN_IN")

    def test_storage_that_the_browser_has_deleted_is_said_in_words(self):
        page = self.tablet()
        self.prepared(page, "Hannah Weiss", "walk walk 1")
        said = page.get_by_text("This browser has deleted what was kept on this device").first
        self.delete(page, "assent-offline")
        self.view(page, "SIGN_IN")
        said.wait_for()
        self.assert_accessible(page, "deleted")
        # Everything goes on, and is prepared anew.
        page.fill("assent-accounts #passcode", "walk walk 1")
        self.act(page, "SIGN_IN")
        page.locator(".pane[data-prepared]").wait_for()
        page.get_by_role("button", name="Switch Person").click()
        self.view(page, "SIGN_IN")
        self.assertEqual(said.count(), 0)
        self.delete(page, "assent-offline", "assent-device")
        page.get_by_role("heading", name="Make this browser a device").wait_for()
        said.wait_for()
        page.reload()
        page.get_by_role("heading", name="Make this browser a device").wait_for()

    def newer(self, folder):
        """The same page as another build has it."""
        newer = pathlib.Path(tempfile.mkdtemp(prefix="assent-newer-"))
        self.addCleanup(shutil.rmtree, newer, ignore_errors=True)
        shutil.copytree(folder, newer, dirs_exist_ok=True)
        page = (newer / "app/index.html").read_text().replace("<title>", '<meta name="build" content="newer"><title>')
        (newer / "app/index.html").write_text(page)
        worker = (newer / "app-worker.js").read_text()
        worker = re.sub(r'"version":"\w+"', '"version":"newer"', worker)
        worker = re.sub(r'"page":"\w+"', f'"page":"{hashlib.sha256(page.encode()).hexdigest()}"', worker)
        (newer / "app-worker.js").write_text(worker)
        return newer

    def test_a_newer_program_waits_until_the_visit_is_over_and_nothing_is_lost(self):
        handler = type("Handler", (Front,), {"port": self.assent.port})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        front = f"http://127.0.0.1:{server.server_port}"
        page = self.open("", allowed=("status of 4",))
        page.goto(f"{front}/app#{self.assent.accounts('add-device', 'Ward 4').split('#')[1].split()[0]}")
        self.view(page, "SIGN_IN")
        self.join(page, "Malik Abbas", "walk walk 3")
        page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
        page.reload()
        self.view(page, "SIGN_IN")
        self.sign_in(page, "walk walk 3")
        page.evaluate("window.isAsBefore = true")
        page.locator("li", has_text="loan-flow").get_by_role("button", name="For Me").click()
        session = page.locator("assent-session")
        self.at(page, "review")
        handler.folder = self.newer(BUILT)
        page.evaluate("navigator.serviceWorker.getRegistration('/app').then((kept) => kept.update()).then(() => 1)")
        self.until(page, "(window.waits ?? (navigator.serviceWorker.getRegistration('/app')"
                         ".then((kept) => { window.waits = kept.waiting || undefined }), undefined))")
        self.press(session, "AGREE")
        session.get_by_role("alertdialog").locator("[data-action=ACTION_KIND_CONFIRM]").click()
        self.at(page, "signature")
        self.draw_and_save(page, session)
        self.press(session, "SIGN")
        self.at(page, "completion")
        self.assertTrue(page.evaluate("window.isAsBefore && !document.querySelector('meta[name=build]')"))
        page.get_by_role("button", name="Back", exact=True).last.click()
        page.get_by_text("In force").wait_for()
        page.get_by_role("button", name="Switch Person").click()
        page.locator("meta[name=build]").wait_for(state="attached")
        self.view(page, "SIGN_IN")
        self.sign_in(page, "walk walk 3")
        page.get_by_text("In force").wait_for()


if __name__ == "__main__":
    unittest.main()
