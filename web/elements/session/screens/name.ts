import { button, make, set } from "../../dom.js"
import type { ShowBody } from "../host.js"
import { heading, paragraphs, tongue } from "../texts.js"
import { Fault } from "./fault.js"

/** The signer's name, in the order of the language; or the only name of somebody who has but one. */
export const showName: ShowBody = (screen, host) => {
  const form = screen.nameForm ?? {}, before = screen.entries?.name
  const made = (label: string, part: string, autocomplete: string, value: string) => {
    const input = make("input", { class: "in", part: "field", autocomplete, maxlength: "200", dir: "auto" })
    input.value = value
    const fault = new Fault(() => [input])
    input.addEventListener("input", () => fault.say(undefined))
    const box = make("div", { class: "name-field" },
      make("label", { class: "field" }, make("span", tongue(screen, `name_form.${part}`), label), input), fault.element)
    return { input, fault, box }
  }
  const given = made(form.givenLabel ?? "", "given_label", "given-name", before?.given ?? "")
  const family = made(form.familyLabel ?? "", "family_label", "family-name", before?.family ?? "")
  const only = made(form.mononymLabel ?? "", "mononym_label", "name", before?.mononym ?? "")
  const both = form.familyFirst ? [family, given] : [given, family]
  let hasOne = !!before?.mononym
  const fields = make("div", { class: "fields" })
  const other = button({ class: "link", part: "other-name" }, () => {
    hasOne = !hasOne
    arrange()
    asked()[0]!.input.focus()
  })
  const asked = () => hasOne ? [only] : both
  const arrange = () => {
    fields.replaceChildren(...asked().map(({ box }) => box))
    const isShort = hasOne
    other.textContent = isShort ? both.map(({ box }) => box.querySelector("span")?.textContent).join(", ")
      : form.mononymLabel ?? ""
    set(other, isShort ? { lang: undefined, dir: undefined } : tongue(screen, "name_form.mononym_label"))
    other.hidden = !form.mononymLabel
  }
  arrange()
  const authority = form.authority
    ? [make("p", { class: "read", ...tongue(screen, "name_form.authority") }, form.authority)] : []
  const value = (field: typeof given) => field.input.value.trim().replace(/\s+/g, " ")
  return {
    content: [heading(screen), ...paragraphs(screen), ...authority, fields, other],
    given: () => {
      const wrong = asked().filter((field) => {
        const isMissing = !/\p{L}/u.test(value(field))
        field.fault.say(isMissing ? host.words.nameMissing : undefined)
        return isMissing
      })
      wrong[0]?.input.focus()
      if (wrong.length) return undefined
      host.memory.name = asked().map(value).join(" ")
      return { name: hasOne ? { mononym: value(only) } : { given: value(given), family: value(family) } }
    },
    refused: () => {
      asked()[0]!.fault.say(host.words.nameUnfit)
      asked()[0]!.input.focus()
      return true
    },
  }
}
