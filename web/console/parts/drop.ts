import { make } from "../../elements/dom.js"

/** A button that opens further ones below it. Escape, and whatever happens beside it, closes it. */
export function drop(label: readonly (Node | string)[], ...ways: readonly Node[]): HTMLElement {
  const summary = make("summary", { class: "btn s" }, ...label)
  const element = make("details", { class: "drop" }, summary, make("div", { class: "menu" }, ...ways))
  element.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !element.open) return
    element.open = false
    summary.focus()
  })
  element.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !element.contains(relatedTarget)) element.open = false
  })
  const beside = ({ target }: Event) => {
    if (target instanceof Node && !element.contains(target)) element.open = false
  }
  element.addEventListener("toggle", () => {
    if (element.open) addEventListener("pointerdown", beside)
    else removeEventListener("pointerdown", beside)
  })
  return element
}
