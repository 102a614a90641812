/** A QR code (ISO/IEC 18004) in byte mode, with error correction of level M, as Sources/Documents makes it. */
export interface QRCode {
  /** How many modules a side has. */
  readonly side: number
  isDark(x: number, y: number): boolean
}

/** For each version: all codewords, blocks, and correction codewords in each block. */
const measures: readonly (readonly [number, number, number])[] = [
  [26, 1, 10], [44, 1, 16], [70, 1, 26], [100, 2, 18], [134, 2, 24], [172, 4, 16], [196, 4, 18], [242, 4, 22],
  [292, 5, 22], [346, 5, 26], [404, 5, 30], [466, 8, 22], [532, 9, 22],
]

/** The code of a text of at most 331 bytes; undefined when it is longer. */
export function qrCode(text: string): QRCode | undefined {
  const bytes = new TextEncoder().encode(text)
  const version = 1 + measures.findIndex((_, at) => bytes.length <= dataCount(at + 1) - (at < 9 ? 2 : 3))
  if (version === 0) return undefined
  const drawing = new Drawing(version)
  drawing.place(codewords(bytes, version))
  const masked = Array.from({ length: 8 }, (_, mask) => drawing.masked(mask))
  return masked.reduce((best, each) => each.penalty < best.penalty ? each : best)
}

function dataCount(version: number): number {
  const [total, blocks, correction] = measures[version - 1]!
  return total - blocks * correction
}

/** The data with its correction codewords, in the order in which they are placed. */
function codewords(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = []
  const add = (value: number, length: number) => {
    for (let place = length - 1; place >= 0; place -= 1) bits.push((value >> place) & 1)
  }
  add(0b0100, 4)
  add(bytes.length, version < 10 ? 8 : 16)
  for (const byte of bytes) add(byte, 8)
  add(0, 4)
  const count = dataCount(version)
  const data: number[] = []
  for (let at = 0; at < bits.length; at += 8) {
    data.push(Array.from({ length: 8 }, (_, place) => bits[at + place] ?? 0).reduce((sum, bit) => (sum << 1) | bit, 0))
  }
  data.length = Math.min(data.length, count)
  for (let padding = 0; data.length < count; padding += 1) data.push(padding % 2 === 0 ? 0xec : 0x11)
  return interleaved(data, version)
}

function interleaved(data: number[], version: number): number[] {
  const [, count, correction] = measures[version - 1]!
  // If the data cannot be divided evenly, the last blocks are longer by one.
  const least = Math.floor(data.length / count), longer = data.length % count
  const blocks: number[][] = []
  for (let block = 0, at = 0; block < count; block += 1) {
    const length = least + (block >= count - longer ? 1 : 0)
    blocks.push(data.slice(at, at + length))
    at += length
  }
  const checks = blocks.map((block) => corrections(block, correction))
  const result: number[] = []
  for (let place = 0; place <= least; place += 1) {
    for (const block of blocks) if (place < block.length) result.push(block[place]!)
  }
  for (let place = 0; place < correction; place += 1) for (const check of checks) result.push(check[place]!)
  return result
}

/** Codewords by which a reader corrects others: the remainder of a division of polynomials over GF(256). */
function corrections(data: number[], count: number): number[] {
  let divisor = [...Array<number>(count - 1).fill(0), 1]
  for (let root = 1, step = 0; step < count; step += 1, root = product(root, 2)) {
    divisor = divisor.map((each, place) => product(each, root) ^ (divisor[place + 1] ?? 0))
  }
  const rest = Array<number>(count).fill(0)
  for (const byte of data) {
    const factor = byte ^ rest.shift()!
    rest.push(0)
    for (const [place, each] of divisor.entries()) rest[place]! ^= product(each, factor)
  }
  return rest
}

function product(left: number, right: number): number {
  let result = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    result = (result << 1) ^ ((result >> 7) * 0x11d)
    if ((right >> bit) & 1) result ^= left
  }
  return result
}

/** The patterns that every code has, and what is placed around them. */
class Drawing implements QRCode {
  readonly side: number

  constructor(
    private readonly version: number, private readonly dark: boolean[] = [], private readonly fixed: boolean[] = [],
  ) {
    this.side = 17 + version * 4
    if (dark.length === 0) {
      dark.push(...Array<boolean>(this.side ** 2).fill(false))
      fixed.push(...dark)
      this.drawPatterns()
    }
  }

  isDark(x: number, y: number): boolean {
    return this.dark[y * this.side + x]!
  }

  private fix(x: number, y: number, dark: boolean): void {
    if (x < 0 || y < 0 || x >= this.side || y >= this.side) return
    this.dark[y * this.side + x] = dark
    this.fixed[y * this.side + x] = true
  }

