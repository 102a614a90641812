internal import CProtobufC
internal import Glibc

/// Encodes and decodes long lists of fixed-width numbers past protobuf-c.
///
/// Such a list has the same bytes in memory and on the wire, and a copy costs as much as everything else. For encoding,
/// the list itself is lent to protobuf-c; for decoding, the bytes are copied from the input directly to the Swift
/// array.
@usableFromInline
enum NumberLists {
  /// From this size on, a copy costs more than a second pass over the message's fields.
  @inlinable static var worthwhileSize: Int { 2048 }

  /// Removes the lists from a message that the scan has checked, but not those of nested messages.
  ///
  /// Returns the rest of the message's bytes, in the arena; nil when the arena is full.
  static func rest(
    of bytes: UnsafeBufferPointer<UInt8>, _ plan: UnsafePointer<MessagePlan>, _ arena: inout Arena
  ) -> UnsafeBufferPointer<UInt8>? {
    var kept: [Range<Int>] = []
    var keptFrom = 0
    unsafe forEach(in: bytes, plan) { _, field, _ in
      if keptFrom < field.lowerBound { kept.append(keptFrom..<field.lowerBound) }
      keptFrom = field.upperBound
    }
    if keptFrom < bytes.count { kept.append(keptFrom..<bytes.count) }
    let count = kept.reduce(0) { $0 + $1.count }
    guard let memory = unsafe arena.allocate(count) else { return nil }
    var target = unsafe memory
    for range in kept {
      if let source = bytes.baseAddress { unsafe memcpy(target, source + range.lowerBound, range.count) }
      unsafe target += range.count
    }
    return unsafe UnsafeBufferPointer(start: memory.assumingMemoryBound(to: UInt8.self), count: count)
  }

  /// Calls `body` for each such list: with the field's number and range, and the bytes of the numbers.
  @inline(__always)
  static func forEach(
    in bytes: UnsafeBufferPointer<UInt8>, _ plan: UnsafePointer<MessagePlan>,
    _ body: (_ number: UInt32, _ field: Range<Int>, _ numbers: UnsafeRawBufferPointer) -> Void
  ) {
    var index = 0
    while index < bytes.count {
      let start = index
      let tag = unsafe varint(bytes, &index)
      let number = UInt32(truncatingIfNeeded: tag >> 3)
      let content = unsafe content(of: bytes, wireType: tag & 7, &index)
      guard let field = unsafe plan.pointee.field(number), unsafe field.pointee.isFixedList else { continue }
      unsafe body(number, start..<index, UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[content])))
    }
  }

  /// Moves past a field's value and returns the range of its content, without the length.
  private static func content(
    of bytes: UnsafeBufferPointer<UInt8>, wireType: UInt64, _ index: inout Int
  ) -> Range<Int> {
    let start = index
    switch wireType {
    case 0: _ = unsafe varint(bytes, &index)
    case 1: index += 8
    case 5: index += 4
    default:
      let length = Int(truncatingIfNeeded: unsafe varint(bytes, &index))
      index += length
      return index - length..<index
    }
    return start..<index
  }

  private static func varint(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt64 {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = unsafe bytes[index]
      index += 1
      result |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return result }
      shift += 7
    }
  }
}

extension Array where Element: BitwiseCopyable {
  /// Appends elements from contiguous memory.
  @inlinable
  public mutating func append(memory bytes: UnsafeRawBufferPointer) {
    let count = bytes.count / MemoryLayout<Element>.stride
    let new = unsafe [Element](unsafeUninitializedCapacity: count) { elements, initializedCount in
      unsafe UnsafeMutableRawBufferPointer(elements).copyMemory(from: bytes)
      initializedCount = count
    }
    if isEmpty { self = new } else { self += new }
  }
}
