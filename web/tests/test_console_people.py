"""What staff puts right at the console: names, birth dates, guardians and accounts of one person."""

import unittest

import installation
import studies
from test_console import Console


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class ConsolePeopleTest(Console):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        studies.install(cls.assent)
        view, cls.subject = cls.assent.begin("heart-alone")
        cls.record = cls.assent.agree(view, genes="YES", letters="NO")["recordIds"][0]

    def test_what_was_stated_wrongly_is_put_right_and_stays_on_record(self):
        page = self.enter("Coordinator", "coordinator@choices")
        self.go(page, f"record/{self.record}?study=choices", "heart")
        page.get_by_role("button", name="Correct the Name", exact=False).click()
        dialog = page.locator("dialog[open]")
        dialog.get_by_label("First name").fill("Amara")
        dialog.get_by_label("Last name").fill("Okafor-Lindqvist")
        dialog.get_by_label("Reason").fill("Married before she signed")
        self.assert_accessible(page, "correcting a name")
        self.send(page, "Correct the Name")
        page.get_by_text("Amara Okafor-Lindqvist").wait_for()
        page.get_by_text("Signed as", exact=False).wait_for()

        self.go(page, f"person/{self.subject}?study=choices", self.subject)
        self.click(page, "Correct the Birth Date…")
        dialog.get_by_label("The right date").fill("1990-02-28")
        dialog.get_by_label("Reason").fill("Misread")
        self.click(page, "Correct the Birth Date", "dialog[open]")
        # Nothing was stated, so the server says that there is nothing to correct; or it is corrected.
        page.locator("dialog[open] .note.bad, dialog[open] .err:not([hidden]), .toast[data-on]").first.wait_for()
        if dialog.count():
            self.click(page, "Back", "dialog[open]")

        self.click(page, "Add a Guardian…")
        dialog.get_by_label("Identifier of the guardian").fill("G-17")
        dialog.get_by_label("Authority").select_option(label="by a court or an office")
        self.send(page, "Add a Guardian")
        guardian = page.locator("section", has_text="Guardians").locator("li", has_text="G-17")
        guardian.get_by_text("by a court or an office").wait_for()
        self.assert_accessible(page, "a person with a guardian")
        guardian.get_by_role("button", name="Remove: G-17").click()
        self.send(page, "Remove")
        page.get_by_text("Nobody may permit for this person.").wait_for()

    def test_two_accounts_of_one_person_become_one(self):
        for name in ("Twice", "Twice Again"):
            self.assent.staff(name)
        people = {each["title"]: each["personId"] for each in self.assent.call(
            "AccountAdminService/ListAccounts", {"pageSize": 100}, package="assent.account.v1")["accounts"]
            if each.get("title", "").startswith("Twice")}
        page = self.enter("Merger", "admin@*")
        self.go(page, "staff", "Staff")
        page.get_by_role("button", name=f"Merge: {people['Twice Again']}").click()
        page.get_by_label("The account that stays").fill(people["Twice"])
        send = page.locator("dialog[open]").get_by_role("button", name="Merge", exact=True)
        self.assertTrue(send.is_disabled())
        page.get_by_label(f"Type {people['Twice Again']} to confirm").fill(people["Twice Again"])
        self.send(page, "Merge")
        page.locator("tr", has_text=people["Twice Again"]).get_by_text("Merged").wait_for()

    def test_providers_and_titles_are_set_by_a_form_with_refusals_beside_their_fields(self):
        page = self.enter("Administrator", "admin@*")
        self.go(page, "integrations", "Integrations")
        page.get_by_role("link", name="Sign-in and Look").click()
        page.locator("main h1", has_text="Sign-in and Look").wait_for()
        self.click(page, "Add a Title")
        title = page.get_by_role("group", name="Title 1")
        title.get_by_label("Language").fill("en")
        title.get_by_role("textbox", name="Title").fill("Riverside Clinic")
        self.click(page, "Add a Provider")
        provider = page.get_by_role("group", name="Provider 1")
        provider.get_by_label("Address of the provider").fill("http://insecure.example")
        provider.get_by_label("What the provider calls", exact=False).fill("assent-console")
        provider.get_by_label("Or its keys", exact=False).fill('{"keys": []}')
        provider.get_by_label("Prefix of its people").fill("clinic:")
        self.click(page, "Save")
        provider.locator(".err:not([hidden])").first.wait_for()
        self.assertEqual(provider.get_by_label("Address of the provider").get_attribute("aria-invalid"), "true")
        self.assert_accessible(page, "sign-in and look")
        provider.get_by_role("button", name="Remove: Provider 1").click()
        page.get_by_label("Minutes without use until the lock").fill("10")
        self.click(page, "Save")
        page.locator(".toast[data-on]", has_text="Saved").wait_for()
        stored = self.assent.call("AccountAdminService/GetAccountSettings", {}, package="assent.account.v1")["settings"]
        self.assertEqual(stored["application"]["titles"], [{"locale": "en", "text": "Riverside Clinic"}])
        self.assertEqual(stored["autoLock"], "600s")

    def test_a_study_is_told_in_figures_week_by_week(self):
        page = self.enter("Statistician", "coordinator@choices", "publisher@choices")
        self.go(page, "study/choices", "Choices")
        weeks = page.locator("section", has_text="Consents per week")
        weeks.wait_for()
        counts = weeks.locator(".bars > div span:last-child").all_inner_texts()
        self.assertEqual(len(counts), 12)
        self.assertGreaterEqual(int(counts[-1]) + int(counts[-2]), 1)
        sites = page.get_by_role("region", name="In force by version and site")
        self.assertEqual(sites.locator("tbody tr", has_text="Heart Samples").locator("td").all_inner_texts()[:3],
                         ["Heart Samples", "1", "No site"])
        self.assert_accessible(page, "a study in figures")


if __name__ == "__main__":
    unittest.main()
