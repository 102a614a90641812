"""Other browsers than Chromium, by W3C's WebDriver: Firefox by its own Marionette, WebKit by WebKitWebDriver.

Both are Debian's, and nothing else is needed but Python. What a walk does here it does as people do: by keys and clicks
at places, since the elements' own trees are closed to a driver that looks for elements.
"""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

FIREFOX = os.environ.get("ASSENT_FIREFOX", "/usr/bin/firefox-esr")
WEBKIT = "/usr/bin/WebKitWebDriver"
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Space": " ", "End": "\ue010"}


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def until(work, seconds=60):
    """What work gives once it gives something."""
    end = time.monotonic() + seconds
    while True:
        try:
            found = work()
        except (OSError, Refused):
            found = None
        if found or time.monotonic() > end:
            return found
        time.sleep(0.1)


class Refused(RuntimeError):
    """What a driver refuses to do."""


class Browser:
    """What both have in common: commands by their names."""

    def go(self, address):
        self.command("Navigate", url=address)

    def run(self, script, *arguments):
        """What a function's body returns, in the page."""
        return self.command("ExecuteScript", script=script, args=list(arguments))

    def keys(self, *names):
        typed = [KEYS.get(name, name) for name in names]
        actions = [{"type": kind, "value": key} for key in typed for kind in ("keyDown", "keyUp")]
        self.command("PerformActions", actions=[{"type": "key", "id": "keys", "actions": actions}])

    def click(self, x, y):
        self.pointer([("move", x, y), ("down",), ("up",)])

    def drag(self, *points):
        self.pointer([("move", *points[0]), ("down",), *(("move", *point) for point in points[1:]), ("up",)])

    def pointer(self, steps):
        kinds = {"move": "pointerMove", "down": "pointerDown", "up": "pointerUp"}
        actions = [{"type": kinds[kind], **({"x": round(at[0]), "y": round(at[1]), "duration": 20} if at else
                                            {"button": 0})} for kind, *at in steps]
        self.command("PerformActions", actions=[
            {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}])


class Firefox(Browser):
    """Debian's Firefox, which speaks Marionette at a port: each message is its length, a colon and JSON."""

    name = "Firefox"
    is_there = os.path.exists(FIREFOX)

    def __init__(self):
        self.folder, port = tempfile.mkdtemp(prefix="assent-firefox-"), free_port()
        pathlib.Path(self.folder, "user.js").write_text(f'user_pref("marionette.port", {port});\n')
        self.process = subprocess.Popen(
            [FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", self.folder],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": self.folder})
        self.stream = until(lambda: socket.create_connection(("127.0.0.1", port), 60))
        self.number = 0
        self._read()
        self.command("NewSession", capabilities={"alwaysMatch": {}})
        self.command("SetWindowRect", width=500, height=900)

    def command(self, name, **parameters):
        self.number += 1
        message = json.dumps([0, self.number, f"WebDriver:{name}", parameters]).encode()
        self.stream.sendall(b"%d:%s" % (len(message), message))
        _, _, problem, answer = self._read()
        if problem:
            raise Refused(f"{name}: {problem['message']}")
        return answer.get("value") if isinstance(answer, dict) else answer

    def _read(self):
        length = b""
        while not length.endswith(b":"):
            length += self._some(1)
        message = b""
        while len(message) < int(length[:-1]):
            message += self._some(int(length[:-1]) - len(message))
        return json.loads(message)

    def _some(self, most):
        piece = self.stream.recv(most)
        if not piece:
            raise Refused("Firefox has ended")
        return piece

    def end(self):
        self.stream.close()
        self.process.terminate()
        self.process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)


class WebKit(Browser):
    """WebKitGTK, by Debian's driver; without a screen, Xvfb is one."""

    name = "WebKit"
    is_there = os.path.exists(WEBKIT) and bool(shutil.which("Xvfb"))
    paths = {"Navigate": "url", "ExecuteScript": "execute/sync", "PerformActions": "actions",
             "SetWindowRect": "window/rect"}

    def __init__(self):
        self.screen = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        display, port = self.screen.stdout.readline().strip(), free_port()
        self.folder = tempfile.mkdtemp(prefix="assent-webkit-")
        self.process = subprocess.Popen(
            [WEBKIT, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "DISPLAY": f":{display}", "HOME": self.folder, "GDK_BACKEND": "x11",
                 "XDG_RUNTIME_DIR": self.folder, "WEBKIT_DISABLE_COMPOSITING_MODE": "1", "NO_AT_BRIDGE": "1",
                 # As root, which a container's tests are, its own sandbox does not start.
                 "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"})
        self.address = f"http://127.0.0.1:{port}/session"
        until(lambda: self._send("GET", f"http://127.0.0.1:{port}/status"))
        browser = {"webkitgtk:browserOptions": {
            "binary": "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", "args": ["--automation"]}}
        made = self._send("POST", self.address, {"capabilities": {"alwaysMatch": browser}})
        self.address += f"/{made['sessionId']}"
        self.command("SetWindowRect", width=500, height=900)

    def command(self, name, **parameters):
        return self._send("POST", f"{self.address}/{self.paths[name]}", parameters)

    def _send(self, method, address, body=None):
        asked = urllib.request.Request(
            address, None if body is None else json.dumps(body).encode(), {"content-type": "application/json"},
            method=method)
        try:
            with urllib.request.urlopen(asked, timeout=90) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as problem:
            raise Refused(f"{address}: {problem.read().decode()}") from problem

    def end(self):
        try:
            self._send("DELETE", self.address)
        except (OSError, Refused):
            pass
        for process in (self.process, self.screen):
            process.terminate()
            process.wait(30)
        self.screen.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)
