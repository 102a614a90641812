import { webCrypto } from "./web-crypto.js"

/** A new name for a call's effect: 128 random bits. `crypto.randomUUID` would need a secure context in browsers. */
export async function newIdempotencyKey(): Promise<string> {
  const bytes = (await webCrypto()).getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}
