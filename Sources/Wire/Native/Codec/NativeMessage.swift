internal import CProtobufC

/// A message that knows its way to protobuf-c's struct and back. Every generated message is one.
package protocol NativeMessage: Message {
  /// protoc-c's struct.
  associatedtype Native

  static var table: MessageTable { get }

  /// Makes the value out of a struct, in memory that holds none yet.
  ///
  /// An initializer would do the same more plainly, but for a struct of many properties the compiler makes it copy the
  /// whole value at its end and destroy the original, at every level of a message.
  static func read(_ native: UnsafePointer<Native>, into target: UnsafeMutablePointer<Self>)

  /// Writes the value into a struct that is all zero but for its descriptor. What the struct points to lives in the
  /// arena.
  func fill(native: UnsafeMutablePointer<Native>, arena: inout Arena)

  // Lists of numbers of a fixed width, which `NumberLists` spares a copy. Messages without one have nothing to do.

  /// The bytes of all such lists in this message, without the messages inside.
  var numberListSize: Int { get }

  /// Points the struct at the lists themselves while `body` runs.
  func withBorrowedNumbers(
    in native: UnsafeMutablePointer<Native>, _ body: () throws(CodecError) -> [UInt8]
  ) throws(CodecError) -> [UInt8]

  /// Appends numbers, as they stand on the wire, to one of the lists.
  mutating func appendNumbers(_ bytes: UnsafeRawBufferPointer, toField number: UInt32)
}

extension NativeMessage {
  @inlinable
  package static func reading(_ native: UnsafePointer<Native>) -> Self {
    unsafe withUnsafeTemporaryAllocation(of: Self.self, capacity: 1) { space in
      guard let target = space.baseAddress else { return Self() }
      unsafe read(native, into: target)
      return unsafe target.move()
    }
  }

  @inlinable package var numberListSize: Int { 0 }

  @inlinable
  package func withBorrowedNumbers(
    in native: UnsafeMutablePointer<Native>, _ body: () throws(CodecError) -> [UInt8]
  ) throws(CodecError) -> [UInt8] { try body() }

  @inlinable
  package mutating func appendNumbers(_ bytes: UnsafeRawBufferPointer, toField number: UInt32) {}
}

/// What the codec knows about a type of message. It lives as long as the process, like the descriptor it names.
@safe package struct MessageTable: @unchecked Sendable {
  let descriptor: UnsafePointer<ProtobufCMessageDescriptor>
  let plan: UnsafePointer<MessagePlan>

  /// Takes the descriptor from a struct that protoc-c's own function has initialised: the address of an imported
  /// constant is not to be had in Swift.
  ///
  /// Not generic, like all of the codec that can do without: the compiler makes a copy for each type of message.
  @usableFromInline
  init(size: Int, _ initialize: (UnsafeMutableRawPointer) -> Void) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<Int>.alignment)
    unsafe initialize(memory)
    unsafe descriptor = memory.assumingMemoryBound(to: ProtobufCMessage.self).pointee.descriptor
    unsafe plan = MessagePlan.of(descriptor)
    unsafe memory.deallocate()
  }

  @inlinable
  package init<Native>(_: Native.Type, _ initialize: (UnsafeMutablePointer<Native>?) -> Void) {
    unsafe self.init(size: MemoryLayout<Native>.size) {
      unsafe initialize($0.assumingMemoryBound(to: Native.self))
    }
  }
}
