// Requests in protobuf's binary form, which queues take: everything else is sent as JSON.

import { queuedRequests, wireEnums, wireMessages } from "./contract/wire.js"

/** A field's number, its type, and whether there may be many. */
export type WireField = readonly [number: number, type: string, isRepeated?: boolean]

/** The request of a method that may be queued, in binary; in base64, as a `QueueItem` has it. */
export function queuedRequest(method: string, request: object): string {
  const type = queuedRequests[method]
  if (type === undefined) throw new Error(`${method} cannot be queued`)
  const bytes = encoded(type, request as Values)
  let text = ""
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.slice(at, at + 0x8000))
  return btoa(text)
}

type Values = Readonly<Record<string, unknown>>

function encoded(type: string, values: Values): number[] {
  const fields = wireMessages[type]
  if (fields === undefined) throw new Error(`${type} is not known in binary`)
  const bytes: number[] = []
  for (const [name, [number, kind, isRepeated]] of Object.entries(fields)) {
    const value = values[name]
    if (value === undefined || value === null) continue
    if (!isRepeated) write(bytes, number, kind, value)
    else if (isText(kind)) for (const each of value as unknown[]) write(bytes, number, kind, each)
    else if ((value as unknown[]).length > 0) {
      const packed = (value as unknown[]).flatMap((each) => scalar(kind, each))
      varint(bytes, BigInt(number * 8 + 2))
      varint(bytes, BigInt(packed.length))
      append(bytes, packed)
    }
  }
  return bytes
}

/** Whether its length stands before it. */
function isText(kind: string): boolean {
  return kind === "string" || kind === "bytes" || (kind.includes(".") && wireEnums[kind] === undefined)
}

function write(bytes: number[], number: number, kind: string, value: unknown): void {
  if (!isText(kind)) {
    const wireType = kind === "double" ? 1 : kind === "float" ? 5 : 0
    varint(bytes, BigInt(number * 8 + wireType))
    append(bytes, scalar(kind, value))
    return
  }
  const content = kind === "string" ? [...new TextEncoder().encode(value as string)]
    : kind === "bytes" ? Array.from(atob(value as string), (letter) => letter.charCodeAt(0))
      : kind === "google.protobuf.Timestamp" ? timestamp(value as string) : encoded(kind, value as Values)
  varint(bytes, BigInt(number * 8 + 2))
  varint(bytes, BigInt(content.length))
  append(bytes, content)
}

function scalar(kind: string, value: unknown): number[] {
  const bytes: number[] = []
  switch (kind) {
    case "bool": return [value ? 1 : 0]
    case "double":
    case "float": {
      const view = new DataView(new ArrayBuffer(kind === "double" ? 8 : 4))
      if (kind === "double") view.setFloat64(0, Number(value), true)
      else view.setFloat32(0, Number(value), true)
      return [...new Uint8Array(view.buffer)]
    }
    case "int32":
    case "int64":
    case "uint32":
    case "uint64":
      varint(bytes, BigInt.asUintN(64, BigInt(value as string | number)))
      return bytes
    default: {
      const names = wireEnums[kind]
      const found = typeof value === "number" ? value : names?.[value as string]
      if (found === undefined) throw new Error(`${kind} has no ${String(value)}`)
      varint(bytes, BigInt(found))
      return bytes
    }
  }
}

/** A moment of RFC 3339, to the nanosecond. */
function timestamp(text: string): number[] {
  const bytes: number[] = [], milliseconds = Date.parse(text)
  if (Number.isNaN(milliseconds)) throw new Error(`'${text}' is no time`)
  const nanos = Number((/\.(\d{1,9})/.exec(text)?.[1] ?? "").padEnd(9, "0"))
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds !== 0) append(bytes, [8, ...scalar("int64", seconds)])
  if (nanos !== 0) append(bytes, [16, ...scalar("int32", nanos)])
  return bytes
}

function varint(bytes: number[], value: bigint): void {
  let rest = value
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  bytes.push(Number(rest))
}

function append(bytes: number[], more: readonly number[]): void {
  for (const byte of more) bytes.push(byte)
}
