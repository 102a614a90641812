"""A whole walk at the console by keyboard alone: from signing in to a link for the first participant."""

import unittest

import installation
from test_console import DESK, Console

FOCUSED = """(() => {
  const at = document.activeElement
  const label = at.labels?.[0]?.textContent ?? document.getElementById(at.getAttribute("aria-labelledby"))?.textContent
  return (at.getAttribute("aria-label") ?? label ?? at.textContent ?? "").trim()
})()"""


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class ConsoleKeysTest(Console):
    def reach(self, page, name, key="Tab"):
        """Presses Tab until something of this name has the focus."""
        seen = []
        for _ in range(120):
            page.keyboard.press(key)
            seen.append(page.evaluate(FOCUSED))
            if seen[-1] == name:
                return
        self.fail(f"{name} is not reached: {seen}")

    def press(self, page, name):
        self.reach(page, name)
        page.keyboard.press("Enter")

    def type(self, page, name, text):
        self.reach(page, name)
        page.keyboard.press("Control+a")
        page.keyboard.type(text)

    def choose(self, page, name, option):
        self.reach(page, name)
        page.keyboard.type(option)

    def find(self, page, text, title):
        """Goes to a page by the palette."""
        page.keyboard.press("Control+k")
        page.locator("dialog.palette[open]").wait_for()
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        page.locator("main h1", has_text=title).wait_for()

    def closed(self, page):
        page.locator("dialog[open]").wait_for(state="detached")

    def test_from_signing_in_to_a_link_by_keys_alone(self):
        code, passcode = self.assent.staff("Keyboard", "admin@*", "publisher@*", "coordinator@*")
        page = self.open(f"console#{code}", allowed=("status of 4",), reduced_motion="reduce", viewport=DESK)
        page.locator("[name=passcode]").wait_for()
        self.type(page, "Passcode", passcode)
        page.keyboard.press("Enter")
        page.locator(".app main h1").wait_for()

        self.find(page, "Studies", "Studies")
        self.press(page, "Create a Study")
        page.keyboard.type("Tides")
        self.type(page, "Identifier", "tides")
        # This study lets one person publish.
        self.reach(page, "Publishing needs a second person")
        page.keyboard.press("Space")
        self.press(page, "Create a Study")
        self.closed(page)
        page.locator("main h1", has_text="Tides").wait_for()

        self.find(page, "Documents", "Documents")
        self.press(page, "New Document")
        page.keyboard.type("Tides")
        self.type(page, "Identifier", "tides-doc")
        self.press(page, "New Document")
        self.closed(page)
        page.locator("main h1", has_text="Tides").first.wait_for()
        page.get_by_label("Kind of section").wait_for()
        self.choose(page, "Kind of section", "Only")
        self.press(page, "Add Section")
        page.get_by_label("Title in the document").wait_for()
        self.type(page, "Text, with bold, lists and links (Markdown)", "We measure **tides**.")
        for topic, add, fields in (
                ("Purposes", "Add a Purpose", {"What people call it, or the question that asks for it": "Tides"}),
                ("Signatures", "Add a Signature",
                 {"How the signer is called": "Participant", "What signing means": "I agree."})):
            self.reach(page, topic, "Shift+Tab")
            page.keyboard.press("Enter")
            self.press(page, add)
            for name, text in fields.items():
                self.type(page, name, text)
        page.get_by_text("Draft saved").wait_for()
        page.wait_for_timeout(1200)
        self.reach(page, "Versions and publishing", "Shift+Tab")
        page.keyboard.press("Enter")
        page.get_by_text("Nothing prevents publishing").or_(page.get_by_text("Warning").first).first.wait_for()
        self.press(page, "Publish…")
        self.press(page, "Publish")
        self.closed(page)

        page.locator("main").get_by_text("Published by").wait_for()
        self.press(page, "Make a Flow")
        self.type(page, "Whom people may ask", "Amina Yusuf")
        self.press(page, "Make a Flow")
        self.closed(page)
        page.get_by_role("button", name="Publish: Tides").wait_for()
        self.press(page, "Publish: Tides")
        page.get_by_role("button", name="Publish: Tides").wait_for(state="detached")
        self.find(page, "Invitations", "Invitations")
        self.press(page, "Invite Somebody")
        self.type(page, "Identifier of the person", "T-1")
        self.press(page, "Invite Somebody")
        page.locator("dialog[open] h2", has_text="T-1").wait_for()
        # Done has the focus.
        page.keyboard.press("Enter")
        self.closed(page)
        page.get_by_role("link", name="T-1").wait_for()


if __name__ == "__main__":
    unittest.main()
