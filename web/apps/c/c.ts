import { Client } from "../../../clients/typescript/src/client.js"
import { SessionService, type SessionView } from "../../../clients/typescript/src/contract/consent_v1.js"
import { StatusError } from "../../../clients/typescript/src/status.js"
import { button, make, set } from "../../elements/dom.js"
import "../../elements/session/assent-session.js"
import { isAway } from "../../session/away.js"
import { clientSchema } from "../../session/walk.js"
import { browserLanguage } from "../../words/language.js"
import { preferred } from "./words.js"

// Whoever reads this has a browser that understands it.
document.getElementById("old")?.remove()

const { tag, words } = preferred()
const page = document.getElementById("page")!
const sessions = new Client({ url: "" }).service(SessionService)

// The link's code reaches no log, and does not stay in the address or the history. It is forgotten with the page.
const code = location.hash.slice(1)
if (code) history.replaceState(null, "", location.pathname)
// Another link that is opened in this tab changes nothing but the fragment.
addEventListener("hashchange", () => location.reload())

set(document.documentElement, { lang: tag, dir: tag === "ar" ? "rtl" : "ltr" })
document.title = words.title

/** Shows something in place of what was there, and moves a screen reader to it. */
function show(...children: Node[]): void {
  page.className = ""
  page.replaceChildren(...children)
  page.focus()
}

function tell(sentence: string, ...children: Node[]): void {
  show(make("p", { role: "status" }, sentence), ...children)
}

/** The sentence about a failure that trying again does not change. */
function sentence(rule: string): string | undefined {
  switch (rule) {
    case "unknown_invitation": return words.unknown
    case "invitation_used_up": return words.usedUp
    case "invitation_revoked": return words.revoked
    case "invitation_expired": return words.expired
    case "too_many_attempts": case "too_many_links": return words.tooMany
    case "credential_missing": case "credential_expired": case "credential_unknown": return words.ended
    default: return undefined
  }
}

/** Does it, and says in words what came of it if it fails. */
async function attempt(work: () => Promise<void>): Promise<void> {
  tell(words.opening)
  try {
    await work()
  } catch (problem) {
    if (!(problem instanceof StatusError)) throw problem
    const known = sentence(problem.rule)
    if (known !== undefined) return tell(known)
    if (problem.rule === "challenge_missing" || problem.rule === "challenge_wrong") {
      return ask(problem.rule === "challenge_wrong", problem.message.includes("birth_date"))
    }
    tell(isAway(problem) ? words.away : words.failed, button({}, () => void attempt(work), words.again))
  }
}

/** Asks for what the invitation asks for besides its code. */
function ask(isWrong: boolean, isBirthDate: boolean): void {
  const field = make("input", isBirthDate
    ? { type: "date", required: true, autocomplete: "bday", max: new Date().toISOString().slice(0, 10) }
    : { type: "text", required: true, autocomplete: "one-time-code", autocapitalize: "characters", maxlength: "64" })
  const form = make(
    "form", {}, make("label", {}, isBirthDate ? words.askBirthDate : words.askCode, field),
    make("button", {}, words.goOn))
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const [year, month, day] = field.value.split("-").map(Number)
    void attempt(() => open(isBirthDate
      ? { birthDate: { year: year!, month: month!, day: day! } } : { toldCode: field.value }))
  })
  if (isWrong) tell(words.wrong, form)
  else show(form)
  field.focus()
}

async function open(answer: Parameters<typeof sessions.openInvitation>[0] = {}): Promise<void> {
  const opened = await sessions.openInvitation({
    link: code, locale: browserLanguage(), clientSchema, ...answer })
  present(opened.session ?? {})
}

/** The session, where it stands. */
function present(view: SessionView): void {
  const { sessionId = "", screen } = view
  // A browser from which it was taken over is told so by the server, and can do no more.
  if (screen?.id === "elsewhere") {
    return show(
      make("h1", { lang: screen.locale ?? tag }, screen.title ?? ""), make("p", { lang: screen.locale ?? tag }, screen.text ?? ""))
  }
  const session = make("assent-session", { session: sessionId, history: true, lang: screen?.locale || tag })
  session.view = view
  session.addEventListener("assent-error", ({ detail }) => {
    const known = detail.problem instanceof StatusError ? sentence(detail.problem.rule) : undefined
    // After the element has said so by itself.
    if (detail.kind === "elsewhere") queueMicrotask(() => void attempt(resume))
    else if (known !== undefined) queueMicrotask(() => tell(known))
  })
  session.addEventListener("assent-way", () => void attempt(leave))
  show(session, make("footer", {}, button({ class: "quiet", lang: tag }, () => void attempt(leave), words.leave)))
  page.className = "walk"
}

/** Goes on with the session that this browser has a cookie for. */
async function resume(): Promise<void> {
  present((await sessions.getSession({ clientSchema })).session ?? {})
}

async function leave(): Promise<void> {
  await sessions.leaveSession({})
  tell(words.left)
}

// Without a cookie the link would be opened, and could not be gone on with.
if (navigator.cookieEnabled) void attempt(code ? open : resume)
else tell(words.noCookies)
