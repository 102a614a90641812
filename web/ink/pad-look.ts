import { dot, type Node, type Span } from "./span.js"

/** The radii that a stroke is drawn with, in CSS pixels. */
export interface Nib {
  minimumRadius: number
  maximumRadius: number
  dotRadius: number
  velocityFilterWeight: number
}

/** What a look needs to know of a point. */
export interface Sample {
  x: number
  y: number
  timeMs: number
}

/** Points nearer than this to the last one that was kept are not drawn through. */
const leastDistance = 5

/**
 * The look `pad-1`, as the server draws it (docs/ink.md), while points arrive: a span that was given out never changes.
 * The controls of a curve depend on the point after it, so that the newest curve has to wait for one.
 */
export class PadLook {
  private before: Sample | undefined
  private from: Sample | undefined
  private to: Sample | undefined
  private velocity = 0
  private radius: number

  /** @param isFiltered - whether a pad has chosen the points, so that all are drawn through */
  constructor(private readonly nib: Nib, private readonly isFiltered = false) {
    this.radius = (nib.minimumRadius + nib.maximumRadius) / 2
  }

  /** The span that this point completes, if it does. */
  add(sample: Sample): Span | undefined {
    if (!this.isFiltered && this.to && distance(this.to, sample) <= leastDistance) return undefined
    const span = this.span(sample)
    this.before = this.from
    this.from = this.to
    this.to = sample
    return span
  }

  /** What the stroke ends with if no other point comes than these. Changes nothing. */
  end(coming: Sample[] = []): Span[] {
    const look = new PadLook(this.nib, this.isFiltered)
    Object.assign(look, this)
    const spans = coming.flatMap((sample) => look.add(sample) ?? [])
    const { from, to } = look
    if (!to) return spans
    const last = from ? look.span(to) : dot({ x: to.x, y: to.y, radius: this.nib.dotRadius })
    return last ? [...spans, last] : spans
  }

  /** The curve between the newest two points, with the point that follows them. */
  private span(after: Sample): Span | undefined {
    const { from, to } = this
    if (!from || !to) return undefined
    const elapsed = to.timeMs - from.timeMs
    const speed = elapsed > 0 ? distance(from, to) / elapsed : 0
    const weight = this.nib.velocityFilterWeight
    this.velocity = weight * speed + (1 - weight) * this.velocity
    const start: Node = { x: from.x, y: from.y, radius: this.radius }
    this.radius = Math.max(this.nib.maximumRadius / (this.velocity + 1), this.nib.minimumRadius)
    return {
      from: start,
      // The pad passes its controls in the wrong order, and signers saw it so.
      control1: controls(from, to, after).before,
      control2: controls(this.before ?? from, from, to).after,
      to: { x: to.x, y: to.y, radius: this.radius },
    }
  }
}

function distance(one: Sample, other: Sample): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

/**
 * The two controls around `middle`: the midpoints of its neighbouring segments, moved so that the line between them
 * passes through it, dividing it as the segments' lengths do.
 */
function controls(first: Sample, middle: Sample, last: Sample) {
  const before = { x: (first.x + middle.x) / 2, y: (first.y + middle.y) / 2 }
  const after = { x: (middle.x + last.x) / 2, y: (middle.y + last.y) / 2 }
  const lengthAfter = distance(middle, last)
  const whole = distance(first, middle) + lengthAfter
  const share = whole > 0 ? lengthAfter / whole : 0
  const x = middle.x - (after.x + (before.x - after.x) * share)
  const y = middle.y - (after.y + (before.y - after.y) * share)
  return { before: { x: before.x + x, y: before.y + y }, after: { x: after.x + x, y: after.y + y } }
}
