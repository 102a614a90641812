import {
  DocumentService, type ConsentDocument, type DocumentContent, type DocumentVersion, type DocumentVersionSummary,
  type Problem,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { button, make } from "../../elements/dom.js"
import { save } from "../../elements/save.js"
import { fragment } from "../../elements/session/markup.js"
import { formWords, type FormWords } from "../../words/forms/words.js"
import { fetched, filled } from "../../words/language.js"
import { refusalOf } from "../access/refusal.js"
import { labelOf } from "../forms/labels.js"
import { saying } from "../forms/sheet.js"
import type { Context, Opener } from "../context.js"
import { icon } from "../icons.js"
import { calling } from "../parts/act.js"
import { callPanel } from "../parts/call.js"
import { changes } from "../parts/changes.js"
import { ask } from "../parts/dialog.js"
import { files } from "../parts/files.js"
import { flowButton } from "../parts/flow-of.js"
import { chip, code, counted, Dates, heading, note, panel } from "../parts/marks.js"
import { explained } from "../parts/refused.js"
import { stateChip } from "../parts/states.js"
import { table, type Column } from "../parts/table.js"
import { versionActs } from "../parts/versions.js"
import { written } from "../shell/address.js"

/** A document: its draft and what still prevents publishing, its versions, and how it reads. */
export const open: Opener = async (context) => {
  const { address, calls, words, rights, study } = context
  const documentId = address.id
  const { document = {}, version: published } = await calls.make(DocumentService.getDocument, { documentId })
  const place = { study: document.studyId }
  const maySee = rights.may(DocumentService.listDocumentVersions, place)
  const { draftVersion } = document
  const [{ version: draft }, { versions = [] }, { problems = [] }] = await Promise.all([
    draftVersion && maySee ? calls.make(DocumentService.getDocument, { documentId, version: draftVersion })
      : { version: undefined },
    maySee ? calls.make(DocumentService.listDocumentVersions, { documentId, pageSize: 100 }) : { versions: [] },
    draftVersion && maySee && rights.may(DocumentService.validateDocument, place)
      ? calls.make(DocumentService.validateDocument, { documentId }) : { problems: [] }])
  const shown = draft ?? published
  const compared = changes(context, document, versions)
  const { words: forms } = await fetched(context.locale, formWords)
  const standing = (now: ConsentDocument, draft: DocumentVersion | undefined) =>
    [now.draftVersion, now.publishedVersion, draft?.revision, draft?.state].join()
  /** Somebody else may have approved, published or written meanwhile. */
  const refresh = async () => {
    const { document: now = {} } = await calls.make(DocumentService.getDocument, { documentId })
    const { version } = now.draftVersion && maySee
      ? await calls.make(DocumentService.getDocument, { documentId, version: now.draftVersion })
      : { version: undefined }
    if (standing(now, version) !== standing(document, draft)) await context.again()
  }
  return {
    title: document.name || documentId, refresh,
    content: [make("div", { class: "stack" },
      heading(document.name || documentId, ...acts(context, document, draft)),
      make("p", {}, code(documentId)),
      ...draft ? drafting(context, forms, document, draft, problems, versions) : [],
      panel(words.document.versions, versionTable(context, document, versions)),
      ...published?.versionHash ? [hashes(context, published)] : [],
      ...compared ? [compared] : [],
      ...rights.may(DocumentService.previewDocument, place) && shown
        ? [preview(context, forms, documentId, shown)] : [],
      callPanel(context, () => [{ method: DocumentService.getDocument, request: { documentId } },
        ...study ? [{ method: DocumentService.listDocumentVersions, request: { documentId } }] : []]))],
  }
}

function acts(context: Context, document: ConsentDocument, draft: DocumentVersion | undefined): Node[] {
  const { words, rights, again } = context
  const documentId = document.documentId ?? ""
  const place = { study: document.studyId }
  const found: Node[] = []
  if (rights.may(DocumentService.exportDocument, place)) {
    found.push(calling(context, { class: "btn s" }, DocumentService.exportDocument, {
      documentId, version: document.draftVersion ?? 0,
    }, ({ file }) => save(`${documentId}.json`, "application/json", JSON.stringify(file, null, 2)), icon("save"),
    words.document.export))
  }
  if (!draft && rights.may(DocumentService.createDocumentDraft, place)) {
    found.push(calling(context, { class: "btn s" }, DocumentService.createDocumentDraft, { documentId }, again,
      icon("pen"), words.document.newDraft))
  }
  found.push(...flowButton(context, document))
  if (draft && rights.may(DocumentService.updateDocumentDraft, place)) {
    found.push(make("a", { class: "btn s", href: written("edit", documentId, { study: document.studyId }) },
      icon("pen"), words.document.edit))
  }
  if (rights.may(DocumentService.setDocumentTranslation, place)) {
    found.push(make("a", { class: "btn s", href: written("translate", documentId, { study: document.studyId }) },
      words.translate.title))
  }
  return found
}

/** What still prevents publishing, and the way to publish: by two where the study asks for a second person. */
function drafting(context: Context, forms: FormWords, document: ConsentDocument, draft: DocumentVersion,
  problems: readonly Problem[], versions: readonly DocumentVersionSummary[]): Node[] {
  const { words, rights, person, study, again, tell } = context
  const documentId = document.documentId ?? ""
  const place = { study: document.studyId }
  const errors = problems.filter(({ severity }) => severity === "PROBLEM_SEVERITY_ERROR")
  const waits = draft.state === "VERSION_STATE_AWAITING_APPROVAL"
  const isMine = draft.publishedBy === person.id
  const reconsent = (draft.content?.settings?.reconsent ?? "").replace("RECONSENT_POLICY_", "").toLowerCase()
  const publish = button({ class: "btn s go", disabled: errors.length > 0 || (waits && isMine) }, () => ask(context, {
    title: filled(waits ? words.document.approveTitle : words.document.publishTitle,
      { version: String(draft.version) }),
    sentence: [...document.publishedVersion ? [words.document.effect[reconsent] ?? "", inForce(context, versions)] : [],
      !waits && study?.secondPerson ? words.document.needsSecond : ""].join(" ").trim(),
    stays: words.document.publishStays,
    plan: {
      label: waits ? words.document.approve : words.document.publish, method: DocumentService.publishDocumentDraft,
        fields: [],
      request: () => ({ documentId, expectedRevision: draft.revision ?? 0 }),
      done: ({ version }) => {
        tell(version?.state === "VERSION_STATE_AWAITING_APPROVAL" ? words.document.waits : words.document.isPublished)
        return again()
      },
    },
  }), waits ? words.document.approve + "…" : words.document.publish + "…")
  const discard = button({ class: "btn s" }, () => ask(context, {
    title: words.document.discardTitle, destroyed: words.document.discardDestroyed, stays: words.document.discardStays,
    plan: { label: words.document.discard, method: DocumentService.discardDocumentDraft, destroys: true, fields: [],
      request: () => ({ documentId, expectedRevision: draft.revision ?? 0 }), done: () => again() },
  }), words.document.discard + "…")
  return [make("section", { class: "panel stack" },
    make("div", { class: "row wrap" }, make("h2", { class: "grow" },
      filled(words.document.draftOf, { version: String(draft.version) })),
      stateChip(words, draft.state), ...rights.may(DocumentService.publishDocumentDraft, place) ? [publish] : [],
      ...rights.may(DocumentService.discardDocumentDraft, place) ? [discard] : []),
    ...waits ? [note("warn", isMine ? words.document.waitsMine
      : filled(words.document.waitsOther, { person: draft.publishedBy ?? "" }))] : [],
    ...problems.length === 0 ? [chip(words.document.noProblems, "ok")] : [problemList(context, forms, problems)])]
}

/** How many people publishing concerns. */
function inForce(context: Context, versions: readonly DocumentVersionSummary[]): string {
  const people = versions.reduce((sum, { counts }) => sum + (counts?.inForce ?? 0), 0)
  return counted(context, people, context.words.document.concerned, context.words.document.concernedMany)
}

/** Names fields as the forms do, in which they are put right. */
function problemList({ words, locale }: Context, forms: FormWords, problems: readonly Problem[]): HTMLElement {
  return make("ul", { class: "plain stack" }, ...problems.map((problem) => {
    const { severity, field = "", rule = "" } = problem
    const tone = severity === "PROBLEM_SEVERITY_ERROR" ? "bad" : severity === "PROBLEM_SEVERITY_WARNING" ? "warn" : ""
    const named = labelOf(field, forms, locale)
    return make("li", { class: "row top" }, chip(words.document.severity[tone || "info"]!, tone),
      make("span", { class: "grow" }, saying(problem, named?.label), make("br"),
        make("span", { class: "small dim" }, ...named ? [[named.topic, ...named.of].join(" · ")] : [code(field)], " · ",
          code(rule))))
  }))
}

function versionTable(context: Context, document: ConsentDocument,
  versions: readonly DocumentVersionSummary[]): HTMLElement {
  const { words, locale } = context
  const dates = new Dates(locale)
  const columns: Column<DocumentVersionSummary>[] = [
    { title: words.records.version, cell: ({ version }) => String(version) },
    { title: words.records.state, cell: ({ state, endedReason = "" }) => make("span", {}, stateChip(words, state), " ",
      endedReason) },
    { title: words.document.locales, cell: ({ locales = [] }) => locales.join(", "), isMinor: true },
    { title: words.figures.inForce, cell: ({ counts }) => String(counts?.inForce ?? 0) },
    { title: words.document.publishedAt, cell: ({ publishedAt }) => dates.time(publishedAt), isMinor: true },
    { title: words.staff.acts, isActs: true, cell: ({ version = 0, state }) => make("span", { class: "row wrap" },
      ...versionActs(context, { documentId: document.documentId ?? "", version, state,
        isOtherPublished: !!document.publishedVersion, study: document.studyId })) },
  ]
  return make("div", { class: "stack" }, table(words.document.versions, columns, versions),
    make("div", { class: "row" }, files(context, `${document.documentId}-versions`, columns, () => versions)))
}

function hashes({ words }: Context, version: DocumentVersion): HTMLElement {
  return panel(filled(words.document.hashOf, { version: String(version.version) }),
    make("p", { class: "wraps" }, code(version.versionHash ?? "")),
    make("p", { class: "dim small" }, filled(words.document.publishedBy, { person: version.publishedBy ?? "" }),
      ...version.approvedBy ? [" ", filled(words.document.approvedBy, { person: version.approvedBy })] : []))
}

/** What people allow and sign with the document, of which the text itself says nothing. */
function asked({ words }: Context, forms: FormWords, content: DocumentContent | undefined, locale: string): Node[] {
  const text = content?.texts?.find((each) => each.locale === locale)
  const { purposes = [], signatures = [] } = content?.settings ?? {}
  const list = (title: string, entries: readonly string[]) => entries.length === 0 ? []
    : [make("h3", {}, title), make("ul", { lang: locale, dir: "auto" }, ...entries.map((each) => make("li", {}, each)))]
  return [
    ...list(forms.topics.purposes, purposes.map(({ code = "", optional }) => {
      const title = text?.purposes?.find(({ purposeCode }) => purposeCode === code)?.title || code
      return optional ? `${title} (${words.document.optional})` : title
    })),
    ...list(forms.topics.signatures, signatures.map(({ id = "" }) => {
      const { title, meaning } = text?.signatures?.find(({ signatureId }) => signatureId === id) ?? {}
      return [title || id, meaning].filter(Boolean).join(": ")
    }))]
}

/** The document as people read it at the end of a session, in each of its languages. */
function preview(context: Context, forms: FormWords, documentId: string, { version = 0, content }: DocumentVersion):
HTMLElement {
  const { calls, words } = context
  const locales = (content?.texts ?? []).map(({ locale = "" }) => locale)
  const choice = make("select", { class: "in s", "aria-label": words.documents.language },
    ...locales.map((locale) => make("option", { value: locale }, locale)))
  choice.value = content?.defaultLocale ?? locales[0] ?? ""
  const paper = make("article", { class: "paper", tabindex: "0", role: "region", "aria-label": words.document.preview })
  const rest = make("div", { class: "stack" })
  const load = async () => {
    rest.replaceChildren(...asked(context, forms, content, choice.value))
    try {
      const { review } = await calls.make(DocumentService.previewDocument,
        { documentId, version, locale: choice.value })
      paper.lang = review?.locale ?? ""
      paper.dir = review?.rightToLeft ? "rtl" : "ltr"
      paper.replaceChildren(fragment(review?.html ?? "", (image) => image.remove()))
    } catch (problem) {
      paper.replaceChildren(note("bad", ...explained(refusalOf(problem), words)))
    }
  }
  choice.addEventListener("change", () => void load())
  void load()
  return panel(words.document.preview, make("div", { class: "row" }, choice), paper, rest)
}
