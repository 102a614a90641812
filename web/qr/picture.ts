import type { QRCode } from "./code.js"

/** A code as a picture, with the empty margin that readers need: dark on light in every theme. */
export function picture(code: QRCode, name: string): SVGElement {
  const namespace = "http://www.w3.org/2000/svg"
  const drawing = document.createElementNS(namespace, "svg")
  const modules = document.createElementNS(namespace, "path")
  const size = code.side + 8
  let path = ""
  for (let y = 0; y < code.side; y += 1) {
    for (let x = 0; x < code.side; x += 1) if (code.isDark(x, y)) path += `M${x + 4} ${y + 4}h1v1h-1z`
  }
  const attributes = { viewBox: `0 0 ${size} ${size}`, class: "qr", role: "img", "aria-label": name }
  for (const [key, value] of Object.entries(attributes)) drawing.setAttribute(key, value)
  modules.setAttribute("d", path)
  modules.setAttribute("fill", "#000")
  drawing.append(modules)
  return drawing
}
