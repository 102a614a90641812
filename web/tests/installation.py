"""Assent's real programs in a private folder, with studies in which a person can walk, for tests and recordings."""

import base64
import functools
import http.client
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import urllib.request

from browser import BUILT, Files, ROOT

PROGRAMS = pathlib.Path(os.environ.get("ASSENT_PROGRAMS", ROOT / ".build/debug"))
IS_THERE = (PROGRAMS / "assent").exists()
CONSENT = "assent.consent.v1"


def words(**texts):
    """A text in several languages."""
    return {"translations": [{"locale": locale, "text": text} for locale, text in texts.items()]}


class Installation:
    """`assent up`, a tenant's keys, and the studies."""

    def __init__(self, accounts=False, **settings):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="assent-web-"))
        self.log = (self.folder / "log").open("w")
        self.process = subprocess.Popen(
            [PROGRAMS / "assent", "up", "--data", self.folder / "data", "--http-listen", "127.0.0.1:0", "--grpc-listen",
             "127.0.0.1:0", "--signature", "1", "--account", str(int(accounts))],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=self.log, text=True,
            env={**os.environ, "ASSENT_WEB_FOLDER": str(BUILT),
                 **{f"ASSENT_{name.upper()}": value for name, value in settings.items()}})
        told = ""
        for line in self.process.stdout:
            told += line
            if "Ctrl-C" in line:
                break
        found = re.search(r"http://127\.0\.0\.1:(\d+)", told)
        if not found:
            raise RuntimeError(f"assent up did not start: {told}\n{(self.folder / 'log').read_text()[-2000:]}")
        self.port = int(found[1])
        self.keys = {"admin": self.key("setup", "person", "--grants", "admin@*,publisher@*,coordinator@*"),
                     "device": self.key("tablet", "device")}

    def key(self, name, kind, *more):
        made = subprocess.run(
            [PROGRAMS / "assent", "keys", "api", "create", name, "--tenant", "acme", "--kind", kind, *more,
             "--api-key-list", self.folder / "data/api-keys"],
            capture_output=True, text=True, check=True)
        return next(word for word in made.stdout.split() if word.startswith("ak_"))

    def accounts(self, *words):
        """What `assent accounts` says."""
        return subprocess.run(
            [PROGRAMS / "assent", "accounts", *words, "--tenant", "acme", "--data", self.folder / "data", "--address",
             f"http://127.0.0.1:{self.port}"], capture_output=True, text=True, check=True).stdout

    def staff(self, name, *grants):
        """A new account of staff: the code of its browser, and its passcode."""
        told = self.accounts("add-staff", name, *(["--grants", ",".join(grants)] if grants else []))
        return re.search(r"/app#(\S+)", told)[1], re.search(r"passcode (\S+),", told)[1]

    def call(self, method, request, key="admin", package=CONSENT):
        asked = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/{package}.{method}", json.dumps(request).encode(),
            {"content-type": "application/json", "authorization": f"Bearer {self.keys[key]}"})
        try:
            with urllib.request.urlopen(asked, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as problem:
            raise RuntimeError(f"{method}: {problem.read().decode()}") from problem

    def stop(self):
        self.process.terminate()
        self.process.wait(60)
        self.process.stdout.close()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    # Studies

    def study(self, study, name):
        self.call("StudyService/CreateStudy", {"study": {"studyId": study, "name": name}})

    def flow(self, definition):
        self.call("FlowService/CreateFlow", definition)
        self.call("FlowService/PublishFlowDraft", {"flowId": definition["flowId"], "expectedRevision": 1})

    def document(self, study, document):
        self.call("DocumentService/CreateDocument", {
            "studyId": study, "documentId": document["documentId"], "name": document["name"],
            "content": document["content"]})
        self.call("DocumentService/PublishDocumentDraft", {"documentId": document["documentId"], "expectedRevision": 1})

    def samples(self):
        """The clinical study with its consent, and the permissions of the field service."""
        clinical = ROOT / "samples/clinical-study"
        self.study("walking", "Walking and Blood Pressure")
        self.document("walking", json.loads((clinical / "document.json").read_text()))
        self.flow(json.loads((clinical / "flow.json").read_text()))
        self.study("field-service", "Field Service")
        self.flow(json.loads((ROOT / "samples/field-service/flow.json").read_text()))

    def begin(self, flow, locale="en", **more):
        """A new session; its view and its person."""
        begun = self.call("SessionService/StartSession", {"flowId": flow, "locale": locale, **more}, "device")
        return begun["session"], begun["subjectId"]

    def start(self, flow, locale="en", **more):
        return self.begin(flow, locale, **more)[0]

    def act(self, view, kind, /, **more):
        """The view after an action."""
        return self.call("SessionService/ActOnSession", {
            "sessionId": view["sessionId"], "expectedVersion": view.get("version", 0),
            "action": {"kind": f"ACTION_KIND_{kind}", **more}}, "device")["session"]

    def agree(self, view, typed="Amara Okafor", name=("Amara", "Okafor"), **answers):
        """The view after a document was read, agreed to and signed; answers are those to optional purposes."""
        if "ACTION_KIND_SCROLLED_TO_END" in view["screen"]["offered"]:
            view = self.act(view, "SCROLLED_TO_END")
        view = self.act(view, "AGREE", answers=[
            {"questionId": code, "boolean": f"BOOLEAN_ANSWER_{said}"} for code, said in answers.items()])
        view = self.act(view, "CONFIRM")
        if "ACTION_KIND_ENTER_NAME" in view["screen"]["offered"]:
            view = self.act(view, "ENTER_NAME", name=dict(zip(("given", "family"), name)))
        return self.act(view, "SIGN", signature={"typed": {"text": typed, "font": "script"}} if typed else {})


class Proxy(Files):
    """The page's own origin: the built files, and the gateway behind the app's key."""

    installation = None
    # What a test wants to happen to a call: a function of its path that says "away", "lost" or nothing.
    fault = staticmethod(lambda path: None)
    calls = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        type(self).calls.append((self.path, dict(self.headers), body))
        fault = type(self).fault(self.path)
        if fault == "away":
            return self.answer(503, {"content-type": "text/plain"}, b"away")
        connection = http.client.HTTPConnection("127.0.0.1", self.installation.port, timeout=60)
        kept = {name: value for name, value in self.headers.items() if name.lower() not in (
            "host", "connection", "accept-encoding", "cookie", "origin", "referer", "content-length")}
        connection.request("POST", self.path, body, {
            **kept, "Authorization": f"Bearer {self.installation.keys['device']}"})
        answer = connection.getresponse()
        headers = {name: value for name, value in answer.getheaders() if name.lower() not in (
            "transfer-encoding", "connection", "content-length")}
        if fault == "lost":
            # The call has had its effect, and nobody hears of it.
            answer.read()
            self.answer(503, {"content-type": "text/plain"}, b"lost")
        elif "connect" in answer.getheader("content-type", ""):
            self.stream(answer, headers)
        else:
            self.answer(answer.status, headers, answer.read())
        connection.close()

    def stream(self, answer, headers):
        """Hands over what comes, as it comes."""
        self.close_connection = True
        self.send_response(answer.status)
        for name, value in headers.items():
            self.send_header(name, value)
        try:
            self.end_headers()
            while piece := answer.read1():
                self.wfile.write(piece)
        except OSError:
            pass

    def answer(self, status, headers, content):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        # A page that is reloaded hears no answers.
        try:
            self.end_headers()
            self.wfile.write(content)
        except OSError:
            pass


def serve(installation):
    """A server of pages in front of an installation, and the class that its faults are set on."""
    handler = type("Handler", (Proxy,), {"installation": installation, "calls": []})
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(handler, directory=str(BUILT)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, handler


def encoded(content):
    return base64.b64encode(content).decode()
