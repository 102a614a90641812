"""A device by the API: its people record without a connection, and it uploads what they have recorded."""

import base64

ACCOUNT = "assent.account.v1"
CONSENT = "assent.consent.v1"
PASSCODE = "walk walk 1"
UNKNOWN = "01a22529-bffe-7160-b796-bca23622f73f"


def encoded(*fields):
    """A message in protobuf's binary form, of fields with a number and a text, a number or another message."""
    def varint(number):
        head = bytearray()
        while number > 127:
            head.append(number & 127 | 128)
            number >>= 7
        return bytes(head) + bytes([number])
    message = b""
    for number, value in fields:
        if isinstance(value, int):
            message += varint(number << 3) + varint(value)
        else:
            content = value.encode() if isinstance(value, str) else value
            message += varint(number << 3 | 2) + varint(len(content)) + content
    return message


class Device:
    def __init__(self, assent, name="Ward 7"):
        self.assent, self.key, self.grants = assent, f"device {name}", {}
        made = self.call("DeviceService/RegisterDevice", "admin", device={"name": name})
        self.device_id = made["device"]["deviceId"]
        proof = {"tenant": "acme", "deviceId": self.device_id, "secret": made["secret"]}
        assent.keys[self.key] = self.call("DeviceService/AuthenticateDevice", "admin", **proof)["accessToken"]

    def call(self, method, key=None, **request):
        return self.assent.call(method, request, key or self.key, package=ACCOUNT)

    def join(self, title, subtitle=""):
        """Somebody new, who has signed in: their identifier, which is also the name of their token."""
        begun = self.call("PeopleService/StartOnboarding", selfRegistration={},
                          profile={"title": title, "subtitle": subtitle})["onboarding"]
        self.call("PeopleService/FinishOnboarding", onboardingId=begun["onboardingId"], passcode=PASSCODE)
        self.sign_in(begun["personId"])
        return begun["personId"]

    def sign_in(self, person):
        answer = self.call("SignInService/SignIn", personId=person, passcode=PASSCODE)
        self.assent.keys[person] = answer["tokens"]["accessToken"]
        self.grants[person] = answer["uploadGrant"]

    def push(self, *items, grants=None):
        """Uploads items, each a person, an identifier, a method and its request."""
        grants = list(self.grants.values()) if grants is None else grants
        return self.call("SyncService/PushQueue", grants=grants, items=[
            {"personId": person, "itemId": name, "method": method, "request": base64.b64encode(request).decode(),
             "deviceTime": "2026-11-27T09:12:00Z"} for person, name, method, request in items])


def profile(person, name, title, revision=1):
    """An item that changes a profile, from a revision that may be an earlier one."""
    return person, name, f"{ACCOUNT}.PeopleService/UpdateProfile", encoded((1, encoded((1, title), (6, revision))))


def withdrawal(person, name, record=UNKNOWN):
    """An item that withdraws a consent; of a record that there is not, unless one is named."""
    return person, name, f"{CONSENT}.RecordService/WithdrawConsent", encoded((1, record))


def unreadable(person, name):
    """An item whose request nobody can carry out."""
    return person, name, f"{CONSENT}.RecordService/WithdrawConsent", b"\xff\xff"
