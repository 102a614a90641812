import type { ConsentScreen, ScreenWay, ScreenWayKind } from "../../../../clients/typescript/src/contract/consent_v1.js"
import { copyOf, recordsWithCopies, verdict, type Copy } from "../../../session/copies.js"
import { filled } from "../../../words/language.js"
import { button, make, set } from "../../dom.js"
import type { Host, ShowBody } from "../host.js"
import { icon } from "../icons.js"
import { Illustration } from "../illustration.js"
import { pictures } from "../pictures.js"
import { heading, learnMore, paragraphs, tongue } from "../texts.js"

/** The end: what came of it, the copies to keep, and what the person can do now. */
export const showEnd: ShowBody = (screen, host) => {
  const isDone = host.view.outcome === "SESSION_OUTCOME_COMPLETED"
  const copies = make("div", { class: "copies" })
  return {
    content: [
      ...isDone ? [new Illustration(pictures.done!, "").element] : [],
      heading(screen), ...paragraphs(screen), copies, ...ways(screen, host), ...learnMore(screen, host),
    ],
    arrived: () => void showCopies(copies, host),
  }
}

/** The buttons of the end. A session that a part was signed of goes on here; all else is up to the page. */
const goes: Partial<Record<ScreenWayKind, { part: string, act: (host: Host) => void }>> = {
  SCREEN_WAY_KIND_GO_ON: { part: "go-on", act: (host) => host.resume() },
  SCREEN_WAY_KIND_START_AGAIN: { part: "start-again", act: (host) => host.leave("start_again") },
  SCREEN_WAY_KIND_CLOSE: { part: "close", act: (host) => host.leave("close") },
}

function ways(screen: ConsentScreen, host: Host): HTMLElement[] {
  const shown = (screen.ways ?? []).map((way, at) => one(way, tongue(screen, `ways[${at}].title`), host, at, screen))
  return shown.length ? [make("div", { class: "ways", part: "ways" }, ...shown)] : []
}

function one(way: ScreenWay, language: object, host: Host, at: number, screen: ConsentScreen): HTMLElement {
  if (way.kind === "SCREEN_WAY_KIND_CONTACT") {
    return make("div", {}, make("h2", { ...language }, way.title ?? ""),
      make("p", { ...tongue(screen, `ways[${at}].text`) }, way.text ?? ""))
  }
  const go = way.kind && goes[way.kind]
  if (!go) return make("div")
  const element = button({ class: "btn", part: go.part, ...language }, () => go.act(host), way.title ?? "")
  if (!way.from || Date.parse(way.from) <= Date.now()) return element
  element.disabled = true
  const clock = new Intl.DateTimeFormat(host.locale, { dateStyle: "long", timeStyle: "short" })
  const time = clock.format(new Date(way.from))
  return make("div", {}, element, make("p", { class: "dim" }, filled(host.words.from, { time })))
}

async function showCopies(box: HTMLElement, host: Host): Promise<void> {
  const ids = host.view.recordIds ?? []
  const records = await recordsWithCopies(host.server, host.patience, ids).catch(() => [])
  for (const record of records) {
    const card = new Card(host)
    box.append(card.element)
    copyOf(host.server, host.patience, record).then((copy) => card.show(copy), () => card.say(host.words.copyLost))
  }
}

/** A copy: to view, to save, and to check whether it is what is on record. */
class Card {
  private readonly note = make("p", { class: "dim", role: "status" })
  private readonly acts = make("div", { class: "acts" })
  readonly element: HTMLElement

  constructor(private readonly host: Host) {
    const words = make("div", {}, make("h2", {}, host.words.copy), this.note)
    this.element = make(
      "div", { class: "card", part: "copy" }, make("div", { class: "row" }, words, icon("file")), this.acts)
    this.say(host.words.copyMaking)
  }

  say(sentence: string): void {
    this.note.textContent = sentence
  }

  show(copy: Copy): void {
    const { words } = this.host
    const address = URL.createObjectURL(copy.file)
    const waits = copy.record.state === "RECORD_STATE_AWAITING_SIGNATURES" || copy.answer.participantCopy
    this.say(waits ? words.copyWaiting : copy.answer.sealed ? words.copySealed : words.copyMaking)
    const view = make("a", { class: "btn s", part: "view", href: address, target: "_blank" }, icon("eye"), words.view)
    const save = make("a", { class: "btn s", part: "save", href: address, download: copy.file.name },
      icon("save"), words.saveFile)
    const check = button(
      { class: "btn s", part: "check" }, () => void this.check(copy, check), icon("shield"), words.check)
    const canCheck = copy.answer.sealed && copy.answer.copy?.verificationId
    this.acts.replaceChildren(view, save, ...canCheck ? [check] : [])
  }

  private async check(copy: Copy, pressed: HTMLButtonElement): Promise<void> {
    if (pressed.getAttribute("aria-busy")) return
    set(pressed, { "aria-busy": "true" })
    const { words, server, patience } = this.host
    const found = await verdict(server, patience, copy).catch(() => undefined)
    set(pressed, { "aria-busy": undefined })
    this.say(found === "same" ? words.genuine : found === "different" ? words.different : words.copyLost)
    set(this.note, { "data-verdict": found })
  }
}
