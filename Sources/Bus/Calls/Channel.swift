internal import Wire

/// A way to reach services. Where they run, and over what, is the channel's business.
public protocol Channel: Sendable {
  /// Begins a call that asks once and is answered once.
  func ask(_ method: MethodDescriptor, _ request: [UInt8], options: CallOptions) throws(Status) -> any PendingCall

  /// Begins a call of any kind. `request` is the one request of methods that take just one.
  func begin(_ method: MethodDescriptor, request: [UInt8]?, options: CallOptions) -> any OpenCall
}

extension Channel {
  /// Makes a call that asks once and is answered once.
  public func unary(
    _ method: MethodDescriptor, _ request: [UInt8], options: CallOptions
  ) async throws(Status) -> Answer<[UInt8]> {
    try await ask(method, request, options: options).answer()
  }
}

/// A call that asks once and is answered once, on its way.
public protocol PendingCall: Sendable {
  /// Waits for the outcome: once, and by whoever asked. The call is cancelled with the task that waits.
  func answer() async throws(Status) -> Answer<[UInt8]>
}

/// What came back, with the metadata around it.
public struct Answer<Message: Sendable>: Sendable {
  public var message: Message
  public var initialMetadata: Metadata
  public var trailingMetadata: Metadata

  public init(message: Message, initialMetadata: Metadata = Metadata(), trailingMetadata: Metadata = Metadata()) {
    self.message = message
    self.initialMetadata = initialMetadata
    self.trailingMetadata = trailingMetadata
  }
}

/// A call whose messages flow one by one. It is cancelled when nobody holds it any longer.
public protocol OpenCall: AnyObject, Sendable {
  /// Sends a message if there is room for it now.
  func sendAtOnce(_ message: [UInt8]) throws(Status) -> Bool
  /// Sends a message, as soon as the receiver has room for it.
  func send(_ message: [UInt8]) async throws(Status)
  /// Says that no further message follows.
  func finishSending()
  /// The next message if it is here; nil when `next` has to say what comes.
  func nextAtOnce() throws(Status) -> ArraySlice<UInt8>?
  /// The next message; nil when the call ended well.
  func next() async throws(Status) -> [UInt8]?
  /// What the handler said before its first message.
  func initialMetadata() async throws(Status) -> Metadata
  /// What the handler said at the end: empty until `next` has returned nil.
  var trailingMetadata: Metadata { get }
  func cancel()
}
