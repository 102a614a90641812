import type { SyncWords } from "./en.js"

export const words: SyncWords = {
  recorded: "Aufgenommen am {time}",
  anew: "So lässt es sich nicht mehr ausführen. Tun Sie es neu, wenn Sie es noch wollen, und nehmen Sie dies dann weg.",
  done: "Ausgeführt: {what}",
  stands: "Was da war, bleibt: {what}",
  discarded: "Verworfen, und das ist festgehalten: {what}",
  still: "Es lässt sich noch immer nicht ausführen.",
  waits: "Es ließ sich gerade nicht versuchen. Es ist noch hier: Versuchen Sie es später noch einmal.",
  gone: "Das wurde inzwischen anderswo entschieden: {what}",
  askTitle: "Dies endgültig verwerfen?",
  askText: "Es wird nicht ausgeführt und lässt sich nicht zurückholen. Dass Sie es verworfen haben, bleibt festgehalten.",
  keep: "Behalten",
  discard: "Endgültig verwerfen",
  away: "Der Server ist nicht zu erreichen. Nichts ist verloren.",
  failed: "Das hat nicht geklappt. Nichts ist verloren.",
  tryAgain: "Noch einmal",
}
