"""A whole consent by an invitation's link, at the real gateway: its pages, its policy, its cookie, its streams."""

import unittest

import installation
import studies
from walking import PHONE, Walking


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class LinkWalkTest(Walking):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.assent = installation.Installation()
        cls.addClassCleanup(cls.assent.stop)
        studies.install(cls.assent)
        cls.address = f"http://127.0.0.1:{cls.assent.port}"

    def invite(self, flow):
        return self.assent.call("StudyService/CreateInvitation", {"invitation": {"flowId": flow}})["invitation"]["link"]

    def visit(self, link, allowed=("status of 4",), **options):
        """The page behind a link, in a browser of its own."""
        page = self.open(link.lstrip("/"), allowed=allowed, reduced_motion="reduce", viewport=PHONE, **options)
        return page, page.locator("assent-session")

    def test_a_person_opens_a_link_chooses_agrees_signs_and_keeps_the_copy(self):
        page, session = self.visit(self.invite("heart-alone"), has_touch=True)
        self.at(page, "review")
        self.assertNotIn("#", page.url)
        session.locator(".end").scroll_into_view_if_needed()
        self.at(page, "review", "+read")
        for question, answer in (("May we read your genes?", "Yes"), ("May we write to you?", "No")):
            session.get_by_role("group", name=question).get_by_text(answer, exact=True).tap()
        self.press(session, "AGREE")
        session.get_by_role("alertdialog").get_by_role("button", name="Agree", exact=True).tap()
        self.at(page, "name")
        for label, name in (("First name", "Amara"), ("Last name", "Okafor")):
            session.get_by_label(label).fill(name)
        self.press(session, "ENTER_NAME")
        self.at(page, "signature")
        session.get_by_role("button", name="Tap to Sign").tap()
        # Answered once the ink is with the server.
        with page.expect_response("**/AppendStrokes"):
            self.draw(page, session)
        # Reloaded in the middle of it: the cookie goes on.
        page.reload()
        session.get_by_role("button", name="Clear").wait_for()
        session.get_by_role("button", name="Save", exact=True).tap()
        session.get_by_role("button", name="Re-enter Signature").wait_for()
        self.press(session, "SIGN")
        self.at(page, "completion")
        with page.expect_download() as download:
            session.locator("[part=copy] [part=save]").click()
        self.assertEqual(download.value.path().read_bytes()[:5], b"%PDF-")
        self.press(session, "DONE")
        self.at(page, "plain", "!closed")
        self.assert_accessible(page, "end")

    def test_a_second_browser_takes_over_and_the_first_says_so(self):
        link = self.invite("choosing")
        first, session = self.visit(link)
        self.at(first, "review")
        second, other = self.visit(link)
        self.at(second, "review")
        self.press(session, "DISAGREE")
        first.get_by_role("heading", name="Continued elsewhere").wait_for()
        self.press(other, "DISAGREE")
        self.at(second, "review", "house")


if __name__ == "__main__":
    unittest.main()
