import { type Code, StatusError } from "../../clients/typescript/src/status.js"

const away: readonly Code[] = ["unavailable", "deadline_exceeded", "aborted"]

/** Whether a call failed since the server is away: trying again may help. */
export function isAway(problem: unknown): boolean {
  return problem instanceof StatusError && away.includes(problem.code)
}
