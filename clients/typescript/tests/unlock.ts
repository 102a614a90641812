// The keys of local stores in clients/vectors/unlock.json, which is the argument as text. It throws at the first one
// that differs.

import { stretch, unlockKey, unlockPoint } from "../src/index.js"
import { webCrypto } from "../src/web-crypto.js"

declare const process: { argv: string[] }
declare const console: { log(text: string): void }

interface UnlockVector {
  name: string
  passcode: string
  verifier_id: string
  person_id: string
  device_id: string
  salt: string
  iterations: number
  device_key: { kty: string; crv: string; d: string; x: string; y: string }
  stretched: string
  point: string
  sealed: { nonce: string; text: string; bytes: string }
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}

function bytes(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16))
}

function wanted(found: string, expected: string, what: string): void {
  if (found !== expected) throw new Error(`${what} is ${found}, not ${expected}`)
}

const { subtle } = await webCrypto()
const { unlocks } = JSON.parse(process.argv[2] ?? "{}") as { unlocks: UnlockVector[] }
for (const vector of unlocks) {
  const verifier = {
    verifierId: vector.verifier_id, personId: vector.person_id, deviceId: vector.device_id, salt: bytes(vector.salt),
    iterations: vector.iterations,
  }
  // As a browser keeps it: nobody can read it again.
  const device = await subtle.importKey(
    "jwk", vector.device_key, { name: "ECDH", namedCurve: "P-256" }, false, ["deriveBits"])
  const stretched = await stretch(verifier, vector.passcode)
  wanted(hex(stretched), vector.stretched, `${vector.name}: stretched`)
  const { x, y } = await unlockPoint(stretched)
  wanted(`04${hex(x)}${hex(y)}`, vector.point, `${vector.name}: point`)
  const key = await unlockKey(verifier, vector.passcode, device)
  const opening = { name: "AES-GCM", iv: bytes(vector.sealed.nonce), tagLength: 128 }
  const opened = await subtle.decrypt(opening, key, bytes(vector.sealed.bytes))
  wanted(new TextDecoder().decode(opened), vector.sealed.text, `${vector.name}: text`)
  const wrong = await unlockKey(verifier, `${vector.passcode} `, device)
  const isOpen = await subtle.decrypt(opening, wrong, bytes(vector.sealed.bytes)).then(() => true, () => false)
  wanted(String(isOpen), "false", `${vector.name}: opened by another passcode`)
}
wanted(String(unlocks.length > 2), "true", "that there are vectors")
console.log("all keys are as they should be")
