/** JSON as bundles have it: whole numbers only, within 64 bits. */
export type Json = null | boolean | bigint | string | Json[] | { [name: string]: Json }

const deepest = 32
const least = -(2n ** 63n), most = 2n ** 63n - 1n
const blank = /[ \t\n\r]*/y
const number = /-?(?:0|[1-9][0-9]*)(?![0-9.eE])/y
const plain = /"[^"\\\x00-\x1f]*"/y
const escaped = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y

/**
 * Reads a text, more strictly than JSON.parse: numbers keep all of their digits, and what two programs could read in
 * two ways is refused, such as a name that is there twice, fractions, or half a character.
 */
export function read(text: string): Json {
  let at = 0

  function token(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }

  function skip(mark: string): boolean {
    token(blank)
    if (text[at] !== mark) return false
    at += 1
    return true
  }

  function string(): string {
    const found = token(plain)
    if (found !== undefined) return whole(found.slice(1, -1))
    const other = token(escaped)
    if (other === undefined) throw new SyntaxError(`no JSON at ${at}`)
    return whole(JSON.parse(other) as string)
  }

  function value(level: number): Json {
    token(blank)
    switch (text[at]) {
      case "{": return object(level)
      case "[": return list(level)
      case '"': return string()
      default: return simple()
    }
  }

  function simple(): Json {
    for (const [word, meaning] of [["null", null], ["true", true], ["false", false]] as const) {
      if (text.startsWith(word, at)) {
        at += word.length
        return meaning
      }
    }
    const digits = token(number)
    if (digits === undefined || digits === "-0" || digits.length > 20) throw new SyntaxError(`no JSON at ${at}`)
    const found = BigInt(digits)
    if (found < least || found > most) throw new SyntaxError("a number is too large")
    return found
  }

  function list(level: number): Json[] {
    const found: Json[] = []
    enter("[", level)
    if (skip("]")) return found
    do found.push(value(level + 1)); while (skip(","))
    if (!skip("]")) throw new SyntaxError(`no end of a list at ${at}`)
    return found
  }

  function object(level: number): Json {
    const found = new Map<string, Json>()
    enter("{", level)
    if (skip("}")) return {}
    do {
      token(blank)
      const name = string()
      if (found.has(name)) throw new SyntaxError(`${name} is there twice`)
      if (!skip(":")) throw new SyntaxError(`no value of ${name}`)
      found.set(name, value(level + 1))
    } while (skip(","))
    if (!skip("}")) throw new SyntaxError(`no end of an object at ${at}`)
    return Object.fromEntries(found)
  }

  function enter(mark: string, level: number): void {
    if (level > deepest) throw new SyntaxError("it is nested too deeply")
    skip(mark)
  }

  const found = value(1)
  token(blank)
  if (at !== text.length) throw new SyntaxError(`more than JSON at ${at}`)
  return found
}

/** Refuses halves of characters, which have no bytes. */
function whole(text: string): string {
  if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)) {
    throw new SyntaxError("half a character")
  }
  return text
}
