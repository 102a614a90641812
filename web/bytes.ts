const utf8 = new TextEncoder()

export function bytesOf(text: string): Uint8Array {
  return utf8.encode(text)
}

export function joined(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

export function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

export async function sha256(...parts: Uint8Array[]): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)))
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}

/** Bytes as base64 has them in one form only. */
export function fromBase64(text: string, size?: number): Uint8Array {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  if (size !== undefined && bytes.length !== size || toBase64(bytes) !== text) throw new SyntaxError("no base64")
  return bytes
}

export function toBase64(bytes: Uint8Array): string {
  let text = ""
  // A call has a bound of arguments.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

/** A letter for each byte, for searching. */
export function letters(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes)
}
