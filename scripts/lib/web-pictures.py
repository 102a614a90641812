"""web-pictures.py FOLDER: walks the clinical study and takes pictures of what the person sees."""

import io
import pathlib
import sys

if {"-h", "--help"} & set(sys.argv[1:]) or len(sys.argv) != 2:
    sys.exit(print(__doc__))

from PIL import Image  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

import installation  # noqa: E402
from browser import CHROMIUM  # noqa: E402

PHONE, TABLET = {"width": 390, "height": 844}, {"width": 820, "height": 844}


class Walk:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.assent = installation.Installation(accounts=True)
        try:
            self.assent.samples()
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
                self.page = browser.new_page(viewport=PHONE, reduced_motion="reduce", accept_downloads=True)
                self.walk()
        finally:
            self.assent.stop()

    def walk(self):
        made = self.assent.call("StudyService/CreateInvitation", {"invitation": {"flowId": "walking-enrolment"}})
        address = f"http://localhost:{self.assent.port}"
        self.page.goto(address + made["invitation"]["link"])
        session = self.session = self.page.locator("assent-session")
        self.press("NEXT", 3)
        self.take("section")
        self.press("NEXT", 7)
        for choices in ([0], [0, 1]):
            for choice in choices:
                session.locator(".pick").nth(choice).click()
            self.press("ANSWER")
        session.locator("input").fill("20")
        self.press("ANSWER")
        session.locator(".pick").first.click()
        self.press("SHARE")
        for part, value in (("day", "5"), ("month", "3"), ("year", "1980")):
            session.locator(f"[data-part={part}]").fill(value)
        self.press("ANSWER")
        session.locator(".end").wait_for()
        self.page.set_viewport_size(TABLET)
        self.take("review")
        self.page.set_viewport_size(PHONE)
        session.locator(".end").scroll_into_view_if_needed()
        self.press("AGREE")
        session.get_by_role("alertdialog").locator("[data-action=ACTION_KIND_CONFIRM]").click()
        for field, name in zip(("First name", "Last name"), ("Amara", "Okafor")):
            session.get_by_label(field).fill(name)
        self.press("ENTER_NAME")
        session.get_by_role("button", name="Tap to Sign").click()
        self.sign()
        self.take("signing")
        session.locator("assent-signature").get_by_role("button", name="Save", exact=True).click()
        session.get_by_role("button", name="Re-enter Signature").wait_for()
        self.press("SIGN")
        with self.page.expect_download() as download:
            session.locator("[part=copy] [part=save]").click()
        copy = download.value.path().read_bytes()
        self.page.set_viewport_size(TABLET)
        self.page.goto(f"{address}/verify/")
        self.page.locator("assent-verify input[type=file]").first.set_input_files(
            {"name": "copy.pdf", "mimeType": "application/pdf", "buffer": copy})
        self.page.locator("assent-verify [data-why=same]").wait_for()
        self.take("checked")
        self.share(address)

    def share(self, address):
        """An investigator at a shared tablet, for whom Amara's record waits."""
        account = "assent.account.v1"
        self.assent.call("AccountAdminService/SetAccountSettings", {"settings": {
            "selfRegistration": True, "visibleFields": ["PROFILE_FIELD_TITLE", "PROFILE_FIELD_SUBTITLE"],
            "application": {"titles": [{"locale": "en", "text": "Riverside Field Studies"}]}}}, package=account)
        code = self.assent.accounts("add-device", "Ward 3").split("#")[1].split()[0]
        self.page.goto(f"{address}/app#{code}")
        accounts = self.page.locator("assent-accounts")
        for action, field, value in (
                ("SWITCH", "", ""), ("ADD", "", ""), ("NEXT", "name", "Hannah Weiss"),
                ("NEXT", "passcode", "walk walk 1"), ("SAVE", "passcode", "walk walk 1"), ("DONE", "", "")):
            button = accounts.locator(f"[data-action=ACCOUNT_ACTION_{action}]").first
            button.wait_for()
            if field:
                accounts.locator(f"#{field}").fill(value)
            button.click()
        accounts.locator("[data-kind=SIGN_IN] #passcode").wait_for()
        listed = self.assent.call("AccountAdminService/ListAccounts", {}, package=account)["accounts"]
        person = next(each["personId"] for each in listed if each["title"] == "Hannah Weiss")
        self.assent.call("AccountAdminService/GrantRole", {
            "personId": person, "role": "investigator@walking"}, package=account)
        accounts.locator("#passcode").fill("walk walk 1")
        accounts.locator("[data-action=ACCOUNT_ACTION_SIGN_IN]").click()
        self.page.get_by_role("button", name="Sign", exact=True).wait_for()
        self.take("shared")

    def press(self, action, times=1):
        for _ in range(times):
            self.settled()
            self.session.locator(f"[data-action=ACTION_KIND_{action}]").last.click()
            self.settled()

    def settled(self):
        """Until one screen stands."""
        if self.page.locator("assent-session").count() == 0:
            return
        for _ in range(200):
            if self.page.evaluate("""(() => {
              const shown = document.querySelector("assent-session")?.shadowRoot.querySelectorAll(".screen") ?? []
              return shown.length === 1 && !shown[0].ariaBusy
            })()"""):
                return
            self.page.wait_for_timeout(50)

    def sign(self):
        """Amara's first letters, more or less."""
        box = self.session.locator(".area").bounding_box()
        at = lambda x, y: (box["x"] + x * box["width"], box["y"] + y * box["height"])  # noqa: E731
        for stroke in ([(.12, .72), (.2, .3), (.26, .72)], [(.15, .56), (.27, .52)],
                       [(.3, .7), (.34, .5), (.38, .7), (.42, .5), (.46, .7), (.52, .5), (.5, .7), (.56, .68),
                        (.6, .5), (.62, .68), (.7, .52), (.68, .7), (.78, .64), (.9, .6)], [(.14, .84), (.86, .8)]):
            self.page.mouse.move(*at(*stroke[0]))
            self.page.mouse.down()
            for point in stroke[1:]:
                self.page.mouse.move(*at(*point), steps=8)
            self.page.mouse.up()

    def take(self, name):
        self.settled()
        # Away from what a pointer would light up.
        self.page.mouse.move(1, 400)
        self.page.wait_for_timeout(400)
        picture = Image.open(io.BytesIO(self.page.screenshot()))
        path = self.folder / f"web-{name}.png"
        picture.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)
        print(path, path.stat().st_size)


Walk(sys.argv[1])
