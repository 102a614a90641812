internal import SignatureContract
internal import Storage
internal import Wire

/// A drawing that is not saved, in the vault: in blocks, of which only the last grows, so that adding a few points to a
/// long drawing writes a few kilobytes and not all of it.
extension StoredField {
  private static let blockBytes = 16 << 10

  /// Adds kept pieces, marked with the field's present version.
  mutating func add(_ kept: [CapturedPiece], in transaction: Transaction) throws {
    guard !kept.isEmpty else { return }
    let bytes = try encoded(kept)
    if blockCount > 0 {
      let last = Item.block(field.id, blockCount - 1)
      let before = try block(blockCount - 1, in: transaction)
      if before.count + bytes.count <= Self.blockBytes {
        // Two encoded blocks in a row are one block with the pieces of both.
        try transaction.vault.put(before + bytes, as: last, of: subject)
        return
      }
    }
    try put(bytes, in: transaction)
  }

  /// Stores what is left of a drawing in blocks again. Each block is written once, however many pieces it has.
  private mutating func store(_ kept: ArraySlice<CapturedPiece>, in transaction: Transaction) throws {
    var block: [UInt8] = []
    for piece in kept {
      let bytes = try encoded([piece])
      if !block.isEmpty, block.count + bytes.count > Self.blockBytes {
        try put(block, in: transaction)
        block = []
      }
      block += bytes
    }
    if !block.isEmpty { try put(block, in: transaction) }
  }

  private func encoded(_ kept: [CapturedPiece]) throws -> [UInt8] {
    try DrawingBlock(
      pieces: kept.map { KeptPiece(version: field.version, piece: StrokePiece($0), reentered: $0.isReentry) }
    ).encoded()
  }

  /// Adds a block.
  private mutating func put(_ bytes: [UInt8], in transaction: Transaction) throws {
    try transaction.vault.put(bytes, as: Item.block(field.id, blockCount), of: subject)
    blockCount += 1
  }

  private func block(_ number: Int, in snapshot: Snapshot) throws -> [UInt8] {
    guard let bytes = try snapshot.vault.get(Item.block(field.id, number), of: subject) else {
      throw Self.corrupt(field.id, "lacks block \(number) of \(blockCount) of its drawing")
    }
    return bytes
  }

  /// The pieces that were drawn after a version, from block number `first` on.
  func pieces(after version: Int64, from first: Int = 0, in snapshot: Snapshot) throws -> [StrokePiece] {
    try kept(from: first, in: snapshot).filter { $0.version > version }.compactMap(\.piece)
  }

  private func kept(from first: Int, in snapshot: Snapshot) throws -> [KeptPiece] {
    var pieces: [KeptPiece] = []
    for number in first..<max(first, blockCount) {
      pieces += try DrawingBlock(decoding: try block(number, in: snapshot)).pieces
    }
    return pieces
  }

  /// Removes the last stroke of the drawing. Watchers are sent what remains from the beginning.
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
    try store(pieces[..<remaining], in: transaction)
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
