import { button, make } from "../../elements/dom.js"
import { refusalOf, type Refusal } from "../access/refusal.js"
import type { Words } from "../../words/console/words.js"
import { note } from "./marks.js"

/** A refusal in words, with the rule by its name: it is what the reference and a support request speak of. */
export function explained({ rule, message, isAway }: Refusal, words: Words): Node[] {
  if (isAway) return [make("p", {}, words.failed.away)]
  return [make("p", {}, sentence(message)), make("p", { class: "tiny dim" }, words.failed.rule, " ",
    make("code", { dir: "ltr" }, rule))]
}

/** A refusal in one sentence, where there is no room for more. */
export function said(problem: unknown, words: Words): string {
  const { message, isAway } = refusalOf(problem)
  return isAway ? words.failed.away : sentence(message)
}

/** Without the code and the rule that every message begins with. */
function sentence(message: string): string {
  return message.replace(/^[a-z_]+: (?:[a-z][a-z0-9_]*: )?/, "")
}

/** In place of what could not be shown. */
export function refused(problem: unknown, words: Words, again: () => void): HTMLElement {
  return note("bad", ...explained(refusalOf(problem), words), button({ class: "btn s" }, again, words.failed.again))
}
