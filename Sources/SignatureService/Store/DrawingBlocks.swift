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
      pieces: kept.map { KeptPiece(version: field.version, piece: StrokePiece($0), reentered: $0.isReentry) })
    let bytes = try block.encoded()
    if blockCount > 0 {
      let last = Item.block(field.id, blockCount - 1)
      let before = try transaction.vault.verified(last, of: subject) ?? []
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
    try kept(from: first, in: snapshot).filter { $0.version > version }.compactMap(\.piece)
  }

  private func kept(from first: Int, in snapshot: Snapshot) throws -> [KeptPiece] {
    var pieces: [KeptPiece] = []
    for number in first..<max(first, blockCount) {
      guard let bytes = try snapshot.vault.verified(Item.block(field.id, number), of: subject) else { continue }
      pieces += try DrawingBlock(decoding: bytes).pieces
    }
    return pieces
  }

  /// Takes the last stroke out of the drawing. Whoever watches gets what remains from the beginning.
  mutating func undo(in transaction: Transaction) throws {
    var pieces: [CapturedPiece] = []
    for (index, kept) in try kept(from: 0, in: transaction).enumerated() {
      guard let piece = kept.piece else { continue }
      var captured = try CapturedPiece(piece, at: "pieces[\(index)]")
      captured.isReentry = kept.reentered
      pieces.append(captured)
    }
    var progress = field.cell.drawing
    let remaining = progress.undo(of: pieces)
    try field.cell.undo(to: progress)
    try empty(in: transaction)
    // In blocks again, each of a bounded size.
    for piece in pieces[..<remaining] { try add([piece], in: transaction) }
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
