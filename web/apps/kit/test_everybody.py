"""Every element in each of its states: in forced colours, with less motion, and where text is pasted without end."""

import unittest

from browser import PageTest

# What may be chosen in the page of all states: an element's form, the choice of its state, and the element.
KINDS = (("screen", "assent-session"), ("view", "#shared"), ("state", "#synced"))
INSIDE = """(() => {
  const inside = (root) => [...root.querySelectorAll("*")].flatMap((each) =>
    [each, ...each.shadowRoot ? inside(each.shadowRoot) : []])
  return inside(document.querySelector("main")).filter((each) => each.getRootNode() !== document)
})()"""


class EverybodyTest(PageTest):
    def kit(self, **options):
        options.setdefault("viewport", {"width": 1280, "height": 1000})
        page = self.open("kit/", allowed=("status of 4", "503"), **options)
        self.until(page, "document.querySelectorAll('[name=screen] option').length > 50")
        return page

    def states(self, page):
        """Goes through all states of all elements; those of the signature stand side by side."""
        for choice, element in KINDS:
            for name in page.locator(f"[name={choice}] option").evaluate_all("(all) => all.map(({ value }) => value)"):
                page.select_option(f"[name={choice}]", name)
                self.until(page, f"""(() => {{
                  const element = document.querySelector("{element}")
                  return element && [...element.shadowRoot.querySelectorAll("h1, h2, .failure")].length > 0
                    && element.shadowRoot.querySelectorAll("[inert].screen").length === 0
                }})()""")
                yield f"{element}, {name}"

    def test_in_forced_colours_every_control_has_an_edge(self):
        page = self.kit(forced_colors="active", reduced_motion="reduce")
        for state in self.states(page):
            bare = page.evaluate(INSIDE + """.filter((each) => each.matches("button, .in, .pick, .card, .meter, .face")
              && each.checkVisibility() && !each.matches(".link, .bare, .item, .pad *, .area, .area *, img"))
              .filter((each) => {
                const { borderStyle, borderWidth, outlineStyle } = getComputedStyle(each)
                return (borderStyle === "none" || parseFloat(borderWidth) < 1) && outlineStyle === "none"
              }).map((each) => each.outerHTML.slice(0, 200))""")
            with self.subTest(state):
                self.assertEqual(bare, [])

    def test_with_less_motion_nothing_moves_but_a_ring(self):
        page = self.kit(reduced_motion="reduce")
        for state in self.states(page):
            moving = page.evaluate(INSIDE + """.filter((each) => {
              const { transitionDuration, animationDuration, animationName } = getComputedStyle(each)
              const lasts = (all) => all.split(",").some((one) => parseFloat(one) > 0.002)
              return lasts(transitionDuration) || animationName !== "none" && lasts(animationDuration)
            }).map((each) => each.outerHTML.slice(0, 200))""")
            with self.subTest(state):
                self.assertEqual(moving, [])

    def test_no_field_takes_ten_megabytes(self):
        page = self.kit(reduced_motion="reduce")
        fields = 0
        for state in self.states(page):
            taken = page.evaluate("(flood) => " + INSIDE + """
              .filter((each) => each.matches("input:is([type=text], [type=password], [type=search], :not([type]))"))
              .filter((each) => each.checkVisibility()).map((input) => {
                input.value = ""
                input.focus()
                // As when somebody pastes; a browser takes a second for ten megabytes of its own.
                document.execCommand("insertText", false, flood)
                const { length } = input.value
                input.value = ""
                return length
              })""", "a1" * 2000)
            fields += len(taken)
            with self.subTest(state):
                self.assertEqual([length for length in taken if length > 2000], [])
        self.assertGreater(fields, 15)
        # Ten megabytes indeed, in one of them.
        page.select_option("[name=view]", "onboarding")
        page.locator("#shared").locator("#name").focus()
        page.evaluate("""() => document.querySelector("#shared").shadowRoot.querySelector("#name").dispatchEvent(
          new ClipboardEvent("paste", { bubbles: true, cancelable: true }))""")
        page.evaluate("document.execCommand('insertText', false, 'a'.repeat(10 << 20))")
        self.assertEqual(len(page.locator("#shared").locator("#name").input_value()), 256)


if __name__ == "__main__":
    unittest.main()
