import { StatusError } from "../../../clients/typescript/src/status.js"
import type { ErrorInfo } from "../../../clients/typescript/src/contract/common_v1.js"
import { isAway } from "../../session/away.js"

/** Why a call failed: the rule, the field of the request, and the sentence for people. */
export interface Refusal {
  readonly rule: string
  readonly field: string
  readonly message: string
  /** Trying again may help. */
  readonly isAway: boolean
}

export function refusalOf(problem: unknown): Refusal {
  if (!(problem instanceof StatusError)) throw problem
  const detail = problem.details.find(({ type }) => type === "assent.common.v1.ErrorInfo")
  const { rule = problem.rule, field = "", message = problem.message } = (detail?.debug ?? {}) as ErrorInfo
  return { rule: rule || problem.code, field, message, isAway: isAway(problem) && problem.rule === "" }
}
