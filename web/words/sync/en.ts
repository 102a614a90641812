/** What the element of a sync says besides what the server does, in English. */
export const en = {
  recorded: "Recorded on {time}",
  anew: "It cannot be done as it is any more. Do it anew if you still want it, and then take this away.",
  done: "Done: {what}",
  stands: "What was there stays: {what}",
  discarded: "Discarded, which is on record: {what}",
  still: "It still cannot be done.",
  waits: "It could not be tried now. It is still here: try again later.",
  gone: "This was decided elsewhere meanwhile: {what}",
  askTitle: "Discard this for good?",
  askText: "It will not be done, and cannot be brought back. That you discarded it stays on record.",
  keep: "Keep It",
  discard: "Discard for Good",
  away: "The server cannot be reached. Nothing is lost.",
  failed: "That did not work. Nothing is lost.",
  tryAgain: "Try Again",
}

export type SyncWords = { [key in keyof typeof en]: string }
