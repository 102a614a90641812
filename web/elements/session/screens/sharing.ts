import type { SharingChoice } from "../../../../clients/typescript/src/contract/consent_v1.js"
import { make } from "../../dom.js"
import type { ShowBody } from "../host.js"
import { heading, learnMore, paragraphs, tongue } from "../texts.js"
import { chosen, labels, picks } from "./answers.js"
import { Fault } from "./fault.js"

/** With whom data are shared: one of the options, none of which is chosen beforehand. */
export const showSharing: ShowBody = (screen, host) => {
  const options = (screen.sharingOptions ?? []).map(({ choice, text }) => ({
    value: choice ?? "", title: text ?? "",
    tongue: tongue(screen, `sharing_options[${(choice ?? "").slice("SHARING_CHOICE_".length).toLowerCase()}]`),
  }))
  const inputs = picks("radio", "sharing", options, screen.entries?.sharing ? [screen.entries.sharing] : [])
  const fault = new Fault(() => inputs)
  const box = make("fieldset", { part: "question" }, make("legend", { class: "sr" }, screen.title ?? ""),
    make("div", { class: "stack" }, ...labels(inputs)), fault.element)
  box.addEventListener("input", () => {
    fault.say(undefined)
    host.changed()
  })
  return {
    content: [heading(screen), ...paragraphs(screen), box, ...learnMore(screen, host)],
    waits: () => chosen(inputs).length ? undefined : host.words.choose,
    point: () => {
      fault.say(host.words.choose)
      inputs[0]?.focus()
    },
    given: () => ({ sharing: chosen(inputs)[0] as SharingChoice }),
  }
}
