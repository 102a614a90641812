import { bytesIn, valuesOf, type Row } from "./bundle.js"
import type { Report } from "./verify.js"

/** What a bundle proves of a decision. */
export interface Told {
  /** The document's or the form's title, in the language in which it was decided about; empty where that is erased. */
  title: string
  version: number
  locale: string
  decision: "agreed" | "declined" | "withdrawn" | "erased" | "ended"
  decidedAt: Date
  /** The purposes that were agreed to, by the words of the document where it has some. */
  purposes: string[]
  /** Who signed, by their roles, and when. */
  signatures: { role: Role | undefined, at: Date | undefined }[]
}

export type Role = "participant" | "guardian" | "witness" | "investigator"

const roles: readonly (Role | undefined)[] = [undefined, "participant", "guardian", "witness", "investigator"]

/** By the numbers of the contract's `RecordState`. */
const decisions: readonly Told["decision"][] = [
  "ended", "agreed", "agreed", "declined", "withdrawn", "ended", "ended", "agreed", "ended", "agreed", "erased",
]

/** Reads the record of verified rows; undefined where there is none. */
export function toldBy(report: Report): Told | undefined {
  const row = report.rows.find(({ table }) => table === "records")
  if (!row) return undefined
  const values = valuesOf(row), record = new Message(bytesIn(values.get("body")) ?? new Uint8Array())
  const [locale, isForm] = [record.text(10), record.number(5) === 2]
  const text = textOf(report.rows, locale)
  const names = new Map(text?.all(6).map((purpose) => [purpose.text(1), purpose.text(2)]))
  return {
    title: text?.text(2) || heading(report), version: record.number(isForm ? 14 : 8), locale,
    decision: decisions[Number(values.get("state"))] ?? "ended",
    decidedAt: new Date(Number(values.get("decided_ms"))),
    purposes: record.texts(16).map((purpose) => names.get(purpose) || purpose),
    signatures: record.all(21).map((signature) => ({ role: roles[signature.number(2)], at: signature.time(8) })),
  }
}

/** The document's text in a language. */
function textOf(rows: Row[], locale: string): Message | undefined {
  const version = rows.find(({ table }) => table === "document_versions")
  const body = version && bytesIn(valuesOf(version).get("body"))
  const content = body && new Message(body).all(5)[0]
  return content?.all(3).find((text) => text.text(1) === locale)
}

/** The first heading of what was shown. */
function heading(report: Report): string {
  const shown = report.contents.find(({ name }) => name === "shown")
  const [, words = ""] = /<h1>([^<]*)<\/h1>/.exec(shown ? new TextDecoder().decode(shown.bytes) : "") ?? []
  return words.replace(/&(?:#(\d+)|(amp|lt|gt|quot));/g, (_, number: string | undefined, name: string) =>
    number ? String.fromCodePoint(Number(number)) : { amp: "&", lt: "<", gt: ">", quot: '"' }[name] ?? "")
}

/** As much of protobuf as it takes to read a stored record. What cannot be read is not there. */
class Message {
  private readonly fields = new Map<number, (bigint | Uint8Array)[]>()

  constructor(bytes: Uint8Array) {
    let at = 0
    const varint = (): bigint => {
      let value = 0n
      for (let shift = 0n; at < bytes.length; shift += 7n) {
        const byte = bytes[at++]!
        value |= BigInt(byte & 0x7f) << shift
        if (byte < 0x80) break
      }
      return value
    }
    while (at < bytes.length) {
      const tag = Number(varint()), kind = tag & 7
      if (kind === 0) this.add(tag >> 3, varint())
      else if (kind === 2) {
        const size = Number(varint())
        this.add(tag >> 3, bytes.subarray(at, at += size))
      } else if (kind === 1 || kind === 5) at += kind === 1 ? 8 : 4
      else return
    }
  }

  private add(field: number, value: bigint | Uint8Array): void {
    this.fields.set(field, [...this.fields.get(field) ?? [], value])
  }

  private bytes(field: number): Uint8Array[] {
    return (this.fields.get(field) ?? []).filter((value): value is Uint8Array => value instanceof Uint8Array)
  }

  all(field: number): Message[] {
    return this.bytes(field).map((bytes) => new Message(bytes))
  }

  texts(field: number): string[] {
    return this.bytes(field).map((bytes) => new TextDecoder().decode(bytes))
  }

  text(field: number): string {
    return this.texts(field)[0] ?? ""
  }

  number(field: number): number {
    const value = this.fields.get(field)?.at(-1)
    return typeof value === "bigint" ? Number(value) : 0
  }

  time(field: number): Date | undefined {
    const time = this.all(field)[0]
    return time && new Date(time.number(1) * 1000 + Math.floor(time.number(2) / 1e6))
  }
}
