package import Bus
package import SignatureContract
internal import Storage

/// A field's changes since a version, and then as they happen, in whichever process.
package struct FieldWatch {
  private let store: FieldStore
  private let id: String
  private let context: CallContext
  private var commits: AsyncStream<Void>.Iterator
  private var seenVersion: Int64
  /// The first block that may hold something not seen yet.
  private var seenBlocks = 0
  private var hasBegun = false

  fileprivate init(
    store: FieldStore, id: String, context: CallContext, commits: AsyncStream<Void>, after version: Int64
  ) {
    self.store = store
    self.id = id
    self.context = context
    self.commits = commits.makeAsyncIterator()
    seenVersion = version
  }

  /// The next change; nil when the database closes. What changed while nobody looked comes as one.
  package mutating func next() async throws -> WatchFieldResponse? {
    while true {
      try Task.checkCancellation()
      if let change = try await change() { return change }
      // Others may use the handler's slot until something happens.
      context.slot.waits()
      let signal: Void? = await commits.next(isolation: #isolation)
      context.slot.resumes()
      if signal == nil { return nil }
    }
  }

  private mutating func change() async throws -> WatchFieldResponse? {
    let (id, seen, begun, firstBlock) = (id, seenVersion, hasBegun, seenBlocks)
    let found = try await store.read(context) { snapshot -> (change: WatchFieldResponse, blocks: Int)? in
      guard let row = try snapshot.first(FieldStatements.find, id) else { throw FieldStore.unknown(id) }
      guard try !begun || row.get("version", as: Int64.self) > seen else { return nil }
      let stored = try StoredField(row: row, in: snapshot)
      // What was seen belongs to a drawing that is gone, or to a future that never was.
      let isReset = seen < stored.emptiedVersion || seen > stored.field.version
      var change = WatchFieldResponse()
      change.view = stored.field.view
      change.reset = isReset
      change.pieces = try stored.pieces(after: isReset ? 0 : seen, from: isReset ? 0 : firstBlock, in: snapshot)
      return (change, max(0, stored.blockCount - 1))
    }
    guard let found else { return nil }
    hasBegun = true
    seenVersion = found.change.view?.version ?? seenVersion
    seenBlocks = found.blocks
    return found.change
  }
}

extension FieldStore {
  package func watch(_ id: String, after version: Int64, for context: CallContext) async throws -> FieldWatch {
    try FieldChecks.identifier(id, "field_id", isRequired: true)
    // Subscribed before the first look, so that nothing falls in between.
    return FieldWatch(
      store: self, id: id, context: context, commits: database.watchCommits(), after: version)
  }
}
