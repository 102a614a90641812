"""An OpenID provider for tests: signs whatever it is asked to, and publishes its keys at an address.

Prints "ready PORT". GET /keys is the JWK set. POST /token signs {"key", "alg", "kid", "claims"} and answers the token.
POST /publish names the keys in the set; POST /answer says with which status /keys answers. GET /count tells how often
/keys was asked for.
"""

import http.server
import json

from signing import jwk, token

state = {"published": ["rsa", "ec", "ed", "weak"], "status": 200, "count": 0}


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, status, body):
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/count":
            return self.answer(200, str(state["count"]).encode())
        state["count"] += 1
        keys = json.dumps({"keys": [jwk(name) for name in state["published"]]})
        self.answer(state["status"], keys.encode())

    def do_POST(self):
        wish = json.loads(self.rfile.read(int(self.headers["content-length"])))
        body = b""
        if self.path == "/token":
            body = token(wish).encode()
        elif self.path == "/publish":
            state["published"] = wish
        elif self.path == "/answer":
            state["status"] = wish
        self.answer(200, body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"ready {server.server_port}", flush=True)
server.serve_forever()
