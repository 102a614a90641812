"""People who share a tablet, on the page of shared devices, against the real programs."""

import json
import unittest

import installation
from sharing import ACCOUNT, Sharing, loan
from studies import CALLS, flow
from walking import PHONE


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class SharedTest(Sharing):
    loan = loan(requiresReauthentication=True)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # A signature may ask for the passcode once more.
        key = cls.assent.call("SignInService/GetTokenKeys", {}, package=ACCOUNT)["verifierKey"]
        cls.assent.call("StudyService/UpdateStudy", {"study": {
            "studyId": "choices", "name": "Choices", "verifiers": [{"verifierId": "account", "publicKey": key}]}})
        cls.assent.flow(flow("joining", CALLS))

    def test_one_consents_and_another_countersigns(self):
        look = lambda where: self.assert_accessible(page, where)  # noqa: E731
        page = self.tablet()
        look("nobody")
        self.join(page, "Amara Okafor", "lighthouse 42", look)
        self.assertTrue(page.locator("assent-accounts [part=go]").is_disabled())
        look("sign in")
        self.sign_in(page, "lighthouse 42")
        self.assertEqual(page.title(), "Riverside Studies")
        look("home")
        begun = []
        page.on("request", lambda request: begun.append(1) if request.url.endswith("/StartSession") else None)
        page.locator("li", has_text="loan-flow").get_by_role("button", name="For Me").dblclick()
        session = page.locator("assent-session")
        self.at(page, "review")
        self.assertEqual(len(begun), 1)
        self.press(session, "AGREE")
        session.get_by_role("alertdialog").locator("[data-action=ACTION_KIND_CONFIRM]").click()
        self.at(page, "signature")
        self.draw_and_save(page, session)
        self.press(session, "SIGN")
        self.at(page, "completion")
        page.get_by_role("button", name="Back", exact=True).last.click()
        page.get_by_text("In force").wait_for()
        page.get_by_role("button", name="Switch Person").click()
        self.view(page, "SIGN_IN")
        look("signed out")
        self.join(page, "Ines Moreau", "winter coat 9")
        ines = self.person("Ines Moreau")
        self.admin("GrantRole", personId=ines, role="investigator@choices")

        def countersign():
            self.sign_in(page, "winter coat 9")
            page.get_by_role("button", name="Sign", exact=True).click()
            page.get_by_text("A blood pressure cuff, until your last visit.").wait_for()
            look("countersigning")
            self.draw_and_save(page, page.locator("assent-signature"))
            page.get_by_role("button", name="Sign", exact=True).click()
            page.locator("#proof").wait_for()
        countersign()
        page.fill("#proof", "wrong one 1")
        page.keyboard.press("Enter")
        page.get_by_text("That is not your passcode.").wait_for()
        look("fresh authentication")
        # The question does not cover the screen of whoever signs in next.
        self.admin("SetPersonLock", personId=ines, locked=True)
        page.wait_for_timeout(1500)
        page.fill("#proof", "winter coat 9")
        page.keyboard.press("Enter")
        self.view(page, "SIGN_IN")
        self.assertEqual(page.locator("dialog").count(), 0)
        self.admin("SetPersonLock", personId=ines, locked=False)
        countersign()
        page.fill("#proof", "winter coat 9")
        page.keyboard.press("Enter")
        page.get_by_text("Signed.").wait_for()
        page.get_by_text("Nothing waits for you.").wait_for()
        records = self.assent.call("RecordService/ListRecords", {"studyId": "choices"})["records"]
        self.assertEqual([(each["state"], len(each["signatures"])) for each in records], [("RECORD_STATE_IN_FORCE", 2)])

    def test_whoever_is_due_is_named_and_a_server_that_is_away_keeps_nobody_here(self):
        page = self.tablet()
        self.join(page, "Tomas Berg", "walk walk 7")
        tomas = self.person("Tomas Berg")
        self.admin("GrantRole", personId=tomas, role="investigator@choices")

        def due(route):
            isFirst = not json.loads(route.request.post_data).get("pageToken")
            route.fulfill(json={"dueConsents": [{"subjectId": tomas if isFirst else "s-17", "documentId": "loan"}],
                                **({"nextPageToken": "more"} if isFirst else {})})
        page.route("**/*RecordService/ListDueConsents", due)
        self.sign_in(page, "walk walk 7")
        page.get_by_text("Tomas Berg, loan").wait_for()
        page.get_by_text("s-17, loan").wait_for()
        page.route("**/*PeopleService/GetProfile", lambda route: route.fulfill(status=503))
        page.reload()
        page.get_by_text("The server cannot be reached. Nothing is lost.").wait_for()
        self.assert_accessible(page, "away")
        page.unroute("**/*PeopleService/GetProfile")
        page.get_by_role("button", name="Try Again").click()
        page.get_by_text("Tomas Berg, loan").wait_for()
        page.route("**/*PeopleService/GetProfile", lambda route: route.fulfill(status=503))
        page.reload()
        page.get_by_role("button", name="Switch Person").click()
        self.view(page, "SIGN_IN")

    def test_whoever_joins_with_a_consent_walks_it_first(self):
        self.settings(onboardingFlowId="joining")
        self.addCleanup(self.settings)
        page = self.tablet()
        for name, actions, ending in (("Jonas Lindqvist", ["ALLOW"], "SET_PASSCODE"),
                                      ("Mei-Ling Zhao", ["CANCEL", "CONFIRM"], "SIGN_IN")):
            self.act(page, "SWITCH")
            self.view(page, "SWITCH")
            self.act(page, "ADD")
            self.view(page, "ONBOARDING")
            page.fill("assent-accounts #name", name)
            self.act(page, "NEXT")
            session = page.locator("assent-session")
            for action in actions:
                session.locator(f"[data-action=ACTION_KIND_{action}]").last.click()
            page.locator("assent-accounts [part=go-on]").click()
            self.view(page, ending)
            if ending == "SET_PASSCODE":
                self.act(page, "CANCEL")
                self.view(page, "SIGN_IN")
        page.get_by_text("Nobody was added.").wait_for()
        self.assertEqual([each for each in self.admin("ListAccounts").get("accounts", [])
                          if each["title"] in ("Jonas Lindqvist", "Mei-Ling Zhao")], [])

    def test_of_two_passcodes_that_differ_neither_is_taken(self):
        page = self.tablet()
        self.act(page, "SWITCH")
        self.view(page, "SWITCH")
        self.act(page, "ADD")
        self.view(page, "ONBOARDING")
        page.fill("assent-accounts #name", "Sibusiso Dlamini")
        self.act(page, "NEXT")
        for passcode, again in (("walk walk 8", "walk walk 9"), ("walk walk 9", "walk walk 9")):
            self.view(page, "SET_PASSCODE")
            self.assertEqual(page.get_by_text("The two passcodes differ. Set one again.").count(), passcode == again)
            self.assert_accessible(page, "set passcode")
            page.fill("assent-accounts #passcode", passcode)
            self.act(page, "NEXT")
            self.view(page, "CONFIRM_PASSCODE")
            page.fill("assent-accounts #passcode", again)
            self.act(page, "SAVE")
        self.view(page, "RECOVERY_CODE")

    def test_wrong_passcodes_and_locks_are_said_in_words(self):
        page = self.tablet(viewport=PHONE)
        self.join(page, "Samuel Otieno", "walk walk 1")
        for _ in range(5):
            page.fill("assent-accounts #passcode", "wrong one 1")
            self.act(page, "SIGN_IN")
            self.until(page, """document.querySelector("assent-accounts").shadowRoot
              .querySelector("#passcode").value === "" """)
            page.get_by_role("alert").get_by_text("That passcode does not open this account.").wait_for()
            self.assertEqual(self.focused(page)[0], "INPUT")
        self.assert_accessible(page, "wrong passcode")
        page.fill("assent-accounts #passcode", "wrong one 1")
        self.act(page, "SIGN_IN")
        page.get_by_text("Too many attempts. Try again in 0:").wait_for()
        self.assert_accessible(page, "waiting")
        page = self.tablet(viewport=PHONE)
        self.join(page, "Leila Haddad", "walk walk 2")
        self.sign_in(page, "walk walk 2")
        self.admin("SetPersonLock", personId=self.person("Leila Haddad"), locked=True)
        page.wait_for_timeout(1500)
        page.reload()
        self.view(page, "SIGN_IN")
        page.fill("assent-accounts #passcode", "walk walk 2")
        self.act(page, "SIGN_IN")
        page.get_by_text("This account is locked.").wait_for()

    def test_a_forgotten_passcode_is_recovered_and_people_are_found(self):
        page = self.tablet(viewport=PHONE)
        recovery = self.join(page, "Marek Hajek", "walk walk 3")
        self.act(page, "FORGOT_PASSCODE")
        self.view(page, "FORGOT_PASSCODE")
        self.assert_accessible(page, "forgotten")
        page.fill("assent-accounts #recovery_code", "AAAAA-AAAAA-AAAAA-AAAAA")
        page.fill("assent-accounts #new_passcode", "walk walk 4")
        self.act(page, "SAVE")
        page.get_by_text("That is not the recovery code of this account.").wait_for()
        page.fill("assent-accounts #recovery_code", recovery.lower())
        page.fill("assent-accounts #new_passcode", "walk walk 4")
        self.act(page, "SAVE")
        self.view(page, "RECOVERY_CODE")
        self.act(page, "DONE")
        self.join(page, "Priya Shastri", "walk walk 5")
        self.act(page, "SWITCH")
        self.view(page, "SWITCH")
        page.fill("assent-accounts #query", "haj")
        self.until(page, "document.querySelector('assent-accounts').view.people?.length === 1")
        self.assertEqual(self.focused(page)[0], "INPUT")
        page.fill("assent-accounts #query", "nobody of this name")
        page.get_by_text("Nobody was found.").first.wait_for()
        page.fill("assent-accounts #query", "marek")
        self.until(page, "document.querySelector('assent-accounts').view.people?.length === 1")
        page.locator("assent-accounts [part=item]").last.click()
        self.view(page, "SIGN_IN")
        self.sign_in(page, "walk walk 4")

    def test_by_keyboard_alone(self):
        page = self.tablet()
        self.join(page, "Edith Brunner", "walk walk 6")

        def to(name):
            for _ in range(30):
                page.keyboard.press("Tab")
                at = page.evaluate("""(() => {
                  let at = document.activeElement
                  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
                  return at.dataset.action || at.id || at.textContent
                })()""")
                if at.endswith(name):
                    return
            self.fail(f"{name} is not reached")
        to("passcode")
        page.keyboard.type("walk walk 6")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Waiting for You").wait_for()
        to("Switch Person")
        page.keyboard.press("Enter")
        self.view(page, "SIGN_IN")
        to("SWITCH")
        page.keyboard.press("Enter")
        self.view(page, "SWITCH")
        to("BACK")
        page.keyboard.press("Enter")
        self.view(page, "SIGN_IN")

    def test_in_arabic_from_right_to_left(self):
        page = self.tablet(locale="ar", viewport=PHONE)
        self.assertEqual(page.evaluate("document.documentElement.dir"), "rtl")
        self.assert_accessible(page, "nobody, Arabic")
        self.act(page, "SWITCH")
        self.view(page, "SWITCH")
        self.assert_accessible(page, "switch, Arabic")
        self.act(page, "ADD")
        self.view(page, "ONBOARDING")
        self.assert_accessible(page, "onboarding, Arabic")

    def test_a_browser_that_keeps_nothing_says_so(self):
        page = self.open(
            "app", script="IDBFactory.prototype.open = () => { throw new DOMException('', 'SecurityError') }")
        page.get_by_text("That did not work. Ask an administrator.").wait_for()
        self.assert_accessible(page, "no storage")

    def test_a_browser_without_a_code_asks_for_one(self):
        page = self.open("app", allowed=("status of 4",))
        page.get_by_role("heading", name="Make this browser a device").wait_for()
        self.assert_accessible(page, "no device")
        page.fill("#code", "acme.AAAAAAAAAA")
        page.click("text=Continue")
        page.get_by_text("There is no such code.").wait_for()
        link = self.assent.accounts("add-device", "Ward 4").split()[-1]
        page.fill("#code", link.split("#")[1].lower())
        page.click("text=Continue")
        self.view(page, "SIGN_IN")
        manifest = page.evaluate("fetch(document.querySelector('[rel=manifest]').href).then((answer) => answer.json())")
        self.assertEqual(manifest["start_url"], "/app")


if __name__ == "__main__":
    unittest.main()
