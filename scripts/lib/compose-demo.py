"""Walks the sample study through an installation from outside, as apps do that are not ours.

usage: compose-demo.py http|grpc ADDRESS KEYS FOLDER

Through one door a publisher publishes samples/clinical-study, a participant takes part and signs, an investigator
counter-signs, and the sealed copy is fetched into FOLDER; then consent is in force, and is withdrawn. The participant's
identifier is written beside the copy. KEYS is a file with a line for each key: its name, a space, the key. Names:
admin, publisher, app, investigator.
"""

import base64
import json
import math
import pathlib
import struct
import sys
import time
import urllib.error
import urllib.request

if {"-h", "--help"} & set(sys.argv[1:]):
    sys.exit(print(__doc__))
ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "clients/python"))
KIND, ADDRESS, KEYS, FOLDER = sys.argv[1:]
SAMPLE = ROOT / "samples/clinical-study"
STUDY = "walking"
ORDER = ["NEXT", "ANSWER", "SHARE", "SCROLLED_TO_END", "AGREE", "ENTER_NAME", "SIGN", "DONE", "CONFIRM"]
ANSWERS = {"leave": {"choiceIds": ["any-time"]}, "gathered": {"choiceIds": ["steps", "pressure"]}}


class OverHTTP:
    """Connect, with bodies in JSON."""

    def __init__(self, address):
        self.address = address

    def post(self, key, method, body, kind):
        headers = {"Content-Type": kind, "Authorization": f"Bearer {key}"}
        request = urllib.request.Request(f"{self.address}/{method}", body, headers)
        try:
            return urllib.request.urlopen(request, timeout=30).read()
        except urllib.error.HTTPError as error:
            sys.exit(f"{method}: {error.read().decode()}")

    def call(self, key, method, body):
        return json.loads(self.post(key, method, json.dumps(body).encode(), "application/json"))

    def stream(self, key, method, bodies):
        """A stream of requests with one answer."""
        messages = [json.dumps(body).encode() for body in bodies]
        frames = b"".join(struct.pack(">BI", 0, len(message)) + message for message in messages)
        answer = self.post(key, method, frames, "application/connect+json")
        flags, length = struct.unpack_from(">BI", answer)
        if flags & 2:
            sys.exit(f"{method}: {answer[5:].decode()}")
        return json.loads(answer[5 : 5 + length])


class OverGRPC:
    """gRPC, by grpcio and protobuf's own code."""

    def __init__(self, address):
        import grpc
        from assent.bus import Contract
        from google.protobuf import json_format

        self.channel, self.contract, self.json = grpc.insecure_channel(address), Contract.shared(), json_format

    def make(self, kind, key, method, request, parse):
        service, name = method.split("/")
        described = self.contract.service(service)[name]
        call = getattr(self.channel, kind)(
            f"/{method}", request_serializer=described.request.SerializeToString,
            response_deserializer=described.answer.FromString)
        sent = parse(lambda body: self.json.ParseDict(body, described.request()))
        answer = call(sent, metadata=[("authorization", f"Bearer {key}")], timeout=30)
        return self.json.MessageToDict(answer)

    def call(self, key, method, body):
        return self.make("unary_unary", key, method, body, lambda one: one(body))

    def stream(self, key, method, bodies):
        return self.make("stream_unary", key, method, bodies, lambda one: iter([one(body) for body in bodies]))


door = {"http": OverHTTP, "grpc": OverGRPC}[KIND](ADDRESS)
keys = dict(line.split() for line in pathlib.Path(KEYS).read_text().splitlines())


def consent(who, method, **body):
    return door.call(keys[who], f"assent.consent.v1.{method}", body)


def signature(who, method, **body):
    return door.call(keys[who], f"assent.signature.v1.SignatureService/{method}", body)


def publish():
    consent("admin", "StudyService/CreateStudy", study={"studyId": STUDY, "name": "Walking and blood pressure"})
    file = json.loads((SAMPLE / "document.json").read_text())
    draft = consent("publisher", "DocumentService/ImportDocument", studyId=STUDY, file=file)["version"]
    consent(
        "publisher", "DocumentService/PublishDocumentDraft", documentId=draft["documentId"],
        expectedRevision=draft["revision"])
    flow = json.loads((SAMPLE / "flow.json").read_text())
    made = consent("publisher", "FlowService/CreateFlow", **flow)["version"]
    consent("publisher", "FlowService/PublishFlowDraft", flowId=made["flowId"], expectedRevision=made["revision"])
    return made["flowId"]


