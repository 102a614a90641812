import { make, set } from "../../dom.js"
import { icon } from "../icons.js"

let count = 0

/** The sentence below a control that says what is wrong with it. */
export class Fault {
  readonly element = make("p", { class: "err", id: `fault-${count += 1}`, part: "error", hidden: true },
    icon("stop"), make("span"))

  constructor(private readonly controls: () => Element[]) {}

  /** Says it, or nothing; the controls are described by it. */
  say(text: string | undefined): void {
    this.element.hidden = !text
    this.element.lastElementChild!.textContent = text ?? ""
    for (const control of this.controls()) {
      const describedBy = text ? this.element.id : undefined
      set(control, { "aria-invalid": text ? "true" : undefined, "aria-describedby": describedBy })
    }
  }
}
