public import CProtobufC
internal import Glibc

/// A bump allocator: memory for one encoding or decoding, freed all at once.
///
/// Each thread keeps one chunk between uses, so that a small message needs no call of malloc.
@safe public struct Arena: ~Copyable {
  private var cursor: UnsafeMutableRawPointer
  private var end: UnsafeMutableRawPointer
  /// The latest chunk; each refers to the one before it.
  private var chunk: UnsafeMutablePointer<Chunk>
  /// How many bytes may still be added in further chunks.
  private var budget: Int
  /// Whether lists of fixed-width numbers are omitted, because the caller lends its own to protobuf-c.
  @usableFromInline var borrowsNumbers = false
  /// The copy of a text that protobuf-c cannot represent, because the text contains NUL.
  @usableFromInline private(set) var unrepresentable: UnsafeMutablePointer<CChar>?

  @unsafe private struct Chunk {
    var previous: UnsafeMutablePointer<Chunk>?
    var size: Int
  }

  private static let firstChunkSize = 32_768
  private static let largestChunkSize = 4 << 20

  @usableFromInline
  init(limit: Int = .max) {
    unsafe chunk = ThreadMemory.take() ?? Self.allocateChunk(size: Self.firstChunkSize)
    unsafe cursor = UnsafeMutableRawPointer(chunk + 1)
    let size = min(unsafe chunk.pointee.size, limit)
    unsafe end = cursor + size
    budget = limit - size
    unsafe unrepresentable = nil
  }

  deinit {
    var next: UnsafeMutablePointer<Chunk>? = unsafe chunk
    while let each = unsafe next {
      unsafe next = each.pointee.previous
      if unsafe next == nil {
        unsafe ThreadMemory.give(each)
      } else {
        unsafe free(each)
      }
    }
  }

  // MARK: - Memory

  /// Memory of this size, or nil when the limit is reached.
  @inline(__always)
  mutating func allocate(_ size: Int, alignment: Int = 8) -> UnsafeMutableRawPointer? {
    let start = unsafe cursor.alignedUp(toMultipleOf: alignment)
    if unsafe size > end - start { return unsafe allocateInNewChunk(size) }
    unsafe cursor = start + size
    return unsafe start
  }

  @inline(never)
  private mutating func allocateInNewChunk(_ size: Int) -> UnsafeMutableRawPointer? {
    guard size >= 0, size <= budget else { return nil }
    let usual = min(unsafe chunk.pointee.size * 2, Self.largestChunkSize)
    let newSize = min(max(usual, size), budget)
    budget -= newSize
    let new = unsafe Self.allocateChunk(size: newSize)
    unsafe new.pointee.previous = chunk
    unsafe chunk = new
    let start = unsafe UnsafeMutableRawPointer(new + 1)
    unsafe cursor = start + size
    unsafe end = start + newSize
    return unsafe start
  }

  private static func allocateChunk(size: Int) -> UnsafeMutablePointer<Chunk> {
    guard let memory = unsafe malloc(MemoryLayout<Chunk>.size + size) else { fatalError("out of memory") }
    let chunk = unsafe memory.bindMemory(to: Chunk.self, capacity: 1)
    unsafe chunk.initialize(to: Chunk(previous: nil, size: size))
    return unsafe chunk
  }

  /// Memory of this size for an encoding, which has no limit.
  @usableFromInline
  mutating func require(_ size: Int, alignment: Int = 8) -> UnsafeMutableRawPointer {
    guard let memory = unsafe allocate(size, alignment: alignment) else { fatalError("out of memory") }
    return unsafe memory
  }

  /// The unused rest of the chunk, if anything that protobuf-c can write from the used part fits in it; otherwise nil.
  ///
  /// From four bytes of its structs, protobuf-c writes at most fifteen: ten for a negative enum and five for its tag.
  var roomForEncoding: UnsafeMutablePointer<UInt8>? {
    let start = unsafe UnsafeMutableRawPointer(chunk + 1)
    guard unsafe chunk.pointee.previous == nil, unsafe (cursor - start) * 4 <= end - cursor else { return nil }
    return unsafe cursor.assumingMemoryBound(to: UInt8.self)
  }

  // MARK: - Values for protobuf-c's structs

  /// A copy of the text, terminated by NUL, for protobuf-c.
  public mutating func text(_ text: String) -> UnsafeMutablePointer<CChar> {
    var text = text
    return text.withUTF8 { utf8 in
      let copy = unsafe require(utf8.count + 1, alignment: 1)
      if let source = utf8.baseAddress, unsafe TextCopy.copy(source, utf8.count, to: copy),
        unsafe unrepresentable == nil
      {
        unsafe unrepresentable = copy.assumingMemoryBound(to: CChar.self)
      }
      unsafe copy.storeBytes(of: 0, toByteOffset: utf8.count, as: UInt8.self)
      return unsafe copy.assumingMemoryBound(to: CChar.self)
    }
  }

  public mutating func bytes(_ bytes: [UInt8]) -> ProtobufCBinaryData {
    unsafe ProtobufCBinaryData(len: bytes.count, data: numbers(bytes))
  }

  @inlinable
  public mutating func present<M: NativeMessage>(_ message: M) -> UnsafeMutablePointer<M.Native> {
    let native = unsafe structure(MemoryLayout<M.Native>.size, M.table).assumingMemoryBound(to: M.Native.self)
    let borrows = borrowsNumbers
    borrowsNumbers = false
    unsafe message.fill(native: native, arena: &self)
    borrowsNumbers = borrows
    return unsafe native
  }

