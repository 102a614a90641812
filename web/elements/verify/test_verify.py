"""Signed copies and files of evidence, judged in the browser, on the page that the real gateway serves."""

import base64
import copy
import hashlib
import importlib.util
import json
import pathlib
import tempfile
import time
import unittest
import zlib

import installation
import studies
from browser import ROOT
from record_screens import BIRTH, RIGHT
from walking import Walking

TYPED = {"typed": {"text": "Amara Okafor", "font": "script"}}
CHECK = "assent.consent.v1.RecordService/CheckSignedCopy"
TITLES = {"en": "Is your file genuine?", "de": "Ist Ihre Datei echt?", "fr": "Votre fichier est-il authentique ?",
          "es": "¿Es auténtico su archivo?", "zh": "您的文件是真实的吗？", "ja": "ファイルは本物ですか？", "ar": "هل ملفك أصلي؟"}


def peer():
    """The verifier in Python, which shares no code with the browser's."""
    spec = importlib.util.spec_from_file_location("verify_evidence", ROOT / "scripts/verify-evidence.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Records:
    """What people have decided, and what was handed out of it."""

    def __init__(self, assent):
        self.assent = assent
        assent.keys["staff"] = assent.key("staff", "person", "--grants", "investigator@*,inspector@*,admin@*")
        self.record = self.enrolled()
        answer = self.copy(self.record)
        self.pdf, self.identifier = base64.b64decode(answer["content"]), answer["copy"]["verificationId"]
        self.attached = base64.b64decode(self.copy(self.record, withEvidence=True)["content"])
        forms = self.form()
        self.bundles = {"document": self.evidence(self.record), "form": self.evidence(forms[0]),
                        "declined": self.evidence(forms[1])}
        gone = self.enrolled()
        answer = self.copy(gone)
        self.gone, self.gone_identifier = base64.b64decode(answer["content"]), answer["copy"]["verificationId"]
        self.staff("EraseSubject", subjectId=self.subject(gone), reason="The person asked for it.")
        self.bundles["erased"] = self.evidence(gone)
        self.withdrawn = self.form()[0]
        self.staff("WithdrawConsent", recordId=self.withdrawn, reason="The person asked for it.")
        self.bundles["withdrawn"] = self.evidence(self.withdrawn)
        questioned = self.enrolled()
        assent.call("SessionService/CorrectBirthDate", {
            "studyId": "walking", "subjectId": self.subject(questioned), "reason": "It was mistyped.",
            "birthDate": {"year": 2015, "month": 3, "day": 5}}, "staff")
        self.bundles["attention"] = self.evidence(questioned)
        loan = self.lent()
        self.copy(loan)
        self.attached_file = base64.b64decode(self.copy(loan, withEvidence=True)["content"])
        self.key = (assent.folder / "data/evidence.pub").read_text()

    def staff(self, method, **request):
        return self.assent.call(f"RecordService/{method}", request, "staff")

    def subject(self, record):
        return self.staff("GetRecord", recordId=record)["record"]["subjectId"]

    def evidence(self, record):
        return base64.b64decode(self.staff("GetEvidence", recordId=record)["content"])

    def copy(self, record, **more):
        for _ in range(100):
            answer = self.staff("GetSignedCopy", recordId=record, **more)
            if answer.get("sealed"):
                return answer
            time.sleep(0.1)
        raise RuntimeError("the copy was not sealed")

    def enrolled(self):
        view, act = self.assent.start("walking-enrolment"), self.assent.act
        while not view.get("outcome"):
            offered = [action.removeprefix("ACTION_KIND_") for action in view["screen"]["offered"]]
            question = view["screen"].get("questions", [{}])[0].get("id")
            kind, more = next((kind, more) for kind, more in (
                ("CONFIRM", {}), ("SHARE", {"sharing": "SHARING_CHOICE_WIDE"}),
                ("ANSWER", {"answers": [BIRTH if question == "birth-date" else
                                        {"questionId": question, **RIGHT.get(question, {})}]}),
                ("SCROLLED_TO_END", {}), ("ENTER_NAME", {"name": {"given": "Amara", "family": "Okafor"}}),
                ("SIGN", {"signature": TYPED}), ("NEXT", {}), ("AGREE", {}), ("DONE", {})) if kind in offered)
            view = act(view, kind, **more)
        return view["recordIds"][-1]

    def form(self):
        """A permission that was given, and one that was not."""
        view, act = self.assent.start("field-onboarding"), self.assent.act
        for kind in ("NEXT", "NEXT", "NEXT", "ALLOW", "NOT_NOW"):
            view = act(view, kind)
        return view["recordIds"]

    def lent(self):
        """A document that is a file, which is attached to its copy as well."""
        studies.install(self.assent)
        studies.paged(self.assent)
        view = self.assent.start("loan-alone")
        for _ in range(2):
            view = self.assent.act(view, "NEXT")
        return self.assent.agree(view)["recordIds"][0]


@unittest.skipUnless(installation.IS_THERE, "assent is not built")
class VerifyTest(Walking):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.files = cls.address
        cls.assent = installation.Installation()
        cls.addClassCleanup(cls.assent.stop)
        cls.assent.samples()
        cls.records = Records(cls.assent)
        cls.address = f"http://127.0.0.1:{cls.assent.port}"

    def page(self, identifier=None, **options):
        identifier = self.records.identifier if identifier is None else identifier
        page = self.open(f"verify/{identifier}", **options)
        page.locator("assent-verify [part=choose]").wait_for()
        return page

    def give(self, page, *contents, input=0):
        page.locator("assent-verify input[type=file]").nth(input).set_input_files(
            [{"name": f"file-{at}", "mimeType": "", "buffer": content} for at, content in enumerate(contents)])

    def says(self, page, why):
        page.locator(f"assent-verify [data-why={why}]").wait_for()
        return page.locator("assent-verify .root").inner_text()

    def judge(self, *contents, identifier=None, allowed=()):
        page = self.page(identifier, allowed=allowed)
        self.give(page, *contents)
        self.until(page, "document.querySelector('assent-verify').finding")
        found = page.evaluate("(({ verdict, why, report }) => [verdict, why, report?.problems ?? []])"
                              "(document.querySelector('assent-verify').finding)")
        page.context.close()
        return found

    # Signed copies

    def test_a_genuine_copy_and_nothing_but_its_hash_is_sent(self):
        page = self.page()
        sent = []
        page.on("request", lambda request: sent.append((request.url, request.post_data, request.headers)))
        self.give(page, self.records.pdf)
        said = self.says(page, "same")
        for words in ("This copy is genuine.", "Assent (development, self-signed) sealed it on",
                      "Walking and Blood Pressure: Consent to Take Part", "Ask those it comes from"):
            self.assertIn(words, said)
        (address, body, headers), = sent
        self.assertTrue(address.endswith(CHECK))
        self.assertEqual(set(json.loads(body)), {"verificationId", "sha256"})
        kept = [name for name in ("cookie", "authorization", "referer") if headers.get(name)]
        self.assertEqual(kept, [])
        focused = "document.querySelector('assent-verify').shadowRoot.activeElement.textContent"
        self.assertEqual(page.evaluate(focused), "This copy is genuine.")
        page.locator("assent-verify [part=another]").click()
        self.assertIn("Drop the file here", page.locator("assent-verify .root").inner_text())

    def test_by_keyboard_by_drop_and_by_paste(self):
        page = self.page("")
        for _ in range(10):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.shadowRoot?.activeElement?.part.value") == "choose":
                break
        with page.expect_file_chooser() as chooser:
            # The driver tells the browser in a message of its own that choosers are awaited.
            page.wait_for_timeout(200)
            page.keyboard.press("Enter")
        chooser.value.set_files({"name": "copy.pdf", "mimeType": "application/pdf", "buffer": self.records.pdf})
        # Without an identifier in the address, the one that is printed on the copy is asked about.
        self.says(page, "same")
        for kind, data in (("drop", "dataTransfer"), ("paste", "clipboardData")):
            page.locator("assent-verify [part=another]").click()
            page.evaluate(
                """([kind, data, content]) => {
                  const transfer = new DataTransfer()
                  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
                  transfer.items.add(new File([bytes], "copy.pdf"))
                  const options = { bubbles: true, cancelable: true, [data]: transfer }
                  // Anywhere on the page.
                  if (kind === "drop") document.body.dispatchEvent(new DragEvent("dragover", options))
                  const event = kind === "drop" ? new DragEvent(kind, options) : new ClipboardEvent(kind, options)
                  document.body.dispatchEvent(event)
                  if (!event.defaultPrevented) throw new Error("the browser would open the file")
                }""", [kind, data, base64.b64encode(self.records.pdf).decode()])
            self.says(page, "same")

    def test_a_copy_that_was_altered_by_one_byte(self):
        for at in (9, len(self.records.pdf) // 2, len(self.records.pdf) - 1):
            content = bytearray(self.records.pdf)
            content[at] ^= 1
            self.assertEqual(self.judge(bytes(content))[:2], ["changed", "differs"], at)
        page = self.page()
        self.give(page, self.records.pdf + b"\n")
        said = self.says(page, "differs")
        self.assertIn("Do not rely on it. Ask whoever gave it to you for a new copy.", said)
        self.assertIn("by accident", said)

    def test_an_unknown_copy_and_one_that_does_not_say_what_it_is(self):
        other = self.records.identifier[:-4] + "0000"
        content = self.records.pdf.replace(self.records.identifier.encode(), other.encode())
        page = self.page("", allowed=("404",))
        self.give(page, content)
        self.assertIn("There is no document with this identifier here.", self.says(page, "not-on-record"))
        self.give(page, b"%PDF-2.0 of somebody else")
        self.says(page, "no-identifier")
        page.locator("assent-verify [part=identifier]").fill(self.records.identifier)
        page.keyboard.press("Enter")
        self.says(page, "differs")

    def test_what_was_typed_is_not_asked_about_with_the_next_file(self):
        page = self.page("", allowed=("404",))
        self.give(page, b"%PDF-2.0 of somebody else")
        self.says(page, "no-identifier")
        page.locator("assent-verify [part=identifier]").fill(self.records.identifier[:-4] + "0000")
        page.keyboard.press("Enter")
        self.says(page, "not-on-record")
        self.give(page, self.records.pdf)
        self.says(page, "same")

    def test_a_copy_of_another_document_than_the_one_asked_about(self):
        page = self.page()
        self.give(page, self.records.gone)
        said = self.says(page, "other-document")
        self.assertIn("This file is of another document.", said)
        self.assertIn(self.records.gone_identifier, said)
        # It can be checked by the identifier that is printed on it. What that could be compared with was erased.
        page.locator("assent-verify [part=check]").click()
        self.says(page, "incomparable")
        self.assertNotIn("SHA-256", page.locator("assent-verify .root").text_content())

    def test_of_several_files_none_is_judged(self):
        pdf, bundle = self.records.pdf, self.records.bundles["document"]
        for contents in ([pdf, pdf], [bundle, bundle], [pdf, bundle, bundle], [pdf, self.records.gone, bundle]):
            self.assertEqual(self.judge(*contents), ["unknown", "too-many", []])

    def test_garbage_is_said_to_be_none_of_them(self):
        whole = self.records.bundles["form"]
        for content in (b"", b"\0" * 1000, b"<html><script>alert(1)</script>", b"{}", b"[" * 100_000, b'{"format":1e9}',
                        whole[:-2], whole[:len(whole) // 2], b"\xff\xfe" + whole,
                        whole.replace(b"assent-ev", b"other-ev"),
                        json.dumps({"format": "assent-evidence-1", "logs": []}).encode()):
            self.assertEqual(self.judge(content), ["unknown", "unreadable", []], content[:40])

    def test_fifty_megabytes(self):
        with tempfile.TemporaryDirectory() as folder:
            page = self.page()
            for begin, why in ((self.records.pdf, "differs"), (b"\0", "unreadable"), (b'{"format":"', "unreadable")):
                path = pathlib.Path(folder) / "large"
                path.write_bytes(begin + b" " * 50_000_000)
                began = time.monotonic()
                page.locator("assent-verify input[type=file]").first.set_input_files(path)
                self.says(page, why)
                self.assertLess(time.monotonic() - began, 15)

    def test_the_server_is_away_and_comes_back(self):
        page = self.page(allowed=("Failed to load",))
        page.route(f"**/{CHECK}", lambda route: route.abort())
        self.give(page, self.records.pdf)
        self.assertIn("Your file is still here.", self.says(page, "away"))
        page.unroute(f"**/{CHECK}")
        page.locator("assent-verify [part=try-again]").click()
        self.says(page, "same")

    # Evidence

    def test_evidence_of_each_kind(self):
        for kind, why, words in (
            ("document", "proven", ["This evidence is genuine.", "Walking and Blood Pressure: Consent to Take Part",
                                    "version 1", "agreed, signatures missing", "participant", "Agreed to",
                                    "It was not in force: signatures were still missing."]),
            ("form", "proven", ["“Your work orders”: agreed", "Agreed to"]), ("declined", "proven", ["declined"]),
            ("withdrawn", "proven", ["“Your work orders”: withdrawn", "Decided"]),
            ("attention", "proven", ["to be looked at. It was recorded so", "somebody had to look at it first."]),
            ("erased", "erased", ["The proof is intact, the content was erased.", "stays on record"]),
        ):
            page = self.page("")
            asked = []
            page.on("request", lambda request: asked.append(request.url))  # noqa: B023
            self.give(page, self.records.bundles[kind])
            said = self.says(page, why)
            for text in words:
                self.assertIn(text, said, kind)
            # Nobody is asked, and nothing is sent.
            self.assertEqual(asked, [])
            self.assertIn("later changes", said)
            if kind in ("declined", "withdrawn"):
                self.assertNotIn("Agreed to", said)
            if kind == "attention":
                self.assertNotIn("Decided", said)

    def test_what_was_withdrawn_has_the_time_of_that(self):
        page = self.page("")
        self.give(page, self.records.bundles["withdrawn"])
        self.says(page, "proven")
        at = self.records.staff("GetRecord", recordId=self.records.withdrawn)["record"]["history"][-1]["at"]
        self.assertTrue(page.evaluate(
            "(at) => Date.parse(at) === document.querySelector('assent-verify').finding.told.decidedAt.valueOf()", at))

    def test_evidence_of_two_records_tells_of_neither(self):
        both = json.loads(self.records.bundles["document"])
        both["logs"] += json.loads(self.records.bundles["form"])["logs"]
        page = self.page("")
        self.give(page, json.dumps(both).encode(), self.records.pdf)
        said = self.says(page, "proven")
        self.assertIn("What it says was recorded", said)
        for title in ("Your work orders", "Walking and Blood Pressure"):
            self.assertNotIn(title, said)

    def test_evidence_that_is_attached_to_other_pages_says_nothing_of_them(self):
        forged = b"%PDF-2.0" + attachment("json", self.records.bundles["document"])
        self.assertEqual(self.judge(forged), ["changed", "differs", []])
        self.assertEqual(self.judge(forged, identifier=""), ["unknown", "no-identifier", []])
        # Nor does somebody's copy, in place of the one that the evidence is about.
        forged += attachment("pdf", self.records.gone)
        self.assertEqual(self.judge(forged), ["changed", "altered", ["copy: not in the evidence"]])

    def test_a_copy_of_which_the_evidence_was_erased_cannot_be_compared(self):
        page = self.page("")
        self.give(page, self.records.gone, self.records.bundles["erased"])
        self.assertIn("What it could be compared with was erased.", self.says(page, "incomparable"))
        self.assertNotIn("is the one in the evidence", page.locator("assent-verify .root").text_content())
        self.assertEqual(self.judge(self.records.gone, self.records.bundles["document"])[:2], ["changed", "altered"])

    def test_a_copy_with_its_evidence(self):
        page = self.page("")
        self.give(page, self.records.pdf, self.records.bundles["document"])
        self.assertIn("This evidence is genuine.", self.says(page, "proven"))
        self.assertEqual(self.judge(self.records.pdf + b"\n", self.records.bundles["document"])[2],
                         ["copy: not in the evidence"])
        # A copy with the evidence in it: its pages are not what was proven, and the copy within can be saved.
        page.locator("assent-verify [part=another]").click()
        page.evaluate("""() => {
          const { createObjectURL } = URL
          window.made = 0
          URL.createObjectURL = (blob) => { made += 1; return createObjectURL.call(URL, blob) }
        }""")
        self.give(page, self.records.attached)
        self.assertIn("The pages of this file were not compared.", self.says(page, "proven"))
        self.assertEqual(page.evaluate("made"), 0, "addresses are made when they are used")
        with page.expect_download() as download:
            page.locator("assent-verify [part=save]").click()
        self.assertEqual(download.value.path().read_bytes(), self.records.pdf)
        # The copy within is compared with evidence that is given beside it, too.
        self.assertEqual(self.judge(self.records.attached, self.records.bundles["document"]), ["genuine", "proven", []])
        # A document that is a file stands among the attachments too.
        self.assertEqual(self.judge(self.records.attached_file), ["genuine", "proven", []])

    def test_it_finds_what_the_verifier_in_python_finds(self):
        python, keys = peer(), [bytes.fromhex(self.records.key.strip())]
        page = self.page("")
        for kind in ("document", "erased"):
            wanted, texts = [], []
            for name, altered in alterations(json.loads(self.records.bundles[kind])):
                text = altered if isinstance(altered, bytes) else json.dumps(altered).encode()
                texts.append(base64.b64encode(text).decode())
                wanted.append([name, self.found_by(python, keys, text)])
            found = page.evaluate(
                """async (texts) => {
                  const element = document.querySelector("assent-verify"), found = []
                  for (const text of texts) {
                    await element.check(new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]))
                    const { why, report } = element.finding
                    found.push(why === "unreadable" ? null : report.problems)
                  }
                  return found
                }""", texts)
            self.assertEqual([[name, each] for (name, _), each in zip(wanted, found)], wanted)
            self.assertGreater(len([problems for _, problems in wanted if problems != []]), 60)

    def found_by(self, python, keys, text):
        """The problems that the verifier in Python names; nothing where it reads no bundle."""
        problems = []
        with tempfile.NamedTemporaryFile() as file:
            file.write(text)
            file.flush()
            try:
                bundle = python.read(file.name)
            except Exception:
                return None
        for log in bundle["logs"]:
            python.check(log, keys, problems, [0] * 6, [])
        return problems

    def test_a_key_that_is_not_known_here_can_be_added(self):
        page = self.context().new_page()
        page.goto(f"{self.files}/verify.html")
        self.give(page, self.records.bundles["form"])
        said = self.says(page, "no-key")
        self.assertIn("signed by a key that is not known here", said)
        self.assertNotIn("Your work orders", said)
        self.give(page, b"no key", input=1)
        page.locator("assent-verify [part=error]").wait_for()
        focused = "document.querySelector('assent-verify').shadowRoot.activeElement.part.value"
        self.assertEqual(page.evaluate(focused), "add-key")
        self.give(page, self.records.key.encode(), input=1)
        self.says(page, "proven")

    def test_a_browser_without_ed25519_says_so(self):
        script = """(() => {
          const { importKey } = SubtleCrypto.prototype
          SubtleCrypto.prototype.importKey = function (format, bytes, name, ...rest) {
            return name === "Ed25519" ? Promise.reject(new DOMException("no", "NotSupportedError"))
              : importKey.call(this, format, bytes, name, ...rest)
          }
        })()"""
        page = self.page("", script=script)
        self.give(page, self.records.bundles["form"])
        self.assertIn("this browser cannot verify its signatures", self.says(page, "no-ed25519"))

    # By everybody

    def test_nothing_for_axe_to_find_in_any_state_in_two_directions(self):
        states = (("same", [self.records.pdf]), ("differs", [self.records.pdf + b"\n"]),
                  ("unreadable", [b"?"]), ("proven", [self.records.bundles["document"]]),
                  ("erased", [self.records.bundles["erased"]]), ("no-identifier", [b"%PDF-"]),
                  ("altered", [self.altered()]), ("too-many", [b"?", b"?"]),
                  ("proven", [self.records.attached]))
        for locale, theme, width in (("en-GB", "light", 800), ("ar", "dark", 320)):
            page = self.page("", locale=locale, color_scheme=theme, viewport={"width": width, "height": 800})
            self.assertEqual(page.evaluate("document.dir"), "rtl" if locale == "ar" else "ltr")
            self.assert_accessible(page, f"{locale}, waiting")
            for why, contents in states:
                self.give(page, *contents)
                self.says(page, why)
                self.assert_accessible(page, f"{locale}, {why}")
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
                page.evaluate("document.querySelector('assent-verify').reset()")

    def altered(self):
        bundle = json.loads(self.records.bundles["form"])
        bundle["logs"][0]["shown_at_ms"] += 1
        return json.dumps(bundle).encode()

    def test_it_speaks_seven_languages(self):
        for tag, title in TITLES.items():
            page = self.page("", locale=tag)
            page.locator("assent-verify h2", has_text=title).wait_for()
            self.give(page, self.records.bundles["form"])
            self.says(page, "proven")
            page.context.close()

    def test_without_javascript_the_form_compares(self):
        page = self.context(java_script_enabled=False).new_page()
        page.goto(f"{self.address}/verify/{self.records.identifier}")
        self.assertIn("sha256sum FILE.pdf", page.inner_text("body"))
        page.fill("#sum", hashlib.sha256(self.records.pdf).hexdigest())
        page.click("button")
        self.assertIn("This is the file on record, unchanged.", page.inner_text("body"))


def attachment(kind, content):
    """A file as it is attached to a PDF."""
    packed = zlib.compress(content)
    return (b"\n1 0 obj<</Type/EmbeddedFile/Subtype/application#2F%b/Filter/FlateDecode/Length %d>>stream\n%b\nendstream"
            % (kind.encode(), len(packed), packed))


def alterations(bundle):
    """The bundle, altered in many ways, each with a name."""
    yield "as it is", bundle

    def changed(name, change):
        other = copy.deepcopy(bundle)
        change(other["logs"][0])
        return name, other

    def flipped(text):
        data = bytearray(base64.b64decode(text))
        if not data:
            return base64.b64encode(b"x").decode()
        data[len(data) // 2] ^= 1
        return base64.b64encode(bytes(data)).decode()

    for part in ("events", "rows", "commitments", "contents"):
        entries = bundle["logs"][0][part]
        yield changed(f"no {part}", lambda log: log[part].clear())  # noqa: B023
        for at in sorted({0, len(entries) // 2, len(entries) - 1} & set(range(len(entries)))):
            yield changed(f"{part} {at} is missing", lambda log: log[part].pop(at))  # noqa: B023
            yield changed(f"{part} {at} twice", lambda log: log[part].append(log[part][at]))  # noqa: B023
            for name, value in entries[at].items():
                def alter(log):
                    entry = log[part][at]  # noqa: B023
                    if isinstance(value, int):  # noqa: B023
                        entry[name] = value + 1  # noqa: B023
                    elif name in ("payload", "changes", "chain", "salt", "value", "bytes"):  # noqa: B023
                        entry[name] = value and flipped(value)  # noqa: B023
                    elif name == "digest":  # noqa: B023
                        entry[name] = ("1" if value[0] != "1" else "2") + value[1:]  # noqa: B023
                    elif name == "proof":  # noqa: B023
                        entry[name] = [flipped(each) for each in value]  # noqa: B023
                    elif name in ("key", "columns"):  # noqa: B023
                        entry[name] = value[:-1]  # noqa: B023
                    else:
                        entry[name] = value + "\u2028x"  # noqa: B023
                yield changed(f"{part} {at}, {name}", alter)
    for name in ("origin", "tenant", "checkpoint", "shown"):
        yield changed(name, lambda log: log.update({name: log[name] + "x"}))  # noqa: B023
        lines = bundle["logs"][0][name].split("\n")
        if len(lines) > 4:
            for at, line in enumerate(lines):
                yield changed(f"{name}, line {at}", lambda log: log.update(  # noqa: B023
                    {name: "\n".join(lines[:at] + [line + "1"] + lines[at + 1:])}))  # noqa: B023
            end = flipped(lines[4].split(" ")[-1])
            forged = "\n".join(lines[:4] + [" ".join(lines[4].split(" ")[:-1] + [end]), ""])
            yield changed(f"{name}, forged", lambda log: log.update({name: forged}))  # noqa: B023
    yield changed("time", lambda log: log.update(shown_at_ms=log["shown_at_ms"] + 1))
    yield changed("a large number", lambda log: log.update(shown_at_ms=2**63))
    yield changed("its own head, kept", lambda log: log["earlier"].append(
        {"checkpoint": log["checkpoint"], "proof": []}))
    yield changed("a head with a proof of nothing", lambda log: log["earlier"].append(
        {"checkpoint": log["checkpoint"], "proof": [base64.b64encode(b"0" * 32).decode()]}))
    text = json.dumps(bundle)
    yield "a name twice", text.replace('"format"', '"format": "assent-evidence-1", "format"', 1).encode()
    yield "a fraction", text.replace('"shown_at_ms": ', '"shown_at_ms": 1.5, "x": ', 1).encode()
    yield "half a character", text.replace('"about": {', '"about": {"x": "\\ud800", ', 1).encode()
    yield "a pair of halves", text.replace('"about": {', '"about": {"x": "\\ud83d\\ude00", ', 1).encode()
    yield "minus zero", text.replace('"about": {', '"about": {"x": -0, ', 1).encode()
    yield "no number", text.replace('"about": {', '"about": {"x": NaN, ', 1).encode()
    yield "deep", text.replace('"about": {', '"about": {"x": ' + "[" * 40 + "]" * 40 + ", ", 1).encode()
    yield "a mark in front", b"\xef\xbb\xbf" + text.encode()


if __name__ == "__main__":
    unittest.main()
