import { fromBase64 } from "../bytes.js"
import { Drawing } from "../ink/drawing.js"
import { Painter } from "../ink/painter.js"
import { usualPenWidth } from "../ink/pen.js"
import { strokes } from "../session/field.js"
import { type KeptField, viewOf } from "./field.js"

/** Device pixels for each pixel of the canvas. */
const scale = 2

/** The picture of a saved field: drawn here as the server draws it, or the photo. */
export function pictureOf(field: KeptField): { image: string, mediaType: string } {
  if (field.photo !== undefined) {
    return { image: field.photo, mediaType: fromBase64(field.photo)[0] === 0x89 ? "image/png" : "image/jpeg" }
  }
  const canvas = viewOf(field).canvas!
  const [dry, wet] = [document.createElement("canvas"), document.createElement("canvas")]
  const painter = Painter.on(dry, wet)
  painter?.resize((canvas.width ?? 0) * scale, (canvas.height ?? 0) * scale, scale)
  const drawing = { canvas, strokes: strokes(field.pieces) }
  painter?.paint(Drawing.of(drawing, field.settings.penWidth || usualPenWidth))
  return { image: dry.toDataURL("image/png").split(",")[1] ?? "", mediaType: "image/png" }
}
