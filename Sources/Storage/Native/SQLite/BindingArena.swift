/// Holds the texts that a statement's parameters are bound to, so that SQLite need not copy each.
@safe final class BindingArena {
  private static let capacity = 512
  private let bytes = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
  private var used = 0

  deinit { unsafe bytes.deallocate() }

  /// The address of a copy of the text, valid until the next `wipe`; nil when there is no room for it.
  func keep(_ text: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
    guard text.count <= Self.capacity - used else { return nil }
    let place = unsafe bytes + used
    if let source = text.baseAddress { unsafe place.copyMemory(from: source, byteCount: text.count) }
    used += text.count
    return unsafe UnsafePointer(place.assumingMemoryBound(to: CChar.self))
  }

  /// Texts may be personal: they are not left in memory until the statement's next use.
  func wipe() {
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0, count: used)
    used = 0
  }
}
