"""docs/web.md: its examples run, and its tables are complete."""

import re
import unittest

from browser import ROOT, PageTest, example

DOCUMENT = (ROOT / "docs/web.md").read_text()


ELEMENTS = {name: name.split("-")[1] for name in ("assent-signature", "assent-session", "assent-sync", "assent-verify")}


def chapter(element, title="`<{}>`"):
    """All that is said of an element, or below another title."""
    return re.search(rf"^## {title.format(element)}\n(.*?)(?=^## |\Z)", DOCUMENT, re.DOTALL | re.MULTILINE)[1]


def section(element, title):
    """The text below a heading of an element's chapter, up to the next one."""
    return re.search(rf"^### {title}\n(.*?)(?=^##|\Z)", chapter(element), re.DOTALL | re.MULTILINE)[1]


def names(text):
    """What the first column of a table names."""
    rows = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([\w-]+)`", row)}


class DocumentTest(PageTest):
    def test_the_example_signs(self):
        page = self.open("example.html")
        page.evaluate("window.sent = []; window.stored = []")
        script = "const send = (detail) => sent.push(detail), store = async (given) => stored.push(given);"
        page.evaluate(f"() => {{ {script} {example('assent-signature', 'js')} }}")
        cell = page.locator("assent-signature")
        self.assertTrue(cell.get_by_text("I have received a blood pressure cuff").is_visible())
        cell.get_by_role("button", name="Tap to Sign").click()
        box = page.locator(".area").bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 60)
        page.mouse.down()
        page.mouse.move(box["x"] + 90, box["y"] + 90, steps=5)
        page.mouse.up()
        cell.get_by_role("button", name="Save").click()
        cell.get_by_role("button", name="Re-enter Signature").wait_for()
        self.assertEqual(page.evaluate("stored.map(({ kind }) => kind)"), ["drawn"])
        self.assertEqual(page.evaluate("[...new Set(sent.map(({ kind }) => kind))]"), ["piece"])
        self.assertTrue(page.evaluate("document.forms[0].checkValidity()"))

    def test_it_lists_every_attribute_and_event(self):
        for element, folder in ELEMENTS.items():
            page = self.open(f"{folder}.html")
            self.until(page, f"customElements.get('{element}')")
            attributes = page.evaluate(f"customElements.get('{element}').observedAttributes")
            # Some are read when they are needed, and not observed.
            source = (ROOT / f"web/elements/{folder}/{element}.ts").read_text()
            attributes += re.findall(r'this\.getAttribute\("([\w-]+)"\)', source)
            self.assertEqual(names(section(element, "Attributes")), set(attributes))
            files = [ROOT / f"web/elements/{folder}/{name}.ts" for name in ("events", "signature")]
            typed = "".join(file.read_text() for file in files if file.exists())
            listed = names(section(element, "Events")) - {"change"}
            self.assertEqual({name for name in listed if name.startswith("assent-")},
                             set(re.findall(r'"(assent-[\w-]+)":', typed)))

    def test_it_lists_every_part(self):
        page, cell = self.cell()
        cell.get_by_role("button", name="Tap to Sign").click()
        # The other ways come then, and the one for a phone when it is asked for.
        cell.locator("[part=typing]").wait_for(state="attached")
        asking = (ROOT / "web/phone/asking.ts").read_text()
        later = set(re.findall(r'(?:part: |new Sheet\()"([\w-]+)"', asking))
        parts = page.evaluate(
            """(() => {
              const { shadowRoot } = document.querySelector("assent-signature")
              return [...shadowRoot.querySelectorAll("[part]")].map(({ part }) => part.value)
            })()""")
        listed = section("assent-signature", "Looks").split("by `::part`:")[1]
        self.assertEqual(set(re.findall(r"`([\w-]+)`", listed)), set(parts) | later)
        session = "".join(path.read_text() for path in (ROOT / "web/elements/session").rglob("*.ts"))
        made = re.findall(r'(?:\bpart: (?:\w+ \? "[\w-]+" : )?|new Sheet\()"[\w-]+"', session)
        listed = re.search(r"Parts:\n(.*?); and each button", section("assent-session", "Looks"), re.DOTALL)[1]
        self.assertEqual(set(re.findall(r"`([\w-]+)`", listed)),
                         {name for each in made for name in re.findall(r'"([\w-]+)"', each)})

        sync = "".join(path.read_text() for path in (ROOT / "web/elements/sync").rglob("*.ts"))
        listed = section("assent-sync", "Looks").split("Parts:")[1]
        # What accounts show, too.
        borrowed = {"progress", "picture", "initials", "note"}
        made = re.findall(r'\bpart: "([\w-]+)"|\b(?:section|choice)\(\s*"([\w-]+)"', sync)
        own = {name for pair in made for name in pair if name}
        self.assertEqual(set(re.findall(r"`([\w-]+)`", listed)), own | borrowed)

        verifier = "".join(path.read_text() for path in (ROOT / "web/elements/verify").rglob("*.ts"))
        listed = section("assent-verify", "Looks").split("Parts:")[1]
        self.assertEqual(set(re.findall(r"`([\w-]+)`", listed)), set(re.findall(r'\bpart: "([\w-]+)"', verifier)))

    def test_it_names_tests_that_there_are(self):
        tests = "".join(path.read_text() for path in (ROOT / "web").rglob("test_*.py"))
        named = re.findall(r"`(test_\w+)`", chapter("What goes wrong", "{}"))
        self.assertGreater(len(named), 20)
        self.assertEqual([name for name in named if f"def {name}(" not in tests], [])

    def test_it_names_every_token_that_a_page_sets(self):
        tokens = (ROOT / "web/elements/look/tokens.css").read_text()
        self.assertEqual(
            set(re.findall(r"`(--assent-[\w-]+)`", DOCUMENT)), set(re.findall(r"var\((--assent-[\w-]+)", tokens)))


if __name__ == "__main__":
    unittest.main()
