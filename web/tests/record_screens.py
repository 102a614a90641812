"""Walks sample consents with the real programs and keeps what they answer, for the page of all states.

usage: record_screens.py    writes web/apps/kit/recorded.json; needs the built programs
"""

import json
import sys

from browser import ROOT
import installation
import studies
from installation import words

PLACE = ROOT / "web/apps/kit/recorded.json"


def question(kind, definition=None, choices=(), **texts):
    name = kind.lower().replace("_", "-")
    return {
        "definition": {"id": name, "kind": f"QUESTION_KIND_{kind}", **(definition or {}),
                       "choices": [{"id": each} for each, _ in choices]},
        "choices": [{"choiceId": each, "text": words(en=text)} for each, text in choices],
        **{key: words(en=text) for key, text in texts.items()},
    }


QUESTIONS = [
    question("SINGLE", choices=(("daily", "Every day"), ("weekly", "Once a week"), ("never", "Never")),
             prompt="How often do you walk?", detail="Twenty minutes or more."),
    question("MULTIPLE", choices=(("alone", "Alone"), ("dog", "With a dog"), ("friends", "With friends")),
             prompt="With whom? Choose all that apply."),
    question("BOOLEAN", prompt="Do you smoke?"),
    question("NUMBER", {"number": {"minimum": {"value": 30}, "maximum": {"value": 250}, "decimals": 1}},
             prompt="How much do you weigh?", unit="kg"),
    question("SCALE", {"scale": {"minimum": 0, "maximum": 10}}, prompt="How well do you sleep?",
             minimumLabel="Very badly", maximumLabel="Very well"),
    question("TIME_OF_DAY", prompt="When do you get up?"),
    question("DATE", prompt="When was your last check?"),
    question("TEXT", {"optional": True}, prompt="Is there anything else?"),
]
ASKING = {
    "studyId": "walking", "flowId": "asking", "name": "Questions of all kinds",
    "definition": {"defaultLocale": "en", "steps": [
        {"id": "about", "question": {"title": words(en="About you"), "together": True, "questions": QUESTIONS}},
        {"id": "done", "completion": {}},
    ]},
}


def recap(document):
    """The sample's consent with a recap, a photo as signature, and nothing to answer before."""
    settings = document["content"]["settings"]
    settings["recap"] = True
    settings.pop("comprehension")
    settings.pop("offersSharing")
    settings["signatures"][0]["allowsUploaded"] = True
    document["documentId"] = "walking-recap"
    for text in document["content"]["texts"]:
        text.pop("questions", None)
        text.pop("sharing", None)
    return document


CERTIFYING = {
    "studyId": "walking", "flowId": "certifying", "name": "A consent with a recap",
    "definition": {"defaultLocale": "en", "steps": [
        {"id": "review", "review": {"documentId": "walking-recap"}}, {"id": "done", "completion": {}},
    ]},
}

BIRTH = {"questionId": "birth-date", "date": {"year": 1980, "month": 3, "day": 5}}
RIGHT = {
    "leave": {"choiceIds": ["any-time"]}, "gathered": {"choiceIds": ["steps", "pressure"]}, "minutes": {"text": "20"},
}


