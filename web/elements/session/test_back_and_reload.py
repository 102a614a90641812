"""Back and a reload at each screen of a consent: the state is kept, and nothing is sent twice."""

import unittest

import installation
from walking import StudyWalking

PLACE = """(id) => {
  document.querySelector("assent-session")?.remove()
  const session = document.createElement("assent-session")
  session.setAttribute("session", id)
  session.setAttribute("history", "")
  document.querySelector("main").append(session)
}"""


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class BackAndReloadTest(StudyWalking):
    def steps(self, page, session):
        """Each screen of the walk, and how somebody goes on from it."""
        def go(action, *before):
            return lambda: ([each() for each in before], self.press(session, action))

        def pick(*choices):
            return lambda: [session.locator(".pick input").nth(each).check() for each in choices]

        def read():
            session.locator(".end").scroll_into_view_if_needed()
            self.at(page, "review", "+read")

        def fill(**values):
            return lambda: [session.locator(f"[data-part={part}]").fill(value) for part, value in values.items()]

        def confirm():
            session.get_by_role("alertdialog").locator("[data-action=ACTION_KIND_CONFIRM]").click()

        def named():
            for field, name in zip(session.locator("input").all(), ("Amara", "Okafor")):
                field.fill(name)

        def signed():
            if session.locator("[part=scrim]").is_visible():
                session.locator("[part=scrim]").click()
            if not session.locator("[part=re-enter]").is_visible():
                self.draw(page, session)
                session.locator("assent-signature").locator("[part=save]").first.click()
            session.locator("[part=re-enter]").wait_for()
        visual = ("welcome", "data", "privacy", "use", "time", "survey", "tasks", "leaving", "promise")
        return [
            ("instruction", "hello", go("NEXT")), *(("visual", place, go("NEXT")) for place in visual),
            ("questions", "questions-1", go("ANSWER", pick(0))), ("questions", "questions-2", go("ANSWER", pick(0, 1))),
            ("questions", "questions-3", go("ANSWER", lambda: session.locator("input").fill("20"))),
            ("sharing", "", go("SHARE", pick(0))),
            ("questions", "birth-date", go("ANSWER", fill(day="5", month="3", year="1980"))),
            ("review", "", lambda: (read(), self.press(session, "AGREE"), confirm())),
            ("name", "", go("ENTER_NAME", named)), ("signature", "", go("SIGN", signed)),
            ("completion", "", lambda: None),
        ]

    def test_at_each_screen(self):
        page, session, view = self.session()
        page.evaluate(PLACE, view["sessionId"])
        acts = lambda: sum("ActOnSession" in path for path, _, _ in self.proxy.calls)  # noqa: E731
        steps = self.steps(page, session)
        for number, (kind, place, go) in enumerate(steps):
            with self.subTest(f"{kind} {place}"):
                self.at(page, kind, place)
                before = acts()
                page.reload()
                page.evaluate("customElements.whenDefined('assent-session')")
                page.evaluate(PLACE, view["sessionId"])
                self.at(page, kind, place)
                self.assertEqual(acts(), before)
                if "ACTION_KIND_BACK" in page.evaluate("document.querySelector('assent-session').view.screen.offered"):
                    page.go_back()
                    previous, where, forward = steps[number - 1]
                    self.at(page, previous, where)
                    self.assertEqual(acts(), before + 1)
                    forward()
                    self.at(page, kind, place)
                go()
        now = self.assent.call("SessionService/GetSession", {"sessionId": view["sessionId"]}, "device")["session"]
        self.assertEqual(len(now.get("recordIds", [])), 1)


if __name__ == "__main__":
    unittest.main()
