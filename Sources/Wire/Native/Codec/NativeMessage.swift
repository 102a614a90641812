internal import CProtobufC

/// A message that can be converted to protobuf-c's struct and back.
public protocol NativeMessage: Message {
  /// protoc-c's struct.
  associatedtype Native

  static var table: MessageTable { get }

  /// Makes the value from a struct, into uninitialised memory.
  ///
  /// An initializer would be plainer. But for a struct with many properties the compiler makes it copy the whole value
  /// at its end and destroy the original, at every level of a message.
  static func read(_ native: UnsafePointer<Native>, into target: UnsafeMutablePointer<Self>)

  /// Writes the value into a struct that is zero except for its descriptor. The memory that the struct points to is in
  /// the arena.
  func fill(native: UnsafeMutablePointer<Native>, arena: inout Arena)

  /// The value as a struct in the arena.
  func filled(in arena: inout Arena) -> UnsafeMutableRawPointer

  // The rest is about lists of fixed-width numbers, for which `NumberLists` avoids a copy. Messages without such lists
  // need not implement it.

  /// How many bytes all such lists in this message have, without those of nested messages.
  var numberListSize: Int { get }

  /// Lends the lists to the struct while `body` runs.
  func withBorrowedNumbers(
    in native: UnsafeMutablePointer<Native>, _ body: () throws(CodecError) -> [UInt8]
  ) throws(CodecError) -> [UInt8]

  /// Appends numbers in wire format to the list of this field.
  mutating func appendNumbers(_ bytes: UnsafeRawBufferPointer, toField number: UInt32)
}

/// The codec's methods, compiled once for all messages.
extension NativeMessage {
  @safe @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public func encoded() throws(CodecError) -> [UInt8] {
    try BinaryCodec.encode(self)
  }

  @safe @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public init(decoding bytes: Span<UInt8>, limits: DecodingLimits) throws(CodecError) {
    self = try BinaryCodec.decode(bytes, limits)
  }

  @safe @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public init(json: Span<UInt8>, options: JSONDecodingOptions) throws(CodecError) {
    self = try JSONCodec.decode(json, options)
  }

  @safe @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public func json(_ options: JSONEncodingOptions) throws(CodecError) -> [UInt8] {
    try JSONCodec.encode(self, options)
  }
}

extension NativeMessage {
  @inlinable
  public static func reading(_ native: UnsafePointer<Native>) -> Self {
    // Allocates bytes, because a buffer of `Self` is a type that would be looked up at each use.
    unsafe withUnsafeTemporaryAllocation(
      byteCount: MemoryLayout<Self>.size, alignment: MemoryLayout<Self>.alignment
    ) { space in
      guard let target = unsafe space.baseAddress?.assumingMemoryBound(to: Self.self) else { return Self() }
      unsafe read(native, into: target)
      return unsafe target.move()
    }
  }

  /// The same, in the arena's memory: code that is compiled once for all messages would look up types at each temporary
  /// allocation. If the arena is full, a temporary allocation is used nevertheless.
  static func reading(_ native: UnsafePointer<Native>, in arena: inout Arena) -> Self {
    let (size, alignment) = (MemoryLayout<Self>.size, MemoryLayout<Self>.alignment)
    guard let space = unsafe arena.allocate(size, alignment: alignment) else { return unsafe reading(native) }
    let target = unsafe space.assumingMemoryBound(to: Self.self)
    unsafe read(native, into: target)
    return unsafe target.move()
  }

  @inlinable
  public func filled(in arena: inout Arena) -> UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(arena.present(self))
  }

  @inlinable public var numberListSize: Int { 0 }

  @inlinable
  public func withBorrowedNumbers(
    in native: UnsafeMutablePointer<Native>, _ body: () throws(CodecError) -> [UInt8]
  ) throws(CodecError) -> [UInt8] { try body() }

  @inlinable
  public mutating func appendNumbers(_ bytes: UnsafeRawBufferPointer, toField number: UInt32) {}
}

/// What the codec knows about a type of message. It is never freed, like the descriptor.
@safe public struct MessageTable: @unchecked Sendable {
  let descriptor: UnsafePointer<ProtobufCMessageDescriptor>
  let plan: UnsafePointer<MessagePlan>

  /// Gets the descriptor from a struct that protoc-c's function has initialised, because Swift cannot take the address
  /// of an imported constant.
  ///
  /// Not generic, like everything in the codec that need not be: the compiler makes a copy for each type of message.
  @usableFromInline
  init(size: Int, _ initialize: (UnsafeMutableRawPointer) -> Void) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<Int>.alignment)
    unsafe initialize(memory)
    unsafe descriptor = memory.assumingMemoryBound(to: ProtobufCMessage.self).pointee.descriptor
    unsafe plan = MessagePlan.of(descriptor)
    unsafe memory.deallocate()
  }

  @inlinable
  public init<Native>(_: Native.Type, _ initialize: (UnsafeMutablePointer<Native>?) -> Void) {
    unsafe self.init(size: MemoryLayout<Native>.size) {
      unsafe initialize($0.assumingMemoryBound(to: Native.self))
    }
  }
}
