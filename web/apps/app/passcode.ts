import type { Reauthentication } from "../../../clients/typescript/src/contract/consent_v1.js"
import { StatusError } from "../../../clients/typescript/src/status.js"
import type { Person } from "../../device/person.js"
import { button, make } from "../../elements/dom.js"
import type { AppWords } from "./words.js"

/** Asks for the passcode once more, for a signature that wants that. */
export class Passcode {
  constructor(private readonly words: AppWords) {}

  /** The proof; throws when the person gives it up. */
  prove(person: Person, challenge: string): Promise<Reauthentication> {
    const { words } = this
    return new Promise((resolve, reject) => {
      const field = make("input", { id: "proof", type: "password", required: true, autocomplete: "current-password" })
      const said = make("p", { role: "alert" })
      const form: HTMLFormElement = make(
        "form", {}, make("label", { for: "proof" }, words.passcode), field, said,
        make("button", {}, words.goOn), button({ class: "quiet" }, () => dialog.close(), words.back))
      const dialog: HTMLDialogElement = make("dialog", { "aria-label": words.passcode }, form)
      form.addEventListener("submit", (event) => {
        event.preventDefault()
        person.reauthenticate(field.value, challenge).then((proof) => {
          resolve(proof)
          dialog.close()
        }, (problem: unknown) => {
          field.value = ""
          const code = problem instanceof StatusError ? problem.code : undefined
          said.textContent = code === "resource_exhausted" ? words.tooMany
            : code === "unavailable" ? words.away : words.wrongPasscode
          field.focus()
        })
      })
      dialog.addEventListener("close", () => {
        dialog.remove()
        reject(new Error("given up"))
      })
      document.body.append(dialog)
      dialog.showModal()
    })
  }
}
