import type {
  InkCanvas, InkDrawing, InkPen, InkStroke, StrokePiece,
} from "../../clients/typescript/src/contract/signature_v1.js"
import { PadLook } from "./pad-look.js"
import { nib } from "./pen.js"
import type { Span } from "./span.js"

/** A point as the device reported it, in CSS pixels of the canvas. What the device does not know is missing. */
export interface Point {
  x: number
  y: number
  timeMs: number
  pressure?: number | undefined
  /** Degrees above the surface; 90 is upright. */
  altitude?: number | undefined
  /** Degrees. */
  azimuth?: number | undefined
}

/** A line of ink on the canvas. Where the pen left the canvas and came back, a stroke of the person has several. */
export interface Line {
  /** Whether the person put the pen down here, and did not only come back to the canvas. */
  begins: boolean
  pen: InkPen | undefined
  points: Point[]
  look: PadLook
  /** What is drawn and never changes. */
  spans: Span[]
}

/** The server's bounds of a signature (docs/ink.md). */
export const limits = { lines: 200, pointsOfLine: 20_000, points: 100_000 }

/** What a drawing takes in: the new spans, by the lines they belong to. */
export type Growth = { line: Line, spans: Span[] }[]

/**
 * A signature while it is drawn: the points as they were captured, and what they look like.
 *
 * It keeps to the rules of the server's capture (docs/signature.md), so that what is seen is what will be saved: points
 * outside of the canvas are dropped, and the line ends where the pen leaves it.
 */
export class Drawing {
  readonly lines: Line[] = []
  private pen: InkPen | undefined
  private pointCount = 0
  /** Whether the next point begins a line. */
  private isOutside = true
  /** Whether that line is the first since the pen went down. */
  private begins = true

  constructor(readonly canvas: Required<InkCanvas>, readonly penWidth: number) {}

  /** A drawing that was captured before. Nothing of it is dropped. */
  static of(drawing: InkDrawing, penWidth: number): Drawing {
    const { width = 600, height = 200, devicePixelRatio = 1 } = drawing.canvas ?? {}
    const own = new Drawing({ width, height, devicePixelRatio }, penWidth)
    for (const stroke of drawing.strokes ?? []) {
      own.begin(stroke.pen)
      for (const point of points(stroke)) own.add(point)
      own.end()
    }
    return own
  }

  get isEmpty(): boolean {
    return this.lines.length === 0
  }

  /** Whether no other line, or no other point, can be taken. */
  get isFull(): boolean {
    return this.lines.length >= limits.lines || this.pointCount >= limits.points
  }

  /** What is seen of it now: of each line its spans, and the end that an open line would have here. */
  get shown(): { spans: Span[], erases: boolean }[] {
    const open = this.isOutside ? undefined : this.current
    return this.lines.map((line) => ({
      spans: line === open ? [...line.spans, ...line.look.end()] : line.spans, erases: line.pen?.erases ?? false,
    }))
  }

  /** Whether the stroke that began last has a point on the canvas. */
  get isStrokeKept(): boolean {
    return !this.begins
  }

  /** The pen went down, or only came back to the canvas. */
  begin(pen?: InkPen, begins = true): void {
    this.pen = pen
    this.isOutside = true
    this.begins = begins
  }

  /** The pen is here. Returns what can be drawn now. */
  add(raw: Point): Growth {
    const point = snapped(raw)
    if (point.x < 0 || point.y < 0 || point.x > this.canvas.width || point.y > this.canvas.height) {
      return this.end()
    }
    if (this.pointCount >= limits.points) return []
    if (this.isOutside) {
      if (this.lines.length >= limits.lines) return []
      const look = new PadLook(nib(this.pen, this.penWidth), this.pen?.filtered)
      this.lines.push({ begins: this.begins, pen: this.pen, points: [], look, spans: [] })
      this.isOutside = false
      this.begins = false
    }
    const line = this.current
    line.points.push(point)
    this.pointCount += 1
    const span = line.look.add(point)
    if (!span) return []
    line.spans.push(span)
    return [{ line, spans: [span] }]
  }

  /** What the open line would end with if the pen went on to these points; they are not kept. */
  ahead(points: Point[]): Span[] {
    return this.isOutside ? [] : this.current.look.end(points)
  }

  /** The pen went up. Returns what can be drawn now. */
  end(): Growth {
    if (this.isOutside) return []
    this.isOutside = true
    const line = this.current
    const spans = line.look.end()
    line.spans.push(...spans)
    return [{ line, spans }]
  }

  /** Takes back the person's last stroke. */
  undo(): void {
    this.isOutside = true
    for (let line = this.lines.pop(); line; line = this.lines.pop()) {
      this.pointCount -= line.points.length
      if (line.begins) return
    }
  }

  /** The drawing as the contract has it. */
  get ink(): InkDrawing {
    const strokes = this.lines.map(({ points, pen }): InkStroke => ({ ...lists(points), ...(pen && { pen }) }))
    return { strokes, canvas: this.canvas }
  }

  private get current(): Line {
    return this.lines[this.lines.length - 1]!
  }
}

/** Points as a piece of a stroke, for a stream of strokes. */
export function piece(points: Point[], beginsStroke: boolean, pen: InkPen | undefined): StrokePiece {
  return { beginsStroke, ...lists(points.map(snapped)), ...(pen && { pen }) }
}

/** A list for each coordinate, as in messages; those that the device has no values for are missing. */
function lists(points: Point[]) {
  const channel = (name: "pressure" | "altitude" | "azimuth"): number[] | undefined => {
    const values = points.flatMap((point) => point[name] ?? [])
    return values.length === points.length ? values : undefined
  }
  // Pens that cannot tell how they lean report that they stand upright, all the time.
  const leans = points.some(({ altitude }) => altitude !== undefined && altitude < 90)
  const pressure = channel("pressure"), altitude = channel("altitude"), azimuth = channel("azimuth")
  return {
    x: points.map(({ x }) => x), y: points.map(({ y }) => y), timeMs: points.map(({ timeMs }) => timeMs),
    ...(pressure && { pressure }), ...(leans && altitude && azimuth && { altitude, azimuth }),
  }
}

function points(stroke: InkStroke): Point[] {
  const { x = [], y = [], timeMs = [], pressure, altitude, azimuth } = stroke
  return x.map((left, index) => ({
    x: left, y: y[index] ?? 0, timeMs: timeMs[index] ?? index * 10, pressure: pressure?.[index],
    altitude: altitude?.[index], azimuth: azimuth?.[index],
  }))
}

/** The server's grid: 1/1000 pixel, a microsecond, 1/10,000 of full pressure, 1/100 degree. */
function snapped(point: Point): Point {
  const snap = (value: number | undefined, steps: number) =>
    value === undefined ? undefined : Math.round(value * steps) / steps + 0
  return {
    x: snap(point.x, 1000)!, y: snap(point.y, 1000)!, timeMs: snap(point.timeMs, 1000)!,
    pressure: snap(point.pressure, 10_000), altitude: snap(point.altitude, 100), azimuth: snap(point.azimuth, 100),
  }
}
