import type { SyncWords } from "./en.js"

export const words: SyncWords = {
  recorded: "{time} に記録",
  anew: "このままではもう実行できません。まだ必要ならやり直してから、これを取り除いてください。",
  done: "実行しました: {what}",
  stands: "元の内容のままです: {what}",
  discarded: "破棄し、その記録を残しました: {what}",
  still: "まだ実行できません。",
  waits: "今は試せませんでした。まだここにあります。後でもう一度お試しください。",
  gone: "その間に別の場所で決められました: {what}",
  askTitle: "これを完全に破棄しますか?",
  askText: "実行されず、元に戻すこともできません。破棄したことは記録に残ります。",
  keep: "残す",
  discard: "完全に破棄",
  away: "サーバーに接続できません。何も失われていません。",
  failed: "うまくいきませんでした。何も失われていません。",
  tryAgain: "もう一度",
}
