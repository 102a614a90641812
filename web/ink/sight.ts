import type { Drawing } from "./drawing.js"
import { outline } from "./span.js"

/** What the server takes for ink that is seen (docs/signature.md): square pixels of the canvas, half inked or more. */
const leastArea = 1.5, leastCoverage = 128

/**
 * Whether ink can be seen of a drawing, measured as the server does: an eraser may have left nothing of it. Where a
 * browser does not let pages read what they have drawn, any drawing will do, and the server tells.
 */
export function isSeen(drawing: Drawing): boolean {
  const canvas = document.createElement("canvas")
  canvas.width = Math.ceil(drawing.canvas.width)
  canvas.height = Math.ceil(drawing.canvas.height)
  const context = canvas.getContext("2d", { willReadFrequently: true })
  if (!context || !isReadable(context)) return !drawing.isEmpty
  for (const { spans, erases } of drawing.shown) {
    context.globalCompositeOperation = erases ? "destination-out" : "source-over"
    context.beginPath()
    for (const span of spans) outline(context, span, 0.1)
    context.fill()
  }
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
  let area = 0
  for (let place = 3; place < data.length; place += 4) if (data[place]! >= leastCoverage) area += data[place]! / 255
  return area >= leastArea
}

/** Whether what is read is what was drawn: some browsers answer with blanks or with noise. */
function isReadable(context: CanvasRenderingContext2D): boolean {
  context.fillRect(0, 0, 1, 1)
  const { data } = context.getImageData(0, 0, 2, 1)
  context.clearRect(0, 0, 1, 1)
  return data[3]! >= leastCoverage && data[7]! < leastCoverage
}
