"""The rights walk: for each role, each button that is shown is pressed, and none is refused for want of a role.

Presses are caught on their way. In place of each call goes a harmless one: about the same things, and such that it
fails for another reason once the caller is admitted. The same call by somebody without a role has to be denied, or it
would show nothing.
"""

import json
import re
import unittest
import urllib.error
import urllib.request

import installation
import studies
from test_console import Console

READS = re.compile(r"/(Get|List|BatchGet|Watch|Check|BatchCheck|Preview|Validate|Diff|Export)[A-Z]\w*$")
# Calls of everybody about themselves, and the address of a file, which asks for the rights of what it is of when it is
# fetched.
OWN = re.compile(r"\.(SignInService|GatewayService|ViewService)/|/StartSession$")
# Its form is judged before anything else, so it goes in one that is complete, of a revision that never was.
WHOLE = re.compile(r"/SetAccountSettings$")
# The form of a file is, too, and a file that is well formed would be stored.
FILES = re.compile(r"/(ImportDocument|CreateFlow)$")
# What is kept of a request: by it the server knows what the call is about.
ABOUT = re.compile(r"(Id|Ids)$|^(role|code|locale)$")
# In place of what would be taken from somebody who is needed later, and of states that would change.
NOBODY = {"personId": "nobody", "deviceId": "nobody", "apiKeyId": "nobody"}
NEVER = {"expectedRevision": 999_999, "version": 999_999}
FIELDS = {"date": "2001-01-01", "number": "3", "search": "x", "text": "x", "password": "x-correct horse-9", "url": "x"}
ROLES = ["inspector@choices", "admin@choices", "admin@*", "publisher@choices", "coordinator@choices",
         "investigator@choices", "witness@choices", "coordinator@choices/north", "investigator@choices/north"]
WAITING = studies.document(
    "two", "Signed by Two", [("What we do", "<p>We count your steps.</p>")],
    [studies.signature(requiresName=True, requiresImage=True), studies.signature("doctor", "INVESTIGATOR", 2, "Investigator"),
     studies.signature("friend", "WITNESS", 3, "Witness")],
    [studies.purpose("two", "Counting my steps")],
    settings={"withoutScrollGate": True, "inForceFrom": "IN_FORCE_FROM_LAST_SIGNATURE"})


