import type { InkDrawing } from "../../../clients/typescript/src/contract/signature_v1.js"

/** A signature for the pictures: waves with a loop and a dash, as a pen at 120 Hz would report them. */
export function sample(width: number, height: number): InkDrawing {
  const x: number[] = [], y: number[] = [], timeMs: number[] = [], pressure: number[] = []
  const steps = 220
  for (let step = 0; step <= steps; step++) {
    const share = step / steps, turn = share * 11 * Math.PI
    const tall = step < 40 ? 1.9 : 1 - share * 0.45
    x.push(width * (0.14 + 0.62 * share) + width * 0.028 * Math.cos(turn))
    y.push(height * 0.55 - height * 0.17 * tall * Math.sin(turn))
    timeMs.push(step * 8)
    pressure.push(0.45 + 0.2 * Math.sin(turn))
  }
  const dash = { x: [] as number[], y: [] as number[], timeMs: [] as number[], pressure: [] as number[] }
  for (let step = 0; step <= 30; step++) {
    const share = step / 30
    dash.x.push(width * (0.2 + 0.68 * share))
    dash.y.push(height * (0.76 - 0.05 * Math.sin(share * Math.PI)))
    dash.timeMs.push(2400 + step * 8)
    dash.pressure.push(0.4)
  }
  return { strokes: [{ x, y, timeMs, pressure }, dash], canvas: { width, height, devicePixelRatio: 1 } }
}
