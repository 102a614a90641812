import {
  DocumentService, FlowService, StudyService, type ConsentDocument, type ConsentFlow, type DocumentContent,
  type FlowDefinition, type FlowVersion, type Problem, type StepCondition, type StudySite,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make } from "../../elements/dom.js"
import { save } from "../../elements/save.js"
import { formWords, type FormWords } from "../../words/forms/words.js"
import { fetched, filled } from "../../words/language.js"
import type { Context, Opener } from "../context.js"
import { conditionInWords } from "../forms/condition.js"
import { translations } from "../forms/control.js"
import {
  conditionParts, flowParts, fresh, kindOf, kinds, stepParts, type Asked, type StepKind, type Surroundings,
} from "../forms/flow.js"
import type { Option } from "../forms/part.js"
import { focusOn, free, Sheet, type Sides } from "../forms/sheet.js"
import { entries, entry, nameOf, put, root, type Message, type Spot } from "../forms/spot.js"
import { icon } from "../icons.js"
import { act, calling, note as noted } from "../parts/act.js"
import { callPanel } from "../parts/call.js"
import { ask } from "../parts/dialog.js"
import { Draft } from "../parts/draft.js"
import { code, empty, heading, note } from "../parts/marks.js"
import { Sections } from "../parts/sections.js"
import { stateChip } from "../parts/states.js"
import { versionActs } from "../parts/versions.js"
import { mayWalk, walk } from "../parts/walk.js"
import { written } from "../shell/address.js"

/** A flow: its steps in their order, when each is shown, and a walk through it at once. */
export const open: Opener = async (context) => {
  const { address, calls, words, rights, locale } = context
  const flowId = address.id
  const { flow = {}, version: first } = await calls.make(FlowService.getFlow, { flowId })
  const version = flow.draftVersion
    ? (await calls.make(FlowService.getFlow, { flowId, version: flow.draftVersion })).version : first
  const { studyId = "" } = flow
  const place = { study: studyId }
  const { documents = [] } = await calls.make(DocumentService.listDocuments, { studyId, pageSize: 1000 })
  const { sites = [] } = rights.may(StudyService.listSites, place)
    ? await calls.make(StudyService.listSites, { studyId, pageSize: 1000 }) : {}
  const { words: forms } = await fetched(locale, formWords)
  const mayEdit = !!flow.draftVersion && rights.may(FlowService.updateFlowDraft, place)
  const { problems = [] } = mayEdit ? await calls.make(FlowService.validateFlow,
    { studyId, definition: version?.definition ?? {} }) : {}
  const editor = new Editor(context, forms, flowId, version ?? {}, { documents, sites }, mayEdit, problems)
  const name = flow.name || flowId
  return {
    title: name, left: () => editor.draft?.leave(),
    content: [make("div", { class: "stack" },
      heading(name, ...acts(context, forms, flow, version, editor), ...versionActs(context, { flowId,
        version: first?.version ?? 0, state: first?.state, isOtherPublished: !!flow.publishedVersion, study: studyId }),
        make("a", { class: "btn s", href: written("documents", "", { study: studyId }) }, words.nav.documents)),
      make("p", { class: "row" }, code(flowId), stateChip(words, version?.state)),
      ...version?.state === "VERSION_STATE_AWAITING_APPROVAL" ? [note("warn", version.publishedBy === context.person.id
        ? words.document.waitsMine : filled(words.document.waitsOther, { person: version.publishedBy ?? "" }))] : [],
      ...!mayEdit && version ? [note("", forms.flow.published)] : [], editor.element,
      callPanel(context, () => [{ method: FlowService.updateFlowDraft, request: editor.request() }]))],
  }
}

