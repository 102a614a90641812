internal import SignatureContract
internal import Storage
internal import Wire

/// A drawing that is not saved, in the vault: in blocks, of which only the last grows, so that adding a few points to a
/// long drawing writes a few kilobytes and not all of it.
extension StoredField {
  private static let blockBytes = 16 << 10

  /// Adds the kept points, under the field's present version.
  mutating func add(_ kept: [CapturedPiece], in transaction: Transaction) throws {
    guard !kept.isEmpty else { return }
    let block = DrawingBlock(
      pieces: kept.map { KeptPiece(version: field.version, piece: StrokePiece($0)) })
    let bytes = try block.encoded()
    if blockCount > 0 {
      let last = Item.block(field.id, blockCount - 1)
      let before = try transaction.vault.get(last, of: subject) ?? []
      if before.count + bytes.count <= Self.blockBytes {
        // Two encoded blocks in a row are one block with the pieces of both.
        try transaction.vault.put(before + bytes, as: last, of: subject)
        return
      }
    }
    try transaction.vault.put(bytes, as: Item.block(field.id, blockCount), of: subject)
    blockCount += 1
  }

  /// What was drawn after a version, from block number `first` on.
  func pieces(after version: Int64, from first: Int = 0, in snapshot: Snapshot) throws -> [StrokePiece] {
    var pieces: [StrokePiece] = []
    for number in first..<max(first, blockCount) {
      guard let bytes = try snapshot.vault.get(Item.block(field.id, number), of: subject) else { continue }
      let block = try DrawingBlock(decoding: bytes)
      for kept in block.pieces where kept.version > version {
        if let piece = kept.piece { pieces.append(piece) }
      }
    }
    return pieces
  }

  /// Deletes the drawing that was not saved.
  mutating func empty(in transaction: Transaction) throws {
    for number in 0..<blockCount {
      try transaction.vault.put([], as: Item.block(field.id, number), of: subject)
    }
    blockCount = 0
    emptiedVersion = field.version
  }
}
