"""Every recorded screen in the page of all states: accessible, in every theme, direction and size."""

import json
import os
import pathlib
import re
import unittest

from axe_playwright_python.sync_playwright import Axe

from browser import ROOT, PageTest

RULES = {"rules": {"target-size": {"enabled": True}}}
SCREENS = list(json.loads((ROOT / "web/apps/kit/recorded.json").read_text()))
PICTURES = os.environ.get("ASSENT_WEB_PICTURES")
ONLY_SESSION = {"include": [["assent-session"]]}


class RecordedTest(unittest.TestCase):
    def test_every_screen_and_alert_of_the_contract_was_recorded(self):
        contract = "".join((ROOT / f"proto/assent/consent/v1/{name}.proto").read_text()
                           for name in ("screen", "document", "session"))
        recorded = (ROOT / "web/apps/kit/recorded.json").read_text()
        # Staff has to look at a walk without a connection; nothing rests long enough here to expire.
        unseen = {"SESSION_OUTCOME_EXPIRED", "SESSION_OUTCOME_NEEDS_ATTENTION"}
        for kind in ("SCREEN_KIND", "ALERT_KIND", "ACTION_KIND", "QUESTION_KIND", "SCREEN_TRANSITION",
                     "SCREEN_WAY_KIND", "SESSION_OUTCOME"):
            values = set(re.findall(rf"^  ({kind}_\w+) = [1-9]", contract, re.M))
            self.assertGreater(len(values), 2, kind)
            self.assertEqual({value for value in values if f'"{value}"' not in recorded} - unseen, set())


