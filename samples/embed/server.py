"""python3 server.py ASSENT FLOW PORT: an app that has its visitors consent in its own page.

ASSENT is the gateway's address; its setting http-origins names this app's, such as http://localhost:8090. ASSENT_KEY is
the app's API key, which no browser sees: the page gets a token that is good in one session, for some minutes.
"""
import http.cookies, http.server, json, os, pathlib, secrets, sys, urllib.request

ASSENT, FLOW, PORT = sys.argv[1], sys.argv[2], int(sys.argv[3])
BUILT = pathlib.Path(__file__).parents[2] / ".build/web"  # what scripts/build-web makes
MODULE = json.loads((BUILT / "manifest.json").read_text())["session.js"]
PAGE = pathlib.Path(__file__).with_name("index.html").read_text()
PAGE = PAGE.replace("ASSENT", ASSENT).replace("session.js", MODULE)
sessions = {}  # by visitor: a real app has accounts, and keeps this in its database

def call(method, request):
    headers = {"content-type": "application/json", "authorization": f"Bearer {os.environ['ASSENT_KEY']}"}
    asked = urllib.request.Request(f"{ASSENT}/assent.{method}", json.dumps(request).encode(), headers)
    with urllib.request.urlopen(asked) as answer:
        return json.load(answer)

class App(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/":
            return super().do_GET()
        new = None if self.visitor() else f"visitor={secrets.token_urlsafe()}; HttpOnly; SameSite=Strict"
        self.answer("text/html", PAGE, new)

    def do_POST(self):  # a token for this visitor's session, which is begun the first time
        visitor = self.visitor()
        if not visitor:
            return self.send_error(400)
        if visitor not in sessions:
            sessions[visitor] = call("consent.v1.SessionService/StartSession", {"flowId": FLOW})["session"]["sessionId"]
        told = {"sessionId": sessions[visitor], "origin": f"http://{self.headers['host']}"}
        token = call("gateway.v1.GatewayService/CreateBrowserToken", told)
        self.answer("application/json", json.dumps({**token, "sessionId": sessions[visitor]}))

    def visitor(self):
        found = http.cookies.SimpleCookie(self.headers["cookie"]).get("visitor")
        return found and found.value

    def answer(self, kind, text, cookie=None):
        self.send_response(200)
        for name, value in (("content-type", kind), ("cache-control", "no-store"), ("set-cookie", cookie)):
            self.send_header(name, value) if value else None
        self.end_headers()
        self.wfile.write(text.encode())

http.server.ThreadingHTTPServer(("localhost", PORT), lambda *a: App(*a, directory=str(BUILT))).serve_forever()
