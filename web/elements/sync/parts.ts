import type {
  AccountAction, AccountItem, AccountView, AffectedPerson, GetOfflineViewsResponse, ItemOutcome,
} from "../../../clients/typescript/src/contract/account_v1.js"
import { filled } from "../../words/language.js"
import type { SyncWords } from "../../words/sync/words.js"
import { face, progress } from "../accounts/parts.js"
import { button, icon, make, set } from "../dom.js"

/** What the parts do. */
export interface Acts {
  page(action: AccountAction, personId?: string): void
  decide(action: AccountAction, outcome: ItemOutcome): void
  lead(): void
}

/** A part of the element, with a title of its own. */
function section(part: string, title: string, ...content: Node[]): HTMLElement {
  const id = `${part}-title`
  return make(
    "section", { class: part, part, "aria-labelledby": id }, make("h2", { id, tabindex: "-1" }, title), ...content)
}

/** How far a sync is; once it has ended, that. */
export function going(view: AccountView): HTMLElement {
  return section(
    "going", view.title ?? "", ...view.progress?.phase === "SYNC_PHASE_DONE" ? [] : [progress(view)],
    make("p", { class: "dim" }, view.description ?? ""))
}

/** Shows in place how much further it is; false where it is another part of the sync. */
export function went(shown: Element, view: AccountView): boolean {
  const meter = shown.querySelector("[role=progressbar]")
  if (!meter || view.progress?.phase === "SYNC_PHASE_DONE") return false
  if (shown.querySelector("h2")?.textContent !== view.title) return false
  const now = progress(view)
  set(meter, { "aria-valuenow": now.getAttribute("aria-valuenow") ?? "0" })
  meter.querySelector("i")!.style.inlineSize = now.querySelector("i")!.style.inlineSize
  shown.querySelector("p")!.textContent = view.description ?? ""
  return true
}

/** The connection was lost: what is safe, and the one step. */
export function lost(view: AccountView, acts: Acts): HTMLElement {
  return section(
    "lost", view.title ?? "", make("p", {}, view.description ?? ""),
    button({ class: "btn", part: "try-again" }, () => acts.page("ACCOUNT_ACTION_TRY_AGAIN"),
      view.buttons?.[0]?.title ?? ""))
}

/** Somebody without whom work waits: who, why, and what helps. */
export function blocked(
  affected: AffectedPerson, views: GetOfflineViewsResponse, isOwn: boolean, acts: Acts,
): HTMLElement {
  const view = blockedView(affected, views, isOwn), personId = affected.person?.personId ?? ""
  const { profile = {} } = affected.person ?? {}
  const name = affected.name || (views.unnamedText ?? "")
  const said = (text = "") => text ? [make("p", { class: "dim" }, filled(text, { name }))] : []
  // Where an administrator has to act, nothing here can be pressed.
  const buttons = (view.buttons ?? []).filter(({ action }) => action !== "ACCOUNT_ACTION_DONE")
    .map(({ action, title = "" }) => button(
      { class: "btn", part: "way", "data-action": action },
      () => action === "ACCOUNT_ACTION_DECIDE" ? acts.lead() : acts.page(action!, personId), title))
  const who = isOwn || !profile.title ? [] : [make(
    "p", { class: "who", part: "person" }, face({ profile }),
    make("span", { class: "grow" }, make("b", {}, profile.title), make("small", {}, profile.subtitle ?? "")))]
  return make(
    "li", { class: "card", part: "blocked" }, make("h3", {}, icon("warn"), view.title ?? ""), ...said(view.description),
    ...who, ...said(view.personDescription), ...buttons)
}

function blockedView({ step }: AffectedPerson, views: GetOfflineViewsResponse, isOwn: boolean): AccountView {
  switch (step) {
    case "BLOCKED_STEP_UNLOCK": return views.unlockNeeded ?? {}
    case "BLOCKED_STEP_INVITE": return views.invitationNeeded ?? {}
    case "BLOCKED_STEP_DECIDE": return (isOwn ? views.ownDecisionNeeded : views.decisionNeeded) ?? {}
    default: return (isOwn ? views.ownSignInNeeded : views.signInNeeded) ?? {}
  }
}

/** An item, what it was, why it was not done, and the choices. */
export function card(
  { outcome = {}, buttons = [] }: AccountItem, words: SyncWords, locale: string, acts: Acts,
): HTMLElement {
  const time = outcome.item?.deviceTime, id = key(outcome)
  const box = make(
    "li", { class: "card", part: "card", id }, make("h3", { id: `${id}-title`, tabindex: "-1" }, outcome.title ?? ""),
    ...time ? [make("p", { class: "dim" }, filled(words.recorded, { time: moment(time, locale) }))] : [],
    make("p", {}, outcome.description ?? ""), ...outcome.retryable ? [] : [make("p", {}, words.anew)])
  const choices = make("div", { class: "choices" })
  for (const { action, title = "" } of buttons) {
    const isLast = action === "ACCOUNT_ACTION_DISCARD_ITEM"
    choices.append(button(
      { class: "btn", part: "choice", "data-action": action, "aria-describedby": `${id}-title` },
      () => acts.decide(action!, outcome), isLast ? `${title}…` : title))
  }
  box.append(choices)
  return box
}

/** An identifier of an item's card. */
export function key({ deviceId = "", itemId = "" }: ItemOutcome): string {
  return `item-${deviceId}-${itemId}`
}

/** The list of what waits for a decision. */
export function list(view: AccountView, cards: HTMLElement[], more: () => void): HTMLElement {
  const [next] = view.buttons ?? []
  const box = section("items", view.barTitle ?? "")
  if (view.description) box.append(make("p", { class: "dim" }, view.description))
  if (cards.length > 0) box.append(make("ol", { class: "list" }, ...cards))
  if (view.emptyText) box.append(make("p", { class: "dim" }, view.emptyText))
  if (next && view.nextPageToken) box.append(button({ class: "btn", part: "more" }, more, next.title ?? ""))
  return box
}

function moment(time: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" }).format(new Date(time))
}
