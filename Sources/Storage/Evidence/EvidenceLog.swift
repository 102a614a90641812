internal import Base

/// The evidence from one log in a bundle: events with proofs that they are in the log, the log's signed head, and what
/// the events committed to.
public struct EvidenceLog: Hashable, Sendable {
  let tenant: Tenant
  let head: SignedCheckpoint
  /// The signed statement of what is shown, and its time.
  var shown = ""
  var shownAt = Instant(millisecondsSince1970: 0)
  var earlier: [Earlier] = []
  var events: [ProvenEvent] = []
  var rows: [CommittedRow] = []
  var commitments: [OpenedCommitment] = []
  var contents: [Content] = []

  struct Earlier: Hashable, Sendable {
    let note: String
    let proof: [Digest]
  }

  struct ProvenEvent: Hashable, Sendable {
    let event: Event
    let proof: [Digest]
  }

  /// The contents of a row to which the event committed.
  struct CommittedRow: Hashable, Sendable {
    let event: Int64
    let table: String
    let key: [Column]
    let columns: [Column]
  }

  struct Column: Hashable, Sendable {
    let name: String
    let value: Value
  }

  /// A commitment whose digest is in an event. Its opening, of salt and value, is missing once the subject was erased.
  struct OpenedCommitment: Hashable, Sendable {
    let id: String
    let subject: String
    let label: String
    let digest: Digest
    let opening: Commitment.Opening?
  }

  /// Bytes whose plain SHA-256 is in an event, such as a document as it was shown.
  struct Content: Hashable, Sendable {
    let name: String
    let bytes: [UInt8]
  }
}

/// Selects the evidence that is wanted from a log.
public struct EvidenceSelection: Sendable {
  /// The numbers of events.
  public var events: [Int64] = []
  /// Streams of which all events are wanted.
  public var streams: [String] = []
  /// Further streams whose events may be the newest about wanted rows.
  public var searched: [String] = []
  /// Rows whose contents are wanted, each by its table and the values of its key. A row's present contents must match
  /// those to which an event last committed.
  public var rows: [(table: String, key: [Value])] = []
  /// The identifiers of commitments. For an erased one, the event of the erasure is added.
  public var commitments: [String] = []
  /// People whom the events are about. Their commitments that the events mention are added, or the event of their
  /// erasure.
  public var subjects: [Subject] = []
  public var contents: [(name: String, bytes: [UInt8])] = []
  /// Heads that somebody kept earlier. The bundle proves that the log still begins with the events that they cover.
  public var earlier: [SignedCheckpoint] = []

  public init() {}
}

/// Evidence in one file, from which anybody can verify offline that something happened and was recorded at the time.
public struct EvidenceBundle: Sendable {
  public static let format = "assent-evidence-1"
  let about: [(String, String)]
  private let logs: [EvidenceJSON]

  /// - Parameters:
  ///   - about: describes for people what the bundle is evidence of. It is not verified.
  ///   - bundles: bundles of other services, whose logs are added unchanged.
  public init(about: [(String, String)], logs: [EvidenceLog], joining bundles: [[UInt8]] = []) throws(EvidenceProblem) {
    self.about = about
    var all = logs.map(\.json)
    for bundle in bundles { all += try EvidenceMembers(try EvidenceJSON(reading: bundle), at: "bundle").list("logs") }
    self.logs = all
  }

  public var json: String {
    EvidenceJSON.object([
      "format": .text(Self.format),
      "about": .object(about.map { EvidenceJSON.Member(name: $0.0, value: .text($0.1)) }),
      "logs": .list(logs),
    ]).written
  }
}

extension EvidenceLog {
  fileprivate var json: EvidenceJSON {
    .object([
      "origin": .text(head.checkpoint.origin), "tenant": .text(tenant.id), "checkpoint": .text(head.note),
      "shown": .text(shown), "shown_at_ms": .integer(shownAt.millisecondsSince1970),
      "earlier": .list(earlier.map { .object(["checkpoint": .text($0.note), "proof": .digests($0.proof)]) }),
      "events": .list(events.map(\.json)), "rows": .list(rows.map(\.json)),
      "commitments": .list(commitments.map(\.json)),
      "contents": .list(
        contents.map {
          .object(["name": .text($0.name), "digest": .text(Digest(of: $0.bytes).hex), "bytes": .bytes($0.bytes)])
        }),
    ])
  }
}

extension EvidenceLog.ProvenEvent {
  fileprivate var json: EvidenceJSON {
    .object([
      "sequence": .integer(event.sequence), "stream": .text(event.stream), "type": .text(event.type),
      "payload": .bytes(event.payload), "at_ms": .integer(event.at.millisecondsSince1970),
      "changes": .bytes(event.changes), "chain": .bytes(event.chain.bytes), "proof": .digests(proof),
    ])
  }
}

extension EvidenceLog.CommittedRow {
  fileprivate var json: EvidenceJSON {
    .object([
      "event": .integer(event), "table": .text(table), "key": .list(key.map(\.json)),
      "columns": .list(columns.map(\.json)),
    ])
  }
}

extension EvidenceLog.Column {
  fileprivate var json: EvidenceJSON {
    let shown: EvidenceJSON =
      switch value {
      case .null: .null
      case .integer(let integer): .integer(integer)
      case .text(let text): .text(text)
      case .bytes(let bytes): .object(["bytes": .bytes(bytes)])
      // Written by its bits, since a program may read a decimal number as a slightly different one.
      case .real(let real): .object(["real": .text(Hex.encode(bits(real)))])
      }
    return .list([.text(name), shown])
  }

  private func bits(_ real: Double) -> [UInt8] {
    var bytes: [UInt8] = []
    ValueCoding.append(real.bitPattern, width: 8, to: &bytes)
    return bytes
  }
}

extension EvidenceLog.OpenedCommitment {
  fileprivate var json: EvidenceJSON {
    .object([
      "id": .text(id), "subject": .text(subject), "label": .text(label), "digest": .text(digest.hex),
      "salt": opening.map { .bytes($0.salt) } ?? .null, "value": opening.map { .bytes($0.value) } ?? .null,
    ])
  }
}

extension EvidenceJSON {
  fileprivate static func bytes(_ bytes: [UInt8]) -> EvidenceJSON { .text(Base64.encode(bytes)) }
  fileprivate static func digests(_ digests: [Digest]) -> EvidenceJSON { .list(digests.map { .bytes($0.bytes) }) }
}
