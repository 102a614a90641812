import { letters } from "../bytes.js"
import { mostBytes } from "./bundle.js"

/** The browser's own, which the compiler's library does not know yet. */
declare class DecompressionStream {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<Uint8Array>
  constructor(format: "deflate")
}

/** What a signed copy says of itself, by its own parts that are not packed. */
export interface Paper {
  /** The identifier that is printed on it; others where links of the document look like one. */
  identifiers: string[]
  title: string
  attached: Attached
}

export interface Attached {
  evidence?: Uint8Array
  copy?: Uint8Array
}

export function isPDF(bytes: Uint8Array): boolean {
  return letters(bytes.subarray(0, 1024)).includes("%PDF-")
}

export async function readPaper(bytes: Uint8Array): Promise<Paper> {
  const text = letters(bytes)
  const links = text.matchAll(/\/URI\s*\((?:[^()]*\/)?([A-Za-z0-9._-]+\.[0-9a-f]{32})\)/g)
  const identifiers = Array.from(links, ([, identifier]) => identifier!)
  return { identifiers, title: titleIn(bytes, text), attached: await attachedTo(bytes, text) }
}

/** The title of the metadata, which are XML. */
function titleIn(bytes: Uint8Array, text: string): string {
  const begin = text.indexOf("<dc:title>"), end = text.indexOf("</dc:title>", begin)
  if (begin < 0 || end < 0 || end - begin > 4096) return ""
  const element = new TextDecoder().decode(bytes.subarray(begin, end))
  const words = element.replace(/<[^>]*>/g, "").trim()
  return words.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) =>
    ({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" })[name] ?? "")
}

/** The evidence, and the copy that it is about: they are attached last, behind files of the document's own. */
async function attachedTo(bytes: Uint8Array, text: string): Promise<Attached> {
  const found: Attached = {}
  const heads = /\/Type\/EmbeddedFile\/Subtype\/application#2F(json|pdf)\b[^]{0,200}?\/Length (\d+)>>stream\r?\n/g
  for (const { 0: head, 1: kind, 2: length, index } of text.matchAll(heads)) {
    const begin = index! + head!.length
    const content = await unpacked(bytes.subarray(begin, begin + Number(length))).catch(() => undefined)
    if (content) found[kind === "json" ? "evidence" : "copy"] = content
  }
  return found
}

async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader()
  const parts: Uint8Array[] = []
  for (let size = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer())
    parts.push(value)
    size += value.length
    // A small file may unpack to an endless one.
    if (size > mostBytes) throw new RangeError("too large")
  }
}
