"""A whole consent in the browser, against the real programs: by pointer, by keyboard alone, by the tree alone."""

import re
import unittest

import browser
import installation
from walking import PHONE, TABLET, StudyWalking

THANKS = {"en": "Welcome on board", "de": "Willkommen an Bord", "ar": "أهلًا بك معنا"}


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class WalkTest(StudyWalking):
    def walk(self, page, session, look=lambda name: None):
        """From the first screen to the questions."""
        for place in ("hello", "welcome", "data", "privacy", "use", "time", "survey", "tasks", "leaving", "promise"):
            self.at(page, "instruction" if place == "hello" else "visual", place)
            look(place)
            self.press(session, "NEXT")

    def answer(self, page, session, look=lambda name: None):
        for number, choices in ((1, [0]), (2, [0, 1])):
            self.at(page, "questions", f"questions-{number}")
            look(f"question {number}")
            for choice in choices:
                session.locator(".pick").nth(choice).click()
            self.press(session, "ANSWER")
        self.at(page, "questions", "questions-3")
        session.locator("input").fill("20")
        look("question 3")
        self.press(session, "ANSWER")
        self.at(page, "sharing")
        look("sharing")
        session.locator(".pick").first.click()
        self.press(session, "SHARE")
        self.at(page, "questions", "birth-date")
        for part, value in (("day", "5"), ("month", "3"), ("year", "1980")):
            session.locator(f"[data-part={part}]").fill(value)
        look("birth date")
        self.press(session, "ANSWER")

    def agree(self, page, session, look=lambda name: None):
        self.at(page, "review")
        look("review")
        session.locator(".end").scroll_into_view_if_needed()
        self.at(page, "review", "+read")
        look("review read")
        self.press(session, "AGREE")
        session.get_by_role("alertdialog").wait_for()
        look("confirm")
        session.get_by_role("alertdialog").locator("[data-action=ACTION_KIND_CONFIRM]").click()
        self.at(page, "name")
        for field, name in zip(session.locator("input").all(), ("Amara", "Okafor")):
            field.fill(name)
        look("name")
        self.press(session, "ENTER_NAME")
        self.at(page, "signature")

    def to_signature(self, locale="en", look=lambda page, name: None, **options):
        page, session, view = self.session(locale=locale, **options)
        on = lambda name: look(page, name)  # noqa: E731
        self.walk(page, session, on)
        self.answer(page, session, on)
        self.agree(page, session, on)
        return page, session, view

    def sign(self, page, session, look=lambda name: None):
        look("signature")
        session.locator("[part=scrim]").click()
        self.draw(page, session)
        look("signed")
        session.locator("assent-signature").locator("[part=save]").first.click()
        session.locator("[part=re-enter]").wait_for()
        look("saved")
        self.press(session, "SIGN")
        self.at(page, "completion")

    # The walks

    def test_by_pointer_in_three_languages_with_nothing_for_axe_to_find(self):
        for locale, theme, size in (("en", "light", PHONE), ("ar", "dark", PHONE), ("de", "light", TABLET)):
            look = lambda page, name: self.assert_accessible(page, f"{locale}, {name}")  # noqa: E731, B023
            page, session, view = self.to_signature(locale, look, color_scheme=theme, viewport=size)
            self.sign(page, session, lambda name: look(page, name))
            self.assertEqual(session.locator("h1").text_content(), THANKS[locale])
            session.locator("[part=check]").wait_for()
            look(page, "completion")
            with page.expect_download() as download:
                session.locator("[part=copy] [part=save]").click()
            self.assertEqual(download.value.path().read_bytes()[:5], b"%PDF-")
            session.locator("[part=check]").click()
            session.locator("[data-verdict=same]").wait_for()
            self.press(session, "DONE")
            self.at(page, "plain", "!closed")
            look(page, "end")
            ended = self.assent.call("SessionService/GetSession", {"sessionId": view["sessionId"]}, "device")["session"]
            self.assertEqual(ended["outcome"], "SESSION_OUTCOME_COMPLETED")
            self.assertIn(["decision", "ACTION_KIND_AGREE"], page.evaluate("events"))
            self.assertEqual(page.evaluate("events.filter(([name]) => name === 'complete').length"), 1)

    def test_by_keyboard_alone(self):
        page, session, _ = self.session()
        press = page.keyboard.press
        page.keyboard.press("Tab")
        for place in ("hello", "welcome", "data", "privacy", "use", "time", "survey", "tasks", "leaving", "promise"):
            self.at(page, "instruction" if place == "hello" else "visual", place)
            self.tab_to(page, "NEXT")
            press("Enter")
        for number, keys in ((1, ["Tab", "Space"]), (2, ["Tab", "Space", "Tab", "Space"]), (3, ["Tab", "2", "0"])):
            self.at(page, "questions", f"questions-{number}")
            self.assertEqual(self.focused(page)[0], "H1")
            for key in keys:
                press(key)
            self.tab_to(page, "ANSWER")
            press("Enter")
        self.at(page, "sharing")
        press("Tab")
        press("ArrowDown")
        self.tab_to(page, "SHARE")
        press("Enter")
        self.at(page, "questions", "birth-date")
        for key in ("Tab", "3", "Tab", "5", "Tab", *"1980", "Tab", "Enter"):
            press(key)
        self.at(page, "review")
        self.assertEqual(self.focused(page)[0], "H1")
        # The document's end can be reached by Tab as well as by scrolling.
        press("Tab")
        if "end" not in self.focused(page)[1]:
            press("End")
        self.at(page, "review", "+read")
        self.tab_to(page, "AGREE")
        press("Enter")
        session.get_by_role("alertdialog").wait_for()
        self.assertEqual(self.focused(page)[0], "H2")
        press("Escape")
        session.get_by_role("alertdialog").wait_for(state="hidden")
        self.assertEqual(self.focused(page)[2], "ACTION_KIND_AGREE")
        press("Enter")
        session.get_by_role("alertdialog").wait_for()
        press("Tab")
        press("Tab")
        press("Enter")
        self.at(page, "name")
        for key in ("Tab", *"Amara", "Tab", *"Okafor"):
            press(key)
        self.tab_to(page, "ENTER_NAME")
        press("Enter")
        self.at(page, "signature")
        press("Tab")
        press("Enter")
        press("Enter")
        session.get_by_role("dialog").wait_for()
        page.keyboard.press("Enter")
        session.get_by_role("button", name="Re-enter Signature").wait_for()
        self.tab_to(page, "SIGN")
        press("Enter")
        self.at(page, "completion")

    def tab_to(self, page, action):
        for _ in range(30):
            if self.focused(page)[2] == f"ACTION_KIND_{action}":
                return
            page.keyboard.press("Tab")
        self.fail(f"Tab never reaches {action}: {self.focused(page)}")

    def test_by_the_accessibility_tree_alone(self):
        """Knows nothing but roles, names and states, and acts by them."""
        page, session, _ = self.session()
        def button(name):
            # While one screen makes room for another, both are there; the leaving one is inert.
            self.until(page, "document.querySelector('assent-session')"
                             ".shadowRoot.querySelectorAll('.screen').length === 1")
            return session.get_by_role("button", name=name, exact=True)
        for title in ("Welcome to the walking study", "Welcome", "Data Gathering", "Privacy", "Data Use",
                      "Time Commitment", "Study Survey", "Study Tasks", "Withdrawing", "Our promise to you"):
            session.get_by_role("heading", level=1, name=title, exact=True).wait_for()
            button("Next").press("Enter")
        session.get_by_role("radio", name="At any time, without giving a reason").check()
        button("Next").press("Enter")
        group = session.get_by_role("group", name=re.compile("What is gathered"))
        for name in ("Steps", "Blood pressure"):
            group.get_by_role("checkbox", name=name, exact=True).check()
        button("Next").press("Enter")
        session.get_by_role("textbox", name=re.compile("How many minutes")).fill("20")
        button("Next").press("Enter")
        session.get_by_role("radio", name=re.compile("worldwide")).check()
        button("Next").press("Enter")
        for name, value in (("day", "5"), ("month", "3"), ("year", "1980")):
            session.get_by_role("group", name="When were you born?").get_by_label(name).fill(value)
        button("Next").press("Enter")
        session.get_by_text("You have reached the end of the text.").first.focus()
        self.at(page, "review", "+read")
        self.assertIn("status: You have reached the end of the text.", session.aria_snapshot())
        button("Agree").press("Enter")
        session.get_by_role("alertdialog", name="Confirm your agreement").get_by_role(
            "button", name="Agree").press("Enter")
        session.get_by_role("textbox", name="First name").fill("Amara")
        session.get_by_role("textbox", name="Last name").fill("Okafor")
        button("Next").press("Enter")
        button("Tap to Sign").press("Enter")
        button("Type instead").press("Enter")
        session.get_by_role("dialog").get_by_role("button", name="Save").press("Enter")
        button("Re-enter Signature").wait_for()
        # It gives the focus back when it is gone.
        session.get_by_role("dialog").wait_for(state="hidden")
        button("Sign").press("Enter")
        session.get_by_role("heading", level=1, name="Welcome on board").wait_for()

    def test_the_documents_example(self):
        view = self.assent.start("field-onboarding")
        page = self.open("session.html", allowed=("404",))
        has_history = re.search(r' session="[^"]+"( history)', browser.example("assent-session", "html"))[1]
        page.evaluate(
            """([id, history]) => {
              const session = document.createElement("assent-session")
              session.setAttribute("session", id)
              session.toggleAttribute("history", history)
              document.querySelector("main").append(session)
            }""", [view["sessionId"], bool(has_history)])
        page.evaluate(f"""() => {{
          window.heard = []
          const note = (...words) => heard.push(words), leave = (way) => heard.push(way);
          {browser.example("assent-session", "js")}
        }}""")
        session = page.locator("assent-session")
        self.at(page, "instruction")
        self.press(session, "CANCEL")
        session.get_by_role("alertdialog").get_by_role("button", name="Yes").click()
        self.at(page, "plain", "!closed")
        session.locator("[part=close]").click()
        self.assertEqual(page.evaluate("heard"), [["SESSION_OUTCOME_QUIT", []], "close"])

    # What can come between

    def test_the_server_goes_away_and_comes_back_everywhere(self):
        page, session, view = self.session()
        self.at(page, "instruction")
        self.proxy.fault = staticmethod(lambda path: "away")
        self.press(session, "NEXT")
        notice = session.locator("[part=notice]")
        notice.wait_for()
        self.assertIn("No connection at the moment", notice.text_content())
        self.assertIn("status: No connection at the moment.", session.aria_snapshot())
        self.assert_accessible(page, "away")
        # In the pauses, which grow, nothing is sent unless the person wants that.
        page.wait_for_timeout(2000)
        session.get_by_role("button", name="Try now").dispatch_event("click")
        self.proxy.fault = staticmethod(lambda path: None)
        self.at(page, "visual", "welcome")
        self.assertEqual(notice.count(), 0)
        self.assertIn("status: The connection is back.", session.aria_snapshot())

    def test_what_was_lost_on_the_way_back_is_not_done_twice(self):
        page, session, view = self.session()
        self.at(page, "instruction")
        lost = iter(["lost"])
        self.proxy.fault = staticmethod(lambda path: next(lost, None) if "ActOnSession" in path else None)
        self.press(session, "NEXT")
        self.at(page, "visual", "welcome")
        acts = [headers for path, headers, _ in self.proxy.calls if "ActOnSession" in path]
        self.assertGreaterEqual(len(acts), 2)
        self.assertEqual(len({headers["idempotency-key"] for headers in acts}), 1)
        now = self.assent.call("SessionService/GetSession", {"sessionId": view["sessionId"]}, "device")["session"]
        self.assertEqual(now["version"], view["version"] + 1)

    def test_drawing_goes_on_while_the_server_is_away_and_survives_a_reload(self):
        page, session, view = self.to_signature()
        session.locator("[part=scrim]").click()
        self.proxy.fault = staticmethod(lambda path: "away")
        self.draw(page, session)
        notice = session.locator("[part=notice]")
        notice.wait_for()
        self.assertIn("Sign as usual", notice.text_content())
        self.assert_accessible(page, "away while drawing")
        session.locator("assent-signature").locator("[part=save]").first.click()
        self.assertTrue(session.get_by_role("button", name="Saving").is_visible())
        self.proxy.fault = staticmethod(lambda path: None)
        session.locator("[part=re-enter]").wait_for()
        # Reloaded: what is saved is there, and can be signed with.
        page.reload()
        self.place(page, view["sessionId"])
        session.locator("[part=re-enter]").wait_for()
        session.locator("[part=re-enter]").click()
        session.locator("[part=scrim]").click()
        self.draw(page, session)
        page.wait_for_timeout(600)
        # Reloaded in the middle of it: what is drawn is there.
        page.reload()
        self.place(page, view["sessionId"])
        session.locator("assent-signature").locator("[part=clear]").wait_for()
        session.locator("assent-signature").locator("[part=save]").first.click()
        session.locator("[part=re-enter]").wait_for()
        self.press(session, "SIGN")
        self.at(page, "completion")

    def test_what_is_taken_back_and_turned_on_a_slow_network_is_saved_as_it_is_seen(self):
        page, session, view = self.to_signature()
        page.set_viewport_size({"width": 360, "height": 740})
        session.locator("[part=scrim]").click()
        cell = session.locator("assent-signature")
        cell.locator("[part=undo]").wait_for(state="attached")
        page.wait_for_timeout(300)
        self.draw(page, session)
        page.wait_for_timeout(600)
        # From here on all waits, and is sent once the server is back.
        self.proxy.fault = staticmethod(lambda path: "away")
        self.draw(page, session)
        cell.locator("[part=undo]").click()
        self.draw(page, session)
        self.draw(page, session)
        page.set_viewport_size({"width": 740, "height": 360})
        page.wait_for_timeout(300)
        session.locator(".area").scroll_into_view_if_needed()
        self.draw(page, session)
        seen = cell.evaluate("(cell) => cell.ink")
        self.proxy.fault = staticmethod(lambda path: None)
        cell.locator("[part=save]").first.click()
        session.locator("[part=re-enter]").wait_for()
        signatures = "assent.signature.v1"
        fields = self.assent.call(
            "SignatureService/ListFields", {"sessionId": view["sessionId"]}, "device", signatures)["views"]
        self.assertEqual(len(fields), 1, "nothing had to be drawn anew")
        signature = fields[0]["saved"]["signatureId"]
        kept = self.assent.call(
            "SignatureService/GetStrokes", {"signatureId": signature}, "admin", signatures)["drawing"]
        self.assertEqual(kept["canvas"]["width"], seen["canvas"]["width"])
        self.assertGreater(seen["canvas"]["width"], 400, "the page was turned")
        self.assertEqual(len(seen["strokes"]), 4)
        self.assertEqual(len(kept["strokes"]), 4)
        for stroke, shown in zip(kept["strokes"], seen["strokes"]):
            for side in ("x", "y"):
                self.assertEqual(len(stroke[side]), len(shown[side]))
                for one, other in zip(stroke[side], shown[side]):
                    self.assertAlmostEqual(one, other, delta=0.01)

    def test_a_reload_at_each_screen_changes_nothing(self):
        page, session, view = self.session()
        for place in ("hello", "welcome", "data"):
            self.at(page, "instruction" if place == "hello" else "visual", place)
            page.reload()
            self.place(page, view["sessionId"])
            self.at(page, "instruction" if place == "hello" else "visual", place)
            self.press(session, "NEXT")
        acts = [body for path, _, body in self.proxy.calls if "ActOnSession" in path]
        self.assertEqual(len(acts), 3)

    def test_another_page_has_gone_on(self):
        page, session, view = self.session()
        self.at(page, "instruction")
        self.assent.act(view, "NEXT")
        self.press(session, "NEXT")
        self.at(page, "visual", "welcome")
        self.assertIn("status: You have gone on elsewhere.", session.aria_snapshot())

    def test_it_ended_elsewhere(self):
        page, session, view = self.session()
        self.at(page, "instruction")
        self.assent.call("SessionService/AbandonSession", {"sessionId": view["sessionId"]}, "device")
        self.press(session, "NEXT")
        self.at(page, "plain", "!closed")
        self.assertIn(["complete", "SESSION_OUTCOME_ABANDONED"], page.evaluate("events"))
        self.assert_accessible(page, "ended elsewhere")
        session.locator("[part=start-again]").click()
        self.assertIn("way", [name for name, _ in page.evaluate("events")])

    def test_a_session_that_is_not_there_is_said_in_words(self):
        page, session, _ = self.session(view={"sessionId": "no-such-session"}, allowed=("404", "400"))
        session.get_by_role("heading", name="This cannot be opened here").wait_for()
        self.assert_accessible(page, "gone")

    def test_the_browsers_back_button_is_the_screens_own(self):
        page, session, view = self.session()
        page.evaluate("document.querySelector('assent-session').remove()")
        page.evaluate(
            """(id) => {
              const session = document.createElement("assent-session")
              session.setAttribute("session", id)
              session.setAttribute("history", "")
              document.querySelector("main").append(session)
            }""", view["sessionId"])
        self.at(page, "instruction")
        self.press(session, "NEXT")
        self.at(page, "visual", "welcome")
        self.press(session, "NEXT")
        self.at(page, "visual", "data")
        page.go_back()
        self.at(page, "visual", "welcome")
        page.go_back()
        self.at(page, "instruction", "hello")

    # Forms

    def test_permissions_one_by_one(self):
        page, session, view = self.session("field-onboarding")
        self.at(page, "instruction")
        self.press(session, "NEXT")
        self.at(page, "form", "terms")
        self.assertEqual(session.locator("[part=page]").text_content(), "1 of 3")
        self.assertEqual(session.locator("[part=toolbar]").count(), 1)
        self.assertFalse(session.locator("[part=toolbar]").is_visible())
        self.press(session, "CANCEL")
        session.get_by_role("alertdialog", name="Quit onboarding?").wait_for()
        self.assert_accessible(page, "quit")
        session.get_by_role("alertdialog").get_by_role("button", name="No").click()
        self.press(session, "NEXT")
        self.at(page, "form", "page-2")
        self.assertTrue(session.get_by_role("button", name="Back to Your work orders").is_visible())
        session.get_by_role("button", name="Learn more").click()
        session.get_by_role("dialog", name="Learn more").wait_for()
        self.assert_accessible(page, "learn more")
        page.keyboard.press("Escape")
        session.get_by_role("dialog").wait_for(state="hidden")
        self.assertIn("link", self.focused(page)[1])
        self.press(session, "NEXT")
        self.at(page, "form", "page-3")
        self.assert_accessible(page, "last page")
        self.press(session, "DENY")
        session.get_by_role("alertdialog", name="Your consent is needed").wait_for()
        session.get_by_role("button", name="Return to Consent").click()
        self.press(session, "ALLOW")
        self.at(page, "form", "location")
        self.assertEqual(session.locator(".middle").text_content(), "")
        page.mouse.move(0, 0)
        looks = session.locator("[part=toolbar] button").evaluate_all(
            "(both) => both.map((each) => [getComputedStyle(each).backgroundColor, each.offsetWidth])")
        self.assertEqual(looks[0], looks[1])
        self.assert_accessible(page, "single form")
        self.press(session, "NOT_NOW")
        self.at(page, "form", "diagnostics")


if __name__ == "__main__":
    unittest.main()