def harmless(value):
    """The part of a request that says what it is about."""
    if isinstance(value, dict):
        kept = {name: NOBODY.get(name) or NEVER.get(name) or harmless(inner) for name, inner in value.items()
                if name in NEVER or ABOUT.search(name) or isinstance(inner, dict)}
        return {name: inner for name, inner in kept.items() if inner not in ({}, None)}
    return value


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class ConsoleRightsTest(Console):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        studies.install(cls.assent)
        cls.assent.call("StudyService/CreateSite", {"site": {"studyId": "choices", "siteId": "north", "name": "North"}})
        view, cls.subject = cls.assent.begin("heart-alone")
        cls.record = cls.assent.agree(view, genes="YES", letters="NO")["recordIds"][0]
        cls.assent.document("choices", WAITING)
        cls.assent.flow(studies.flow("two-alone", studies.review("two")))
        cls.waiting = cls.assent.agree(cls.assent.start("two-alone"))["recordIds"][0]
        cls.assent.call("DocumentService/CreateDocumentDraft", {"documentId": "heart"})
        cls.assent.call("StudyService/CreateInvitation", {
            "invitation": {"flowId": "heart-alone", "subjectId": "W-0001"}})
        cls.hook = cls.assent.call("WebhookService/CreateWebhook", {
            "webhook": {"url": "https://example.org/events"}})["webhook"]["webhookId"]

    @property
    def things(self):
        """Pages that are opened by whoever is shown a link to them."""
        return [f"sign/{self.waiting}?signature=doctor", "document/heart", "edit/heart", "translate/heart?to=de",
                "flow/heart-alone", f"person/{self.subject}", f"record/{self.record}", f"record/{self.waiting}",
                "study/choices", f"webhook/{self.hook}", "settings"]

    def stands(self, page, place):
        page.evaluate("hash => { location.hash = hash }", f"#/{place}{'&' if '?' in place else '?'}study=choices")
        page.wait_for_timeout(150)
        self.until(page, "!document.querySelector('main[data-busy]') && document.querySelector('main h1')", place)
        page.wait_for_timeout(400)
        page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true")

    def token(self, page):
        """Keeps the token that a page calls with for its person; its device has one of its own, for signing in."""
        tokens = []
        page.on("request", lambda request: tokens.append(request.headers["authorization"])
                if "authorization" in request.headers and "/assent.consent." in request.url else None)
        return tokens

    def outcome(self, path, body, token):
        """The status of a call."""
        asked = urllib.request.Request(self.address + path, json.dumps(body).encode(),
                                       {"content-type": "application/json", "authorization": token})
        try:
            with urllib.request.urlopen(asked, timeout=30) as answer:
                return answer.status
        except urllib.error.HTTPError as problem:
            with problem:
                return problem.code

    def catch(self, page):
        """Catches what would change something; what was caught, as path and harmless request."""
        caught = {}

        def handle(route):
            path = re.sub(r"^https?://[^/]+", "", route.request.url)
            if route.request.method != "POST" or READS.search(path) or OWN.search(path):
                return route.continue_()
            sent = json.loads(route.request.post_data or "{}")
            body = {"settings": {"revision": NEVER["version"]}} if WHOLE.search(path) else harmless(sent)
            if not FILES.search(path):
                caught.setdefault((path, json.dumps(body, sort_keys=True)), body)
            return route.fulfill(status=400, content_type="application/json", body=json.dumps(
                {"code": "failed_precondition", "message": "FAILED_PRECONDITION: tried: this was a test"}))

        page.route("**/assent.*/**", handle)
        return caught

    def press(self, page, place):
        """Presses each button of a page, once for each of its words."""
        page.evaluate("window.print = () => undefined")
        words = ("[...document.querySelectorAll('main button')]"
                 ".filter((each) => each.checkVisibility() && each.matches(':enabled'))")
        known = page.evaluate(f"[...new Set({words}.map((each) => each.textContent.trim()))]")
        for word in known:
            if not page.evaluate(f"""word => {{
              const found = {words}.find((each) => each.textContent.trim() === word)
              found?.click()
              return !!found
            }}""", word):
                continue
            page.wait_for_timeout(60)
            if page.locator("dialog[open]").count():
                self.answer(page)
            if place.split("?")[0] not in page.evaluate("location.hash"):
                self.stands(page, place)

    def answer(self, page):
        """Fills in a dialog and sends it; it stays open, since its call fails."""
        dialog = page.locator("dialog[open]").last
        word = dialog.locator(".field input[id$='-t']")
        if word.count():
            word.fill(re.search("Type (.*) to confirm", dialog.locator("label[for$='-t']").inner_text())[1])
        for field in dialog.locator("form input, form textarea").all():
            kind = field.get_attribute("type") or "text"
            if kind == "file":
                field.set_input_files({"name": "x.json", "mimeType": "application/json", "buffer": json.dumps(
                    {"format": 1, **WAITING, "flowId": "x", "definition": {}}).encode()})
            elif kind in FIELDS and field.is_editable() and not field.input_value():
                field.fill(FIELDS[kind])
        for choice in dialog.locator("form select").all():
            options = choice.locator("option").evaluate_all("all => all.map(({ value }) => value).filter(Boolean)")
            if options and not choice.input_value():
                choice.select_option(options[0])
        send = dialog.locator("form button:not([type])")
        if send.count() and send.first.is_enabled():
            send.first.click()
            page.wait_for_timeout(120)
        page.evaluate("for (const each of document.querySelectorAll('dialog[open]')) { each.close(); each.remove() }")

    def test_each_button_that_is_shown_works_and_each_call_that_is_refused_has_none(self):
        nobody = self.enter("Nobody here", "witness@elsewhere")
        strange = self.token(nobody)
        nobody.reload()
        nobody.locator(".app main h1").wait_for()
        pressed, tokens, callers = {}, {}, {}
        for role in ROLES:
            page = self.enter(f"Holder of {role}", role)
            refused = []
            page.on("response", lambda answer, refused=refused: refused.append(answer.url)
                    if answer.status == 403 else None)
            tokens[role], callers[role], pressed[role] = self.token(page), page, self.catch(page)
            ways = page.locator("nav a").evaluate_all("links => links.map((link) => link.hash.split(/[/?]/)[1])")
            # People are found by their identifiers, too.
            linked = {f"person/{self.subject}"} if "people" in ways else set()
            for place in ways + self.things:
                if place not in ways and place.split("?")[0] not in linked:
                    continue
                self.stands(page, place)
                linked |= set(page.locator("main a[href^='#/']").evaluate_all(
                    "links => links.map(({ hash }) => hash.slice(2).split('?')[0])"))
                self.press(page, place)
            with self.subTest(role):
                self.assertEqual(refused, [], "what pages read, and files")
        everything = {call: body for calls in pressed.values() for call, body in calls.items()}
        for (path, _), body in everything.items():
            with self.subTest(f"{path} by nobody"):
                self.assertEqual(self.outcome(path, body, strange[-1]), 403, f"{body} shows nothing")
        kept = 0
        for role in ROLES:
            for (path, shown), body in everything.items():
                is_denied = self.outcome(path, body, tokens[role][-1]) == 403
                kept += is_denied
                with self.subTest(f"{path} by {role}"):
                    self.assertFalse(is_denied and (path, shown) in pressed[role], f"a button calls it: {body}")
        # Both have been tried, and much of it.
        self.assertGreater(len({path for path, _ in everything}), 25, sorted({path for path, _ in everything}))
        self.assertGreater(kept, 100)
        self.assertEqual(pressed["inspector@choices"], {})


if __name__ == "__main__":
    unittest.main()
