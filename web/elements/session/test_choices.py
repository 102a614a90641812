"""What people choose on the way: purposes, a no, not to sign, files, photos, a fresh proof; with the real programs."""

import io
import unittest

from PIL import Image, ImageDraw

import installation
import studies
from walking import StudyWalking


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class ChoicesTest(StudyWalking):
    def read(self, page, session):
        session.locator(".end").scroll_into_view_if_needed()
        self.at(page, "review", "+read")

    def enter_name(self, page, session):
        self.at(page, "name")
        for field, name in zip(session.locator("input").all(), ("Amara", "Okafor")):
            field.fill(name)
        self.press(session, "ENTER_NAME")
        self.at(page, "signature")

    def type_signature(self, page, session):
        session.locator("[part=scrim]").click()
        session.get_by_role("button", name="Type instead").click()
        session.get_by_role("dialog").get_by_role("button", name="Save").click()
        session.locator("[part=re-enter]").wait_for()
        self.press(session, "SIGN")

    def confirm(self, session, title, answer):
        session.get_by_role("alertdialog", name=title).get_by_role("button", name=answer, exact=True).click()

    def records(self, view):
        """What is on record of a session."""
        now = self.assent.call("SessionService/GetSession", {"sessionId": view["sessionId"]}, "device")["session"]
        return [self.assent.call("RecordService/GetRecord", {"recordId": each})["record"]
                for each in now.get("recordIds", [])]

    # Choices of their own

    def test_optional_purposes_are_answered_one_by_one(self):
        page, session, view = self.session("heart-alone")
        self.at(page, "review")
        genes, letters = (session.get_by_role("group", name=f"May we {name}") for name in ("read your genes?", "write"))
        # Nothing is chosen beforehand, and both answers look alike.
        self.assertEqual(session.locator("input:checked").count(), 0)
        looks = genes.locator(".pick").evaluate_all(
            "(both) => both.map((each) => [getComputedStyle(each).backgroundColor, each.offsetWidth])")
        self.assertEqual(looks[0], looks[1])
        agree = session.locator("[part=toolbar] [data-action=ACTION_KIND_AGREE]")
        self.assertEqual(agree.get_attribute("aria-disabled"), "true")
        self.read(page, session)
        self.assertEqual(agree.get_attribute("aria-disabled"), "true", "two answers are missing")
        self.assert_accessible(page, "review with purposes")
        agree.dispatch_event("click")
        self.assertEqual(genes.locator(".err").inner_text(), letters.locator(".err").inner_text())
        self.assertEqual(self.focused(page)[0], "INPUT")
        genes.get_by_text("Yes", exact=True).click()
        letters.get_by_text("No", exact=True).click()
        self.assertIsNone(agree.get_attribute("aria-disabled"))
        agree.click()
        self.confirm(session, "Confirm your agreement", "Cancel")
        self.assertEqual(session.locator("input:checked").count(), 2, "what was chosen stays")
        agree.click()
        self.confirm(session, "Confirm your agreement", "Agree")
        self.enter_name(page, session)
        self.type_signature(page, session)
        self.at(page, "completion")
        record, = self.records(view)
        self.assertEqual((set(record["purposes"]), record["declinedPurposes"]), ({"heart", "genes"}, ["letters"]))

    def test_whoever_disagrees_answers_nothing(self):
        page, session, view = self.session("choosing")
        self.at(page, "review")
        self.press(session, "DISAGREE")
        self.at(page, "review", "house")
        record, = self.records(view)
        self.assertEqual(record["state"], "RECORD_STATE_DECLINED")

    def test_a_no_that_ends_an_earlier_consent_is_asked_about_first(self):
        begun, person = self.assent.begin("heart-alone")
        self.assent.agree(begun, genes="YES", letters="YES")
        page, session, _ = self.session(view=self.assent.start("heart-alone", subjectId=person))
        self.at(page, "review")
        self.press(session, "DISAGREE")
        alert = session.get_by_role("alertdialog", name="You agreed before")
        alert.wait_for()
        self.assertIn("that consent ends", alert.inner_text())
        self.assert_accessible(page, "earlier consent")
        page.keyboard.press("Escape")
        alert.wait_for(state="hidden")
        self.assertEqual(self.focused(page)[2], "ACTION_KIND_DISAGREE")
        decisions = "events.filter(([name]) => name === 'decision').map(([, action]) => action)"
        self.assertEqual(page.evaluate(decisions), [])
        self.press(session, "DISAGREE")
        self.confirm(session, "You agreed before", "Go on")
        self.at(page, "completion")
        self.assertEqual(page.evaluate(decisions), ["ACTION_KIND_DISAGREE"])

    def test_not_now_after_an_earlier_yes_is_asked_about_too(self):
        begun, person = self.assent.begin("calls-alone")
        self.assent.act(begun, "ALLOW")
        page, session, _ = self.session(view=self.assent.start("calls-alone", subjectId=person))
        self.at(page, "form")
        self.press(session, "NOT_NOW")
        self.confirm(session, "You agreed before", "Back")
        self.at(page, "form")
        self.press(session, "NOT_NOW")
        self.confirm(session, "You agreed before", "Go on")
        self.at(page, "completion")
        self.assertIn(["decision", "ACTION_KIND_NOT_NOW"], page.evaluate("events"))

    def test_another_birth_date_than_was_stated_is_not_taken(self):
        page, session, _ = self.session("child-alone", allowed=("400",))
        self.at(page, "questions", "birth-date")
        for part, value in (("day", "5"), ("month", "3"), ("year", "2014")):
            session.locator(f"[data-part={part}]").fill(value)
        self.press(session, "ANSWER")
        self.at(page, "review")
        self.press(session, "BACK")
        self.at(page, "questions", "birth-date")
        year = session.locator("[data-part=year]")
        self.assertEqual(year.input_value(), "2014")
        year.fill("2004")
        self.press(session, "ANSWER")
        session.locator(".err").wait_for()
        self.assertIn("Another birth date was stated before", session.locator(".err").inner_text())
        self.assert_accessible(page, "another birth date")
        year.fill("2014")
        self.press(session, "ANSWER")
        self.at(page, "review")
        self.read(page, session)
        self.press(session, "AGREE")
        self.confirm(session, "Confirm your agreement", "Agree")
        self.at(page, "name")
        self.assertTrue(session.get_by_text("I am the parent or legal guardian").is_visible())

    # Not signing

    def test_whoever_does_not_want_to_sign_quits_and_can_go_on(self):
        view = self.assent.agree(self.assent.start("choosing"), genes="NO", letters="NO")
        page, session, _ = self.session(view=view)
        self.at(page, "review", "house")
        self.press(session, "AGREE")
        self.confirm(session, "Confirm your agreement", "Agree")
        self.at(page, "signature")
        self.press(session, "CANCEL")
        alert = session.get_by_role("alertdialog", name="Quit onboarding?")
        self.assertIn("What you have signed stays on record.", alert.inner_text())
        alert.get_by_role("button", name="Yes").click()
        self.at(page, "plain", "!closed")
        self.assertEqual(len(self.records(view)), 1)
        self.assertTrue(session.locator("[part=text]").get_by_text("you can go on with the rest").is_visible())
        self.assert_accessible(page, "quit, and can go on")
        session.get_by_role("button", name="Go on").click()
        self.until(page, "document.querySelector('assent-session').view.screen.kind !== 'SCREEN_KIND_PLAIN'")
        ended = "events.filter(([name]) => name === 'complete').map(([, outcome]) => outcome)"
        self.assertEqual(page.evaluate(ended), ["SESSION_OUTCOME_QUIT"])
        if page.evaluate("document.querySelector('assent-session').view.screen.kind") == "SCREEN_KIND_REVIEW":
            self.press(session, "AGREE")
            self.confirm(session, "Confirm your agreement", "Agree")
        self.at(page, "signature")
        self.assertEqual(session.get_by_role("button", name="Type instead").count(), 0, "initials are drawn here")
        session.locator("[part=scrim]").click()
        self.draw(page, session)
        session.locator("assent-signature").locator("[part=save]").first.click()
        session.locator("[part=re-enter]").wait_for()
        self.press(session, "SIGN")
        self.at(page, "completion")
        self.assertEqual(page.evaluate(ended), ["SESSION_OUTCOME_QUIT", "SESSION_OUTCOME_COMPLETED"])

    # Files and photos

    def test_the_pages_of_a_file_are_seen_and_signed_with_a_photo(self):
        studies.paged(self.assent)
        page, session, view = self.session("loan-alone")
        for number in (1, 2):
            self.at(page, "page")
            self.until(page, "document.querySelector('assent-session').shadowRoot.querySelector('img')?.naturalWidth")
            self.assertEqual(session.locator("[part=page-text]").get_attribute("open"), None)
            self.assert_accessible(page, f"page {number}")
            self.press(session, "NEXT")
        self.at(page, "review")
        self.read(page, session)
        self.press(session, "AGREE")
        self.confirm(session, "Confirm your agreement", "Agree")
        self.enter_name(page, session)
        session.locator("[part=scrim]").click()
        session.locator("input[type=file]").set_input_files(
            {"name": "mine.png", "mimeType": "image/png", "buffer": photo()})
        session.get_by_role("dialog").get_by_role("button", name="Save").click()
        session.locator("[part=re-enter]").wait_for()
        self.assert_accessible(page, "photo")
        # Reloaded: the photo is there, as the server keeps it.
        page.reload()
        self.place(page, view["sessionId"])
        session.locator("[part=re-enter]").wait_for()
        self.press(session, "SIGN")
        self.at(page, "completion")

    def test_a_fresh_proof_is_asked_for_and_its_refusal_is_said(self):
        page, session, view = self.session("fresh-alone", allowed=("400", "403", "409", "412"))
        self.at(page, "review")
        self.press(session, "AGREE")
        self.confirm(session, "Confirm your agreement", "Agree")
        self.at(page, "signature")
        self.assertEqual(session.locator("[data-action=ACTION_KIND_SIGN]").get_attribute("aria-disabled"), "true")
        self.assert_accessible(page, "no proof")
        page.evaluate(
            """(id) => {
              const session = document.createElement("assent-session")
              window.asked = []
              session.authenticate = async (challenge) => {
                asked.push(challenge)
                return { assertion: "AAAA", signature: "AAAA" }
              }
              session.setAttribute("session", id)
              document.querySelector("assent-session").replaceWith(session)
            }""", view["sessionId"])
        self.at(page, "signature")
        self.press(session, "SIGN")
        session.locator(".err").wait_for()
        self.assertEqual(session.locator(".err").inner_text(), "Confirm who you are to go on.")
        challenge = page.evaluate("document.querySelector('assent-session').view.screen.signatureForm.challenge")
        self.assertEqual(page.evaluate("asked"), [challenge])


def photo():
    """A dark line on white paper."""
    picture = Image.new("RGB", (600, 200), "white")
    ImageDraw.Draw(picture).line([(60, 120), (180, 60), (300, 140), (520, 70)], fill="#102060", width=7)
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


if __name__ == "__main__":
    unittest.main()
