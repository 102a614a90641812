"""An OpenID provider for tests, at which people sign in by the authorization code flow: one that also misbehaves.

provider.py CERTIFICATE KEY    serves by TLS at 127.0.0.1 and prints "ready PORT"

People go to /authorize, and /login is where its form leads: whoever is named there is signed in. Codes are good once,
for the client, page and challenge that they were made for. POST /behave changes what the provider does: a JSON object
of the names in `behaviour`. GET /seen tells what it was asked: the last question of a browser, and every exchange.
"""

import base64
import hashlib
import html
import http.server
import json
import secrets
import ssl
import sys
import time
import urllib.parse

from signing import jwk, text, token

CLIENT, SECRET = "assent-pages", "s3cret: of/the client"
USUAL = {
    # When it is, in seconds; 0: now.
    "now": 0,
    # With which key tokens are signed, and which ones are published.
    "key": "rsa", "published": ["rsa"],
    # What the discovery document says otherwise; null: it does not say it.
    "metadata": {},
    # Claims of ID tokens that are otherwise, or null: missing.
    "claims": {},
    # Fields of the answer to the browser that are otherwise, or null: missing; with "error" there is no code.
    "answer": {},
    # A whole answer to the exchange: its status and its text.
    "status": 0, "body": "",
    # How long the exchange takes, and how many further bytes its answer has.
    "delay": 0, "padding": 0,
    # Whether there are tokens for other ones later.
    "renews": False,
}
behaviour = dict(USUAL)
codes, renewals, seen = {}, {}, {"question": {}, "exchanges": [], "keys": 0}


def now():
    return int(behaviour["now"] or time.time())


def changed(fields, changes):
    return {name: value for name, value in {**fields, **changes}.items() if value is not None}


def claims(person, question, nonce):
    stated = {
        "iss": behaviour["issuer"], "sub": person, "aud": CLIENT, "iat": now(), "exp": now() + 300,
        "auth_time": now(), "nonce": nonce, "name": f"{person.title()} of the Clinic",
    }
    return changed(stated, behaviour["claims"])


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, status, body, kind="application/json", **headers):
        content = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name, value)
        try:
            self.end_headers()
            self.wfile.write(content)
        except OSError:
            pass

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/.well-known/openid-configuration":
            base = behaviour["issuer"]
            return self.answer(200, changed({
                "issuer": base, "authorization_endpoint": f"{base}/authorize", "token_endpoint": f"{base}/exchange",
                "jwks_uri": f"{base}/keys", "authorization_response_iss_parameter_supported": True,
            }, behaviour["metadata"]))
        if path == "/keys":
            seen["keys"] += 1
            return self.answer(200, {"keys": [jwk(name) for name in behaviour["published"]]})
        if path == "/seen":
            return self.answer(200, seen)
        if path == "/authorize":
            seen["question"] = dict(urllib.parse.parse_qsl(query))
            return self.answer(200, f"""<!doctype html><html lang="en"><title>The Clinic's Provider</title>
                <form method="post" action="/login"><h1>Who are you?</h1>
                <input type="hidden" name="question" value="{html.escape(query)}">
                <label>Name <input name="person"></label><button>Sign in</button></form>""", "text/html")
        self.answer(404, {})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        if self.path == "/behave":
            behaviour.update(json.loads(body))
            return self.answer(200, {})
        fields = dict(urllib.parse.parse_qsl(body))
        if self.path == "/login":
            return self.log_in(fields["person"], dict(urllib.parse.parse_qsl(fields["question"])))
        if self.path == "/exchange":
            return self.exchange(fields)
        self.answer(404, {})

    def log_in(self, person, question):
        code = secrets.token_urlsafe(24)
        codes[code] = person, question
        back = {"state": question["state"], "iss": behaviour["issuer"]}
        if "error" not in behaviour["answer"]:
            back["code"] = code
        back = changed(back, behaviour["answer"])
        self.answer(303, "", "text/plain", location=f"{question['redirect_uri']}?{urllib.parse.urlencode(back)}")

    def exchange(self, fields):
        seen["exchanges"].append({**fields, "authorization": self.headers.get("authorization", "")})
        time.sleep(behaviour["delay"])
        if behaviour["status"]:
            return self.answer(behaviour["status"], behaviour["body"])
        if not self.knows(fields):
            return self.answer(401, {"error": "invalid_client"})
        if fields["grant_type"] == "refresh_token":
            person, question = renewals.pop(fields["refresh_token"], (None, None))
            nonce = None
        else:
            person, question = codes.pop(fields["code"], (None, None))
            challenge = text(hashlib.sha256(fields["code_verifier"].encode()).digest())
            if question and (question["code_challenge"], question["redirect_uri"], question["client_id"]) != (
                    challenge, fields["redirect_uri"], CLIENT):
                person = None
            nonce = question and question["nonce"]
        if not person:
            return self.answer(400, {"error": "invalid_grant"})
        stated = claims(person, question, nonce)
        answer = {"access_token": "for nobody here", "token_type": "Bearer", "padding": "x" * behaviour["padding"],
                  "id_token": token({"alg": "RS256", "key": behaviour["key"], "kid": behaviour["key"],
                                     "claims": stated})}
        if behaviour["renews"]:
            answer["refresh_token"] = secrets.token_urlsafe(24)
            renewals[answer["refresh_token"]] = person, question
        self.answer(200, answer)

    def knows(self, fields):
        header = self.headers.get("authorization")
        if header:
            pair = base64.b64decode(header.removeprefix("Basic ")).decode()
            return [urllib.parse.unquote_plus(part) for part in pair.split(":")] == [CLIENT, SECRET]
        return (fields.get("client_id"), fields.get("client_secret")) == (CLIENT, SECRET)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(*sys.argv[1:])
server.socket = context.wrap_socket(server.socket, server_side=True)
behaviour["issuer"] = USUAL["issuer"] = f"https://127.0.0.1:{server.server_port}"
print(f"ready {server.server_port}", flush=True)
server.serve_forever()
