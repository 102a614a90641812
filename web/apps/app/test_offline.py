"""People who share a tablet where there is no connection, on the page of shared devices, against the real programs."""

import unittest

import installation
from cut_off import CutOff


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class OfflineTest(CutOff):
    """One tablet, whose browser may be killed and comes back as it was on the disk."""

    def test_a_consent_of_two_people_without_a_connection_however_often_the_browser_is_killed(self):
        page = self.prepared(
            ("Amara Okafor", "lighthouse 42", None), ("Ines Moreau", "winter coat 9", "investigator@choices"))
        self.choose(page, "Amara Okafor", "lighthouse 42")
        self.assert_accessible(page, "without a connection")
        page.locator("li", has_text="loan-flow").get_by_role("button", name="For Me").click()
        self.at(page, "review")

        def killed():
            again = self.again()
            self.choose(again, "Amara Okafor", "lighthouse 42")
            self.go_on(again)
            return again, again.locator("assent-session")
        page, session = killed()
        self.at(page, "review")
        self.press(session, "AGREE")
        session.get_by_role("alertdialog").locator("[data-action=ACTION_KIND_CONFIRM]").click()
        self.at(page, "signature")
        page, session = killed()
        self.at(page, "signature")
        session.locator("[part=scrim]").click()
        session.locator("[part=scrim]").wait_for(state="hidden")
        # A phone could not reach what answers here.
        self.assertFalse(session.locator("[part=phone]").is_visible())
        self.draw(page, session)
        page.wait_for_timeout(1000)
        page, session = killed()
        self.at(page, "signature")
        session.locator("[part=save]:enabled").first.click()
        session.locator("[part=re-enter]").first.wait_for()
        page, session = killed()
        self.at(page, "signature")
        session.locator("[part=re-enter]").first.wait_for()
        self.assert_sealed(page)
        self.press(session, "SIGN")
        self.at(page, "completion")
        page.get_by_text("Saved on this device.").wait_for()
        page = self.again()
        self.choose(page, "Ines Moreau", "winter coat 9")
        page.get_by_role("button", name="Sign", exact=True).click()
        page.get_by_text("A blood pressure cuff, until your last visit.").wait_for()
        self.draw_and_save(page, page.locator("assent-signature"))
        page.get_by_role("button", name="Sign", exact=True).click()
        page.get_by_text("Saved on this device.").wait_for()
        page = self.again()
        self.assert_sealed(page)
        self.assertEqual(self.records(self.person("Amara Okafor")), [])
        self.context_.set_offline(False)
        self.sign_in_at(page, "Amara Okafor", "lighthouse 42")
        page.get_by_text("1 sent, the last on").first.wait_for()
        page.locator("assent-sync [part=blocked]", has_text="Ines Moreau").wait_for()
        self.assert_accessible(page, "sent")
        page.get_by_role("button", name="Switch Person").click()
        self.sign_in_at(page, "Ines Moreau", "winter coat 9")
        page.get_by_text("1 sent, the last on").nth(1).wait_for()
        records = self.records(self.person("Amara Okafor"))
        self.assertEqual([(each["state"], len(each["signatures"])) for each in records], [("RECORD_STATE_IN_FORCE", 2)])
        self.assertEqual([each["personId"] for each in records[0]["signatures"]],
                         [self.person("Amara Okafor"), self.person("Ines Moreau")])
        self.assertEqual(sum(each["kind"] == "ENTRY_KIND_SIGNED" for each in records[0]["history"]), 2)

    def test_lost_answers_full_storage_and_a_second_tab_lose_nothing_and_do_nothing_twice(self):
        page = self.prepared(("Tomas Berg", "walk walk 7", None))
        self.choose(page, "Tomas Berg", "walk walk 7")
        session = self.to_signature(page)
        put = "IDBObjectStore.prototype.put"
        full = "throw new DOMException('', 'QuotaExceededError')"
        page.evaluate(f"void (window.put = {put}, {put} = () => {{ {full} }})")
        self.press(session, "SIGN")
        page.get_by_text("There is no room left on this device.").wait_for()
        self.assert_accessible(page, "no room")
        other = self.context_.new_page()
        other.goto(f"{self.address}/app")
        self.view(other, "SIGN_IN")
        self.choose(other, "Tomas Berg", "walk walk 7")
        self.go_on(other)
        other.get_by_text("That is open in another tab.").wait_for()
        other.close()
        page.evaluate(f"void ({put} = window.put)")
        self.at(page, "completion")
        page.get_by_text("Saved on this device.").wait_for()
        self.assert_accessible(page, "saved")
        page.locator("assent-session [part=close]").click()
        page.get_by_text("1 saved here, not sent yet").wait_for()
        page.get_by_text("Nothing can begin without a connection yet.").wait_for()
        page.get_by_role("button", name="Switch Person").click()
        self.view(page, "SIGN_IN")
        tomas = self.person("Tomas Berg")
        lost = []

        def lose(route):
            """The server has it, and nobody hears of that. The browser may be killed meanwhile."""
            self.quietly(route.fetch)
            lost.append(1)
            self.quietly(route.abort)
        page.route("**/*SyncService/PushQueue", lose)
        self.settings(uploadAtSwitch=True)
        self.addCleanup(self.settings)
        self.context_.set_offline(False)
        for _ in range(200):
            if len(lost) > 1:
                break
            page.wait_for_timeout(100)
        self.kill()
        page = self.tablet()
        page.goto(f"{self.address}/app")
        self.view(page, "SIGN_IN")
        page.fill("assent-accounts #passcode", "walk walk 7")
        self.act(page, "SIGN_IN")
        page.get_by_text("1 sent, the last on").wait_for()
        records = self.records(tomas)
        self.assertEqual([(each["state"], len(each["signatures"])) for each in records],
                         [("RECORD_STATE_IN_FORCE", 1)])

    def test_what_was_begun_without_a_connection_goes_on_with_one(self):
        page = self.prepared(("Leila Haddad", "walk walk 2", None))
        self.choose(page, "Leila Haddad", "walk walk 2")
        session = self.to_signature(page)
        page.get_by_role("button", name="Back", exact=True).last.click()
        page.get_by_role("heading", name="Not Finished").wait_for()
        self.assert_accessible(page, "not finished")
        page.get_by_role("button", name="Switch Person").click()
        self.view(page, "SIGN_IN")
        self.context_.set_offline(False)
        page.fill("assent-accounts #passcode", "walk walk 2")
        self.act(page, "SIGN_IN")
        self.go_on(page)
        self.at(page, "signature")
        session.locator("[part=re-enter]").first.wait_for()
        self.press(session, "SIGN")
        self.at(page, "completion")
        session.locator("[part=close]").click()
        page.get_by_text("1 sent, the last on").wait_for()
        self.assertEqual([each["state"] for each in self.records(self.person("Leila Haddad"))],
                         ["RECORD_STATE_IN_FORCE"])

    def test_without_a_connection_a_passcode_is_asked_for_as_with_one(self):
        page = self.prepared(("Priya Shastri", "walk walk 5", None))
        for _ in range(5):
            page.fill("assent-accounts #passcode", "wrong one 1")
            self.act(page, "SIGN_IN")
            page.get_by_role("alert").get_by_text("That passcode does not open this account.").wait_for()
            self.until(page, """document.querySelector("assent-accounts").shadowRoot
              .querySelector("#passcode").value === "" """)
        page.fill("assent-accounts #passcode", "walk walk 5")
        self.act(page, "SIGN_IN")
        page.get_by_text("Too many attempts. Try again in 0:").wait_for()
        self.assert_accessible(page, "waiting without a connection")


if __name__ == "__main__":
    unittest.main()
