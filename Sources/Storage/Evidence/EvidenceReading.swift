internal import Base

/// A JSON object of a bundle, read member by member. A member that is missing or of another type is refused by its
/// name.
struct EvidenceMembers {
  /// By the bytes of their names: for Swift, texts that look the same are equal.
  private let members: [[UInt8]: EvidenceJSON]
  let place: String

  init(_ value: EvidenceJSON, at place: String) throws(EvidenceProblem) {
    guard case .object(let members) = value else { throw Self.refusal("\(place) is no object") }
    self.members = Dictionary(uniqueKeysWithValues: members.map { (Array($0.name.utf8), $0.value) })
    self.place = place
  }

  private static func refusal(_ detail: String) -> EvidenceProblem { EvidenceProblem(.format, at: "bundle", detail) }

  private func value(_ name: String) throws(EvidenceProblem) -> EvidenceJSON {
    guard let value = members[Array(name.utf8)] else { throw Self.refusal("\(place) has no '\(name)'") }
    return value
  }

  func text(_ name: String) throws(EvidenceProblem) -> String {
    guard case .text(let text) = try value(name) else { throw Self.refusal("'\(name)' of \(place) is no text") }
    return text
  }

  func integer(_ name: String) throws(EvidenceProblem) -> Int64 {
    guard case .integer(let integer) = try value(name) else { throw Self.refusal("'\(name)' of \(place) is no number") }
    return integer
  }

  func bytes(_ name: String) throws(EvidenceProblem) -> [UInt8] {
    guard let bytes = Base64.decode(try text(name)) else { throw Self.refusal("'\(name)' of \(place) is no base64") }
    return bytes
  }

  func optionalBytes(_ name: String) throws(EvidenceProblem) -> [UInt8]? {
    try value(name) == .null ? nil : try bytes(name)
  }

  func digest(_ name: String) throws(EvidenceProblem) -> Digest {
    guard let digest = Digest(bytes: try bytes(name)) else { throw Self.refusal("'\(name)' of \(place) is no hash") }
    return digest
  }

  func hexDigest(_ name: String) throws(EvidenceProblem) -> Digest {
    let text = try text(name)
    guard let digest = Digest(hex: text), digest.hex == text else {
      throw Self.refusal("'\(name)' of \(place) is no hash")
    }
    return digest
  }

  func list(_ name: String) throws(EvidenceProblem) -> [EvidenceJSON] {
    guard case .list(let values) = try value(name) else { throw Self.refusal("'\(name)' of \(place) is no list") }
    return values
  }

  func each(_ name: String) throws(EvidenceProblem) -> [EvidenceMembers] {
    var parts: [EvidenceMembers] = []
    for (index, value) in try list(name).enumerated() {
      parts.append(try EvidenceMembers(value, at: "\(name) \(index + 1) of \(place)"))
    }
    return parts
  }

  func proof(_ name: String) throws(EvidenceProblem) -> [Digest] {
    var digests: [Digest] = []
    for value in try list(name) {
      guard case .text(let text) = value, let digest = Base64.decode(text).flatMap({ Digest(bytes: $0) }) else {
        throw Self.refusal("'\(name)' of \(place) holds what is no hash")
      }
      digests.append(digest)
    }
    return digests
  }

  /// The names and values of columns, such as `[["id","n-1"],["place",3],["picture",{"bytes":"…"}]]`.
  func columns(_ name: String) throws(EvidenceProblem) -> [EvidenceLog.Column] {
    var columns: [EvidenceLog.Column] = []
    for value in try list(name) {
      guard case .list(let pair) = value, pair.count == 2, case .text(let column) = pair[0],
        let value = Self.column(pair[1])
      else { throw Self.refusal("'\(name)' of \(place) holds what is no column") }
      columns.append(EvidenceLog.Column(name: column, value: value))
    }
    return columns
  }

  private static func column(_ value: EvidenceJSON) -> Value? {
    switch value {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .text(let text): .text(text)
    case .list, .flag: nil
    case .object(let members): members.count == 1 ? wrapped(members[0]) : nil
    }
  }

  private static func wrapped(_ member: EvidenceJSON.Member) -> Value? {
    guard case .text(let text) = member.value else { return nil }
    switch member.name {
    case "bytes": return Base64.decode(text).map { .bytes($0) }
    case "real":
      guard let bits = Hex.decode(text), bits.count == 8, Hex.encode(bits) == text else { return nil }
      return .real(Double(bitPattern: bits.reduce(0) { $0 << 8 | UInt64($1) }))
    default: return nil
    }
  }
}

