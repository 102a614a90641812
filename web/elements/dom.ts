import { flipped, icons, type IconName } from "./look/icons.js"

type Attributes = Record<string, string | boolean | undefined>

/** An element with attributes and children. Nothing is parsed from text, so no text becomes markup. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name, attributes: Attributes = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  set(element, attributes)
  element.append(...children)
  return element
}

/** Sets attributes: true is an empty one, false and undefined none. */
export function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    const text = value === true ? "" : value
    if (text === undefined || text === false) element.removeAttribute(name)
    // The same once more would be a change to a browser, and to whatever watches.
    else if (element.getAttribute(name) !== text) element.setAttribute(name, text)
  }
}

/** An icon; decoration, since it stands beside a word. */
export function icon(name: IconName): SVGElement {
  return glyph(icons[name], flipped.includes(name))
}

/** An icon by its path; flips: it points along the line of reading. */
export function glyph(path: string, flips: boolean): SVGElement {
  const namespace = "http://www.w3.org/2000/svg"
  const drawing = document.createElementNS(namespace, "svg")
  const line = document.createElementNS(namespace, "path")
  set(drawing, { viewBox: "0 0 24 24", class: flips ? "i flip" : "i", "aria-hidden": "true" })
  set(line, { d: path })
  drawing.append(line)
  return drawing
}

/** A button whose words are set later. */
export function button(attributes: Attributes, act: () => void, ...children: (Node | string)[]): HTMLButtonElement {
  const element = make("button", { type: "button", ...attributes }, ...children)
  element.addEventListener("click", act)
  return element
}

/** A style sheet that all elements of a kind share. */
export function styled(...texts: string[]): CSSStyleSheet {
  const style = new CSSStyleSheet()
  style.replaceSync(texts.join("\n"))
  return style
}