function acts(context: Context, forms: FormWords, flow: ConsentFlow, version: FlowVersion | undefined,
  editor: Editor): Node[] {
  const { rights, words, calls, again, go, tell, person } = context
  const { flowId = "", studyId, draftVersion } = flow
  const place = { study: studyId }
  const found: Node[] = [button({ class: "btn s" }, () => save(`${flowId}.json`, "application/json",
    JSON.stringify({ flowId, name: flow.name, definition: editor.request().definition }, null, 2)), icon("save"),
  words.document.export)]
  if (mayWalk(context, studyId)) {
    found.push(act(context, { class: "btn s" }, async () => {
      await editor.draft?.store()
      await walk(context, forms, flowId)
    }, icon("eye"), forms.flow.walk))
  }
  if (!draftVersion && rights.may(FlowService.createFlowDraft, place)) {
    found.push(calling(context, { class: "btn s" }, FlowService.createFlowDraft, { flowId }, again, icon("pen"),
      words.document.newDraft))
  }
  if (draftVersion && rights.may(FlowService.discardFlowDraft, place)) {
    found.push(button({ class: "btn s" }, () => ask(context, {
      title: words.document.discardTitle, destroyed: words.document.discardDestroyed,
      stays: words.document.discardStays,
      plan: { label: words.document.discard, method: FlowService.discardFlowDraft, destroys: true, fields: [],
        request: () => ({ flowId, expectedRevision: editor.revision }),
        done: () => flow.publishedVersion ? again() : go("documents") },
    }), words.document.discard + "…"))
  }
  if (draftVersion && rights.may(FlowService.publishFlowDraft, place)) {
    noted(context, { method: FlowService.publishFlowDraft, request: { flowId, expectedRevision: editor.revision } })
    const waits = version?.state === "VERSION_STATE_AWAITING_APPROVAL"
    found.push(act(context, { class: "btn s go", disabled: waits && version.publishedBy === person.id }, async () => {
      await editor.draft?.store()
      const { version } = await calls.make(FlowService.publishFlowDraft,
        { flowId, expectedRevision: editor.revision })
      tell(version?.state === "VERSION_STATE_AWAITING_APPROVAL" ? words.document.waits : words.document.isPublished)
      await again()
    }, waits ? words.document.approve : words.document.publish))
  }
  return found
}

class Editor {
  readonly element = make("div", { class: "stack" })
  readonly draft: Draft | undefined
  private readonly held: { message: Message }
  private readonly content: Spot
  private locale: string
  /** The step that is shown, by its name; none: what belongs to the whole. */
  private shown: string
  private sheet: Sheet | undefined
  private readonly side = make("div", { class: "stack choosing" })
  private readonly panel = make("fieldset", { class: "panel stack plain-set" })
  private readonly rest = make("div")
  private readonly sections: Sections
  private readonly contents = new Map<string, DocumentContent>()

  constructor(
    private readonly context: Context, private readonly words: FormWords, private readonly flowId: string,
    private readonly version: FlowVersion,
    private readonly known: { readonly documents: readonly ConsentDocument[], readonly sites: readonly StudySite[] },
    mayEdit: boolean, private problems: readonly Problem[],
  ) {
    this.held = { message: version.definition as Message | undefined ?? {} }
    this.content = root(this.held)
    this.locale = nameOf(this.held.message, "defaultLocale") || "en"
    this.shown = nameOf(entries(this.content, "steps")[0] ?? {}, "id")
    if (mayEdit) {
      this.draft = new Draft(context, version.revision ?? 0, (expectedRevision) => {
        const request = { flowId, expectedRevision, definition: this.held.message as FlowDefinition }
        return (key) => context.calls.make(FlowService.updateFlowDraft, request, key)
      }, (found) => {
        this.problems = found
        this.list()
        this.judge()
      })
    }
    this.panel.disabled = !mayEdit
    this.sections = new Sections(context.words, {
      choose: (id) => this.show(id, "card"), move: (from, to) => this.move(from, to) })
    this.draw()
  }

  get revision(): number {
    return this.draft?.revision ?? this.version.revision ?? 0
  }

  request() {
    return { flowId: this.flowId, expectedRevision: this.revision, definition: this.held.message as FlowDefinition }
  }

  private get steps(): readonly Message[] {
    return entries(this.content, "steps")
  }

  private show(id: string, focus: string): void {
    this.shown = id
    this.draw(focus)
    this.panel.scrollIntoView({ block: "start" })
  }

  private changed = (): void => {
    this.draft?.changed()
    this.list()
  }

  private draw(focus?: string): void {
    const { words, draft } = this
    const step = this.steps.find((each) => nameOf(each, "id") === this.shown)
    const kind = step && kindOf(step)
    this.sheet = new Sheet({
      words, common: this.context.words, locale: this.locale, changed: this.changed,
      redraw: (wanted) => this.draw(wanted),
    })
    const around = this.around(this.shown)
    this.panel.replaceChildren(...step && kind ? this.step(step, kind, around)
      : [make("h2", {}, words.topics.flow), ...this.sheet.draw(flowParts(around), sidesOf(this.content))])
    this.element.replaceChildren(make("div", { class: "row wrap" }, this.languages(), ...draft ? [draft.status] : []),
      ...draft ? [draft.fault] : [], this.rest, make("div", { class: "cols flow" }, this.side, this.panel))
    this.list()
    this.judge()
    if (focus === "card") this.sections.focus()
    else if (focus) focusOn(this.element, focus)
  }

