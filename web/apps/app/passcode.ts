import type { Reauthentication } from "../../../clients/typescript/src/contract/consent_v1.js"
import { StatusError } from "../../../clients/typescript/src/status.js"
import type { Person } from "../../device/person.js"
import { button, make } from "../../elements/dom.js"
import { isAway } from "../../session/away.js"
import type { AppWords } from "./words.js"

/** Asks for the passcode once more, for a signature that wants that. */
export class Passcode {
  constructor(private readonly words: AppWords) {}

  /** The proof; throws when the person gives it up. */
  prove(person: Person, challenge: string): Promise<Reauthentication> {
    const { words } = this
    if (person.ending !== undefined) return Promise.reject(new Error("nobody is signed in"))
    return new Promise((resolve, reject) => {
      const field = make("input", {
        id: "proof", type: "password", required: true, maxlength: "256", autocomplete: "current-password",
      })
      const said = make("p", { role: "alert" })
      const form: HTMLFormElement = make(
        "form", {}, make("label", { for: "proof" }, words.passcode), field, said,
        make("button", {}, words.goOn), button({ class: "quiet" }, () => dialog.close(), words.back))
      const dialog: HTMLDialogElement = make("dialog", { "aria-label": words.passcode }, form)
      form.addEventListener("submit", (event) => {
        event.preventDefault()
        if (form.ariaBusy) return
        form.ariaBusy = "true"
        person.reauthenticate(field.value, challenge).then((proof) => {
          resolve(proof)
          dialog.close()
        }, (problem: unknown) => {
          field.value = ""
          said.textContent = words[about(problem)]
          field.focus()
        }).finally(() => { form.ariaBusy = null })
      })
      // It would cover the sign-in of whoever comes next.
      const end = () => dialog.close()
      person.addEventListener("assent-signed-out", end)
      dialog.addEventListener("close", () => {
        person.removeEventListener("assent-signed-out", end)
        dialog.remove()
        reject(new Error("given up"))
      })
      document.body.append(dialog)
      dialog.showModal()
    })
  }
}

/** What is said of a passcode that proved nothing. */
function about(problem: unknown): keyof AppWords {
  const { code, rule } = problem instanceof StatusError ? problem : { code: undefined, rule: "" }
  if (rule === "wrong_passcode") return "wrongPasscode"
  if (code === "resource_exhausted") return "tooMany"
  return isAway(problem) ? "away" : "failed"
}
