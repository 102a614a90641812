import type { SyncWords } from "./en.js"

export const words: SyncWords = {
  recorded: "Registrado el {time}",
  anew: "Ya no se puede hacer tal como está. Hágalo de nuevo si aún lo quiere, y después quite esto.",
  done: "Hecho: {what}",
  stands: "Lo que había se queda: {what}",
  discarded: "Descartado, y consta así: {what}",
  still: "Todavía no se puede hacer.",
  waits: "No se pudo intentar ahora. Sigue aquí: inténtelo más tarde.",
  gone: "Esto se decidió entretanto en otro lugar: {what}",
  askTitle: "¿Descartar esto para siempre?",
  askText: "No se hará y no se podrá recuperar. Consta que usted lo descartó.",
  keep: "Conservarlo",
  discard: "Descartar para siempre",
  away: "No se puede llegar al servidor. No se ha perdido nada.",
  failed: "No ha funcionado. No se ha perdido nada.",
  tryAgain: "Intentar de nuevo",
}
