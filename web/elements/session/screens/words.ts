import type { ShowBody } from "../host.js"
import { heading, learnMore, paragraphs, picture } from "../texts.js"
import { remark } from "./remark.js"

/** A page of a form, an instruction, a section: a picture, a title, a text, and more for those who want more. */
export const showWords: ShowBody = (screen, host) => {
  const { content, illustration } = picture(screen, host)
  return {
    content: [
      ...content, heading(screen), ...remark(screen.entries?.notice), ...paragraphs(screen), ...learnMore(screen, host),
    ],
    illustration,
  }
}
