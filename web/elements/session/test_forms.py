"""Consent forms on the page, sentence by sentence of the pattern that they follow, with the real programs."""

import unittest

import installation
from walking import PHONE, TABLET, StudyWalking

# Notes how each screen and modal comes and goes.
WATCH = """() => {
  window.moves = []
  const note = (element, kind) => {
    const how = element.dataset?.[kind]
    if (how) moves.push(`${kind} ${element.classList[0]} ${how}`)
  }
  const both = (element) => ["arriving", "leaving"].forEach((kind) => note(element, kind))
  new MutationObserver((changes) => changes.forEach(({ type, target, addedNodes, attributeName }) => {
    if (type === "attributes") note(target, attributeName.slice("data-".length))
    else addedNodes.forEach(both)
  })).observe(document.querySelector("assent-session").shadowRoot, {
    subtree: true, childList: true, attributes: true, attributeFilter: ["data-arriving", "data-leaving"] })
}"""

# Longer and longer texts, until twice it did not fit: how much room is left below "learn more", whether the text
# scrolls, and whether the bar, which has the screen's colour, has a shadow at the text's end and at its beginning.
FILL = """async () => {
  const root = document.querySelector("assent-session").shadowRoot, found = []
  const [screen, bar, body, text, link] = [".screen", ".bar", ".body", ".body .read", ".body .more"].map((each) =>
    root.querySelector(each))
  for (let scrolled = 0; scrolled < 2;) {
    text.append(" And so on, and so on, and so on.".repeat(3))
    const room = body.getBoundingClientRect().bottom - link.getBoundingClientRect().bottom
    const scrolls = body.scrollHeight > body.clientHeight, shadows = []
    for (const top of [9999, 0]) {
      body.scrollTop = top
      await new Promise((done) => setTimeout(done, 300))
      const { boxShadow, backgroundColor } = getComputedStyle(bar)
      const isSame = ["rgba(0, 0, 0, 0)", getComputedStyle(screen).backgroundColor].includes(backgroundColor)
      shadows.push(isSame ? boxShadow !== "none" : backgroundColor)
    }
    found.push([room, scrolls, shadows])
    if (scrolls) scrolled += 1
  }
  return found
}"""


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class FormsTest(StudyWalking):
    def begun(self, **options):
        """Before the first form: three pages that need a yes, a single form, two pages, and a form that needs a yes."""
        page, session, _ = self.session("field-onboarding", **options)
        self.at(page, "instruction")
        return page, session

    def go(self, page, session, *steps):
        for action, place in steps:
            self.press(session, action)
            self.at(page, "form", place)

    def alert(self, session):
        return session.get_by_role("alertdialog")

    def test_modals_slide_up_and_down_and_steps_are_pushed(self):
        page, session = self.begun(reduced_motion="no-preference")
        page.evaluate(WATCH)
        for action, kind, place, moves in (
                ("NEXT", "form", "terms", ["leaving modal sink", "arriving modal after"]),
                ("NEXT", "form", "page-2", ["leaving screen push", "arriving screen push"]),
                ("BACK", "form", "page-1", ["leaving screen pop", "arriving screen pop"]),
                ("NEXT", "form", "page-2", ["leaving screen push", "arriving screen push"]),
                ("NEXT", "form", "page-3", ["leaving screen push", "arriving screen push"]),
                # Single forms are modals of their own, and each sequence is one.
                ("ALLOW", "form", "location", ["leaving modal sink", "arriving modal after"]),
                ("ALLOW", "form", "diagnostics", ["leaving modal sink", "arriving modal after"]),
                ("NEXT", "form", "page-2", ["leaving screen push", "arriving screen push"]),
                ("NOT_NOW", "form", "camera", ["leaving modal sink", "arriving modal after"]),
                ("ALLOW", "completion", "", ["leaving modal sink", "arriving modal after"]),
                ("DONE", "plain", "!closed", ["leaving modal sink"])):
            page.evaluate("void (window.moves = [])")
            self.press(session, action)
            self.at(page, kind, place)
            self.assertEqual(sorted(page.evaluate("moves")), sorted(moves), f"{action} to {place}")

    def test_the_bar_has_cancel_first_and_back_to_the_title_before_afterwards(self):
        page, session = self.begun()

        def ends():
            return [session.locator(f".bar > .btn.{end}").all_text_contents() for end in ("leading", "trailing")]
        self.go(page, session, ("NEXT", "terms"))
        self.assertEqual(ends(), [["Cancel"], ["Next"]])
        self.assertEqual(session.locator(".tools button").count(), 0)
        for number, before in ((2, "Your work orders"), (3, "Times and signatures")):
            self.go(page, session, ("NEXT", f"page-{number}"))
            self.assertEqual(ends()[0], [f"Back to {before}"])
            self.assertEqual(session.locator("[part=page]").text_content(), f"{number} of 3")
            self.assertEqual(session.locator(".tools button").all_text_contents(), [] if number == 2
                             else ["Deny", "Allow"])
        self.go(page, session, ("ALLOW", "location"))
        self.assertEqual(ends(), [["Cancel"], []])
        self.assertEqual(session.locator(".tools button").all_text_contents(), ["Not Now", "Allow"])
        # A single form has no title in its bar, and one above its text.
        self.assertEqual(session.locator(".middle").text_content(), "")
        self.assertEqual(session.locator("h1").text_content(), "Find the way to your customers")

    def test_alerts_have_two_buttons_and_optional_forms_ask_nothing(self):
        page, session = self.begun()
        self.go(page, session, ("NEXT", "terms"))

        def asked(action, name, answer):
            self.press(session, action)
            self.alert(session).filter(has_text=name).wait_for()
            self.assertEqual(self.alert(session).get_by_role("button").count(), 2)
            self.alert(session).get_by_role("button", name=answer, exact=True).click()
            self.alert(session).wait_for(state="hidden")
        asked("CANCEL", "Quit onboarding?", "No")
        self.at(page, "form", "terms")
        self.go(page, session, ("NEXT", "page-2"), ("NEXT", "page-3"))
        asked("DENY", "Your consent is needed", "Return to Consent")
        self.at(page, "form", "page-3")
        self.go(page, session, ("ALLOW", "location"))
        asked("CANCEL", "Quit onboarding?", "No")
        page.evaluate("""void (window.asked = 0, new MutationObserver(() => {
          window.asked += document.querySelector("assent-session").shadowRoot.querySelectorAll("dialog[open]").length
        }).observe(document.querySelector("assent-session").shadowRoot, { subtree: true, attributes: true }))""")
        self.go(page, session, ("NOT_NOW", "diagnostics"), ("NEXT", "page-2"), ("ALLOW", "camera"))
        self.assertEqual(page.evaluate("asked"), 0)
        asked("DENY", "Your consent is needed", "Return to Consent")
        self.press(session, "ALLOW")
        self.at(page, "completion")

    def test_it_scrolls_once_the_room_below_learn_more_is_used_up_and_then_the_bar_has_a_shadow(self):
        for size in (PHONE, TABLET, {"width": TABLET["height"], "height": TABLET["width"]}):
            page, session = self.begun(viewport=size)
            self.go(page, session, ("NEXT", "terms"), ("NEXT", "page-2"))
            # Without the tools, and with them.
            for steps in ((), (("NEXT", "page-3"), ("ALLOW", "location"))):
                self.go(page, session, *steps)
                found = page.evaluate(FILL)
                self.assertFalse(found[0][1], "a short text fits")
                for room, scrolls, shadows in found:
                    with self.subTest(size=size, steps=len(steps), room=room):
                        self.assertEqual(scrolls, room < 64 - .5)
                        self.assertEqual(shadows, [scrolls, False])

    def test_predefined_sections_move_into_each_other(self):
        page, session, _ = self.session(reduced_motion="no-preference")
        self.at(page, "instruction", "hello")
        self.press(session, "NEXT")
        self.at(page, "visual", "welcome")
        for place in ("data", "privacy", "use", "time", "survey", "tasks", "leaving"):
            page.evaluate("""() => {
              const { shadowRoot } = document.querySelector("assent-session"), picture = shadowRoot.querySelector(".ill")
              window.moved = 0
              document.addEventListener("assent-screen", () => {
                window.stays = shadowRoot.querySelector(".screen:last-child .ill") === picture
                window.moved = picture.getAnimations({ subtree: true }).length
              }, { once: true })
            }""")
            self.press(session, "NEXT")
            self.at(page, "visual", place)
            self.assertEqual(page.evaluate("[stays, moved > 2]"), [True, True], place)


if __name__ == "__main__":
    unittest.main()
