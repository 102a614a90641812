internal import Base
internal import ServicePolicy
internal import Storage

/// Cursors of changes: opaque to clients, and readable only for the person to whom they were given. What cannot be read
/// was given to somebody else or under another secret, or is made up: then everything is sent anew, and nothing counts
/// as seen.
struct SyncCursor: Sendable {
  private let secret: [UInt8]

  /// Longer than any cursor.
  static let longest = 128

  /// What a cursor stands for: how far a person's download has come.
  struct Place: Sendable {
    var sequence: Int64 = 0
    /// Fields that changed after this number, up to `sequence`, have not been sent; nil: all have.
    var owedAfter: Int64?
    /// While everything is sent from the beginning: the person's last change when that began.
    var fullUntil: Int64?
    /// The end of AccountService's own log when the place was reached; nil: nothing was sent. A log that does not have
    /// it was restored from an earlier backup: there the numbers above stand for other changes.
    var position: EventPosition?
  }

  init(secret: [UInt8]) {
    self.secret = secret
  }

  func text(_ place: Place, person: String, tenant: Tenant) -> String {
    let content = place.content
    return "\(content).\(seal(content, person, tenant))"
  }

  /// The beginning for an empty cursor; nil for one that cannot be read.
  func place(_ text: String, person: String, tenant: Tenant) -> Place? {
    if text.isEmpty { return Place() }
    guard text.utf8.count <= Self.longest, let end = text.lastIndex(of: ".") else { return nil }
    let (content, given) = (String(text[..<end]), Array(text[text.index(after: end)...].utf8))
    return isSame(given, Array(seal(content, person, tenant).utf8)) ? Place(content) : nil
  }

  private func seal(_ content: String, _ person: String, _ tenant: Tenant) -> String {
    let bytes = Array("assent-cursor\n\(tenant.id)\n\(person)\n\(content)\n".utf8) + secret
    return Base64URL.encode(Array(Digest(of: bytes).bytes.prefix(16)))
  }
}

extension SyncCursor.Place {
  /// Whether the database knows this place: one that was restored from an earlier backup may not.
  func isKnown(of person: String, in snapshot: Snapshot) throws -> Bool {
    if let position, try !position.isKnown(in: snapshot) { return false }
    return try sequence <= ChangeStore.bounds(of: person, snapshot).last
  }

  /// The number of the event of the newest withdrawal or denial that the person had seen here; 0: none is known.
  func newestWithdrawal(of person: String, in snapshot: Snapshot) throws -> Int64 {
    try isKnown(of: person, in: snapshot)
      ? ChangeStore.seenWithdrawal(until: sequence, of: person, snapshot) : 0
  }

  /// Whether removals after this place may have been deleted from the list of changes already, so that the reader has
  /// to start again. During a full download only removals since its beginning matter.
  func isBehind(_ floor: Int64) -> Bool { sequence > 0 && max(sequence, fullUntil ?? 0) < floor }

  fileprivate var content: String {
    let numbers = [sequence, owedAfter, fullUntil].map { number in number.map { "\($0)" } ?? "" }
    return (numbers + [position?.token ?? ""]).joined(separator: ".")
  }

  /// nil for a form that no cursor has.
  fileprivate init?(_ content: String) {
    let parts = content.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, let sequence = Int64(parts[0]) else { return nil }
    self.init(
      sequence: sequence, owedAfter: Int64(parts[1]), fullUntil: Int64(parts[2]),
      position: try? EventPosition(token: parts[3]))
  }
}
