import type { Words } from "../../words/console/words.js"
import { chip, named, type Tone } from "./marks.js"

const tones: Record<string, Tone> = {
  in_force: "ok", awaiting_signatures: "warn", needs_attention: "bad", reconsent_due: "warn", expired: "warn",
  published: "ok", awaiting_approval: "warn", stopped: "bad", usable: "ok", failed: "bad", sealed: "ok",
}

/** The state of a record, a version, an invitation or a copy, in a word. */
export function stateChip({ states }: Words, state: string | undefined): HTMLElement | string {
  const plain = (state ?? "").replace(/^(RECORD|VERSION|INVITATION|SIGNED_COPY)_STATE_/, "").toLowerCase()
  return plain ? chip(named(states, "", plain), tones[plain] ?? "", (tones[plain] ?? "") === "" ? "clock" : undefined)
    : ""
}
