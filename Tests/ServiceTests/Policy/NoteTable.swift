import Storage

/// The tables of the tests: notes, and an event for each.
enum NoteTable {
  static let migrations = [
    Migration(
      1, "notes",
      "CREATE TABLE notes (tenant TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (tenant, id))")
  ]

  static let insert = Statement("note.insert", "INSERT INTO notes (tenant, id, body) VALUES ({tenant}, ?, ?)")
  static let list = Statement(
    "note.list", "SELECT id, body FROM notes WHERE tenant = {tenant} AND {after id} ORDER BY id LIMIT {limit}")
  static let other = Statement(
    "note.other", "SELECT id FROM notes WHERE tenant = {tenant} AND {after id} ORDER BY id LIMIT {limit}")

  static let statements = [insert, list, other]
}

extension EventType<String> {
  static let noted = EventType("noted", encode: { Array($0.utf8) }, decode: { String(decoding: $0, as: UTF8.self) })
  static let other = EventType("other", encode: { Array($0.utf8) }, decode: { String(decoding: $0, as: UTF8.self) })
}

extension Transaction {
  /// Stores a note, with an event.
  func keep(_ id: String, _ body: String = "") throws {
    try run(NoteTable.insert, id, body)
    try append(.noted, id, to: "notes")
  }
}

extension Snapshot {
  func notes() throws -> [String] {
    try page(NoteTable.list, after: nil, limit: 1000).rows.map { try $0.get("id") }
  }
}
