"""Somebody signs on a phone for a computer: two browsers, at the real gateway."""

import shutil
import subprocess
import tempfile
import unittest

import installation
import studies
from walking import PHONE, Walking

# Streams that can be cut: a browser's driver takes the network away from new requests alone.
CUT = """
const fetchAll = window.fetch
window.fetch = (input, init) => {
  if (!String(input).endsWith("/WatchField")) return fetchAll(input, init)
  if (window.isCut) return Promise.reject(new TypeError("cut"))
  const end = new AbortController()
  window.cut = () => { window.isCut = true; end.abort(new TypeError("cut")) }
  init.signal?.addEventListener("abort", () => end.abort())
  return fetchAll(input, { ...init, signal: end.signal })
}"""


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class PhoneTest(Walking):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.assent = installation.Installation()
        cls.addClassCleanup(cls.assent.stop)
        studies.install(cls.assent)
        cls.address = f"http://127.0.0.1:{cls.assent.port}"

    def computer(self, script=None):
        """A page at the signature of a session, whose cell waits to be drawn in."""
        made = self.assent.call("StudyService/CreateInvitation", {"invitation": {"flowId": "heart-alone"}})
        page = self.open(
            made["invitation"]["link"].lstrip("/"), allowed=("status of 4", "Canvas2D"), script=script,
            reduced_motion="reduce", viewport={"width": 1100, "height": 900},
            permissions=["clipboard-read", "clipboard-write"])
        session = page.locator("assent-session")
        self.at(page, "review")
        session.locator(".end").scroll_into_view_if_needed()
        self.at(page, "review", "+read")
        for question, answer in (("May we read your genes?", "Yes"), ("May we write to you?", "No")):
            session.get_by_role("group", name=question).get_by_text(answer, exact=True).click()
        self.press(session, "AGREE")
        session.get_by_role("alertdialog").get_by_role("button", name="Agree", exact=True).click()
        self.at(page, "name")
        for label, name in (("First name", "Amara"), ("Last name", "Okafor")):
            session.get_by_label(label).fill(name)
        self.press(session, "ENTER_NAME")
        self.at(page, "signature")
        session.get_by_role("button", name="Tap to Sign").click()
        return page, session

    def asked(self, page, session):
        """The link that the computer shows as a code, once the code is there."""
        session.get_by_role("button", name="Sign on your phone").click()
        session.locator(".qr").wait_for()
        session.get_by_role("button", name="Copy the link instead").click()
        session.get_by_role("button", name="The link was copied").wait_for()
        return page.evaluate("navigator.clipboard.readText()")

    def phone(self, link):
        page = self.open(
            link.removeprefix(f"{self.address}/"), allowed=("status of 4", "net::ERR"), viewport=PHONE, has_touch=True)
        return page, page.locator("assent-signature")

    def stroke(self, page, cell, down=True, up=True, top=40):
        box = cell.locator(".area").bounding_box()
        if down:
            page.mouse.move(box["x"] + 30, box["y"] + top)
            page.mouse.down()
        for step in range(16):
            page.mouse.move(box["x"] + 30 + step * 12, box["y"] + (top if step % 2 else top + 30))
        if up:
            page.mouse.up()

    def dark(self, session):
        """How many pixels of the computer's picture of the phone's ink are dark."""
        return session.locator("[part=drawn] canvas").first.evaluate(
            """(canvas) => {
              const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
              return data.filter((_, at) => at % 4 === 3).reduce((sum, alpha) => sum + (alpha > 127), 0)
            }""")

    def grows(self, session, than):
        for _ in range(200):
            if self.dark(session) > than:
                return self.dark(session)
            session.page.wait_for_timeout(50)
        self.fail("the ink never came")

    def test_the_stroke_appears_at_the_computer_while_it_is_drawn_and_is_saved_there(self):
        page, session = self.computer()
        link = self.asked(page, session)
        self.assertTrue(link.startswith(f"{self.address}/sign#"))
        if shutil.which("zbarimg"):
            with tempfile.NamedTemporaryFile(suffix=".png") as picture:
                session.locator(".qr").screenshot(path=picture.name)
                read = subprocess.run(["zbarimg", "-q", "--raw", picture.name], capture_output=True, text=True)
                self.assertEqual(read.stdout.strip(), link)
        self.assert_accessible(page, "the code")
        phone, cell = self.phone(link)
        cell.get_by_text("Signature of Amara Okafor").first.wait_for()
        cell.get_by_text("Heart Samples").first.wait_for()
        self.assertNotIn("#", phone.url)
        self.assertEqual(cell.get_by_role("button", name="Type instead").count(), 0)
        session.get_by_text("Your phone is connected.").first.wait_for()
        self.assert_accessible(phone, "the phone")
        # Before the pen is lifted.
        self.stroke(phone, cell, up=False)
        half = self.grows(session, 0)
        self.stroke(phone, cell, down=False, top=70)
        self.grows(session, half)
        self.assert_accessible(page, "the ink")
        cell.get_by_role("button", name="Done").click()
        phone.get_by_text("Done. Go on at the computer").wait_for()
        session.locator("[part=asking]").wait_for(state="detached")
        self.assertEqual(self.focused(page)[1], "btn go")
        session.get_by_role("button", name="Save", exact=True).click()
        session.get_by_role("button", name="Re-enter Signature").wait_for()
        self.press(session, "SIGN")
        self.at(page, "completion")
        record = page.evaluate("document.querySelector('assent-session').view.recordIds[0]")
        signature = self.assent.call("RecordService/GetRecord", {"recordId": record})["record"]["signatures"][0]
        self.assertRegex(signature["origin"]["drawnOn"], r"^link:[0-9a-f]{16}/[0-9a-f]{16}$")
        # The link is of no more use, and neither is a reload of the phone.
        late, _ = self.phone(link)
        late.get_by_text("This has ended at the computer.").wait_for()
        phone.reload()
        phone.get_by_text("There is nothing behind this code.").wait_for()

    def test_a_second_phone_takes_over_and_both_screens_say_so(self):
        page, session = self.computer()
        link = self.asked(page, session)
        first, cell = self.phone(link)
        cell.get_by_role("button", name="Done").wait_for()
        self.stroke(first, cell)
        half = self.grows(session, 0)
        second, other = self.phone(link)
        first.get_by_text("You went on with another phone.").wait_for()
        session.get_by_text("Another phone has taken over.").first.wait_for()
        # What was drawn is there, and goes on.
        self.until(second, "document.querySelector('assent-signature')?.state === 'signed'")
        self.stroke(second, other, top=70)
        self.grows(session, half)
        first.get_by_role("button", name="Go on here").click()
        second.get_by_text("You went on with another phone.").wait_for()

    def test_the_computer_ends_it_and_keeps_what_was_drawn(self):
        page, session = self.computer()
        phone, cell = self.phone(self.asked(page, session))
        cell.get_by_role("button", name="Done").wait_for()
        self.stroke(phone, cell)
        self.grows(session, 0)
        session.locator("[part=asking]").get_by_role("button", name="Cancel").click()
        phone.get_by_text("This has ended at the computer.").wait_for()
        session.get_by_role("button", name="Clear").wait_for()
        # The keyboard goes on at the computer, with ink of both.
        self.draw(page, session)
        session.get_by_role("button", name="Save", exact=True).click()
        session.get_by_role("button", name="Re-enter Signature").wait_for()

    def test_the_phone_is_closed_in_mid_stroke_and_opened_again(self):
        page, session = self.computer()
        link = self.asked(page, session)
        phone, cell = self.phone(link)
        cell.get_by_role("button", name="Done").wait_for()
        self.stroke(phone, cell, up=False)
        half = self.grows(session, 0)
        phone.close()
        again, cell = self.phone(link)
        self.until(again, "document.querySelector('assent-signature')?.state === 'signed'")
        # Its reload is the same.
        again.reload()
        self.until(again, "document.querySelector('assent-signature')?.state === 'signed'")
        self.stroke(again, cell, top=70)
        self.grows(session, half)

    def test_the_phone_goes_on_without_a_connection(self):
        page, session = self.computer()
        phone, cell = self.phone(self.asked(page, session))
        cell.get_by_role("button", name="Done").wait_for()
        phone.context.set_offline(True)
        self.stroke(phone, cell)
        phone.get_by_text("No connection for now.").wait_for()
        self.assertEqual(self.dark(session), 0)
        phone.context.set_offline(False)
        self.grows(session, 0)
        cell.get_by_role("button", name="Done").click()
        phone.get_by_text("Done. Go on at the computer").wait_for()

    def test_the_computer_loses_the_connection_and_catches_up(self):
        page, session = self.computer(CUT)
        phone, cell = self.phone(self.asked(page, session))
        cell.get_by_role("button", name="Done").wait_for()
        session.get_by_text("Your phone is connected.").first.wait_for()
        page.evaluate("cut()")
        session.get_by_text("The server cannot be reached for now.").first.wait_for()
        self.stroke(phone, cell)
        phone.wait_for_timeout(500)
        page.evaluate("void (window.isCut = false)")
        self.grows(session, 0)

    def test_a_code_that_leads_nowhere_says_so_in_the_browsers_language(self):
        for link in ("sign", "sign#nonsense", "sign#bp1.AAAA"):
            page = self.open(link, allowed=("status of 4",), viewport=PHONE, locale="de-AT")
            page.get_by_text("Hinter diesem Code ist nichts.").wait_for()
            self.assertEqual(page.evaluate("document.documentElement.lang"), "de")


if __name__ == "__main__":
    unittest.main()
