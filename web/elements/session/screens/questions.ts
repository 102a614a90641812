import { make } from "../../dom.js"
import type { ShowBody } from "../host.js"
import { heading, learnMore, paragraphs } from "../texts.js"
import { Asked } from "./asked.js"
import { remark } from "./remark.js"

/** Questions of all kinds. A wrong answer to one is for the explanation to do better: its notice says so. */
export const showQuestions: ShowBody = (screen, host) => {
  const { words } = host
  const notices = make("div", {}, ...remark(screen.entries?.notice))
  const asked = new Asked(screen, host)
  return {
    content: [heading(screen), notices, ...paragraphs(screen), ...asked.elements, ...learnMore(screen, host)],
    waits: () => asked.waits(),
    point: () => asked.point(),
    given: () => {
      const answers = asked.answers()
      return answers && { answers }
    },
    update: ({ entries }) => {
      notices.replaceChildren(...remark(entries?.notice))
      if (entries?.notice) host.say(entries.notice)
    },
    refused: (rule) => asked.refused(
      rule.startsWith("birth_date_") && rule !== "birth_date_out_of_bounds" ? words.birthDateOther : words.notTaken),
  }
}
