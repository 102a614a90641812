"""Every page of the console: by everybody, for every role, and when something goes wrong."""

import os
import pathlib
import unittest

import installation
import studies
from test_console import DESK, Console
from walking import PHONE

# A folder for pictures of every page, in each of the looks.
PICTURES = os.environ.get("ASSENT_WEB_PICTURES")
LOOKS = {"desk": ("en-GB", DESK, "light"), "arabic": ("ar", PHONE, "dark"),
         **({"desk-dark": ("en-GB", DESK, "dark"), "phone": ("en-GB", PHONE, "light"),
             "desk-german": ("de", DESK, "light")} if PICTURES else {})}

PLACES = ["home", "documents", "people", "invitations", "records", "trail", "studies", "staff", "integrations"]


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class ConsolePagesTest(Console):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        studies.install(cls.assent)
        cls.assent.call("StudyService/CreateSite", {"site": {"studyId": "choices", "siteId": "north", "name": "North"}})
        view, cls.subject = cls.assent.begin("heart-alone")
        cls.record = cls.assent.agree(view, genes="YES", letters="NO")["recordIds"][0]
        cls.assent.call("DocumentService/CreateDocumentDraft", {"documentId": "heart"})
        for number in range(60):
            cls.assent.call("StudyService/CreateInvitation", {
                "invitation": {"flowId": "heart-alone", "subjectId": f"W-{number:04}"}})

    @property
    def all(self):
        things = [f"person/{self.subject}", f"record/{self.record}", "document/heart", "edit/heart", "study/choices",
                  "translate/heart?to=de", "flow/heart-alone", "settings", "invitations?sheet=yes",
                  "records?state=in_force&from=2020-01-01", "people?due=yes"]
        return PLACES + things

    def stands(self, page, place):
        page.evaluate("hash => { location.hash = hash }", f"#/{place}{'&' if '?' in place else '?'}study=choices")
        page.wait_for_timeout(150)
        self.until(page, "!document.querySelector('main[data-busy]') && document.querySelector('main h1')")
        page.wait_for_timeout(350)

    def test_every_page_by_everybody_in_two_directions(self):
        for look, (locale, viewport, scheme) in LOOKS.items():
            page = self.enter(f"Reader {look}", "admin@*", "coordinator@*", "publisher@*", "inspector@*",
                              locale=locale, viewport=viewport, color_scheme=scheme)
            self.assertEqual(page.evaluate("document.documentElement.dir"), "rtl" if locale == "ar" else "ltr")
            for place in self.all:
                self.stands(page, place)
                self.assert_accessible(page, f"{place} {look}")
                self.assertFalse(page.evaluate("""(() => {
                  const main = document.querySelector("main")
                  return main.scrollWidth > main.clientWidth
                })()"""), f"{place} is wider than the window")
                self.keep(page, look, place)

    def keep(self, page, look, place):
        """A picture of the whole page, however long it is."""
        if not PICTURES:
            return
        before = page.viewport_size
        height = page.evaluate("document.querySelector('main').scrollHeight + document.querySelector('main').offsetTop")
        page.set_viewport_size({"width": before["width"], "height": max(before["height"], min(height, 2400))})
        name = place.replace(self.subject, "ID").replace(self.record, "ID").replace("/", "-").replace("?", "-")
        path = pathlib.Path(PICTURES, "console", look, f"{name}.png")
        path.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=path)
        page.set_viewport_size(before)

    def test_nobody_is_shown_what_would_be_refused(self):
        changes = {"Publish…", "Discard…", "Import", "New Document", "Edit", "Invite Somebody", "Erase…", "Save",
                   "Withdraw on Their Behalf…", "Legal Hold…", "Entered in Error…", "Add a Site", "Create a Study"}
        shown = {
            "inspector@choices": set(),
            "admin@choices": {"Erase…", "Legal Hold…", "Add a Site", "Save"},
            "publisher@choices": {"Publish…", "Discard…", "Import", "New Document", "Edit"},
            "coordinator@choices": {"Invite Somebody", "Withdraw on Their Behalf…", "Entered in Error…"},
            # What is of no site belongs to each.
            "investigator@choices/north": {"Invite Somebody", "Withdraw on Their Behalf…", "Entered in Error…"},
        }
        for grant, expected in shown.items():
            with self.subTest(grant):
                page = self.enter(f"Holder of {grant}", grant)
                refused = []
                page.on("response", lambda answer: refused.append(answer.url) if answer.status == 403 else None)
                ways = page.locator("nav a").evaluate_all(
                    "links => links.map((link) => link.hash.split(/[/?]/)[1])")
                own = {"people": [f"person/{self.subject}"], "records": [f"record/{self.record}"],
                       "documents": ["document/heart", "edit/heart", "translate/heart", "flow/heart-alone"],
                       "studies": ["study/choices"]}
                found = set()
                for place in ways + [place for way in ways for place in own.get(way, [])]:
                    self.stands(page, place)
                    found |= {name.strip() for name in page.locator("main button, main a.btn").all_inner_texts()}
                self.assertEqual(refused, [])
                self.assertEqual(found & changes, expected)
                page.context.close()

    def test_a_refusal_stands_beside_its_field_and_nothing_typed_is_lost(self):
        page = self.enter("Author", "admin@*")
        self.go(page, "studies", "Studies")
        self.click(page, "Create a Study")
        page.get_by_label("Name").fill("A study with a wrong identifier")
        page.get_by_label("Identifier").fill("no/slash")
        self.click(page, "Create a Study", "dialog[open]")
        field = page.get_by_label("Identifier")
        page.locator("dialog[open] .err:not([hidden])").wait_for()
        self.assertEqual(field.get_attribute("aria-invalid"), "true")
        self.assertIn("Rule:", page.locator("dialog[open] .err:not([hidden])").inner_text())
        self.assertEqual(page.get_by_label("Name").input_value(), "A study with a wrong identifier")
        page.locator("dialog[open] summary").click()
        self.assertIn("no/slash", page.locator("dialog[open] pre").inner_text())

    def test_a_session_that_ends_in_a_form_goes_on_after_signing_in(self):
        code, passcode = self.assent.staff("Interrupted", "coordinator@choices")
        page = self.open(f"console#{code}", allowed=("status of 4",), reduced_motion="reduce")
        page.locator("[name=passcode]").fill(passcode)
        page.locator(".enter form button:not([type])").click()
        page.locator(".app main h1").wait_for()
        self.stands(page, "invitations")
        self.click(page, "Invite Somebody")
        page.get_by_label("Identifier of the person").fill("W-typed-before")
        account = "assent.account.v1"
        person = page.locator(".who").get_attribute("title")
        for locked in (True, False):
            self.assent.call(
                "AccountAdminService/SetPersonLock", {"personId": person, "locked": locked}, package=account)
        page.wait_for_timeout(1500)
        self.click(page, "Invite Somebody", "dialog[open]")
        again = page.get_by_role("dialog", name="Sign in to the console")
        again.get_by_label("Passcode", exact=True).fill(passcode)
        again.get_by_role("button", name="Sign In").click()
        page.locator("dialog[open] h2", has_text="W-typed-before").wait_for()

    def test_long_lists_come_page_by_page_and_the_address_holds_the_filter(self):
        page = self.enter("Lister", "coordinator@choices")
        self.stands(page, "invitations")
        self.assertEqual(page.locator("main tbody tr").count(), 50)
        self.click(page, "Next Page")
        self.until(page, "document.querySelectorAll('main tbody tr').length < 50")
        self.stands(page, "records")
        page.get_by_label("State").select_option("in_force")
        self.until(page, "location.hash.includes('state=in_force')")
        page.reload()
        page.locator("main tbody tr").first.wait_for()
        self.assertEqual(page.get_by_label("State").input_value(), "in_force")


if __name__ == "__main__":
    unittest.main()
