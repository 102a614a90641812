import { make } from "../../dom.js"
import type { ShowBody } from "../host.js"
import { heading, learnMore, lines, picture, tongue } from "../texts.js"

/** A page of a file: its image, and its words for those who cannot see it or want them larger. */
export const showPage: ShowBody = (screen, host) => ({
  content: [
    heading(screen), ...picture(screen, host).content,
    make("details", { part: "page-text" }, make("summary", {}, host.words.pageText),
      make("div", { class: "read", ...tongue(screen, "text") }, ...lines(screen.text ?? ""))),
    ...learnMore(screen, host),
  ],
})
