"""Makes signed files that somebody damaged or forged, in every way that docs/documents.md lists.

mutations.py FOLDER BASE... writes FOLDER/root.pem, and for each base FOLDER/MUTATION@BASE.pdf. A base is how the file
was signed: "pyhanko", "openssl" (the signature by `openssl cms`), "timed", "archived" or "certified".
FOLDER/pyhanko.json has pyHanko's verdict of each file.
"""

import os, re, subprocess, sys, tempfile

from asn1crypto import cms, core
from cryptography.hazmat.primitives import serialization
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.generic import pdf_name as name
from pyhanko.sign import fields

from later_changes import edit, field, look, page, rewritten, stream, text, changes as listed_changes
from making import Folder, Person, context, elliptic, large, root, sign, stamper

person = Person(large(), root, name="First signer")
other = Person(elliptic(), root, name="Other signer")
# Hexadecimal digits that are kept free for a signature.
ROOM = 24_000


# MARK: - Signed files


def by_openssl():
    """A file that pyHanko signed, with a signature by openssl over the same bytes in its place."""
    pdf = sign(person.signer(), room=ROOM)
    with tempfile.TemporaryDirectory() as folder:
        def path(one):
            return os.path.join(folder, one)

        with open(path("data"), "wb") as file:
            file.write(Signed(pdf).covered)
        with open(path("key"), "wb") as file:
            file.write(person.key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        with open(path("certificate"), "wb") as file:
            file.write(person.x509.public_bytes(serialization.Encoding.PEM))
        subprocess.run(
            ["openssl", "cms", "-sign", "-binary", "-cades", "-md", "sha256", "-in", path("data"), "-signer",
             path("certificate"), "-inkey", path("key"), "-outform", "DER", "-out", path("cms")],
            check=True, capture_output=True)
        with open(path("cms"), "rb") as file:
            made = cms.ContentInfo.load(file.read())
    # PAdES forbids the time that openssl adds, and a signature without it has to be made anew.
    info = made["content"]["signer_infos"][0]
    kept = [one for one in info["signed_attrs"] if one["type"].native != "signing_time"]
    info["signed_attrs"] = cms.CMSAttributes(kept)
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, one) for one in ("data", "key", "signature")]
        with open(paths[0], "wb") as file:
            file.write(cms.CMSAttributes(kept).dump())
        with open(paths[1], "wb") as file:
            file.write(person.key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        subprocess.run(["openssl", "dgst", "-sha256", "-sign", paths[1], "-out", paths[2], paths[0]], check=True)
        with open(paths[2], "rb") as file:
            info["signature"] = core.OctetString(file.read())
    return Signed(pdf).holding(made.dump(force=True))


class Signed:
    """The first signature of a file, and where it stands."""

    def __init__(self, pdf):
        self.pdf = pdf
        found = re.search(rb"/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]", pdf)
        self.range = found
        self.numbers = [int(one) for one in found.groups()]
        self.start, self.end = self.numbers[1] + 1, self.numbers[2] - 1

    @property
    def covered(self):
        one, two, three, four = self.numbers
        return self.pdf[one:one + two] + self.pdf[three:three + four]

    @property
    def content(self):
        return bytes.fromhex(self.pdf[self.start:self.end].decode())

    def holding(self, content):
        digits = content.hex().encode()
        room = self.end - self.start
        assert len(digits) <= room
        return self.pdf[:self.start] + digits.ljust(room, b"0") + self.pdf[self.end:]

    def ranging(self, *numbers):
        """With other numbers for what is covered, in the same room."""
        words = b"/ByteRange [" + b" ".join(b"%d" % one for one in numbers) + b"]"
        room = self.range.end() - self.range.start()
        assert len(words) <= room
        return self.pdf[:self.range.start()] + words.ljust(room) + self.pdf[self.range.end():]


bases = {
    "pyhanko": lambda: sign(person.signer(), room=ROOM),
    "openssl": by_openssl,
    "timed": lambda: sign(person.signer(), stamper, room=ROOM),
    "archived": lambda: sign(
        person.signer(), stamper, room=ROOM, embed_validation_info=True, use_pades_lta=True,
        validation_context=context(revocation_mode="require")),
    "certified": lambda: sign(
        person.signer(), room=ROOM, certify=True, docmdp_permissions=fields.MDPPerm.FILL_FORMS),
}

# MARK: - Mutations

mutations = {}


def mutation(key):
    def keep(how):
        mutations[key] = how
        return how

    return keep


def message(key):
    """A change of the signature itself, as CMS."""

    def keep(how):
        def run(pdf):
            signed = Signed(pdf)
            made = cms.ContentInfo.load(signed.content)
            made = cms.ContentInfo.load(made.dump())
            how(made["content"], signed)
            return signed.holding(made.dump(force=True))

        mutations[key] = run
        return how

    return keep


def flipped(data, place):
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1:]


