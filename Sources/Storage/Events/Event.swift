public import Base

/// Something that happened, stored for ever: never changed, never removed, in one order per tenant.
///
/// It holds references and commitments, no personal data: it must still be true after a subject is erased.
public struct Event: Hashable, Sendable {
  /// 1, 2, 3 … within the tenant, without gaps. A reader continues after the last number that it has processed.
  public let sequence: Int64
  /// The thing that the event is about, such as a subject, a session or a document.
  public let stream: String
  public let type: String
  public let payload: [UInt8]
  public let at: Instant
  /// The hashes of rows that the event's transaction changed (`RowChange.list`), to which the event commits as it does
  /// to its payload. Empty for most events.
  let changes: [UInt8]
  /// The hash of this event and its predecessor's hash, and so of all events before it.
  public let chain: Digest

  /// The rows to which the event commits, by table and key. For tests that forge an event without them.
  package var committedRows: [(table: String, key: String)] {
    (RowChange.list(changes) ?? []).map { ($0.table, RowChange.title($0.key)) }
  }

  /// A forged version of this event, for tests of how forgery is detected.
  ///
  /// - Parameter hidesRows: whether the forged event no longer commits to any rows.
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

  /// The decoded payload; nil if the event has another type.
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

/// An event that was appended to a transaction and gets its number when the transaction commits.
struct DraftEvent {
  let stream: String
  let type: String
  let payload: [UInt8]
  var changes: [UInt8] = []
}

extension Event {
  /// The hash of an event in its chain. It covers the predecessor's hash, so that no event can be changed, left out or
  /// inserted unnoticed.
  static func chain(
    after previous: Digest, tenant: Tenant, sequence: Int64, stream: String, type: String, payload: [UInt8],
    at: Instant,
    changes: [UInt8]
  ) -> Digest {
    var bytes = previous.bytes
    let values: [Value] = [
      .text(tenant.id), .integer(sequence), .text(stream), .text(type), .bytes(payload), at.storedValue,
      .bytes(changes),
    ]
    for value in values { ValueCoding.append(value, to: &bytes) }
    return Digest(of: bytes)
  }

  /// Computes what this event's hash must be after its predecessor's.
  package func chain(after previous: Digest, of tenant: Tenant) -> Digest {
    Self.chain(
      after: previous, tenant: tenant, sequence: sequence, stream: stream, type: type, payload: payload, at: at,
      changes: changes)
  }

  /// The event's leaf hash in the log's Merkle tree, over every column of its row but the authentication code.
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

  /// The hash that stands in for the predecessor's at a tenant's first event.
  package static let beginning = Digest(of: Array("assent events".utf8))

  /// Reads an event from its row. The caller has to verify that this service wrote the row.
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
