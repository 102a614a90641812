internal import ServicePolicy
internal import SignatureContract
internal import Storage

/// How much of a field a watcher has seen.
struct WatchPosition: Sendable {
  var version: Int64
  /// The first block of the drawing that may have something that the watcher has not seen.
  var block = 0
  /// Whether the field was sent at least once.
  var hasBegun = false

  init(version: Int64) {
    self.version = version
  }
}

/// The changes of a field since a watcher's last look, as one change.
struct UnseenChanges: Sendable {
  let field: SignatureField
  /// The pieces that were drawn since then; after a reset, all of the drawing.
  let pieces: [StrokePiece]
  /// Whether the watcher has to discard what it has seen: it is of a drawing that was deleted, or of a version that
  /// does not exist.
  let isReset: Bool
  let position: WatchPosition
}

extension FieldStore {
  /// The changes since a watcher's last look; nil when there are none.
  static func unseenChanges(of id: String, since seen: WatchPosition, in snapshot: Snapshot) throws -> UnseenChanges? {
    guard let row = try snapshot.first(FieldStatements.find, id) else { throw Refusal.notFound("field", id) }
    guard try !seen.hasBegun || row.get("version", as: Int64.self) > seen.version else { return nil }
    let stored = try StoredField(row: row, in: snapshot)
    let isReset = seen.version < stored.emptiedVersion || seen.version > stored.field.version
    let pieces = try stored.pieces(
      after: isReset ? 0 : seen.version, from: isReset ? 0 : seen.block, in: snapshot)
    var position = WatchPosition(version: stored.field.version)
    position.block = max(0, stored.blockCount - 1)
    position.hasBegun = true
    return UnseenChanges(field: stored.field, pieces: pieces, isReset: isReset, position: position)
  }
}
