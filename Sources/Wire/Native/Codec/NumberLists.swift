internal import CProtobufC
internal import Glibc

/// Long lists of numbers of a fixed width, past protobuf-c.
///
/// Such a list is the same bytes in memory and on the wire, so a copy on the way costs as much as all the rest. On the way
/// out protobuf-c is lent the list itself; on the way in the bytes go from the input to the Swift array.
enum NumberLists {
  /// From here on a copy costs more than a second look at the message's fields.
  static let worthwhileSize = 2048

  /// Numbers that stand in the input.
  @unsafe struct Piece {
    let field: UInt32
    let bytes: UnsafeRawBufferPointer
  }

  /// Takes the numbers out of a message that the scan has checked. Those of messages inside stay where they are.
  ///
  /// Returns the places of all such numbers, and the rest of the message in the arena; nil when the arena is full.
  static func lift(
    from bytes: UnsafeBufferPointer<UInt8>, _ plan: UnsafePointer<MessagePlan>, _ arena: inout Arena
  ) -> (pieces: [Piece], rest: UnsafeBufferPointer<UInt8>)? {
    var pieces: [Piece] = unsafe []
    let kept = unsafe keptRanges(of: bytes, plan, &pieces)
    let count = kept.reduce(0) { $0 + $1.count }
    guard let memory = unsafe arena.allocate(count) else { return nil }
    var target = unsafe memory
    for range in kept {
      if let source = bytes.baseAddress { unsafe memcpy(target, source + range.lowerBound, range.count) }
      unsafe target += range.count
    }
    return unsafe (pieces, UnsafeBufferPointer(start: memory.assumingMemoryBound(to: UInt8.self), count: count))
  }

  private static func keptRanges(
    of bytes: UnsafeBufferPointer<UInt8>, _ plan: UnsafePointer<MessagePlan>, _ pieces: inout [Piece]
  ) -> [Range<Int>] {
    var kept: [Range<Int>] = []
    var keptFrom = 0
    var index = 0
    while index < bytes.count {
      let start = index
      let tag = unsafe varint(bytes, &index)
      let number = UInt32(truncatingIfNeeded: tag >> 3)
      let content = unsafe content(of: bytes, wireType: tag & 7, &index)
      guard let field = unsafe plan.pointee.field(number), unsafe field.pointee.isFixedList else { continue }
      if keptFrom < start { kept.append(keptFrom..<start) }
      keptFrom = index
      let numbers = unsafe UnsafeBufferPointer(rebasing: bytes[content])
      unsafe pieces.append(Piece(field: number, bytes: UnsafeRawBufferPointer(numbers)))
    }
    if keptFrom < bytes.count { kept.append(keptFrom..<bytes.count) }
    return kept
  }

  /// Moves past a field's value and returns where its content stands, without the length.
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
  /// Appends elements that stand somewhere in memory one after the other.
  @inline(__always)
  mutating func append(memory bytes: UnsafeRawBufferPointer) {
    let count = bytes.count / MemoryLayout<Element>.stride
    let new = unsafe [Element](unsafeUninitializedCapacity: count) { elements, initializedCount in
      if let source = bytes.baseAddress, let target = elements.baseAddress, count > 0 {
        unsafe memcpy(target, source, bytes.count)
      }
      initializedCount = count
    }
    if isEmpty { self = new } else { self += new }
  }
}
