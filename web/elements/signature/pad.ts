import type {
  InkCanvas, InkDrawing, InkPen, StrokePiece,
} from "../../../clients/typescript/src/contract/signature_v1.js"
import { Drawing, limits, piece, type Growth, type Point } from "../../ink/drawing.js"
import { fit } from "../../ink/fit.js"
import { Painter } from "../../ink/painter.js"
import { eraser, usualPenWidth } from "../../ink/pen.js"
import { PenInput, type PenUser } from "../../ink/pen-input.js"
import { isSeen } from "../../ink/sight.js"
import { make } from "../dom.js"

/** Who wants to know what happens on the pad. */
export interface PadUser {
  drawn(piece: StrokePiece): void
  /** The last stroke was taken back: it was none. */
  dropped(): void
  /** There is no room for more. */
  full(): void
  /** The drawing has got another canvas. */
  resized(canvas: InkCanvas): void
  /** The box may have another size. */
  laidOut(): void
}

/** The least and greatest side of a field's canvas, as the server has them. */
const leastSide = 16, greatestSide = 4096
/** How much wider or higher the box becomes, beside the canvas, before the drawing gets another one. */
const turned = 1.5

/**
 * The surface that is drawn on: ink as vectors in CSS pixels of a canvas, shown as large as the box lets it. While
 * there is ink, the canvas stays the same unless the device is turned.
 */
export class Pad implements PenUser {
  takesInk = false
  penWidth = usualPenWidth
  /** Proportions that were asked for; undefined: those of the box when drawing begins. */
  wanted: { width: number, height: number } | undefined

  /** Draws a drawing on one with another canvas. It comes when the cell is opened; until then ink stays as it is. */
  resize: ((drawing: Drawing, to: Drawing) => Drawing) | undefined

  /** What pen and keyboard act on. */
  readonly area: HTMLElement
  readonly isBlocked: boolean

  private drawing: Drawing | undefined
  private pen: InkPen | undefined
  /** Whether ink can be seen; undefined: it has to be looked at anew. */
  private isSeen: boolean | undefined
  /** Whether what the pen does now is not for the drawing. */
  private isIgnored = false
  /** How many points the stroke has that is being drawn. */
  private strokePoints = 0
  private readonly painter: Painter | undefined
  private readonly input: PenInput
  private readonly observer: ResizeObserver

  constructor(private readonly user: PadUser) {
    const dry = make("canvas", { class: "ink" }), wet = make("canvas", { class: "ink" })
    this.area = make("div", { class: "area", part: "area", role: "img" }, dry, wet)
    this.painter = Painter.on(dry, wet)
    this.isBlocked = !this.painter
    this.input = new PenInput(this.area, this)
    this.observer = new ResizeObserver(() => {
      this.turn()
      this.layOut()
    })
    // The colour's own transition tells when the theme has changed it.
    dry.addEventListener("transitionend", () => this.painter?.paint(this.drawing))
  }

  /** The element around the area, which has the size. */
  private get box(): HTMLElement {
    return this.area.parentElement!
  }

  connect(): void {
    this.observer.observe(this.box)
  }

  disconnect(): void {
    this.observer.disconnect()
    this.input.release()
  }

  /** Whether anything is drawn, seen or not. */
  get hasStrokes(): boolean {
    return this.drawing !== undefined && !this.drawing.isEmpty
  }

  /** Whether there is ink that can be seen. */
  get hasInk(): boolean {
    if (!this.drawing || this.drawing.isEmpty) return false
    return this.isSeen ??= isSeen(this.drawing)
  }

  get ink(): InkDrawing | undefined {
    return this.hasStrokes ? this.drawing?.ink : undefined
  }

  show(ink: InkDrawing | undefined): void {
    this.input.release()
    this.drawing = ink && Drawing.of(ink, this.penWidth)
    this.isSeen = undefined
    this.layOut()
  }

  /** Ends a stroke that is still drawn. */
  finish(): void {
    this.input.release()
  }

  undo(): void {
    this.input.release()
    this.drawing?.undo()
    this.isSeen = undefined
    if (!this.hasStrokes) this.drawing = undefined
    this.layOut()
  }

