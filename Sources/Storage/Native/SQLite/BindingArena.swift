/// Holds copies of the texts that are bound to a statement's parameters, so that SQLite need not allocate one for each.
@safe final class BindingArena {
  private static let capacity = 512
  private let bytes = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
  private var used = 0

  deinit { unsafe bytes.deallocate() }

  /// Copies a text and returns the copy's address, which is valid until the next `wipe`; nil if there is no room.
  func keep(_ text: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
    guard text.count <= Self.capacity - used else { return nil }
    let place = unsafe bytes + used
    if let source = text.baseAddress { unsafe place.copyMemory(from: source, byteCount: text.count) }
    used += text.count
    return unsafe UnsafePointer(place.assumingMemoryBound(to: CChar.self))
  }

  /// Overwrites all texts with zeros: they may be personal, and must not stay in memory until the statement's next use.
  func wipe() {
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0, count: used)
    used = 0
  }
}
