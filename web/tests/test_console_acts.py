"""What staff does at the console: writing, erasing, letting in, signing afresh; and how much of it is fetched."""

import unittest

import installation
import studies
from test_console import Console

# All of the console, compressed. Each page is fetched when it is first opened; the elements in which people see screens
# and sign, which other pages have as well, come on top, when somebody previews or signs.
MOST_BYTES = 120 * 1024
ELEMENTS = ('define("assent-session"', 'define("assent-signature"')


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class ConsoleActsTest(Console):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        studies.install(cls.assent)

    def test_two_editors_of_one_draft_lose_nothing_silently(self):
        self.assent.call("DocumentService/CreateDocumentDraft", {"documentId": "heart"})
        first = self.enter("Editor one", "publisher@choices")
        self.go(first, "edit/heart?study=choices", "Heart Samples")
        first.get_by_label("Title in the document").fill("What we keep for you")
        first.get_by_text("Draft saved").wait_for()
        second = self.enter("Editor two", "publisher@choices")
        self.go(second, "edit/heart?study=choices", "Heart Samples")
        self.assertEqual(second.get_by_label("Title in the document").input_value(), "What we keep for you")
        self.click(first, "The document")
        first.get_by_label("Title", exact=True).fill("Heart Samples, revised")
        first.wait_for_timeout(1500)
        second.get_by_label("Text, as HTML").fill("<p>Something else.</p>")
        second.get_by_text("Not saved").wait_for()
        self.assertEqual(second.get_by_label("Text, as HTML").input_value(), "<p>Something else.</p>")
        self.click(second, "Show the Other Version")
        self.click(second, "The document")
        self.until(second, "document.getElementById('texts[en].title').value === 'Heart Samples, revised'")
        second.locator(".cards .sec").first.click()
        # By buttons, sections move, and the problem of an empty one stands beside its field.
        self.click(second, "Move Down")
        second.get_by_text("Draft saved").wait_for()
        stored = self.assent.call("DocumentService/GetDocument", {"documentId": "heart", "version": 2})["version"]
        self.assertEqual([each["id"] for each in stored["content"]["settings"]["sections"]], ["s1", "s0"])

    def test_what_is_erased_is_said_typed_and_gone(self):
        view, subject = self.assent.begin("heart-alone")
        self.assent.agree(view, genes="YES", letters="NO")
        page = self.enter("Eraser", "admin@choices", "inspector@choices")
        self.go(page, f"person/{subject}?study=choices", subject)
        self.click(page, "Erase…")
        dialog = page.locator("dialog[open]")
        self.assertTrue(dialog.get_by_text("names, birth date, signatures").is_visible())
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "Keep")
        self.assertTrue(dialog.get_by_role("button", name="Erase for Good").is_disabled())
        dialog.get_by_label(f"Type {subject} to confirm").fill(subject)
        dialog.get_by_label("Reason").fill("Asked for by letter.")
        self.send(page, "Erase for Good")
        page.locator("main").get_by_text("Erased", exact=True).first.wait_for()

    def test_an_administrator_lets_somebody_in_with_a_role(self):
        page = self.enter("Administrator", "admin@*")
        self.go(page, "staff", "Staff and Devices")
        self.click(page, "Register a Browser…")
        page.get_by_label("Name of the device").fill("Laptop of Jo")
        self.click(page, "Register a Browser", "dialog[open]")
        page.locator("dialog[open] pre").wait_for()
        link = page.locator("dialog[open] pre").inner_text()
        self.click(page, "Done", "dialog[open]")
        self.click(page, "Invite Staff")
        page.get_by_label("Identifier of the person").fill("jo.lind")
        self.click(page, "Invite Staff", "dialog[open]")
        page.locator("dialog[open] pre").wait_for()
        code = page.locator("dialog[open] pre").inner_text()
        self.click(page, "Done", "dialog[open]")

        other = self.open(link.removeprefix(self.address + "/"), allowed=("status of 4",), reduced_motion="reduce")
        other.get_by_label("Your code for a new account").fill(code)
        other.get_by_label("Your name").fill("Jo Lind")
        other.get_by_label("Choose a passcode").fill("correct horse 9")
        other.get_by_role("button", name="Open My Account").click()
        other.get_by_role("button", name="Continue").click()
        other.get_by_text("You have no role yet").wait_for()

        self.go(page, "study/choices?study=choices", "Choices")
        self.click(page, "Give a Role")
        page.get_by_label("Identifier of the person").fill("jo.lind")
        page.get_by_label("Role").select_option("inspector")
        self.send(page, "Give a Role")
        page.locator("main tr", has_text="jo.lind").get_by_text("Inspector").wait_for()

    def test_a_signature_that_asks_for_a_fresh_proof_gets_the_passcode(self):
        keys = self.assent.call("SignInService/GetTokenKeys", {}, package="assent.account.v1")
        self.assent.call("StudyService/CreateStudy", {"study": {
            "studyId": "fresh-study", "name": "Fresh",
            "verifiers": [{"verifierId": "account", "publicKey": keys["verifierKey"]}]}})
        self.assent.document("fresh-study", studies.document(
            "proof", "With a Proof", [("What", "<p>The doctor proves who signs.</p>")],
            [studies.signature(requiresName=True, requiresImage=True), studies.signature(
                "doctor", "INVESTIGATOR", 2, "Investigator", requiresName=True, requiresReauthentication=True)],
            [studies.purpose("proof", "Being proven")], settings={"withoutScrollGate": True}))
        self.assent.flow({**studies.flow("proof-alone", studies.review("proof")), "studyId": "fresh-study"})
        code, passcode = self.assent.staff("Dr Fresh", "investigator@fresh-study")
        page = self.open(f"console#{code}", allowed=("status of 4",), reduced_motion="reduce")
        page.locator("[name=passcode]").fill(passcode)
        page.locator(".enter form button:not([type])").click()
        page.locator(".app main h1").wait_for()
        record = self.assent.agree(self.assent.start("proof-alone"))["recordIds"][0]
        # The page hears of it by itself.
        page.get_by_text("1 consent waits for your signature").wait_for()
        self.go(page, f"sign/{record}?study=fresh-study", "Sign the consent")
        page.get_by_label("First name").fill("Ada")
        page.get_by_label("Last name").fill("Fresh")
        cell = page.locator("assent-signature")
        cell.get_by_role("button", name="Tap to Sign").click()
        box = cell.locator(".area").bounding_box()
        page.mouse.move(box["x"] + 30, box["y"] + 60)
        page.mouse.down()
        for step in range(20):
            page.mouse.move(box["x"] + 30 + step * 8, box["y"] + (50 if step % 2 else 90))
        page.mouse.up()
        cell.get_by_role("button", name="Save", exact=True).click()
        cell.get_by_role("button", name="Re-enter Signature").wait_for()
        page.locator("main [type=password]").fill(passcode)
        self.click(page, "Sign")
        page.locator("main").get_by_text("Ada Fresh").wait_for()

    def test_webhooks_and_keys_are_made_shown_once_and_taken_away(self):
        page = self.enter("Integrator", "admin@*")
        self.go(page, "integrations", "Integrations")
        page.locator("main .chip.ok", has_text="days left").wait_for()
        self.click(page, "Add a Webhook")
        page.get_by_label("Address").fill("https://hooks.example/assent")
        self.click(page, "Add a Webhook", "dialog[open]")
        page.locator("dialog[open] pre", has_text="whsec_").wait_for()
        self.click(page, "Done", "dialog[open]")
        page.get_by_role("link", name="https://hooks.example/assent").click()
        self.click(page, "Switch Off")
        page.locator("main .chip", has_text="Switched off").wait_for()
        self.click(page, "Delete…")
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "Back")
        self.send(page, "Delete")
        page.get_by_text("There is no webhook yet").wait_for()
        self.click(page, "Make a Key")
        page.get_by_label("Name").fill("laboratory")
        page.get_by_label("Roles").fill("coordinator@choices")
        self.click(page, "Make a Key", "dialog[open]")
        page.locator("dialog[open] pre", has_text="ak_").wait_for()
        self.click(page, "Done", "dialog[open]")
        self.click(page, "Take Back: laboratory")
        self.send(page, "Take Back")
        page.locator("main tr", has_text="laboratory").get_by_text("Taken back").wait_for()

    def test_the_trail_is_filtered_by_its_address_and_exported(self):
        page = self.enter("Inspector", "inspector@choices")
        # Inspectors see how long the seal is good, and nothing else that programs use.
        self.go(page, "integrations", "Integrations")
        page.locator("main .chip.ok", has_text="days left").wait_for()
        self.assertEqual(page.locator("main button", has_text="Add a Webhook").count(), 0)
        self.go(page, "trail?study=choices&kind=changed", "Trail")
        page.locator("main tbody tr").first.wait_for()
        self.assertEqual(set(page.locator("main tbody td:nth-child(2) b").all_inner_texts()), {"Changed"})
        with page.expect_download() as download:
            self.click(page, "NDJSON")
        self.assertIn('"kind"', download.value.path().read_text().splitlines()[0])

    def test_all_of_it_is_small(self):
        page = self.enter("Counter", "admin@*", "coordinator@*", "publisher@*", "inspector@*")
        sizes = {}
        answers = []
        page.on("response", lambda answer: answers.append(answer) if answer.url.endswith((".js", ".css")) else None)

        def count():
            page.wait_for_timeout(500)
            while answers:
                answer = answers.pop()
                if not any(each in answer.text() for each in ELEMENTS):
                    sizes[answer.url] = int(answer.headers["content-length"])

        page.reload()
        page.locator(".app main h1").wait_for()
        count()
        first = sum(sizes.values())
        for place in ("documents", "document/heart", "edit/heart", "people", "person/nobody", "invitations", "records",
                      "trail", "studies", "study/choices", "staff", "integrations", "translate/heart",
                      "flow/heart-alone", "settings"):
            self.go(page, f"{place}?study=choices")
        count()
        self.assertGreater(sum(sizes.values()), first)
        self.assertLess(sum(sizes.values()), MOST_BYTES)


if __name__ == "__main__":
    unittest.main()
