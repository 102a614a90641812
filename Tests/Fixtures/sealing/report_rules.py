"""report_rules.py FILE.xml...: says what in a validation report breaks the rules of ETSI TS 119 102-2's schema.

The rules are those of the elements that Assent writes: which follow each other, which are required, how often, and what
their values are. They are written down here in our own words, apart from the code that writes reports. It ends with 1
if a rule is broken, and needs nothing but Python.
"""

import base64, re, sys
import xml.etree.ElementTree as tree

REPORT, SIGNATURE = "{http://uri.etsi.org/19102/v1.2.1#}", "{http://www.w3.org/2000/09/xmldsig#}"
TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z\Z")
SIZES = {
    "http://www.w3.org/2001/04/xmlenc#sha256": 32, "http://www.w3.org/2001/04/xmldsig-more#sha384": 48,
    "http://www.w3.org/2001/04/xmlenc#sha512": 64,
}
INDICATIONS = ["urn:etsi:019102:mainindication:" + one for one in ("total-passed", "total-failed", "indeterminate")]
FAILED = {"FORMAT_FAILURE", "HASH_FAILURE", "SIG_CRYPTO_FAILURE", "REVOKED", "EXPIRED", "NOT_YET_VALID"}
UNDECIDED = {
    "SIG_CONSTRAINTS_FAILURE", "CHAIN_CONSTRAINTS_FAILURE", "CERTIFICATE_CHAIN_GENERAL_FAILURE",
    "CRYPTO_CONSTRAINTS_FAILURE", "POLICY_PROCESSING_ERROR", "SIGNATURE_POLICY_NOT_AVAILABLE",
    "TIMESTAMP_ORDER_FAILURE", "NO_SIGNING_CERTIFICATE_FOUND", "NO_CERTIFICATE_CHAIN_FOUND", "REVOKED_NO_POE",
    "REVOKED_CA_NO_POE", "OUT_OF_BOUNDS_NOT_REVOKED", "OUT_OF_BOUNDS_NO_POE", "CRYPTO_CONSTRAINTS_FAILURE_NO_POE",
    "NO_POE", "TRY_LATER", "SIGNED_DATA_NOT_FOUND", "GENERIC",
}

# For each element its parts in order; "?" may be missing, "*" may be repeated or missing, "+" may be repeated.
PARTS = {
    "ValidationReport": "SignatureValidationReport+ SignatureValidationObjects? SignatureValidator?",
    "SignatureValidationReport":
        "SignatureIdentifier? ValidationConstraintsEvaluationReport? ValidationTimeInfo? SignersDocument? "
        "SignatureAttributes? SignerInformation? SignatureQuality? SignatureValidationProcess? "
        "SignatureValidationStatus",
    "SignatureIdentifier": "DigestAlgAndValue? SignatureValue? HashOnly DocHashOnly DAIdentifier?",
    "ValidationTimeInfo": "ValidationTime BestSignatureTime",
    "BestSignatureTime": "POETime TypeOfProof POEObject?",
    "SignersDocument": "DigestAlgAndValue? SignersDocumentRepresentation? SignersDocumentRef?",
    "SignerInformation": "SignerCertificate Signer?",
    "SignatureValidationProcess": "SignatureValidationProcessID? SignatureValidationServicePolicy?",
    "SignatureValidationStatus": "MainIndication SubIndication* AssociatedValidationReportData*",
    "AssociatedValidationReportData":
        "TrustAnchor? CertificateChain? RelatedValidationObject* RevocationStatusInformation? CryptoInformation? "
        "AdditionalValidationReportData?",
    "AdditionalValidationReportData": "ReportData+",
    "ReportData": "Type Value",
    "SignatureValidationObjects": "ValidationObject+",
    "ValidationObject": "ObjectType ValidationObjectRepresentation POE? POEProvisioning? ValidationReport?",
    "ValidationObjectRepresentation": "DigestAlgAndValue",
    "POEProvisioning": "POETime ValidationObject* SignatureReference*",
    "DigestAlgAndValue": "DigestMethod DigestValue",
}
REFERENCES = {"POEObject", "SignersDocumentRef", "SignerCertificate"}
VALUES = {
    "HashOnly": lambda text: text in ("true", "false"), "DocHashOnly": lambda text: text in ("true", "false"),
    "ValidationTime": TIME.match, "POETime": TIME.match, "MainIndication": lambda text: text in INDICATIONS,
    "TypeOfProof": lambda text: text in ["urn:etsi:019102:poetype:" + one for one in
                                         ("validation", "provided", "policy")],
    "SignatureValidationProcessID": lambda text: text in ["urn:etsi:019102:validationprocess:" + one for one in
                                                          ("Basic", "LTVM", "LTA")],
    "ObjectType": lambda text: text in ["urn:etsi:019102:validationObject:" + one for one in (
        "certificate", "CRL", "OCSPResponse", "timestamp", "evidencerecord", "publicKey", "signedData", "other")],
    "SubIndication": lambda text: text.startswith("urn:"), "Type": lambda text: text.startswith("urn:"),
}


