"""What goes with the console's pages: every list as a file, versions used again, and one study for whose it is."""

import csv
import io
import json
import unittest

import installation
import studies
from test_console import Console


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class ConsoleListsTest(Console):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        studies.install(cls.assent)
        cls.assent.study("other", "Another Study")
        cls.assent.call("StudyService/CreateSite", {"site": {"studyId": "choices", "siteId": "north", "name": "North"}})
        view, cls.subject = cls.assent.begin("heart-alone", siteId="north")
        cls.record = cls.assent.agree(view, genes="YES", letters="NO")["recordIds"][0]
        cls.assent.agree(cls.assent.start("heart-alone"), genes="YES", letters="NO")

    def file(self, page, kind, within="main"):
        """What a list's file has: the first one's that is on the page."""
        page.locator(within).locator("summary", has_text="Export").first.click()
        with page.expect_download() as download:
            page.locator(f"{within} .drop[open]").get_by_role("button", name=kind, exact=True).click()
        return download.value.path().read_text()

    def test_every_list_is_a_file_as_it_is_shown_and_whole(self):
        page = self.enter("Lister", "admin@*", "coordinator@*", "publisher@*")
        for place, column, first in (("documents", "Name", "Heart Samples"), ("studies", "Name", "Another Study"),
                                     ("people", "Participant", None), ("staff", "Person", None)):
            with self.subTest(place):
                self.go(page, f"{place}?study=choices")
                rows = list(csv.DictReader(io.StringIO(self.file(page, "CSV"))))
                self.assertIn(column, rows[0])
                self.assertNotIn("Acts", rows[0])
                if first:
                    self.assertIn(first, [row[column] for row in rows])
        self.go(page, "documents?study=choices", "Documents")
        documents = [json.loads(line) for line in self.file(page, "NDJSON").splitlines()]
        self.assertEqual({each["studyId"] for each in documents}, {"choices"})
        self.assertIn("heart", [each["documentId"] for each in documents])

    def test_a_version_that_was_retired_is_taken_into_use_again(self):
        page = self.enter("Publisher", "publisher@choices", "coordinator@choices")
        self.go(page, "document/house?study=choices", "House Rules")
        self.click(page, "Retire…")
        page.get_by_label("Reason").fill("Not now.")
        self.send(page, "Retire")
        page.locator("main .chip", has_text="Retired").wait_for()
        self.click(page, "Take into Use Again…")
        self.send(page, "Take into Use Again")
        page.locator("main .chip", has_text="Published").wait_for()

    def test_a_study_says_who_may_vouch_for_signers(self):
        page = self.enter("Administrator", "admin@*")
        self.go(page, "study/other?study=other", "Another Study")
        page.locator("main summary", has_text="More settings").click()
        line = page.get_by_text("For the accounts of this installation").inner_text().split("installation: ")[1]
        page.get_by_label("Who may vouch", exact=False).fill(line + "\n")
        page.get_by_label("Minutes for which that counts").fill("2.5")
        self.click(page, "Save")
        page.locator(".toast[data-on]", has_text="Saved").wait_for()
        study = self.assent.call("StudyService/GetStudy", {"studyId": "other"})["study"]
        self.assertEqual([each["verifierId"] for each in study["verifiers"]], ["account"])
        self.assertIn(study["verifiers"][0]["publicKey"], line)
        self.assertEqual(study["authenticationMaxAge"], "150s")

    def test_an_administrator_of_one_study_sees_no_other(self):
        page = self.enter("Of One", "admin@choices")
        self.assertEqual(page.locator("nav select option").all_inner_texts(), ["Choices"])
        self.go(page, "studies", "Studies")
        self.assertEqual(page.locator("main tbody tr").count(), 1)
        self.go(page, "study/other?study=other")
        page.locator("main .note.bad").wait_for()
        self.assertEqual(page.get_by_text("Another Study").count(), 0)


if __name__ == "__main__":
    unittest.main()
