import type { InkPen } from "../../clients/typescript/src/contract/signature_v1.js"
import type { Nib } from "./pad-look.js"

/** The pen's end that erases: a round patch, whatever the speed. */
export const eraser: InkPen = { minimumRadius: 8, maximumRadius: 8, dotRadius: 8, erases: true }

/** The width that the server draws with unless a field states another. */
export const usualPenWidth = 3

/**
 * The radii for a stroke.
 *
 * @param width - The field's pen. It applies to ink only: what was erased is not up to it.
 */
export function nib(pen: InkPen | undefined, width: number): Nib {
  const velocityFilterWeight = pen?.velocityFilterWeight || 0.7
  if (!pen?.erases) {
    const [minimumRadius, maximumRadius] = [width / 6, width * 5 / 6]
    return { minimumRadius, maximumRadius, dotRadius: width / 2, velocityFilterWeight }
  }
  const radii = [pen.minimumRadius || 0.5, pen.maximumRadius || 2.5]
  const [minimumRadius, maximumRadius] = [Math.min(...radii), Math.max(...radii)]
  return {
    minimumRadius, maximumRadius, dotRadius: pen.dotRadius || (minimumRadius + maximumRadius) / 2, velocityFilterWeight,
  }
}
