/** Bytes as proto3's JSON has them. */
export function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0))
}

export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const pieces: string[] = []
  // A call has a bound of arguments.
  for (let at = 0; at < bytes.length; at += 8192) pieces.push(String.fromCharCode(...bytes.subarray(at, at + 8192)))
  return btoa(pieces.join(""))
}

export async function sha256(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")
}
