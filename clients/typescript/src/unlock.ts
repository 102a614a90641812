// The key of a person's local store on a device, from the person's passcode and a key that never leaves the device's
// key store. docs/unlock.md says why; clients/vectors/unlock.json has examples.

import { webCrypto } from "./web-crypto.js"

/** What SignIn gives for use without a connection. */
export interface UnlockVerifier {
  verifierId: string
  personId: string
  deviceId: string
  salt: Uint8Array
  iterations: number
}

const p = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/**
 * The key that opens the store, for AES-GCM with 256 bits.
 *
 * @param key the device's private key for ECDH on P-256, which its key store need not give away
 */
export async function unlockKey(verifier: UnlockVerifier, passcode: string, key: CryptoKey): Promise<CryptoKey> {
  const { subtle } = await webCrypto()
  const stretched = await stretch(verifier, passcode)
  const { x, y } = await unlockPoint(stretched)
  const point = join([Uint8Array.of(4), x, y])
  const other = await subtle.importKey("raw", point, { name: "ECDH", namedCurve: "P-256" }, false, [])
  const agreed = new Uint8Array(await subtle.deriveBits({ name: "ECDH", public: other }, key, 256))
  const info = ["assent-unlock-2", verifier.verifierId, verifier.personId, verifier.deviceId].join("\n")
  const material = await subtle.importKey("raw", join([agreed, stretched]), "HKDF", false, ["deriveKey"])
  return subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: verifier.salt, info: new TextEncoder().encode(info) },
    material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])
}

/** PBKDF2 of the passcode, 32 bytes. */
export async function stretch(verifier: UnlockVerifier, passcode: string): Promise<Uint8Array> {
  const { subtle } = await webCrypto()
  const bytes = new TextEncoder().encode(passcode.normalize("NFC"))
  const material = await subtle.importKey("raw", bytes, "PBKDF2", false, ["deriveBits"])
  const stretching = { name: "PBKDF2", hash: "SHA-256", salt: verifier.salt, iterations: verifier.iterations }
  return new Uint8Array(await subtle.deriveBits(stretching, material, 256))
}

/** The point of P-256 that stands for a stretched passcode: the first of the candidates that is on the curve. */
export async function unlockPoint(stretched: Uint8Array): Promise<{ x: Uint8Array; y: Uint8Array }> {
  const { subtle } = await webCrypto()
  const key = await subtle.importKey("raw", stretched, { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  for (let count = 0; count < 256; count += 1) {
    const x = number(new Uint8Array(await subtle.sign("HMAC", key, Uint8Array.of(count))))
    if (x >= p) continue
    const square = (x * x * x - 3n * x + b) % p
    const root = power(square < 0n ? square + p : square, (p + 1n) / 4n)
    if ((root * root - square) % p !== 0n) continue
    return { x: bytes(x), y: bytes(root % 2n === 0n ? root : p - root) }
  }
  throw new Error("none of 256 candidates is on the curve, which does not happen")
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % p
    square = (square * square) % p
  }
  return result
}

function number(from: Uint8Array): bigint {
  return from.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
}

function bytes(value: bigint): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, place) => Number((value >> BigInt(8 * (31 - place))) & 255n))
}

function join(parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}
