import type { SyncWords } from "./en.js"

export const words: SyncWords = {
  recorded: "Enregistré le {time}",
  anew: "Cela ne peut plus se faire ainsi. Refaites-le si vous le voulez encore, puis retirez ceci.",
  done: "Fait : {what}",
  stands: "Ce qui était là reste : {what}",
  discarded: "Abandonné, et c’est consigné : {what}",
  still: "Cela ne peut toujours pas se faire.",
  waits: "Cela n’a pas pu être essayé maintenant. C’est toujours ici : réessayez plus tard.",
  gone: "Cela a été décidé ailleurs entre-temps : {what}",
  askTitle: "Abandonner ceci pour de bon ?",
  askText: "Ce ne sera pas fait et ne pourra pas être récupéré. Il reste consigné que vous l’avez abandonné.",
  keep: "Garder",
  discard: "Abandonner pour de bon",
  away: "Le serveur est injoignable. Rien n’est perdu.",
  failed: "Cela n’a pas marché. Rien n’est perdu.",
  tryAgain: "Réessayer",
}
