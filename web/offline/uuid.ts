import { hexOf } from "../bytes.js"

/** A new identifier that this device chooses: a UUID of version 7. */
export function uuid7(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16)), view = new DataView(bytes.buffer)
  const now = Date.now()
  view.setUint32(0, Math.floor(now / 0x10000))
  view.setUint16(4, now % 0x10000)
  bytes[6] = bytes[6]! & 0x0f | 0x70
  bytes[8] = bytes[8]! & 0x3f | 0x80
  return hexOf(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}
