"""Makes files with every kind of signature that docs/documents.md lists, by pyHanko, and files with one byte changed.

kinds.py FOLDER FLIPS writes FOLDER/root.pem, FOLDER/KIND.pdf, FOLDER/flip-PLACE.pdf at as many places, and
FOLDER/pyhanko.json with pyHanko's verdict of each file.
"""

import datetime, io, json, os, sys

from asn1crypto import crl as asn1_crl, keys, x509 as asn1
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields, signers, timestamps
from pyhanko.sign.validation import DocumentSecurityStore
from pyhanko_certvalidator.registry import SimpleCertificateStore

from later_changes import clock, days, der, document, elliptic, large, now, root, stamper, store, verdict

SIGNING = dict(digital_signature=True, content_commitment=True)
USAGES = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
          "key_cert_sign", "crl_sign", "encipher_only", "decipher_only")


class Person:
    """Somebody with a key and a certificate."""

    def __init__(self, key, issuer=root, usage=SIGNING, purpose=None, start=now - 20 * days, end=now + 99 * days,
                 is_authority=False, name="Somebody", hash=hashes.SHA256()):
        own = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        made = x509.CertificateBuilder(
            issuer.name if issuer else own, own, key.public_key(), x509.random_serial_number(), start, end)
        made = made.add_extension(x509.BasicConstraints(is_authority, None), True)
        if usage is not None:
            made = made.add_extension(x509.KeyUsage(*(usage.get(one, False) for one in USAGES)), True)
        if purpose:
            made = made.add_extension(x509.ExtendedKeyUsage([purpose]), True)
        self.name, self.key, self.issuer = own, key, issuer
        self.x509 = made.sign(issuer.key if issuer else key, hash)
        self.certificate = asn1.Certificate.load(der(self.x509))

    def signer(self, *others, **kind):
        plain = self.key.private_bytes(
            serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        known = SimpleCertificateStore.from_certs([root.certificate, *(one.certificate for one in others)])
        return signers.SimpleSigner(self.certificate, keys.PrivateKeyInfo.load(plain), known, **kind)

    def stamper(self, at=None):
        signer = self.signer()
        return timestamps.DummyTimeStamper(signer.signing_cert, signer.signing_key, store, fixed_dt=at)


AUTHORITY = dict(key_cert_sign=True, crl_sign=True)
between = Person(elliptic(), usage=AUTHORITY, is_authority=True, name="Between")
stranger = Person(elliptic(), None, usage=AUTHORITY, is_authority=True, name="Stranger")
plain = Person(elliptic())


def signed(signer, time=None, form=fields.SigSeedSubFilter.PADES, pdf=None, field="seal", **facts):
    out = io.BytesIO()
    facts = signers.PdfSignatureMetadata(field_name=field, subfilter=form, **facts)
    signers.sign_pdf(
        IncrementalPdfFileWriter(io.BytesIO(pdf or document())), facts, signer=signer, output=out, timestamper=time)
    return out.getvalue()


def proven(person, when, reason=None, at=None):
    """With an attested time, and a list of revocations that was made now."""
    pdf = signed(person.signer(), person_clock.stamper(at) if at else stamper)
    made = x509.CertificateRevocationListBuilder(root.name, now - days / 24, now + 9 * days)
    if when:
        entry = x509.RevokedCertificateBuilder(person.x509.serial_number, when)
        if reason:
            entry = entry.add_extension(x509.CRLReason(reason), False)
        made = made.add_revoked_certificate(entry.build())
    listed = asn1_crl.CertificateList.load(der(made.sign(root.key, hashes.SHA256())))
    writer = IncrementalPdfFileWriter(out := io.BytesIO(pdf))
    writer._update_meta = lambda: None
    DocumentSecurityStore.supply_dss_in_writer(writer, None, certs=[root.certificate], crls=[listed])
    writer.write_in_place()
    return out.getvalue()


TIME = ExtendedKeyUsageOID.TIME_STAMPING
person_clock = Person(large(), purpose=TIME, name="Clock")
unmeant_clock = Person(large(), name="Unmeant clock")
strange_clock = Person(large(), stranger, purpose=TIME, name="Strange clock")

kinds = {
    "ecdsa-256": lambda: signed(plain.signer()),
    "ecdsa-384": lambda: signed(Person(ec.generate_private_key(ec.SECP384R1())).signer(), md_algorithm="sha384"),
    "ecdsa-521": lambda: signed(Person(ec.generate_private_key(ec.SECP521R1())).signer(), md_algorithm="sha512"),
    "rsa": lambda: signed(Person(large()).signer()),
    "rsa-sha512": lambda: signed(Person(large()).signer(), md_algorithm="sha512"),
    "pss": lambda: signed(Person(large()).signer(prefer_pss=True)),
    "pss-sha512": lambda: signed(Person(large()).signer(prefer_pss=True), md_algorithm="sha512"),
    "ed25519": lambda: signed(Person(ed25519.Ed25519PrivateKey.generate()).signer(), md_algorithm="sha512"),
    "ed448": lambda: signed(Person(ed448.Ed448PrivateKey.generate()).signer(), md_algorithm="shake256"),
    "sha3": lambda: signed(plain.signer(), md_algorithm="sha3_256"),
    "sha1": lambda: signed(Person(large()).signer(), md_algorithm="sha1"),
    "rsa-1024": lambda: signed(Person(rsa.generate_private_key(65537, 1024)).signer()),
    "plain-form": lambda: signed(plain.signer(), form=fields.SigSeedSubFilter.ADOBE_PKCS7_DETACHED),
    "no-key-usage": lambda: signed(Person(elliptic(), usage=None).signer()),
    "wrong-key-usage": lambda: signed(Person(large(), usage=dict(key_encipherment=True)).signer()),
    "other-purpose": lambda: signed(Person(elliptic(), purpose=ExtendedKeyUsageOID.CODE_SIGNING).signer()),
    "between": lambda: signed(Person(elliptic(), between).signer(between)),
    "between-missing": lambda: signed(Person(elliptic(), between).signer()),
    "unknown-root": lambda: signed(Person(elliptic(), stranger).signer(stranger)),
    "self-signed": lambda: signed(Person(elliptic(), None).signer()),
    "expired": lambda: signed(Person(elliptic(), start=now - 9 * days, end=now - days).signer()),
    "not-yet-valid": lambda: signed(Person(elliptic(), start=now + days).signer()),
    "expired-later": lambda: signed(
        Person(elliptic(), start=now - 9 * days, end=now - days).signer(), person_clock.stamper(now - 2 * days)),
    "timed": lambda: signed(plain.signer(), stamper),
    "time-unmeant": lambda: signed(plain.signer(), unmeant_clock.stamper()),
    "time-unknown": lambda: signed(plain.signer(), strange_clock.stamper()),
    "time-to-come": lambda: signed(plain.signer(), person_clock.stamper(now + days / 2)),
    "proven": lambda: proven(plain, None),
    "revoked": lambda: proven(Person(elliptic()), now - days / 2),
    "revoked-later": lambda: proven(Person(elliptic()), now - days / 4, at=now - days / 2),
    "revocation-lifted": lambda: proven(Person(elliptic()), now - days / 2, x509.ReasonFlags.remove_from_crl),
    "two-signers": lambda: signed(plain.signer(), pdf=signed(plain.signer()), field="kept"),
    "second-unknown": lambda: signed(
        Person(elliptic(), None).signer(), pdf=signed(plain.signer()), field="kept"),
    "time-alone": lambda: signers.PdfTimeStamper(stamper).timestamp_pdf(
        IncrementalPdfFileWriter(io.BytesIO(document())), "sha256").getvalue(),
    "unsigned": document,
}

if __name__ == "__main__":
    folder, flips = sys.argv[1], int(sys.argv[2])
    with open(os.path.join(folder, "root.pem"), "wb") as file:
        file.write(root.x509.public_bytes(serialization.Encoding.PEM))
    verdicts = {}

    def write(title, pdf):
        with open(os.path.join(folder, f"{title}.pdf"), "wb") as file:
            file.write(pdf)
        verdicts[title] = verdict(pdf)

    for kind, make in kinds.items():
        write(kind, make())
    whole = signed(plain.signer(), stamper)
    for step in range(flips):
        place = step * (len(whole) - 1) // max(flips - 1, 1)
        write(f"flip-{place}", whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1:])
    with open(os.path.join(folder, "pyhanko.json"), "w") as file:
        json.dump(verdicts, file, indent=1, sort_keys=True)
