"""What a device's work has come to: recorded states on the page of all states, choices against the real programs."""

import json
import os
import pathlib
import unittest

from axe_playwright_python.sync_playwright import Axe

import installation
from browser import ROOT, PageTest, example
from devices import ACCOUNT, PASSCODE, Device, encoded, profile, unreadable, withdrawal
from studies import document, flow, purpose, signature
from walking import PHONE, RULES, TABLET, Walking

RECORDED = json.loads((ROOT / "web/apps/kit/sync.json").read_text())
PICTURES = os.environ.get("ASSENT_WEB_PICTURES")
STATES = ("items", "uploading", "downloading", "done", "no connection", "blocked", "server away")
SHOWN = "document.querySelector('#synced')?.shadowRoot.querySelectorAll('h2, .failure').length > 0"


class KitTest(PageTest):
    def kit(self, state="items", speech="en", width="phone", **options):
        options.setdefault("reduced_motion", "reduce")
        options.setdefault("viewport", {"width": 1280, "height": 1000})
        page = self.open("kit/", allowed=("status of 503",), **options)
        self.show(page, state, speech, width)
        return page

    def show(self, page, state, speech="en", width="phone"):
        page.select_option("[name=width]", width)
        page.select_option("[name=speech]", speech)
        page.select_option("[name=state]", state)
        self.until(page, SHOWN)

    def test_axe_finds_nothing_in_any_state(self):
        for theme, width, speech in (("light", "phone", "en"), ("dark", "landscape", "ar"), ("light", "narrow", "de")):
            page = self.kit(color_scheme=theme)
            for state in STATES:
                self.show(page, state, speech, width)
                found = Axe().run(page, context={"include": [["assent-sync"]]}, options=RULES)
                faults = [f"{rule['id']}: {node['target']} {node['failureSummary']}"
                          for rule in found.response["violations"] for node in rule["nodes"]]
                with self.subTest(f"{state}, {theme}, {speech}"):
                    self.assertEqual(faults, [])
                    self.assertEqual(page.evaluate(
                        """[...document.querySelector("#synced").shadowRoot.querySelectorAll("*")]
                          .filter((box) => box.scrollWidth > box.clientWidth + 1 && box.className !== "sr"
                            && getComputedStyle(box).display !== "inline").map((box) => box.className)"""), [])
                    self.assertEqual(page.evaluate(
                        """[...document.querySelector("#synced").shadowRoot.querySelectorAll("button")]
                          .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44)
                          .map((each) => each.outerHTML)"""), [])

    def test_progress_moves_in_place_and_is_said_once(self):
        page = self.kit("uploading")
        page.evaluate("""() => {
          window.sync = document.querySelector("#synced")
          window.meter = sync.shadowRoot.querySelector("[role=progressbar]")
          window.said = []
          new MutationObserver(() => said.push(sync.shadowRoot.querySelector("[role=status]").textContent))
            .observe(sync.shadowRoot.querySelector("[role=status]"), { childList: true })
          const phase = "SYNC_PHASE_UPLOADING"
          sync.state = { progress: { phase, completed: "12", total: "14", fraction: 0.45 } }
        }""")
        self.until(page, "meter.getAttribute('aria-valuenow') === '45'")
        self.assertIn("12 of 14", page.locator("#synced").locator("[part=going]").text_content())
        page.evaluate("sync.state = { progress: { phase: 'SYNC_PHASE_DOWNLOADING', fraction: 0.6 } }")
        page.get_by_role("heading", name="Changes Are Being Fetched").wait_for()
        page.evaluate("sync.state = { isLost: true }")
        page.get_by_role("heading", name="No Connection").wait_for()
        self.assertEqual(page.evaluate("said"), ["Changes Are Being Fetched", "No Connection"])

    def test_who_must_act_is_named_with_the_step_that_helps(self):
        page = self.kit("blocked")
        page.evaluate("""document.querySelector("#synced").addEventListener("assent-sync-act",
          ({ detail }) => window.acted = detail)""")
        cards = page.locator("#synced").locator("[part=blocked]")
        told = [" ".join(each.split()) for each in cards.all_text_contents()]
        for at, words in enumerate((
                "Sign in again, so that your work can be sent.", "Ask Leila Haddad to sign in on this device.",
                "Ask an administrator to unlock Marek Hajek.",
                "Ask an administrator to invite Priya Shastri to this device.")):
            self.assertIn(words, told[at])
        self.assertNotIn("Ask Hannah", "".join(told))
        self.assertEqual([each.get_by_role("button").count() for each in cards.all()], [1, 1, 0, 0])
        cards.nth(1).get_by_role("button", name="Return to Sign-In").click()
        self.assertEqual(page.evaluate("acted"), {
            "action": "ACCOUNT_ACTION_RETURN_TO_SIGN_IN", "personId": RECORDED["blocked"][1]["person"]["personId"]})

    def test_discarding_asks_first_and_gives_the_focus_back(self):
        page = self.kit()
        sync = page.locator("#synced")
        sync.get_by_role("button", name="Discard…").first.press("Enter")
        asked = sync.get_by_role("alertdialog", name="Discard this for good?")
        asked.wait_for()
        page.keyboard.press("Escape")
        focused = "document.activeElement.shadowRoot.activeElement"
        self.assertEqual(page.evaluate(f"{focused}.dataset.action"), "ACCOUNT_ACTION_DISCARD_ITEM")
        self.assertEqual(sync.locator("[part=card]").count(), 3)
        sync.get_by_role("button", name="Discard…").first.press("Enter")
        asked.get_by_role("button", name="Discard for Good").press("Enter")
        self.until(page, f"document.querySelector('#synced').shadowRoot.querySelectorAll('[part=card]').length === 2")
        self.assertIn("status: \"Discarded, which is on record: A withdrawal of consent\"", sync.aria_snapshot())
        self.assertEqual(page.evaluate(f"{focused}.tagName"), "H3")

    def test_the_documents_example(self):
        page = self.kit()
        script = """const { person } = document.querySelector("#synced"), heard = window.heard = []
          const follow = (...words) => heard.push(words)
          const progress = { phase: "SYNC_PHASE_UPLOADING", completed: "1", total: "2", fraction: 0.25 }
          const blockedBy = [];"""
        page.evaluate(f"() => {{ {script} {example('assent-sync', 'js')} }}")
        sync = page.locator("main > assent-sync")
        sync.locator("[part=card]").nth(2).wait_for()
        self.assertEqual(sync.locator("[part=card]").count(), 3)
        sync.get_by_role("heading", name="Your Work Is Being Sent").wait_for()
        page.evaluate("document.querySelector('main > assent-sync').state = { isLost: true }")
        sync.locator("[part=try-again]").click()
        self.assertEqual(page.evaluate("heard"), [["ACCOUNT_ACTION_TRY_AGAIN", ""]])

    @unittest.skipUnless(PICTURES, "scripts/test-web --pictures makes them")
    def test_pictures(self):
        for look, width, theme, speech in (("phone", "phone", "light", "en"), ("dark", "phone", "dark", "en"),
                                           ("rtl", "phone", "light", "ar"), ("tablet", "tablet", "light", "de")):
            folder = pathlib.Path(PICTURES, "sync", look)
            folder.mkdir(parents=True, exist_ok=True)
            page = self.kit(color_scheme=theme)
            for state in STATES:
                self.show(page, state, speech, width)
                page.locator("#synced").screenshot(path=folder / f"{state}.png")


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class SyncTest(Walking):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.assent = installation.Installation(accounts=True)
        cls.addClassCleanup(cls.assent.stop)
        cls.address = f"http://127.0.0.1:{cls.assent.port}"
        cls.assent.study("choices", "Choices")
        cls.assent.document("choices", document(
            "loan", "Loan of a Cuff", [("What you borrow", "<p>A blood pressure cuff.</p>")],
            [signature(requiresImage=True), signature("doctor", "INVESTIGATOR", 2, "Investigator", requiresImage=True)],
            [purpose("loan", "Borrowing a cuff")], settings={"withoutScrollGate": True}))
        cls.assent.flow(flow("loan-flow", {"id": "loan", "review": {"documentId": "loan"}}))
        cls.assent.call("AccountAdminService/SetAccountSettings", {"settings": {
            "selfRegistration": True, "visibleFields": ["PROFILE_FIELD_TITLE"]}}, package=ACCOUNT)
        cls.device = Device(cls.assent)

    def person(self, name):
        """Somebody who has worked at another device."""
        person = self.device.join(name)
        # What is recorded with this revision is out of date from now on.
        self.device.call("PeopleService/UpdateProfile", person, profile={"title": f"{name} Moreau", "revision": 1})
        return person

    def sign_in(self, person, **options):
        """The person at a browser that has just become a device."""
        code = self.device.call("PeopleService/CreateLinkCode", person)["code"]
        options.setdefault("viewport", TABLET)
        page = self.open("", allowed=("status of 4", "503"), reduced_motion="reduce", **options)
        page.goto(self.assent.accounts("add-device", "Ward 3").split()[-1])
        accounts = page.locator("assent-accounts")
        for action in ("SWITCH", "ADD", "ENTER_CODE"):
            accounts.locator(f"[data-action=ACCOUNT_ACTION_{action}]").first.click()
        accounts.locator("#code").fill(code)
        accounts.locator("[data-action=ACCOUNT_ACTION_NEXT]").click()
        for kind, action in (("SET_PASSCODE", "NEXT"), ("CONFIRM_PASSCODE", "SAVE")):
            accounts.locator(f"section[data-kind={kind}]").wait_for()
            accounts.locator("#passcode").fill(PASSCODE)
            accounts.locator(f"[data-action=ACCOUNT_ACTION_{action}]").click()
        accounts.locator("section:is([data-kind=RECOVERY_CODE], [data-kind=SIGN_IN])").wait_for()
        done = accounts.locator("[data-action=ACCOUNT_ACTION_DONE]")
        if done.count():
            done.click()
        accounts.locator("section[data-kind=SIGN_IN] #passcode").fill(PASSCODE)
        accounts.locator("[data-action=ACCOUNT_ACTION_SIGN_IN]").click()
        return page, page.locator("assent-sync")

    def choose(self, sync, action, at=0):
        sync.locator(f"[data-action=ACCOUNT_ACTION_{action}]").nth(at).click()

    def left(self, page, count):
        self.until(page, "document.querySelector('assent-sync')?.shadowRoot"
                         f".querySelectorAll('[part=card]').length === {count}")

    def title(self, person):
        return self.device.call("PeopleService/GetProfile", person)["profile"]["title"]

    def states(self, person):
        """What is kept of the person's items, by the API."""
        return [item["itemId"] for item in self.device.call("SyncService/ListFailedItems", person).get("items", [])]

    def test_each_choice_does_what_it_says(self):
        person = self.person("Ines")
        session = self.assent.start("loan-flow")
        self.assent.agree(session)
        record = self.assent.call("RecordService/ListRecords", {"studyId": "choices"})["records"][0]["recordId"]
        signs = encoded((1, record), (2, "doctor"), (4, encoded((2, encoded((1, "Ines Moreau"), (2, "script"))))))
        outcomes = self.device.push(
            (person, "a", "assent.consent.v1.SessionService/SignRecord", signs), profile(person, "b", "Inès"),
            profile(person, "c", "I. M."), withdrawal(person, "d"), unreadable(person, "e"))["outcomes"]
        self.assertEqual([each["state"].split("_")[-1] for each in outcomes],
                         ["FAILED", "CONFLICT", "CONFLICT", "FAILED", "FAILED"])
        page, sync = self.sign_in(person)
        self.left(page, 5)
        self.assert_accessible(page, "items")
        self.assertEqual(sync.get_by_role("heading", level=3).all_text_contents(), [
            "A signature", "Changes of your profile", "Changes of your profile", "A withdrawal of consent",
            "A withdrawal of consent"])
        self.assertIn("27 November 2026", sync.locator("[part=card]").first.text_content().replace(
            "November 27, 2026", "27 November 2026"))
        self.assertEqual([card.get_by_role("button").count() for card in sync.locator("[part=card]").all()],
                         [2, 2, 2, 2, 1])
        # Whoever still lacks the right is told so, and nothing is lost.
        self.choose(sync, "RETRY_ITEM")
        sync.locator("[part=note]").get_by_text("It still cannot be done.").wait_for()
        self.assertEqual(self.states(person), ["a", "b", "c", "d", "e"])
        self.device.call("AccountAdminService/GrantRole", "admin", personId=person, role="investigator@choices")
        self.choose(sync, "RETRY_ITEM")
        self.left(page, 4)
        self.assertIn('status: "Done: A signature"', sync.aria_snapshot())
        self.assertEqual(self.focused(page)[0], "H3")
        state = self.assent.call("RecordService/GetRecord", {"recordId": record})["record"]["state"]
        self.assertEqual(state, "RECORD_STATE_IN_FORCE")
        # Mine replaces what is there, and theirs leaves it.
        self.choose(sync, "TAKE_MINE")
        self.left(page, 3)
        self.device.sign_in(person)
        self.assertEqual(self.title(person), "Inès")
        self.choose(sync, "TAKE_THEIRS")
        self.left(page, 2)
        self.assertEqual(self.title(person), "Inès")
        # What nobody can do any more can only be given up, after a question.
        self.choose(sync, "DISCARD_ITEM", 1)
        sync.get_by_role("alertdialog").get_by_role("button", name="Keep It").click()
        self.assertEqual(self.states(person), ["d", "e"])
        for count in (1, 0):
            self.choose(sync, "DISCARD_ITEM", count)
            sync.get_by_role("alertdialog").get_by_role("button", name="Discard for Good").click()
            self.left(page, count)
        sync.get_by_text("Nothing is left to decide.").wait_for()
        self.assertEqual(self.states(person), [])
        page.reload()
        page.get_by_role("heading", name="Waiting for You").wait_for()
        self.assertEqual(sync.locator("[part=items]").count(), 0)

    def test_many_items_are_read_page_by_page_and_decided_about_elsewhere(self):
        person = self.person("Samuel")
        self.device.push(*(withdrawal(person, f"i{at:03}") for at in range(120)))
        page, sync = self.sign_in(person, viewport=PHONE)
        self.left(page, 100)
        sync.locator("[part=more]").press("Enter")
        self.left(page, 120)
        self.assertEqual(self.focused(page)[0], "H3")
        self.assertEqual(page.evaluate(
            "[...document.querySelector('assent-sync').shadowRoot.querySelectorAll('[part=card]')]"
            ".map(({ id }) => id.slice(-4)).join() === [...Array(120).keys()].map((at) => `i${`${at}`.padStart(3, 0)}`)"
            ".join()"), True)
        self.assertEqual(sync.locator("[part=more]").count(), 0)
        # Another device of the same person was quicker.
        self.device.sign_in(person)
        self.device.call("SyncService/DiscardItem", person, deviceId=self.device.device_id, itemId="i000")
        self.choose(sync, "RETRY_ITEM")
        self.left(page, 119)
        self.assertIn("This was decided elsewhere meanwhile", sync.aria_snapshot())

    def test_the_server_goes_away(self):
        person = self.person("Mei-Ling")
        self.device.push(withdrawal(person, "a"))
        page, sync = self.sign_in(person)
        self.left(page, 1)
        away = lambda route: route.fulfill(status=503, body="away")  # noqa: E731
        page.route("**/assent.account.v1.*/*", away)
        self.choose(sync, "RETRY_ITEM")
        sync.get_by_role("alert").get_by_text("The server cannot be reached. Nothing is lost.").wait_for()
        self.assert_accessible(page, "away")
        self.left(page, 1)
        page.unroute("**/assent.account.v1.*/*", away)
        sync.locator("[part=try-again]").click()
        self.until(page, "!document.querySelector('assent-sync').shadowRoot.querySelector('.failure')")
        self.left(page, 1)


if __name__ == "__main__":
    unittest.main()
