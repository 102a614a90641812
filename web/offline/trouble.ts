import { refusal } from "./answers.js"
import { type Change, commit } from "./database.js"

/** Why something could not be kept. */
export type Trouble = "storage_full" | "storage_failed"

/** Is told of what could not be kept, and when something could again. */
export type Troubled = (trouble: Trouble | undefined) => void

/** Commits, or says why not; nothing has changed then, and whoever is patient tries again. */
export async function stored(troubled: Troubled, ...changes: Change[]): Promise<void> {
  try {
    await commit(...changes)
    troubled(undefined)
  } catch (problem) {
    const trouble = (problem as { name?: string }).name === "QuotaExceededError" ? "storage_full" : "storage_failed"
    troubled(trouble)
    throw refusal("resource_exhausted", trouble)
  }
}
