import type {
  AccountAction, AccountButton, AccountField, AccountItem, AccountRule, AccountView, ListedPerson,
} from "../../../clients/typescript/src/contract/account_v1.js"
import { fromBase64 } from "../../bytes.js"
import { button, glyph, make, set } from "../dom.js"
import { icon } from "../session/icons.js"

/** What the parts of a view do. */
export interface Acts {
  act(action: AccountAction, about?: { personId?: string, item?: AccountItem, issuer?: string }): void
  search(query: string): void
}

const icons = {
  plus: "M12 5v14M5 12h14",
  search: "M4 10.500a6.500 6.500 0 1 1 13 0 6.500 6.500 0 0 1-13 0ZM15.300 15.300 20 20",
  users: "M5.500 8.500a3.500 3.500 0 1 1 7 0 3.500 3.500 0 0 1-7 0ZM2.500 19.500c0-3.500 2.800-6 6.500-6s6.500 2.500 6.500 6"
    + "M15 5.300a3.500 3.500 0 0 1 0 6.400M17.500 14c2.400.7 4 2.800 4 5.500",
}

/** A picture that came as bytes. Nothing else may be loaded by a page, so it becomes a blob of its own. */
function picture(base64: string, attributes: Record<string, string>): HTMLImageElement {
  const bytes = fromBase64(base64)
  const url = URL.createObjectURL(new Blob([bytes], { type: bytes[0] === 0x89 ? "image/png" : "image/jpeg" }))
  const image = make("img", { alt: "", src: url, ...attributes })
  image.addEventListener("load", () => URL.revokeObjectURL(url))
  return image
}

/** A person's picture, or initials in its place. */
export function face({ profile = {} }: ListedPerson, isLarge = false): HTMLElement {
  const name = isLarge ? "face l" : "face"
  if (profile.picture) return picture(profile.picture, { class: name, part: "picture" })
  return make("span", { class: name, part: "initials", "aria-hidden": "true" }, profile.initials ?? "")
}

export function application(view: AccountView): HTMLElement | undefined {
  const title = view.applicationTitle ?? ""
  if (!title && !view.applicationLogo) return undefined
  const box = make("div", { class: "application", part: "application" })
  if (view.applicationLogo) box.append(picture(view.applicationLogo, { class: "logo", part: "logo" }))
  box.append(make("p", { class: "name" }, title))
  return box
}

/** The person whom a screen is about. */
export function subject(person: ListedPerson, description = ""): HTMLElement {
  const { title = "", subtitle = "", items = [] } = person.profile ?? {}
  return make(
    "div", { class: "subject", part: "person" }, face(person, true), make("p", { class: "name" }, title),
    ...subtitle ? [make("p", { class: "dim" }, subtitle)] : [],
    ...items.map(({ label = "", value = "" }) => make("p", { class: "dim small" }, `${label}: ${value}`)),
    ...description ? [make("p", { class: "dim story" }, description)] : [])
}

/** A row of the list. */
export function row(person: ListedPerson, acts: Acts, isCurrent: boolean): HTMLElement {
  const { title = "", subtitle = "" } = person.profile ?? {}
  const select = () => acts.act("ACCOUNT_ACTION_SELECT", { personId: person.personId ?? "" })
  return make("li", {}, button(
    { class: isCurrent ? "item is-on" : "item", part: "item", "aria-current": isCurrent ? "true" : undefined }, select,
    face(person), make("span", { class: "grow" }, make("b", {}, title), make("small", {}, subtitle)),
    glyph(isCurrent ? "m5 12.5 4.5 4.5L19 7.5" : "M9.500 5.500 16 12l-6.500 6.500", !isCurrent)))
}

const kept: Readonly<Record<string, Record<string, string>>> = {
  recovery_code: { autocapitalize: "characters", spellcheck: "false", autocomplete: "off" },
  code: { autocapitalize: "characters", spellcheck: "false", autocomplete: "one-time-code" },
  name: { autocomplete: "name" }, subtitle: { autocomplete: "organization-title" },
  new_passcode: { autocomplete: "new-password" },
}

/** Whether a field takes a passcode that the view's policy is for. */
export function isPolicy({ id }: AccountField, { fields = [], rules = [] }: AccountView): boolean {
  return rules.length > 0 && id === (fields.some((each) => each.id === "new_passcode") ? "new_passcode" : "passcode")
}

/** A field with its label; what was typed before is typed again, unless it is a secret. */
export function field(each: AccountField, view: AccountView, value: string): HTMLElement {
  const id = each.id ?? "", isNew = /SET_|CONFIRM_/.test(view.kind ?? "")
  const input = make("input", {
    id, class: /code$/.test(id) && !each.secure ? "in mono" : "in", part: `field ${id}`,
    type: each.secure ? "password" : "text", maxlength: "256",
    "aria-describedby": isPolicy(each, view) ? "note rules" : "note",
    inputmode: each.digits ? "numeric" : undefined, dir: each.secure || /code$/.test(id) ? "ltr" : "auto",
    ...id === "passcode" ? { autocomplete: isNew ? "new-password" : "current-password" } : kept[id],
  })
  input.value = each.secure ? "" : value
  return make("div", { class: "field" }, make("label", { for: id }, each.label ?? ""), input)
}

