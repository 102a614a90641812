import type { Drawing, Growth } from "./drawing.js"
import { outline, type Span } from "./span.js"

/** In device pixels: how far a straight piece may be from its curve, as in the server's pictures. */
const tolerance = 0.1
/** Few enough that a path has little area to look at. */
const spansPerFill = 48

/**
 * Paints a drawing on two canvases that lie over each other: one with ink that never changes, one with the newest piece
 * of a line, which does. Each is as large as its box on the screen, in device pixels.
 */
export class Painter {
  private readonly dry: CanvasRenderingContext2D
  private readonly wet: CanvasRenderingContext2D
  private scale = 1

  /** Returns undefined where the browser does not let pages draw. */
  static on(dry: HTMLCanvasElement, wet: HTMLCanvasElement): Painter | undefined {
    const [one, other] = [dry.getContext("2d"), wet.getContext("2d")]
    return one && other ? new Painter(one, other) : undefined
  }

  private constructor(dry: CanvasRenderingContext2D, wet: CanvasRenderingContext2D) {
    this.dry = dry
    this.wet = wet
  }

  /** Changes the size, in device pixels, which clears both canvases. */
  resize(width: number, height: number, scale: number): void {
    this.scale = scale
    for (const { canvas } of [this.dry, this.wet]) {
      canvas.width = width
      canvas.height = height
    }
  }

  paint(drawing: Drawing | undefined): void {
    this.clear(this.dry)
    this.clear(this.wet)
    for (const line of drawing?.lines ?? []) this.fill(this.dry, line.spans, line.pen?.erases)
  }

  add(growth: Growth): void {
    for (const { line, spans } of growth) this.fill(this.dry, spans, line.pen?.erases)
  }

  /** Shows what comes next, in place of what was shown so before. */
  foresee(spans: Span[]): void {
    this.clear(this.wet)
    this.fill(this.wet, spans, false)
  }

  private clear(context: CanvasRenderingContext2D): void {
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.clearRect(0, 0, context.canvas.width, context.canvas.height)
  }

  private fill(context: CanvasRenderingContext2D, spans: Span[], erases = false): void {
    if (spans.length === 0) return
    context.setTransform(this.scale, 0, 0, this.scale, 0, 0)
    context.fillStyle = getComputedStyle(context.canvas).color
    context.globalCompositeOperation = erases ? "destination-out" : "source-over"
    for (let start = 0; start < spans.length; start += spansPerFill) {
      context.beginPath()
      for (const span of spans.slice(start, start + spansPerFill)) outline(context, span, tolerance / this.scale)
      context.fill()
    }
  }
}