  /** Where the box has another shape than the canvas, as when a device was turned, the drawing gets another canvas. */
  private turn(): void {
    const { drawing, canvas, resize, box } = this
    if (!resize || !this.takesInk || this.wanted || !drawing?.lines.length || !box.clientWidth) return
    const change = canvas.width * drawing.canvas.height / (canvas.height * drawing.canvas.width)
    if (change < turned && change * turned > 1) return
    this.input.release()
    this.drawing = resize(drawing, new Drawing(canvas, this.penWidth))
    this.isSeen = undefined
    this.user.resized(canvas)
  }

  /** Places the canvas in its box, and paints it anew. */
  layOut(): void {
    const box = { width: this.box.clientWidth, height: this.box.clientHeight }
    this.user.laidOut()
    if (box.width === 0 || box.height === 0) return
    const canvas = this.drawing?.canvas ?? this.wanted ?? box
    const { left, top, scale } = fit(canvas, box)
    const [width, height] = [canvas.width * scale, canvas.height * scale]
    Object.assign(this.area.style, {
      left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px`,
    })
    const dots = window.devicePixelRatio
    this.painter?.resize(Math.round(width * dots), Math.round(height * dots), scale * dots)
    this.painter?.paint(this.drawing)
  }

  // MARK: PenUser

  down(point: Point, isEraser: boolean): void {
    // There is nothing to take away yet.
    this.isIgnored = isEraser && !this.hasStrokes
    if (this.isIgnored) return
    if (this.drawing?.isFull) {
      this.isIgnored = true
      return this.user.full()
    }
    this.drawing ??= new Drawing(this.canvas, this.penWidth)
    this.pen = isEraser ? eraser : undefined
    this.drawing.begin(this.pen)
    this.take([point], true)
  }

  move(points: Point[], foreseen: Point[]): void {
    if (this.isIgnored) return
    // As if the pen was lifted for a moment: a stroke has a bound.
    if (this.drawing && this.strokePoints + points.length > limits.pointsOfLine) {
      this.up()
      this.drawing.begin(this.pen)
      this.take(points, true)
    } else {
      this.take(points, false)
    }
    if (this.pen?.erases) return
    this.painter?.foresee(this.drawing?.ahead(foreseen.map((point) => this.onCanvas(point))) ?? [])
  }

  up(): void {
    if (this.isIgnored || !this.drawing) return
    this.painter?.add(this.drawing.end())
    this.painter?.foresee([])
    if (!this.hasStrokes) this.drawing = undefined
  }

  drop(): void {
    if (this.isIgnored || !this.drawing) return
    const leftInk = this.drawing.isStrokeKept
    this.up()
    if (!leftInk) return
    this.drawing.undo()
    this.isSeen = undefined
    if (!this.hasStrokes) this.drawing = undefined
    this.painter?.paint(this.drawing)
    this.user.dropped()
  }

  private take(points: Point[], begins: boolean): void {
    const { drawing } = this
    if (!drawing) return
    this.strokePoints = begins ? points.length : this.strokePoints + points.length
    const placed = points.map((point) => this.onCanvas(point))
    this.painter?.add(placed.reduce((growth: Growth, point) => growth.concat(drawing.add(point)), []))
    // Ink that is seen stays so unless something erases.
    if (!this.isSeen || this.pen?.erases) this.isSeen = undefined
    this.user.drawn(piece(placed, begins, this.pen))
    if (!drawing.isFull) return
    this.up()
    this.isIgnored = true
    this.user.full()
  }

  /** The area may be scaled, by its box or by the page. */
  private onCanvas(point: Point): Point {
    const scale = (this.drawing?.canvas.width ?? 1) / this.area.getBoundingClientRect().width
    return { ...point, x: point.x * scale, y: point.y * scale }
  }

  /** What would be drawn on now. */
  get canvas() {
    const { width, height } = this.wanted ?? { width: this.box.clientWidth, height: this.box.clientHeight }
    const side = (length: number) => Math.min(greatestSide, Math.max(leastSide, Math.round(length * 1000) / 1000))
    return { width: side(width), height: side(height), devicePixelRatio: window.devicePixelRatio }
  }
}
