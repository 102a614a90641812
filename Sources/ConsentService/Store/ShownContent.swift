internal import ConsentContract
internal import ServicePolicy
internal import Storage

/// The content that was shown when a consent was given.
enum ShownContent: Sendable {
  /// A page that this service composed. It names nobody, so it is stored in clear, under its SHA-256.
  case composed([UInt8])
  /// A page that this service composed and that names the person, so it is in the vault, and the record has a salted
  /// commitment to it.
  case named(CommittedBytes)
  /// The text that an app says it showed on screens of its own. It may name the person, so it is in the vault, and the
  /// record has a salted commitment to it.
  case ownText(CommittedBytes)

  static let composedType = "text/html; charset=utf-8"
  /// Plain text, so that no browser renders it as a page.
  static let ownType = "text/plain; charset=utf-8"

  static let label = "shown text"

  /// The name of the vault's item for the text that an app showed for a document in a session.
  static func item(_ sessionID: String, _ documentID: String) -> String { "shown/\(sessionID)/\(documentID)" }

  /// The name of the vault's item for a page that names the person.
  static func namedItem(_ sessionID: String, _ documentID: String) -> String { "named/\(sessionID)/\(documentID)" }
}

extension RecordStore {
  /// The content that was shown for a record that is not on paper. What is in the vault is refused once the subject is
  /// erased.
  static func shown(on record: ConsentRecord, _ snapshot: Snapshot) throws -> ShownContent {
    guard !record.shownHash.isEmpty else {
      let message = "record '\(record.recordID)' is of a form that an app showed without saying in which words"
      throw Refusal(.notFound, "unknown_shown_content", field: "record_id", message)
    }
    if let page = try composed(record.shownHash, snapshot) { return .composed(page) }
    let secrets = try secrets(record.recordID, of: record.subjectID, snapshot)
    func kept(_ item: (String, String) -> String) throws -> CommittedBytes? {
      try snapshot.committed(
        item(record.sessionID, record.documentID), of: record.subjectID, secrets.shownCommitment,
        hash: record.shownHash)
    }
    if record.ownScreens, let text = try kept(ShownContent.item) { return .ownText(text) }
    if let page = try kept(ShownContent.namedItem) { return .named(page) }
    guard secrets.shownCommitment.isEmpty else {
      throw DatabaseError(.corrupt, "the text that was shown for record '\(record.recordID)' is gone: it was removed")
    }
    throw Refusal.notFound("shown content", record.shownHash, field: "record_id")
  }
}
