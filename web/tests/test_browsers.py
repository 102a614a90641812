"""A whole consent by a link in Firefox and in WebKit, as Debian has them; behind scripts/test-web --long."""

import os
import time
import unittest

import driver
import installation
import studies

IS_LONG = bool(os.environ.get("ASSENT_TEST_LONG"))
FIND = """
  const [selector, words] = arguments
  const inside = (root) => [...root.querySelectorAll("*")].flatMap((each) =>
    [each, ...each.shadowRoot ? inside(each.shadowRoot) : []])
  const found = inside(document).filter((each) => each.matches(selector) && each.getClientRects().length > 0
    && !each.closest("[inert]") && !each.disabled && (!words || each.textContent.trim() === words)).pop()
"""


@unittest.skipUnless(IS_LONG and installation.IS_THERE, "scripts/test-web --long walks in other browsers")
class BrowsersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.assent = installation.Installation()
        cls.addClassCleanup(cls.assent.stop)
        studies.install(cls.assent)

    def open(self, kind):
        if not kind.is_there:
            self.skipTest(f"{kind.name} is not installed")
        self.browser = kind()
        self.addCleanup(self.browser.end)
        invitation = self.assent.call("StudyService/CreateInvitation", {"invitation": {"flowId": "heart-alone"}})
        self.browser.go(f"http://localhost:{self.assent.port}{invitation['invitation']['link']}")

    def place(self, selector, words=""):
        """The middle of what is shown, once it stands still."""
        def found():
            return self.browser.run(FIND + """
              if (!found) return null
              found.scrollIntoView({ block: "center" })
              const { left, top, width, height } = found.getBoundingClientRect()
              return [left + width / 2, top + height / 2, width, height]""", selector, words)
        end = time.monotonic() + 60
        before = None
        while time.monotonic() < end:
            now = found()
            if now and now == before:
                return now
            before = now
            time.sleep(0.1)
        self.fail(f"{self.browser.name}: no {selector} {words}, but {self.shown()}")

    def click(self, selector, words=""):
        x, y, _, _ = self.place(selector, words)
        self.browser.click(x, y)

    def at(self, kind, part=""):
        is_there = driver.until(lambda: self.browser.run("""
          const [kind, part] = arguments
          const { view, shadowRoot } = document.querySelector("assent-session") ?? {}
          const shown = shadowRoot?.querySelectorAll(".screen") ?? []
          return shown.length === 1 && shown[0].dataset.kind === kind && view.screen.id.includes(part)
            && document.documentElement.scrollWidth <= innerWidth""", kind, part))
        self.assertTrue(is_there, f"{self.browser.name}: {kind} {part} never comes, but {self.shown()}")

    def shown(self):
        return self.browser.run("""return document.querySelector("assent-session")?.view?.screen?.id
          ?? document.body.innerText.trim().slice(0, 200)""")

    def focus(self, selector):
        self.browser.run(FIND + "found.focus()", selector)

    def walk(self, kind):
        self.open(kind)
        self.at("review")
        self.assertNotIn("#", self.browser.run("return location.href"))
        self.place(".end")
        self.at("review", "+read")
        for question, answer in ((0, "Yes"), (1, "No")):
            self.browser.run(FIND + "found.scrollIntoView()", ".pick")
            x, y = self.browser.run("""
              const { shadowRoot } = document.querySelector("assent-session")
              const group = [...shadowRoot.querySelectorAll("fieldset")].filter((each) =>
                each.querySelector("input[type=radio]"))[arguments[0]]
              const label = [...group.querySelectorAll("label")].find((each) => each.textContent.trim() === arguments[1])
              label.scrollIntoView({ block: "center" })
              const { left, top, width, height } = label.getBoundingClientRect()
              return [left + width / 2, top + height / 2]""", question, answer)
            self.browser.click(x, y)
        self.click("[data-action=ACTION_KIND_AGREE]")
        self.click("dialog [data-action=ACTION_KIND_CONFIRM]")
        self.at("name")
        self.focus("h1")
        self.browser.keys("Tab", *"Amara", "Tab", *"Okafor")
        self.click("[data-action=ACTION_KIND_ENTER_NAME]")
        self.at("signature")
        self.click("[part=scrim]")
        x, y, width, height = self.place(".area")
        self.browser.drag(*((x - width / 3 + step * width / 30, y + (height / 5 if step % 2 else -height / 5))
                            for step in range(20)))
        # Reloaded in the middle of it: the cookie goes on, and the ink is with the server.
        self.place("assent-signature [part=clear], [part=clear]")
        time.sleep(1)
        self.browser.go(f"http://localhost:{self.assent.port}/c")
        self.at("signature")
        self.click("[part=save]", "Save")
        self.place("[part=re-enter]")
        self.click("[data-action=ACTION_KIND_SIGN]")
        self.at("completion")
        self.place("[part=copy] [part=save]")
        self.click("[data-action=ACTION_KIND_DONE]")
        self.at("plain", "!closed")
        records = self.assent.call("RecordService/ListRecords", {"studyId": "choices"})["records"]
        self.assertEqual(records[-1]["state"], "RECORD_STATE_IN_FORCE")
        self.assertEqual(len(records[-1]["signatures"]), 1)

    def test_in_firefox(self):
        self.walk(driver.Firefox)

    def test_in_webkit(self):
        self.walk(driver.WebKit)


if __name__ == "__main__":
    unittest.main()
