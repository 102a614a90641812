"""The cases of browser.js in headless Chromium, on a page of another origin than the gateway's."""

import http.server
import os
import pathlib
import threading
import unittest

from playwright.sync_api import sync_playwright

BROWSER = os.environ.get("ASSENT_CHROMIUM", "/usr/bin/chromium")
ADDRESS, KEY = os.environ["ASSENT_ADDRESS"], os.environ["ASSENT_KEY"]


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>An app</title>")

    def log_message(self, *words):
        pass


class Browser(unittest.TestCase):
    maxDiff = None

    def test_cases(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        script = pathlib.Path(__file__).with_name("browser.js").read_text()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=BROWSER, args=["--no-sandbox", "--host-resolver-rules=MAP app.test 127.0.0.1"])
            page = browser.new_page()
            page.goto(f"http://app.test:{server.server_port}/")
            function = f"async ([address, key]) => {{ {script}; return cases(address, key) }}"
            faults = page.evaluate(function, [ADDRESS, KEY])
            browser.close()
        self.assertEqual(faults, [])
