import type { InkPen } from "../../clients/typescript/src/contract/signature_v1.js"
import type { Drawing, Point } from "./drawing.js"

/** Draws a drawing on an empty one of another size: moved and scaled as the server does it (docs/signature.md). */
export function resize(drawing: Drawing, to: Drawing): Drawing {
  const all = drawing.lines.flatMap(({ points }) => points), { canvas: old } = drawing, { canvas } = to
  const [left, right] = reach(all, "x"), [top, bottom] = reach(all, "y")
  const scale = Math.min(canvas.width / old.width, canvas.height / (bottom - top))
  const across = mover(scale, left, right, old.width, canvas.width)
  const down = mover(scale, top, bottom, old.height, canvas.height)
  for (const { begins, pen, points } of drawing.lines) {
    to.begin(pen && scaled(pen, scale), begins)
    for (const point of points) to.add({ ...point, x: across(point.x), y: down(point.y) })
    to.end()
  }
  return to
}

/** From where to where points go. */
function reach(points: Point[], side: "x" | "y"): [number, number] {
  return points.reduce<[number, number]>(
    ([least, most], { [side]: value }) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity])
}

/** The middle stays the middle, unless ink would be beside the canvas. */
function mover(scale: number, first: number, last: number, from: number, to: number): (value: number) => number {
  const offset = Math.min(Math.max((to - from * scale) / 2, -first * scale), to - last * scale)
  return (value) => Math.min(Math.max(value * scale + offset, 0), to)
}

function scaled(pen: InkPen, scale: number): InkPen {
  const own = { ...pen }
  for (const radius of ["minimumRadius", "maximumRadius", "dotRadius"] as const) {
    if (pen[radius]) own[radius] = Math.min(pen[radius]! * scale, greatestRadius)
  }
  return own
}

/** The server's bound of a pen. */
const greatestRadius = 100
