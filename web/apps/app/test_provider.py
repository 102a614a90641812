"""People who sign in at an OpenID provider, on the pages for shared devices and for staff, against real programs."""

import unittest

import installation
from provider import Provider
from sharing import Sharing

BUTTON = "Sign In with Northside Clinic"


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class ProviderTest(Sharing):
    @classmethod
    def setUpClass(cls):
        cls.provider = Provider()
        cls.addClassCleanup(cls.provider.stop)
        # One gateway hands somebody to the provider, and another may be there when they come back.
        cls.programs = {**cls.provider.settings, "gateway": "3"}
        super().setUpClass()
        cls.settings(identityIssuers=[cls.provider.issuer(
            rolesClaim="groups", roles=[{"value": "heads", "role": "admin@*"}], passcodes=True)])
        cls.admin("SetIdentitySecret", issuer=cls.provider.address, clientSecret="s3cret: of/the client")

    def setUp(self):
        super().setUp()
        self.provider.behave(claims={}, answer={}, renews=False)

    def tablet(self, **options):
        return super().tablet(ignore_https_errors=True, **options)

    def sign_in_there(self, page, person="ada"):
        """At the provider, whose page has come."""
        page.get_by_role("heading", name="Who are you?").wait_for()
        page.get_by_label("Name").fill(person)
        page.get_by_role("button", name="Sign in").click()

    def at_home(self, page):
        page.get_by_role("heading", name="Waiting for You").wait_for()

    def assert_told(self, page, sentence):
        page.locator("assent-accounts #note", has_text=sentence).wait_for()
        self.assertNotIn("?", page.url)

    def test_a_person_leaves_for_the_provider_and_comes_back_signed_in(self):
        page = self.tablet()
        page.get_by_role("button", name=BUTTON).click()
        self.sign_in_there(page)
        self.at_home(page)
        self.assertEqual(page.url, f"{self.address}/app")
        question = self.provider.seen()["question"]
        self.assertEqual((question["redirect_uri"], question["prompt"]), (f"{self.address}/app", "login"))
        self.assertEqual([each["title"] for each in self.admin("ListAccounts")["accounts"]], ["Ada of the Clinic"])
        # Nothing of it is left for whoever goes back, or looks into what the tab keeps.
        self.assertEqual(page.evaluate("sessionStorage.length"), 0)
        # Nothing renews it, so it does not outlive the page.
        page.reload()
        self.view(page, "SIGN_IN")
        self.provider.behave(renews=True)
        page.get_by_role("button", name=BUTTON).click()
        self.sign_in_there(page)
        self.at_home(page)
        page.reload()
        self.at_home(page)
        self.assertEqual(self.provider.seen()["exchanges"][-1]["grant_type"], "refresh_token")
        # Whoever is signed in stays, whatever another page brings here.
        page.goto(f"{self.address}/app?code=stolen&state=made-up")
        self.at_home(page)
        self.assertEqual(page.url, f"{self.address}/app")

    def test_somebody_sets_a_passcode_and_signs_in_with_it(self):
        page = self.tablet()
        page.get_by_role("button", name=BUTTON).click()
        self.sign_in_there(page, "tomas")
        self.at_home(page)
        page.get_by_role("button", name="Set a Passcode for This Device").click()
        self.view(page, "SET_PASSCODE")
        self.act(page, "CANCEL")
        self.at_home(page)
        page.get_by_role("button", name="Set a Passcode for This Device").click()
        self.view(page, "SET_PASSCODE")
        page.fill("assent-accounts #passcode", "lighthouse 42")
        self.act(page, "NEXT")
        self.view(page, "CONFIRM_PASSCODE")
        page.fill("assent-accounts #passcode", "lighthouse 42")
        self.act(page, "SAVE")
        self.view(page, "SIGN_IN")
        self.sign_in(page, "lighthouse 42")
        self.assertEqual(page.get_by_role("button", name="Set a Passcode for This Device").count(), 0)

    def test_what_goes_wrong_is_said_and_another_try_is_good(self):
        page = self.tablet()
        for behaviour, sentence in (
                ({"answer": {"error": "access_denied"}}, "The provider has signed nobody in."),
                ({"answer": {"state": "another"}}, "That sign-in has ended, or was not begun here."),
                ({"answer": {"iss": "https://id.other.example"}}, "could not be verified"),
                ({"claims": {"nonce": "another"}}, "could not be verified"),
                ({"claims": {"sub": "ada|lovelace"}}, "could not be verified")):
            with self.subTest(sentence):
                self.provider.behave(**{"answer": {}, "claims": {}, **behaviour})
                page.get_by_role("button", name=BUTTON).click()
                self.sign_in_there(page)
                self.assert_told(page, sentence)
        self.assert_accessible(page, "a provider that misbehaves")
        page.goto(f"{self.address}/app?code=stolen&state=made-up")
        self.assert_told(page, "That sign-in has ended, or was not begun here.")
        page.route("**/*SignInService/StartIdentitySignIn", lambda route: route.fulfill(status=503))
        page.get_by_role("button", name=BUTTON).click()
        self.assert_told(page, "Signing in with a provider needs a connection.")
        page.unroute("**/*SignInService/StartIdentitySignIn")
        self.provider.behave(answer={}, claims={})
        page.get_by_role("button", name=BUTTON).click()
        self.sign_in_there(page)
        self.at_home(page)

    def test_staff_signs_in_at_the_console_and_tries_the_provider(self):
        code = self.assent.accounts("add-device", "Office").split()[-1].split("#")[1]
        page = self.open(f"console#{code}", allowed=("status of 4",), ignore_https_errors=True)
        self.provider.behave(claims={"groups": ["heads"]}, renews=True)
        page.get_by_role("button", name=BUTTON).wait_for()
        page.evaluate("location.hash = '#/integrations'")
        page.get_by_role("button", name=BUTTON).click()
        self.sign_in_there(page, "ines")
        page.locator("main h1", has_text="Integrations").wait_for()
        self.assertEqual(page.url, f"{self.address}/console#/integrations")
        page.get_by_role("button", name="Try It: Northside Clinic").click()
        page.get_by_role("heading", name="What Northside Clinic answers").wait_for()
        self.assertEqual(page.locator("main .note.ok").count(), 4)
        self.provider.behave(published=[])
        self.addCleanup(lambda: self.provider.behave(published=["rsa"]))
        page.get_by_role("button", name="Try It: Northside Clinic").click()
        page.locator("main .note.bad", has_text="Keys").wait_for()
        self.assert_accessible(page, "a provider that was tried")


if __name__ == "__main__":
    unittest.main()
