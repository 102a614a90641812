// Visits without a connection, as clients/vectors/offline.json has them, whose path is the argument. It ends with the
// first thing that differs.

import Foundation

func wanted<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) {
  guard found != expected else { return }
  print("\(what): \(found), not \(expected)")
  exit(1)
}

func texts(_ value: JSON?) -> [String: String] {
  if case .object(let object)? = value { object.mapValues(\.string) } else { [:] }
}

func check(walk vector: JSON) {
  var walk = OfflineWalk(
    bundle: vector["bundle"] ?? .null, sessionID: vector["session_id"]?.string ?? "",
    subjectID: vector["subject_id"]?.string ?? "")
  let name = vector["name"]?.string ?? ""
  for (index, step) in (vector["steps"]?.elements ?? []).enumerated() {
    let what = "\(name), step \(index)"
    wanted(walk.act(step["does"] ?? .null), step["refused"] != .boolean(true), "\(what): done")
    if let shown = step["shows"] { wanted(walk.screen["id"], shown, "\(what): screen") }
    if let screen = step["screen"] { wanted(walk.screen, screen, "\(what): the whole screen") }
    if let place = step["place"] { wanted(walk.place, place, "\(what): place") }
    wanted(walk.hasEnded, step["ended"] == .boolean(true), "\(what): ended")
  }
  wanted(walk.submission(recordIDs: vector["record_ids"]?.elements ?? []), vector["submits"], "\(name): submission")
}

func check(queue vector: JSON) {
  var queue = OfflineQueue()
  var grants = texts(vector["grants"])
  for (index, step) in (vector["steps"]?.elements ?? []).enumerated() {
    let what = "\(vector["name"]?.string ?? ""), step \(index)"
    for item in step["notes"]?.elements ?? [] { queue.note(item) }
    grants.merge(texts(step["signs_in"])) { $1 }
    if step["begins"] == .boolean(true) { queue.begin() }
    if let sends = step["sends"] {
      var part = queue.next(grants) ?? .null
      if let items = part["items"] { part["items"] = .list(items.elements.map { .text(OfflineQueue.name(of: $0)) }) }
      wanted(part, sends, "\(what): sends")
    }
    let got = step["gets"]?.elements ?? []
    queue.take(got)
    if step["shows"] != nil {
      let shown = got.map { (OfflineQueue.name(of: $0), ItemNotice($0).rawValue) }
      wanted(Dictionary(shown) { $1 }, texts(step["shows"]), "\(what): shows")
    }
    if let keeps = step["keeps"] {
      wanted(queue.kept.map(OfflineQueue.name), keeps.elements.map(\.string), "\(what): keeps")
    }
  }
}

let file = try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
let vectors = try JSONDecoder().decode(JSON.self, from: file)
let (walks, queues) = (vectors["walks"]?.elements ?? [], vectors["queues"]?.elements ?? [])
wanted(!walks.isEmpty && queues.count > 3, true, "that there are vectors")
for vector in walks { check(walk: vector) }
for vector in queues { check(queue: vector) }
print("all visits are as they should be")
