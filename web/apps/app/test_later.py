"""What needs a connection at a shared tablet that has none: it is said beforehand, and all else is done and kept."""

import re
import unittest

import installation
from cut_off import CutOff
from sharing import ACCOUNT, loan
from studies import FRESH, flow, review
from walking import PHONE

ONLY_THE_SERVER = "asks for a passcode once more, and only the server can check that"


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class LaterTest(CutOff):
    loan = loan(requiresReauthentication=True)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        key = cls.assent.call("SignInService/GetTokenKeys", {}, package=ACCOUNT)["verifierKey"]
        cls.assent.call("StudyService/UpdateStudy", {"study": {
            "studyId": "choices", "name": "Choices", "verifiers": [{"verifierId": "account", "publicKey": key}]}})
        cls.assent.document("choices", FRESH)
        cls.assent.flow(flow("fresh-flow", review("fresh")))

    def agreed(self, page, flow):
        """Begins a flow, and agrees."""
        page.locator("li", has_text=flow).get_by_role("button").first.click()
        session = page.locator("assent-session")
        self.at(page, "review")
        self.press(session, "AGREE")
        session.get_by_role("alertdialog").locator("[data-action=ACTION_KIND_CONFIRM]").click()
        return session

    def test_a_fresh_passcode_waits_for_a_connection_and_what_was_done_before_it_is_kept(self):
        page = self.prepared(("Amara Okafor", "lighthouse 42", None))
        self.choose(page, "Amara Okafor", "lighthouse 42")
        page.locator("li", has_text="fresh-flow").get_by_text("A signature in it needs a connection.").wait_for()
        self.assertEqual(page.locator("li", has_text="loan-flow").get_by_text("needs a connection").count(), 0)
        page.get_by_text("Without a connection, people begin for themselves only").wait_for()
        self.agreed(page, "fresh-flow")
        page.get_by_role("heading", name="The signature needs a connection").wait_for()
        self.assertEqual(self.focused(page)[0], "H1")
        page.get_by_text("Saved on this device. It is sent once there is a connection.").wait_for()
        page.get_by_text("press “Continue” under “Not Finished”").wait_for()
        self.assert_accessible(page, "a signature that needs a connection")
        # The flat battery changes nothing: what was done is in the queue.
        page = self.again(viewport=PHONE)
        self.choose(page, "Amara Okafor", "lighthouse 42")
        page.locator("li", has_text="fresh-flow").get_by_text(ONLY_THE_SERVER).wait_for()
        page.get_by_text("1 saved here, not sent yet").wait_for()
        self.assert_accessible(page, "waits for a connection")
        self.assert_sealed(page)
        page.get_by_role("button", name="Switch Person").click()
        self.view(page, "SIGN_IN")
        self.context_.set_offline(False)
        self.sign_in(page, "lighthouse 42")
        self.go_on(page)
        session = page.locator("assent-session")
        self.at(page, "signature")
        self.press(session, "SIGN")
        page.fill("#proof", "lighthouse 42")
        page.keyboard.press("Enter")
        self.at(page, "completion")
        page.get_by_role("button", name="Back", exact=True).last.click()
        page.get_by_text("In force").wait_for()
        self.assertEqual(page.get_by_role("heading", name="Not Finished").count(), 0)
        records = self.records(self.person("Amara Okafor"))
        self.assertEqual([(each["state"], len(each["signatures"])) for each in records],
                         [("RECORD_STATE_IN_FORCE", 1)])
        self.assertTrue(records[0]["signatures"][0].get("authentication"))

    def test_a_countersignature_with_a_fresh_passcode_says_that_it_needs_a_connection(self):
        page = self.prepared(
            ("Tomas Berg", "walk walk 7", None), ("Ines Moreau", "winter coat 9", "investigator@choices"))
        self.choose(page, "Tomas Berg", "walk walk 7")
        session = self.agreed(page, "loan-flow")
        self.at(page, "signature")
        self.draw_and_save(page, session)
        self.press(session, "SIGN")
        self.at(page, "completion")
        session.locator("[part=close]").click()
        page.get_by_role("button", name="Switch Person").click()
        self.view(page, "SIGN_IN")
        self.choose(page, "Ines Moreau", "winter coat 9")
        page.locator("li", has_text="I agree to what stands in this document.").get_by_text(ONLY_THE_SERVER).wait_for()
        self.assertEqual(page.get_by_role("button", name="Sign", exact=True).count(), 0)
        self.assert_accessible(page, "a countersignature that needs a connection")

    def test_it_is_said_in_every_language(self):
        words = (installation.ROOT / "web/apps/app/away-words.ts").read_text()
        page = self.prepared(("Leila Haddad", "walk walk 2", None))
        for tag in ("de", "fr", "es", "ar", "zh", "ja"):
            with self.subTest(tag):
                own = words[words.index(f"\n  {tag}: {{"):]
                signs_later, only_own, title = (
                    "".join(re.findall(r'"(.*?)"', re.search(rf"\b{name}:(.*?),\n", own, re.DOTALL)[1]))
                    for name in ("signsLater", "onlyOwn", "laterTitle"))
                page = self.again(locale=tag, viewport=PHONE)
                page.fill("assent-accounts #passcode", "walk walk 2")
                self.act(page, "SIGN_IN")
                page.get_by_text(only_own).wait_for()
                page.locator("li", has_text="fresh-flow").get_by_text(signs_later).wait_for()
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), PHONE["width"])
        self.agreed(page, "fresh-flow")
        page.get_by_role("heading", name=title).wait_for()

    def test_what_was_left_with_a_connection_goes_on(self):
        page = self.tablet()
        page.goto(self.assent.accounts("add-device", "Ward 3").split()[-1])
        self.view(page, "SIGN_IN")
        self.join(page, "Priya Shastri", "walk walk 5")
        self.sign_in(page, "walk walk 5")
        session = self.agreed(page, "loan-flow")
        self.at(page, "signature")
        page.reload()
        self.go_on(page)
        self.at(page, "signature")
        self.draw_and_save(page, session)
        self.press(session, "SIGN")
        self.at(page, "completion")


if __name__ == "__main__":
    unittest.main()
