public import Base

/// Something that happened, stored for ever: never changed, never removed, in one order per tenant.
///
/// It holds references and commitments, no personal data: it must still be true after a subject is erased.
public struct Event: Hashable, Sendable {
  /// 1, 2, 3 … within the tenant, without gaps. A reader continues after the last number that it has processed.
  public let sequence: Int64
  /// What it happened to: a subject, a session, a document.
  public let stream: String
  public let type: String
  public let payload: [UInt8]
  public let at: Instant
  /// What the event commits to beside its payload: rows that its transaction changed (`RowChange`). Empty for most.
  let changes: [UInt8]
  /// The hash of this event and, through its predecessor's, of everything before it.
  public let chain: Digest

  /// The rows that the event commits to, each by its table and key: for tests that hide it.
  package var committedRows: [(table: String, key: String)] {
    (RowChange.list(changes) ?? []).map { ($0.table, RowChange.title($0.key)) }
  }

  /// The event as somebody would forge it, for tests of what then shows.
  ///
  /// - Parameter hidesRows: whether it no longer says what it commits to.
  package func forged(
    payload: [UInt8], stream: String? = nil, hidesRows: Bool = false, after previous: Digest, of tenant: Tenant
  ) -> Event {
    let (stream, changes) = (stream ?? self.stream, hidesRows ? [] : self.changes)
    let chain = Self.chain(
      after: previous, tenant: tenant, sequence: sequence, stream: stream, type: type, payload: payload, at: at,
      changes: changes)
    return Event(
      sequence: sequence, stream: stream, type: type, payload: payload, at: at, changes: changes, chain: chain)
  }

  /// The payload as the given type of event; nil when the event has another type.
  public func decode<Payload>(_ type: EventType<Payload>) throws -> Payload? {
    self.type == type.name ? try type.decode(payload) : nil
  }
}

/// Ties an event's name to the type of its payload, in one place.
///
/// ```swift
/// extension EventType<ConsentGiven> {
///   static let consentGiven = EventType("consent.given", encode: \.encoded, decode: ConsentGiven.init(encoded:))
/// }
/// ```
public struct EventType<Payload>: Sendable {
  public let name: String
  let encode: @Sendable (Payload) throws -> [UInt8]
  let decode: @Sendable ([UInt8]) throws -> Payload

  public init(
    _ name: String, encode: @escaping @Sendable (Payload) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> Payload
  ) {
    self.name = name
    self.encode = encode
    self.decode = decode
  }
}

/// An event that is written with its transaction, where it gets its number.
struct DraftEvent {
  let stream: String
  let type: String
  let payload: [UInt8]
  var changes: [UInt8] = []
}

extension Event {
  /// Each event's hash covers its predecessor's, so that nothing can be changed, left out or inserted unnoticed.
  static func chain(
    after previous: Digest, tenant: Tenant, sequence: Int64, stream: String, type: String, payload: [UInt8],
    at: Instant,
    changes: [UInt8]
  ) -> Digest {
    var bytes = previous.bytes
    var values: [Value] = [
      .text(tenant.id), .integer(sequence), .text(stream), .text(type), .bytes(payload), at.storedValue,
    ]
    // Older events commit to no rows, and keep the hashes that they have.
    if !changes.isEmpty { values.append(.bytes(changes)) }
    for value in values { ValueCoding.append(value, to: &bytes) }
    return Digest(of: bytes)
  }

  /// The hash of this event after another one's, from what stands in it.
  package func chain(after previous: Digest, of tenant: Tenant) -> Digest {
    Self.chain(
      after: previous, tenant: tenant, sequence: sequence, stream: stream, type: type, payload: payload, at: at,
      changes: changes)
  }

  /// The event as a leaf of its log's tree: over every column of its row.
  func leaf(of tenant: Tenant) -> Digest {
    var bytes: [UInt8] = []
    for value: Value in [
      .text("assent event 1"), .text(tenant.id), .integer(sequence), .text(stream), .text(type), .bytes(payload),
      at.storedValue, .bytes(changes), chain.storedValue,
    ] {
      ValueCoding.append(value, to: &bytes)
    }
    return MerkleTree.leaf(bytes)
  }

  /// The predecessor of a tenant's first event.
  package static let beginning = Digest(of: Array("assent events".utf8))

  /// What a row says. Whether this service wrote it is for the caller to ask.
  init(unverified row: Row) throws(DatabaseError) {
    sequence = try row.get("sequence")
    stream = try row.get("stream")
    type = try row.get("type")
    payload = try row.get("payload")
    at = try row.get("at_ms")
    changes = try row.get("changes", as: [UInt8]?.self) ?? []
    chain = try row.get("chain")
  }
}
