"""Keeps what the real AccountService answers about a sync, for the page of all states.

usage: record_sync.py    writes web/apps/kit/sync.json; needs the built programs
"""

import json
import sys

from browser import ROOT
from devices import Device, profile, unreadable, withdrawal
import installation

PLACE = ROOT / "web/apps/kit/sync.json"


def record(assent):
    assent.call("AccountAdminService/SetAccountSettings", {"settings": {
        "selfRegistration": True, "uploadAtSwitch": True,
        "visibleFields": ["PROFILE_FIELD_PICTURE", "PROFILE_FIELD_TITLE", "PROFILE_FIELD_SUBTITLE"],
        "application": {"titles": [{"locale": "en", "text": "Riverside Field Studies"}]}}}, package="assent.account.v1")
    device = Device(assent)
    hannah, leila, marek, priya = people = [device.join(*each) for each in (
        ("Hannah Weiss", "Study nurse, Riverside Clinic"), ("Leila Haddad", "Field interviewer, Kisumu"),
        ("Marek Hajek", ""), ("Priya Shastri", "Coordinator, Harbour Clinic"))]
    # Whoever signed in last is signed in.
    device.sign_in(hannah)
    device.call("PeopleService/UpdateProfile", hannah, profile={"title": "Hannah Weiss-Lang", "revision": 1})
    device.push(profile(hannah, "profile", "Hannah W."), withdrawal(hannah, "withdrawal"), unreadable(hannah, "other"),
                profile(leila, "profile", "Leila H.", 9))
    device.call("AccountAdminService/SetPersonLock", "admin", personId=marek, locked=True)
    # One grant is missing, one person is locked, one was removed, and one has to decide.
    device.call("PeopleService/RemovePerson", "admin", personId=priya, deviceId=device.device_id)
    waits = [withdrawal(person, "later") for person in people]
    known = [device.grants[person] for person in (leila, marek, priya)]
    blocked = device.push(*waits, profile(leila, "profile", "Leila H.", 9), grants=known)["blockedBy"]

    def ask(method, locale, **more):
        return device.call(f"ViewService/{method}", hannah, locale=locale, **more)
    locales = ("en", "ar", "de", "zh")
    return {
        "person": hannah, "blocked": blocked, "views": {each: ask("GetOfflineViews", each) for each in locales},
        "lists": {each: ask("GetAccountView", each, kind="ACCOUNT_VIEW_KIND_FAILED_ITEMS")["view"] for each in locales},
    }


def main():
    assent = installation.Installation(accounts=True)
    try:
        recorded = record(assent)
    finally:
        assent.stop()
    PLACE.write_text(json.dumps(recorded, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
    print(f"{len(recorded['blocked'])} people, {len(recorded['lists']['en']['items'])} items in {PLACE.relative_to(ROOT)}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    main()
