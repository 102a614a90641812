import { make } from "../../dom.js"
import { icon } from "../icons.js"

/** What there is to say about something that the person did; nothing where that is empty. */
export function remark(text: string | undefined): HTMLElement[] {
  return text ? [make("div", { class: "note warn", part: "notice" }, icon("info"), make("span", {}, text))] : []
}
