"""What the tests of web/ share: the built files, served as strictly as a gateway may, and Debian's Chromium."""

import functools
import http.server
import json
import os
import pathlib
import re
import threading
import unittest

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT = ROOT / ".build/web"
CHROMIUM = os.environ.get("ASSENT_CHROMIUM", "/usr/bin/chromium")
MANIFEST = json.loads((BUILT / "manifest.json").read_text())

POLICY = "; ".join([
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:",
    "connect-src 'self'", "manifest-src 'self'", "media-src blob:", "base-uri 'none'",
    "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
])


def app(body, module="signature.js", sheet=""):
    """An app's page with an element's module."""
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>An app</title>
<meta name="viewport" content="width=device-width, initial-scale=1">{sheet}
<script type="module" src="{MANIFEST[module]}"></script><main>{body}</main></html>"""


SHEET = '<link rel="stylesheet" href="/page.css">'


def example(element, language):
    """The first example of an element in docs/web.md, in a language."""
    chapter = (ROOT / "docs/web.md").read_text().split(f"## `<{element}>`")[1]
    return re.search(rf"```{language}\n(.*?)```", chapter, re.DOTALL)[1]


class Files(http.server.SimpleHTTPRequestHandler):
    pages = {
        "/favicon.ico": "", "/app.html": app(""), "/signature.html": app(""),
        "/session.html": app("", "session.js", SHEET),
        "/sync.html": app("", "sync.js"),
        "/verify.html": app("<assent-verify></assent-verify>", "verify.js"), "/page.css": "body { margin: 0 }",
        "/example.html": app(example("assent-signature", "html")),
    }

    def do_GET(self):
        if self.path not in self.pages:
            return super().do_GET()
        body = self.pages[self.path].encode()
        self.send_response(200)
        self.send_header("content-type", "text/css" if self.path.endswith(".css") else "text/html")
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self):
        self.send_header("content-security-policy", POLICY)
        super().end_headers()

    def log_message(self, *words):
        pass


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(BUILT)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class PageTest(unittest.TestCase):
    """Tests in one browser. Whatever a page complains about fails the test."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        server = serve()
        cls.address = f"http://127.0.0.1:{server.server_port}"
        playwright = sync_playwright().start()
        cls.playwright = playwright
        cls.browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        cls.addClassCleanup(playwright.stop)
        cls.addClassCleanup(cls.browser.close)

    def context(self, **options):
        options.setdefault("viewport", {"width": 800, "height": 900})
        context = self.browser.new_context(**options)
        self.addCleanup(context.close)
        return context

    def open(self, path="kit/", allowed=(), script=None, **options):
        """A page in a context of its own; `allowed` are complaints that belong to the test."""
        page = self.context(**options).new_page()
        page.set_default_timeout(60_000)
        faults = []
        note = lambda text: any(word in text for word in allowed) or faults.append(text)  # noqa: E731
        page.on("pageerror", lambda error: note(str(error)))
        page.on("console", lambda line: note(line.text) if line.type in ("error", "warning") else None)
        self.addCleanup(lambda: self.assertEqual(faults, []))
        if script:
            page.add_init_script(script)
        page.goto(f"{self.address}/{path}")
        return page

    def cell(self, page=None, attributes=None, around="main", **options):
        """A page with one cell, and the cell; its own parts are found by their names."""
        page = page or self.open("app.html", **options)
        page.evaluate(
            """async ([attributes, around]) => {
              await customElements.whenDefined("assent-signature")
              const cell = document.createElement("assent-signature")
              for (const [name, value] of Object.entries(attributes)) cell.setAttribute(name, value)
              document.querySelector(around).append(cell)
            }""", [attributes or {}, around])
        self.until(page, "document.querySelector('assent-signature').shadowRoot.querySelector('.root:not([hidden])')")
        return page, page.locator("assent-signature")

    def until(self, page, expression, where=""):
        """Waits until it is true. (The browser's driver waits by eval, which the policy forbids.)"""
        for _ in range(1200):
            if page.evaluate(f"!!({expression})"):
                return
            page.wait_for_timeout(50)
        self.fail(f"never true: {where} {expression}")
