"""A receiver of webhooks with good and bad habits, for tests.

webhook_receiver.py    prints "ready PORT", then a line of JSON for each request that it got

Its habits, by the first part of the path: `ok` accepts; `twice` refuses each message the first time; `file` accepts
once the file named by the query exists; `down` cannot do its work until then; `says` answers the status in that file,
and nothing while there is none; `only` accepts what has the query in its body, and refuses the rest; `hang` never
answers; `redirect` leads to `trap`; `garbage` answers what is no HTTP; `huge` answers without an end; `gone` wants
nothing any more.
"""

import http.server
import json
import os
import threading
import urllib.parse


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    seen = set()
    printing = threading.Lock()
    never = threading.Event()

    def do_POST(self):
        body = self.body = self.rfile.read(int(self.headers["content-length"])).decode()
        address = urllib.parse.urlsplit(self.path)
        habit, name = address.path.split("/")[1], self.headers["webhook-id"]
        status = getattr(self, f"habit_{habit}")(address, name)
        with self.printing:
            print(
                json.dumps({
                    "habit": habit, "id": name, "timestamp": self.headers["webhook-timestamp"],
                    "signature": self.headers["webhook-signature"], "body": body, "status": status or 0,
                }, sort_keys=True), flush=True)
        if habit == "hang" or habit == "says" and status is None:
            self.never.wait()
        elif habit == "garbage":
            self.wfile.write(b"\x00\xff what is this?\r\n\r\n" * 10)
            self.close_connection = True
        elif habit == "huge":
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(bytes(1 << 16))
            except OSError:
                self.close_connection = True
        else:
            self.send_response(status)
            if habit == "redirect":
                self.send_header("location", "/trap")
            self.send_header("content-length", "0")
            self.end_headers()

    do_GET = do_POST

    def habit_ok(self, address, name):
        return 204

    habit_trap = habit_ok

    def habit_twice(self, address, name):
        with self.printing:
            known = name in self.seen
            self.seen.add(name)
        return 200 if known else 409

    def habit_file(self, address, name):
        return 200 if os.path.exists(address.query) else 400

    def habit_down(self, address, name):
        return 200 if os.path.exists(address.query) else 503

    def habit_says(self, address, name):
        try:
            with open(address.query) as file:
                return int(file.read())
        except FileNotFoundError:
            return None

    def habit_only(self, address, name):
        return 204 if address.query in self.body else 422

    def habit_gone(self, address, name):
        return 410

    def habit_redirect(self, address, name):
        return 307

    def habit_hang(self, address, name):
        return None

    habit_garbage = habit_huge = habit_hang

    def log_message(self, *words):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        pass


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Receiver)
    print(f"ready {server.server_address[1]}", flush=True)
    server.serve_forever()
