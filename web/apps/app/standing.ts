import { make } from "../../elements/dom.js"
import type { Kept, Standing } from "../../offline/kept.js"
import { filled } from "../../words/language.js"
import type { AppWords } from "./words.js"

const steps: Readonly<Record<string, keyof AppWords>> = {
  BLOCKED_STEP_SIGN_IN: "needsSignIn", BLOCKED_STEP_UNLOCK: "needsUnlock", BLOCKED_STEP_INVITE: "needsInvite",
}

/** What waits on this device, for whom, and what was sent; it follows whatever changes. */
export class StandingPanel {
  readonly element = make("section", { hidden: true, "aria-labelledby": "standing" })
  private readonly list = make("ul", {})
  private readonly problem = make("p", { role: "alert" })
  private readonly follow = () => void this.show()

  /** @param saysSteps - whether nothing beside it says who has to act */
  constructor(
    private readonly kept: Kept, private readonly words: AppWords, private readonly locale: string,
    private readonly saysSteps: boolean,
  ) {
    this.element.append(make("h2", { id: "standing" }, words.onDevice), this.problem, this.list)
    kept.addEventListener("change", this.follow)
    this.follow()
  }

  end(): void {
    this.kept.removeEventListener("change", this.follow)
  }

  private async show(): Promise<void> {
    const all = await this.kept.standing()
    this.element.hidden = all.length === 0
    this.problem.textContent = this.kept.isRefused ? this.words.failed : ""
    this.list.replaceChildren(...all.map((each) => this.row(each)))
  }

  private row({ name, waiting, sent }: Standing): HTMLElement {
    const { words } = this, said: string[] = []
    const say = (sentence: string, values: Record<string, string> = {}) => said.push(filled(sentence, values))
    if (waiting?.count) {
      say(words.notSent, { count: `${waiting.count}` })
      const step = this.saysSteps && sent?.step && steps[sent.step]
      if (step) say(words[step], { name })
    }
    if (waiting?.refused) say(words.refused, { count: `${waiting.refused}` })
    if (sent?.toDecide) say(words.toDecide, { count: `${sent.toDecide}`, name })
    if (sent?.count) {
      const date = new Intl.DateTimeFormat(this.locale, { dateStyle: "long", timeStyle: "short" })
      say(words.sent, { count: `${sent.count}`, date: date.format(new Date(sent.at)) })
    }
    return make("li", {}, make("p", {}, make("b", {}, name), ...said.map((each) => make("small", {}, each))))
  }
}
