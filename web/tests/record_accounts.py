"""Keeps what the real AccountService answers for the screens of accounts, for the page of all states.

usage: record_accounts.py    writes web/apps/kit/accounts.json; needs the built programs
"""

import base64
import json
import struct
import sys
import zlib

from browser import ROOT
import installation

PLACE = ROOT / "web/apps/kit/accounts.json"
ACCOUNT = "assent.account.v1"
TITLES = {"en": "Riverside Field Studies, Western Region", "ar": "دراسات ريفرسايد الميدانية",
          "de": "Feldstudien der Klinik am Fluss, Region West"}
PEOPLE = [("Hannah Weiss", "Study nurse, Riverside Clinic"), ("Samuel Otieno", "Field interviewer, Kisumu"),
          ("Leila Haddad", "Field interviewer, Kisumu"), ("Wolfeschlegelsteinhausenbergerdorff-Kowalczyk", "")]
PASSCODE = "walk walk 1"
PROVIDER = {
    "issuer": "https://id.northside.example", "jwksUrl": "https://id.northside.example/keys", "subjectPrefix": "clinic:",
    "createsPeople": True, "title": "Northside Clinic", "client": {"clientId": "assent-pages"}}
BLOCKED = {"SIGN_IN": "grant_expired", "DECIDE": "conflict", "UNLOCK": "person_locked", "INVITE": "not_listed"}


def png(size, colour):
    """A picture in one colour."""
    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes(colour) * size) * size
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)) + part(
        b"IDAT", zlib.compress(rows, 9)) + part(b"IEND", b"")


class Recorder:
    def __init__(self, assent):
        self.assent, self.views = assent, {}

    def call(self, method, key="admin", **request):
        return self.assent.call(method, request, key, package=ACCOUNT)

    def settings(self, logo=b"", **more):
        known = self.call("AccountAdminService/GetAccountSettings").get("settings", {})
        self.call("AccountAdminService/SetAccountSettings", settings={
            "revision": known.get("revision", 0), "selfRegistration": True,
            "visibleFields": ["PROFILE_FIELD_PICTURE", "PROFILE_FIELD_TITLE", "PROFILE_FIELD_SUBTITLE"],
            "application": {"titles": [{"locale": locale, "text": text} for locale, text in TITLES.items()],
                            **({"logo": base64.b64encode(logo).decode()} if logo else {})}, **more})

    def join(self, title, subtitle, picture=b""):
        profile = {"title": title, "subtitle": subtitle}
        if picture:
            profile["picture"] = base64.b64encode(picture).decode()
        begun = self.call("PeopleService/StartOnboarding", "tablet", selfRegistration={}, profile=profile)
        begun = begun["onboarding"]
        self.call("PeopleService/FinishOnboarding", "tablet", onboardingId=begun["onboardingId"], passcode=PASSCODE)
        return begun["personId"]

    def view(self, name, kind, locale="en", **more):
        self.views[name] = self.call(
            "ViewService/GetAccountView", "tablet", kind=f"ACCOUNT_VIEW_KIND_{kind}", locale=locale, **more)["view"]

    def record(self):
        self.settings()
        made = self.call("DeviceService/RegisterDevice", device={"name": "Ward 3"})
        proof = {"tenant": "acme", "deviceId": made["device"]["deviceId"], "secret": made["secret"]}
        self.assent.keys["tablet"] = self.call("DeviceService/AuthenticateDevice", **proof)["accessToken"]
        self.view("nobody", "SIGN_IN")
        self.settings(identityIssuers=[PROVIDER])
        self.view("nobody, a provider", "SIGN_IN")
        self.settings()
        people = [self.join(*each) for each in PEOPLE]
        self.view("sign in, a long name", "SIGN_IN")
        self.call("PeopleService/SelectPerson", "tablet", personId=people[0])
        self.view("sign in", "SIGN_IN")
        self.settings(logo=png(64, (45, 67, 174)))
        self.view("sign in, logo", "SIGN_IN")
        self.view("sign in, waiting", "SIGN_IN", waitSeconds=75)
        self.settings(identityIssuers=[PROVIDER])
        self.view("switch, a provider", "SWITCH")
        self.settings(logo=png(64, (45, 67, 174)))
        for kind in ("LOCKED", "SWITCH", "ONBOARDING", "ENTER_CODE", "SET_PASSCODE", "CONFIRM_PASSCODE",
                     "FORGOT_PASSCODE", "CHANGE_PASSCODE", "SYNC_DONE", "CONNECTION_ERROR"):
            self.view(kind.lower().replace("_", " "), kind)
        self.view("switch, nobody found", "SWITCH", query="xyz")
        self.view("confirm passcode, differed", "CONFIRM_PASSCODE", differed=True)
        self.view("recovery code", "RECOVERY_CODE", recoveryCode="4Q7MK-X2R9T-DAHW8-3PJ5C")
        self.view("link code", "LINK_CODE", linkCode="R7KD2-M9QXB")
        self.view("sync", "SYNC", progress={
            "phase": "SYNC_PHASE_DOWNLOADING", "completed": "9", "total": "14", "fraction": 0.64})
        for step, rule in BLOCKED.items():
            profile = {"title": "Leila Haddad", "subtitle": "Field interviewer, Kisumu", "initials": "LH"}
            person = {"personId": people[2], "profile": profile}
            self.view(f"user error, {step.lower().replace('_', ' ')}", "USER_ERROR", blocked={
                "person": person, "rule": rule, "step": f"BLOCKED_STEP_{step}", "name": "Leila Haddad"})
        for locale in ("ar", "de", "zh"):
            for kind in ("SIGN_IN", "SWITCH", "ONBOARDING", "CONNECTION_ERROR"):
                self.view(f"{kind.lower().replace('_', ' ')}, {locale}", kind, locale)
        # Nothing fails in an installation that nobody has worked at: the words are the server's, the items made up.
        signed_in = self.call("SignInService/SignIn", "tablet", personId=people[0], passcode=PASSCODE)
        self.assent.keys["person"] = signed_in["tokens"]["accessToken"]
        failed = self.call(
            "ViewService/GetAccountView", "person", kind="ACCOUNT_VIEW_KIND_FAILED_ITEMS", locale="en")["view"]
        self.views["failed items, none"] = failed
        buttons = [{"action": "ACCOUNT_ACTION_TAKE_MINE", "title": "Use Mine"},
                   {"action": "ACCOUNT_ACTION_TAKE_THEIRS", "title": "Keep What Is There"}]
        self.views["failed items"] = {**failed, "emptyText": "", "items": [
            {"outcome": {"itemId": str(at), "title": title, "description": "Something else was changed meanwhile."},
             "buttons": buttons[at:]} for at, title in enumerate(("Changes of your profile", "A signature"))]}
        return self.views


def main():
    assent = installation.Installation(accounts=True)
    try:
        views = Recorder(assent).record()
    finally:
        assent.stop()
    PLACE.write_text(json.dumps(views, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
    print(f"{len(views)} views in {PLACE.relative_to(ROOT)}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    main()
