"""Makes signed files that were changed afterwards, by pyHanko and qpdf, in every way that docs/documents.md lists.

later_changes.py FOLDER BASE... writes FOLDER/root.pem, and for each base FOLDER/CHANGE@BASE.pdf. A base is what the
first signature permits: "signature" (nothing is said), "locked" (it locks the form's fields), "p1", "p2" or "p3" (a
certificate). FOLDER/pyhanko.json has pyHanko's verdict of each file.
"""

import contextlib, datetime, io, json, logging, os, subprocess, sys, warnings

from asn1crypto import crl as asn1_crl, keys, x509 as asn1
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.generic import pdf_name as name, pdf_string as text
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign import fields, signers, timestamps
from pyhanko.sign.validation import DocumentSecurityStore, validate_pdf_signature, validate_pdf_timestamp
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.registry import SimpleCertificateStore

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

# MARK: - Keys

now = datetime.datetime.now(datetime.timezone.utc)
days = datetime.timedelta(days=1)


def der(value):
    return value.public_bytes(serialization.Encoding.DER)


class Key:
    def __init__(self, subject, key, issuer=None, is_authority=False, purpose=None):
        own = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, subject)])
        made = x509.CertificateBuilder(
            issuer.name if issuer else own, own, key.public_key(), x509.random_serial_number(), now - 30 * days,
            now + 99 * days)
        made = made.add_extension(x509.BasicConstraints(is_authority, None), True)
        made = made.add_extension(
            x509.KeyUsage(
                not is_authority, not is_authority, False, False, False, is_authority, is_authority, False, False),
            True)
        if purpose:
            made = made.add_extension(x509.ExtendedKeyUsage([purpose]), True)
        self.name, self.key = own, key
        self.x509 = made.sign(issuer.key if issuer else key, hashes.SHA256())
        self.certificate = asn1.Certificate.load(der(self.x509))

    def signer(self, store, **kind):
        plain = self.key.private_bytes(
            serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        return signers.SimpleSigner(self.certificate, keys.PrivateKeyInfo.load(plain), store, **kind)


def elliptic():
    return ec.generate_private_key(ec.SECP256R1())


def large():
    return rsa.generate_private_key(65537, 2048)


root = Key("Root", elliptic(), is_authority=True)
store = SimpleCertificateStore.from_certs([root.certificate])
first = Key("First signer", elliptic(), root).signer(store)
second = Key("Second signer", elliptic(), root).signer(store)
third_key = Key("Third signer", large(), root)
third, padded = third_key.signer(store), third_key.signer(store, prefer_pss=True)
clock = Key("Clock", large(), root, purpose=ExtendedKeyUsageOID.TIME_STAMPING).signer(store)
stamper = timestamps.DummyTimeStamper(clock.signing_cert, clock.signing_key, store)
listed = der(
    x509.CertificateRevocationListBuilder(root.name, now - days, now + 9 * days).sign(root.key, hashes.SHA256()))


def context(**more):
    return ValidationContext(
        trust_roots=[root.certificate], crls=[asn1_crl.CertificateList.load(listed)], allow_fetching=False,
        other_certs=[clock.signing_cert], **more)


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
    objects = [
        "<</Type/Catalog/Pages 2 0 R/Metadata 5 0 R/AcroForm 6 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Annots[8 0 R 9 0 R 10 0 R 11 0 R 12 0 R]>>",
        stream("0 0 9 9 re f"),
        stream(XMP, "/Type/Metadata/Subtype/XML"),
        "<</Fields[8 0 R 9 0 R 10 0 R 11 0 R 12 0 R]/SigFlags 3/DA(/Helv 0 Tf)/DR<</Font<</Helv 13 0 R>> >> >>",
        "<</Title(Consent)/Producer(Before)/ModDate(D:2026)>>",
        f"<<{widget}/FT/Tx/T(empty)/Rect[100 700 190 720]/AP<</N 14 0 R>> >>",
        f"<<{widget}/FT/Tx/T(filled)/V(Bonn)/Rect[100 660 190 680]/AP<</N 15 0 R>> >>",
        f"<<{widget}/FT/Btn/T(box)/AS/Off/Rect[100 620 120 640]/AP<</N<</Yes 16 0 R/Off 17 0 R>> >> >>",
        f"<<{widget}/FT/Sig/T(kept)/Rect[0 0 0 0]>>",
        f"<<{widget}/FT/Sig/T(shown)/Rect[100 500 290 560]>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        stream("", form), stream(look, form), stream(look, form), stream("", form),
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


def sign(pdf, field, signer, time=None, spec=None, **facts):
    out = io.BytesIO()
    facts = signers.PdfSignatureMetadata(field_name=field, subfilter=fields.SigSeedSubFilter.PADES, **facts)
    signers.sign_pdf(
        IncrementalPdfFileWriter(io.BytesIO(pdf)), facts, signer=signer, output=out, timestamper=time,
        new_field_spec=spec)
    return out.getvalue()


def base(kind):
    spec, facts = None, {}
    if kind == "locked":
        rule = fields.FieldMDPSpec(fields.FieldMDPAction.INCLUDE, ["empty", "filled", "box", "kept"])
        spec = fields.SigFieldSpec("seal", field_mdp_spec=rule)
    elif kind != "signature":
        facts = dict(certify=True, docmdp_permissions=fields.MDPPerm(int(kind[1:])))
    return sign(document(), "seal", first, spec=spec, **facts)


# MARK: - Changes

changes = {}


def change(key):
    def keep(how):
        changes[key] = how
        return how

    return keep


def edit(key, marks_metadata=False):
    """A change of objects, which pyHanko appends. Unless said, it leaves the metadata alone."""

    def keep(how):
        def run(pdf):
            writer = IncrementalPdfFileWriter(io.BytesIO(pdf))
            if not marks_metadata:
                writer._update_meta = lambda: None
            how(writer)
            out = io.BytesIO()
            writer.write(out)
            return out.getvalue()

        changes[key] = run
        return how

    return keep


def field(writer, wanted):
    for one in writer.root["/AcroForm"]["/Fields"]:
        if one.get_object()["/T"] == wanted:
            return one.get_object()


def page(writer):
    return writer.root["/Pages"]["/Kids"][0]


def stream(writer, data, **entries):
    entries = {name("/" + key): value for key, value in entries.items()}
    return writer.add_object(generic.StreamObject(entries, stream_data=data))


def look(writer, data=b"0 0 50 20 re f"):
    box = generic.ArrayObject(generic.NumberObject(one) for one in (0, 0, 90, 20))
    drawn = stream(writer, data, Type=name("/XObject"), Subtype=name("/Form"), BBox=box)
    return generic.DictionaryObject({name("/N"): drawn})


changes["unchanged"] = lambda pdf: pdf
changes["signed-rsa"] = lambda pdf: sign(pdf, "kept", third)
changes["signed-pss"] = lambda pdf: sign(pdf, "kept", padded)
changes["signed-ecdsa"] = lambda pdf: sign(pdf, "kept", second)
changes["signed-timed"] = lambda pdf: sign(pdf, "kept", second, stamper)
changes["signed-archived"] = lambda pdf: sign(
    pdf, "kept", third, stamper, embed_validation_info=True, use_pades_lta=True,
    validation_context=context(revocation_mode="require"))
changes["signed-new"] = lambda pdf: sign(pdf, "another", second)
changes["signed-shown"] = lambda pdf: sign(pdf, "shown", second)
changes["signed-new-shown"] = lambda pdf: sign(
    pdf, "seen", second, spec=fields.SigFieldSpec("seen", box=(300, 500, 490, 560)))
changes["timed"] = lambda pdf: signers.PdfTimeStamper(stamper).timestamp_pdf(
    IncrementalPdfFileWriter(io.BytesIO(pdf)), "sha256").getvalue()


@change("proofs")
def proofs(pdf):
    out = io.BytesIO(pdf)
    DocumentSecurityStore.supply_dss_in_writer(
        writer := IncrementalPdfFileWriter(out), None, certs=[root.certificate],
        crls=[asn1_crl.CertificateList.load(listed)])
    writer.write_in_place()
    return out.getvalue()


@edit("saved", marks_metadata=True)
def saved(writer):
    writer.update_root()


def metadata(writer, one, other):
    drawn = writer.root["/Metadata"]
    changed = XMP.replace(one, other)
    assert changed != XMP
    drawn._data, drawn._encoded_data = changed.encode(), None
    writer.update_container(drawn)


edit("metadata-date")(lambda writer: metadata(writer, "2026-03-01T08:30:00Z", "2026-11-01T08:30:00+01:00"))
edit("metadata-title")(lambda writer: metadata(writer, ">Consent<", ">Contract<"))


def property(writer, key, value):
    info = writer.trailer["/Info"]
    info[name(key)] = text(value)
    writer.update_container(info)


edit("properties-date")(lambda writer: property(writer, "/ModDate", "D:20261101"))
edit("properties-title")(lambda writer: property(writer, "/Title", "Contract"))


@edit("filled-empty")
def filled_empty(writer):
    one = field(writer, "empty")
    one[name("/V")], one[name("/AP")] = text("Köln"), look(writer)
    writer.update_container(one)


@edit("filled-look")
def filled_look(writer):
    """As programs do that keep the object of the look."""
    one = field(writer, "empty")
    one[name("/V")] = text("Berlin")
    writer.update_container(one)
    drawn = one["/AP"]["/N"]
    drawn._data, drawn._encoded_data = b"0 0 40 20 re f", None
    writer.update_container(drawn)


@edit("filled-again")
def filled_again(writer):
    one = field(writer, "filled")
    one[name("/V")], one[name("/AP")] = text("Berlin"), look(writer)
    writer.update_container(one)


@edit("ticked")
def ticked(writer):
    one = field(writer, "box")
    one[name("/V")] = one[name("/AS")] = name("/Yes")
    writer.update_container(one)


@edit("look-alone")
def look_alone(writer):
    one = field(writer, "filled")
    one[name("/AP")] = look(writer)
    writer.update_container(one)


@edit("field-moved")
def field_moved(writer):
    one = field(writer, "filled")
    one[name("/Rect")] = generic.ArrayObject(generic.NumberObject(place) for place in (0, 0, 500, 800))
    writer.update_container(one)


@edit("field-added")
def field_added(writer):
    form = writer.root["/AcroForm"]
    form["/Fields"].append(
        writer.add_object(generic.DictionaryObject({name("/FT"): name("/Tx"), name("/T"): text("late")})))
    writer.update_container(form)


@edit("fonts-added")
def fonts_added(writer):
    form = writer.root["/AcroForm"]
    form["/DR"]["/Font"][name("/Late")] = writer.add_object(
        generic.DictionaryObject(
            {name("/Type"): name("/Font"), name("/Subtype"): name("/Type1"), name("/BaseFont"): name("/Times-Roman")}))
    writer.update_container(form)


@edit("fonts-exchanged")
def fonts_exchanged(writer):
    form = writer.root["/AcroForm"]
    form["/DR"]["/Font"][name("/Helv")] = writer.add_object(
        generic.DictionaryObject({name("/Type"): name("/Font"), name("/Subtype"): name("/Type3")}))
    writer.update_container(form)


def form_entry(writer, key, value):
    form = writer.root["/AcroForm"]
    form[name(key)] = value
    writer.update_container(form)


edit("drawn-anew")(lambda writer: form_entry(writer, "/NeedAppearances", generic.BooleanObject(True)))
edit("flags")(lambda writer: form_entry(writer, "/SigFlags", generic.NumberObject(0)))


@edit("page-drawn")
def page_drawn(writer):
    one = page(writer).get_object()
    one[name("/Contents")] = stream(writer, b"0 0 90 90 re f")
    writer.update_container(one)


@edit("page-turned")
def page_turned(writer):
    one = page(writer).get_object()
    one[name("/Rotate")] = generic.NumberObject(180)
    writer.update_container(one)


@edit("page-added")
def page_added(writer):
    pages = writer.root["/Pages"]
    pages["/Kids"].append(
        writer.add_object(
            generic.DictionaryObject({name("/Type"): name("/Page"), name("/Parent"): writer.root.raw_get("/Pages")})))
    pages[name("/Count")] = generic.NumberObject(2)
    writer.update_container(pages)


@edit("comment")
def comment(writer):
    one = page(writer).get_object()
    box = generic.ArrayObject(generic.NumberObject(place) for place in (300, 300, 320, 320))
    one["/Annots"].append(
        writer.add_object(
            generic.DictionaryObject(
                {
                    name("/Type"): name("/Annot"), name("/Subtype"): name("/Text"), name("/Rect"): box,
                    name("/Contents"): text("a note"),
                })))
    writer.update_container(one)


def catalog_entry(writer, key, value):
    writer.root[name(key)] = value
    writer.update_root()


edit("action")(
    lambda writer: catalog_entry(
        writer, "/OpenAction",
        generic.DictionaryObject({name("/S"): name("/JavaScript"), name("/JS"): text("app.alert(1)")})))
edit("file-attached")(lambda writer: catalog_entry(writer, "/Names", generic.DictionaryObject()))
edit("outline")(lambda writer: catalog_entry(writer, "/Outlines", writer.add_object(generic.DictionaryObject())))


@edit("signature-removed")
def signature_removed(writer):
    one = field(writer, "seal")
    del one["/V"]
    writer.update_container(one)


changes["line-appended"] = lambda pdf: pdf + b"\n"
changes["bytes-appended"] = lambda pdf: pdf + b"% a remark\n"
changes["bit-flipped"] = lambda pdf: pdf.replace(b"0 0 9 9 re", b"0 0 8 9 re", 1)


def rewritten(*options):
    def run(pdf):
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(__import__("tempfile").TemporaryDirectory())
            source, target = os.path.join(folder, "in.pdf"), os.path.join(folder, "out.pdf")
            with open(source, "wb") as file:
                file.write(pdf)
            subprocess.run(["qpdf", *options, source, target], check=True)
            with open(target, "rb") as file:
                return file.read()

    return run


changes["rewritten"] = rewritten()
changes["rewritten-packed"] = rewritten("--object-streams=generate")
changes["rewritten-linear"] = rewritten("--linearize")
changes["encrypted"] = rewritten("--encrypt", "", "owner", "256", "--")

# MARK: - pyHanko's verdict


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


if __name__ == "__main__":
    folder, kinds = sys.argv[1], sys.argv[2:]
    with open(os.path.join(folder, "root.pem"), "wb") as file:
        file.write(root.x509.public_bytes(serialization.Encoding.PEM))
    verdicts = {}
    for kind in kinds:
        signed = base(kind)
        for key, how in changes.items():
            title = f"{key}@{kind}"
            try:
                made = how(signed)
            except Exception as problem:
                verdicts[title] = f"refused: {problem}"
                continue
            with open(os.path.join(folder, f"{title}.pdf"), "wb") as file:
                file.write(made)
            verdicts[title] = verdict(made)
    with open(os.path.join(folder, "pyhanko.json"), "w") as file:
        json.dump(verdicts, file, indent=1, sort_keys=True)
