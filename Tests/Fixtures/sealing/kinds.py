"""Makes files with every kind of signature that docs/documents.md lists, by pyHanko, and files with one byte changed.

kinds.py FOLDER FLIPS writes FOLDER/root.pem, FOLDER/KIND.pdf, FOLDER/flip-PLACE.pdf at as many places, and
FOLDER/pyhanko.json with pyHanko's verdict of each file.
"""

import io, sys

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields
from pyhanko.sign.validation import DocumentSecurityStore

from making import (
    AUTHORITY, TIME, Folder, Person, attest, clock, days, document, elliptic, large, now, revocations, root,
    sign, stamper)

between = Person(elliptic(), root, usage=AUTHORITY, is_authority=True, name="Between")
stranger = Person(elliptic(), usage=AUTHORITY, is_authority=True, name="Stranger")
plain = Person(elliptic(), root)
unmeant_clock = Person(large(), root, name="Unmeant clock")
strange_clock = Person(large(), stranger, purpose=TIME, name="Strange clock")


def proven(person, when, reason=None, at=None):
    """With an attested time, and a list of revocations that was made now."""
    pdf = sign(person.signer(), clock.stamper(at) if at else stamper)
    entries = []
    if when:
        entry = x509.RevokedCertificateBuilder(person.x509.serial_number, when)
        if reason:
            entry = entry.add_extension(x509.CRLReason(reason), False)
        entries.append(entry.build())
    writer = IncrementalPdfFileWriter(out := io.BytesIO(pdf))
    writer._update_meta = lambda: None
    DocumentSecurityStore.supply_dss_in_writer(
        writer, None, certs=[root.certificate], crls=[revocations(now - days / 24, *entries)])
    writer.write_in_place()
    return out.getvalue()


kinds = {
    "ecdsa-256": lambda: sign(plain.signer()),
    "ecdsa-384": lambda: sign(Person(ec.generate_private_key(ec.SECP384R1()), root).signer(), md_algorithm="sha384"),
    "ecdsa-521": lambda: sign(Person(ec.generate_private_key(ec.SECP521R1()), root).signer(), md_algorithm="sha512"),
    "rsa": lambda: sign(Person(large(), root).signer()),
    "rsa-sha512": lambda: sign(Person(large(), root).signer(), md_algorithm="sha512"),
    "pss": lambda: sign(Person(large(), root).signer(prefer_pss=True)),
    "pss-sha512": lambda: sign(Person(large(), root).signer(prefer_pss=True), md_algorithm="sha512"),
    "ed25519": lambda: sign(Person(ed25519.Ed25519PrivateKey.generate(), root).signer(), md_algorithm="sha512"),
    "ed448": lambda: sign(Person(ed448.Ed448PrivateKey.generate(), root).signer(), md_algorithm="shake256"),
    "sha3": lambda: sign(plain.signer(), md_algorithm="sha3_256"),
    "sha1": lambda: sign(Person(large(), root).signer(), md_algorithm="sha1"),
    "rsa-1024": lambda: sign(Person(rsa.generate_private_key(65537, 1024), root).signer()),
    "plain-form": lambda: sign(plain.signer(), form=fields.SigSeedSubFilter.ADOBE_PKCS7_DETACHED),
    "no-key-usage": lambda: sign(Person(elliptic(), root, usage=None).signer()),
    "wrong-key-usage": lambda: sign(Person(large(), root, usage=dict(key_encipherment=True)).signer()),
    "other-purpose": lambda: sign(Person(elliptic(), root, purpose=ExtendedKeyUsageOID.CODE_SIGNING).signer()),
    "between": lambda: sign(Person(elliptic(), between).signer(between)),
    "between-missing": lambda: sign(Person(elliptic(), between).signer()),
    "unknown-root": lambda: sign(Person(elliptic(), stranger).signer(stranger)),
    "self-signed": lambda: sign(Person(elliptic()).signer()),
    "expired": lambda: sign(Person(elliptic(), root, start=now - 9 * days, end=now - days).signer()),
    "not-yet-valid": lambda: sign(Person(elliptic(), root, start=now + days).signer()),
    "expired-later": lambda: sign(
        Person(elliptic(), root, start=now - 9 * days, end=now - days).signer(), clock.stamper(now - 2 * days)),
    "timed": lambda: sign(plain.signer(), stamper),
    "time-unmeant": lambda: sign(plain.signer(), unmeant_clock.stamper()),
    "time-unknown": lambda: sign(plain.signer(), strange_clock.stamper()),
    "time-to-come": lambda: sign(plain.signer(), clock.stamper(now + days / 2)),
    "proven": lambda: proven(plain, None),
    "revoked": lambda: proven(Person(elliptic(), root), now - days / 2),
    "revocation-lifted": lambda: proven(Person(elliptic(), root), now - days / 2, x509.ReasonFlags.remove_from_crl),
    "revoked-later": lambda: proven(Person(elliptic(), root), now - days / 4, at=now - days / 2),
    "two-signers": lambda: sign(plain.signer(), pdf=sign(plain.signer()), field="kept"),
    "second-unknown": lambda: sign(Person(elliptic()).signer(), pdf=sign(plain.signer()), field="kept"),
    "time-alone": lambda: attest(document()),
    "unsigned": document,
}

if __name__ == "__main__":
    folder, flips = Folder(sys.argv[1]), int(sys.argv[2])
    for kind in kinds:
        folder.add(kind, kinds[kind]())
    whole = sign(plain.signer(), stamper)
    for step in range(flips):
        place = step * (len(whole) - 1) // max(flips - 1, 1)
        folder.add(f"flip-{place}", whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1:])
    folder.finish()
