import { AccountAdminService, type AccountSettings } from "../../../clients/typescript/src/contract/account_v1.js"
import { FlowService } from "../../../clients/typescript/src/contract/consent_v1.js"
import { make } from "../../elements/dom.js"
import { formWords } from "../../words/forms/words.js"
import { fetched } from "../../words/language.js"
import { refusalOf } from "../access/refusal.js"
import type { Opener } from "../context.js"
import { accountParts } from "../forms/accounts.js"
import type { Option } from "../forms/part.js"
import { focusOn, Sheet } from "../forms/sheet.js"
import { root, within, type Message } from "../forms/spot.js"
import { act } from "../parts/act.js"
import { callPanel } from "../parts/call.js"
import { heading, note } from "../parts/marks.js"
import { explained } from "../parts/refused.js"
import { written } from "../shell/address.js"

/** How the tenant lets people in, and how it looks: passcodes, OpenID providers, titles and a logo. */
export const open: Opener = async (context) => {
  const { calls, words, locale, study, rights } = context
  const studyId = study?.studyId ?? ""
  const { settings = {} } = await calls.make(AccountAdminService.getAccountSettings, {})
  const { flows = [] } = studyId && rights.may(FlowService.listFlows, { study: studyId })
    ? await calls.make(FlowService.listFlows, { studyId, pageSize: 1000 }) : {}
  const { words: forms } = await fetched(locale, formWords)
  // What is refused is named as it stands in the request.
  const held: { message: Message } = { message: { settings } }
  const spot = within(root(held), "settings")
  const request = () => held.message as { settings?: AccountSettings }
  const fields = make("div", { class: "stack" })
  const problem = make("div", { role: "alert" })
  const parts = accountParts(
    flows.map(({ flowId = "", name }): Option => [flowId, name || flowId]), forms.options.noFlow)
  let sheet: Sheet
  const draw = (focus = "") => {
    sheet = new Sheet({ words: forms, common: words, locale, changed: () => undefined, redraw: draw })
    fields.replaceChildren(...sheet.draw(parts, { spot, text: spot, all: [spot] }))
    if (focus) focusOn(fields, focus)
  }
  draw()
  const save = act(context, { class: "btn s go" }, async () => {
    problem.replaceChildren()
    sheet.judge([])
    try {
      const { settings: stored = {} } = await calls.make(AccountAdminService.setAccountSettings, request())
      held.message = { settings: stored }
      draw()
      context.tell(words.study.saved)
    } catch (failure) {
      const refusal = refusalOf(failure)
      const { field, message, rule } = refusal
      const rest = sheet.judge([{ severity: "PROBLEM_SEVERITY_ERROR", field, message, rule }])
      if (rest.length > 0 || !field) problem.replaceChildren(note("bad", ...explained(refusal, words)))
      else fields.querySelector<HTMLElement>("[aria-invalid=true]")?.focus()
    }
  }, words.study.save)
  return {
    title: words.settings.title,
    content: [make("div", { class: "stack narrow" },
      heading(words.settings.title,
        make("a", { class: "btn s", href: written("integrations") }, words.nav.integrations)),
      make("p", { class: "dim" }, words.settings.what), fields, problem,
      make("div", { class: "row" }, save),
      callPanel(context, () => [{ method: AccountAdminService.setAccountSettings, request: request() }]))],
  }
}