  private step(step: Message, kind: StepKind, around: Surroundings): HTMLElement[] {
    const { words, sheet } = this
    const { edit } = this.context.words
    const { steps } = this
    const id = nameOf(step, "id")
    const at = steps.findIndex((each) => nameOf(each, "id") === id)
    const sides = sidesOf(entry(this.content, "steps", "id", id))
    const remove = () => {
      const left = steps.filter((_, index) => index !== at)
      this.content.set(put(this.content.get(), "steps", left))
      this.draft?.changed()
      this.show(nameOf(left[Math.max(0, at - 1)] ?? {}, "id"), "card")
    }
    const way = (by: number, label: string, name: string) => button({
      class: "btn s", id: `step-${name}`, disabled: !steps[at + by] },
    () => this.move(at, at + by, `step-${name}`), label)
    return [
      make("h2", {}, this.titleOf(step)),
      make("div", { class: "row wrap" }, way(-1, edit.up, "up"), way(1, edit.down, "down"),
        button({ class: "btn s" }, remove, icon("bin"), edit.remove)),
      ...sheet!.draw(stepParts(kind, around, words), sides),
      make("h3", {}, words.topics.condition),
      make("p", { class: "dim" }, conditionInWords(step["condition"] as StepCondition | undefined, around, words,
        this.context.locale)),
      ...sheet!.draw(conditionParts(around), sides)]
  }

  /** The list of steps, each with its condition in words. */
  private list(): void {
    const { words, steps } = this
    const { locale } = this.context
    const cards = steps.map((step) => {
      const id = nameOf(step, "id")
      const condition = step["condition"] as StepCondition | undefined
      return {
        id, title: this.titleOf(step), isWrong: this.problems.some(({ field = "" }) => field.includes(`steps[${id}]`)),
        ...condition ? { note: conditionInWords(condition, this.around(id), words, locale) } : {},
      }
    })
    const isFocused = this.side.contains(document.activeElement)
    this.side.replaceChildren(make("h2", {}, words.topics.steps),
      ...steps.length === 0 ? [empty(words.flow.noSteps, words.flow.noStepsWhy)] : [],
      this.sections.draw(cards, this.shown), ...this.draft ? [this.adding()] : [],
      button({ class: "sec", "aria-current": this.shown ? undefined : "true" }, () => this.show("", "card"),
        words.topics.flow))
    if (isFocused) this.sections.focus()
  }

  private adding(): HTMLElement {
    const { words } = this
    const choice = make("select", { class: "in s", "aria-label": words.steps.kind },
      ...kinds.map((kind) => make("option", { value: kind }, words.steps[kind])))
    const add = () => {
      const kind = choice.value as StepKind
      const id = free(this.steps, "id", kind)
      // The end stays the end.
      const last = this.steps.at(-1)
      const isBefore = kind !== "completion" && last && kindOf(last) === "completion"
      const at = this.steps.length - (isBefore ? 1 : 0)
      const steps = [...this.steps]
      steps.splice(at, 0, { id, [kind]: fresh(kind, this.around(id)) })
      this.content.set(put(this.content.get(), "steps", steps))
      this.draft?.changed()
      this.show(id, "card")
    }
    return make("div", { class: "row wrap" }, choice,
      button({ class: "btn s" }, add, icon("plus"), words.add.steps))
  }

  private move(from: number, to: number, focus = "card"): void {
    const steps = [...this.steps]
    if (!this.draft || !steps[from] || !steps[to]) return
    steps.splice(to, 0, ...steps.splice(from, 1))
    this.content.set(put(this.content.get(), "steps", steps))
    this.draft.changed()
    this.show(nameOf(steps[to]!, "id"), focus)
  }

