"""What the programs in this folder make their files of: people with keys, a document, signatures, pyHanko's verdict."""

import datetime, io, json, logging, os, warnings

from asn1crypto import crl as asn1_crl, keys, x509 as asn1
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign import fields, signers, timestamps
from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.registry import SimpleCertificateStore

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

# MARK: - Keys

now = datetime.datetime.now(datetime.timezone.utc)
days = datetime.timedelta(days=1)

SIGNING = dict(digital_signature=True, content_commitment=True)
AUTHORITY = dict(key_cert_sign=True, crl_sign=True)
TIME = ExtendedKeyUsageOID.TIME_STAMPING
USAGES = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
          "key_cert_sign", "crl_sign", "encipher_only", "decipher_only")


def der(value):
    return value.public_bytes(serialization.Encoding.DER)


class Person:
    """Somebody with a key and a certificate, which is self-signed without an issuer."""

    def __init__(self, key, issuer=None, usage=SIGNING, purpose=None, start=now - 20 * days, end=now + 99 * days,
                 is_authority=False, name="Somebody"):
        own = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        made = x509.CertificateBuilder(
            issuer.name if issuer else own, own, key.public_key(), x509.random_serial_number(), start, end)
        made = made.add_extension(x509.BasicConstraints(is_authority, None), True)
        if usage is not None:
            made = made.add_extension(x509.KeyUsage(*(usage.get(one, False) for one in USAGES)), True)
        if purpose:
            made = made.add_extension(x509.ExtendedKeyUsage([purpose]), True)
        self.name, self.key = own, key
        self.x509 = made.sign(issuer.key if issuer else key, hashes.SHA256())
        self.certificate = asn1.Certificate.load(der(self.x509))

    def signer(self, *others, **kind):
        plain = self.key.private_bytes(
            serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        known = SimpleCertificateStore.from_certs([root.certificate, *(one.certificate for one in others)])
        return signers.SimpleSigner(self.certificate, keys.PrivateKeyInfo.load(plain), known, **kind)

    def stamper(self, at=None):
        signer = self.signer()
        return timestamps.DummyTimeStamper(signer.signing_cert, signer.signing_key, signer.cert_registry, fixed_dt=at)


def elliptic():
    return ec.generate_private_key(ec.SECP256R1())


def large():
    return rsa.generate_private_key(65537, 2048)


root = Person(elliptic(), usage=AUTHORITY, start=now - 30 * days, is_authority=True, name="Root")
clock = Person(large(), root, purpose=TIME, name="Clock")
stamper = clock.stamper()


def revocations(made, *entries):
    """A list of revocations."""
    made = x509.CertificateRevocationListBuilder(root.name, made, now + 9 * days)
    for entry in entries:
        made = made.add_revoked_certificate(entry)
    return asn1_crl.CertificateList.load(der(made.sign(root.key, hashes.SHA256())))


listed = revocations(now - days)


def context(**more):
    return ValidationContext(
        trust_roots=[root.certificate], crls=[listed], allow_fetching=False, other_certs=[clock.certificate], **more)


# MARK: - The document that is signed

XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:s="http://www.aiim.org/pdfa/ns/schema#">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Consent</rdf:li></rdf:Alt></dc:title>
<xmp:ModifyDate>2026-03-01T08:30:00Z</xmp:ModifyDate><pdf:Producer>Before</pdf:Producer>
<s:schema rdf:parseType="Resource"><s:prefix>a</s:prefix></s:schema>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>"""


def document():
    def stream(data, more=""):
        return f"<<{more}/Length {len(data.encode())}>>stream\n{data}\nendstream"

    form = "/Type/XObject/Subtype/Form/BBox[0 0 90 20]"
    widget = "/Type/Annot/Subtype/Widget/P 3 0 R/F 4"
    look = "0 0 90 20 re f"
    entries = "8 0 R 9 0 R 10 0 R 11 0 R 12 0 R 18 0 R"
    objects = [
        "<</Type/Catalog/Pages 2 0 R/Metadata 5 0 R/AcroForm 6 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Annots[{entries}]>>",
        stream("0 0 9 9 re f"),
        stream(XMP, "/Type/Metadata/Subtype/XML"),
        f"<</Fields[{entries}]/SigFlags 3/DA(/Helv 0 Tf)/DR<</Font<</Helv 13 0 R>> >> >>",
        "<</Title(Consent)/Producer(Before)/ModDate(D:2026)>>",
        f"<<{widget}/FT/Tx/T(empty)/Rect[100 700 190 720]/AP<</N 14 0 R>> >>",
        f"<<{widget}/FT/Tx/T(filled)/V(Bonn)/Rect[100 660 190 680]/AP<</N 15 0 R>> >>",
        f"<<{widget}/FT/Btn/T(box)/AS/Off/Rect[100 620 120 640]/AP<</N<</Yes 16 0 R/Off 17 0 R>> >> >>",
        f"<<{widget}/FT/Sig/T(kept)/Rect[0 0 0 0]>>",
        f"<<{widget}/FT/Sig/T(shown)/Rect[100 500 290 560]>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        stream("", form), stream(look, form), stream(look, form), stream("", form),
        f"<<{widget}/FT/Tx/Ff 1/T(computed)/V(3)/Rect[100 580 190 600]/AP<</N 19 0 R>> >>",
        stream(look, form),
    ]
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += "".join(f"{place:010} 00000 n \n" for place in places).encode()
    out += f"trailer\n<</Size {len(objects) + 1}/Root 1 0 R/Info 7 0 R>>\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(out)


def sign(signer, time=None, pdf=None, field="seal", form=fields.SigSeedSubFilter.PADES, spec=None, room=None,
         **facts):
    out = io.BytesIO()
    facts = signers.PdfSignatureMetadata(field_name=field, subfilter=form, **facts)
    signers.sign_pdf(
        IncrementalPdfFileWriter(io.BytesIO(pdf or document())), facts, signer=signer, output=out, timestamper=time,
        new_field_spec=spec, bytes_reserved=room)
    return out.getvalue()


def attest(pdf):
    """With a time stamp over the document."""
    return signers.PdfTimeStamper(stamper).timestamp_pdf(
        IncrementalPdfFileWriter(io.BytesIO(pdf)), "sha256").getvalue()


# MARK: - What is made


def verdict(pdf):
    """As Assent would name it: pyHanko says whether it is intact, trusted, and changed as is permitted."""
    try:
        reader = PdfFileReader(io.BytesIO(pdf), strict=False)
        found = [one for one in reader.embedded_signatures]
        if not found:
            return "no signature"
        worst = "TOTAL-PASSED"
        for one in found:
            if one.sig_object.get("/Type") == "/DocTimeStamp":
                status = validate_pdf_timestamp(one, context())
                is_good, is_changed = status.trusted, False
            else:
                status = validate_pdf_signature(one, context(), context())
                is_good, is_changed = status.bottom_line, not status.docmdp_ok
            if not (status.intact and status.valid) or is_changed:
                return "TOTAL-FAILED"
            if not is_good:
                worst = "INDETERMINATE"
        return worst
    except Exception as problem:
        return f"error: {type(problem).__name__}"


class Folder:
    """Where the files are written, with the root's certificate and pyHanko's verdicts."""

    def __init__(self, path):
        self.path, self.verdicts = path, {}
        self._write("root.pem", root.x509.public_bytes(serialization.Encoding.PEM))

    def add(self, title, pdf):
        self._write(f"{title}.pdf", pdf)
        self.verdicts[title] = verdict(pdf)

    def finish(self):
        self._write("pyhanko.json", json.dumps(self.verdicts, indent=1, sort_keys=True).encode())

    def _write(self, name, data):
        with open(os.path.join(self.path, name), "wb") as file:
            file.write(data)
