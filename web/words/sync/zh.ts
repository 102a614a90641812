import type { SyncWords } from "./en.js"

export const words: SyncWords = {
  recorded: "记录于 {time}",
  anew: "已无法照原样完成。如果仍然需要,请重新做一次,然后移除此项。",
  done: "已完成:{what}",
  stands: "保留原有内容:{what}",
  discarded: "已放弃,并已记录在案:{what}",
  still: "仍然无法完成。",
  waits: "现在无法尝试。它还在这里:请稍后再试。",
  gone: "其间已在别处作出决定:{what}",
  askTitle: "永久放弃此项?",
  askText: "它不会被执行,也无法恢复。您放弃它一事会留在记录中。",
  keep: "保留",
  discard: "永久放弃",
  away: "无法连接服务器。没有任何内容丢失。",
  failed: "没有成功。没有任何内容丢失。",
  tryAgain: "重试",
}
