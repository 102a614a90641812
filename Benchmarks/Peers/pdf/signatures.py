"""pyHanko sealing `.build/bench/pdf/document.pdf` and verifying `sealed.pdf`, with the keys that ours has.

Keys are loaded and files are in memory beforehand; the time-stamping authority is pyHanko's own, in the process.
"""

import io
import logging

import bench
from pyhanko.keys import load_cert_from_pemder, load_private_key_from_pemder
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign import fields, signers
from pyhanko.sign.timestamps import DummyTimeStamper
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.registry import SimpleCertificateStore

logging.disable(logging.CRITICAL)
FOLDER = ".build/bench/pdf"


def read(name):
    with open(f"{FOLDER}/{name}", "rb") as file:
        return file.read()


def certificate(name):
    return load_cert_from_pemder(f"{FOLDER}/{name}")


def key(name):
    return load_private_key_from_pemder(f"{FOLDER}/{name}", passphrase=None)


root = certificate("root.pem")
store = SimpleCertificateStore()
store.register(root)
signer = signers.SimpleSigner(certificate("signer.pem"), key("signer-key.pem"), store)
clock = DummyTimeStamper(certificate("clock.pem"), key("clock-key.pem"), certs_to_embed=store)
document, sealed = read("document.pdf"), read("sealed.pdf")


def seal(timestamper):
    facts = signers.PdfSignatureMetadata(
        field_name="seal", md_algorithm="sha256", subfilter=fields.SigSeedSubFilter.PADES
    )

    def run():
        clock._dummy_response_cache.clear()
        return signers.sign_pdf(
            IncrementalPdfFileWriter(io.BytesIO(document)), facts, signer=signer, timestamper=timestamper,
            existing_fields_only=True,
        ).getvalue()

    return run


def verify():
    signature = PdfFileReader(io.BytesIO(sealed)).embedded_signatures[0]
    status = validate_pdf_signature(signature, ValidationContext(trust_roots=[root], allow_fetching=False))
    if not status.bottom_line:
        raise ValueError("pyHanko does not call the seal valid")


bench.serve({"seal_bb": seal(None), "seal_bt": seal(clock), "verify": verify})