def drawn(who, place):
    """Draws in a field made for a place, as a pad does."""
    made = signature(
        who, "CreateField", reference=place, settings={"header": "Signature", "required": True})["view"]
    field = made["fieldId"]
    tapped = signature(who, "TapField", fieldId=field, expectedVersion=made["version"])["view"]
    line = [number / 8 for number in range(240)]
    piece = {
        "beginsStroke": True, "x": [60 + 12 * step + 14 * math.sin(step) for step in line],
        "y": [110 - 40 * math.cos(step) for step in line], "timeMs": [40 * step for step in line]}
    inked = door.stream(
        keys[who], "assent.signature.v1.SignatureService/AppendStrokes",
        [{"fieldId": field, "expectedVersion": tapped["version"], "pieces": [piece]}])["view"]
    saved = signature(who, "SaveField", fieldId=field, expectedVersion=inked["version"])["view"]["saved"]
    return {"drawn": {"fieldId": field, "revision": saved["revision"]}}


def action(screen):
    kind = next(kind for kind in ORDER if f"ACTION_KIND_{kind}" in screen["offered"])
    done = {"kind": f"ACTION_KIND_{kind}"}
    if kind == "ANSWER":
        done["answers"] = [
            {"questionId": one["id"], **ANSWERS.get(one["id"], {"text": "20"})} for one in screen["questions"]]
    elif kind == "SHARE":
        done["sharing"] = "SHARING_CHOICE_WIDE"
    elif kind == "ENTER_NAME":
        done["name"] = {"given": "Ada", "family": "Lindqvist"}
    elif kind == "SIGN":
        done["signature"] = drawn("app", screen["signatureForm"]["place"])
    return done


def take_part(flow):
    view = consent(
        "app", "SessionService/StartSession", flowId=flow, locale="en",
        birthDate={"year": 1984, "month": 5, "day": 17})["session"]
    screens = 0
    while view.get("screen", {}).get("offered"):
        screens += 1
        view = consent(
            "app", "SessionService/ActOnSession", sessionId=view["sessionId"], expectedVersion=view["version"],
            action=action(view["screen"]))["session"]
    assert view["outcome"] == "SESSION_OUTCOME_COMPLETED", view["outcome"]
    print(f"  {screens} screens, to record {view['recordIds'][-1]}")
    return view["recordIds"][-1]


def counter_sign():
    for task in consent("investigator", "SessionService/ListSigningTasks", studyId=STUDY)["tasks"]:
        consent(
            "investigator", "SessionService/SignRecord", recordId=task["recordId"], signatureId=task["signatureId"],
            name={"given": "Ngozi", "family": "Okafor"}, signature=drawn("investigator", task["place"]))


def record(name):
    return consent("app", "RecordService/GetRecord", recordId=name)["record"]


def fetch_copy(name):
    for _ in range(300):
        if record(name).get("signedCopy", {}).get("state") == "SIGNED_COPY_STATE_SEALED":
            copy = consent("app", "RecordService/GetSignedCopy", recordId=name)
            return pathlib.Path(FOLDER, f"{KIND}.pdf").write_bytes(base64.b64decode(copy["content"]))
        time.sleep(0.1)
    sys.exit(f"no copy was sealed: {record(name).get('signedCopy')}")


def is_permitted(subject):
    answer = consent("app", "RecordService/CheckConsent", studyId=STUDY, subjectId=subject, purpose="take_part")
    return answer["answer"].get("permitted", False)


name = take_part(publish())
subject = record(name)["subjectId"]
pathlib.Path(FOLDER, f"{KIND}.subject").write_text(subject)
assert not is_permitted(subject), "before the counter-signature"
counter_sign()
assert is_permitted(subject), "after the counter-signature"
print(f"  a signed copy of {fetch_copy(name)} bytes")
consent("app", "RecordService/WithdrawConsent", recordId=name)
assert not is_permitted(subject), "after the withdrawal"
