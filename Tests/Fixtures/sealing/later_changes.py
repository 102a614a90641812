"""Makes signed files that were changed afterwards, by pyHanko and qpdf, in every way that docs/documents.md lists.

later_changes.py FOLDER BASE... writes FOLDER/root.pem, and for each base FOLDER/CHANGE@BASE.pdf. A base is what the
first signature permits: "signature" (nothing is said), "locked" (it locks the form's fields), "p1", "p2" or "p3" (a
certificate). FOLDER/pyhanko.json has pyHanko's verdict of each file.
"""

import io, os, subprocess, sys, tempfile

from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.generic import pdf_name as name, pdf_string as text
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields
from pyhanko.sign.validation import DocumentSecurityStore

from making import Folder, Person, XMP, attest, context, elliptic, large, listed, root, sign, stamper

first = Person(elliptic(), root, name="First signer").signer()
second = Person(elliptic(), root, name="Second signer").signer()
third_person = Person(large(), root, name="Third signer")
third, padded = third_person.signer(), third_person.signer(prefer_pss=True)


def base(kind):
    spec, facts = None, {}
    if kind == "locked":
        rule = fields.FieldMDPSpec(fields.FieldMDPAction.INCLUDE, ["empty", "filled", "box", "kept", "computed"])
        spec = fields.SigFieldSpec("seal", field_mdp_spec=rule)
    elif kind != "signature":
        facts = dict(certify=True, docmdp_permissions=fields.MDPPerm(int(kind[1:])))
    return sign(first, spec=spec, **facts)


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
changes["signed-rsa"] = lambda pdf: sign(third, pdf=pdf, field="kept")
changes["signed-pss"] = lambda pdf: sign(padded, pdf=pdf, field="kept")
changes["signed-ecdsa"] = lambda pdf: sign(second, pdf=pdf, field="kept")
changes["signed-timed"] = lambda pdf: sign(second, stamper, pdf, "kept")
changes["signed-archived"] = lambda pdf: sign(
    third, stamper, pdf, "kept", embed_validation_info=True, use_pades_lta=True,
    validation_context=context(revocation_mode="require"))
changes["signed-new"] = lambda pdf: sign(second, pdf=pdf, field="another")
changes["signed-shown"] = lambda pdf: sign(second, pdf=pdf, field="shown")
changes["signed-new-shown"] = lambda pdf: sign(
    second, pdf=pdf, field="seen", spec=fields.SigFieldSpec("seen", box=(300, 500, 490, 560)))
changes["timed"] = attest


@change("proofs")
def proofs(pdf):
    out = io.BytesIO(pdf)
    DocumentSecurityStore.supply_dss_in_writer(
        writer := IncrementalPdfFileWriter(out), None, certs=[root.certificate], crls=[listed])
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


@edit("filled-computed")
def filled_computed(writer):
    one = field(writer, "computed")
    one[name("/V")], one[name("/AP")] = text("4"), look(writer)
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


def font(writer, key, base="/Helvetica", **more):
    form = writer.root["/AcroForm"]
    entries = {name("/Type"): name("/Font"), name("/Subtype"): name("/Type1"), name("/BaseFont"): name(base)}
    form["/DR"]["/Font"][name(key)] = writer.add_object(
        generic.DictionaryObject(entries | {name("/" + one): value for one, value in more.items()}))
    writer.update_container(form)


edit("fonts-added")(lambda writer: font(writer, "/Late", "/Times-Roman"))
edit("fonts-exchanged")(lambda writer: font(writer, "/Helv", "/Times-Roman"))
edit("fonts-extended")(lambda writer: font(writer, "/Helv", Encoding=name("/WinAnsiEncoding")))


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
        with tempfile.TemporaryDirectory() as folder:
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

if __name__ == "__main__":
    folder, signed = Folder(sys.argv[1]), {}
    for kind, key in ((kind, key) for kind in sys.argv[2:] for key in changes):
        if kind not in signed:
            signed[kind] = base(kind)
        title = f"{key}@{kind}"
        try:
            made = changes[key](signed[kind])
        except Exception as problem:
            folder.verdicts[title] = f"refused: {problem}"
            continue
        folder.add(title, made)
    folder.finish()
