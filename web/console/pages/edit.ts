import {
  DocumentService, type DocumentContent, type DocumentText, type Problem, type SectionText, type SectionType,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { newIdempotencyKey } from "../../../clients/typescript/src/idempotency-key.js"
import { button, make, set } from "../../elements/dom.js"
import { Patience } from "../../session/patience.js"
import { refusalOf, type Refusal } from "../access/refusal.js"
import type { Context, Opener } from "../context.js"
import { icon } from "../icons.js"
import { callPanel } from "../parts/call.js"
import { chip, empty, heading, link, note } from "../parts/marks.js"
import { explained } from "../parts/refused.js"
import { written } from "../shell/address.js"

const types = [
  "overview", "data_gathering", "privacy", "data_use", "time_commitment", "study_survey", "study_tasks", "withdrawing",
  "custom", "only_in_document"]
const pauseMs = 800

/** The texts of a draft, section by section. What is typed is stored by itself. */
export const open: Opener = async (context) => {
  const { address, calls, words } = context
  const documentId = address.id
  const { document = {} } = await calls.make(DocumentService.getDocument, { documentId })
  const back = link(written("document", documentId, { study: document.studyId }), words.edit.back)
  if (!document.draftVersion) return { title: words.edit.title,
    content: [heading(words.edit.title), empty(words.edit.none, words.edit.noneWhy, back)] }
  const { version } = await calls.make(DocumentService.getDocument, { documentId, version: document.draftVersion })
  const { problems = [] } = await calls.make(DocumentService.validateDocument, { documentId })
  const editor = new Editor(context, documentId, version?.revision ?? 0, version?.content ?? {}, problems)
  return {
    title: document.name || documentId, left: () => editor.leave(),
    content: [make("div", { class: "stack" }, heading(document.name || documentId, back), editor.element,
      callPanel(context, () => [{ method: DocumentService.updateDocumentDraft, request: editor.request }]))],
  }
}

class Editor {
  readonly element = make("div", { class: "stack" })
  private locale: string
  private at = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly status = make("span", { class: "dim", role: "status" })
  private readonly fault = make("div", { role: "alert" })
  private readonly errors = new Map<string, HTMLElement>()
  /** Something is typed that no storing has begun with, or the last one was refused. */
  private isTyped = false
  private isLeft = false
  private storing: Promise<void> | undefined
  private readonly patience: Patience = new Patience(() => {
    if (this.patience.absence) this.status.textContent = this.context.words.failed.away
  })

  constructor(
    private readonly context: Context, private readonly documentId: string, private revision: number,
    private readonly content: DocumentContent, private problems: readonly Problem[],
  ) {
    this.locale = content.defaultLocale || content.texts?.[0]?.locale || "en"
    content.settings ??= {}
    content.settings.sections ??= []
    content.texts ??= []
    this.draw()
  }

  get request() {
    return { documentId: this.documentId, expectedRevision: this.revision, content: this.content }
  }

  private get text(): DocumentText {
    let found = this.content.texts!.find(({ locale }) => locale === this.locale)
    if (!found) this.content.texts!.push(found = { locale: this.locale })
    return found
  }

  private textOf(sectionId: string): SectionText {
    const text = this.text
    text.sections ??= []
    let found = text.sections.find((each) => each.sectionId === sectionId)
    if (!found) text.sections.push(found = { sectionId })
    return found
  }

  /** Another page is shown: what is typed is stored without a pause, however long the server is away. */
  leave(): void {
    this.isLeft = true
    clearTimeout(this.timer)
    void this.store().finally(() => {
      this.patience.end()
      removeEventListener("beforeunload", stay)
    })
  }

  private changed(): void {
    this.isTyped = true
    this.status.textContent = this.context.words.edit.typing
    addEventListener("beforeunload", stay)
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.store(), pauseMs)
  }

  /** Storing goes one after the other: each names the revision of the one before. */
  private store(): Promise<void> {
    this.storing ??= this.storeAll().finally(() => { this.storing = undefined })
    return this.storing
  }

  private async storeAll(): Promise<void> {
    const { calls, words, tell } = this.context
    while (this.isTyped) {
      this.isTyped = false
      // As it is now: more may be typed while the server is away.
      const request = structuredClone(this.request)
      const key = await newIdempotencyKey()
      try {
        const { version, problems = [], removed = [] } = await this.patience.until(() =>
          calls.make(DocumentService.updateDocumentDraft, request, key))
        this.revision = version?.revision ?? this.revision
        this.problems = problems
        this.fault.replaceChildren(...removed.map(({ field, what }) =>
          note("warn", `${words.edit.removed} ${field}: ${what}`)))
        this.judge()
      } catch (problem) {
        this.isTyped = true
        this.status.textContent = words.edit.notStored
        if (this.isLeft) tell(words.edit.notStored)
        return this.refuse(refusalOf(problem))
      }
    }
    this.status.textContent = words.edit.stored
    removeEventListener("beforeunload", stay)
  }

  private refuse(refusal: Refusal): void {
    const { words, again } = this.context
    const theirs = () => {
      this.isTyped = false
      void again()
    }
    this.fault.replaceChildren(refusal.rule === "stale_version"
      ? note("bad", words.edit.stale, button({ class: "btn s" }, theirs, words.edit.theirs))
      : note("bad", ...explained(refusal, words)))
  }

  private draw(focus?: string): void {
    const { words } = this.context
    const { sections = [] } = this.content.settings!
    const locales = this.content.texts!.map(({ locale = "" }) => locale)
    const language = make("select", { class: "in s", "aria-label": words.documents.language },
      ...[...new Set([this.locale, ...locales])].map((each) => make("option", { value: each }, each)))
    language.value = this.locale
    language.addEventListener("change", () => { this.locale = language.value; this.draw() })
    this.errors.clear()
    const cards = sections.map(({ id = "", type }, at) => button({
      class: "sec", "aria-current": at === this.at ? "true" : undefined }, () => { this.at = at; this.draw("card") },
    this.textOf(id).title || this.textOf(id).formalTitle
      || words.edit.types[(type ?? "").replace("SECTION_TYPE_", "").toLowerCase()] || id,
    ...this.problems.some(({ field = "" }) => field.includes(`sections[${id}]`)) ? [chip("", "warn", "warn")] : []))
    const section = sections[this.at]
    this.element.replaceChildren(
      make("div", { class: "row wrap" }, language, this.status), this.fault,
      make("div", { class: "cols edit" },
        make("div", { class: "stack" }, ...cards, this.adding()),
        make("div", { class: "panel stack" },
          ...this.field("title", words.edit.documentTitle, this.text, "title", `texts[${this.locale}].title`),
          ...section ? this.section(section.id ?? "") : [])))
    this.judge()
    if (focus === "card") this.element.querySelectorAll<HTMLElement>(".sec")[this.at]?.focus()
    if (focus && focus !== "card") this.element.querySelector<HTMLElement>(`[data-act=${focus}]`)?.focus()
  }

  private section(id: string): Node[] {
    const { words } = this.context
    const list = this.content.settings!.sections!
    const text = this.textOf(id)
    const move = (by: number, name: string) => {
      const [moved] = list.splice(this.at, 1)
      this.at += by
      list.splice(this.at, 0, moved!)
      this.changed()
      this.draw(name)
    }
    const remove = () => {
      list.splice(this.at, 1)
      for (const each of this.content.texts!) each.sections = (each.sections ?? [])
        .filter(({ sectionId }) => sectionId !== id)
      this.at = Math.max(0, this.at - 1)
      this.changed()
      this.draw("card")
    }
    const path = `texts[${this.locale}].sections[${id}]`
    const body = text.markdownContent ? "markdownContent" : text.content && !text.htmlContent ? "content"
      : "htmlContent"
    return [
      make("div", { class: "row wrap" }, make("h2", { class: "grow" }, text.title || text.formalTitle || id),
        button({ class: "btn s", "data-act": "up", disabled: this.at === 0 }, () => move(-1, "up"), words.edit.up),
        button({ class: "btn s", "data-act": "down", disabled: this.at === list.length - 1 }, () => move(1, "down"),
          words.edit.down),
        button({ class: "btn s" }, remove, icon("bin"), words.edit.remove)),
      ...this.field(`${id}-title`, words.edit.sectionTitle, text, "title", `${path}.title`),
      ...this.field(`${id}-formal`, words.edit.formalTitle, text, "formalTitle", `${path}.formal_title`),
      ...this.field(`${id}-summary`, words.edit.summary, text, "summary", `${path}.summary`),
      ...this.field(`${id}-body`, words.edit.body[body]!, text, body,
        `${path}.${body.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`, true),
      ...this.field(`${id}-alt`, words.edit.alt, text, "imageAlt", `${path}.image_alt`),
    ]
  }

  private field<Key extends string>(
    name: string, label: string, text: { [Name in Key]?: string }, key: Key, path: string, isLong = false,
  ): Node[] {
    const id = `edit-${name}`
    const control = isLong ? make("textarea", { class: "in s", rows: "10" }) : make("input", { class: "in s" })
    const error = make("p", { class: "err", id: `${id}-e`, hidden: true })
    set(control, { id, "aria-describedby": `${id}-e`, lang: this.locale, dir: "auto" })
    control.value = text[key] ?? ""
    control.addEventListener("input", () => {
      text[key] = control.value as typeof text[Key]
      this.changed()
    })
    this.errors.set(path, error)
    return [make("div", { class: "field" }, make("label", { for: id }, label), control, error)]
  }

  /** Says beside each field what the server has found there. */
  private judge(): void {
    for (const [path, error] of this.errors) {
      const found = this.problems.find(({ field }) => field === path)
      error.hidden = !found
      error.replaceChildren(found?.message?.replace(/^[a-z_]+: /, "") ?? "")
      const control = error.parentElement?.querySelector("input, textarea")
      if (control) set(control, { "aria-invalid": found?.severity === "PROBLEM_SEVERITY_ERROR" ? "true" : undefined })
    }
  }

  private adding(): HTMLElement {
    const { words } = this.context
    const choice = make("select", { class: "in s", "aria-label": words.edit.type },
      ...types.map((type) => make("option", { value: type }, words.edit.types[type] ?? type)))
    const add = () => {
      const { sections = [] } = this.content.settings!
      let id = choice.value
      for (let number = 2; sections.some((each) => each.id === id); number += 1) id = `${choice.value}_${number}`
      sections.push({ id, type: `SECTION_TYPE_${choice.value.toUpperCase()}` as SectionType })
      this.at = sections.length - 1
      this.changed()
      this.draw("card")
    }
    return make("div", { class: "row" }, choice, button({ class: "btn s" }, add, icon("plus"), words.edit.add))
  }
}

/** Asks before the browser leaves what is not stored. */
function stay(event: Event): void {
  event.preventDefault()
}