  /// The message's struct without its own lists of fixed-width numbers.
  @inlinable
  public mutating func presentWithoutNumbers<M: NativeMessage>(_ message: M) -> UnsafeMutablePointer<M.Native> {
    let native = unsafe structure(MemoryLayout<M.Native>.size, M.table).assumingMemoryBound(to: M.Native.self)
    borrowsNumbers = true
    unsafe message.fill(native: native, arena: &self)
    borrowsNumbers = false
    return unsafe native
  }

  @inlinable
  public mutating func message<M: NativeMessage>(_ message: M?) -> UnsafeMutablePointer<M.Native>? {
    guard let message else { return nil }
    return unsafe present(message)
  }

  /// A struct that is zero except for its descriptor.
  @usableFromInline
  mutating func structure(_ size: Int, _ table: MessageTable) -> UnsafeMutableRawPointer {
    let memory = unsafe require(size)
    unsafe memset(memory, 0, size)
    unsafe memory.assumingMemoryBound(to: ProtobufCMessage.self).pointee.descriptor = table.descriptor
    return unsafe memory
  }

  /// Memory for the elements of a repeated field, or nil when there are none.
  @inlinable
  mutating func list<Element>(of _: Element.Type, _ count: Int) -> UnsafeMutablePointer<Element>? {
    guard count > 0 else { return nil }
    return unsafe require(count * MemoryLayout<Element>.stride).assumingMemoryBound(to: Element.self)
  }

  @inlinable
  public mutating func numbers<Number>(_ values: [Number]) -> UnsafeMutablePointer<Number>? {
    unsafe values.withUnsafeBytes { unsafe copy($0) }?.assumingMemoryBound(to: Number.self)
  }

  /// A copy of the bytes, or nil when there are none.
  @usableFromInline
  mutating func copy(_ source: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer? {
    guard let start = source.baseAddress, source.count > 0 else { return nil }
    let target = unsafe require(source.count)
    unsafe memcpy(target, start, source.count)
    return unsafe target
  }

  /// A copy of the list; nil if the caller lends its own to protobuf-c.
  @inlinable
  public mutating func fixedNumbers<Number>(_ values: [Number]) -> UnsafeMutablePointer<Number>? {
    if borrowsNumbers { return nil }
    return unsafe numbers(values)
  }

  @inlinable
  mutating func list<Value, Element>(
    _ values: [Value], _ convert: (Value, inout Arena) -> Element
  ) -> UnsafeMutablePointer<Element>? {
    guard let list = unsafe list(of: Element.self, values.count) else { return nil }
    for index in values.indices { unsafe (list + index).initialize(to: convert(values[index], &self)) }
    return unsafe list
  }

  public mutating func flags(_ values: [Bool]) -> UnsafeMutablePointer<protobuf_c_boolean>? {
    unsafe list(values) { value, _ in value ? 1 : 0 }
  }

  @inlinable
  public mutating func kinds<Kind: MessageEnum, Native: RawRepresentable>(
    _ values: [Kind]
  ) -> UnsafeMutablePointer<Native>? where Native.RawValue: FixedWidthInteger {
    guard let list = unsafe list(of: Int32.self, values.count) else { return nil }
    for index in values.indices { unsafe list[index] = values[index].number }
    return unsafe UnsafeMutableRawPointer(list).assumingMemoryBound(to: Native.self)
  }

  public mutating func texts(_ values: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    unsafe list(values) { value, arena in unsafe arena.text(value) }
  }

  public mutating func blobs(_ values: [[UInt8]]) -> UnsafeMutablePointer<ProtobufCBinaryData>? {
    unsafe list(values) { value, arena in unsafe arena.bytes(value) }
  }

  @inlinable
  public mutating func messages<M: NativeMessage>(
    _ values: [M]
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<M.Native>?>? {
    guard !values.isEmpty else { return nil }
    let list = unsafe require(values.count * MemoryLayout<Int>.stride)
      .assumingMemoryBound(to: UnsafeMutablePointer<M.Native>?.self)
    unsafe values.withUnsafeBufferPointer { values in
      guard let first = values.baseAddress else { return }
      for index in 0..<values.count { unsafe list[index] = present(first[index]) }
    }
    return unsafe list
  }

  /// A struct of a type that has no Swift message of its own.
  @inlinable
  public mutating func filled<Native>(
    _ table: MessageTable, as _: Native.Type, _ fill: (UnsafeMutablePointer<Native>, inout Arena) -> Void
  ) -> UnsafeMutablePointer<Native> {
    let native = unsafe structure(MemoryLayout<Native>.size, table).assumingMemoryBound(to: Native.self)
    unsafe fill(native, &self)
    return unsafe native
  }

  /// One such struct for each value.
  @inlinable
  public mutating func filled<Value, Native>(
    _ values: [Value], _ table: MessageTable, as _: Native.Type,
    _ fill: (UnsafeMutablePointer<Native>, Value, inout Arena) -> Void
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<Native>?>? {
    unsafe list(values) { value, arena in
      let native = unsafe arena.structure(MemoryLayout<Native>.size, table).assumingMemoryBound(to: Native.self)
      unsafe fill(native, value, &arena)
      return unsafe native
    }
  }

  /// The map's entries in the order of their keys, so that the same value always gives the same bytes.
  @inlinable
  public mutating func map<Key: Hashable, Value, Entry>(
    _ values: [Key: Value], by precedes: (Key, Key) -> Bool, _ table: MessageTable, as _: Entry.Type,
    _ fill: (UnsafeMutablePointer<Entry>, Key, Value, inout Arena) -> Void
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>? {
    if values.isEmpty { return nil }
    return unsafe list(values.sorted { precedes($0.key, $1.key) }) { pair, arena in
      let entry = unsafe arena.structure(MemoryLayout<Entry>.size, table).assumingMemoryBound(to: Entry.self)
      unsafe fill(entry, pair.key, pair.value, &arena)
      return unsafe entry
    }
  }
}