/** A button of the bar: its words, and an icon where these have no room. */
export function barButton({ action, title = "" }: AccountButton, acts: Acts): HTMLButtonElement {
  const shown = action === "ACCOUNT_ACTION_BACK" ? icon("back") : action === "ACCOUNT_ACTION_SEARCH"
    ? glyph(icons.search, false) : action === "ACCOUNT_ACTION_ADD" ? glyph(icons.plus, false) : undefined
  const isShort = action === "ACCOUNT_ACTION_SEARCH" || action === "ACCOUNT_ACTION_ADD"
  return button(
    { class: "btn bare", "data-action": action, part: "bar-button", "aria-label": isShort ? title : undefined },
    () => acts.act(action!), ...shown ? [shown] : [], ...isShort ? [] : [make("span", {}, title)])
}

/** The buttons of a view; the first one that goes on is filled, and waits for what it needs. */
export function buttons(view: AccountView, acts: Acts, values: () => Record<string, string>): HTMLElement {
  const box = make("div", { class: "buttons", part: "buttons" })
  let isFirst = true
  for (const { action, title = "", link, needsFields = [], issuer } of view.buttons ?? []) {
    const isAside = link || action === "ACCOUNT_ACTION_SWITCH"
    const goesOn = !isAside && isFirst
    if (goesOn) isFirst = false
    // The first one that goes on is what Enter does in a field.
    const element = make("button", {
      type: goesOn ? "submit" : "button", class: link ? "link" : goesOn ? "btn go" : "btn", "data-action": action,
      part: goesOn ? "go" : "way",
      ...issuer ? { "data-issuer": issuer } : {},
    }, ...action === "ACCOUNT_ACTION_SWITCH" ? [glyph(icons.users, false)] : [], title)
    if (!goesOn) element.addEventListener("click", () => acts.act(action!, issuer ? { issuer } : {}))
    if (needsFields.length > 0) element.dataset["needs"] = needsFields.join(" ")
    box.append(element)
  }
  wake(box, values())
  return box
}

/** Buttons can be pressed once there is something in the fields that they need. */
export function wake(box: Element, values: Record<string, string>): void {
  for (const element of box.querySelectorAll<HTMLButtonElement>("[data-needs]")) {
    element.disabled = !element.dataset["needs"]!.split(" ").every((id) => values[id])
  }
}

/** The policy for passcodes: each part says by a mark whether it is met, as far as a page can tell. */
export function policy(rules: readonly AccountRule[]): HTMLElement {
  return make("ul", { class: "rules", part: "rules", id: "rules" }, ...rules.map(({ text = "", pattern = "" }) => make(
    "li", { "data-pattern": pattern || undefined }, make("span", { class: "mark" }, "·"), make("span", {}, text))))
}

/** Marks the parts of the policy that a passcode meets. */
export function judge(box: Element, passcode: string): void {
  for (const part of box.querySelectorAll<HTMLElement>("#rules [data-pattern]")) {
    const isMet = new RegExp(part.dataset["pattern"]!, "us").test(passcode)
    part.querySelector(".mark")!.textContent = isMet ? "✓" : "·"
  }
}

export function progress(view: AccountView): HTMLElement {
  const percent = Math.round((view.progress?.fraction ?? 0) * 100)
  const bar = make("i")
  bar.style.inlineSize = `${percent}%`
  return make("div", {
    class: "meter", part: "progress", role: "progressbar", "aria-valuemin": "0", "aria-valuemax": "100",
    "aria-valuenow": `${percent}`, "aria-label": view.title || view.barTitle || "",
  }, bar)
}

/** An item that its person decides about. */
export function decision(each: AccountItem, acts: Acts): HTMLElement {
  const card = make(
    "section", { class: "card", part: "card" }, make("h2", {}, each.outcome?.title ?? ""),
    make("p", { class: "dim" }, each.outcome?.description ?? ""))
  for (const { action, title = "" } of each.buttons ?? []) {
    card.append(button({ class: "btn", "data-action": action }, () => acts.act(action!, { item: each }), title))
  }
  return card
}

export function note(text: string, isBad: boolean): HTMLElement {
  const box = make("p", { class: isBad ? "err" : "note calm", id: "note", part: "note" })
  set(box, { role: isBad ? "alert" : "status" })
  box.append(icon(isBad ? "stop" : "info"), make("span", {}, text))
  return box
}
