import { fromBase64 } from "../bytes.js"
import { Painter } from "../ink/painter.js"
import { drawingOf, type KeptField } from "./field.js"

/** Device pixels for each pixel of the canvas. */
const scale = 2

/** The picture of a saved field: drawn here as the server draws it, or the photo. */
export function pictureOf(field: KeptField): { image: string, mediaType: string } {
  if (field.photo !== undefined) {
    return { image: field.photo, mediaType: fromBase64(field.photo)[0] === 0x89 ? "image/png" : "image/jpeg" }
  }
  const drawing = drawingOf(field), { width, height } = drawing.canvas
  const [dry, wet] = [document.createElement("canvas"), document.createElement("canvas")]
  const painter = Painter.on(dry, wet)
  painter?.resize(width * scale, height * scale, scale)
  painter?.paint(drawing)
  return { image: dry.toDataURL("image/png").split(",")[1] ?? "", mediaType: "image/png" }
}
