import { bytesOf, fromBase64, fromHex, joined } from "../bytes.js"
import type { Json } from "./json.js"

/** A value of a row: null, an integer, a text, or an object with `bytes` or `real`. */
export type Cell = null | bigint | string | { [kind: string]: Json } | Uint8Array

/** Values in the one form in which they are hashed: a tag for the kind, and lengths in front. */
export function encoded(...values: Cell[]): Uint8Array {
  return joined(...values.map(one))
}

function one(value: Cell): Uint8Array {
  if (value === null) return new Uint8Array([0])
  if (typeof value === "bigint") return integer(value)
  if (typeof value === "string") return sized(3, bytesOf(value))
  if (value instanceof Uint8Array) return sized(4, value)
  if ("real" in value) return real(`${value["real"]}`)
  return sized(4, fromBase64(text(value["bytes"])))
}

function integer(value: bigint): Uint8Array {
  const all = new Uint8Array(9), view = new DataView(all.buffer)
  all[0] = 1
  view.setBigInt64(1, value)
  return all
}

/** A real by its bits; one that is a whole number is hashed as an integer. */
function real(bits: string): Uint8Array {
  const bytes = fromHex(bits), value = new DataView(bytes.buffer).getFloat64(0)
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 53) return integer(BigInt(value))
  // A signal that is no number keeps its bits.
  return joined(new Uint8Array([2]), bytes)
}

function sized(tag: number, bytes: Uint8Array): Uint8Array {
  const head = new Uint8Array(5)
  head[0] = tag
  new DataView(head.buffer).setUint32(1, bytes.length)
  return joined(head, bytes)
}

function text(value: Json | undefined): string {
  if (typeof value !== "string") throw new SyntaxError("no text")
  return value
}
