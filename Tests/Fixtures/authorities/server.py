"""Authorities on 127.0.0.1 whose answers openssl makes; the first argument is a folder for keys and certificates.

POST /tsa is a time-stamping authority, /ocsp a responder, GET /list.crl a list of revocations. /tsa/KIND does wrong
what KIND says. Prints `port N` when the folder holds root.pem, and with key and certificate seal.pem, revoked.pem,
inner.pem.
"""

import http.server
import os
import subprocess
import sys
import threading
import time

folder = sys.argv[1]
first_reply = []


def path(name):
    return os.path.join(folder, name)


def openssl(*words):
    return subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=folder).stdout


def write(name, text):
    with open(path(name), "w") as file:
        file.write(text)


def certify(name, extensions, days="3650"):
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN=Test {name}",
            "-keyout", f"{name}.key", "-out", f"{name}.csr")
    write(f"{name}.ext", extensions)
    openssl("ca", "-batch", "-config", "ca.cnf", "-in", f"{name}.csr", "-out", f"{name}.crt", "-days", days, "-notext",
            "-extfile", f"{name}.ext")
    with open(path(f"{name}.key")) as key, open(path(f"{name}.crt")) as certificate:
        write(f"{name}.pem", key.read() + certificate.read())


def make(port):
    here = f"http://127.0.0.1:{port}"
    write("index.txt", "")
    write("index.txt.attr", "unique_subject = no\n")
    write("serial", "1000\n")
    write("crlnumber", "01\n")
    write("tsaserial", "01\n")
    write("ca.cnf", """[ca]
default_ca = own
[own]
database = index.txt
new_certs_dir = .
serial = serial
crlnumber = crlnumber
certificate = root.crt
private_key = root.key
default_md = sha256
default_days = 3650
default_crl_days = 30
policy = any
[any]
commonName = supplied
""")
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=Test Root",
            "-keyout", "root.key", "-out", "root.crt", "-days", "3650", "-addext", "basicConstraints=critical,CA:TRUE",
            "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    both = f"authorityInfoAccess=OCSP;URI:{here}/ocsp\ncrlDistributionPoints=URI:{here}/list.crl\n"
    signing = "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature,nonRepudiation\n"
    certify("seal", signing + both)
    certify("revoked", signing + both)
    certify("inner", signing + f"authorityInfoAccess=OCSP;URI:http://10.1.2.3/ocsp\n")
    certify("clock", signing + f"extendedKeyUsage=critical,timeStamping\ncrlDistributionPoints=URI:{here}/moved.crl\n")
    certify("responder", signing + "extendedKeyUsage=OCSPSigning\nnoCheck=ignored\n")
    openssl("ca", "-config", "ca.cnf", "-revoke", "revoked.crt")
    openssl("ca", "-config", "ca.cnf", "-gencrl", "-out", "list.pem")
    openssl("crl", "-in", "list.pem", "-outform", "DER", "-out", "list.crl")
    os.rename(path("root.crt"), path("root.pem"))
    write("tsa.cnf", """[tsa]
default_tsa = own
[own]
serial = tsaserial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha384, sha512
ess_cert_id_alg = sha256
ordering = no
tsa_name = no
""")


def stamp(query):
    write_bytes("query.tsq", query)
    openssl("ts", "-reply", "-config", "tsa.cnf", "-queryfile", "query.tsq", "-signer", "clock.crt", "-inkey",
            "clock.key", "-out", "reply.tsr")
    return read("reply.tsr")


def respond(query):
    write_bytes("query.ocsp", query)
    openssl("ocsp", "-index", "index.txt", "-CA", "root.pem", "-rsigner", "responder.crt", "-rkey", "responder.key",
            "-reqin", "query.ocsp", "-respout", "reply.ocsp", "-ndays", "7", "-rmd", "sha256")
    return read("reply.ocsp")


def read(name):
    with open(path(name), "rb") as file:
        return file.read()


def write_bytes(name, value):
    with open(path(name), "wb") as file:
        file.write(value)


lock = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, kind, **headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        with lock:
            print(f"GET {self.path}", flush=True)
        if self.path == "/moved.crl":
            self.answer(302, b"", "text/plain", Location="/list.crl")
        elif self.path == "/list.crl":
            self.answer(200, read("list.crl"), "application/pkix-crl")
        else:
            self.answer(404, b"", "text/plain")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with lock:
            print(f"POST {self.path}", flush=True)
            if self.path == "/ocsp":
                return self.answer(200, respond(body), "application/ocsp-response")
            reply = stamp(body)
            first_reply.append(reply)
        kind = self.path.removeprefix("/tsa").lstrip("/")
        wanted = "application/timestamp-reply"
        if kind == "":
            self.answer(200, reply, wanted)
        elif kind == "down":
            self.answer(503, b"", "text/plain")
        elif kind == "page":
            self.answer(200, b"<html>please pay</html>", "text/html")
        elif kind == "garbage":
            self.answer(200, b"\x30\x82\xff\xff" + bytes(100), wanted)
        elif kind == "cut":
            self.answer(200, reply[: len(reply) // 2], wanted)
        elif kind == "old":
            self.answer(200, first_reply[0], wanted)
        elif kind == "flipped":
            self.answer(200, reply[:-10] + bytes([reply[-10] ^ 1]) + reply[-9:], wanted)
        elif kind == "big":
            self.answer(200, reply + bytes(1 << 20), wanted)
        elif kind == "hang":
            threading.Event().wait(60)
        elif kind == "drip":
            self.send_response(200)
            self.send_header("Content-Type", wanted)
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            for byte in reply:
                self.wfile.write(bytes([byte]))
                time.sleep(0.05)
        elif kind == "moved":
            self.answer(307, b"", "text/plain", Location="/tsa")
        else:
            self.answer(404, b"", "text/plain")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
make(server.server_port)
print(f"port {server.server_port}", flush=True)
server.serve_forever()