  private drawPatterns(): void {
    const { side, version } = this
    for (let place = 0; place < side; place += 1) {
      this.fix(6, place, place % 2 === 0)
      this.fix(place, 6, place % 2 === 0)
    }
    for (const [x, y] of [[3, 3], [side - 4, 3], [3, side - 4]] as const) {
      this.square(x, y, 4, (far) => far !== 2 && far !== 4)
    }
    const places = version === 1 ? [] : version < 7 ? [6, 10 + version * 4]
      : [6, 6 + (4 + version * 4) / 2, 10 + version * 4]
    const last = places.length - 1
    for (const [row, y] of places.entries()) {
      for (const [column, x] of places.entries()) {
        if ((row === 0 && (column === 0 || column === last)) || (row === last && column === 0)) continue
        this.square(x, y, 2, (far) => far !== 1)
      }
    }
    // Reserves the modules; they are written again when the mask is known.
    this.drawFormat(0)
    if (version >= 7) this.drawVersion()
  }

  private square(x: number, y: number, reach: number, isDark: (far: number) => boolean): void {
    for (let dy = -reach; dy <= reach; dy += 1) {
      for (let dx = -reach; dx <= reach; dx += 1) {
        this.fix(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))))
      }
    }
  }

  /** Level and mask with their own error correction. Level M is 00. */
  private drawFormat(mask: number): void {
    let rest = mask
    for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537)
    const bits = ((mask << 10) | rest) ^ 0x5412
    const bit = (place: number) => ((bits >> place) & 1) === 1
    for (let place = 0; place <= 5; place += 1) this.fix(8, place, bit(place))
    this.fix(8, 7, bit(6))
    this.fix(8, 8, bit(7))
    this.fix(7, 8, bit(8))
    for (let place = 9; place <= 14; place += 1) this.fix(14 - place, 8, bit(place))
    for (let place = 0; place <= 7; place += 1) this.fix(this.side - 1 - place, 8, bit(place))
    for (let place = 8; place <= 14; place += 1) this.fix(8, this.side - 15 + place, bit(place))
    this.fix(8, this.side - 8, true)
  }

  private drawVersion(): void {
    let rest = this.version
    for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25)
    const bits = (this.version << 12) | rest
    for (let place = 0; place < 18; place += 1) {
      const dark = ((bits >> place) & 1) === 1
      const near = this.side - 11 + place % 3, far = Math.floor(place / 3)
      this.fix(near, far, dark)
      this.fix(far, near, dark)
    }
  }

  /** Places codewords in columns of two modules from the right, alternately upwards and downwards. */
  place(words: number[]): void {
    const { side } = this
    let next = 0
    for (let right = side - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5
      for (let step = 0; step < side; step += 1) {
        const y = ((right + 1) & 2) === 0 ? side - 1 - step : step
        for (const x of [right, right - 1]) {
          if (this.fixed[y * side + x] || next >= words.length * 8) continue
          this.dark[y * side + x] = ((words[next >> 3]! >> (7 - next % 8)) & 1) === 1
          next += 1
        }
      }
    }
  }

  masked(mask: number): Drawing {
    const copy = new Drawing(this.version, [...this.dark], this.fixed)
    const { side } = this
    for (let y = 0; y < side; y += 1) {
      for (let x = 0; x < side; x += 1) {
        const at = y * side + x
        if (!this.fixed[at] && isTurned(mask, x, y)) copy.dark[at] = !copy.dark[at]
      }
    }
    copy.drawFormat(mask)
    return copy
  }

  /** What would confuse a reader. */
  get penalty(): number {
    const { side } = this
    const range = Array.from({ length: side }, (_, at) => at)
    let sum = 0
    for (const line of range) {
      sum += penaltyOf(range.map((at) => this.isDark(at, line))) + penaltyOf(range.map((at) => this.isDark(line, at)))
    }
    for (const y of range.slice(1)) {
      for (const x of range.slice(1)) {
        const dark = this.isDark(x, y)
        if (dark === this.isDark(x - 1, y) && dark === this.isDark(x, y - 1) && dark === this.isDark(x - 1,
          y - 1)) sum += 3
      }
    }
    const dark = this.dark.filter(Boolean).length
    return sum + Math.floor(Math.abs(dark * 20 - side * side * 10) / (side * side)) * 10
  }
}

function isTurned(mask: number, x: number, y: number): boolean {
  switch (mask) {
    case 0: return (x + y) % 2 === 0
    case 1: return y % 2 === 0
    case 2: return x % 3 === 0
    case 3: return (x + y) % 3 === 0
    case 4: return (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0
    case 5: return x * y % 2 + x * y % 3 === 0
    case 6: return (x * y % 2 + x * y % 3) % 2 === 0
    default: return ((x + y) % 2 + x * y % 3) % 2 === 0
  }
}

/** The penalty of one row or column, for long runs and for patterns that look like a corner's. */
function penaltyOf(line: boolean[]): number {
  let sum = 0
  for (let start = 0, place = 1; place <= line.length; place += 1) {
    if (place < line.length && line[place] === line[start]) continue
    if (place - start >= 5) sum += place - start - 2
    start = place
  }
  const text = line.map((dark) => dark ? "1" : "0").join("")
  for (let place = text.indexOf("1011101"); place >= 0; place = text.indexOf("1011101", place + 1)) {
    if (!text.slice(Math.max(0, place - 4), place).includes("1")) sum += 40
    if (!text.slice(place + 7, place + 11).includes("1")) sum += 40
  }
  return sum
}
