"""The console, walked by staff against the real programs: from a new study to an exported record."""

import csv
import io
import json
import pathlib
import subprocess
import tempfile
import unittest

import installation
import studies
from walking import PHONE, Walking

DESK = {"width": 1280, "height": 800}
DOCUMENT = studies.document(
    "gait", "Gait Study Consent",
    [("What we do", "<p>We measure how you walk, every Sunday, for a year.</p>"),
     ("Leaving", "<p>You may leave at any time, and nobody will ask you why.</p>")],
    [studies.signature(requiresName=True),
     studies.signature("investigator", "INVESTIGATOR", 2, "Investigator", requiresName=True)],
    [studies.purpose("gait", "Measuring how I walk")],
    settings={"withoutScrollGate": True, "inForceFrom": "IN_FORCE_FROM_LAST_SIGNATURE"})


class Console(Walking):
    """Staff in browsers of their own."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.assent = installation.Installation(accounts=True)
        cls.addClassCleanup(cls.assent.stop)
        cls.address = f"http://127.0.0.1:{cls.assent.port}"

    def enter(self, name, *grants, **options):
        """Somebody who has registered a browser, and is signed in at the console."""
        code, passcode = self.assent.staff(name, *grants)
        options.setdefault("viewport", DESK)
        options.setdefault("allowed", ("status of 4",))
        page = self.open(f"console#{code}", reduced_motion="reduce", **options)
        page.locator("[name=passcode]").fill(passcode)
        page.locator(".enter form button:not([type])").click()
        page.locator(".app main h1").wait_for()
        return page

    def go(self, page, place, title=None):
        """Goes to an address, and waits until its page stands."""
        page.evaluate("hash => { location.hash = hash }", f"#/{place}")
        page.locator("main h1", has_text=title).first.wait_for() if title else page.wait_for_timeout(800)

    def click(self, page, name, within="main"):
        page.locator(within).get_by_role("button", name=name, exact=True).first.click()

    def send(self, page, name):
        """Presses the button of the dialog, which closes when the call has ended well."""
        self.click(page, name, "dialog[open]")
        page.locator("dialog[open]").wait_for(state="detached")


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class ConsoleWalkTest(Console):
    def test_from_a_new_study_to_an_exported_record(self):
        author = self.enter("Nadia Berger", "admin@*", "publisher@*", "coordinator@*")
        self.click(author, "Create a Study") if author.get_by_role("button", name="Create a Study").count() else (
            self.go(author, "studies", "Studies"), self.click(author, "Create a Study"))
        author.get_by_label("Name").fill("Gait")
        author.get_by_label("Identifier").fill("gait-study")
        self.send(author, "Create a Study")
        author.locator("main h1", has_text="Gait").wait_for()

        # The document: a file, published by two. By the mouse: an address that is set opens pages whatever links do.
        author.get_by_role("navigation").get_by_role("link", name="Documents").click()
        author.locator("main h1", has_text="Documents").wait_for()
        author.get_by_text("There is no document yet").wait_for()
        self.click(author, "Import")
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"format": 1, **DOCUMENT}, file)
            file.flush()
            author.get_by_label("File").set_input_files(file.name)
            self.send(author, "Import")
        author.locator("main h1", has_text="Gait Study Consent").wait_for()
        author.get_by_text("every Sunday").wait_for()
        self.click(author, "Publish…")
        self.send(author, "Publish")
        author.get_by_text("You asked for this to be published").wait_for()
        self.assertTrue(author.get_by_role("button", name="Approve…").is_disabled())
        second = self.enter("Luc Moreau", "publisher@gait-study", "coordinator@gait-study")
        second.get_by_text("Gait Study Consent awaits a second person").wait_for()
        second.get_by_role("link", name="Review").click()
        self.click(second, "Approve…")
        self.send(second, "Approve")
        second.get_by_text("Approved by").wait_for()

        # The flow, and an invitation.
        self.click(second, "Make a Flow")
        second.get_by_label("Whom people may ask").fill("Amina Yusuf, +49 30 555 0100")
        self.send(second, "Make a Flow")
        self.click(second, "Publish: Gait Study Consent")
        second.locator("main .chip", has_text="Awaits approval").wait_for()
        self.go(author, "documents?study=gait-study", "Documents")
        self.click(author, "Approve: Gait Study Consent")
        author.get_by_role("button", name="Approve: Gait Study Consent").wait_for(state="detached")
        self.go(author, "invitations?study=gait-study", "Invitations")
        self.click(author, "Invite Somebody")
        author.get_by_label("Identifier of the person").fill("W-0417")
        self.click(author, "Invite Somebody", "dialog[open]")
        link = author.locator("dialog[open] pre").inner_text()
        self.assertEqual(self.read(author.locator("dialog[open] .qr")), link)
        self.click(author, "Done", "dialog[open]")

        self.participate(link)

        # The investigator countersigns.
        doctor = self.enter("Meera Raman", "investigator@gait-study")
        doctor.get_by_text("1 consent waits for your signature").wait_for()
        doctor.get_by_role("link", name="Sign", exact=False).first.click()
        doctor.get_by_label("First name").fill("Meera")
        doctor.get_by_label("Last name").fill("Raman")
        doctor.get_by_role("button", name="Tap to Sign").click()
        box = doctor.locator("assent-signature .area").bounding_box()
        doctor.mouse.move(box["x"] + 30, box["y"] + 70)
        doctor.mouse.down()
        for step in range(24):
            doctor.mouse.move(box["x"] + 30 + step * 8, box["y"] + (60 if step % 2 else 100))
        doctor.mouse.up()
        doctor.get_by_role("button", name="Save", exact=True).click()
        doctor.get_by_role("button", name="Re-enter Signature").wait_for()
        self.click(doctor, "Sign")
        doctor.locator("main").get_by_text("In force", exact=True).first.wait_for()

        # The record is found and exported.
        self.go(author, "records?study=gait-study&state=in_force", "Records")
        author.get_by_role("link", name="W-0417").wait_for()
        author.locator("summary", has_text="Export").click()
        with author.expect_download() as download:
            self.click(author, "Records as CSV")
        rows = list(csv.DictReader(io.StringIO(download.value.path().read_text())))
        self.assertEqual([row["subject_id"] for row in rows], ["W-0417"])
        author.keyboard.press("Control+k")
        author.get_by_label("Find anything").last.fill("W-0417")
        author.keyboard.press("Enter")
        author.locator("main h1", has_text="W-0417").wait_for()
        with author.expect_download() as download:
            self.click(author, "Evidence")
        self.assertIn(b"W-0417", download.value.path().read_bytes())

    def participate(self, link):
        """The participant reads, agrees and signs on a phone."""
        page = self.open(link.removeprefix(self.address + "/"), allowed=("status of 4",), viewport=PHONE,
                         reduced_motion="reduce")
        session = page.locator("assent-session")
        self.at(page, "review")
        self.press(session, "AGREE")
        session.get_by_role("alertdialog").get_by_role("button", name="Agree", exact=True).click()
        self.at(page, "name")
        for label, name in (("First name", "Amara"), ("Last name", "Okafor")):
            session.get_by_label(label).fill(name)
        self.press(session, "ENTER_NAME")
        self.until(page, "(document.querySelector('assent-session').view?.screen?.id ?? '') !== 'review+name'")
        page.wait_for_timeout(500)
        if session.locator("[data-action=ACTION_KIND_SIGN]").count():
            self.press(session, "SIGN")
        self.at(page, "completion")
        page.context.close()

    def read(self, code):
        """What another program reads from a code."""
        with tempfile.TemporaryDirectory() as folder:
            picture = pathlib.Path(folder, "code.png")
            code.screenshot(path=picture)
            return subprocess.run(["zbarimg", "-q", "--raw", picture], capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    unittest.main()