class Report:
    def __init__(self, data):
        self.faults, root = [], tree.fromstring(data)
        self.names = [one.get("id") for one in root.iter() if one.get("id")]
        if len(set(self.names)) < len(self.names):
            self.fail("an id occurs twice")
        if root.tag != REPORT + "ValidationReport":
            self.fail("the root is " + root.tag)
        self.check(root, "ValidationReport", "")

    def fail(self, words):
        self.faults.append(words)

    def check(self, element, kind, above):
        """Checks an element by the rules of this kind: a time's report is one as a signature's is."""
        place = f"{above}/{kind}"
        kids = [one.tag.replace(REPORT, "").replace(SIGNATURE, "") for one in element]
        if kind in PARTS:
            pattern = "".join(
                f"(?:{part.rstrip('?*+')} ){part[len(part.rstrip('?*+')):] or '{1}'}" for part in PARTS[kind].split())
            if not re.fullmatch(pattern, "".join(one + " " for one in kids)):
                self.fail(f"{place} has {kids}, and should have {PARTS[kind]}")
        elif kids and kind != "Value":
            self.fail(f"{place} has {kids}, and should have no parts")
        self.check_value(element, kind, place)
        for one, name in zip(element, kids):
            space = SIGNATURE if name in ("DigestMethod", "DigestValue", "SignatureValue") else REPORT
            if one.tag != space + name:
                self.fail(f"{place}/{name} belongs to another namespace")
            self.check(one, "SignatureValidationReport" if name == "ValidationReport" else name, place)

    def check_value(self, element, kind, place):
        text = element.text or ""
        if kind in VALUES and not VALUES[kind](text):
            self.fail(f"{place} is {text!r}")
        if kind in REFERENCES and element.get("VOReference") not in self.names:
            self.fail(f"{place} leads to {element.get('VOReference')!r}, which is not there")
        if kind == "ValidationObject" and not element.get("id"):
            self.fail(f"{place} has no id")
        if kind == "Value" and element.get(TYPE) != "xs:string":
            self.fail(f"{place} does not say of which type it is")
        if kind == "DigestAlgAndValue" and len(element) == 2:
            size, value = SIZES.get(element[0].get("Algorithm")), base64.b64decode(element[1].text or "", validate=True)
            if size != len(value):
                self.fail(f"{place} has {len(value)} bytes by {element[0].get('Algorithm')!r}")
        if kind == "SignatureValidationStatus":
            self.check_status(element, place)

    def check_status(self, element, place):
        """A subindication belongs to its indication, and what passed has none."""
        main = (element.findtext(REPORT + "MainIndication") or "").rpartition(":")[2]
        for one in element.findall(REPORT + "SubIndication"):
            space, _, name = (one.text or "").rpartition(":")
            if space == "urn:etsi:019102:subindication":
                known = {"total-failed": FAILED, "indeterminate": UNDECIDED}.get(main, set())
                if name not in known:
                    self.fail(f"{place} is {main} and {name}")
            elif main == "total-passed":
                self.fail(f"{place} passed, and has a subindication")
        if main != "total-passed" and element.find(REPORT + "SubIndication") is None:
            self.fail(f"{place} is {main}, and says not why")


def main(paths):
    if not paths or paths[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if paths else 2
    is_broken = False
    for path in paths:
        with open(path, "rb") as file:
            for fault in Report(file.read()).faults:
                is_broken = True
                print(f"{path}: {fault}")
    return 1 if is_broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
