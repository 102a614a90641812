"""Where somebody hesitated who saw the console for the first time, and what they find there now."""

import unittest

import installation
import studies
from test_console import Console


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class ConsoleNewcomerTest(Console):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        studies.install(cls.assent)
        cls.assent.call("StudyService/CreateSite", {"site": {"studyId": "choices", "siteId": "north", "name": "North"}})

    def test_identifiers_are_proposed_from_names_and_can_be_others(self):
        page = self.enter("Founder", "admin@*")
        self.go(page, "studies", "Studies")
        self.click(page, "Create a Study")
        dialog = page.locator("dialog[open]")
        name, identifier = (dialog.get_by_label(label, exact=True) for label in ("Name", "Identifier"))
        name.fill("Gehstörung & Gang, 2. Teil")
        self.assertEqual(identifier.input_value(), "gehstorung-gang-2-teil")
        name.fill("歩行")
        self.assertEqual(identifier.input_value(), "")
        identifier.fill("gait-7")
        name.fill("Gait")
        self.assertEqual(identifier.input_value(), "gait-7")
        self.send(page, "Create a Study")
        page.locator("main h1", has_text="Gait").wait_for()
        self.assertIn("#/study/gait-7", page.url)
        # Whoever may not take the dossier along reads who may.
        page.get_by_text("Whoever has the role “Inspector” finds the study’s dossier").wait_for()

    def test_the_focus_stays_where_a_dialog_was_asked_for(self):
        page = self.enter("Keys alone", "coordinator@choices")
        self.go(page, "invitations?study=choices", "Invitations")
        page.get_by_role("button", name="Invite Somebody").first.focus()
        page.keyboard.press("Enter")
        page.locator("dialog[open]").get_by_label("Identifier of the person").fill("F-1")
        page.keyboard.press("Enter")
        page.locator("dialog .qr").wait_for()
        page.keyboard.press("Enter")
        page.locator("dialog[open]").wait_for(state="detached")
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "Invite Somebody")
        # What was pressed is not there any more: the title has the focus.
        self.click(page, "Sheet of QR Codes")
        page.locator("main h1", has_text="Sheet of QR Codes").wait_for()
        self.assertEqual(page.evaluate("document.activeElement.tagName"), "H1")

    def test_a_list_names_sites_as_they_are_called(self):
        page = self.enter("Lister", "coordinator@choices")
        self.go(page, "invitations?study=choices", "Invitations")
        self.click(page, "Invite from a List…")
        dialog = page.locator("dialog[open]")
        area = dialog.get_by_label("The list, as CSV")
        area.fill("L-1,North\nL-2,North\n")
        self.click(page, "Invite All", "dialog[open]")
        dialog.get_by_text("The first line has to name the columns: person,site,birth_date").wait_for()
        area.fill("person,site\nL-1,North\nL-2,north\nL-3,Nowhere\n")
        self.click(page, "Invite All", "dialog[open]")
        dialog.get_by_text("Invited: 2").wait_for()
        dialog.get_by_text("L-3: there is no site 'Nowhere'").wait_for()
        invited = {each.get("subjectId"): each.get("siteId") for each in self.assent.call(
            "StudyService/ListInvitations", {"studyId": "choices", "pageSize": 100})["invitations"]}
        self.assertEqual((invited["L-1"], invited["L-2"]), ("north", "north"))
        self.click(page, "Done", "dialog[open]")
        page.get_by_role("row", name="L-1").get_by_text("North").wait_for()

    def test_a_draft_says_what_is_asked_and_who_approves_sees_the_rest_come(self):
        self.assent.study("two", "Two Persons")
        self.assent.call("StudyService/UpdateStudy", {"study": {
            "studyId": "two", "name": "Two Persons", "secondPerson": True}})
        author = self.enter("Author", "publisher@two")
        document = studies.document(
            "walks", "Walks", [("What", "<p>We watch you walk.</p>")], [studies.signature(requiresName=True)],
            [studies.purpose("walks", "Watching me walk"),
             studies.purpose("kept", "May we keep the film?", optional=True)])
        self.assent.call("DocumentService/CreateDocument", {
            "studyId": "two", "documentId": "walks", "name": "Walks", "content": document["content"]})
        self.go(author, "document/walks?study=two", "Walks")
        for words in ("Watching me walk", "May we keep the film? (optional)",
                      "Participant: I agree to what stands in this document."):
            author.get_by_text(words, exact=True).first.wait_for()
        self.assertEqual(author.get_by_text("Published by").count(), 0)
        self.click(author, "Publish…")
        self.send(author, "Publish")
        author.get_by_text("You asked for this to be published").wait_for()
        second = self.enter("Second", "publisher@two")
        second.get_by_role("link", name="Review").click()
        self.click(second, "Approve…")
        self.send(second, "Approve")
        # Nobody loads a page again.
        author.locator("main .chip", has_text="Published").wait_for()
        author.get_by_text("Approved by").wait_for()

    def test_without_a_flow_the_way_to_one_is_where_one_invites(self):
        self.assent.study("new", "New")
        document = studies.document(
            "only", "Only", [("What", "<p>We ask.</p>")], [studies.signature()], [studies.purpose("only", "Asking")])
        self.assent.document("new", document)
        page = self.enter("Beginner", "publisher@new", "coordinator@new")
        self.go(page, "invitations?study=new", "Invitations")
        page.get_by_text("First people need a way on which they are asked").wait_for()
        self.click(page, "Make a Flow")
        page.locator("dialog[open]").get_by_label("Whom people may ask").fill("Amina Yusuf, +49 30 555 0100")
        self.send(page, "Make a Flow")
        self.click(page, "Publish: Only")
        page.get_by_role("button", name="Publish: Only").wait_for(state="detached")

    def test_an_error_is_said_on_the_page_of_the_person_and_heard_by_the_second(self):
        view, subject = self.assent.begin("heart-alone")
        self.assent.agree(view, genes="YES", letters="NO")
        first = self.enter("First", "coordinator@choices")
        self.go(first, f"person/{subject}?study=choices", subject)
        self.click(first, "Entered in Error…")
        first.locator("dialog[open]").get_by_label("Reason").fill("Another person’s.")
        self.send(first, "Entered in Error")
        first.get_by_text("Said to be in error").wait_for()
        # Whoever has said so waits for the other.
        self.assertEqual(first.get_by_role("button", name="Entered in Error…").count(), 0)
        first.get_by_text("send them the address of this page").wait_for()
        # Purposes by what people were asked, and not by what programs call them.
        first.get_by_text("Keeping my samples: Yes", exact=False).wait_for()
        first.locator("main ol a").first.click()
        first.get_by_text("send them the address of this page").wait_for()

        second = self.enter("Second look", "coordinator@choices")
        self.go(second, first.url.split("#/")[1])
        second.get_by_text("says that this was entered in error: “Another person’s.”").wait_for()
        self.click(second, "Entered in Error…")
        dialog = second.locator("dialog[open]")
        dialog.get_by_text("Once you say the same, it counts as if it had never been given").wait_for()
        dialog.get_by_label("Reason").fill("So it is.")
        self.send(second, "Entered in Error")
        second.locator("main .chip", has_text="Entered in error").wait_for()
        self.go(second, f"person/{subject}?study=choices", subject)
        second.locator("main .chip", has_text="Entered in error").wait_for()
        self.assertEqual(second.get_by_text("undefined").count(), 0)


if __name__ == "__main__":
    unittest.main()