class ScreensTest(PageTest):
    def kit(self, **options):
        options.setdefault("reduced_motion", "reduce")
        options.setdefault("viewport", {"width": 1280, "height": 1000})
        page = self.open("kit/", allowed=("404", "503"), **options)
        self.until(page, "document.querySelectorAll('[name=screen] option').length > 50")
        return page

    def show(self, page, name):
        page.select_option("[name=screen]", name)
        self.until(page, """(() => {
          const session = document.querySelector("assent-session")
          return session.view && session.shadowRoot.querySelectorAll(".screen").length === 1
        })()""")

    def assert_accessible(self, page, where):
        found = Axe().run(page, context=ONLY_SESSION, options=RULES)
        faults = [f"{rule['id']}: {node['target']} {node['failureSummary']}"
                  for rule in found.response["violations"] for node in rule["nodes"]]
        with self.subTest(where):
            self.assertEqual(faults, [])

    def test_axe_finds_nothing_on_any_screen(self):
        for theme, size in (("light", "phone"), ("dark", "landscape")):
            page = self.kit(color_scheme=theme)
            page.select_option("[name=size]", size)
            page.select_option("[name=direction]", "rtl" if theme == "dark" else "ltr")
            for name in SCREENS:
                self.show(page, name)
                self.assert_accessible(page, f"{name}, {theme}, {size}")

    def test_the_server_may_go_away_at_every_screen(self):
        page = self.kit()
        for name in SCREENS:
            page.select_option("[name=server]", "")
            self.show(page, name)
            # From now on: what is shown stays, and says that it does.
            offered = page.evaluate("""(() => {
              document.querySelector("[name=server]").value = "away"
              const session = document.querySelector("assent-session")
              const [kind] = session.view.screen.offered ?? []
              if (kind) void session.act({ kind })
              return kind
            })()""")
            if not offered:
                continue
            self.until(page, "document.querySelector('assent-session').shadowRoot.querySelector('[part=try-now]')"
                             "?.checkVisibility()", name)
            told = page.evaluate("""(() => {
              const { shadowRoot } = document.querySelector("assent-session")
              return [shadowRoot.querySelector("[part=notice]:has([part=try-now])").textContent,
                shadowRoot.querySelectorAll("h1").length, shadowRoot.querySelector(".root").lang]
            })()""")
            with self.subTest(name):
                self.assertEqual(told[1], 1)
                if told[2] == "en":
                    self.assertIn("No connection at the moment", told[0])

    def test_nothing_is_wider_than_a_narrow_screen(self):
        page = self.kit()
        page.select_option("[name=size]", "narrow")
        for name in SCREENS:
            self.show(page, name)
            wide = page.evaluate(
                """(() => {
                  const { shadowRoot } = document.querySelector("assent-session")
                  const boxes = shadowRoot.querySelectorAll(".body, .bar, .tools, dialog[open]")
                  return [...boxes].filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth)
                    .map((box) => box.className)
                })()""")
            with self.subTest(name):
                self.assertEqual(wide, [])

    def test_main_actions_are_high_enough_for_a_finger(self):
        page = self.kit()
        for name in SCREENS:
            self.show(page, name)
            small = page.evaluate(
                """[...document.querySelector("assent-session").shadowRoot
                  .querySelectorAll("button, summary, .pick, .in")]
                  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44)
                  .map((each) => each.outerHTML)""")
            with self.subTest(name):
                self.assertEqual(small, [])

    def test_margins_are_the_designs(self):
        page = self.kit()
        for size, margin in (("phone", "24px"), ("tablet", "48px"), ("landscape", "252px")):
            page.select_option("[name=size]", size)
            self.show(page, "form-single")
            style = page.evaluate(
                """(() => {
                  const body = document.querySelector("assent-session").shadowRoot.querySelector(".screen > .body")
                  const { paddingInlineStart, paddingBlockEnd } = getComputedStyle(body)
                  return [paddingInlineStart, paddingBlockEnd]
                })()""")
            self.assertEqual(style, [margin, "64px"])

    def test_hostile_markup_becomes_harmless_elements(self):
        page = self.kit()
        hostile = "".join([
            "<h1>Read <b>this</b></h1><script>hit()</script><img src=x onerror=hit()>",
            "<p onclick='hit()' title=\"a&quot;b\">",
            "<a href='javascript:hit()'>one</a> <a href='https://example.org/?a=1&amp;b=2'>two</a></p>",
            "<svg><script>hit()</script><p>in</p></svg><iframe src=//example.org></iframe>",
            "<style>*{display:none}</style>",
            "<form action=//example.org><button>go</button></form><p style='position:fixed'>three</p><table><td>four",
            "</div></div></section><p>&lt;script&gt;hit()&lt;/script&gt; &#60;b&#62; &unknown; <", "<p" * 200,
            "<div>" * 5000,
        ])
        page.evaluate(
            """(html) => {
              window.hit = () => { window.isHit = true }
              const view = { ...document.querySelector("assent-session").view, version: 1 }
              const screen = { ...view.screen, kind: "SCREEN_KIND_REVIEW", id: "review/read", title: "<b>Title</b>",
                html, offered: ["ACTION_KIND_BACK"], learnMore: undefined, text: "<img src=x onerror=hit()>" }
              const body = JSON.stringify({ session: { ...view, screen } })
              const session = document.createElement("assent-session")
              session.setAttribute("session", "hostile")
              session.fetch = () => Promise.resolve(
                new Response(body, { headers: { "content-type": "application/json" } }))
              document.querySelector("#device").replaceChildren(session)
            }""", hostile)
        self.until(page, "document.querySelector('assent-session').shadowRoot.querySelector('.markup')")
        page.wait_for_timeout(300)
        made = page.evaluate(
            """(() => {
              const text = document.querySelector("assent-session").shadowRoot.querySelector(".markup")
              const all = [...text.querySelectorAll("*")]
              return {
                names: [...new Set(all.map((each) => each.localName))].sort(), text: text.textContent,
                attributes: [...new Set(all.flatMap((each) => each.getAttributeNames()))].sort(),
                links: [...text.querySelectorAll("a")].map((each) => each.getAttribute("href")),
                isHit: !!window.isHit,
                title: document.querySelector("assent-session").shadowRoot.querySelector("h1").textContent,
              }
            })()""")
        self.assertFalse(made["isHit"])
        self.assertEqual(made["title"], "<b>Title</b>")
        self.assertEqual(made["links"], [None, "https://example.org/?a=1&b=2"])
        self.assertLessEqual(set(made["names"]), {"h2", "b", "img", "p", "a", "table", "td", "div"})
        self.assertLessEqual(set(made["attributes"]), {"title", "href", "target", "rel"})
        self.assertIn("<script>hit()</script> <b> &unknown; <", made["text"])
        self.assertNotIn("goin", made["text"])

    @unittest.skipUnless(PICTURES, "pictures are made by scripts/test-web --pictures")
    def test_pictures(self):
        phone, tablet, landscape, narrow = (390, 844), (768, 1024), (1024, 768), (320, 568)
        for look, options, (width, height) in (
                ("phone", {}, phone), ("dark", {"color_scheme": "dark"}, phone), ("rtl", {}, phone),
                ("tablet", {}, tablet), ("landscape", {}, landscape), ("narrow", {}, narrow), ("forced", {"forced_colors": "active"}, phone)):
            folder = pathlib.Path(PICTURES, "session", look)
            folder.mkdir(parents=True, exist_ok=True)
            page = self.kit(viewport={"width": width, "height": height}, **options)
            page.select_option("[name=direction]", "rtl" if look == "rtl" else "")
            # The screen takes the window, so that alerts and dialogs are where they would be.
            page.evaluate(
                """() => {
                  const sheet = new CSSStyleSheet()
                  sheet.replaceSync("#device { position: fixed; z-index: 1; inset: 0; margin: 0; border-radius: 0;"
                    + "inline-size: auto; max-inline-size: none; block-size: auto; box-shadow: none }")
                  document.adoptedStyleSheets.push(sheet)
                }""")
            for name in SCREENS:
                self.show(page, name)
                page.wait_for_timeout(100)
                page.screenshot(path=folder / f"{name}.png")


if __name__ == "__main__":
    unittest.main()
