import type { Point } from "./drawing.js"

/** Who draws by a pointer. Points are in CSS pixels of the target's box. */
export interface PenUser {
  /** Whether there is anything to draw on now. */
  readonly takesInk: boolean
  down(point: Point, isEraser: boolean): void
  /** @param foreseen - where the browser expects the pen next: to be shown, never kept */
  move(points: Point[], foreseen: Point[]): void
  up(): void
  /** What was drawn since the pen went down was a hand that lay down to write. */
  drop(): void
}

/** So long after a pen was seen, a touch is the hand that holds it. */
const penIsNearMs = 700
const eraserButton = 5, eraserButtons = 32

/**
 * Reads pen, finger and mouse: every point that the device reported, also those that the browser gathered into one
 * event; one pointer at a time; no palm beside a pen.
 */
export class PenInput {
  private pointer: PointerEvent | undefined
  private lastPenMs = -Infinity

  constructor(private readonly target: HTMLElement, private readonly user: PenUser) {
    target.addEventListener("pointerdown", (event) => this.down(event))
    target.addEventListener("pointermove", (event) => this.move(event))
    for (const name of ["pointerup", "pointercancel"] as const) {
      target.addEventListener(name, (event) => this.up(event))
    }
    // Dragging over the canvas selects no text and opens no menu.
    target.addEventListener("contextmenu", (event) => this.user.takesInk && event.preventDefault())
  }

  /** Ends what is being drawn, where it is. */
  release(): void {
    if (!this.pointer) return
    this.pointer = undefined
    this.user.up()
  }

  private down(event: PointerEvent): void {
    const isEraser = event.button === eraserButton || (event.buttons & eraserButtons) !== 0
    if (!this.user.takesInk || (event.button !== 0 && !isEraser)) return
    if (event.pointerType === "touch" && event.timeStamp - this.lastPenMs < penIsNearMs) return
    if (this.pointer) {
      const isPalm = this.pointer.pointerType === "touch" && event.pointerType === "pen"
      if (!isPalm) return
      this.user.drop()
    }
    event.preventDefault()
    this.noticePen(event)
    this.pointer = event
    // A pointer that has ended already cannot be captured; its end follows.
    if (event.isTrusted) this.target.setPointerCapture(event.pointerId)
    this.target.focus({ preventScroll: true })
    this.user.down(this.point(event), isEraser)
  }

  private move(event: PointerEvent): void {
    this.noticePen(event)
    if (event.pointerId !== this.pointer?.pointerId) return
    const reported = event.getCoalescedEvents?.() ?? []
    const points = (reported.length > 0 ? reported : [event]).map((one) => this.point(one))
    this.user.move(points, (event.getPredictedEvents?.() ?? []).map((one) => this.point(one)))
  }

  private up(event: PointerEvent): void {
    this.noticePen(event)
    if (event.pointerId === this.pointer?.pointerId) this.release()
  }

  private noticePen(event: PointerEvent): void {
    if (event.pointerType === "pen") this.lastPenMs = event.timeStamp
  }

  private point(event: PointerEvent): Point {
    const box = this.target.getBoundingClientRect()
    const point = { x: event.clientX - box.left, y: event.clientY - box.top, timeMs: event.timeStamp }
    // A mouse always reports 0.5.
    if (event.pointerType === "mouse") return point
    const { pressure } = event
    return event.pointerType === "pen" ? { ...point, pressure, ...lean(event) } : { ...point, pressure }
  }
}

/** How a pen leans, in degrees. Older browsers know only its two tilts. */
function lean(event: PointerEvent & { altitudeAngle?: number, azimuthAngle?: number }) {
  const degrees = 180 / Math.PI
  if (event.altitudeAngle !== undefined && event.azimuthAngle !== undefined) {
    return { altitude: event.altitudeAngle * degrees, azimuth: event.azimuthAngle * degrees }
  }
  const x = Math.tan(event.tiltX / degrees), y = Math.tan(event.tiltY / degrees)
  const azimuth = Math.atan2(y, x) * degrees
  return { altitude: Math.atan2(1, Math.hypot(x, y)) * degrees, azimuth: azimuth < 0 ? azimuth + 360 : azimuth }
}
