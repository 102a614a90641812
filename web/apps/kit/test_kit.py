"""The page of all states: accessible in each, in both directions, in every theme, at every size."""

import os
import pathlib
import unittest

from axe_playwright_python.sync_playwright import Axe

from browser import ROOT, PageTest

INK = (ROOT / "web/tests/ink.js").read_text()
RULES = {"rules": {"target-size": {"enabled": True}}}
# scripts/test-web --pictures sets it.
PICTURES = os.environ.get("ASSENT_WEB_PICTURES")
DESK, PHONE, TABLET = {"width": 1280, "height": 900}, {"width": 390, "height": 844}, {"width": 768, "height": 1024}


class KitTest(PageTest):
    def kit(self, direction="", language="en", **options):
        options.setdefault("reduced_motion", "reduce")
        page = self.open("kit/", **options)
        self.until(page, "document.querySelectorAll('assent-signature').length > 10")
        if direction or language != "en":
            page.select_option("[name=direction]", direction)
            page.select_option("[name=language]", language)
        self.until(page, "[...document.querySelectorAll('assent-signature')].every((cell) => "
                         "!cell.shadowRoot.querySelector('.root').hidden)")
        return page

    def assert_accessible(self, page, where):
        found = Axe().run(page, options=RULES)
        faults = [f"{rule['id']}: {node['target']} {node['failureSummary']}"
                  for rule in found.response["violations"] for node in rule["nodes"]]
        with self.subTest(where):
            self.assertEqual(faults, [])

    def test_axe_finds_nothing_in_any_state(self):
        for theme in ("light", "dark"):
            for direction in ("ltr", "rtl"):
                page = self.kit(direction, color_scheme=theme, viewport=DESK)
                self.assert_accessible(page, f"{theme}, {direction}")
        self.assert_accessible(self.kit("", "ar", viewport=PHONE), "Arabic, phone")
        self.assert_accessible(self.kit(contrast="more", viewport=TABLET), "more contrast")
        self.assert_accessible(self.kit(viewport={"width": 320, "height": 600}), "320 px")

    def test_axe_finds_nothing_in_dialogs(self):
        for direction in ("ltr", "rtl"):
            for size in (PHONE, TABLET):
                page = self.kit(direction, viewport=size)
                page.locator("#cell").locator("[part=add]").click()
                self.assert_accessible(page, f"dialog, {direction}, {size}")
                page.locator("#cell").locator("[part=type]").click()
                self.assert_accessible(page, f"typing, {direction}, {size}")
                page.locator("#cell").locator("#name").fill("")
                self.assert_accessible(page, f"typing nothing, {direction}, {size}")

    def test_nothing_is_wider_than_a_narrow_screen(self):
        # 320 pixels are also what 1280 are at 400 %.
        for language in ("en", "de", "ar", "ja"):
            page = self.kit("", language, viewport={"width": 320, "height": 256})
            self.assertEqual(page.evaluate("document.documentElement.scrollWidth"), 320, language)
            page.locator("#cell").locator("[part=add]").click()
            wide = page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)"
                                 "(document.querySelector('#cell').shadowRoot.querySelector('dialog[open]'))")
            self.assertEqual(wide, 0, language)

    def test_saving_moves_nothing_in_any_language(self):
        page = self.kit(viewport=PHONE)
        for language in ("en", "ar", "de", "es", "fr", "ja", "zh"):
            page.select_option("[name=language]", language)
            root = "document.querySelector('#saving').shadowRoot.querySelector('.root')"
            self.until(page, f"{root}.lang === {language!r}")
            heights = page.evaluate("['#signed', '#saving'].map((id) => "
                                    "document.querySelector(id).shadowRoot.querySelector('.foot').clientHeight)")
            self.assertEqual(heights[0], heights[1], language)

    def test_what_a_finger_hits_is_large_enough(self):
        page = self.kit(viewport=PHONE)
        small = page.evaluate(
            """() => [...document.querySelectorAll("assent-signature")].flatMap((cell) =>
              [...cell.shadowRoot.querySelectorAll("button")].filter((button) => button.checkVisibility())
                .map((button) => [cell.id, button.textContent, button.getBoundingClientRect().height])
                .filter(([, , height]) => height < 44))""")
        self.assertEqual(small, [])

    def test_the_ink_takes_the_colour_of_the_theme_when_it_changes(self):
        page = self.kit(viewport=PHONE)
        page.evaluate(f"window.ink = {INK}; window.cell = document.querySelector('#signed')")
        colour = """(() => {
          const { data } = ink.seen(cell)
          const at = data.findIndex((value, i) => i % 4 === 3 && value === 255)
          return [...data.slice(at - 3, at)].join()
        })()"""
        self.assertEqual(page.evaluate(colour), "26,38,112")
        page.select_option("[name=theme]", "dark")
        self.until(page, f"{colour} === '216,222,255'")
        page.select_option("[name=theme]", "light")
        self.until(page, f"{colour} === '26,38,112'")
        page.emulate_media(forced_colors="active")
        style = "getComputedStyle(cell.shadowRoot.querySelector('.ink'))"
        self.until(page, f"{colour} === {style}.color.match(/\\d+/g).join()")

    def test_with_less_motion_nothing_moves(self):
        page = self.kit(viewport=PHONE)
        page.locator("#cell").locator("[part=add]").click()
        durations = page.evaluate(
            """(() => {
              const { shadowRoot } = document.querySelector("#cell")
              const dialog = getComputedStyle(shadowRoot.querySelector("dialog[open]"))
              return [dialog.animationDuration, getComputedStyle(shadowRoot.querySelector(".btn")).transitionDuration]
            })()""")
        self.assertEqual(durations, ["0.001s", "0.001s, 0.001s, 0.001s"])

    def test_a_tenants_tokens_reach_the_elements(self):
        page = self.kit(viewport=PHONE)
        page.evaluate("document.documentElement.style.setProperty('--assent-brand', 'rgb(0, 100, 0)')")
        page.evaluate("document.documentElement.style.setProperty('--assent-radius', '4px')")
        style = "getComputedStyle(document.querySelector('#signed').shadowRoot.querySelector('.go'))"
        self.until(page, f"{style}.backgroundColor === 'rgb(0, 100, 0)'")
        self.assertEqual(page.evaluate(f"{style}.borderRadius"), "4px")

    def test_a_screen_reader_alone_signs(self):
        """Reads nothing but the tree of accessibility, and acts by role and name."""
        page = self.kit(viewport=PHONE)
        cell = page.locator("#inactive")
        self.assertIn('group "Signature of Amara Okafor', cell.aria_snapshot())
        cell.get_by_role("button", name="Tap to Sign").press("Enter")
        tree = cell.aria_snapshot()
        self.assertIn('img "Signature area, empty. Press Enter to type your name instead."', tree)
        self.assertIn("status: Ready to sign.", tree)
        cell.get_by_role("button", name="Type instead").press("Enter")
        tree = cell.aria_snapshot()
        for part in ('dialog "Type your signature"', 'textbox "Your name"', 'radio "Handwritten: Amara Okafor" [checked]',
                     'radio "Plain: Amara Okafor"'):
            self.assertIn(part, tree)
        cell.get_by_role("dialog").get_by_role("button", name="Save").press("Enter")
        cell.get_by_role("button", name="Re-enter Signature").wait_for()
        tree = cell.aria_snapshot()
        self.assertIn('img "Saved signature, typed: Amara Okafor"', tree)
        self.assertIn("status: Signature saved.", tree)

    @unittest.skipUnless(PICTURES, "pictures are made by scripts/test-web --pictures")
    def test_pictures(self):
        folder = pathlib.Path(PICTURES)
        folder.mkdir(parents=True, exist_ok=True)
        looks = {
            "light": {"viewport": DESK}, "dark": {"viewport": DESK, "color_scheme": "dark"},
            "rtl": {"viewport": DESK, "language": "ar"}, "phone": {"viewport": PHONE, "device_scale_factor": 2},
            "tablet": {"viewport": TABLET}, "narrow": {"viewport": {"width": 320, "height": 700}},
            "forced": {"viewport": DESK, "forced_colors": "active"}, "german": {"viewport": PHONE, "language": "de"},
        }
        for name, options in looks.items():
            page = self.kit(**options)
            page.wait_for_timeout(300)
            page.screenshot(path=folder / f"{name}.png", full_page=True)
        for name, size in (("phone", PHONE), ("tablet", TABLET)):
            for theme in ("light", "dark"):
                page = self.kit(viewport=size, color_scheme=theme)
                page.locator("#cell").locator("[part=add]").click()
                page.wait_for_timeout(300)
                page.screenshot(path=folder / f"dialog-{name}-{theme}.png")
                page.locator("#cell").locator("[part=type]").click()
                page.wait_for_timeout(300)
                page.screenshot(path=folder / f"typing-{name}-{theme}.png")


if __name__ == "__main__":
    unittest.main()
