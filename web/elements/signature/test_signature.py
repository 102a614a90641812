"""The cell for signatures: its states, its words, its ways without drawing, its value."""

import base64
import re
import unittest

from browser import ROOT, PageTest

INK = (ROOT / "web/tests/ink.js").read_text()
DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
HOSTILE = "<img src=x onerror=alert(1)>\u202e O'Hara & \"Söhne\""


class SignatureTest(PageTest):
    def cell(self, attributes=None, signer="Amara Okafor", **options):
        page, cell = super().cell(attributes={"required": "", "signer": signer, **(attributes or {})}, **options)
        page.evaluate(
            f"""() => {{
              window.ink = {INK}
              window.cell = document.querySelector("assent-signature")
              window.said = []
              window.told = []
              const listen = (status) => new MutationObserver(() => status.textContent && said.push(status.textContent))
                .observe(status, {{ childList: true }})
              for (const status of cell.shadowRoot.querySelectorAll("[role=status]")) listen(status)
              for (const name of ["assent-state", "assent-signed", "change"]) {{
                cell.addEventListener(name, (event) => told.push(event.detail?.state ?? name))
              }}
            }}""")
        return page, cell

    def draw(self, page):
        """With a mouse, as a person does."""
        box = page.locator(".area").bounding_box()
        page.mouse.move(box["x"] + 40, box["y"] + 60)
        page.mouse.down()
        for step in range(12):
            page.mouse.move(box["x"] + 40 + step * 12, box["y"] + 60 + 30 * (step % 2))
        page.mouse.up()

    def buttons(self, cell):
        """The buttons that are seen, and whether they do something."""
        return {button.inner_text() or button.get_attribute("aria-label"): button.is_enabled()
                for button in cell.get_by_role("button").all()}

    def focused(self, page):
        return page.evaluate(
            """() => {
              let focused = document.activeElement
              while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
              return focused?.getAttribute("part") ?? focused?.id ?? ""
            }""")

    def settled(self, page):
        """All dialogs have risen or sunk."""
        self.until(page, "cell.shadowRoot.getAnimations().every(({ animationName }) => !animationName)")

    def test_the_inline_cell_walks_through_its_four_states(self):
        page, cell = self.cell()
        self.assertEqual(cell.get_by_role("group").get_attribute("data-state"), "inactive")
        self.assertEqual(self.buttons(cell), {"Tap to Sign": True})
        cell.get_by_role("button", name="Tap to Sign").click()
        self.assertEqual(self.focused(page), "area")
        active = {"Cancel": True, "Clear": False, "Save": False, "Type instead": True}
        self.assertEqual(self.buttons(cell), active)
        self.draw(page)
        signed = {"Cancel": True, "Clear": True, "Save": True, "Undo": True}
        self.assertEqual(self.buttons(cell), signed)
        cell.get_by_role("button", name="Clear").click()
        self.assertEqual(self.buttons(cell), active)
        self.draw(page)
        cell.get_by_role("button", name="Save").click()
        self.assertEqual(self.buttons(cell), {"Re-enter Signature": True})
        self.assertEqual(self.focused(page), "re-enter")
        self.assertEqual(cell.get_by_text("Saved", exact=True).count(), 1)
        self.assertEqual(page.evaluate("told"), [
            "active", "signed", "active", "signed", "assent-signed", "saved", "change"])
        self.draw(page)
        self.assertEqual(page.evaluate("cell.value.drawing.strokes.length"), 1, "a saved signature takes no ink")

    def test_it_is_as_wide_as_its_place_says_that_it_is_required_and_pales_once_it_is_saved(self):
        for width in (390, 1024):
            page, cell = self.cell({"signer": "Amara Okafor"}, viewport={"width": width, "height": 900})
            self.assertEqual(*page.evaluate("[cell.parentElement.clientWidth, cell.offsetWidth]"))
        self.assertIn("*", cell.locator("[part=header]").text_content())
        cell.get_by_role("button", name="Tap to Sign").click()
        self.draw(page)
        opacity = "Number(getComputedStyle(cell.shadowRoot.querySelector('.area')).opacity)"
        self.assertEqual(page.evaluate(opacity), 1)
        cell.get_by_role("button", name="Save").click()
        self.until(page, f"{opacity} < 1")
        page.evaluate("cell.removeAttribute('required')")
        self.assertNotIn("*", cell.locator("[part=header]").text_content())

    def test_the_scrim_lies_over_the_pad_only_the_first_time(self):
        page, cell = self.cell()
        seen = lambda: page.evaluate(  # noqa: E731
            """(() => {
              const cue = cell.shadowRoot.querySelector(".cue")
              return getComputedStyle(cue).color !== "rgba(0, 0, 0, 0)"
            })()""")
        self.assertTrue(seen())
        # The header is never under the scrim.
        scrim = page.locator(".cue").bounding_box()
        header = page.locator("#header").bounding_box()
        self.assertGreaterEqual(scrim["y"], header["y"] + header["height"])
        cell.get_by_role("button", name="Tap to Sign").click()
        cell.get_by_role("button", name="Cancel").click()
        self.assertFalse(seen())
        self.assertEqual(self.focused(page), "scrim")
        page.keyboard.press("Enter")
        self.assertEqual(page.evaluate("cell.state"), "active")

    def test_scrolling_over_the_scrim_leaves_no_ink(self):
        page, _ = self.cell(has_touch=True)
        style = "getComputedStyle(cell.shadowRoot.querySelector('{}'))"
        self.assertEqual(page.evaluate(style.format(".cue") + ".touchAction"), "auto")
        page.evaluate("cell.tap()")
        self.assertEqual(page.evaluate(style.format(".area") + ".touchAction"), "none")

    def test_either_reentry(self):
        for where, focus in (("inactive", "scrim"), ("active", "area")):
            page, cell = self.cell({"reentry": where})
            page.evaluate("cell.value = { kind: 'typed', name: { text: 'Amara', font: 'plain' } }")
            cell.get_by_role("button", name="Re-enter Signature").click()
            self.assertEqual(page.evaluate("[cell.state, cell.value]"), [where, None])
            self.assertEqual(self.focused(page), focus)
            self.assertFalse(page.evaluate("cell.checkValidity()"), "it counts as unsigned")

    def test_the_keyboard_alone_signs_by_typing(self):
        page, cell = self.cell(signer="")
        page.keyboard.press("Tab")
        self.assertEqual(self.focused(page), "scrim")
        page.keyboard.press("Enter")
        self.assertEqual(self.focused(page), "area")
        page.keyboard.press("Enter")
        self.until(page, "cell.shadowRoot.activeElement?.id === 'name'")
        save = cell.get_by_role("dialog").get_by_role("button", name="Save")
        self.assertFalse(save.is_enabled())
        self.assertEqual(cell.get_by_text("Type your name to save it.").count(), 1)
        page.keyboard.press("Enter")
        page.keyboard.type("  Zoë   Müller ")
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Enter")
        self.settled(page)
        self.assertEqual(page.evaluate("cell.value"), {
            "kind": "typed", "name": {"text": "Zoë Müller", "font": "plain"}})
        self.assertEqual(self.focused(page), "re-enter")
        self.assertEqual(cell.get_by_role("img", name="Saved signature, typed: Zoë Müller").count(), 1)
        page.keyboard.press("Enter")
        self.assertEqual(page.evaluate("cell.state"), "inactive")

    def test_keys_on_the_pad(self):
        page, cell = self.cell()
        page.evaluate("cell.tap()")
        self.draw(page)
        page.keyboard.press("Delete")
        self.assertEqual(page.evaluate("cell.state"), "active")
        self.draw(page)
        page.keyboard.press("Enter")
        self.assertEqual(cell.get_by_role("dialog").count(), 0, "a drawing is not replaced unasked")
        page.keyboard.press("Escape")
        self.assertEqual(page.evaluate("[cell.state, cell.ink]"), ["inactive", None])
        self.assertEqual(self.focused(page), "scrim")

    def test_focus_enters_the_typing_dialog_and_returns(self):
        page, cell = self.cell()
        page.evaluate("cell.tap()")
        cell.get_by_role("button", name="Type instead").click()
        self.until(page, "cell.shadowRoot.activeElement?.id === 'name'")
        # The name is known, and not asked again.
        self.assertEqual(cell.get_by_role("textbox", name="Your name").input_value(), "Amara Okafor")
        for _ in range(12):
            page.keyboard.press("Tab")
            self.assertTrue(page.evaluate(
                "!!cell.shadowRoot.activeElement?.closest('dialog') || !document.hasFocus() "
                "|| document.activeElement === document.body"), "focus stays in the dialog")
        page.keyboard.press("Escape")
        self.settled(page)
        self.until(page, "!cell.shadowRoot.querySelector('dialog[open]')")
        self.assertEqual(self.focused(page), "type")
        self.assertEqual(page.evaluate("cell.state"), "active")

    def test_the_form_cell_opens_a_dialog(self):
        page, cell = self.cell({"presentation": "dialog", "label": "Loan of a cuff", "helper": "You return it."})
        self.assertEqual(self.buttons(cell), {"Add Signature": True})
        self.assertEqual(cell.get_by_role("button", name="Add Signature").count(), 2, "the icon does the same")
        for words in ("Loan of a cuff", "You return it."):
            self.assertTrue(cell.get_by_text(words).is_visible())
        cell.locator("[part=icon]").click()
        self.settled(page)
        dialog = cell.get_by_role("dialog", name="Signature of Amara Okafor")
        self.assertTrue(dialog.is_visible())
        self.assertEqual(self.focused(page), "dialog-title")
        self.draw(page)
        self.assertEqual(self.buttons(dialog), {"Cancel": True, "Clear": True, "Save": True, "Undo": True})
        page.keyboard.press("Escape")
        self.until(page, "!cell.shadowRoot.querySelector('dialog[open]')")
        self.assertEqual(self.focused(page), "add")
        self.assertEqual(page.evaluate("cell.state"), "inactive")
        cell.locator("[part=add]").click()
        self.settled(page)
        self.draw(page)
        dialog.get_by_role("button", name="Save").click()
        self.until(page, "!cell.shadowRoot.querySelector('dialog[open]')")
        self.assertEqual(self.focused(page), "re-enter")
        self.assertEqual(self.buttons(cell), {"Add Signature": False, "Re-enter Signature": True})
        self.assertGreater(page.evaluate("ink.inkPixels(ink.seen(cell))"), 100, "the cell shows what was saved")

    def test_one_dialog_at_a_time(self):
        page, cell = self.cell({"presentation": "dialog"})
        cell.locator("[part=add]").click()
        self.settled(page)
        cell.get_by_role("button", name="Type instead").click()
        self.settled(page)
        self.assertEqual(cell.get_by_role("dialog").count(), 1)
        page.keyboard.press("Escape")
        self.until(page, "cell.shadowRoot.querySelector('dialog[open]')?.getAttribute('part') === 'dialog'")
        self.assertEqual(self.focused(page), "type")
        cell.get_by_role("button", name="Type instead").click()
        self.settled(page)
        cell.get_by_role("button", name="Save").click()
        self.until(page, "!cell.shadowRoot.querySelector('dialog[open]')")
        self.assertEqual(page.evaluate("cell.value.kind"), "typed")
        self.assertEqual(self.focused(page), "re-enter")

    def test_each_change_is_said_once(self):
        page, cell = self.cell()
        cell.get_by_role("button", name="Tap to Sign").click()
        self.draw(page)
        self.draw(page)
        cell.get_by_role("button", name="Undo").click()
        cell.get_by_role("button", name="Clear").click()
        self.draw(page)
        cell.get_by_role("button", name="Save").click()
        cell.get_by_role("button", name="Re-enter Signature").click()
        cell.get_by_role("button", name="Tap to Sign").click()
        cell.get_by_role("button", name="Cancel").click()
        self.until(page, "said.length > 8")
        self.assertEqual(page.evaluate("said"), [
            "Ready to sign.", "Signed, not saved yet.", "Last stroke taken back.", "Cleared.", "Signed, not saved yet.",
            "Signature saved.", "The signature was removed.", "Ready to sign.", "Cancelled. Nothing was kept."])

    def test_in_a_dialog_changes_are_said_inside_of_it(self):
        page, cell = self.cell({"presentation": "dialog"})
        cell.locator("[part=add]").click()
        self.settled(page)
        self.draw(page)
        inside = page.evaluate("cell.shadowRoot.querySelector('dialog[open] [role=status]').textContent")
        self.assertEqual(inside, "Signed, not saved yet.")
        cell.get_by_role("button", name="Save").click()
        self.until(page, "said.includes('Signature saved.')")
        self.assertEqual(page.evaluate("said"), ["Ready to sign.", "Signed, not saved yet.", "Signature saved."])

    def test_saving_takes_as_long_as_the_page_says(self):
        page, cell = self.cell()
        page.evaluate(
            """() => {
              cell.addEventListener("assent-signed", ({ detail }) => {
                detail.waitUntil(new Promise((done) => window.done = done))
              })
              cell.tap()
            }""")
        self.draw(page)
        save = cell.get_by_role("button", name="Save")
        width = save.bounding_box()["width"]
        save.click()
        saving = cell.get_by_role("button", name="Saving")
        self.assertEqual(saving.get_attribute("aria-busy"), "true")
        self.assertEqual(saving.bounding_box()["width"], width)
        saving.click()
        self.draw(page)
        page.evaluate("cell.undo(); cell.clear(); cell.cancel(); cell.save()")
        self.assertEqual(page.evaluate("[cell.state, cell.value, told]"), [
            "signed", None, ["active", "signed", "assent-signed"]])
        page.evaluate("done()")
        self.until(page, "cell.state === 'saved'")
        self.assertEqual(page.evaluate("cell.value.drawing.strokes.length"), 1)

    def test_nothing_is_lost_when_saving_fails(self):
        page, cell = self.cell()
        page.evaluate(
            """() => {
              window.fails = true
              cell.addEventListener("assent-signed", ({ detail }) => {
                detail.waitUntil(fails ? Promise.reject(new Error("away")) : Promise.resolve())
              })
              cell.tap()
            }""")
        cell.get_by_role("button", name="Type instead").click()
        cell.get_by_role("textbox", name="Your name").fill("Zoë")
        page.keyboard.press("Enter")
        alert = cell.get_by_role("alert")
        alert.get_by_text("could not be saved").wait_for()
        self.settled(page)
        self.until(page, "!cell.shadowRoot.querySelector('dialog[open]')")
        cell.get_by_role("button", name="Type instead").click()
        self.assertEqual(cell.get_by_role("textbox", name="Your name").input_value(), "Zoë")
        page.keyboard.press("Escape")
        self.until(page, "!cell.shadowRoot.querySelector('dialog[open]')")
        self.draw(page)
        cell.get_by_role("button", name="Save").click()
        alert.get_by_text("could not be saved").wait_for()
        self.assertEqual(page.evaluate("[cell.state, cell.value, cell.ink.strokes.length]"), ["signed", None, 1])
        page.evaluate("fails = false")
        cell.get_by_role("button", name="Save").click()
        self.until(page, "cell.state === 'saved'")
        self.assertFalse(alert.is_visible())

    def test_a_form_holds_its_value(self):
        page = self.open("app.html")
        page.evaluate(
            """() => {
              const form = document.createElement("form"), fields = document.createElement("fieldset")
              form.append(fields)
              document.querySelector("main").append(form)
            }""")
        page, _ = PageTest.cell(self, page, {"required": "", "name": "consent"}, "fieldset")
        page.evaluate("window.cell = document.querySelector('assent-signature'); window.form = document.forms[0]")
        self.assertEqual(page.evaluate("[form.checkValidity(), cell.validationMessage, cell.form === form]"), [
            False, "Sign first.", True])
        page.evaluate("cell.value = { kind: 'typed', name: { text: 'Zoë', font: 'script' } }")
        self.assertTrue(page.evaluate("form.checkValidity()"))
        self.assertEqual(page.evaluate("JSON.parse(new FormData(form).get('consent'))"), {
            "name": {"text": "Zoë", "font": "script"}})
        drawing = {"strokes": [{"x": [9, 60], "y": [9, 60], "timeMs": [0, 9]}], "canvas": {"width": 300, "height": 100}}
        page.evaluate("(drawing) => { cell.value = { kind: 'drawn', drawing } }", drawing)
        self.assertEqual(page.evaluate("JSON.parse(new FormData(form).get('consent'))"), {"drawing": drawing})
        page.evaluate("form.reset()")
        self.assertEqual(page.evaluate("[cell.state, cell.value, new FormData(form).has('consent')]"), [
            "inactive", None, False])
        page.evaluate("document.querySelector('fieldset').disabled = true")
        page.evaluate("cell.tap()")
        self.assertEqual(page.evaluate("cell.state"), "inactive")

    def test_the_next_person_finds_nothing(self):
        page, cell = self.cell(signer="")
        page.evaluate("cell.tap()")
        for leave in ("cell.value = null; cell.tap()", "cell.cancel(); cell.tap()"):
            cell.get_by_role("button", name="Type instead").click()
            self.assertEqual(cell.get_by_role("textbox", name="Your name").input_value(), "")
            page.keyboard.type("Zoë")
            page.keyboard.press("Escape")
            self.until(page, "!cell.shadowRoot.querySelector('dialog[open]')")
            page.evaluate(leave)
        cell.get_by_role("button", name="Type instead").click()
        self.assertEqual(cell.get_by_role("textbox", name="Your name").input_value(), "")

    def test_a_drawing_from_before_goes_on(self):
        page, cell = self.cell()
        drawing = {"strokes": [{"x": [9, 60], "y": [9, 60], "timeMs": [0, 9]}], "canvas": {"width": 300, "height": 100}}
        page.evaluate("(drawing) => { cell.ink = drawing }", drawing)
        self.assertEqual(page.evaluate("cell.state"), "signed")
        self.draw(page)
        cell.get_by_role("button", name="Save").click()
        strokes = page.evaluate("cell.value.drawing.strokes")
        self.assertEqual([len(strokes), strokes[0]], [2, drawing["strokes"][0]])

    def test_a_photo_of_a_signature(self):
        page, cell = self.cell({"photo": ""})
        page.evaluate("cell.tap()")
        chooser = page.locator("input[type=file]")
        chooser.set_input_files({"name": "cv.pdf", "mimeType": "application/pdf", "buffer": b"%PDF"})
        self.assertIn("JPEG or PNG", cell.get_by_role("alert").inner_text())
        chooser.set_input_files({"name": "large.png", "mimeType": "image/png", "buffer": bytes((4 << 20) + 1)})
        self.assertEqual(cell.get_by_role("dialog").count(), 0)
        chooser.set_input_files({"name": "mine.png", "mimeType": "image/png", "buffer": DOT})
        dialog = cell.get_by_role("dialog", name="Photo of your signature")
        dialog.wait_for()
        self.until(page, "cell.shadowRoot.querySelector('dialog[open] img').naturalWidth === 1")
        self.assertFalse(cell.get_by_role("alert").is_visible())
        page.keyboard.press("Escape")
        self.until(page, "!cell.shadowRoot.querySelector('dialog[open]')")
        self.assertEqual(self.focused(page), "photo")
        chooser.set_input_files({"name": "mine.png", "mimeType": "image/png", "buffer": DOT})
        dialog.get_by_role("button", name="Save").click()
        self.until(page, "cell.state === 'saved' && !cell.shadowRoot.querySelector('dialog[open]')")
        self.assertEqual(page.evaluate("[cell.value.kind, cell.value.image.name]"), ["uploaded", "mine.png"])
        self.assertTrue(cell.get_by_role("img", name="Saved signature").is_visible())

    def test_names_are_words_and_never_markup(self):
        page, cell = self.cell({"label": HOSTILE, "helper": HOSTILE, "placeholder": HOSTILE}, signer=HOSTILE)
        page.evaluate("cell.tap()")
        cell.get_by_role("button", name="Type instead").click()
        self.until(page, "cell.shadowRoot.activeElement?.id === 'name'")
        page.keyboard.press("Enter")
        self.until(page, "cell.state === 'saved'")
        self.assertEqual(page.evaluate("cell.shadowRoot.querySelectorAll('img[src=x]').length"), 0)
        self.assertIn(HOSTILE, page.evaluate("cell.shadowRoot.querySelector('#header').textContent"))

    def test_a_pasted_flood_is_cut(self):
        page, cell = self.cell(signer="")
        page.evaluate("cell.tap()")
        cell.get_by_role("button", name="Type instead").click()
        page.evaluate(
            """() => {
              const input = cell.shadowRoot.querySelector("#name")
              input.focus()
              document.execCommand("insertText", false, "a".repeat(100_000))
            }""")
        self.assertEqual(len(cell.get_by_role("textbox", name="Your name").input_value()), 100)

    def test_every_language_has_its_words_and_direction(self):
        page, cell = self.cell()
        names = {"de": "Zum Unterschreiben tippen", "fr": "Toucher pour signer", "es": "Tocar para firmar",
                 "ar": "انقر للتوقيع", "zh": "点按签名", "ja": "タップして署名", "en": "Tap to Sign"}
        for tag, name in names.items():
            page.evaluate("(tag) => { document.documentElement.lang = tag + '-XX' }", tag)
            cell.get_by_role("button", name=name).wait_for()
            root = page.evaluate("(({ lang, dir }) => [lang, dir])(cell.shadowRoot.querySelector('.root'))")
            self.assertEqual(root, [tag, "rtl" if tag == "ar" else "ltr"])
        page.evaluate("document.documentElement.lang = 'xx'")
        self.assertTrue(cell.get_by_role("button", name="Tap to Sign").is_visible())
        # The nearest language counts, and the page's direction.
        page.evaluate("document.documentElement.dir = 'rtl'; cell.lang = 'de'")
        cell.get_by_role("button", name=names["de"]).wait_for()
        self.assertEqual(page.evaluate("getComputedStyle(cell.shadowRoot.querySelector('.root')).direction"), "rtl")

    def test_words_that_cannot_be_fetched_are_english(self):
        page = self.open("app.html", allowed=["Failed to load resource"])
        page.route(re.compile(r"/de-\w+\.js"), lambda route: route.abort())
        page.evaluate("document.documentElement.lang = 'de'")
        _, cell = PageTest.cell(self, page)
        self.assertTrue(cell.get_by_role("button", name="Tap to Sign").is_visible())

    def test_a_page_may_have_its_own_words(self):
        page, cell = self.cell()
        page.evaluate("cell.words = { tapToSign: 'Tap to initial' }")
        self.assertTrue(cell.get_by_role("button", name="Tap to initial").is_visible())

    def test_a_browser_that_does_not_draw_says_so_and_types(self):
        page, cell = self.cell(script="HTMLCanvasElement.prototype.getContext = () => null")
        cell.get_by_role("button", name="Tap to Sign").click()
        self.assertTrue(cell.get_by_text("This browser does not let pages draw.").is_visible())
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        self.until(page, "cell.state === 'saved'")

    def test_an_element_that_is_gone_leaves_nothing_in_memory(self):
        page, _ = self.cell()
        page.evaluate(
            """async () => {
              window.gone = []
              for (let visit = 0; visit < 20; visit++) {
                const cell = document.createElement("assent-signature")
                if (visit % 2) cell.setAttribute("presentation", "dialog")
                document.querySelector("main").append(cell)
                await new Promise((done) => requestAnimationFrame(done))
                cell.tap()
                if (visit % 2 === 0) ink.stroke(cell, [[20, 20], [60, 60], [90, 20]])
                await new Promise((done) => requestAnimationFrame(done))
                cell.remove()
                gone.push(new WeakRef(cell))
              }
              await new Promise((done) => setTimeout(done, 500))
            }""")
        tools = page.context.new_cdp_session(page)
        for _ in range(10):
            tools.send("HeapProfiler.collectGarbage")
            left = page.evaluate("gone.filter((cell) => cell.deref()).length")
            if left <= 1:
                break
            page.wait_for_timeout(300)
        # The browser itself may hold what had the focus last.
        self.assertLessEqual(left, 1)

    def test_an_element_that_is_moved_keeps_its_ink(self):
        page, _ = self.cell()
        page.evaluate("cell.tap()")
        self.draw(page)
        before = page.evaluate("cell.ink")
        page.evaluate("document.body.append(cell)")
        self.draw(page)
        self.assertEqual(page.evaluate("cell.ink.strokes[0]"), before["strokes"][0])
        self.assertEqual(page.evaluate("cell.ink.strokes.length"), 2)


if __name__ == "__main__":
    unittest.main()
