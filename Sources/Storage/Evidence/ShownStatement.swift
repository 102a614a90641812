public import Base

/// The statement that a service signs of what it hands out from a log: at what time and as of which event, the numbers
/// of the events, the rows, each with its newest event, the commitments, and the contents.
///
/// Proofs show that everything in a bundle is in the log, and not that nothing was taken out: without the statement, a
/// row could be shown as an earlier event left it, and the later events left out. Nor do they show that the service
/// ever had some contents: the hash of any text may stand in an event, for instance as an identifier that somebody
/// chose.
struct ShownStatement {
  let log: Checkpoint
  let at: Instant
  let events: [Int64]
  let rows: [EvidenceLog.CommittedRow]
  let commitments: [EvidenceLog.OpenedCommitment]
  let contents: [(name: String, digest: Digest)]

  /// The name in which a log's statements are signed. No tenant's name has a `#`, so a head cannot pass for one.
  static func origin(_ log: String) -> String { log + suffix }

  static let suffix = "#shown"

  /// The statement in the form of a head of its own: for as many events as the log's head, with a hash instead of a
  /// root.
  var checkpoint: Checkpoint { Checkpoint(origin: Self.origin(log.origin), size: log.size, root: digest) }

  private var digest: Digest {
    var bytes: [UInt8] = []
    func append(_ value: Value) { ValueCoding.append(value, to: &bytes) }
    append(.text("assent shown 2"))
    append(.integer(at.millisecondsSince1970))
    append(.integer(Int64(events.count)))
    for event in events { append(.integer(event)) }
    append(.integer(Int64(rows.count)))
    for row in rows {
      append(.integer(row.event))
      row.state.append(to: &bytes)
    }
    append(.integer(Int64(commitments.count)))
    for commitment in commitments {
      for text in [commitment.id, commitment.subject, commitment.label] { append(.text(text)) }
      append(.bytes(commitment.digest.bytes))
      append(.integer(commitment.opening == nil ? 0 : 1))
    }
    append(.integer(Int64(contents.count)))
    for content in contents {
      append(.text(content.name))
      append(.bytes(content.digest.bytes))
    }
    return Digest(of: bytes)
  }
}

extension EvidenceLog.CommittedRow {
  /// What an event commits to that left the row as it is here.
  var state: RowState {
    let digest = RowChange.digest(
      table: table, key: key.map(\.name), committed: columns.map(\.name), values: (key + columns).map(\.value))
    return RowState(table: table, key: RowChange.key(key.map(\.value)), digest: digest)
  }
}

/// What a bundle shows of one log, as its statement says.
public struct ShownLog: Hashable, Sendable {
  public let origin: String
  /// The rows are as this event left them, the newest of the log at that time.
  public let last: Int64
  public let at: Instant

  /// The same for people, in one line.
  public var line: String {
    "\(origin): as of event \(last), \(TimeText.rfc3339(at)); later events are not in the file"
  }
}
