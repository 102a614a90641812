import type { StatusError } from "../../../clients/typescript/src/status.js"
import { providerNote } from "../../device/provider.js"
import { isAway } from "../../session/away.js"
import type { AccountWords } from "../../words/accounts/words.js"
import type { Words } from "../../words/console/words.js"

/** Why nobody is let in, in words; undefined for what is not about signing in. */
export function sentenceOf(
  problem: StatusError, { enter, failed }: Words, shared: AccountWords,
): string | undefined {
  const note = providerNote(problem.rule)
  if (note) return shared[note]
  if (isAway(problem)) return failed.away
  switch (problem.rule) {
    case "wrong_passcode": return enter.wrong
    case "too_many_attempts": case "too_many_links": return enter.wait
    case "passcode_must_change": return enter.mustChange
    case "person_locked": return enter.locked
    case "device_wiped": return enter.wiped
    case "unknown_code": case "code_used_up": return enter.badCode
    default: return undefined
  }
}
