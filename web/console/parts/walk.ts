import { SessionService } from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make } from "../../elements/dom.js"
import type { FormWords } from "../../words/forms/words.js"
import { deviceTime } from "../../session/device-time.js"
import type { Context } from "../context.js"
import { act } from "./act.js"
import { load } from "./preview.js"

/** Whether somebody may walk a flow of this study as a test participant: it is done beside them, as an assistant. */
export function mayWalk({ rights }: Context, study: string | undefined): boolean {
  return rights.may(SessionService.startSession, { study }, "assisting")
}

/** Walks a flow at once, its draft if there is one, as a test participant: nothing of it counts. */
export async function walk(context: Context, { flow }: FormWords, flowId: string): Promise<void> {
  const { calls, words, locale } = context
  await load()
  const start = async () => {
    const { session = {} } = await calls.make(SessionService.startSession, {
      flowId, locale, test: true, assistance: "ASSISTANCE_OPERATES_DEVICE", clientSchema: 5, deviceTime: deviceTime() })
    const { token, fetch } = calls.access()
    const element = make("assent-session", { session: session.sessionId })
    element.token = token
    if (fetch) element.fetch = fetch
    element.addEventListener("assent-way", ({ detail }) => {
      if (detail.way === "close") dialog.close()
      else again.click()
    })
    screen.replaceChildren(element)
  }
  const dialog = make("dialog", { class: "alert walk", "aria-labelledby": "walk" })
  const screen = make("div", { class: "phone" })
  const again = act(context, { class: "btn s" }, start, flow.again)
  dialog.append(make("h2", { id: "walk" }, flow.walkTitle), make("p", { class: "dim" }, flow.walkWhat), screen,
    make("div", { class: "row" }, again, button({ class: "btn s go" }, () => dialog.close(), words.dialog.done)))
  dialog.addEventListener("close", () => dialog.remove())
  await start()
  document.body.append(dialog)
  dialog.showModal()
}
