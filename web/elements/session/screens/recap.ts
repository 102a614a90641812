import { make } from "../../dom.js"
import type { ShowBody } from "../host.js"
import { heading, learnMore, markup, paragraphs } from "../texts.js"

/** Everything that was entered, to be certified, and the document once more. */
export const showRecap: ShowBody = (screen, host) => {
  const lines = (screen.entries?.recap ?? []).map(({ label, value }) =>
    make("div", {}, make("dt", {}, label ?? ""), make("dd", { dir: "auto" }, value ?? "")))
  const whole = screen.html
    ? [make("details", {}, make("summary", {}, host.words.fullText), markup(screen, screen.html, host))] : []
  return {
    content: [heading(screen), ...paragraphs(screen), make("dl", { class: "recap", part: "recap" }, ...lines), ...whole,
      ...learnMore(screen, host)],
  }
}
