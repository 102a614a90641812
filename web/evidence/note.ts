import { bytesOf, fromBase64, fromHex, isEqual, joined, sha256 } from "../bytes.js"
import type { Tree } from "./merkle.js"

/** A signed head of a log, as C2SP's tlog-checkpoint has it. */
export interface Note extends Tree {
  name: string
  signed: Uint8Array
  signatures: { name: string, bytes: Uint8Array }[]
}

/** Reads a head; throws where it is none. */
export function readNote(text: string): Note {
  const lines = text.split("\n"), end = lines.pop()
  const [name = "", size = "", root = "", blank, ...rest] = lines
  const signatures = rest.map((line) => {
    const [, signer, code] = /^— ([^ +]+) ([^ ]+)$/u.exec(line) ?? []
    return { name: signer!, bytes: fromBase64(code!) }
  })
  const isFit = end === "" && blank === "" && signatures.length > 0 && signatures.length <= 64
    && signatures.every(({ bytes }) => bytes.length >= 5) && name !== "" && !/[\s+]/u.test(name)
    && /^(?:0|[1-9][0-9]{0,18})$/.test(size) && BigInt(size) < 2n ** 63n
    && !/[\x00-\x09\x0b-\x1f]/.test(text) && bytesOf(text).length <= 65_536
  if (!isFit) throw new SyntaxError("no head")
  return {
    name, size: BigInt(size), root: fromBase64(root, 32), signatures,
    signed: bytesOf(lines.slice(0, 3).map((line) => `${line}\n`).join("")),
  }
}

/** Who signed: a key that is known, nobody who is known, or somebody in the name of one who is. */
export type Signer = "known" | "unknown" | "forged"

/** Public keys, and what a browser has for Ed25519. */
export class Keys {
  private constructor(private readonly keys: { bytes: Uint8Array, key: CryptoKey }[], readonly canVerify: boolean) {}

  /** @param texts - 64 hexadecimal digits, or `name+id+key` as C2SP has it; what is no key counts as none */
  static async read(texts: string[]): Promise<Keys> {
    const keys = []
    for (const bytes of texts.map(bytesOfKey)) {
      if (bytes?.length !== 32) continue
      try {
        keys.push({ bytes, key: await crypto.subtle.importKey("raw", bytes, "Ed25519", false, ["verify"]) })
      } catch (problem) {
        if (problem instanceof DOMException && problem.name === "NotSupportedError") return new Keys([], false)
      }
    }
    return new Keys(keys, await hasEd25519())
  }

  async signer(note: Note): Promise<Signer> {
    let found: Signer = "unknown"
    for (const { bytes, key } of this.keys) {
      const mark = (await sha256(bytesOf(note.name), new Uint8Array([10, 1]), bytes)).subarray(0, 4)
      for (const signature of note.signatures) {
        if (signature.name !== note.name || !isEqual(signature.bytes.subarray(0, 4), mark)) continue
        if (!await crypto.subtle.verify("Ed25519", key, signature.bytes.subarray(4), note.signed)) return "forged"
        found = "known"
      }
    }
    return found
  }
}

/** What may be keys in a text: a file of keys has one a line, and remarks. */
export function keysIn(text: string): string[] {
  return text.split(/[\r\n]+/).map((line) => line.trim()).filter((line) => bytesOfKey(line)?.length === 32)
}

function bytesOfKey(text: string): Uint8Array | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return fromHex(text)
  try {
    const [, , code] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? []
    return code === undefined ? undefined : fromBase64(code, 33).subarray(1)
  } catch {
    return undefined
  }
}

async function hasEd25519(): Promise<boolean> {
  // The point that is the group's base, which is a key as good as any other.
  const base = joined(new Uint8Array([0x58]), new Uint8Array(31).fill(0x66))
  return crypto.subtle.importKey("raw", base, "Ed25519", false, ["verify"]).then(() => true, () => false)
}
