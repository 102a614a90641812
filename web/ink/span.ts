/** A place on a line of ink, and the ink's radius there, in CSS pixels of the canvas. */
export interface Node {
  x: number
  y: number
  radius: number
}

/**
 * A piece of a line's centre: a cubic Bézier curve from `from` to `to`. The radius moves from one end's to the other's
 * with t³.
 */
export interface Span {
  from: Node
  control1: { x: number, y: number }
  control2: { x: number, y: number }
  to: Node
}

/** A round dot. */
export function dot(at: Node): Span {
  return { from: at, control1: at, control2: at, to: at }
}

function pointAt(span: Span, t: number): Node {
  const u = 1 - t
  const a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t
  return {
    x: span.from.x * a + span.control1.x * b + span.control2.x * c + span.to.x * d,
    y: span.from.y * a + span.control1.y * b + span.control2.y * c + span.to.y * d,
    radius: span.from.radius + (span.to.radius - span.from.radius) * d,
  }
}

/** The server bounds the pieces of a curve alike. */
const mostPieces = 64

/** Into how many straight pieces the curve is cut so that none is farther than `tolerance` from it. */
function pieces(span: Span, tolerance: number): number {
  const { from, control1, control2, to } = span
  // The radius stays for both controls, so that only the second difference has a part of it.
  const first = Math.hypot(from.x - 2 * control1.x + control2.x, from.y - 2 * control1.y + control2.y)
  const second = Math.hypot(
    control1.x - 2 * control2.x + to.x, control1.y - 2 * control2.y + to.y, to.radius - from.radius)
  const wanted = Math.sqrt(0.75 * Math.max(first, second) / tolerance)
  return Math.max(1, Math.min(mostPieces, Math.ceil(wanted)))
}

/**
 * Adds the outline of a span's ink to a path: a capsule for each straight piece. All wind alike, so that filling the
 * path fills their union.
 */
export function outline(path: CanvasPath, span: Span, tolerance: number): void {
  const count = pieces(span, tolerance)
  let from = span.from
  for (let piece = 1; piece <= count; piece++) {
    const to = piece === count ? span.to : pointAt(span, piece / count)
    const way = Math.atan2(to.y - from.y, to.x - from.x)
    const left = way - Math.PI / 2, right = way + Math.PI / 2
    path.moveTo(from.x + from.radius * Math.cos(right), from.y + from.radius * Math.sin(right))
    path.arc(from.x, from.y, from.radius, right, left + 2 * Math.PI)
    path.arc(to.x, to.y, to.radius, left, right)
    path.closePath()
    from = to
  }
}
