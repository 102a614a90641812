"""Studies that ask for what the samples do not: choices of their own, a file, initials, a guardian, a fresh proof."""

import struct
import zlib

from installation import encoded, words

QUOTE = "You can change your mind at any time, and nobody will ask you why."


def document(name, title, sections, signatures, purposes, **more):
    """A document in English: sections by their titles, and signatures and purposes with their texts."""
    settings = more.pop("settings", {})
    return {
        "documentId": name, "name": title,
        "content": {
            "defaultLocale": "en",
            "settings": {
                "sections": [{"id": f"s{at}", "type": "SECTION_TYPE_ONLY_IN_DOCUMENT"} for at in range(len(sections))],
                "signatures": [definition for definition, _ in signatures],
                "purposes": [definition for definition, _ in purposes],
                "reconsent": "RECONSENT_POLICY_NO_ACTION", **settings,
            },
            "texts": [{
                "locale": "en", "title": title,
                "sections": [{"sectionId": f"s{at}", "formalTitle": heading, "htmlContent": html}
                             for at, (heading, html) in enumerate(sections)],
                "signatures": [{"signatureId": definition["id"], **texts} for definition, texts in signatures],
                "purposes": [{"purposeCode": definition["code"], **texts} for definition, texts in purposes],
                "reasonForConsent": QUOTE, **more,
            }],
        },
    }


def signature(name="participant", role="PARTICIPANT", order=1, title="Participant", **more):
    return ({"id": name, "role": f"SIGNER_ROLE_{role}", "order": order, **more},
            {"title": title, "meaning": "I agree to what stands in this document."})


def purpose(code, title, description="", optional=False):
    return {"code": code, "optional": optional}, {"title": title, "description": description}


def review(name, optional=False):
    return {"id": name, "review": {"documentId": name, "optional": optional}}


def flow(name, *steps):
    return {"studyId": "choices", "flowId": name, "name": name, "definition": {
        "defaultLocale": "en", "steps": [*steps, {"id": "done", "completion": {
            "contact": words(en="Amina Yusuf, study nurse, +49 30 555 0100")}}]}}


HEART = document(
    "heart", "Heart Samples",
    [("What we keep", "<p>We keep ten millilitres of your blood for later research on the heart.</p>"),
     ("Where", f"<p>In the biobank of the Riverside Clinic. {QUOTE}</p>")],
    [signature(requiresName=True, requiresImage=True)],
    [purpose("heart", "Keeping my samples"),
     purpose("genes", "May we read your genes?", "Laboratories of our partners see them with a code.", optional=True),
     purpose("letters", "May we write to you?", "About once a year.", optional=True)])
HOUSE = document(
    "house", "House Rules", [("At the clinic", "<p>Please wear shoes for walking, and bring water.</p>")],
    [signature(requiresImage=True, initials=True, refusesTyped=True)], [purpose("house", "Keeping to the rules")],
    settings={"withoutScrollGate": True})
CHILD = document(
    "child", "Walking to School", [("What we ask of your child", "<p>To wear a step counter for a week.</p>")],
    [signature("guardian", "GUARDIAN", 1, "Parent or guardian", requiresName=True, requiresImage=True),
     signature("child", "PARTICIPANT", 2, "Child", requiresName=True)],
    [purpose("steps", "Counting steps")], settings={"age": {"minimumAge": 6, "majorityAge": 18, "assentAge": 10}})
FRESH = document(
    "fresh", "Access to My Records", [("What you allow", "<p>The study doctor may look into your records.</p>")],
    [signature(requiresReauthentication=True)], [purpose("records", "Seeing my records")],
    settings={"withoutScrollGate": True})

CALLS = {"id": "calls", "form": {
    "arrangement": "FORM_ARRANGEMENT_SINGLE", "condition": "FORM_CONDITION_OPTIONAL", "pages": [{
        "title": words(en="Calls"), "body": words(en="May we call you when there are results?")}]}}

FLOWS = [
    flow("choosing", review("heart", optional=True), review("house")), flow("heart-alone", review("heart")),
    flow("house-alone", review("house")), flow("child-alone", review("child")), flow("fresh-alone", review("fresh")),
    flow("calls-alone", CALLS),
]


def install(assent):
    assent.study("choices", "Choices")
    for each in (HEART, HOUSE, CHILD, FRESH):
        assent.document("choices", each)
    for each in FLOWS:
        assent.flow(each)


def paged(assent):
    """A document that is a file of two pages, and its flow."""
    made = assent.call("DocumentService/CreateAsset", {"kind": "ASSET_KIND_PDF", "data": pdf(
        ["Loan of a blood pressure cuff", "The cuff is yours until your last visit."],
        ["If it breaks, it costs you nothing.", "Please bring it back."])})
    # What a page says comes from the file.
    loan = document(
        "loan", "Loan of a Cuff", [], [signature(requiresName=True, requiresImage=True, allowsUploaded=True)],
        [purpose("loan", "Borrowing a cuff")], file={"asset": made["hash"]})
    assent.document("choices", loan)
    assent.flow(flow("loan-alone", review("loan")))


def png(size=8):
    """A white picture."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = zlib.compress((b"\0" + b"\xff" * size) * size)
    return encoded(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 0, 0, 0, 0))
                   + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


def pdf(*pages):
    """A file with a line of text for each of a page's lines."""
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(pages)))
    parts = ["<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>",
             "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    for at, lines in enumerate(pages):
        parts.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 595] /Contents {5 + 2 * at} 0 R "
                     "/Resources << /Font << /F 3 0 R >> >> >>")
        text = "BT /F 18 Tf 24 TL 40 520 Td " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
        parts.append(f"<< /Length {len(text)} >>\nstream\n{text}\nendstream")
    content, places = "%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(content))
        content += f"{number} 0 obj\n{part}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    content += f"xref\n0 {len(parts) + 1}\n0000000000 65535 f \n{table}"
    content += f"trailer\n<< /Size {len(parts) + 1} /Root 1 0 R >>\nstartxref\n{content.index('xref')}\n%%EOF\n"
    return encoded(content.encode())
