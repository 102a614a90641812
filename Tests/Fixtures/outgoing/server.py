"""A server on 127.0.0.1 that answers as the path says; prints its port."""

import http.server
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        name, _, rest = self.path.lstrip("/").partition("/")
        if name == "big":
            self.answer(200, b"x" * int(rest))
        elif name == "hang":
            threading.Event().wait(60)
        elif name == "to":
            self.answer(302, Location=rest)
        elif name == "again":
            self.answer(302, Location=f"/again/{int(rest) + 1}")
        else:
            self.answer(200, b"hello", **{"X-Seen": self.headers.get("X-Sent", "")})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/moved":
            self.answer(307, Location="/echo")
        elif self.path.startswith("/page/"):
            self.answer(200, **{"Content-Type": "text/html; charset=utf-8"})
        else:
            self.answer(201, body[::-1])


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(f"port {server.server_port}", flush=True)
server.serve_forever()
