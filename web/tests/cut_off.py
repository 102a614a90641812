"""A tablet where there is no connection, on the page of shared devices, against the real programs."""

import contextlib
import os
import pathlib
import shutil
import signal
import tempfile

from browser import CHROMIUM
from sharing import Sharing
from walking import TABLET

# What the raw database must not have in clear: names, texts of screens, a request's bytes, a passcode.
SECRETS = [b"Amara", b"Okafor", b"Ines", b"Moreau", b"blood pressure cuff", b"ACTION_KIND", b"timeMs"]


class CutOff(Sharing):
    """One tablet, whose browser may be killed and comes back as it was on the disk."""

    def setUp(self):
        self.profile = pathlib.Path(tempfile.mkdtemp(prefix="assent-tablet-"))
        self.addCleanup(shutil.rmtree, self.profile, ignore_errors=True)
        self.context_ = None
        self.faults = []
        self.addCleanup(lambda: self.assertEqual(self.faults, []))

    def tablet(self, **options):
        """The browser, started anew, with the page open in it."""
        options.setdefault("viewport", TABLET)
        self.context_ = self.playwright.chromium.launch_persistent_context(
            str(self.profile), executable_path=CHROMIUM, args=["--no-sandbox"], **options)
        self.addCleanup(lambda context=self.context_: self.quietly(context.close))
        page = self.context_.pages[0]
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        return page

    def quietly(self, work):
        with contextlib.suppress(Exception):
            work()

    def kill(self):
        """Ends the browser as a flat battery does."""
        own = str(self.profile).encode()
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if own in (folder / "cmdline").read_bytes():
                    os.kill(int(folder.name), signal.SIGKILL)
        self.quietly(self.context_.close)
        for lock in self.profile.glob("Singleton*"):
            lock.unlink()

    def again(self, **options):
        """Killed and started anew, without a connection."""
        self.kill()
        page = self.tablet(**options)
        self.context_.set_offline(True)
        page.goto(f"{self.address}/app")
        self.view(page, "SIGN_IN")
        return page

    def prepared(self, *people):
        """A tablet that people have signed in at, who then sign out; from then on there is no connection."""
        page = self.tablet()
        page.goto(self.assent.accounts("add-device", "Ward 3").split()[-1])
        self.view(page, "SIGN_IN")
        for name, passcode, role in people:
            self.join(page, name, passcode)
            if role:
                self.admin("GrantRole", personId=self.person(name), role=role)
            self.sign_in(page, passcode)
            page.locator(".pane[data-prepared]").wait_for()
            page.get_by_role("button", name="Switch Person").click()
            self.view(page, "SIGN_IN")
        page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
        self.context_.set_offline(True)
        page.reload()
        self.view(page, "SIGN_IN")
        return page

    def choose(self, page, name, passcode, said="There is no connection."):
        """Signs in without a connection."""
        self.act(page, "SWITCH")
        self.view(page, "SWITCH")
        page.locator("assent-accounts [part=item]", has_text=name).click()
        self.view(page, "SIGN_IN")
        page.locator("assent-accounts [part=person]", has_text=name).wait_for()
        page.fill("assent-accounts #passcode", passcode)
        self.act(page, "SIGN_IN")
        page.get_by_text(said).wait_for()

    def go_on(self, page):
        page.get_by_role("button", name="Continue").click()

    def assert_sealed(self, page):
        """Nothing can be read in what the browser keeps, neither by a script without a passcode nor on the disk."""
        kept = page.evaluate("""() => new Promise((resolve) => {
          const opened = indexedDB.open("assent-offline")
          opened.onsuccess = async () => {
            const all = (part) => new Promise((done) => {
              const asked = opened.result.transaction(part).objectStore(part).getAll()
              asked.onsuccess = () => done(asked.result)
            })
            const keys = Object.values((await all("keys"))[0]).map((key) => [key.type, key.extractable])
            const sealed = [...await all("sealed"), ...await all("queue")].map((each) => Object.keys(each).join())
            resolve({ keys, sealed: [...new Set(sealed)], people: (await all("people")).map(Object.keys) })
          }
        })""")
        self.assertEqual(kept["keys"], [["private", False], ["secret", False]])
        self.assertEqual(kept["sealed"], ["nonce,content"])
        for person in kept["people"]:
            self.assertEqual(sorted(person), sorted(
                ["verifier", "sealedKey", "autoLockMs", "failures", "waitUntil", "latest"]))
        for folder in self.profile.rglob("IndexedDB"):
            for file in (each for each in folder.rglob("*") if each.is_file()):
                content = file.read_bytes()
                for secret in SECRETS:
                    wide = secret.decode().encode("utf-16-le")
                    self.assertFalse(secret in content or wide in content, f"{secret} in {file}")

    def records(self, person_id):
        return self.assent.call("RecordService/GetSubjectHistory", {"subjectId": person_id}).get("records", [])

    def sign_in_at(self, page, name, passcode):
        self.act(page, "SWITCH")
        self.view(page, "SWITCH")
        page.locator("assent-accounts [part=item]", has_text=name).click()
        self.view(page, "SIGN_IN")
        self.sign_in(page, passcode)

    def to_signature(self, page):
        """Begins the flow, agrees, and signs to the last but one act."""
        page.locator("li", has_text="loan-flow").get_by_role("button", name="For Me").click()
        session = page.locator("assent-session")
        self.at(page, "review")
        self.press(session, "AGREE")
        session.get_by_role("alertdialog").locator("[data-action=ACTION_KIND_CONFIRM]").click()
        self.at(page, "signature")
        self.draw_and_save(page, session)
        return session
