"""Writing at the console, without a file: documents by forms, their sections, and how they look."""

import base64
import unittest

import installation
import studies
from test_console import Console
from walking import PHONE


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class ConsoleWritingTest(Console):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.assent.study("garden", "Garden")

    def stored(self, page, document="herbs", version=1):
        page.get_by_text("Draft saved").wait_for()
        return self.assent.call("DocumentService/GetDocument", {"documentId": document, "version": version})[
            "version"]["content"]

    def group(self, page, name):
        return page.get_by_role("group", name=name, exact=True)

    def test_a_document_is_written_by_forms_alone(self):
        page = self.enter("Author", "publisher@garden", "coordinator@garden")
        self.go(page, "documents?study=garden", "Documents")
        self.click(page, "New Document")
        page.get_by_label("Name").fill("Herbs")
        page.get_by_label("Identifier").fill("herbs")
        self.send(page, "New Document")
        page.locator("main h1", has_text="Herbs").first.wait_for()
        page.get_by_label("Title", exact=True).wait_for()

        # Two sections, moved by keys and by dragging.
        for kind in ("overview", "privacy", "only_in_document"):
            page.get_by_label("Kind of section").select_option(kind)
            self.click(page, "Add Section")
        cards = page.locator(".cards .sec")
        self.assertEqual(cards.count(), 3)
        page.get_by_label("Title in the document").fill("The small print")
        page.get_by_label("Text, with bold").fill("You may leave at any time.")
        page.get_by_label("Text, with bold").evaluate("field => field.setSelectionRange(8, 13)")
        self.click(page, "Bold")
        self.assertEqual(page.get_by_label("Text, with bold").input_value(), "You may **leave** at any time.")
        page.keyboard.press("Control+z")
        page.keyboard.press("Control+b")
        self.assertEqual(page.get_by_label("Text, with bold").input_value(), "You may **leave** at any time.")
        cards.nth(2).focus()
        page.keyboard.press("Alt+ArrowUp")
        self.until(page, "document.querySelectorAll('.cards .sec')[1].textContent.includes('small print')")
        self.assertTrue(page.evaluate("document.activeElement.textContent.includes('small print')"))
        cards.nth(1).drag_to(cards.nth(0))
        self.until(page, "document.querySelectorAll('.cards .sec')[0].textContent.includes('small print')")
        for at, (summary, text) in enumerate([
                ("Herbs grow.", "<p>About basil.</p>"), ("We keep names apart.", "<p>A code.</p>")]):
            cards.nth(at + 1).click()
            page.get_by_label("Summary", exact=False).fill(summary)
            page.get_by_label("The text is written as").select_option(label="Text, as HTML")
            page.get_by_label("Text, as HTML", exact=True).fill(text)
        content = self.stored(page)
        self.assertIn("<strong>leave</strong>", content["texts"][0]["sections"][0]["htmlContent"])
        sections = content["settings"]["sections"]
        self.assertEqual([each["id"] for each in sections], ["only_in_document", "overview", "privacy"])

        # The preview follows, and takes nobody's focus.
        page.locator("assent-session").get_by_text("We keep names apart.").first.wait_for()
        page.get_by_role("region", name="As a file").locator("img[alt*='A code.']").wait_for()
        self.assertEqual(page.evaluate("document.activeElement.tagName"), "TEXTAREA")

        # What a document asks for: each problem stands beside its field.
        self.click(page, "Purposes")
        self.click(page, "Add a Purpose")
        page.locator("assent-session").get_by_text("About basil.").first.wait_for()
        purpose = self.group(page, "Purpose 1")
        purpose.get_by_label("Name for programs").fill("herbs study")
        page.keyboard.press("Tab")
        purpose.locator(".err:not([hidden])").first.wait_for()
        purpose.get_by_label("Name for programs").fill("herbs-study")
        page.keyboard.press("Tab")
        purpose.get_by_label("What people call it", exact=False).fill("Growing herbs")
        purpose.get_by_label("Kinds of data", exact=False).fill("height\ncolour")
        self.click(page, "Add a Purpose")
        letters = self.group(page, "Purpose 2")
        letters.get_by_label("People are asked for it", exact=False).check()
        letters.get_by_label("What people call it", exact=False).fill("May we write to you?")
        self.assert_accessible(page, "purposes")
        content = self.stored(page)
        self.assertEqual(content["settings"]["purposes"],
                         [{"code": "herbs-study"}, {"code": "purpose", "optional": True}])
        self.assertEqual(content["texts"][0]["purposes"][0]["dataCategories"], ["height", "colour"])

        self.click(page, "Signatures")
        self.click(page, "Add a Signature")
        first = self.group(page, "Signature 1")
        first.get_by_label("How the signer is called").fill("Participant")
        first.get_by_label("What signing means").fill("I agree to take part.")
        # Both are what most mean by a signature.
        self.assertTrue(first.get_by_label("Asks for first and last name").is_checked())
        first.get_by_label("Asks for a signature by hand").uncheck()
        first.get_by_label("A typed signature is not enough").wait_for(state="detached")
        first.get_by_label("Asks for a signature by hand").check()
        first.get_by_label("A typed signature is not enough").wait_for()
        self.click(page, "Add a Signature")
        second = self.group(page, "Signature 2")
        second.get_by_label("Who signs").select_option(label="Investigator")
        second.get_by_label("How the signer is called").fill("Gardener")
        second.get_by_label("What signing means").fill("I explained it.")
        second.get_by_label("Turn").fill("2")
        second.get_by_role("button", name="Move Up: Signature 2").click()
        self.assertEqual(page.evaluate("document.activeElement.id.endsWith('-title') || "
                                       "document.activeElement.textContent"), "Move Down")
        self.group(page, "Signature 1").get_by_role("button", name="Move Down: Signature 1").click()

        self.click(page, "Questions")
        self.click(page, "Add a Question")
        question = self.group(page, "Question 1")
        question.get_by_label("The question").fill("May you leave?")
        for _ in range(2):
            question.get_by_role("button", name="Add a Choice").click()
        self.group(page, "Choice 1").get_by_label("What it says").fill("Yes, at any time")
        self.group(page, "Choice 1").get_by_label("This answer is right").check()
        self.group(page, "Choice 2").get_by_label("What it says").fill("No")
        page.get_by_label("Right answers that are needed").fill("1")
        self.assert_accessible(page, "questions")

        self.click(page, "Age")
        page.get_by_label("Age from which nobody else has to permit it").fill("18")
        page.get_by_text("no signature has the role of a guardian", exact=False).wait_for()
        page.get_by_label("Youngest age to take part").fill("18")
        page.locator(".panel .err:not([hidden])").wait_for(state="detached")
        self.click(page, "Receipts")
        page.get_by_label("Who answers for the data").fill("The Garden")
        self.stored(page)
        page.get_by_role("link", name="Versions and publishing").click()
        page.get_by_role("button", name="Publish…").wait_for()
        self.assertTrue(page.get_by_role("button", name="Publish…").is_enabled(), page.locator("main").inner_text())
        settings = self.stored_settings()
        self.assertEqual([each["role"] for each in settings["signatures"]],
                         ["SIGNER_ROLE_PARTICIPANT", "SIGNER_ROLE_INVESTIGATOR"])
        self.assertEqual(settings["comprehension"]["questions"][0]["choices"],
                         [{"id": "choice", "correct": True}, {"id": "choice_2"}])
        self.assertEqual(settings["age"], {"minimumAge": 18, "majorityAge": 18})

    def stored_settings(self):
        return self.assent.call("DocumentService/GetDocument", {"documentId": "herbs", "version": 1})[
            "version"]["content"]["settings"]

    def test_translations_stand_side_by_side_and_versions_are_compared_by_words(self):
        texts = {
            "en": ("Tea", "Water is boiled every day."), "de": ("Tee", "Wasser wird jeden Tag gekocht.")}
        self.assent.document("garden", {"documentId": "tea", "name": "Tea", "content": {
            "defaultLocale": "en", "settings": {
                "sections": [{"id": "only", "type": "SECTION_TYPE_ONLY_IN_DOCUMENT"}],
                "signatures": [{"id": "participant", "role": "SIGNER_ROLE_PARTICIPANT", "order": 1}],
                "purposes": [{"code": "tea-tasting"}]},
            "texts": [{
                "locale": locale, "title": title, "sections": [{"sectionId": "only", "htmlContent": f"<p>{text}</p>"}],
                "signatures": [{"signatureId": "participant", "title": title, "meaning": title}],
                "purposes": [{"purposeCode": "tea-tasting", "title": title}]}
                for locale, (title, text) in texts.items()]}})
        self.assent.call("DocumentService/CreateDocumentDraft", {"documentId": "tea"})
        page = self.enter("Translator", "publisher@garden")
        self.go(page, "edit/tea?study=garden", "Tea")
        page.get_by_label("Text, as HTML").fill("<p>Water is boiled every Sunday.</p>")
        page.get_by_text("Draft saved").wait_for()
        page.get_by_role("link", name="Translations").click()
        page.locator("main h1", has_text="Tea in German").wait_for()
        page.get_by_text("1 changed in the source since, 0 missing", exact=False).wait_for()
        row = page.locator(".pairs .pair", has_text="Changed since version 1")
        self.assertEqual(row.locator("del").inner_text(), "day")
        self.assertEqual(row.locator("ins").inner_text(), "Sunday")
        self.click(page, "Only What Needs Work")
        self.assertEqual(page.locator(".pairs .pair:visible").count(), 1)
        self.assert_accessible(page, "translation")
        row.get_by_role("textbox").fill("<p>Wasser wird jeden Sonntag gekocht.</p>")
        page.get_by_text("0 changed in the source since", exact=False).wait_for()
        page.get_by_text("Draft saved").wait_for()

        # A third language begins with nothing.
        page.get_by_label("Tag of the language", exact=False).fill("ar")
        self.click(page, "Add a Language")
        page.locator("main h1", has_text="Tea in Arabic").wait_for()
        page.get_by_role("textbox", name="The document: Title").fill("شاي")
        page.get_by_text("1 of 5 texts", exact=False).wait_for()
        content = self.stored(page, "tea", 2)
        self.assertEqual({each["locale"]: each["title"] for each in content["texts"]},
                         {"en": "Tea", "de": "Tee", "ar": "شاي"})
        page.get_by_role("link", name="Versions and publishing").click()
        change = page.locator("section", has_text="Versions compared").locator(
            "li", has_text="texts[de].sections[only]")
        change.wait_for()
        self.assertEqual(change.locator("del").inner_text(), "Tag")
        self.assertEqual(change.locator("ins").inner_text(), "Sonntag")
        self.assert_accessible(page, "versions compared")

    def test_a_flow_is_made_of_steps_with_conditions_in_words_and_walked_at_once(self):
        self.assent.call("StudyService/CreateSite", {"site": {"studyId": "garden", "siteId": "north", "name": "North"}})
        self.assent.document("garden", studies.document(
            "pots", "Pots", [("What", "<p>We lend you a pot.</p>")], [studies.signature(requiresName=True)],
            [studies.purpose("pots", "Lending pots")], settings={"withoutScrollGate": True}))
        page = self.enter("Designer", "publisher@garden", "coordinator@garden")
        self.go(page, "documents?study=garden", "Documents")
        self.click(page, "New Flow")
        page.get_by_label("Name").fill("Lending")
        page.get_by_label("Identifier").fill("lending")
        self.send(page, "New Flow")
        page.get_by_text("There is no step yet").wait_for()
        for kind in ("completion", "instruction", "question", "review"):
            page.get_by_label("Kind of step").select_option(kind)
            self.click(page, "Add a Step")
        cards = page.locator(".cards .sec")
        self.assertEqual([each.split(":")[0] for each in cards.all_inner_texts()],
                         ["Something to read", "Questions", "Read, agree and sign", "The end"])
        cards.nth(0).click()
        page.get_by_label("Title", exact=True).fill("Welcome to the garden")
        page.get_by_label("Text", exact=True).fill("We lend pots.")
        cards.nth(1).click()
        self.click(page, "Add a Question")
        question = self.group(page, "Question 1")
        question.get_by_label("Kind of answer").select_option(label="Yes or no")
        question.get_by_label("The question").fill("Do you need a pot?")
        cards.nth(2).click()
        page.get_by_label("Document", exact=True).select_option(label="Pots")
        self.click(page, "Only After an Answer")
        self.group(page, "Answer 1").get_by_label("It was answered").select_option(label="Yes")
        page.get_by_label("From this age").fill("18")
        page.get_by_role("checkbox", name="North").check()
        page.get_by_text("If “Do you need a pot?” is Yes, from 18 years, and at North").first.wait_for()
        self.assert_accessible(page, "a step's condition")
        page.get_by_role("checkbox", name="North").uncheck()
        page.get_by_label("From this age").fill("")
        cards.nth(3).click()
        page.get_by_label("Whom people may ask").fill("Amina Yusuf")
        page.get_by_text("Draft saved").wait_for()
        page.wait_for_timeout(1200)
        steps = self.assent.call("FlowService/GetFlow", {"flowId": "lending", "version": 1})["version"]["definition"][
            "steps"]
        self.assertEqual([each["id"] for each in steps], ["instruction", "question", "review", "completion"])
        self.assertEqual(steps[2]["condition"], {"answers": [
            {"stepId": "question", "questionId": "question", "boolean": "BOOLEAN_ANSWER_YES"}]})

        # What is not published is walked by who made it.
        self.click(page, "Try It")
        session = page.locator("dialog assent-session")
        session.get_by_text("We lend pots.").first.wait_for()
        self.assert_accessible(page, "walking a draft")
        session.get_by_role("button", name="Next").click()
        session.get_by_text("Do you need a pot?").first.wait_for()
        self.click(page, "Begin Again", "dialog[open]")
        session.get_by_text("We lend pots.").first.wait_for()
        self.click(page, "Done", "dialog[open]")
        self.click(page, "Publish")
        page.get_by_text("This version is published").wait_for()
        page.locator("main fieldset.panel[disabled]").wait_for()
        self.assert_accessible(page, "a published flow")

    def test_pictures_and_files_are_stored_by_choosing_them(self):
        self.assent.call("DocumentService/CreateDocument", {
            "studyId": "garden", "documentId": "maps", "name": "Maps", "content": {"defaultLocale": "en", "settings": {
                "sections": [{"id": "overview", "type": "SECTION_TYPE_OVERVIEW"}]},
                "texts": [{"locale": "en", "title": "Maps", "sections": [
                    {"sectionId": "overview", "summary": "Where things grow."}]}]}})
        page = self.enter("Picture editor", "publisher@garden")
        self.go(page, "edit/maps?study=garden", "Maps")
        picture = page.get_by_role("group", name="A picture of its own")
        picture.get_by_label("A picture of its own").set_input_files(
            files=[{"name": "map.png", "mimeType": "image/png", "buffer": base64.b64decode(studies.png())}])
        picture.get_by_role("button", name="Remove the File").wait_for()
        page.get_by_text("people who cannot see it", exact=False).last.wait_for()
        page.get_by_label("What the picture shows", exact=False).fill("A map of the garden")
        page.wait_for_timeout(1500)
        section = self.stored(page, "maps")["settings"]["sections"][0]
        self.assertRegex(section["imageAsset"], "^[0-9a-f]{64}$")
        self.click(page, "The document")
        file = page.get_by_role("group", name="A PDF file in place of the sections")
        file.get_by_label("A PDF file").set_input_files(files=[{
            "name": "map.pdf", "mimeType": "application/pdf", "buffer": base64.b64decode(studies.pdf(["A map"]))}])
        file.get_by_role("button", name="Remove the File").wait_for()
        self.assert_accessible(page, "a file in place of the sections")
        page.wait_for_timeout(1500)
        self.assertEqual(len(self.stored(page, "maps")["texts"][0]["file"]["pages"]), 1)
        file.get_by_role("button", name="Remove the File").click()
        page.wait_for_timeout(1500)
        self.assertNotIn("file", self.stored(page, "maps")["texts"][0])

    def test_forms_on_a_phone_from_right_to_left(self):
        self.assent.call("DocumentService/CreateDocument", {
            "studyId": "garden", "documentId": "dates", "name": "Dates", "content": {
                "defaultLocale": "ar", "settings": {
                    "signatures": [{"id": "participant", "role": "SIGNER_ROLE_PARTICIPANT", "order": 1}]},
                "texts": [{"locale": "ar", "title": "تمر"}]}})
        page = self.enter("Author in Arabic", "publisher@garden", locale="ar", viewport=PHONE, color_scheme="dark")
        self.go(page, "edit/dates?study=garden", "Dates")
        for topic in (
                "document", "purposes", "signatures", "questions", "sharing", "age", "time", "ethics", "receipts"):
            page.locator(f"#topic-{topic}").click()
            page.wait_for_timeout(100)
            self.assert_accessible(page, f"{topic} in Arabic")
            self.assertFalse(page.evaluate("(() => { const main = document.querySelector('main')\n"
                                           "return main.scrollWidth > main.clientWidth })()"), topic)


if __name__ == "__main__":
    unittest.main()
