internal import Ink
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
      pieces: kept.map { piece in
        KeptPiece(
          version: field.version, piece: StrokePiece(piece), reentered: piece.isReentry,
          droppedBefore: Int32(clamping: piece.droppedBefore))
      }
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

  /// All pieces of the drawing, as they were captured.
  private func captured(in snapshot: Snapshot) throws -> [CapturedPiece] {
    try kept(from: 0, in: snapshot).enumerated().compactMap { index, kept in
      guard let piece = kept.piece else { return nil }
      var captured = try CapturedPiece(piece, at: "pieces[\(index)]")
      (captured.isReentry, captured.droppedBefore) = (kept.reentered, Int(kept.droppedBefore))
      return captured
    }
  }

  /// The strokes of a drawing, drawn with their own pens or the field's.
  func strokes(in snapshot: Snapshot) throws -> [Stroke] {
    try strokes(of: try captured(in: snapshot)[...])
  }

  private func strokes(of pieces: ArraySlice<CapturedPiece>) throws -> [Stroke] {
    var strokes: [Stroke] = []
    for piece in pieces {
      if piece.beginsStroke {
        strokes.append(Stroke(points: piece.points, pen: piece.pen ?? field.pen))
      } else {
        guard !strokes.isEmpty else { throw Self.corrupt(field.id, "goes on with no stroke") }
        strokes[strokes.count - 1].points += piece.points
      }
    }
    return strokes
  }

  /// Whether ink can be seen of the drawing once pieces were added. Ink that is seen stays so unless something erases.
  func sight(after added: [CapturedPiece], in snapshot: Snapshot) throws -> InkSight {
    let before = field.cell.drawing.sight
    let mayChange = added.contains { before == .none || before == .seen && $0.pen?.erases == true }
    return mayChange ? try sight(of: try captured(in: snapshot)[...]) : before
  }

  private func sight(of pieces: ArraySlice<CapturedPiece>) throws -> InkSight {
    guard !pieces.isEmpty else { return .none }
    return try InkSight(
      of: try Ink(validating: try strokes(of: pieces), canvas: field.settings.canvas.map { Canvas($0) }), in: field)
  }

  /// Removes the last stroke of the drawing. Watchers are sent what remains from the beginning.
  mutating func undo(in transaction: Transaction) throws {
    let pieces = try captured(in: transaction)
    var progress = field.cell.drawing
    let remaining = progress.undo(of: pieces)
    progress.sight = try sight(of: pieces[..<remaining])
    try field.cell.undo(to: progress)
    let hand = field.drawnOn
    try empty(in: transaction)
    try store(pieces[..<remaining], in: transaction)
    if progress.begunStrokes > 0 { field.drawnOn = hand }
  }

  /// Gives the field another canvas, with the drawing on it. Watchers are sent the drawing from the beginning.
  mutating func resize(to canvas: InkCanvas, in transaction: Transaction) throws {
    let (pieces, before) = (try captured(in: transaction), field.surface)
    field.resize(to: canvas)
    let moved = field.surface.resized(pieces, from: before)
    var progress = field.cell.drawing
    progress.sight = try sight(of: moved[...])
    try field.cell.resize(to: progress)
    let hand = field.drawnOn
    try empty(in: transaction)
    try store(moved[...], in: transaction)
    field.drawnOn = hand
    try transaction.vault.put(try field.settings.encoded(), as: Item.settings(field.id), of: subject)
  }

  /// Deletes the drawing that was not saved.
  mutating func empty(in transaction: Transaction) throws {
    for number in 0..<blockCount {
      try transaction.vault.put([], as: Item.block(field.id, number), of: subject)
    }
    blockCount = 0
    emptiedVersion = field.version
    field.drawnOn = ""
  }
}
