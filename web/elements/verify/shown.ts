import type { Finding } from "../../evidence/judge.js"
import type { Told } from "../../evidence/told.js"
import { filled } from "../../words/language.js"
import type { VerifyWords } from "../../words/verify/words.js"
import { make } from "../dom.js"
import { icon } from "../session/icons.js"

const icons = { genuine: "shield", erased: "info", changed: "stop", unknown: "info" } as const

/** The verdict in one sentence, what it is about, and how it was found. */
export function shown(finding: Finding, words: VerifyWords, language: string): Node[] {
  return new Answer(finding, words, language).nodes
}

function note(sentence: string): Node {
  return make("p", { class: "note calm" }, icon("info"), make("span", {}, sentence))
}

class Answer {
  private readonly clock: Intl.DateTimeFormat

  constructor(private readonly finding: Finding, private readonly words: VerifyWords, language: string) {
    this.clock = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "long", timeZone: "UTC" })
  }

  get nodes(): Node[] {
    const { finding } = this, { verdict } = finding
    const mark = make("span", { class: `mark ${verdict}` }, icon(icons[verdict]))
    const title = make("h2", { tabindex: "-1", part: "verdict" }, this.title)
    return [
      make("div", { class: "verdict", "data-verdict": verdict, "data-why": finding.why }, mark,
        make("div", {}, title, make("p", { part: "sentence" }, this.sentence))),
      ...this.notes, ...this.facts, ...this.checks,
    ]
  }

  private get notes(): Node[] {
    const { words, finding: { verdict, told, attached } } = this
    return [
      verdict === "changed" ? words.accident : "", attached ? words.attached : "",
      told?.decision === "awaiting" ? words.awaitingNote : "",
      told?.decision === "attention" ? words.attentionNote : "",
    ].filter(Boolean).map(note)
  }

  private get title(): string {
    const { words, finding: { verdict, why } } = this
    switch (verdict) {
      case "genuine": return why === "proven" ? words.genuineEvidence : words.genuineCopy
      case "erased": return words.erasedTitle
      case "changed": return words.changedTitle
      case "unknown": return why === "too-many" ? words.tooManyTitle
        : why === "other-document" ? words.otherTitle : words.cannotTitle
    }
  }

  private get sentence(): string {
    const { words, finding } = this, { told } = finding
    switch (finding.why) {
      case "same": return filled(words.same, { name: this.seal, time: this.time(finding.onRecord?.copy?.sealedAt) })
      case "earlier": return filled(words.earlier, { name: this.seal })
      case "proven": return told ? filled(told.decidedAt ? words.proven : words.undated, {
        title: told.title, decision: this.decision(told), time: this.time(told.decidedAt),
      }) : words.recorded
      case "erased": return words.erased
      case "differs":
      case "altered": return words.changed
      case "unreadable": return words.unreadable
      case "too-large": return words.tooLarge
      case "too-many": return words.tooMany
      case "incomparable": return words.incomparable
      case "no-identifier": return words.noIdentifier
      case "other-document": return filled(words.otherDocument, { identifier: finding.identifier ?? "" })
      case "not-on-record": return words.notOnRecord
      case "no-key": return words.noKey
      case "no-ed25519": return words.noEd25519
      case "away": return words.away
    }
  }

  // MARK: facts

  private get facts(): Node[] {
    const { words, finding: { told, onRecord, title, verdict } } = this
    if (verdict !== "genuine" && verdict !== "erased") return []
    const rows: [string, string[]][] = []
    if (told) {
      const version = told.version ? filled(words.version, { version: `${told.version}` }) : ""
      const name = [told.title, version].filter(Boolean).join(", ")
      rows.push([words.document, [name]], [words.decision, [this.decision(told)]],
        [words.decidedAt, [this.time(told.decidedAt)]])
      if (told.purposes.length) rows.push([words.agreedTo, told.purposes])
      rows.push([words.signedBy, told.signatures.map(({ role, at }) =>
        [role ? words[role] : "", at ? this.time(at) : ""].filter(Boolean).join(", "))])
    } else if (onRecord) {
      rows.push([words.document, [title ?? ""]], [words.sealedBy, [this.seal, onRecord.copy?.level ?? ""]])
      if (onRecord.participantCopy) rows.push([words.signedBy, [words.othersSign]])
    }
    rows.push([words.inForce, [words.later]])
    const kept = rows.filter(([, lines]) => lines.some(Boolean))
    const shown = (lines: string[]) => lines.filter(Boolean).map((line) => make("span", {}, line))
    return [make("dl", { class: "facts", part: "facts" }, ...kept.map(([name, lines]) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, ...shown(lines)))))]
  }

  private decision({ decision }: Told): string {
    return this.words[decision === "erased" ? "erasedDecision" : decision]
  }

  /** Whose the seal is: of a distinguished name, what people call it. */
  private get seal(): string {
    const name = this.finding.onRecord?.copy?.sealedBy ?? ""
    const [, quoted, bare] = /\bCN\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^,+]+))/.exec(name) ?? []
    return quoted?.replace(/\\(.)/g, "$1") ?? bare?.trim() ?? name
  }

  private time(time: Date | string | undefined): string {
    const date = time === undefined ? undefined : new Date(time)
    return date && !Number.isNaN(date.valueOf()) ? this.clock.format(date) : ""
  }

  // MARK: how it was found

  private get checks(): Node[] {
    const { words, finding: { verdict } } = this, lines = this.lines
    if (!lines.length) return []
    const summary = make("summary", {}, verdict === "changed" ? words.whatDiffers : words.howChecked)
    const list = make("ul", {}, ...lines.map(({ isGood, text }) => make(
      "li", { class: isGood ? "ok" : "bad" }, icon(isGood ? "shield" : "stop"), make("span", {}, text))))
    const details = make("details", { part: "checks" }, summary, list)
    details.open = verdict === "changed"
    return [details]
  }

  private get lines(): { isGood: boolean, text: string }[] {
    const { words, finding: { hash = "", onRecord, report, why } } = this
    if (onRecord) {
      const isGood = why === "same" || why === "earlier"
      const text = isGood ? words.sameHash : why === "differs" ? words.otherHash : ""
      return text ? [{ isGood, text: filled(text, { hash }) }] : []
    }
    if (!report) return []
    if (report.problems.length) return report.problems.slice(0, 100).map((text) => ({ isGood: false, text }))
    // One that is there was compared: another one would be a problem.
    const hasCopy = report.commitments.some(({ label }) => label === "signed copy")
    return report.logs.flatMap(({ origin, size, shownAtMs }) => [
      ...report.isUnknownSigner ? [] : [filled(words.signedLog, { log: origin })],
      filled(words.asOf, { log: origin, number: `${size}`, time: this.time(new Date(Number(shownAtMs))) }),
    ]).concat(hash && hasCopy ? filled(words.copyProven, { hash }) : []).map((text) => ({ isGood: true, text }))
  }
}
