import { bytesIn, valuesOf, type Row } from "./bundle.js"
import type { Report } from "./verify.js"

/** What a bundle proves of a decision. */
export interface Told {
  /** The document's or the form's title, in the language in which it was decided about; empty where that is erased. */
  title: string
  version: number
  locale: string
  /** Awaiting: agreed, and signatures are missing. Attention: it permits nothing before somebody has looked at it. */
  decision: "agreed" | "awaiting" | "attention" | "declined" | "withdrawn" | "erased" | "ended"
  /** When it was decided so; undefined where the record tells no time of that. */
  decidedAt: Date | undefined
  /** The purposes that were agreed to and stand, by the words of the document where it has some. */
  purposes: string[]
  /** Who signed, by their roles, and when. */
  signatures: { role: Role | undefined, at: Date | undefined }[]
}

export type Role = "participant" | "guardian" | "witness" | "investigator"

type Values = ReturnType<typeof valuesOf>

const roles: readonly (Role | undefined)[] = [undefined, "participant", "guardian", "witness", "investigator"]

/** By the numbers of the contract's `RecordState`. */
const decisions: readonly Told["decision"][] = [
  "ended", "awaiting", "agreed", "declined", "withdrawn", "ended", "ended", "attention", "ended", "ended", "erased",
  "ended",
]

/** By the number of the contract's `EntryKind`. */
const withdrawal = 5

/** Reads the record of verified rows; undefined where there is none, or several: facts belong to one of them. */
export function toldBy(report: Report): Told | undefined {
  const [row, another] = report.rows.filter(({ table }) => table === "records")
  if (!row || another) return undefined
  const values = valuesOf(row), record = bodyOf(values)
  const [locale, isForm] = [record.text(10), record.number(5) === 2]
  const text = textOf(report.rows, values, locale)
  const decision = decisions[Number(values.get("state"))] ?? "ended"
  const gone = [...record.texts(17), ...record.texts(42)]
  const purposes = decision === "declined" ? [] : record.texts(16).filter((purpose) => !gone.includes(purpose))
  const names = new Map(text?.all(6).map((purpose) => [purpose.text(1), purpose.text(2)]))
  return {
    title: text?.text(2) || heading(report), version: record.number(isForm ? 14 : 8), locale,
    decision, decidedAt: timeOf(decision, values, report.rows),
    purposes: purposes.map((purpose) => names.get(purpose) || purpose),
    signatures: record.all(21).map((signature) => ({ role: roles[signature.number(2)], at: signature.time(8) })),
  }
}

/** What a record calls the time of its decision is that of the person's yes or no. */
function timeOf(decision: Told["decision"], record: Values, rows: Row[]): Date | undefined {
  if (decision === "withdrawn") {
    const entries = rows.filter(({ table }) => table === "record_entries").map(valuesOf)
    return entries.filter((entry) => entry.get("record_id") === record.get("id")).map(bodyOf)
      .filter((entry) => entry.number(2) === withdrawal)
      .sort((one, other) => one.number(1) - other.number(1)).at(-1)?.time(3)
  }
  return ["agreed", "awaiting", "declined"].includes(decision) ? new Date(Number(record.get("decided_ms"))) : undefined
}

/** The text of a record's document in a language. */
function textOf(rows: Row[], record: Values, locale: string): Message | undefined {
  const version = rows.filter(({ table }) => table === "document_versions").map(valuesOf).find((values) =>
    values.get("document_id") === record.get("document_id")
      && values.get("version") === record.get("document_version"))
  const content = version && bodyOf(version).all(5)[0]
  return content?.all(3).find((text) => text.text(1) === locale)
}

function bodyOf(values: Values): Message {
  return new Message(bytesIn(values.get("body")) ?? new Uint8Array())
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
