import { set } from "../dom.js"
import type { Layer, Picture, Shape } from "./pictures.js"

function svg(name: string, attributes: Record<string, string> = {}): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name)
  set(element, attributes)
  return element
}

function group(shapes: Shape[] = []): SVGElement {
  const drawn = svg("g")
  drawn.append(...shapes.map(([look, d]) => svg("path", { class: look, d })))
  return drawn
}

type Place = Record<string, string>

function places({ paper, block, sun }: Picture): Record<Layer, Place> {
  const sheet = ([x, y, width, height, rx]: number[]) =>
    ({ x: `${x}px`, y: `${y}px`, width: `${width}px`, height: `${height}px`, rx: `${rx}px` })
  const [cx, cy, r] = sun
  return { paper: sheet(paper), block: sheet(block), sun: { cx: `${cx}px`, cy: `${cy}px`, r: `${r}px` } }
}

/** A picture that can become another one: its sheets and its sun move there, and all else fades in. */
export class Illustration {
  readonly element = svg("svg", { class: "ill", viewBox: "0 0 342 216", part: "picture" })
  private readonly ground = svg("rect", { class: "g", width: "342", height: "216" })
  private readonly layers: Record<Layer, SVGElement> = {
    paper: svg("rect", { class: "p" }), block: svg("rect", { class: "b" }), sun: svg("circle", { class: "s" }),
  }
  private shown: Record<Layer, Place> | undefined

  constructor(public picture: Picture, public alt: string) {
    this.show(picture, alt)
  }

  /** How it moves. Asked for after anything has changed, style would have to be made anew. */
  get pace(): KeyframeAnimationOptions {
    const style = getComputedStyle(this.element)
    return { duration: parseFloat(style.getPropertyValue("--rise")) || 0, easing: style.getPropertyValue("--out") }
  }

  /** @param pace - how it moves there from the picture before */
  show(picture: Picture, alt: string, pace?: KeyframeAnimationOptions): void {
    [this.picture, this.alt] = [picture, alt]
    const before = this.shown, now = places(picture), [below, above] = [group(picture.below), group(picture.above)]
    const order = picture.layers ?? ["paper", "block", "sun"]
    set(this.element, alt ? { role: "img", "aria-label": alt } : { "aria-hidden": "true" })
    this.element.replaceChildren(this.ground, below, ...order.map((layer) => this.layers[layer]), above)
    for (const layer of order) {
      for (const [name, value] of Object.entries(now[layer])) this.layers[layer].style.setProperty(name, value)
    }
    this.shown = now
    if (!before || !pace) return
    for (const layer of order) this.layers[layer].animate([before[layer], now[layer]], pace)
    for (const drawn of [below, above]) drawn.animate({ opacity: [0, 1] }, { ...pace, easing: "ease-in" })
  }
}
