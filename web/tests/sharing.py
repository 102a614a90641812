"""People who share a tablet, on the page of shared devices, against the real programs."""

import installation
from studies import document, flow, purpose, signature
from walking import TABLET, Walking

ACCOUNT = "assent.account.v1"


def loan(**more):
    """Somebody borrows something, and an investigator signs after them; `more` is asked of the investigator."""
    return document(
        "loan", "Loan of a Cuff", [("What you borrow", "<p>A blood pressure cuff, until your last visit.</p>")],
        [signature(requiresImage=True), signature(
            "doctor", "INVESTIGATOR", 2, "Investigator", requiresImage=True, **more)],
        [purpose("loan", "Borrowing a cuff")], settings={"withoutScrollGate": True})


class Sharing(Walking):
    # What is signed in the study "choices".
    loan = loan()
    # How the programs are set.
    programs = {}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.assent = installation.Installation(accounts=True, **cls.programs)
        cls.addClassCleanup(cls.assent.stop)
        cls.address = f"http://127.0.0.1:{cls.assent.port}"
        cls.assent.study("choices", "Choices")
        cls.assent.document("choices", cls.loan)
        cls.assent.flow(flow("loan-flow", {"id": "loan", "review": {"documentId": "loan"}}))
        cls.settings()

    @classmethod
    def settings(cls, **more):
        known = cls.admin("GetAccountSettings").get("settings", {})
        cls.admin("SetAccountSettings", settings={
            "revision": known.get("revision", 0), "selfRegistration": True,
            "application": {"titles": [{"locale": "en", "text": "Riverside Studies"}]},
            "visibleFields": ["PROFILE_FIELD_PICTURE", "PROFILE_FIELD_TITLE", "PROFILE_FIELD_SUBTITLE"], **more})

    @classmethod
    def admin(cls, method, **request):
        return cls.assent.call(f"AccountAdminService/{method}", request, package=ACCOUNT)

    def person(self, title):
        return next(each["personId"] for each in self.admin("ListAccounts")["accounts"] if each["title"] == title)

    def tablet(self, **options):
        """A page whose browser has just become a device."""
        link = self.assent.accounts("add-device", "Ward 3").split()[-1]
        options.setdefault("viewport", TABLET)
        page = self.open("", allowed=("status of 4", "status of 503"), **options)
        page.goto(link)
        self.view(page, "SIGN_IN")
        self.assertNotIn("acme", page.url)
        return page

    def view(self, page, kind):
        page.locator(f"assent-accounts section[data-kind={kind}]").wait_for()

    def act(self, page, action):
        page.locator(f"assent-accounts [data-action=ACCOUNT_ACTION_{action}]").first.click()

    def join(self, page, name, passcode, look=lambda where: None):
        """Somebody adds themselves to the list, and stands before the sign-in screen."""
        self.act(page, "SWITCH")
        self.view(page, "SWITCH")
        look("switch")
        self.act(page, "ADD")
        self.view(page, "ONBOARDING")
        look("onboarding")
        page.fill("assent-accounts #name", name)
        page.fill("assent-accounts #subtitle", "Field interviewer")
        self.act(page, "NEXT")
        self.view(page, "SET_PASSCODE")
        look("set passcode")
        page.fill("assent-accounts #passcode", passcode)
        self.act(page, "NEXT")
        self.view(page, "CONFIRM_PASSCODE")
        page.fill("assent-accounts #passcode", passcode)
        self.act(page, "SAVE")
        self.view(page, "RECOVERY_CODE")
        look("recovery code")
        recovery = page.locator("assent-accounts [part=code]").text_content()
        self.act(page, "DONE")
        self.view(page, "SIGN_IN")
        return recovery

    def sign_in(self, page, passcode):
        page.fill("assent-accounts #passcode", passcode)
        self.act(page, "SIGN_IN")
        page.get_by_role("heading", name="Waiting for You").wait_for()

    def draw_and_save(self, page, cell):
        cell.locator("[part=scrim]").click()
        self.draw(page, cell)
        cell.locator("[part=save]").first.click()
        cell.locator("[part=re-enter]").wait_for()
