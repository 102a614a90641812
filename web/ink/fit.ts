/** A rectangle's place in another, in its pixels. */
export interface Fit {
  left: number
  top: number
  scale: number
}

/** Makes a canvas as large as its box lets it, in the middle, with its proportions kept. */
export function fit(canvas: { width: number, height: number }, box: { width: number, height: number }): Fit {
  const scale = Math.min(box.width / canvas.width, box.height / canvas.height)
  return { left: (box.width - canvas.width * scale) / 2, top: (box.height - canvas.height * scale) / 2, scale }
}
