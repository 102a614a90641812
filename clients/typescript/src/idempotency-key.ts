// A name that compilers do not look up: this package has no types of Node's modules.
const nodeModule: string = "node:crypto"

/** A new name for a call's effect: 128 random bits. `crypto.randomUUID` would need a secure context in browsers, and
 * Node 18 has `crypto` as a module only. */
export async function newIdempotencyKey(): Promise<string> {
  const source: Crypto = globalThis.crypto ?? (await import(nodeModule)).webcrypto
  const bytes = source.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}
