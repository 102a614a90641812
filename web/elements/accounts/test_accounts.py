"""Every recorded screen of accounts in the page of all states: accessible, in every theme, direction and size."""

import json
import os
import pathlib
import re
import unittest

from axe_playwright_python.sync_playwright import Axe

from browser import ROOT, PageTest

RULES = {"rules": {"target-size": {"enabled": True}}}
VIEWS = json.loads((ROOT / "web/apps/kit/accounts.json").read_text())
PICTURES = os.environ.get("ASSENT_WEB_PICTURES")


class AccountsTest(PageTest):
    def kit(self, size, **options):
        options.setdefault("reduced_motion", "reduce")
        options.setdefault("viewport", {"width": 1280, "height": 1000})
        page = self.open("kit/", allowed=("status of 4", "404", "503"), **options)
        page.select_option("[name=shape]", size)
        return page

    def show(self, page, name):
        page.select_option("[name=view]", name)
        kind = VIEWS[name]["kind"].replace("ACCOUNT_VIEW_KIND_", "")
        self.until(page, f"document.querySelector('#shared')?.shadowRoot.querySelector('[data-kind={kind}]')")

    def test_every_kind_of_view_was_recorded(self):
        contract = (ROOT / "proto/assent/account/v1/view_service.proto").read_text()
        kinds = set(re.findall(r"^  (ACCOUNT_VIEW_KIND_\w+) = [1-9]", contract, re.M))
        self.assertEqual(kinds - {view["kind"] for view in VIEWS.values()}, set())

    def test_axe_finds_nothing_on_any_view(self):
        for theme, size in (("light", "phone"), ("dark", "landscape")):
            page = self.kit(size, color_scheme=theme)
            page.select_option("[name=direction]", "rtl" if theme == "dark" else "ltr")
            for name in VIEWS:
                self.show(page, name)
                found = Axe().run(page, context={"include": [["assent-accounts"]]}, options=RULES)
                faults = [f"{rule['id']}: {node['target']} {node['failureSummary']}"
                          for rule in found.response["violations"] for node in rule["nodes"]]
                with self.subTest(f"{name}, {theme}"):
                    self.assertEqual(faults, [])

    def test_nothing_is_wider_than_a_narrow_screen_or_too_low_for_a_finger(self):
        page = self.kit("narrow")
        for name in VIEWS:
            self.show(page, name)
            with self.subTest(name):
                self.assertEqual(page.evaluate(
                    """[...document.querySelector("#shared").shadowRoot.querySelectorAll(".screen, .body, .bar")]
                      .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.className)"""), [])
                self.assertEqual(page.evaluate(
                    """[...document.querySelector("#shared").shadowRoot.querySelectorAll("button, input")]
                      .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44)
                      .map((each) => each.outerHTML)"""), [])

    def test_the_server_may_go_away_at_every_view(self):
        page = self.kit("phone")
        for name in VIEWS:
            page.select_option("[name=presence]", "")
            self.show(page, name)
            # Whatever can be pressed there: what was typed stays, unless it is a secret.
            pressed = page.evaluate("""(() => {
              document.querySelector("[name=presence]").value = "away"
              const { shadowRoot } = document.querySelector("#shared")
              for (const field of shadowRoot.querySelectorAll("input")) {
                field.value = "walk walk 1"
                field.dispatchEvent(new Event("input", { bubbles: true }))
              }
              const way = [...shadowRoot.querySelectorAll("button")].find(({ dataset: { action } }) => action
                && !/_(DONE|TRY_AGAIN|SEARCH|BACK|CANCEL)$/.test(action))
              way?.click()
              return way?.dataset.action
            })()""")
            if not pressed:
                continue
            self.until(page, "document.querySelector('#shared').shadowRoot.querySelector('[role=alert]')?.textContent",
                       f"{name}, {pressed}")
            said = page.locator("#shared").get_by_role("alert").text_content()
            left = page.evaluate("""[...document.querySelector("#shared").shadowRoot.querySelectorAll("input")]
              .map(({ type, value }) => type === "password" || value)""")
            with self.subTest(name):
                self.assertEqual({each for each in left if each is not True} - {"walk walk 1"}, set())
                if VIEWS[name]["locale"] == "en":
                    self.assertIn("Signing in with a provider needs a connection." if "WITH_IDENTITY" in pressed
                                  else "The server cannot be reached.", said)

    def test_a_title_has_two_rows_on_a_phone_and_one_on_a_tablet(self):
        heights = []
        for size in ("phone", "landscape"):
            page = self.kit(size)
            self.show(page, "sign in")
            heights.append(page.evaluate("""(() => {
              const title = document.querySelector("#shared").shadowRoot.querySelector(".application h1")
              return Math.round(title.clientHeight / parseFloat(getComputedStyle(title).lineHeight))
            })()"""))
        self.assertEqual(heights, [2, 1])

    @unittest.skipUnless(PICTURES, "scripts/test-web --pictures makes them")
    def test_pictures(self):
        for look, size, theme in (("phone", "phone", "light"), ("dark", "phone", "dark"), ("rtl", "phone", "light"),
                                  ("tablet", "tablet", "light"), ("landscape", "landscape", "light")):
            folder = pathlib.Path(PICTURES, "accounts", look)
            folder.mkdir(parents=True, exist_ok=True)
            page = self.kit(size, color_scheme=theme)
            page.select_option("[name=direction]", "rtl" if look == "rtl" else "")
            for name in VIEWS:
                self.show(page, name)
                page.locator("#shared").screenshot(path=folder / f"{name}.png")


if __name__ == "__main__":
    unittest.main()
