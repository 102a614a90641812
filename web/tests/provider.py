"""An OpenID provider on this machine, at which people sign in with a browser: Tests/Fixtures/openid/provider.py."""

import json
import pathlib
import shutil
import ssl
import subprocess
import sys
import tempfile
import urllib.request

from browser import ROOT


class Provider:
    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="assent-provider-"))
        self.certificate, key = self.folder / "tls.crt", self.folder / "tls.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
             "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out",
             self.certificate], check=True, capture_output=True)
        self.process = subprocess.Popen(
            [sys.executable, "-B", ROOT / "Tests/Fixtures/openid/provider.py", self.certificate, key],
            stdout=subprocess.PIPE, text=True)
        self.address = f"https://127.0.0.1:{self.process.stdout.readline().split()[1]}"

    # How the programs find it.
    @property
    def settings(self):
        return {"identity_allow": "127.0.0.0/8", "identity_certificates": str(self.certificate)}

    def issuer(self, **more):
        """As a tenant's settings know it."""
        return {"issuer": self.address, "jwksUrl": f"{self.address}/keys", "subjectPrefix": "clinic:",
                "createsPeople": True, "title": "Northside Clinic", "client": {"clientId": "assent-pages"}, **more}

    def behave(self, **changes):
        self.ask("/behave", json.dumps(changes).encode())

    def seen(self):
        return json.loads(self.ask("/seen"))

    def ask(self, path, body=None):
        trusted = ssl.create_default_context(cafile=self.certificate)
        with urllib.request.urlopen(self.address + path, body, timeout=20, context=trusted) as answer:
            return answer.read()

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)