class Recording:
    def __init__(self, assent):
        self.assent, self.screens = assent, {}

    def keep(self, name, view):
        self.screens[name] = view
        return view

    def act(self, name, view, kind, /, **more):
        return self.keep(name, self.assent.act(view, kind, **more))

    def enrolment(self, locale):
        tag = "" if locale == "en" else f"-{locale}"
        view = self.keep(f"instruction{tag}", self.assent.start("walking-enrolment", locale))
        view = self.act(f"overview{tag}", view, "NEXT")
        for name in ("data", "privacy", "use", "time", "survey", "tasks", "leaving", "custom"):
            view = self.act(f"{name}{tag}", view, "NEXT")
        view = self.act(f"questions{tag}", view, "NEXT")
        wrong = view
        for _ in range(3):
            identifier = view["screen"]["questions"][0]["id"]
            view = self.assent.act(view, "ANSWER", answers=[{"questionId": identifier, **RIGHT[identifier]}])
        self.keep(f"sharing{tag}", view)
        view = self.act(f"birth-date{tag}", view, "SHARE", sharing="SHARING_CHOICE_WIDE")
        view = self.act(f"review{tag}", view, "ANSWER", answers=[BIRTH])
        self.act(f"cancel{tag}", view, "CANCEL")
        view = self.assent.act(self.assent.act(self.screens[f"cancel{tag}"], "DISMISS"), "SCROLLED_TO_END")
        self.keep(f"review-read{tag}", view)
        view = self.act(f"confirm{tag}", view, "AGREE")
        view = self.act(f"name{tag}", view, "CONFIRM")
        view = self.act(f"signature{tag}", view, "ENTER_NAME", name={"given": "Amara", "family": "Okafor"})
        typed = {"typed": {"text": "Amara Okafor", "font": "script"}}
        view = self.act(f"completion{tag}", view, "SIGN", signature=typed)
        self.act(f"completed{tag}", view, "DONE")
        return wrong

    def failing(self):
        """Wrong answers lead back, and in the end out."""
        view = self.assent.start("walking-enrolment")
        while "outcome" not in view:
            screen = view["screen"]
            if screen.get("entries", {}).get("notice"):
                self.screens.setdefault("restudy", view)
            if "ACTION_KIND_NEXT" in screen["offered"]:
                view = self.assent.act(view, "NEXT")
            else:
                asked = screen["questions"][0]
                wrong = {"choiceIds": [asked["choices"][-1]["id"]]} if asked.get("choices") else {"text": "5"}
                view = self.assent.act(view, "ANSWER", answers=[{"questionId": asked["id"], **wrong}])
        self.keep("failed", view)

    def forms(self, locale):
        tag = "" if locale == "en" else f"-{locale}"
        view = self.assent.start("field-onboarding", locale)
        view = self.act(f"form-first{tag}", view, "NEXT")
        view = self.act(f"form-middle{tag}", view, "NEXT")
        view = self.act(f"form-last{tag}", view, "NEXT")
        self.act(f"consent-needed{tag}", view, "DENY")
        view = self.assent.act(self.assent.act(self.screens[f"consent-needed{tag}"], "DISMISS"), "ALLOW")
        self.keep(f"form-single{tag}", view)
        view = self.assent.act(view, "CANCEL")
        self.keep(f"quit{tag}", view)
        self.act(f"ended{tag}", view, "CONFIRM")

    def rest(self):
        self.keep("questions-all", self.assent.start("asking"))
        view = self.assent.start("certifying")
        view = self.assent.act(view, "ANSWER", answers=[BIRTH])
        for kind, more in (("SCROLLED_TO_END", {}), ("AGREE", {}), ("CONFIRM", {}),
                           ("ENTER_NAME", {"name": {"given": "Amara", "family": "Okafor"}})):
            view = self.assent.act(view, kind, **more)
        self.keep("signature-photo", view)
        self.act("recap", view, "SIGN", signature={"typed": {"text": "Amara Okafor", "font": "script"}})
        view = self.assent.start("walking-enrolment")
        self.keep("declined", self.declined(view))

    def choices(self):
        """Optional purposes, an optional review, and what is said of what was agreed to before."""
        self.keep("review-choices", self.assent.start("choosing"))
        view, person = self.assent.begin("choosing")
        view = self.act("review-choices-read", view, "SCROLLED_TO_END")
        view = self.keep("review-plain", self.assent.agree(view, genes="YES", letters="NO"))
        view = self.keep("signature-initials", self.assent.act(self.assent.act(view, "AGREE"), "CONFIRM"))
        self.act("ended-going-on", self.act("quit-signed", view, "CANCEL"), "CONFIRM")
        view = self.assent.start("heart-alone", subjectId=person)
        view = self.act("earlier-consent", self.assent.act(view, "SCROLLED_TO_END"), "DISAGREE")
        self.act("declined-earlier", view, "CONFIRM")
        view, person = self.assent.begin("calls-alone")
        self.assent.act(self.assent.act(view, "ALLOW"), "DONE")
        self.act("earlier-permission", self.assent.start("calls-alone", subjectId=person), "NOT_NOW")

    def signers(self):
        """Whoever else signs, and how."""
        view = self.act("birth-date-child", self.assent.start("child-alone"), "ANSWER", answers=[
            {"questionId": "birth-date", "date": {"year": 2014, "month": 3, "day": 5}}])
        for kind in ("SCROLLED_TO_END", "AGREE", "CONFIRM"):
            view = self.assent.act(view, kind)
        self.keep("name-guardian", view)
        view = self.act("signature-guardian", view, "ENTER_NAME", name={"given": "Ngozi", "family": "Okafor"})
        self.act("name-child", view, "SIGN", signature={"typed": {"text": "Ngozi Okafor", "font": "script"}})
        view = self.assent.start("fresh-alone")
        for kind in ("AGREE", "CONFIRM"):
            view = self.assent.act(view, kind)
        self.keep("signature-fresh", view)

    def pages(self):
        view = self.keep("page", self.assent.start("loan-alone"))
        self.act("page-last", view, "NEXT")

    def ends(self):
        """Ends that nobody chose."""
        view = self.assent.start("child-alone")
        self.act("under-age", view, "ANSWER", answers=[
            {"questionId": "birth-date", "date": {"year": 2024, "month": 3, "day": 5}}])
        view = self.assent.start("field-onboarding")
        for kind in ("NEXT", "NEXT", "NEXT", "DENY"):
            view = self.assent.act(view, kind)
        self.act("denied", view, "CONFIRM")
        view = self.assent.start("calls-alone")
        self.assent.call("SessionService/AbandonSession", {"sessionId": view["sessionId"]}, "device")
        self.keep("abandoned", self.seen(view))
        self.keep("update-needed", self.assent.start("loan-alone", clientSchema=1))
        view = self.assent.start("fresh-alone")
        self.assent.call(
            "DocumentService/StopDocumentVersion", {"documentId": "fresh", "version": 1, "reason": "Over."})
        self.act("stopped", view, "DISAGREE")

    def seen(self, view):
        return self.assent.call("SessionService/GetSession", {"sessionId": view["sessionId"]}, "device")["session"]

    def declined(self, view):
        while "ACTION_KIND_DISAGREE" not in view["screen"]["offered"]:
            screen = view["screen"]
            if "ACTION_KIND_NEXT" in screen["offered"]:
                view = self.assent.act(view, "NEXT")
            elif "ACTION_KIND_SHARE" in screen["offered"]:
                view = self.assent.act(view, "SHARE", sharing="SHARING_CHOICE_WIDE")
            else:
                identifier = screen["questions"][0]["id"]
                answer = BIRTH if identifier == "birth-date" else {"questionId": identifier, **RIGHT[identifier]}
                view = self.assent.act(view, "ANSWER", answers=[answer])
        return self.assent.act(view, "DISAGREE")


def main():
    assent = installation.Installation()
    try:
        assent.samples()
        clinical = json.loads((ROOT / "samples/clinical-study/document.json").read_text())
        assent.document("walking", recap(clinical))
        for flow in (ASKING, CERTIFYING):
            assent.flow(flow)
        studies.install(assent)
        studies.paged(assent)
        recording = Recording(assent)
        for locale in ("en", "de", "ar"):
            recording.enrolment(locale)
        recording.failing()
        for locale in ("en", "de"):
            recording.forms(locale)
        recording.rest()
        recording.choices()
        recording.signers()
        recording.pages()
        recording.ends()
    finally:
        assent.stop()
    PLACE.write_text("{\n" + ",\n".join(
        f"{json.dumps(name)}: {json.dumps(view, ensure_ascii=False)}"
        for name, view in recording.screens.items()) + "\n}\n")
    print(f"{len(recording.screens)} screens, {PLACE.stat().st_size} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 1:
        sys.exit(print(__doc__))
    main()