/// A bundle that was read, but not verified.
struct ReadBundle {
  let logs: [ReadLog]

  static let mostBytes = 256 << 20

  init(_ bytes: [UInt8]) throws(EvidenceProblem) {
    guard bytes.count <= Self.mostBytes else { throw EvidenceProblem(.format, at: "bundle", "it is too large") }
    let bundle = try EvidenceMembers(try EvidenceJSON(reading: bytes), at: "the bundle")
    guard try bundle.text("format") == EvidenceBundle.format else {
      throw EvidenceProblem(.format, at: "bundle", "its format is not '\(EvidenceBundle.format)'")
    }
    var logs: [ReadLog] = []
    for log in try bundle.each("logs") { logs.append(try ReadLog(log)) }
    guard !logs.isEmpty else { throw EvidenceProblem(.format, at: "bundle", "it has no logs") }
    self.logs = logs
  }
}

/// One log of a bundle that was read, but not verified.
struct ReadLog {
  let origin: String
  let tenant: Tenant
  let note: String
  let shown: String
  let shownAt: Instant
  let earlier: [EvidenceLog.Earlier]
  let events: [EvidenceLog.ProvenEvent]
  let rows: [EvidenceLog.CommittedRow]
  let commitments: [EvidenceLog.OpenedCommitment]
  let contents: [(content: EvidenceLog.Content, digest: Digest)]

  init(_ log: EvidenceMembers) throws(EvidenceProblem) {
    (origin, note) = (try log.text("origin"), try log.text("checkpoint"))
    guard let tenant = Tenant(try log.text("tenant")) else {
      throw EvidenceProblem(.format, at: "bundle", "'tenant' of \(log.place) names no tenant")
    }
    self.tenant = tenant
    shown = try log.text("shown")
    shownAt = Instant(millisecondsSince1970: try log.integer("shown_at_ms"))
    var earlier: [EvidenceLog.Earlier] = []
    for part in try log.each("earlier") {
      earlier.append(EvidenceLog.Earlier(note: try part.text("checkpoint"), proof: try part.proof("proof")))
    }
    var events: [EvidenceLog.ProvenEvent] = []
    for part in try log.each("events") {
      events.append(EvidenceLog.ProvenEvent(event: try Event(part), proof: try part.proof("proof")))
    }
    var rows: [EvidenceLog.CommittedRow] = []
    for part in try log.each("rows") {
      rows.append(
        EvidenceLog.CommittedRow(
          event: try part.integer("event"), table: try part.text("table"), key: try part.columns("key"),
          columns: try part.columns("columns")))
    }
    var commitments: [EvidenceLog.OpenedCommitment] = []
    for part in try log.each("commitments") { commitments.append(try EvidenceLog.OpenedCommitment(part)) }
    var contents: [(content: EvidenceLog.Content, digest: Digest)] = []
    for part in try log.each("contents") {
      let content = EvidenceLog.Content(name: try part.text("name"), bytes: try part.bytes("bytes"))
      contents.append((content, try part.hexDigest("digest")))
    }
    (self.earlier, self.events, self.rows) = (earlier, events, rows)
    (self.commitments, self.contents) = (commitments, contents)
  }
}

extension Event {
  fileprivate init(_ part: EvidenceMembers) throws(EvidenceProblem) {
    self.init(
      sequence: try part.integer("sequence"), stream: try part.text("stream"), type: try part.text("type"),
      payload: try part.bytes("payload"), at: Instant(millisecondsSince1970: try part.integer("at_ms")),
      changes: try part.bytes("changes"), chain: try part.digest("chain"))
  }
}

extension EvidenceLog.OpenedCommitment {
  fileprivate init(_ part: EvidenceMembers) throws(EvidenceProblem) {
    let (salt, value) = (try part.optionalBytes("salt"), try part.optionalBytes("value"))
    guard (salt == nil) == (value == nil) else {
      throw EvidenceProblem(.format, at: "bundle", "\(part.place) has a salt or a value alone")
    }
    let label = try part.text("label")
    var opening: Commitment.Opening?
    if let salt, let value { opening = Commitment.Opening(label: label, salt: salt, value: value) }
    self.init(
      id: try part.text("id"), subject: try part.text("subject"), label: label, digest: try part.hexDigest("digest"),
      opening: opening)
  }
}
