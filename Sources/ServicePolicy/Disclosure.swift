internal import CommonContract
public import RPC
public import Storage

/// Collects which personal data a call reads, so that the reading is recorded as events.
public struct Disclosure: Sendable {
  public let caller: Caller
  private let method: MethodDescriptor
  private let capacity: String
  private(set) var entries: [TrailEntry] = []
  private(set) var looks: [TrailEntry] = []

  init(_ gate: Gate, _ caller: Caller, capacity: Role?) {
    (self.caller, method) = (caller, gate.method)
    self.capacity = capacity?.rawValue ?? ""
  }

  /// Records that an item of a person's data was read, and for what purpose.
  ///
  /// - Parameter item: what was read, such as `record/ID`.
  public mutating func note(_ item: String, of touched: AccessTarget, for purpose: String) {
    add(item, of: touched, for: purpose, to: \.entries)
  }

  /// Records the reading of an item that belongs to no study.
  public mutating func note(_ item: String, of subject: Subject, for purpose: String) {
    note(item, of: AccessTarget(study: .none, subject: subject.id), for: purpose)
  }

  /// Records that a list of things was read: as one event, with their number.
  public mutating func note(_ count: Int, _ things: String, of touched: AccessTarget, for purpose: String) {
    guard count > 0 else { return }
    add(things, of: touched, for: purpose, count: Int32(clamping: count), to: \.entries)
  }

  /// Records the reading of an item that a screen asks for again and again: repeats within a minute become one more
  /// event, with their number.
  public mutating func noteLook(at item: String, of touched: AccessTarget, for purpose: String) {
    add(item, of: touched, for: purpose, to: \.looks)
  }

  private mutating func add(
    _ item: String, of touched: AccessTarget, for purpose: String, count: Int32 = 0,
    to list: WritableKeyPath<Disclosure, [TrailEntry]>
  ) {
    guard caller.isOnRecord(reading: touched.subject ?? "") else { return }
    var entry = TrailEntry(.read, by: caller, through: method, to: touched)
    (entry.capacity, entry.item, entry.purpose, entry.count) = (capacity, item, purpose, count)
    self[keyPath: list].append(entry)
  }
}

extension ServiceDatabase {
  /// Reads data that may be personal. The events of what the body noted are durable before this returns; repeats of
  /// looks are only counted. A reading that is not recorded, such as the subject's own, writes nothing.
  public func disclose<Thing: AccessTargeted, Answer: Sendable>(
    _ context: CallContext, of find: @escaping Lookup<Thing>,
    _ body: @escaping @Sendable (Snapshot, Thing, inout Disclosure) throws -> Answer
  ) async throws -> Answer {
    let gate = try Gate(context, relations)
    let (answer, disclosure) = try await recordingDenials(gate, context) {
      try await database.scope(gate.tenant).read(within: context.patience) { snapshot in
        let thing = try gate.opened(find, snapshot)
        var disclosure = Disclosure(
          gate, try gate.caller(of: thing, snapshot), capacity: try gate.capacity(for: thing, snapshot))
        return (try body(snapshot, thing, &disclosure), disclosure)
      }
    }
    if !disclosure.entries.isEmpty || !disclosure.looks.isEmpty {
      try await access.write(
        disclosure.entries, looks: disclosure.looks, in: gate.tenant, within: context.patience)
    }
    return answer
  }
}
