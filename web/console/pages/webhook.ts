import {
  WebhookService, type Webhook, type WebhookDelivery,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import type { Context, Opener } from "../context.js"
import { calling } from "../parts/act.js"
import { callPanel } from "../parts/call.js"
import { ask, tellOnce } from "../parts/dialog.js"
import { code, Dates, empty, facts, heading, note, panel } from "../parts/marks.js"
import { Paged } from "../parts/table.js"
import { hookState } from "./integrations.js"

/** A webhook: how sending goes, what waits, and sending it again. */
export const open: Opener = async (context) => {
  const { words, calls, address, locale, again, tell, go } = context
  const dates = new Dates(locale)
  const webhookId = address.id
  const { webhooks = [] } = await calls.make(WebhookService.listWebhooks, {})
  const webhook = webhooks.find((each) => each.webhookId === webhookId)
  if (!webhook) return { title: words.hooks.title, content: [heading(words.hooks.title),
    empty(words.hooks.gone, words.hooks.goneWhy)] }
  const waiting = new Paged<WebhookDelivery>(context, {
    label: words.hooks.waiting,
    columns: [
      { title: words.hooks.event, cell: ({ kind = "", sequence = "" }) => make("span", {}, code(kind),
        ` ${sequence}`) },
      { title: words.hooks.state, cell: ({ state }) => words.hooks.deliveries[(state ?? "").replace("DELIVERY_STATE_",
        "").toLowerCase()] ?? "" },
      { title: words.hooks.attempts, cell: ({ attempts }) => String(attempts ?? 0), isMinor: true },
      { title: words.hooks.next, cell: ({ nextTryAt }) => dates.time(nextTryAt), isMinor: true },
      { title: words.hooks.why, cell: ({ failure = "" }) => failure },
    ],
    page: async (pageToken, pageSize) => {
      const page = await calls.make(WebhookService.listWebhookDeliveries, { webhookId, pageSize, pageToken })
      return { rows: page.deliveries ?? [], next: page.nextPageToken ?? "" }
    },
    empty: () => empty(words.hooks.nothing, words.hooks.nothingWhy),
  })
  await waiting.refresh()
  const said = async (sentence: string) => {
    await again()
    tell(sentence)
  }
  const resend = calling(context, { class: "btn s go" }, WebhookService.resendWebhookDeliveries, { webhookId },
    ({ count = 0 }) => said(filled(words.hooks.resent, { count: String(count) })), words.hooks.resend)
  const test = calling(context, { class: "btn s" }, WebhookService.testWebhook, { webhookId },
    ({ accepted, failure = "" }) => said(accepted ? words.hooks.accepted : failure), words.hooks.test)
  const toggle = calling(context, { class: "btn s" }, WebhookService.updateWebhook,
    { webhook: { ...webhook, disabled: !webhook.disabled } }, () => said(words.study.saved),
    webhook.disabled ? words.hooks.turnOn : words.hooks.turnOff)
  const rotate = button({ class: "btn s" }, () => ask(context, {
    title: words.hooks.rotateTitle, sentence: words.hooks.rotateWhat,
    plan: { label: words.keys.rotate, method: WebhookService.rotateWebhookSecret,
      fields: [{ name: "drop", label: words.hooks.drop, kind: "check" }],
      request: (values) => ({ webhookId, dropEarlier: values.is("drop") }),
      done: ({ secret = "" }) => tellOnce(context, words.hooks.secret, words.hooks.secretWhat, secret) },
  }), words.keys.rotate + "…")
  const remove = button({ class: "btn s" }, () => ask(context, {
    title: words.hooks.removeTitle, destroyed: words.hooks.removeDestroyed, stays: words.hooks.removeStays,
    plan: { label: words.hooks.remove, method: WebhookService.deleteWebhook, destroys: true, fields: [],
      request: () => ({ webhookId }), done: () => go("integrations") },
  }), words.hooks.remove + "…")
  return {
    title: webhook.url ?? webhookId, refresh: waiting.refresh,
    content: [make("div", { class: "stack" },
      heading((webhook.url ?? "").replace("https://", ""), ...webhook.status?.parked ? [resend] : [], test, toggle,
        rotate, remove),
      make("div", { class: "row" }, hookState(context, webhook)),
      ...webhook.status?.failure ? [note("bad", webhook.status.failure)] : [],
      panel(words.record.facts, about(context, webhook)),
      make("div", { class: "row wrap" }, make("h2", { class: "grow" }, words.hooks.waiting),
        waiting.files(`${webhookId}-deliveries`)), waiting.element,
      callPanel(context, () => [{ method: WebhookService.listWebhookDeliveries, request: { webhookId } }]))],
  }
}

function about({ words, locale }: Context, { studyId, kinds = [], createdBy, createdAt,
  status }: Webhook): HTMLElement {
  const dates = new Dates(locale)
  return facts([words.shell.study, studyId || words.hooks.allStudies],
    [words.hooks.kinds, kinds.join(", ") || words.hooks.allKinds],
    [words.hooks.delivered, dates.time(status?.deliveredAt)], [words.hooks.next, dates.time(status?.nextTryAt)],
    [words.hooks.waitingCount, String(status?.waiting ?? 0)],
      [words.hooks.made, `${createdBy ?? ""}, ${dates.time(createdAt)}`])
}
