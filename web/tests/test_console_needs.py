"""What needs somebody is found at home by an index, and a second person answers there."""

import unittest

import installation
import studies
from test_console import Console

# No font has this letter, so no file is made of the document.
ODD = studies.document(
    "odd", "Odd Letters \U0001b170", [("What we do", "<p>We look at letters.</p>")],
    [studies.signature(requiresName=True, requiresImage=True)], [studies.purpose("odd", "Looking at letters")],
    settings={"withoutScrollGate": True})


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class ConsoleNeedsTest(Console):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        studies.install(cls.assent)
        view, cls.subject = cls.assent.begin("heart-alone")
        cls.record = cls.assent.agree(view, genes="YES", letters="NO")["recordIds"][0]

    def test_a_copy_that_cannot_be_made_is_found_at_home(self):
        self.assent.document("choices", ODD)
        self.assent.flow(studies.flow("odd-alone", studies.review("odd")))
        record = self.assent.agree(self.assent.start("odd-alone"))["recordIds"][0]
        page = self.enter("Keeper", "coordinator@choices")
        # The page hears of it by itself.
        row = page.locator("main li", has_text="1 signed copy could not be made")
        row.wait_for()
        self.assert_accessible(page, "a failed copy at home")
        row.get_by_role("link").click()
        page.get_by_text("The signed copy could not be made:").wait_for()
        self.assertIn(record, page.evaluate("location.hash"))
        self.go(page, "records?study=choices", "Records")
        page.get_by_label("To look at").select_option("copy_failed")
        self.until(page, "location.hash.includes('concern=copy_failed')")
        self.until(page, "document.querySelectorAll('main tbody tr').length === 1")

    def say(self, page, button, label):
        """Answers with a reason."""
        self.click(page, f"{button}…")
        page.get_by_label("Reason").fill("It is another person’s.")
        self.send(page, label)

    def test_a_second_person_confirms_or_refuses_at_home_what_is_said_to_be_in_error(self):
        first = self.enter("First", "coordinator@choices")
        second = self.enter("Second", "investigator@choices")
        for answer in ("Refuse", "Confirm"):
            self.go(first, f"record/{self.record}?study=choices", "heart")
            self.say(first, "Entered in Error", "Entered in Error")
            first.get_by_text("A second person has to say the same").wait_for()
            self.assertEqual(first.locator("main").get_by_role("button", name="Confirm…").count(), 0)
            self.go(first, "home?study=choices")
            first.get_by_text("You said so. Somebody else has to confirm it.").wait_for()
            self.assertEqual(first.locator("main").get_by_role("button", name="Confirm…").count(), 0)
            first.locator("main").get_by_role("button", name="Take Back…").wait_for()
            self.go(second, "home?study=choices")
            second.get_by_text(f"The record of {self.subject} is said to be in error").wait_for()
            self.say(second, answer, answer)
            second.get_by_text(f"The record of {self.subject} is said to be in error").wait_for(state="detached")
        record = self.assent.call("RecordService/GetRecord", {"recordId": self.record})["record"]
        self.assertEqual(record["state"], "RECORD_STATE_VOIDED")
        kinds = [entry["kind"].removeprefix("ENTRY_KIND_") for entry in record["history"]]
        self.assertEqual(kinds[-4:], ["VOID_REQUESTED", "VOID_REFUSED", "VOID_REQUESTED", "VOIDED"])

    def test_a_new_study_says_its_next_step_to_whoever_may_take_it(self):
        self.assent.study("air", "Air")
        author = self.enter("Beginner", "admin@*", "publisher@air", "coordinator@air")
        reader = self.enter("Reader", "inspector@air")
        document = studies.document("breath", "Fresh Air", [("What we do", "<p>We breathe.</p>")],
                                    [studies.signature()], [studies.purpose("air", "Breathing")])

        def step(title, label, place):
            self.go(author, "documents?study=air", "Documents")
            self.go(author, "home?study=air")
            row = author.locator("main li", has_text=title)
            row.get_by_role("link", name=label).click()
            self.until(author, f"location.hash.startsWith({place!r})")

        step("The study has no document yet", "Write One", "#/documents")
        self.assent.call("DocumentService/ImportDocument", {"studyId": "air", "file": {"format": 1, **document}})
        step("“Fresh Air” is not published yet", "Publish", "#/document/breath")
        # What is not right yet is named as the forms name it.
        author.get_by_text("“Rights of the person, one a line” is empty").wait_for()
        author.get_by_text("Receipts · English").first.wait_for()
        self.assertEqual(author.get_by_text("texts[en]").count(), 0)
        self.click(author, "Publish…")
        self.send(author, "Publish")
        author.get_by_text("If you agree, you say yes to:").wait_for()
        step("The study has no flow yet", "Make a Flow", "#/document/breath")
        self.assent.flow({**studies.flow("fresh-air", studies.review("breath")), "studyId": "air"})
        step("Nobody is invited", "Invite Somebody", "#/invitations")
        self.go(reader, "home?study=air")
        reader.get_by_text("Nothing needs anybody").wait_for()
        self.assent.call("StudyService/CreateInvitation", {"invitation": {"flowId": "fresh-air"}})
        self.go(author, "home?study=air")
        author.get_by_text("Nothing needs anybody").wait_for()

    def test_devices_that_wait_and_findings_of_the_check_are_told_to_administrators(self):
        def answer(path, content):
            for page in (keeper, helper):
                page.route(f"**/{path}", lambda route: route.fulfill(json=content))

        keeper, helper = self.enter("Keeper of All", "admin@*"), self.enter("Helper", "coordinator@choices")
        answer("*AccountAdminService/ListDevices", {"devices": [{
            "deviceId": "ward-3", "name": "Ward 3", "waiting": [
                {"personId": "ada", "rule": "grant_expired", "step": "BLOCKED_STEP_SIGN_IN"},
                {"personId": "ben", "rule": "person_locked", "step": "BLOCKED_STEP_UNLOCK"}]}]})
        answer("*RecordService/GetConsentFindings", {"problems": ["records: the row 'r-1' was altered"]})
        for page in (keeper, helper):
            self.go(page, "documents?study=choices")
            self.go(page, "home?study=choices")
        row = keeper.locator("main li", has_text="Work waits on 1 device")
        row.get_by_text("Ward 3: ada has to sign in there; ben is locked: let them in again").wait_for()
        self.assert_accessible(keeper, "what the installation needs, at home")
        row.get_by_role("link").click()
        keeper.locator("main .chip", has_text="ada has to sign in there").wait_for()
        self.go(keeper, "home?study=choices")
        keeper.locator("main li", has_text="The check of the data found problems").get_by_role("link").click()
        keeper.get_by_text("the row 'r-1' was altered").wait_for()
        self.assert_accessible(keeper, "findings of the check")
        self.assertEqual(helper.get_by_text("Work waits on").count(), 0)
        self.assertEqual(helper.get_by_text("The check of the data").count(), 0)

    def test_a_service_that_does_not_answer_is_named_and_is_not_called_well(self):
        keeper = self.enter("Keeper of Silence", "admin@*", allowed=("status of 503",))
        keeper.route("**/*SignatureService/GetSignatureFindings", lambda route: route.fulfill(
            status=503, json={"code": "unavailable", "message": "nobody is there"}))
        self.go(keeper, "home?study=choices")
        row = keeper.locator("main li", has_text="SignatureService did not answer")
        row.get_by_role("link").click()
        keeper.get_by_text("SignatureService did not answer").wait_for()
        self.assertEqual(keeper.get_by_text("The check has found nothing").count(), 0)


if __name__ == "__main__":
    unittest.main()