mutations["digits-large"] = lambda pdf: (
    pdf[:(one := Signed(pdf)).start] + pdf[one.start:one.end].upper() + pdf[one.end:])
mutations["value-emptied"] = lambda pdf: Signed(pdf).holding(b"")
mutations["value-halved"] = lambda pdf: Signed(pdf).holding(
    (one := Signed(pdf).content.rstrip(b"\0"))[:len(one) // 2])
mutations["value-padded"] = lambda pdf: pdf[:(one := Signed(pdf)).end - 2] + b"01" + pdf[one.end:]
mutations["value-no-digits"] = lambda pdf: pdf[:(one := Signed(pdf)).start + 40] + b"xy" + pdf[one.start + 42:]
mutations["value-of-another"] = lambda pdf: Signed(pdf).holding(
    Signed(sign(other.signer(), pdf=None, reason="another")).content.rstrip(b"\0") + b"\0")


@message("value-flipped")
def value_flipped(data, signed):
    info = data["signer_infos"][0]
    info["signature"] = core.OctetString(flipped(info["signature"].native, 20))


@message("digest-flipped")
def digest_flipped(data, signed):
    for one in data["signer_infos"][0]["signed_attrs"]:
        if one["type"].native == "message_digest":
            one["values"] = [core.OctetString(flipped(one["values"][0].native, 3))]


@message("attributes-removed")
def attributes_removed(data, signed):
    del data["signer_infos"][0]["signed_attrs"]


@message("certificate-removed")
def certificate_removed(data, signed):
    data["certificates"] = cms.CertificateSet([])


@message("certificate-exchanged")
def certificate_exchanged(data, signed):
    data["certificates"] = cms.CertificateSet([cms.CertificateChoices("certificate", other.certificate)])


@message("certificate-added")
def certificate_added(data, signed):
    data["certificates"] = cms.CertificateSet(
        list(data["certificates"]) + [cms.CertificateChoices("certificate", other.certificate)])


@message("signer-doubled")
def signer_doubled(data, signed):
    data["signer_infos"] = cms.SignerInfos([data["signer_infos"][0], data["signer_infos"][0]])


@message("attribute-added")
def attribute_added(data, signed):
    """One that is not signed, and that nobody knows."""
    info = data["signer_infos"][0]
    more = [one for one in info["unsigned_attrs"]] if info["unsigned_attrs"].native else []
    more.append(cms.CMSAttribute({"type": "1.2.3.4.5", "values": [core.OctetString(b"harmless")]}))
    info["unsigned_attrs"] = cms.CMSAttributes(more)


@message("time-of-another")
def time_of_another(data, signed):
    """A time stamp for another signature."""
    foreign = cms.ContentInfo.load(Signed(sign(other.signer(), stamper)).content)
    data["signer_infos"][0]["unsigned_attrs"] = foreign["content"]["signer_infos"][0]["unsigned_attrs"]


@message("time-removed")
def time_removed(data, signed):
    if data["signer_infos"][0]["unsigned_attrs"].native:
        del data["signer_infos"][0]["unsigned_attrs"]


def ranged(key, how):
    def run(pdf):
        signed = Signed(pdf)
        return signed.ranging(*how(*signed.numbers))

    mutations[key] = run


ranged("range-shorter", lambda one, two, three, four: (one, two, three, four - 1))
ranged("range-longer", lambda one, two, three, four: (one, two, three, four + 1))
ranged("range-later", lambda one, two, three, four: (one + 1, two - 1, three, four))
ranged("range-wider-gap", lambda one, two, three, four: (one, two - 1, three + 1, four - 1))
ranged("range-in-gap", lambda one, two, three, four: (one, two + 10, three, four))
ranged("range-of-one", lambda one, two, three, four: (one, two))

mutations["first-bytes"] = lambda pdf: b"%PDF-1.4" + pdf[8:]
mutations["text-changed"] = lambda pdf: pdf.replace(b"(Bonn)", b"(Rome)", 1)
mutations["offset-changed"] = lambda pdf: flipped(pdf, pdf.index(b"xref\n0") + 40)
mutations["bytes-before"] = lambda pdf: b"%!remark\n" + pdf
mutations["cut-a-little"] = lambda pdf: pdf[:-30]
mutations["cut-in-half"] = lambda pdf: pdf[:len(pdf) // 2]
mutations["doubled"] = lambda pdf: pdf + pdf
mutations["other-line-ends"] = lambda pdf: pdf.replace(b"\n", b"\r\n")
mutations["seventh-bit"] = lambda pdf: bytes(one & 127 for one in pdf)
mutations["qpdf-qdf"] = rewritten("--qdf")
mutations["qpdf-compressed"] = rewritten("--stream-data=compress")


def written(key):
    """What is appended as a revision of its own."""

    def keep(how):
        edit("mutation-" + key)(how)
        mutations[key] = listed_changes.pop("mutation-" + key)
        return how

    return keep


@written("page-exchanged")
def page_exchanged(writer):
    """Another page under the number of the signed one."""
    one = page(writer).get_object()
    box = generic.ArrayObject(generic.NumberObject(place) for place in (0, 0, 300, 300))
    one[name("/MediaBox")], one[name("/Contents")] = box, stream(writer, b"1 0 0 rg 0 0 300 300 re f")
    writer.update_container(one)


@written("catalog-exchanged")
def catalog_exchanged(writer):
    """Another tree of pages, which hides the signed one."""
    leaf = generic.DictionaryObject({name("/Type"): name("/Page")})
    kid = writer.add_object(leaf)
    tree = generic.DictionaryObject({
        name("/Type"): name("/Pages"), name("/Kids"): generic.ArrayObject([kid]),
        name("/Count"): generic.NumberObject(1)})
    writer.root[name("/Pages")] = writer.add_object(tree)
    writer.update_root()


@written("content-emptied")
def content_emptied(writer):
    drawn = page(writer).get_object()["/Contents"]
    drawn._data, drawn._encoded_data = b"", None
    writer.update_container(drawn)


@written("form-removed")
def form_removed(writer):
    del writer.root["/AcroForm"]
    writer.update_root()


@written("field-hidden")
def field_hidden(writer):
    """The signature's field is no longer shown on the page, and still listed in the form."""
    one = page(writer).get_object()
    one[name("/Annots")] = generic.ArrayObject(
        entry for entry in one["/Annots"] if entry.get_object().get("/T") != "seal")
    writer.update_container(one)


@written("signature-shared")
def signature_shared(writer):
    """A second field has the signature of the first."""
    kept, sealed = field(writer, "kept"), field(writer, "seal")
    kept[name("/V")] = sealed.raw_get("/V")
    writer.update_container(kept)


@written("look-forged")
def look_forged(writer):
    """The signature's field shows something else."""
    one = field(writer, "seal")
    one[name("/AP")] = look(writer)
    writer.update_container(one)


@written("reason-changed")
def reason_changed(writer):
    """The signature's dictionary is written again, with a reason."""
    one = field(writer, "seal")["/V"]
    one[name("/Reason")] = text("another")
    writer.update_container(one)


if __name__ == "__main__":
    folder, signed = Folder(sys.argv[1]), {}
    for kind, key in ((kind, key) for kind in sys.argv[2:] for key in mutations):
        if kind not in signed:
            signed[kind] = bases[kind]()
        folder.add(f"{key}@{kind}", mutations[key](signed[kind]))
    folder.finish()
