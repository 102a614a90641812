internal import Base
internal import CZMQ
internal import Glibc

/// libzmq's I/O threads and their shared state. A process needs one; it lives as long as the last socket made from it.
@safe package final class ZeroMQContext: @unchecked Sendable {
  // Unchecked because a context, unlike a socket, may be used from any thread; the pointer never changes.
  let handle: UnsafeMutableRawPointer

  package init(ioThreads: Int32 = 1) throws(ZeroMQError) {
    Self.seed
    guard let handle = unsafe zmq_ctx_new() else { throw .last("make a ZeroMQ context") }
    unsafe self.handle = unsafe handle
    try set(ZMQ_IO_THREADS, to: ioThreads, "the number of I/O threads")
    // Otherwise a frame in a queue would keep the whole buffer that it was received in: 7 KB instead of 0.2.
    try set(Self.zeroCopyReceive, to: 0, "receiving by copy")
    // Sockets drop what they could not send within their linger time, so ending the process never waits for ever.
    try set(ZMQ_BLOCKY, to: 0, "a bounded shutdown")
  }

  deinit {
    // Every socket references its context, so none is open here and this does not block.
    unsafe zmq_ctx_term(handle)
  }

  /// libzmq draws the number of a ROUTER's first connection from the C library's generator, and never seeds it: every
  /// process would begin with the same number. A peer can ask for a number (`RoutingID`), so none must be foreseeable.
  private static let seed: Void = srand(UInt32(truncatingIfNeeded: Randomness.system.word()))

  /// libzmq accepts the option, but its header declares it only among drafts.
  private static let zeroCopyReceive: Int32 = 10

  private func set(_ option: Int32, to value: Int32, _ meaning: String) throws(ZeroMQError) {
    guard unsafe zmq_ctx_set(handle, option, value) == 0 else { throw .last("set \(meaning)") }
  }
}