  /** The languages of the flow's own words. */
  private languages(): HTMLElement {
    const { words } = this
    const found = JSON.stringify(this.held.message).matchAll(/"locale":"([^"]+)"/g)
    const all = [...new Set([nameOf(this.held.message, "defaultLocale"), this.locale, ...[...found]
      .map(([, locale = ""]) => locale)])].filter(Boolean)
    const choice = make("select", { class: "in s", "aria-label": this.context.words.documents.language },
      ...all.map((each) => make("option", { value: each }, each)))
    choice.value = this.locale
    const choose = (locale: string) => {
      this.locale = locale
      this.draw()
    }
    choice.addEventListener("change", () => choose(choice.value))
    const tag = make("input", { class: "in s", dir: "ltr", autocomplete: "off", placeholder: "de-AT", required: true,
      "aria-label": this.context.words.translate.tag })
    const form = make("form", { class: "row" }, tag, make("button", { class: "btn s" }, icon("plus"),
      words.flow.addLanguage))
    form.addEventListener("submit", (event) => {
      event.preventDefault()
      choose(tag.value.trim())
    })
    return make("div", { class: "row wrap" }, choice, ...this.draft ? [form] : [])
  }

  private titleOf(step: Message): string {
    const kind = kindOf(step)
    if (!kind) return nameOf(step, "id")
    const { documentId, title, pages } = step[kind] as {
      documentId?: string, title?: unknown, pages?: readonly { title?: unknown }[] }
    const about = documentId ? this.known.documents.find((each) => each.documentId === documentId)?.name || documentId
      : this.said(title ?? pages?.[0]?.title)
    return about ? `${this.words.steps[kind]}: ${about}` : this.words.steps[kind]
  }

  private said(text: unknown): string {
    const all = translations(text)
    return (all.find(({ locale }) => locale === this.locale) ?? all[0])?.text ?? ""
  }

  /** What the step of this name can speak of. */
  private around(id: string): Surroundings {
    const { documents, sites } = this.known
    const at = this.steps.findIndex((each) => nameOf(each, "id") === id)
    const before = this.steps.slice(0, Math.max(0, at)).flatMap((step) => {
      const { documentId, questions = [] } = (step["question"] ?? { documentId: "none" }) as {
        documentId?: string, questions?: readonly Message[] }
      const asked = documentId ? [] : questions.map((each) => this.asked(each))
        .filter(({ kind }) => ["SINGLE", "MULTIPLE", "BOOLEAN", "NUMBER", "SCALE"].includes(kind))
      return asked.length > 0 ? [{ id: nameOf(step, "id"), title: this.titleOf(step), questions: asked }] : []
    })
    return {
      documents: documents.map(({ documentId = "", name }): Option => [documentId, name || documentId]),
      sites: sites.map(({ siteId = "", name }): Option => [siteId, name || siteId]),
      sectionsOf: (documentId) => this.sectionsOf(documentId), before,
    }
  }

  private asked(question: Message): Asked {
    const { kind = "", choices = [] } = (question["definition"] ?? {}) as {
      kind?: string, choices?: readonly Message[] }
    const texts = (question["choices"] ?? []) as readonly { choiceId?: string, text?: unknown }[]
    return {
      id: nameOf(question, "definition.id"), title: this.said(question["prompt"]) || nameOf(question, "definition.id"),
      kind: kind.replace("QUESTION_KIND_", ""),
      choices: choices.map((each): Option => {
        const id = nameOf(each, "id")
        return [id, this.said(texts.find(({ choiceId }) => choiceId === id)?.text) || id]
      }),
    }
  }

  /** The sections of a document that have a screen; they come when they come. */
  private sectionsOf(documentId: string): readonly Option[] {
    const content = this.contents.get(documentId)
    if (!content && documentId) {
      this.contents.set(documentId, {})
      void this.context.calls.make(DocumentService.getDocument, { documentId }).then(({ version }) => {
        this.contents.set(documentId, version?.content ?? {})
        if (!this.panel.contains(document.activeElement)) this.draw()
      }, () => undefined)
    }
    const texts = content?.texts?.find(({ locale }) => locale === this.locale) ?? content?.texts?.[0]
    return (content?.settings?.sections ?? []).filter(({ type }) => type !== "SECTION_TYPE_ONLY_IN_DOCUMENT")
      .map(({ id = "" }): Option => [id, texts?.sections?.find(({ sectionId }) => sectionId === id)?.title || id])
  }

  private judge(): void {
    const others = this.sheet?.judge(this.problems).filter(({ field = "" }) => !field.includes("steps[")) ?? []
    this.rest.replaceChildren(...others.map(({ message = "" }) => note("warn", message.replace(/^[a-z_]+: /, ""))))
  }
}

/** A flow's words stand beside what they are of. */
function sidesOf(spot: Spot): Sides {
  return { spot, text: spot, all: [spot] }
}
