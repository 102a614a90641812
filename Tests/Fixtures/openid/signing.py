"""Keys of an OpenID provider for tests, and tokens signed with them, in every way that is wrong, too."""

import base64
import hashlib
import hmac
import json

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils

KEYS = {
    "rsa": rsa.generate_private_key(public_exponent=65537, key_size=2048),
    "next": rsa.generate_private_key(public_exponent=65537, key_size=2048),
    "weak": rsa.generate_private_key(public_exponent=65537, key_size=1024),
    "ec": ec.generate_private_key(ec.SECP256R1()),
    "ed": ed25519.Ed25519PrivateKey.generate(),
}


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value, size=None):
    return text(value.to_bytes(size or (value.bit_length() + 7) // 8, "big"))


def jwk(name):
    public = KEYS[name].public_key()
    if isinstance(public, rsa.RSAPublicKey):
        numbers = public.public_numbers()
        kind = {"kty": "RSA", "n": number(numbers.n), "e": number(numbers.e)}
    elif isinstance(public, ec.EllipticCurvePublicKey):
        numbers = public.public_numbers()
        kind = {"kty": "EC", "crv": "P-256", "x": number(numbers.x, 32), "y": number(numbers.y, 32)}
    else:
        raw = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        kind = {"kty": "OKP", "crv": "Ed25519", "x": text(raw)}
    return {**kind, "kid": name, "use": "sig"}


def signature(key, algorithm, message):
    if algorithm == "none":
        return b""
    if algorithm == "HS256":
        # The attack on verifiers that take a public key for a shared secret.
        public = key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        return hmac.new(public, message, hashlib.sha256).digest()
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return key.sign(message)
    if isinstance(key, ec.EllipticCurvePrivateKey):
        r, s = utils.decode_dss_signature(key.sign(message, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")
    if algorithm == "PS256":
        return key.sign(message, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())
    return key.sign(message, padding.PKCS1v15(), hashes.SHA256())


def token(wish):
    header = {"alg": wish["alg"], "typ": "JWT"}
    if wish.get("kid"):
        header["kid"] = wish["kid"]
    parts = [text(json.dumps(part).encode()) for part in (header, wish["claims"])]
    message = ".".join(parts).encode()
    return message.decode() + "." + text(signature(KEYS[wish["key"]], wish["alg"], message))
